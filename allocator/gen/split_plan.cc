#include "allocator/gen/split_plan.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/gen/spine.h"
#include "allocator/gen/split_waits.h"
#include "allocator/model/program.h"

namespace berth::gen {
namespace {

constexpr int32_t kHandOverEvery = 8;
constexpr int32_t kChainEvery = 4;

// Functions that run once for each run of their callers: roots, and those that
// are only called from spines of such, outside of loops.
struct Reach {
  std::vector<bool> eligible;
  std::vector<bool> root;
};

Reach FindEligible(const Module& module,
                   const std::vector<FunctionSplit>& plans) {
  const auto count = static_cast<int32_t>(module.functions.size());
  std::vector<std::vector<std::pair<int32_t, bool>>> callees(count);
  std::vector<int32_t> calls_left(count);  // from callers not yet seen
  for (int32_t f = 0; f < count; ++f) {
    for (size_t b = 0; b < module.functions[f].blocks.size(); ++b) {
      for (const Instruction& i : module.functions[f].blocks[b].instructions) {
        if (i.kind != InstructionKind::kCall) continue;
        callees[f].emplace_back(
            i.callee, plans[f].spine.holds[b] && !plans[f].spine.in_loop[b]);
        ++calls_left[i.callee];
      }
    }
  }
  Reach reach{std::vector<bool>(count, true), std::vector<bool>(count)};
  std::vector<int32_t> ready;
  for (int32_t f = 0; f < count; ++f) {
    reach.root[f] = calls_left[f] == 0;
    if (reach.root[f]) ready.push_back(f);
  }
  // Callers first; calls do not recurse.
  while (!ready.empty()) {
    const int32_t f = ready.back();
    ready.pop_back();
    for (const auto& [callee, runs_once] : callees[f]) {
      if (!runs_once || !reach.eligible[f]) reach.eligible[callee] = false;
      if (--calls_left[callee] == 0) ready.push_back(callee);
    }
  }
  return reach;
}

// What a function does with each of its locations.
struct Habits {
  bool collective = false;
  bool copied = false;  // by a DMA_COPY
  bool defined = false;
  bool off_spine = false;
  bool read_first = false;  // by layout; in a loop that is possible
  bool tangled = false;  // one instruction changes some bytes, touches others
};

template <typename Visit>
void ForEachAccess(const Instruction& instruction, Visit visit) {
  for (const Access& use : instruction.uses) visit(use, false);
  for (const Access& def : instruction.defs) visit(def, true);
}

// Cores that each take a slice of both ranges would touch each other's.
bool Tangled(const Instruction& instruction, const Access& access,
             const Location& location) {
  const auto same = [&](const Access& a, const Access& b) {
    const auto bytes = [&](const Access& x) {
      return x.extent_bytes == 0 ? location.byte_size() : x.extent_bytes;
    };
    return a.offset_bytes == b.offset_bytes && bytes(a) == bytes(b);
  };
  return std::any_of(
      instruction.defs.begin(), instruction.defs.end(), [&](const Access& def) {
        return def.location == access.location && !same(def, access);
      });
}

std::vector<Habits> FindHabits(const Function& function,
                               const std::vector<bool>& on_spine) {
  std::vector<Habits> habits(function.locations.size());
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& i : function.blocks[b].instructions) {
      ForEachAccess(i, [&](const Access& access, bool def) {
        Habits& of = habits[access.location];
        of.read_first |= !def && !of.defined;
        of.collective |= i.kind == InstructionKind::kCollective;
        of.copied |= i.kind == InstructionKind::kDmaCopy;
        of.defined |= def;
        of.off_spine |= !on_spine[b];
        of.tangled |= Tangled(i, access, function.locations[access.location]);
      });
    }
  }
  return habits;
}

// Gives out owners in turn, over all functions.
class Dealer {
 public:
  explicit Dealer(int32_t cores) : cores_(cores) {}

  LocationSplit Deal(SplitRole role) {
    LocationSplit split;
    split.role = role;
    split.owner = dealt_ % cores_;
    split.chained = dealt_ % kChainEvery == kChainEvery - 1;
    ++dealt_;
    return split;
  }
  // Of those that could be handed over, every eighth is.
  bool HandsOver() { return asked_++ % kHandOverEvery == kHandOverEvery / 2; }

 private:
  const int32_t cores_;
  int32_t dealt_ = 0;
  int32_t asked_ = 0;
};

void AssignRoles(const Function& function, Dealer& dealer,
                 FunctionSplit& plan) {
  const std::vector<Habits> habits = FindHabits(function, plan.spine.holds);
  for (size_t l = 0; l < function.locations.size(); ++l) {
    const Location& location = function.locations[l];
    const Habits& of = habits[l];
    if (!location.candidate(Space::kLocal) || location.address.has_value() ||
        !of.defined || of.off_spine || of.read_first || of.tangled) {
      continue;
    }
    if (of.collective) {
      plan.locations[l] = dealer.Deal(SplitRole::kStaged);
    } else if (!of.copied && dealer.HandsOver()) {
      plan.locations[l] = dealer.Deal(SplitRole::kHandOver);
    }
  }
}

}  // namespace

std::vector<FunctionSplit> PlanSplit(const Module& module, int32_t cores) {
  std::vector<FunctionSplit> plans(module.functions.size());
  for (size_t f = 0; f < plans.size(); ++f) {
    const Function& function = module.functions[f];
    plans[f].locations.resize(function.locations.size());
    plans[f].waits.resize(function.blocks.size());
    plans[f].spine = FindSpine(function);
  }
  const Reach reach = FindEligible(module, plans);
  Dealer dealer(cores);
  for (size_t f = 0; f < plans.size(); ++f) {
    const Function& function = module.functions[f];
    if (!reach.eligible[f]) {
      plans[f].spine.holds.assign(function.blocks.size(), false);
      plans[f].spine.loop_end.assign(function.blocks.size(), -1);
      continue;
    }
    AssignRoles(function, dealer, plans[f]);
    PlaceWaits(function, reach.root[f], plans[f]);
  }
  return plans;
}

}  // namespace berth::gen
