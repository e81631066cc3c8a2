#include "allocator/simulate/shared_loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/layout.h"

namespace berth::machine {
namespace {

void SortUnique(std::vector<absl::string_view>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

// Functions of a core, callees first.
std::vector<int32_t> CalleesFirst(const CoreLayout& core) {
  // Checked programs do not recurse, so a depth-first postorder is one.
  std::vector<int32_t> order;
  std::vector<bool> done(core.functions.size(), false);
  std::vector<std::pair<int32_t, size_t>> frames;
  for (size_t f = 0; f < done.size(); ++f) {
    if (done[f]) continue;
    done[f] = true;
    frames.emplace_back(static_cast<int32_t>(f), 0);
    while (!frames.empty()) {
      auto& [function, next] = frames.back();
      const auto& instructions = core.functions[function].instructions;
      if (next == instructions.size()) {
        order.push_back(function);
        frames.pop_back();
        continue;
      }
      const Instruction& instruction = *instructions[next++];
      if (instruction.kind != InstructionKind::kCall) continue;
      if (done[instruction.callee]) continue;
      done[instruction.callee] = true;
      frames.emplace_back(instruction.callee, 0);
    }
  }
  return order;
}

}  // namespace

SharedLoops::SharedLoops(const Layout& layout, const CoreOrder& order) {
  functions_.resize(layout.cores.size());
  for (size_t c = 0; c < layout.cores.size(); ++c) {
    const auto core = static_cast<int32_t>(c);
    const CoreLayout& of_core = layout.cores[c];
    functions_[c].resize(of_core.functions.size());
    for (const int32_t f : CalleesFirst(of_core)) {
      FindNames(layout, order, core, f);
      OfFunction& of = functions_[c][f];
      of.loop_of_block.assign(of_core.functions[f].function->blocks.size(), -1);
      if (of.names.empty()) continue;
      FindLoops(of_core.functions[f], of);
      NameLoops(layout, order, core, f);
    }
    JoinClasses(layout, core);
  }
  may_take_none_.assign(parent_.size(), true);
  for (const int32_t id : must_take_one_) may_take_none_[Root(id)] = false;
}

void SharedLoops::FindNames(const Layout& layout, const CoreOrder& order,
                            int32_t core, int32_t function) {
  OfFunction& of = functions_[core][function];
  if (!layout.RendezvousCount()) return;
  const FunctionLayout& f = layout.cores[core].functions[function];
  for (size_t i = 0; i < f.instructions.size(); ++i) {
    const Instruction& instruction = *f.instructions[i];
    if (instruction.kind == InstructionKind::kCall) {
      const auto& names = functions_[core][instruction.callee].names;
      of.names.insert(of.names.end(), names.begin(), names.end());
    } else if (order.Meets({core, function, static_cast<int32_t>(i)})) {
      of.names.push_back(instruction.name);
    }
  }
  SortUnique(of.names);
}

// Natural loops: all that leads back to a header.
void SharedLoops::FindLoops(const FunctionLayout& layout,
                            OfFunction& of) const {
  const std::vector<Block>& blocks = layout.function->blocks;
  std::vector<std::vector<int32_t>> before(blocks.size());
  std::vector<std::vector<int32_t>> back(blocks.size());  // by header
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto from = static_cast<int32_t>(b);
    for (const int32_t to : blocks[b].successors) {
      before[to].push_back(from);
      if (layout.graph.LeadsBack(from, to)) back[to].push_back(from);
    }
  }
  for (const int32_t header : layout.graph.order()) {
    if (back[header].empty()) continue;
    std::set<int32_t> body = {header};
    std::vector<int32_t> open = back[header];
    while (!open.empty()) {
      const int32_t block = open.back();
      open.pop_back();
      if (!body.insert(block).second) continue;
      open.insert(open.end(), before[block].begin(), before[block].end());
    }
    Loop loop;
    loop.header = header;
    loop.blocks.assign(body.begin(), body.end());
    of.loops.push_back(std::move(loop));
  }
}

void SharedLoops::NameLoops(const Layout& layout, const CoreOrder& order,
                            int32_t core, int32_t function) {
  OfFunction& of = functions_[core][function];
  const FunctionLayout& f = layout.cores[core].functions[function];
  for (Loop& loop : of.loops) {
    for (const int32_t block : loop.blocks) {
      for (int32_t i = f.block_starts[block]; i < f.block_starts[block + 1];
           ++i) {
        const Instruction& instruction = *f.instructions[i];
        if (instruction.kind == InstructionKind::kCall) {
          const auto& names = functions_[core][instruction.callee].names;
          loop.names.insert(loop.names.end(), names.begin(), names.end());
        } else if (order.Meets({core, function, i})) {
          loop.names.push_back(instruction.name);
        }
      }
    }
    SortUnique(loop.names);
    loop.may_take_none = MayLeaveFirst(layout, order, core, function, loop);
  }
  std::erase_if(of.loops, [](const Loop& loop) { return loop.names.empty(); });
  // Headers came in topological order, so an outer loop comes before an inner
  // one: the last that holds a block is its innermost.
  for (size_t l = 0; l < of.loops.size(); ++l) {
    const auto index = static_cast<int32_t>(l);
    of.loops[l].parent = of.loop_of_block[of.loops[l].header];
    for (const int32_t block : of.loops[l].blocks) {
      of.loop_of_block[block] = index;
    }
  }
}

// A path from the header leaves the loop and does not meet at the name that
// counts.
bool SharedLoops::MayLeaveFirst(const Layout& layout, const CoreOrder& order,
                                int32_t core, int32_t function,
                                const Loop& loop) const {
  if (loop.names.empty()) return false;
  const absl::string_view counted = loop.names.front();
  const FunctionLayout& f = layout.cores[core].functions[function];
  const auto meets = [&](int32_t block) {
    for (int32_t i = f.block_starts[block]; i < f.block_starts[block + 1];
         ++i) {
      const Instruction& instruction = *f.instructions[i];
      if (instruction.kind == InstructionKind::kCall) {
        const auto& names = functions_[core][instruction.callee].names;
        if (std::binary_search(names.begin(), names.end(), counted)) {
          return true;
        }
      } else if (instruction.name == counted &&
                 order.Meets({core, function, i})) {
        return true;
      }
    }
    return false;
  };
  std::set<int32_t> seen = {loop.header};
  std::vector<int32_t> open = {loop.header};
  while (!open.empty()) {
    const int32_t block = open.back();
    open.pop_back();
    if (meets(block)) continue;
    for (const int32_t to : f.function->blocks[block].successors) {
      if (!std::binary_search(loop.blocks.begin(), loop.blocks.end(), to)) {
        return true;
      }
      if (seen.insert(to).second) open.push_back(to);
    }
  }
  return false;
}

int32_t SharedLoops::IdOf(const DepthName& name) {
  const auto [it, added] =
      ids_.try_emplace(name, static_cast<int32_t>(parent_.size()));
  if (added) parent_.push_back(it->second);
  return it->second;
}

int32_t SharedLoops::Root(int32_t id) const {
  while (parent_[id] != id) id = parent_[id];
  return id;
}

// Names of one loop are of one class at each depth at which it can run.
void SharedLoops::JoinClasses(const Layout& layout, int32_t core) {
  std::set<std::pair<int32_t, int32_t>> seen;  // function, depth around it
  std::vector<std::pair<int32_t, int32_t>> open;
  const auto visit = [&](int32_t function, int32_t depth) {
    if (functions_[core][function].names.empty()) return;
    if (seen.emplace(function, depth).second)
      open.emplace_back(function, depth);
  };
  for (const int32_t root : layout.cores[core].roots) visit(root, 0);
  while (!open.empty()) {
    const auto [function, around] = open.back();
    open.pop_back();
    const OfFunction& of = functions_[core][function];
    std::vector<int32_t> depth(of.loops.size());
    for (size_t l = 0; l < of.loops.size(); ++l) {
      const Loop& loop = of.loops[l];
      depth[l] = (loop.parent < 0 ? around : depth[loop.parent]) + 1;
      const int32_t first = Root(IdOf({depth[l], loop.names.front()}));
      for (const absl::string_view name : loop.names) {
        parent_[Root(IdOf({depth[l], name}))] = first;
      }
      if (!loop.may_take_none) must_take_one_.push_back(first);
    }
    const FunctionLayout& f = layout.cores[core].functions[function];
    for (size_t b = 0; b + 1 < f.block_starts.size(); ++b) {
      const int32_t loop = of.loop_of_block[b];
      for (int32_t i = f.block_starts[b]; i < f.block_starts[b + 1]; ++i) {
        if (f.instructions[i]->kind != InstructionKind::kCall) continue;
        visit(f.instructions[i]->callee, loop < 0 ? around : depth[loop]);
      }
    }
  }
}

bool SharedLoops::Holds(int32_t core, int32_t function, int32_t loop,
                        int32_t block) const {
  const auto& blocks = functions_[core][function].loops[loop].blocks;
  return std::binary_search(blocks.begin(), blocks.end(), block);
}

int32_t SharedLoops::ClassOf(int32_t core, int32_t function, int32_t loop,
                             int32_t depth) const {
  const auto it =
      ids_.find({depth, functions_[core][function].loops[loop].names.front()});
  return it == ids_.end() ? -1 : Root(it->second);
}

}  // namespace berth::machine
