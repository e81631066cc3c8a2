#include "allocator/validate/regions.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/model/program.h"

namespace berth::validation {
namespace {

// Kosaraju's algorithm: the order in which a first search leaves blocks, read
// backwards, is the order in which a second one, against the edges, collects
// pieces; they come out in topological order.
class Cutter {
 public:
  Cutter(const Function& function, const std::vector<bool>& inside,
         int32_t head, bool is_loop)
      : function_(function), inside_(inside), head_(head), is_loop_(is_loop) {}

  std::vector<Piece> Cut() {
    const auto blocks = static_cast<int32_t>(function_.blocks.size());
    piece_of_.assign(blocks, -1);
    against_.resize(blocks);
    const std::vector<int32_t> left = LeaveOrder();
    std::vector<Piece> pieces;
    for (auto it = left.rbegin(); it != left.rend(); ++it) {
      if (piece_of_[*it] >= 0) continue;
      const auto piece = static_cast<int32_t>(pieces.size());
      Collect(*it, piece, pieces.emplace_back().blocks);
    }
    Describe(pieces);
    return pieces;
  }

 private:
  bool Follows(int32_t to) const {
    return inside_[to] && !(is_loop_ && to == head_);
  }

  // Depth-first from the head; also notes the edges backwards.
  std::vector<int32_t> LeaveOrder() {
    std::vector<int32_t> left;
    std::vector<bool> entered(function_.blocks.size());
    std::vector<std::pair<int32_t, size_t>> path = {{head_, 0}};
    entered[head_] = true;
    while (!path.empty()) {
      const int32_t block = path.back().first;
      const auto& successors = function_.blocks[block].successors;
      if (path.back().second == successors.size()) {
        left.push_back(block);
        path.pop_back();
        continue;
      }
      const int32_t to = successors[path.back().second++];
      if (!Follows(to)) continue;
      against_[to].push_back(block);
      if (entered[to]) continue;
      entered[to] = true;
      path.emplace_back(to, 0);
    }
    return left;
  }

  void Collect(int32_t from, int32_t piece, std::vector<int32_t>& blocks) {
    piece_of_[from] = piece;
    blocks.push_back(from);
    for (size_t next = 0; next < blocks.size(); ++next) {
      for (const int32_t before : against_[blocks[next]]) {
        if (piece_of_[before] >= 0) continue;
        piece_of_[before] = piece;
        blocks.push_back(before);
      }
    }
  }

  void Describe(std::vector<Piece>& pieces) const {
    int32_t farthest = 0;  // piece that an edge from an earlier one leads to
    bool ended = false;    // a path may end before
    for (int32_t p = 0; p < static_cast<int32_t>(pieces.size()); ++p) {
      Piece& piece = pieces[p];
      piece.on_every_path = !ended && farthest <= p;
      bool leads_on = false;
      bool iterates = false;
      int32_t entries = 0;
      for (const int32_t block : piece.blocks) {
        for (const int32_t to : function_.blocks[block].successors) {
          if (!Follows(to)) {
            iterates |= is_loop_ && to == head_;
            continue;
          }
          piece.is_loop |= piece_of_[to] == p;
          leads_on |= piece_of_[to] != p;
          farthest = std::max(farthest, piece_of_[to]);
        }
        const bool entered =
            block == head_ ||
            std::any_of(against_[block].begin(), against_[block].end(),
                        [&](int32_t from) { return piece_of_[from] != p; });
        if (entered) piece.head = ++entries == 1 ? block : -1;
      }
      ended |= is_loop_ ? iterates : !leads_on;
    }
  }

  const Function& function_;
  const std::vector<bool>& inside_;
  const int32_t head_;
  const bool is_loop_;
  std::vector<std::vector<int32_t>>
      against_;  // by block: where edges come from
  std::vector<int32_t> piece_of_;
};

}  // namespace

std::vector<Piece> CutRegion(const Function& function,
                             const std::vector<bool>& inside, int32_t head,
                             bool is_loop) {
  return Cutter(function, inside, head, is_loop).Cut();
}

}  // namespace berth::validation
