#include "allocator/validate/phases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "allocator/base/fnv.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/validate/regions.h"

namespace berth::validation {
namespace {

// Loops nested deeper than this hold no rendezvous (spec: an input error).
constexpr int kMostLoops = 64;

// The units of a function or core in order, as a number: sequences are equal
// if, but for chance, length and value are. Polynomial, modulo 2^64, so that a
// sequence can be appended whole.
struct Sequence {
  uint64_t value = 0;
  uint64_t power = 1;  // of the base, to the length
  int64_t length = 0;

  void Append(const Sequence& other) {
    value = value * other.power + other.value;
    power *= other.power;
    length += other.length;
  }
  static Sequence Of(uint64_t unit) { return {unit, 0x9E3779B97F4A7C15u, 1}; }
  friend bool operator==(const Sequence&, const Sequence&) = default;
};

uint64_t HashOf(absl::string_view name) {
  Fnv1a64 hash;
  hash.AddBytes(name);
  return hash.hash();
}

bool MayMeet(const Instruction& instruction) {
  return instruction.kind == InstructionKind::kBarrier ||
         instruction.kind == InstructionKind::kCollective;
}

}  // namespace

class PhaseFinder {
 public:
  explicit PhaseFinder(const std::vector<PhaseModule>& modules)
      : modules_(modules), lenient_(modules.size() == 1) {}

  std::optional<Phases> Find() {
    CountNames();
    std::optional<Sequence> common;
    for (size_t m = 0; m < modules_.size(); ++m) {
      const std::optional<Sequence> path = FindModule(m);
      if (!path || path->length >= (int64_t{1} << 30)) return std::nullopt;
      if (common && *common != *path) return std::nullopt;
      common = path;
    }
    if (common) {
      phases_.num_phases_ = static_cast<int32_t>(2 * common->length + 1);
    }
    return std::move(phases_);
  }

 private:
  using FunctionUnits = Phases::FunctionUnits;

  // A name cuts if every core has it.
  void CountNames() {
    for (size_t m = 0; m < modules_.size(); ++m) {
      for (const Function& function : modules_[m].module->functions) {
        for (const Block& block : function.blocks) {
          for (const Instruction& instruction : block.instructions) {
            if (!MayMeet(instruction)) continue;
            int32_t& cores = cores_of_[instruction.name];
            if (cores == static_cast<int32_t>(m)) ++cores;
          }
        }
      }
    }
  }
  bool Cuts(const Instruction& instruction) const {
    if (!MayMeet(instruction)) return false;
    return cores_of_.at(instruction.name) ==
           static_cast<int32_t>(modules_.size());
  }

  // Units of `instruction`, 0 if it is none.
  Sequence UnitsOf(const Instruction& instruction) const {
    if (instruction.kind == InstructionKind::kCall) {
      return sequences_[instruction.callee];
    }
    if (Cuts(instruction)) return Sequence::Of(HashOf(instruction.name));
    return {};
  }

  std::optional<Sequence> FindModule(size_t m) {
    const Module& module = *modules_[m].module;
    const size_t count = module.functions.size();
    phases_.functions_.emplace_back();
    flat_.assign(count, false);
    // With a call passed over, its callee counts nothing, and who else calls it
    // must know. Each round but the last adds some function to flat_.
    do {
      again_ = false;
      phases_.functions_[m].assign(count, {});
      sequences_.assign(count, {});
      inner_.assign(count, 0);
      for (const int32_t f : modules_[m].callees_first) {
        if (!FindFunction(module.functions[f], phases_.functions_[m][f], f)) {
          return std::nullopt;
        }
      }
    } while (again_);
    return FindRuns(m);
  }

