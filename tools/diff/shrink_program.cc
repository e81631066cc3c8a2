// ShrinkProgram of shrink.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "tools/diff/shrink.h"
#include "tools/diff/shrinker.h"

namespace berth {
namespace {

template <typename T>
void Erase(std::vector<T>& items, size_t begin, size_t end) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(begin),
              items.begin() + static_cast<std::ptrdiff_t>(end));
}

template <typename Visit>
void ForEachInstruction(Function& function, Visit visit) {
  for (Block& block : function.blocks) {
    for (Instruction& instruction : block.instructions) visit(instruction);
  }
}

// A copy that has lost an access is a computation.
void MendKind(Instruction& i) {
  if (i.kind == InstructionKind::kDmaCopy &&
      (i.defs.size() != 1 || i.uses.size() != 1)) {
    i.kind = InstructionKind::kCompute;
  }
}

void DropLocations(Function& function, size_t begin, size_t end) {
  Erase(function.locations, begin, end);
  const auto first = static_cast<int32_t>(begin);
  const auto last = static_cast<int32_t>(end);
  ForEachInstruction(function, [&](Instruction& i) {
    for (auto* accesses : {&i.defs, &i.uses}) {
      std::erase_if(*accesses, [&](const Access& a) {
        return a.location >= first && a.location < last;
      });
      for (Access& a : *accesses) {
        if (a.location >= last) a.location -= last - first;
      }
    }
    MendKind(i);
  });
}

// Edges to a dropped block go where it went.
void DropBlocks(Function& function, size_t begin, size_t end) {
  std::vector<int32_t> after;
  for (size_t b = begin; b < end; ++b) {
    for (const int32_t to : function.blocks[b].successors) {
      if (to < static_cast<int32_t>(begin) || to >= static_cast<int32_t>(end)) {
        after.push_back(to);
      }
    }
  }
  Erase(function.blocks, begin, end);
  const auto first = static_cast<int32_t>(begin);
  const auto last = static_cast<int32_t>(end);
  for (Block& block : function.blocks) {
    std::vector<int32_t> successors;
    for (const int32_t to : block.successors) {
      if (to < first || to >= last) {
        successors.push_back(to);
      } else {
        successors.insert(successors.end(), after.begin(), after.end());
      }
    }
    std::sort(successors.begin(), successors.end());
    successors.erase(std::unique(successors.begin(), successors.end()),
                     successors.end());
    for (int32_t& to : successors) to -= to >= last ? last - first : 0;
    block.successors = std::move(successors);
  }
}

void DropFunctions(Module& module, size_t begin, size_t end) {
  const auto first = static_cast<int32_t>(begin);
  const auto last = static_cast<int32_t>(end);
  Erase(module.functions, begin, end);
  for (Function& function : module.functions) {
    for (Block& block : function.blocks) {
      std::erase_if(block.instructions, [&](const Instruction& i) {
        return i.kind == InstructionKind::kCall && i.callee >= first &&
               i.callee < last;
      });
    }
    ForEachInstruction(function, [&](Instruction& i) {
      if (i.callee >= last) i.callee -= last - first;
    });
  }
}

// Plainer locations and accesses, one kind of change at a time.
using LocationChange = void (*)(Location&);
constexpr LocationChange kLocationChanges[] = {
    [](Location& l) {
      l.address.reset();
      l.placed_by = PlacedBy::kNone;
    },
    [](Location& l) { l.alignment = 1; },
    [](Location& l) { l.remote_target.reset(); },
    [](Location& l) { l.space = Space::kLocal; },
    [](Location& l) {
      l.partition.reset();
      l.bank.reset();
      l.nki = false;
      l.shared_post_dram_alloc = false;
    },
    [](Location& l) {
      l.elem_count = l.byte_size();
      l.elem_size = 1;
    },
    [](Location& l) { l.elem_count = std::min<uint64_t>(l.elem_count, 4096); },
    [](Location& l) { l.elem_count /= 2; },
    [](Location& l) { l.usage = Usage::kIntermediate; },
};

class ProgramShrinker {
 public:
  explicit ProgramShrinker(Shrinker<Program>& shrinker) : shrinker_(shrinker) {}

  bool Round() {
    bool changed = DropCores();
    ForEachModule([&](size_t m) {
      changed |=
          Drop([m](const Program& p) { return p.modules[m].functions.size(); },
               [m](Program& p, size_t begin, size_t end) {
                 DropFunctions(p.modules[m], begin, end);
               });
    });
    ForEachFunction([&](size_t m, size_t f) { changed |= ShrinkOne(m, f); });
    return changed;
  }

