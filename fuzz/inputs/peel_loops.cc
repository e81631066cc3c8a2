#include "fuzz/inputs/peel_loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/model/program.h"

namespace berth::fuzz {
namespace {

using Edge = std::pair<int32_t, int32_t>;

// Loops of several entries may go on giving copies that loop.
constexpr size_t kMaxBlocks = 256;

// Edges that a depth-first search from the first block finds to lead back.
std::vector<Edge> BackEdges(const std::vector<Block>& blocks) {
  enum State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> state(blocks.size(), kNew);
  std::vector<Edge> path;  // block, and the successor to look at next
  std::vector<Edge> back;
  if (!blocks.empty()) path.push_back({0, 0});
  while (!path.empty()) {
    auto& [block, next] = path.back();
    state[block] = kOpen;
    const std::vector<int32_t>& successors = blocks[block].successors;
    if (next == static_cast<int32_t>(successors.size())) {
      state[block] = kDone;
      path.pop_back();
      continue;
    }
    const int32_t to = successors[next++];
    if (state[to] == kOpen) back.push_back({block, to});
    if (state[to] == kNew) path.push_back({to, 0});
  }
  return back;
}

struct Loop {
  int32_t header = 0;
  std::set<int32_t> body;  // what leads back to the header without passing it
};

// By size: inner ones come before what holds them.
std::vector<Loop> LoopsOf(const std::vector<Block>& blocks) {
  std::vector<std::vector<int32_t>> before(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (const int32_t to : blocks[b].successors) {
      before[to].push_back(static_cast<int32_t>(b));
    }
  }
  std::vector<std::vector<int32_t>> open(blocks.size());  // by header
  for (const auto& [from, to] : BackEdges(blocks)) open[to].push_back(from);
  std::vector<Loop> loops;
  for (size_t b = 0; b < blocks.size(); ++b) {
    if (open[b].empty()) continue;
    Loop loop;
    loop.header = static_cast<int32_t>(b);
    loop.body = {loop.header};
    while (!open[b].empty()) {
      const int32_t block = open[b].back();
      open[b].pop_back();
      if (!loop.body.insert(block).second) continue;
      open[b].insert(open[b].end(), before[block].begin(), before[block].end());
    }
    loops.push_back(std::move(loop));
  }
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::pair(a.body.size(), a.header) <
           std::pair(b.body.size(), b.header);
  });
  return loops;
}

// Puts a copy of the loop's blocks behind all others; returns block -> copy.
std::vector<int32_t> Peel(const Loop& loop, std::vector<Block>& blocks) {
  std::vector<int32_t> copy_of(blocks.size(), -1);
  auto next = static_cast<int32_t>(blocks.size());
  for (const int32_t block : loop.body) copy_of[block] = next++;
  for (size_t b = 0; b < copy_of.size(); ++b) {
    if (loop.body.contains(static_cast<int32_t>(b))) continue;
    for (int32_t& to : blocks[b].successors) {
      if (to == loop.header) to = copy_of[loop.header];
    }
  }
  for (const int32_t block : loop.body) {
    Block copy = blocks[block];
    copy.name += "'" + std::to_string(blocks.size());
    std::vector<int32_t> inside;
    for (const int32_t to : copy.successors) {
      if (to == loop.header) {
        inside.push_back(to);  // the second iteration: the loop itself
      } else if (loop.body.contains(to)) {
        inside.push_back(copy_of[to]);
      }
    }
    if (!inside.empty()) copy.successors = std::move(inside);
    blocks.push_back(std::move(copy));
  }
  return copy_of;
}

void PeelFunction(Function& function) {
  std::vector<Block>& blocks = function.blocks;
  for (Block& block : blocks) {
    for (int32_t& to : block.successors) ++to;
  }
  Block entry;
  entry.name = "before all";
  if (!blocks.empty()) entry.successors = {1};
  blocks.insert(blocks.begin(), std::move(entry));
  std::set<int32_t> done;
  while (blocks.size() < kMaxBlocks) {
    const std::vector<Loop> loops = LoopsOf(blocks);
    const auto loop = std::find_if(
        loops.begin(), loops.end(),
        [&done](const Loop& l) { return !done.contains(l.header); });
    if (loop == loops.end()) return;
    const std::vector<int32_t> copy_of = Peel(*loop, blocks);
    // An inner loop is peeled in the copy as in what was copied.
    for (const int32_t block : loop->body) {
      if (done.contains(block)) done.insert(copy_of[block]);
    }
    done.insert(loop->header);
  }
}

}  // namespace

bool HasLoop(const Function& function) {
  return !BackEdges(function.blocks).empty();
}

Program PeelLoops(const Program& program) {
  Program peeled = program;
  for (Module& module : peeled.modules) {
    for (Function& function : module.functions) {
      if (HasLoop(function)) PeelFunction(function);
    }
  }
  return peeled;
}

}  // namespace berth::fuzz