  // Counts the units of one function.
  bool FindFunction(const Function& function, FunctionUnits& out, int32_t f) {
    const size_t blocks = function.blocks.size();
    out.block_starts.push_back(0);
    marked_.assign(blocks, false);
    bool any = false;
    for (size_t b = 0; b < blocks; ++b) {
      const auto& instructions = function.blocks[b].instructions;
      out.block_starts.push_back(out.block_starts.back() +
                                 static_cast<int32_t>(instructions.size()));
      for (const Instruction& instruction : instructions) {
        if (!flat_[f] && UnitsOf(instruction).length > 0) {
          marked_[b] = any = true;
        }
      }
    }
    passed_.assign(out.block_starts.back(), false);
    out.before.assign(blocks, -1);
    out.in_loop.assign(blocks, false);
    if (blocks == 0) return true;
    const std::vector<bool> all(blocks, true);
    Sequence sequence;
    for (const Piece& piece : CutRegion(function, all, 0, false)) {
      const auto before = static_cast<int32_t>(sequence.length);
      for (const int32_t b : piece.blocks) out.before[b] = before;
      if (!any || !AnyMark(piece)) continue;
      if (!piece.on_every_path || (piece.is_loop && piece.head < 0)) {
        if (lenient_) continue;
        return false;
      }
      if (piece.is_loop) {
        uint64_t held = 0;
        if (!Holds(function, out, piece, 1, held)) {
          if (lenient_) continue;
          return false;
        }
        for (const int32_t b : piece.blocks) out.in_loop[b] = true;
        sequence.Append(Sequence::Of(~held));
        inner_[f] += held;
      } else {
        AddUnits(function, piece.blocks[0], sequence, out, f);
      }
      if (sequence.length >= (int64_t{1} << 30)) return false;
    }
    if (!lenient_ && MarkNowhere(out)) return false;
    if (lenient_) FlattenPassedOver(function, out);
    std::sort(out.units.begin(), out.units.end(),
              [](const auto& a, const auto& b) { return a.flat < b.flat; });
    out.length = static_cast<int32_t>(sequence.length);
    sequences_[f] = sequence;
    return true;
  }

  bool AnyMark(const Piece& piece) const {
    return std::any_of(piece.blocks.begin(), piece.blocks.end(),
                       [this](int32_t b) { return marked_[b]; });
  }
  // A rendezvous that nothing leads to.
  bool MarkNowhere(const FunctionUnits& out) const {
    for (size_t b = 0; b < marked_.size(); ++b) {
      if (marked_[b] && out.before[b] < 0) return true;
    }
    return false;
  }

  void AddUnits(const Function& function, int32_t block, Sequence& sequence,
                FunctionUnits& out, int32_t f) {
    const auto& instructions = function.blocks[block].instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      const Sequence units = UnitsOf(instructions[i]);
      if (units.length == 0) continue;
      out.units.push_back({out.block_starts[block] + static_cast<int32_t>(i),
                           static_cast<int32_t>(sequence.length),
                           static_cast<int32_t>(units.length),
                           instructions[i].kind == InstructionKind::kCall});
      passed_[out.units.back().flat] = true;
      sequence.Append(units);
      inner_[f] += InnerOf(instructions[i]);
    }
  }