 private:
  template <typename Visit>
  void ForEachModule(Visit visit) {
    for (size_t m = 0; m < shrinker_.value().modules.size(); ++m) visit(m);
  }
  template <typename Visit>
  void ForEachFunction(Visit visit) {
    ForEachModule([&](size_t m) {
      for (size_t f = 0; f < shrinker_.value().modules[m].functions.size();
           ++f) {
        visit(m, f);
      }
    });
  }

  bool Drop(const std::function<size_t(const Program&)>& count,
            const std::function<void(Program&, size_t, size_t)>& drop) {
    return shrinker_.DropPieces(
        count, [&drop](const Program& program, size_t begin, size_t end) {
          Program left = program;
          drop(left, begin, end);
          return left;
        });
  }

  bool DropCores() {
    bool any = false;
    while (shrinker_.value().modules.size() > 1) {
      Program left = shrinker_.value();
      const auto last = static_cast<int32_t>(left.modules.size()) - 1;
      std::erase_if(left.modules,
                    [last](const Module& m) { return m.core == last; });
      if (!shrinker_.Try(std::move(left))) break;
      any = true;
    }
    return any;
  }

  bool ShrinkOne(size_t m, size_t f) {
    const auto in = [ m, f ](auto& program) -> auto& {
      return program.modules[m].functions[f];
    };
    bool changed =
        Drop([&](const Program& p) { return in(p).blocks.size(); },
             [&](Program& p, size_t b, size_t e) { DropBlocks(in(p), b, e); });
    for (size_t b = 0; b < in(shrinker_.value()).blocks.size(); ++b) {
      const auto block = [&in, b ](auto& p) -> auto& {
        return in(p).blocks[b];
      };
      changed |=
          Drop([&](const Program& p) { return block(p).instructions.size(); },
               [&](Program& p, size_t begin, size_t end) {
                 Erase(block(p).instructions, begin, end);
               });
      changed |=
          Drop([&](const Program& p) { return block(p).successors.size(); },
               [&](Program& p, size_t begin, size_t end) {
                 Erase(block(p).successors, begin, end);
               });
    }
    changed |= Drop([&](const Program& p) { return in(p).locations.size(); },
                    [&](Program& p, size_t begin, size_t end) {
                      DropLocations(in(p), begin, end);
                    });
    changed |= DropAccesses(m, f);
    for (const LocationChange change : kLocationChanges) {
      for (size_t l = 0; l < in(shrinker_.value()).locations.size(); ++l) {
        Program candidate = shrinker_.value();
        change(in(candidate).locations[l]);
        changed |= shrinker_.Try(std::move(candidate));
      }
    }
    Program candidate = shrinker_.value();
    in(candidate).runs.clear();
    candidate.comment.clear();
    changed |= shrinker_.Try(std::move(candidate));
    return changed;
  }

  // Single accesses, and parts that become the whole.
  bool DropAccesses(size_t m, size_t f) {
    bool any = false;
    const size_t blocks =
        shrinker_.value().modules[m].functions[f].blocks.size();
    for (size_t b = 0; b < blocks; ++b) {
      const auto instructions = [ m, f, b ](auto& p) -> auto& {
        return p.modules[m].functions[f].blocks[b].instructions;
      };
      for (size_t i = 0; i < instructions(shrinker_.value()).size(); ++i) {
        for (const bool defs : {true, false}) {
          const auto accesses = [&](auto& p) -> auto& {
            auto& instruction = instructions(p)[i];
            return defs ? instruction.defs : instruction.uses;
          };
          any |= Drop([&](const Program& p) { return accesses(p).size(); },
                      [&](Program& p, size_t begin, size_t end) {
                        Erase(accesses(p), begin, end);
                        MendKind(instructions(p)[i]);
                      });
          for (size_t a = 0; a < accesses(shrinker_.value()).size(); ++a) {
            Program candidate = shrinker_.value();
            Access& access = accesses(candidate)[a];
            access = {access.location};
            any |= shrinker_.Try(std::move(candidate));
          }
        }
      }
    }
    return any;
  }

  Shrinker<Program>& shrinker_;
};

}  // namespace

Program ShrinkProgram(Program program,
                      const std::function<bool(const Program&)>& holds,
                      const ShrinkLimits& limits, ShrinkStats& stats) {
  const std::function<bool(const Program&)> checked_holds =
      [&holds](const Program& candidate) {
        return CheckProgram(candidate).ok() && holds(candidate);
      };
  Shrinker<Program> shrinker(std::move(program), checked_holds, limits, stats);
  ProgramShrinker rounds(shrinker);
  while (rounds.Round() && !stats.exhausted) {
  }
  return shrinker.value();
}

}  // namespace berth
