#include "allocator/gen/spine.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth::gen {
namespace {

class SpineFinder {
 public:
  explicit SpineFinder(const Function& function)
      : function_(function),
        count_(static_cast<int32_t>(function.blocks.size())) {
    spine_.holds.resize(count_);
    spine_.loop_end.assign(count_, -1);
    spine_.in_loop.resize(count_);
    FindReached();
    last_latch_.assign(count_, -1);
    ForEachEdge(0, count_ - 1, [this](int32_t from, int32_t to) {
      if (to <= from) last_latch_[to] = std::max(last_latch_[to], from);
    });
  }

  Spine Find() && {
    if (count_ > 0) open_.push_back({0, count_ - 1, 0});
    while (!open_.empty()) {
      const Region region = open_.back();
      open_.pop_back();
      Cut(region);
    }
    return std::move(spine_);
  }

 private:
  // Blocks first..last; a loop that begins at `first` if `depth` > 0.
  struct Region {
    int32_t first = 0;
    int32_t last = 0;
    int depth = 0;
  };

  // Edges that some path takes.
  template <typename Visit>
  void ForEachEdge(int32_t first, int32_t last, Visit visit) const {
    for (int32_t b = first; b <= last; ++b) {
      if (!reached_[b]) continue;
      for (const int32_t to : function_.blocks[b].successors) visit(b, to);
    }
  }

  void FindReached() {
    reached_.resize(count_);
    std::vector<int32_t> open;
    const auto reach = [&](int32_t b) {
      if (reached_[b]) return;
      reached_[b] = true;
      open.push_back(b);
    };
    if (count_ > 0) reach(0);
    while (!open.empty()) {
      const int32_t b = open.back();
      open.pop_back();
      for (const int32_t to : function_.blocks[b].successors) reach(to);
    }
  }

  // An edge from behind the loop leads into its middle.
  bool EnteredAtSide(int32_t first, int32_t last) const {
    return std::any_of(last_latch_.begin() + first + 1,
                       last_latch_.begin() + last + 1,
                       [last](int32_t latch) { return latch > last; });
  }

  // Marks what lies on the spine of the region, and opens the loops there.
  void Cut(const Region& region) {
    const int32_t size = region.last - region.first + 1;
    // Per block: edges that pass it by, as differences; and how many of those
    // only lead back to it.
    std::vector<int32_t> change(size + 1);
    std::vector<int32_t> own(size);
    const auto pass_by = [&](int32_t first, int32_t last) {
      if (first > last) return;
      ++change[first - region.first];
      --change[last + 1 - region.first];
    };
    const bool is_loop = region.depth > 0;
    ForEachEdge(region.first, region.last, [&](int32_t from, int32_t to) {
      if (to < region.first || to > region.last) return;  // leaves the loop
      if (is_loop && to == region.first) {
        pass_by(from + 1, region.last);  // an iteration may end here
      } else if (to > from) {
        pass_by(from + 1, to - 1);
      } else {
        pass_by(to, from);
        ++own[to - region.first];
      }
    });
    for (int32_t b = region.first; !is_loop && b <= region.last; ++b) {
      const bool ends = reached_[b] && function_.blocks[b].successors.empty();
      if (ends) pass_by(b + 1, region.last);
    }
    int32_t passed_by = 0;
    for (int32_t b = region.first; b <= region.last; ++b) {
      passed_by += change[b - region.first];
      spine_.in_loop[b] = is_loop;
      if (!reached_[b]) continue;
      if (passed_by == 0) {
        spine_.holds[b] = true;
      } else if (passed_by == own[b - region.first] &&
                 region.depth < kMaxSpineLoops &&
                 !EnteredAtSide(b, last_latch_[b])) {
        spine_.loop_end[b] = last_latch_[b];
        open_.push_back({b, last_latch_[b], region.depth + 1});
      }
    }
  }

  const Function& function_;
  const int32_t count_;
  Spine spine_;
  std::vector<bool> reached_;
  std::vector<int32_t> last_latch_;  // by block: the last that leads back to it
  std::vector<Region> open_;
};

}  // namespace

Spine FindSpine(const Function& function) {
  return SpineFinder(function).Find();
}

}  // namespace berth::gen
