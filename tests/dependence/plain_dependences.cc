#include "tests/dependence/plain_dependences.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace berth::testing {
namespace {

// Bytes [begin, end) of line `line`.
struct Step {
  int32_t flat;
  int32_t location;
  bool write;
  int32_t line;
  uint64_t begin;
  uint64_t end;

  bool Covers(int32_t on, uint64_t byte) const {
    return line == on && begin <= byte && byte < end;
  }
};

using Edges = std::set<std::tuple<int32_t, int32_t, DependenceKind>>;

class Plain {
 public:
  // `placed`: the space whose addresses count; unset: a line per location.
  Plain(const Function& function, std::optional<Space> placed)
      : function_(function), placed_(placed), steps_(function.blocks.size()) {
    int32_t flat = 0;
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      for (const Instruction& i : function.blocks[b].instructions) {
        AddSteps(i, flat++, steps_[b]);
      }
    }
    FindBackEdges();
  }

  std::vector<Dependence> Run() {
    for (size_t b = 0; b < steps_.size(); ++b) {
      for (size_t s = 0; s < steps_[b].size(); ++s) {
        // A byte where some access begins or ends stands for the run after it.
        std::set<uint64_t> bytes = {steps_[b][s].begin};
        for (const auto& steps : steps_) {
          for (const Step& step : steps) {
            bytes.insert(step.begin);
            bytes.insert(step.end);
          }
        }
        for (const uint64_t byte : bytes) {
          if (!steps_[b][s].Covers(steps_[b][s].line, byte)) continue;
          std::vector<bool> seen(steps_.size(), false);
          Follow(steps_[b][s], byte, b, s + 1, seen);
        }
      }
    }
    std::vector<Dependence> edges;
    for (const auto& [later, earlier, kind] : edges_) {
      edges.push_back({earlier, later, kind});
    }
    return edges;
  }

 private:
  void AddSteps(const Instruction& instruction, int32_t flat,
                std::vector<Step>& steps) {
    const auto add = [&](const Access& access, bool write) {
      const Location& location = function_.locations[access.location];
      if (location.type != MemoryType::kDram) return;
      const uint64_t bytes =
          access.extent_bytes == 0 ? location.byte_size() : access.extent_bytes;
      if (bytes == 0) return;
      uint64_t base = 0;
      if (placed_) {
        if (location.space != *placed_ || !location.address) return;
        base = *location.address;
      }
      const uint64_t begin = base + access.offset_bytes;
      steps.push_back({flat, access.location, write,
                       placed_ ? 0 : access.location, begin, begin + bytes});
    };
    for (const Access& use : instruction.uses) add(use, false);
    for (const Access& def : instruction.defs) {
      const uint64_t bytes = function_.locations[def.location].byte_size();
      if (!placed_ && def.extent_bytes != 0 && def.extent_bytes < bytes) {
        add(def, false);
      }
    }
    for (const Access& def : instruction.defs) add(def, true);
  }

  // Recursive depth-first search: an edge to an open block leads back.
  void FindBackEdges() {
    enum { kNew, kOpen, kDone };
    std::vector<int> colour(steps_.size(), kNew);
    const std::function<void(int32_t)> search = [&](int32_t block) {
      colour[block] = kOpen;
      for (const int32_t to : function_.blocks[block].successors) {
        if (colour[to] == kOpen) back_.emplace(block, to);
        if (colour[to] == kNew) search(to);
      }
      colour[block] = kDone;
    };
    for (size_t b = 0; b < steps_.size(); ++b) {
      if (colour[b] == kNew) search(static_cast<int32_t>(b));
    }
  }

  void Follow(const Step& from, uint64_t byte, size_t block, size_t step,
              std::vector<bool>& seen) {
    for (; step < steps_[block].size(); ++step) {
      const Step& to = steps_[block][step];
      if (!to.Covers(from.line, byte)) continue;
      Add(from, to);
      if (to.write) return;
    }
    for (const int32_t next : function_.blocks[block].successors) {
      if (back_.count({static_cast<int32_t>(block), next}) > 0) continue;
      if (seen[next]) continue;
      seen[next] = true;
      Follow(from, byte, next, 0, seen);
    }
  }

  void Add(const Step& from, const Step& to) {
    if (from.flat == to.flat || (!from.write && !to.write)) return;
    const bool same = from.location == to.location;
    if (placed_ ? same || !to.write : !same) return;
    const DependenceKind kind = !to.write    ? DependenceKind::kFlow
                                : from.write ? DependenceKind::kOutput
                                             : DependenceKind::kAnti;
    edges_.emplace(to.flat, from.flat, kind);
  }

  const Function& function_;
  const std::optional<Space> placed_;
  std::vector<std::vector<Step>> steps_;  // by block
  std::set<std::pair<int32_t, int32_t>> back_;
  Edges edges_;
};

}  // namespace

std::vector<Dependence> PlainFdeps(const Function& function) {
  return Plain(function, std::nullopt).Run();
}

std::vector<Dependence> PlainPlacementDependences(const Function& function,
                                                  Space space) {
  return Plain(function, space).Run();
}

}  // namespace berth::testing
