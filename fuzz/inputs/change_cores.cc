#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_changes.h"
#include "fuzz/inputs/program_parts.h"

namespace berth::fuzz {
namespace {

using Change = void (*)(Rng&, Program&);

// One more core with the code of core 0, or one less.
void AddOrDropCore(Rng& rng, Program& program) {
  if (program.modules.size() > 1 && rng.OneIn(2)) {
    program.modules.pop_back();
    return;
  }
  Module copy = program.modules[0];
  copy.core = static_cast<int32_t>(program.modules.size());
  program.modules.push_back(std::move(copy));
}

// A barrier that every core meets, at the end of its first function's entry
// block or before its last instruction.
void AddBarrier(Rng& rng, Program& program) {
  const Instruction barrier = Barrier(NewName("bar", rng));
  const uint64_t back = rng.Below(3);
  for (Module& module : program.modules) {
    if (module.functions.empty() || module.functions[0].blocks.empty()) return;
    Block& block = module.functions[0].blocks[0];
    const size_t size = block.instructions.size();
    InsertAt(block, size - std::min<size_t>(size, back), barrier);
  }
}

// A location becomes shared on every core that has one of its name: core 0's
// copy is the owner.
void Share(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  const Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  const std::string name = l->name;
  const std::string function = f->name;
  const bool back = l->space == Space::kShared;
  for (Module& module : program.modules) {
    for (Function& other : module.functions) {
      if (other.name != function) continue;
      for (Location& copy : other.locations) {
        if (copy.name != name) continue;
        copy.space = back ? Space::kLocal : Space::kShared;
        copy.remote_target.reset();
        if (!back && module.core != 0) {
          copy.remote_target = RemoteTarget{0, name};
        }
      }
    }
  }
}

// Where a core's first function has barrier `first` and, in the same block, at
// it or later, barrier `last`. block < 0: nowhere.
struct Stretch {
  int32_t block = -1;
  size_t begin = 0;  // at `first`
  size_t end = 0;    // behind `last`
};

Stretch FindStretch(const Function& function, const std::string& first,
                    const std::string& last) {
  Stretch stretch;
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const std::vector<Instruction>& code = function.blocks[b].instructions;
    for (size_t i = 0; i < code.size(); ++i) {
      if (code[i].kind != InstructionKind::kBarrier) continue;
      if (stretch.block < 0 && code[i].name == first) {
        stretch.block = static_cast<int32_t>(b);
        stretch.begin = i;
      }
      if (stretch.block < 0 || code[i].name != last) continue;
      stretch.end = i + 1;
      return stretch;
    }
    stretch.block = -1;
  }
  return stretch;
}

std::vector<std::string> BarriersOf(const Block& block) {
  std::vector<std::string> names;
  for (const Instruction& i : block.instructions) {
    if (i.kind == InstructionKind::kBarrier) names.push_back(i.name);
  }
  return names;
}

void AddSharedLoop(Rng& rng, Program& program) {
  LoopOverBarriers(rng, !rng.OneIn(3), program);
}

}  // namespace

void ChangeCores(Rng& rng, Program& program) {
  constexpr Change kChanges[] = {AddOrDropCore, AddBarrier, Share,
                                 AddSharedLoop};
  kChanges[rng.Below(std::size(kChanges))](rng, program);
}

void LoopOverBarriers(Rng& rng, bool whole, Program& program) {
  std::vector<Module>& modules = program.modules;
  if (modules[0].functions.empty() || modules[0].functions[0].blocks.empty()) {
    return;
  }
  const std::vector<std::string> names =
      BarriersOf(SomeBlock(rng, modules[0].functions[0]));
  if (names.empty()) return;
  const size_t first = rng.Below(names.size());
  const size_t last = first + rng.Below(names.size() - first);
  std::vector<Stretch> stretches;
  for (const Module& module : modules) {
    if (module.functions.empty()) return;
    stretches.push_back(
        FindStretch(module.functions[0], names[first], names[last]));
    if (stretches.back().block < 0) return;
  }
  const std::string name = NewName("loop", rng);
  for (size_t m = 0; m < modules.size(); ++m) {
    Function& f = modules[m].functions[0];
    auto [block, begin, end] = stretches[m];
    if (!whole) {
      const size_t left = f.blocks[block].instructions.size() - end;
      begin -= rng.Below(std::min<size_t>(begin, 2) + 1);
      end += rng.Below(std::min<size_t>(left, 2) + 1);
    }
    CutBlock(f, block, end, block + 1, absl::StrCat("after ", name));
    CutBlock(f, block, begin, block + 1, name);
    f.blocks[block + 1].successors.push_back(block + 1);
  }
}

}  // namespace berth::fuzz
