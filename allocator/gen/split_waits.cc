#include "allocator/gen/split_waits.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/gen/split_plan.h"
#include "allocator/model/program.h"

namespace berth::gen {
namespace {

// Accesses of one shared location since the cores last met.
enum class Since : uint8_t {
  kNothing,
  kOwn,    // each core its own bytes
  kWhole,  // all cores read all of it
  kMixed,  // other ranges: wait before anything else
};

bool Meets(const Instruction& instruction) {
  return instruction.kind == InstructionKind::kCollective ||
         instruction.kind == InstructionKind::kBarrier;
}

// Walks the spine in layout order.
class WaitPlacer {
 public:
  WaitPlacer(const Function& function, FunctionSplit& plan)
      : function_(function), plan_(plan) {
    since_.assign(function.locations.size(), Since::kNothing);
    shared_before_.push_back(0);
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      int64_t shared = 0;
      if (plan.spine.holds[b]) {
        for (const Instruction& i : function.blocks[b].instructions) {
          ForEachShared(i, [&](const Access&, bool) { ++shared; });
        }
      }
      shared_before_.push_back(shared_before_.back() + shared);
    }
  }

  void Walk(bool root) {
    if (!root) {
      // Another call may have just left its bytes there.
      for (size_t l = 0; l < since_.size(); ++l) {
        Mix(static_cast<int32_t>(l));
      }
    }
    const auto count = static_cast<int32_t>(function_.blocks.size());
    for (int32_t b = 0; b < count; ++b) {
      while (!loops_.empty() && loops_.back().end < b) LeaveLoop();
      const int32_t end = plan_.spine.loop_end[b];
      if (end >= 0 && shared_before_[end + 1] > shared_before_[b]) {
        loops_.push_back({end, {}});
        Wait(b, 0);
      }
      if (plan_.spine.holds[b]) WalkBlock(b);
    }
  }

 private:
  struct Loop {
    int32_t end = 0;
    std::vector<int32_t> accessed;  // shared locations
  };

  template <typename Visit>
  void ForEachShared(const Instruction& instruction, Visit visit) const {
    const auto each = [&](const std::vector<Access>& accesses, bool def) {
      for (const Access& access : accesses) {
        if (plan_.locations[access.location].role == SplitRole::kPart) continue;
        visit(access, def);
      }
    };
    each(instruction.uses, false);
    each(instruction.defs, true);
  }

  void WalkBlock(int32_t b) {
    const auto& instructions = function_.blocks[b].instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      const Instruction& instruction = instructions[i];
      const bool meets = Meets(instruction);
      if (meets) {
        Meet();
      } else if (MustWait(instruction)) {
        Wait(b, static_cast<int32_t>(i));
      }
      ForEachShared(instruction, [&](const Access& access, bool def) {
        if (!loops_.empty()) {
          loops_.back().accessed.push_back(access.location);
        }
        if (meets) return;  // all of it is one access
        Since& now = since_[access.location];
        const Since next = KindOf(access, def, instruction);
        now = now == Since::kNothing || now == next ? next : Since::kMixed;
        touched_.push_back(access.location);
      });
    }
  }

  bool MustWait(const Instruction& instruction) const {
    bool waits = false;
    ForEachShared(instruction, [&](const Access& access, bool def) {
      const Since now = since_[access.location];
      const Since next = KindOf(access, def, instruction);
      waits |= now != Since::kNothing && (now != next || next == Since::kMixed);
    });
    return waits;
  }

  Since KindOf(const Access& access, bool def,
               const Instruction& instruction) const {
    const Location& location = function_.locations[access.location];
    if (access.extent_bytes != 0 &&
        access.extent_bytes != location.byte_size()) {
      return Since::kMixed;
    }
    const bool own =
        def || instruction.kind == InstructionKind::kDmaCopy ||
        std::any_of(instruction.defs.begin(), instruction.defs.end(),
                    [&](const Access& other) {
                      return other.location == access.location;
                    });
    return own ? Since::kOwn : Since::kWhole;
  }

  void Mix(int32_t location) {
    since_[location] = Since::kMixed;
    touched_.push_back(location);
  }

  void Meet() {
    for (const int32_t l : touched_) since_[l] = Since::kNothing;
    touched_.clear();
  }

  void Wait(int32_t block, int32_t instruction) {
    std::vector<int32_t>& waits = plan_.waits[block];
    if (waits.empty() || waits.back() != instruction) {
      waits.push_back(instruction);
    }
    Meet();
  }

  void LeaveLoop() {
    const Loop loop = std::move(loops_.back());
    loops_.pop_back();
    for (const int32_t l : loop.accessed) {
      Mix(l);
      if (!loops_.empty()) loops_.back().accessed.push_back(l);
    }
  }

  const Function& function_;
  FunctionSplit& plan_;
  std::vector<int64_t> shared_before_;  // by block: accesses on the spine
  std::vector<Since> since_;            // by location
  std::vector<int32_t> touched_;        // those that are not kNothing
  std::vector<Loop> loops_;             // around, the innermost last
};

}  // namespace

void PlaceWaits(const Function& function, bool root, FunctionSplit& plan) {
  WaitPlacer(function, plan).Walk(root);
}

}  // namespace berth::gen
