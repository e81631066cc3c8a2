#include "allocator/validate/occupancy.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/validate/block_graph.h"

namespace berth::validation {
namespace {

// What one instruction does to one location, all its accesses taken together.
struct Touch {
  int32_t flat = 0;
  bool uses = false;     // a listed use
  bool partial = false;  // a def that does not cover the location
  bool covers = false;   // a def that does
  bool by_call = false;

  bool defines() const { return partial || covers; }
  // Only a full def ends liveness; a partial def is an implied use.
  bool kills() const { return covers && !uses && !partial; }
};

// The touches of every location, by flat index, in one array.
struct TouchTable {
  std::vector<int64_t> offsets;
  std::vector<Touch> touches;

  absl::Span<const Touch> of(int32_t location) const {
    return absl::MakeConstSpan(touches).subspan(
        offsets[location], offsets[location + 1] - offsets[location]);
  }
};

TouchTable CollectTouches(const Function& function) {
  const auto locations = static_cast<int32_t>(function.locations.size());
  // One entry per (instruction, location), first unsorted, then scattered.
  std::vector<Touch> found;
  std::vector<int32_t> found_location;
  std::vector<int64_t> last_found(locations, -1);
  std::vector<uint64_t> bytes(locations);
  std::vector<bool> dram(locations);
  TouchTable table;
  table.offsets.assign(locations + 1, 0);
  for (int32_t l = 0; l < locations; ++l) {
    bytes[l] = function.locations[l].byte_size();
    dram[l] = function.locations[l].type == MemoryType::kDram;
  }
  int32_t flat = 0;
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      const auto touch = [&](int32_t l) -> Touch& {
        const int64_t last = last_found[l];
        if (last >= 0 && found[last].flat == flat) return found[last];
        last_found[l] = static_cast<int64_t>(found.size());
        found_location.push_back(l);
        ++table.offsets[l + 1];
        found.push_back(
            {.flat = flat,
             .by_call = instruction.kind == InstructionKind::kCall});
        return found.back();
      };
      for (const Access& use : instruction.uses) {
        if (dram[use.location]) touch(use.location).uses = true;
      }
      for (const Access& def : instruction.defs) {
        if (!dram[def.location]) continue;
        const bool covers =
            def.extent_bytes == 0 ||
            (def.offset_bytes == 0 && def.extent_bytes >= bytes[def.location]);
        Touch& entry = touch(def.location);
        (covers ? entry.covers : entry.partial) = true;
      }
      ++flat;
    }
  }
  for (int32_t l = 0; l < locations; ++l) {
    table.offsets[l + 1] += table.offsets[l];
  }
  table.touches.resize(found.size());
  std::vector<int64_t> cursor(table.offsets.begin(), table.offsets.end() - 1);
  for (size_t i = 0; i < found.size(); ++i) {
    table.touches[cursor[found_location[i]]++] = found[i];
  }
  return table;
}

// The two searches of one location after another over one graph. Marks carry
// the number of the location that set them, so nothing is cleared in between.
class LocationSearch {
 public:
  explicit LocationSearch(const Function& function)
      : graph_(function),
        live_out_(graph_.num_blocks(), -1),
        reach_in_(graph_.num_blocks(), -1),
        touch_begin_(graph_.num_blocks(), 0),
        touched_(graph_.num_blocks(), -1) {
    block_of_.resize(graph_.num_instructions());
    for (int32_t b = 0; b < graph_.num_blocks(); ++b) {
      std::fill(block_of_.begin() + graph_.first(b),
                block_of_.begin() + graph_.end(b), b);
    }
  }

  const BlockGraph& graph() const { return graph_; }

  // Maximal runs of the location into `runs`. REQUIRES: touches not empty.
  void Run(int32_t id, const Location& location,
           absl::Span<const Touch> touches, std::vector<Interval>* runs) {
    id_ = id;
    touches_ = touches;
    runs_ = runs;
    const Usage usage = location.usage;
    const bool fixed = usage == Usage::kWeight || usage == Usage::kConstant;
    defined_at_entry_ = fixed || usage == Usage::kInput;
    used_at_exit_ = fixed || usage == Usage::kOutput;
    runs->clear();
    GroupByBlock();
    FindWindow();
    SearchBackward();
    SearchForward();
    Emit();
    MergeRuns(runs);
  }

 private:
  // The touches of one block: [begin, end) of touches_.
  struct Group {
    int32_t block = 0;
    int32_t begin = 0;
    int32_t end = 0;
    bool defines = false;
  };

  void GroupByBlock() {
    groups_.clear();
    for (int32_t i = 0; i < static_cast<int32_t>(touches_.size()); ++i) {
      const int32_t block = block_of_[touches_[i].flat];
      if (groups_.empty() || groups_.back().block != block) {
        touched_[block] = id_;
        touch_begin_[block] = i;
        groups_.push_back({.block = block, .begin = i});
      }
      groups_.back().end = i + 1;
      groups_.back().defines |= touches_[i].defines();
    }
  }

  // Ranks between the first def and the last use.
  void FindWindow() {
    low_rank_ = std::numeric_limits<int32_t>::max();
    high_rank_ = std::numeric_limits<int32_t>::min();
    for (const Group& group : groups_) {
      const int32_t rank = graph_.rank(group.block);
      if (group.defines) low_rank_ = std::min(low_rank_, rank);
      high_rank_ = std::max(high_rank_, rank);
    }
    if (defined_at_entry_) low_rank_ = std::min(low_rank_, graph_.rank(0));
    if (used_at_exit_) high_rank_ = std::numeric_limits<int32_t>::max();
  }

