#include "allocator/validate/phases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
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
  PhaseFinder(const std::vector<PhaseModule>& modules, std::string* fault)
      : modules_(modules), fault_(*fault), lenient_(modules.size() == 1) {}

  std::optional<Phases> Find() {
    CountNames();
    std::optional<Sequence> common;
    for (size_t m = 0; m < modules_.size(); ++m) {
      const std::optional<Sequence> path = FindModule(m);
      if (!path) return std::nullopt;
      if (path->length >= kMaxLength) return TooLong(m);
      if (common && *common != *path) {
        fault_ = absl::StrCat(
            "cores ", modules_[m - 1].module->core, " and ",
            modules_[m].module->core,
            " pass the rendezvous of all cores in different orders or numbers "
            "(",
            common->length, " and ", path->length, ")");
        return std::nullopt;
      }
      common = path;
    }
    if (common) {
      phases_.num_phases_ = static_cast<int32_t>(2 * common->length + 1);
    }
    return std::move(phases_);
  }

 private:
  using FunctionUnits = Phases::FunctionUnits;
  static constexpr int64_t kMaxLength = int64_t{1} << 30;

  std::nullopt_t TooLong(size_t m) {
    fault_ = absl::StrCat("core ", modules_[m].module->core, " passes ",
                          kMaxLength, " rendezvous or more");
    return std::nullopt;
  }
  bool NotOnEveryPath(size_t m, const Function& function,
                      const Instruction& instruction) {
    fault_ = absl::StrCat(
        "core ", modules_[m].module->core, ", function '", function.name, "': ",
        instruction.kind == InstructionKind::kCall
            ? absl::StrCat(
                  "a call of '",
                  modules_[m].module->functions[instruction.callee].name,
                  "', which holds a rendezvous of all cores,")
            : absl::StrCat("rendezvous '", instruction.name, "'"),
        " is not on every path");
    return false;
  }

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
      for (const int32_t f : modules_[m].callees_first) {
        if (!FindFunction(m, f, phases_.functions_[m][f])) return std::nullopt;
      }
    } while (again_);
    return FindRuns(m);
  }

  // Counts the units of one function.
  bool FindFunction(size_t m, int32_t f, FunctionUnits& out) {
    const Function& function = modules_[m].module->functions[f];
    const size_t blocks = function.blocks.size();
    out.block_starts.push_back(0);
    first_mark_.assign(blocks, nullptr);
    for (size_t b = 0; b < blocks; ++b) {
      const auto& instructions = function.blocks[b].instructions;
      out.block_starts.push_back(out.block_starts.back() +
                                 static_cast<int32_t>(instructions.size()));
      if (flat_[f]) continue;
      const auto mark = std::find_if(
          instructions.begin(), instructions.end(),
          [this](const Instruction& i) { return UnitsOf(i).length > 0; });
      if (mark != instructions.end()) first_mark_[b] = &*mark;
    }
    passed_.assign(out.block_starts.back(), false);
    out.before.assign(blocks, -1);
    out.in_loop.assign(blocks, false);
    if (blocks == 0) return true;
    const std::vector<bool> all(blocks, true);
    Sequence sequence;
    for (const Piece& piece : CutRegion(function, all, 0, false)) {
      for (const int32_t b : piece.blocks) {
        out.before[b] = static_cast<int32_t>(sequence.length);
        out.in_loop[b] = piece.is_loop;
      }
      if (piece.is_loop) {
        if (lenient_ && piece.on_every_path) PassLoop(function, out, piece, 1);
        continue;
      }
      const int32_t block = piece.blocks[0];
      if (first_mark_[block] == nullptr) continue;
      if (piece.on_every_path) {
        AddUnits(function, block, sequence, out);
      } else if (!lenient_) {
        return NotOnEveryPath(m, function, *first_mark_[block]);
      }
      if (sequence.length >= kMaxLength) {
        TooLong(m);
        return false;
      }
    }
    for (size_t b = 0; b < blocks && !lenient_; ++b) {
      if (first_mark_[b] == nullptr || out.before[b] >= 0) continue;
      return NotOnEveryPath(m, function, *first_mark_[b]);  // nor on any
    }
    if (lenient_) FlattenPassedOver(function, out);
    std::sort(out.units.begin(), out.units.end(),
              [](const auto& a, const auto& b) { return a.flat < b.flat; });
    out.length = static_cast<int32_t>(sequence.length);
    sequences_[f] = sequence;
    return true;
  }

  void AddUnits(const Function& function, int32_t block, Sequence& sequence,
                FunctionUnits& out) {
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
    }
  }

  // One core: what every iteration passes is not passed over.
  void PassLoop(const Function& function, const FunctionUnits& out,
                const Piece& loop, int depth) {
    if (loop.head < 0 || depth > kMostLoops) return;
    if (std::none_of(loop.blocks.begin(), loop.blocks.end(),
                     [this](int32_t b) { return first_mark_[b] != nullptr; })) {
      return;
    }
    std::vector<bool> inside(function.blocks.size());
    for (const int32_t b : loop.blocks) inside[b] = true;
    for (const Piece& piece : CutRegion(function, inside, loop.head, true)) {
      if (!piece.on_every_path) continue;
      if (piece.is_loop) {
        PassLoop(function, out, piece, depth + 1);
        continue;
      }
      const int32_t block = piece.blocks[0];
      std::fill(passed_.begin() + out.block_starts[block],
                passed_.begin() + out.block_starts[block + 1], true);
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
        // At one unit, a run in a loop has the least hull.
        if (!callee.first ||
            std::make_pair(first.unit, !first.in_loop) <
                std::make_pair(callee.first->unit, !callee.first->in_loop)) {
          callee.first = first;
        }
        if (!callee.last ||
            std::make_pair(last.unit, !last.in_loop) >
                std::make_pair(callee.last->unit, !callee.last->in_loop)) {
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
  std::string& fault_;
  const bool lenient_;
  absl::flat_hash_map<absl::string_view, int32_t> cores_of_;
  Phases phases_;
  // Of the module at hand, by function; of the function at hand, by block.
  std::vector<Sequence> sequences_;
  std::vector<bool> flat_;  // counts nothing
  bool again_ = false;
  // By block: its first instruction that has units, if there is one.
  std::vector<const Instruction*> first_mark_;
  std::vector<bool> passed_;  // by flat index: counted
};

std::optional<Phases> Phases::Of(const std::vector<PhaseModule>& modules,
                                 std::string* fault) {
  return PhaseFinder(modules, fault).Find();
}

Interval Phases::Of(int32_t module, int32_t function, int32_t flat) const {
  const FunctionUnits& of = functions_[module][function];
  const auto next =
      std::upper_bound(of.block_starts.begin(), of.block_starts.end(), flat);
  const auto block = static_cast<int32_t>(next - of.block_starts.begin()) - 1;
  if (of.before[block] < 0 || !of.first) return {0, num_phases_ - 1};
  const int32_t before = PhaseFinder::UnitsBefore(of, block, flat);
  int64_t lo = 2 * int64_t{before};
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
    return 2 * run.unit + (run.in_loop ? 0 : static_cast<int32_t>(within));
  };
  return {phase(*of.first, lo), phase(*of.last, hi)};
}

}  // namespace berth::validation