  // One core: a call that runs, but is no unit, makes its callee run at one
  // time, that of the call.
  void FlattenPassedOver(const Function& function, const FunctionUnits& out) {
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      if (out.before[b] < 0) continue;
      int32_t flat = out.block_starts[b];
      for (const Instruction& instruction : function.blocks[b].instructions) {
        const bool passed = passed_[flat++];
        if (passed || instruction.kind != InstructionKind::kCall ||
            UnitsOf(instruction).length == 0) {
          continue;
        }
        flat_[instruction.callee] = true;
        again_ = true;
      }
    }
  }

  // A number for all the names of a unit, whatever their order: loops of cores
  // that meet hold the same.
  uint64_t InnerOf(const Instruction& instruction) const {
    if (instruction.kind == InstructionKind::kCall) {
      return inner_[instruction.callee];
    }
    return Cuts(instruction) ? HashOf(instruction.name) | 1 : 0;
  }

  // Whether every iteration of the loop passes a unit; adds all of them to
  // `held`. REQUIRES: a loop with one head.
  bool Holds(const Function& function, const FunctionUnits& out,
             const Piece& loop, int depth, uint64_t& held) {
    if (depth > kMostLoops) return false;
    std::vector<bool> inside(function.blocks.size());
    for (const int32_t b : loop.blocks) inside[b] = true;
    bool any = false;
    for (const Piece& piece : CutRegion(function, inside, loop.head, true)) {
      if (!AnyMark(piece)) continue;
      if (!piece.on_every_path || (piece.is_loop && piece.head < 0)) {
        if (lenient_) continue;
        return false;
      }
      if (piece.is_loop) {
        const bool holds = Holds(function, out, piece, depth + 1, held);
        if (!holds && !lenient_) return false;
        any |= holds;
        continue;
      }
      any = true;
      int32_t flat = out.block_starts[piece.blocks[0]];
      for (const Instruction& instruction :
           function.blocks[piece.blocks[0]].instructions) {
        passed_[flat++] = true;
        held += InnerOf(instruction);
      }
    }
    return any;
  }

  // First and last run of every function, callers first; returns the path of
  // the core: its roots in file order.
  Sequence FindRuns(size_t m) {
    const Module& module = *modules_[m].module;
    std::vector<FunctionUnits>& functions = phases_.functions_[m];
    std::vector<bool> called(functions.size());
    for (const Function& function : module.functions) {
      for (const Block& block : function.blocks) {
        for (const Instruction& instruction : block.instructions) {
          if (instruction.kind != InstructionKind::kCall) continue;
          called[instruction.callee] = true;
        }
      }
    }
    Sequence path;
    for (size_t f = 0; f < functions.size(); ++f) {
      if (called[f]) continue;
      const Phases::Run run = {static_cast<int32_t>(path.length), false};
      functions[f].first = functions[f].last = run;
      path.Append(sequences_[f]);
    }
    const auto& order = modules_[m].callees_first;
    for (auto f = order.rbegin(); f != order.rend(); ++f) {
      if (functions[*f].first) RunCallees(module, *f, functions);
    }
    return path;
  }

  static void RunCallees(const Module& module, int32_t f,
                         std::vector<FunctionUnits>& functions) {
    const FunctionUnits& caller = functions[f];
    const auto within = [](const Phases::Run& of, int32_t units, bool in_loop) {
      if (of.in_loop) return of;
      return Phases::Run{of.unit + units, in_loop};
    };
    for (size_t b = 0; b < module.functions[f].blocks.size(); ++b) {
      if (caller.before[b] < 0) continue;
      int32_t flat = caller.block_starts[b];
      for (const Instruction& instruction :
           module.functions[f].blocks[b].instructions) {
        const int32_t at = flat++;
        if (instruction.kind != InstructionKind::kCall) continue;
        const int32_t units = UnitsBefore(caller, static_cast<int32_t>(b), at);
        const bool in_loop = caller.in_loop[b];
        FunctionUnits& callee = functions[instruction.callee];
        const Phases::Run first = within(*caller.first, units, in_loop);
        const Phases::Run last = within(*caller.last, units, in_loop);
        if (!callee.first || first.Order() < callee.first->Order()) {
          callee.first = first;
        }
        if (!callee.last || last.Order() > callee.last->Order()) {
          callee.last = last;
        }
      }
    }
  }

 public:
  // Units of the function before the instruction.
  static int32_t UnitsBefore(const FunctionUnits& function, int32_t block,
                             int32_t flat) {
    const auto next =
        std::lower_bound(function.units.begin(), function.units.end(), flat,
                         [](const Phases::InstructionUnit& unit, int32_t at) {
                           return unit.flat < at;
                         });
    if (next == function.units.begin()) return function.before[block];
    const Phases::InstructionUnit& last = *std::prev(next);
    if (last.flat < function.block_starts[block]) return function.before[block];
    return last.before + last.length;
  }

 private:
  const std::vector<PhaseModule>& modules_;
  const bool lenient_;
  absl::flat_hash_map<absl::string_view, int32_t> cores_of_;
  Phases phases_;
  // Of the module at hand, by function; of the function at hand, by block.
  std::vector<Sequence> sequences_;
  std::vector<uint64_t> inner_;
  std::vector<bool> flat_;  // counts nothing
  bool again_ = false;
  std::vector<bool> marked_;
  std::vector<bool> passed_;  // by flat index: counted
};

std::optional<Phases> Phases::Of(const std::vector<PhaseModule>& modules) {
  return PhaseFinder(modules).Find();
}

Interval Phases::Of(int32_t module, int32_t function, int32_t flat) const {
  const FunctionUnits& of = functions_[module][function];
  const auto next =
      std::upper_bound(of.block_starts.begin(), of.block_starts.end(), flat);
  const auto block = static_cast<int32_t>(next - of.block_starts.begin()) - 1;
  if (of.before[block] < 0 || !of.first) return {0, num_phases_ - 1};
  const int32_t before = PhaseFinder::UnitsBefore(of, block, flat);
  int64_t lo = 2 * int64_t{before} + of.in_loop[block];
  int64_t hi = lo;
  const auto unit = std::lower_bound(
      of.units.begin(), of.units.end(), flat,
      [](const InstructionUnit& u, int32_t at) { return u.flat < at; });
  if (unit != of.units.end() && unit->flat == flat) {
    if (unit->is_call) {
      hi = 2 * (int64_t{unit->before} + unit->length);
    } else {
      lo = hi = 2 * int64_t{unit->before} + 1;
    }
  }
  const auto phase = [](const Run& run, int64_t within) {
    return static_cast<int32_t>(run.in_loop ? run.Order()
                                            : run.Order() + within);
  };
  return {phase(*of.first, lo), phase(*of.last, hi)};
}

}  // namespace berth::validation