  bool InWindow(int32_t block) const {
    return graph_.rank(block) >= low_rank_ && graph_.rank(block) <= high_rank_;
  }
  bool Touched(int32_t block) const { return touched_[block] == id_; }
  bool LiveOut(int32_t block) const { return live_out_[block] == id_; }
  bool ReachIn(int32_t block) const { return reach_in_[block] == id_; }
  // Every touch but a full def needs the value that was there before.
  bool LiveIn(int32_t block) const {
    return Touched(block) ? !touches_[touch_begin_[block]].kills()
                          : LiveOut(block);
  }

  void MarkLiveOut(int32_t block) {
    if (LiveOut(block) || !InWindow(block)) return;
    live_out_[block] = id_;
    if (!Touched(block)) work_.push_back(block);
  }

  void SearchBackward() {
    const auto expand = [this](int32_t block) {
      for (const int32_t before : graph_.predecessors(block)) {
        MarkLiveOut(before);
      }
    };
    for (const Group& group : groups_) {
      if (LiveIn(group.block)) expand(group.block);
    }
    if (used_at_exit_) {
      for (const int32_t exit : graph_.exits()) MarkLiveOut(exit);
    }
    while (!work_.empty()) {
      const int32_t block = work_.back();
      work_.pop_back();
      expand(block);
    }
  }

  // The value arrives at the start of `block`, which needs it.
  void MarkReachIn(int32_t block) {
    if (ReachIn(block) || !LiveIn(block)) return;
    reach_in_[block] = id_;
    if (LiveOut(block)) work_.push_back(block);
  }

  void SearchForward() {
    for (const Group& group : groups_) {
      if (group.defines && LiveOut(group.block)) work_.push_back(group.block);
    }
    if (defined_at_entry_) MarkReachIn(0);
    while (!work_.empty()) {
      const int32_t block = work_.back();
      work_.pop_back();
      for (const int32_t next : graph_.successors(block)) MarkReachIn(next);
      if (!Touched(block)) EmitRun(graph_.first(block), graph_.end(block) - 1);
    }
  }

  void EmitRun(int32_t lo, int32_t hi) {
    if (lo <= hi) runs_->push_back({lo, hi});
  }

  // The runs of the blocks that touch the location; the forward search emitted
  // those that it passes through.
  void Emit() {
    for (const Group& group : groups_) {
      bool reached = ReachIn(group.block);
      int32_t next = graph_.first(group.block);  // first index not looked at
      for (int32_t i = group.begin; i < group.end; ++i) {
        const Touch& touch = touches_[i];
        const bool held = reached && !touch.kills();
        EmitRun(held ? next : touch.flat, touch.flat);
        reached |= touch.defines();
        next = touch.flat + 1;
      }
      if (reached && LiveOut(group.block)) {
        EmitRun(next, graph_.end(group.block) - 1);
      }
    }
  }

  static void MergeRuns(std::vector<Interval>* runs) {
    const auto by_lo = [](const Interval& a, const Interval& b) {
      return a.lo < b.lo;
    };
    if (!std::is_sorted(runs->begin(), runs->end(), by_lo)) {
      std::sort(runs->begin(), runs->end(), by_lo);
    }
    size_t kept = 0;
    for (const Interval run : *runs) {
      if (kept > 0 && run.lo <= (*runs)[kept - 1].hi + 1) {
        (*runs)[kept - 1].hi = std::max((*runs)[kept - 1].hi, run.hi);
      } else {
        (*runs)[kept++] = run;
      }
    }
    runs->resize(kept);
  }

  const BlockGraph graph_;
  std::vector<int32_t> block_of_;  // by flat index
  // By block; equal to id_ where the mark is set.
  std::vector<int32_t> live_out_, reach_in_;
  std::vector<int32_t> touch_begin_, touched_;
  std::vector<int32_t> work_;
  std::vector<Group> groups_;

  int32_t id_ = -1;
  absl::Span<const Touch> touches_;
  std::vector<Interval>* runs_ = nullptr;
  bool defined_at_entry_ = false;
  bool used_at_exit_ = false;
  int32_t low_rank_ = 0;
  int32_t high_rank_ = 0;
};

}  // namespace

Occupancy DeriveOccupancy(const Function& function) {
  const auto locations = static_cast<int32_t>(function.locations.size());
  const TouchTable table = CollectTouches(function);
  LocationSearch search(function);
  const int32_t last = search.graph().num_instructions() - 1;
  Occupancy occupancy;
  occupancy.accessed.resize(locations);
  occupancy.runs.offsets.reserve(locations + 1);
  occupancy.runs.values.reserve(locations);
  std::vector<Interval> runs;
  for (int32_t l = 0; l < locations; ++l) {
    const Location& location = function.locations[l];
    const auto touches = table.of(l);
    occupancy.accessed[l] = !touches.empty();
    runs.clear();
    if (!touches.empty()) {
      search.Run(l, location, touches, &runs);
      const bool called = std::any_of(touches.begin(), touches.end(),
                                      [](const Touch& t) { return t.by_call; });
      if (called) runs = {{runs.front().lo, runs.back().hi}};
    } else if (location.type == MemoryType::kDram && location.address &&
               last >= 0 &&
               (location.usage == Usage::kWeight ||
                location.usage == Usage::kConstant)) {
      runs.push_back({0, last});
    }
    occupancy.runs.Append(runs);
  }
  return occupancy;
}

}  // namespace berth::validation
