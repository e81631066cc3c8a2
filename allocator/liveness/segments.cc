#include "allocator/liveness/segments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "allocator/liveness/flat_time.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// The one successor of `block`, however often it is listed; -1 if there are
// several or none.
int32_t OnlySuccessor(const Block& block) {
  if (block.successors.empty()) return -1;
  const int32_t first = block.successors[0];
  for (const int32_t successor : block.successors) {
    if (successor != first) return -1;
  }
  return first;
}

// For each block its one predecessor; -1 if there are several or none.
std::vector<int32_t> OnlyPredecessors(const Function& function) {
  constexpr int32_t kNone = -1;
  constexpr int32_t kSeveral = -2;
  std::vector<int32_t> only(function.blocks.size(), kNone);
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const int32_t block = static_cast<int32_t>(b);
    for (const int32_t successor : function.blocks[b].successors) {
      int32_t& entry = only[successor];
      if (entry == kNone) {
        entry = block;
      } else if (entry != block) {
        entry = kSeveral;
      }
    }
  }
  for (int32_t& entry : only) entry = std::max(entry, kNone);
  return only;
}

}  // namespace

std::vector<int32_t> Segments::Cut(const Function& function) {
  const std::vector<int32_t> starts = BlockStarts(function);
  const std::vector<int32_t> only_predecessor = OnlyPredecessors(function);
  std::vector<int32_t> segment_of_block(function.blocks.size());
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const int32_t block = static_cast<int32_t>(b);
    // The entry block never goes on with a chain: index 0 has none before it.
    const bool goes_on = block > 0 && only_predecessor[b] == block - 1 &&
                         OnlySuccessor(function.blocks[b - 1]) == block;
    if (!goes_on) firsts_.push_back(starts[b]);
    segment_of_block[b] = static_cast<int32_t>(firsts_.size()) - 1;
  }
  firsts_.push_back(starts.back());
  return segment_of_block;
}

Segments::Adjacency Segments::Successors(
    const Function& function,
    const std::vector<int32_t>& segment_of_block) const {
  Adjacency result;
  result.begins.push_back(0);
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    // Only the last block of a segment leads out of it.
    if (b + 1 < function.blocks.size() &&
        segment_of_block[b] == segment_of_block[b + 1]) {
      continue;
    }
    for (const int32_t successor : function.blocks[b].successors) {
      result.targets.push_back(segment_of_block[successor]);
    }
    result.begins.push_back(static_cast<int64_t>(result.targets.size()));
  }
  return result;
}

Segments::Adjacency Segments::Reversed(const Adjacency& forward) const {
  Adjacency result;
  result.begins.assign(size() + 1, 0);
  for (const int32_t target : forward.targets) ++result.begins[target + 1];
  for (int32_t s = 0; s < size(); ++s) result.begins[s + 1] += result.begins[s];
  result.targets.resize(forward.targets.size());
  std::vector<int64_t> next = result.begins;
  for (int32_t s = 0; s < size(); ++s) {
    for (const int32_t target : forward.of(s)) {
      result.targets[next[target]++] = s;
    }
  }
  return result;
}

// Tarjan's algorithm with its own stack: a component is complete only after all
// that it leads to, so components come out in reverse topological order.
void Segments::Rank(const Adjacency& successors) {
  constexpr int32_t kUnseen = -1;
  struct Visit {
    int32_t segment;
    int64_t next_edge;
  };
  std::vector<int32_t> order(size(), kUnseen);  // when first seen
  std::vector<int32_t> low(size());  // least order known to be reached
  std::vector<int32_t> open;         // seen, component not complete
  std::vector<Visit> path;
  ranks_.assign(size(), kUnseen);
  int32_t num_seen = 0;
  int32_t num_components = 0;
  const auto enter = [&](int32_t segment) {
    order[segment] = low[segment] = num_seen++;
    open.push_back(segment);
    path.push_back({segment, successors.begins[segment]});
  };
  for (int32_t root = 0; root < size(); ++root) {
    if (order[root] != kUnseen) continue;
    enter(root);
    while (!path.empty()) {
      const int32_t segment = path.back().segment;
      if (path.back().next_edge < successors.begins[segment + 1]) {
        const int32_t target = successors.targets[path.back().next_edge++];
        if (order[target] == kUnseen) {
          enter(target);
        } else if (ranks_[target] == kUnseen) {
          low[segment] = std::min(low[segment], order[target]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        int32_t& low_before = low[path.back().segment];
        low_before = std::min(low_before, low[segment]);
      }
      if (low[segment] != order[segment]) continue;
      while (ranks_[segment] == kUnseen) {
        ranks_[open.back()] = num_components;
        open.pop_back();
      }
      ++num_components;
    }
  }
  for (int32_t& rank : ranks_) rank = num_components - 1 - rank;
}

Segments::Segments(const Function& function) {
  const std::vector<int32_t> segment_of_block = Cut(function);
  const Adjacency successors = Successors(function, segment_of_block);
  for (int32_t s = 0; s < size(); ++s) {
    if (successors.of(s).empty()) exits_.push_back(s);
  }
  Rank(successors);
  predecessors_ = Reversed(successors);
}

int32_t Segments::SegmentOf(int32_t flat, int32_t from) const {
  if (flat < firsts_[from + 1]) return from;
  // Of segments that start at one index all but the last are empty.
  const auto after =
      std::upper_bound(firsts_.begin() + from + 1, firsts_.end(), flat);
  return static_cast<int32_t>(after - firsts_.begin()) - 1;
}

}  // namespace berth
