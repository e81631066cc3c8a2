#include "allocator/simulate/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/simulate/pin_aliases.h"

namespace berth::machine {
namespace {

bool IsShared(const Location& location) {
  return location.type == MemoryType::kDram && location.space == Space::kShared;
}

void NumberInstructions(FunctionLayout& layout) {
  layout.block_starts = {0};
  for (const Block& block : layout.function->blocks) {
    for (const Instruction& instruction : block.instructions) {
      layout.instructions.push_back(&instruction);
    }
    layout.block_starts.push_back(
        static_cast<int32_t>(layout.instructions.size()));
  }
}

void TakeEdges(const FunctionDependences& dependences, FunctionLayout& layout) {
  layout.begins.assign(layout.instructions.size() + 1, 0);
  const std::vector<Dependence>* const all[] = {
      &dependences.fdeps, &dependences.local, &dependences.shared};
  for (const auto* edges : all) {
    for (const Dependence& edge : *edges) ++layout.begins[edge.later + 1];
  }
  for (size_t i = 1; i < layout.begins.size(); ++i) {
    layout.begins[i] += layout.begins[i - 1];
  }
  layout.earlier.resize(layout.begins.back());
  std::vector<size_t> next(layout.begins.begin(), layout.begins.end() - 1);
  for (const auto* edges : all) {
    for (const Dependence& edge : *edges) {
      layout.earlier[next[edge.later]++] = edge.earlier;
    }
  }
}

// Breadth first from the exits, against the edges.
void MeasureStepsToExit(FunctionLayout& layout) {
  const std::vector<Block>& blocks = layout.function->blocks;
  std::vector<std::vector<int32_t>> before(blocks.size());
  std::vector<int32_t> queue;
  layout.steps_to_exit.assign(blocks.size(), -1);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto block = static_cast<int32_t>(b);
    for (const int32_t to : blocks[b].successors) before[to].push_back(block);
    if (!blocks[b].successors.empty()) continue;
    layout.steps_to_exit[b] = 0;
    queue.push_back(block);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    for (const int32_t b : before[queue[next]]) {
      if (layout.steps_to_exit[b] >= 0) continue;
      layout.steps_to_exit[b] = layout.steps_to_exit[queue[next]] + 1;
      queue.push_back(b);
    }
  }
}

class Builder {
 public:
  explicit Builder(const Program& program) : program_(program) {}

  absl::StatusOr<Layout> Build(const ProgramDependences& dependences) {
    layout_.cores.resize(program_.modules.size());
    for (size_t m = 0; m < program_.modules.size(); ++m) {
      const Module& module = program_.modules[m];
      CoreLayout& core = layout_.cores[module.core];
      core.module = &module;
      for (size_t f = 0; f < module.functions.size(); ++f) {
        FunctionLayout& function =
            core.functions.emplace_back(module.functions[f]);
        NumberInstructions(function);
        TakeEdges(dependences.functions[m][f], function);
        MeasureStepsToExit(function);
      }
      FindRoots(core);
    }
    for (size_t c = 0; c < layout_.cores.size(); ++c) {
      for (size_t f = 0; f < layout_.cores[c].functions.size(); ++f) {
        PlaceLocations(static_cast<int32_t>(c), static_cast<int32_t>(f));
      }
    }
    BERTH_RETURN_IF_ERROR(LinkCopies());
    MergeSharedBytes();
    FindPinAliases(layout_);
    return std::move(layout_);
  }

 private:
  void FindRoots(CoreLayout& core) {
    std::vector<bool> called(core.functions.size(), false);
    for (const FunctionLayout& function : core.functions) {
      for (const Instruction* instruction : function.instructions) {
        if (instruction->kind == InstructionKind::kCall) {
          called[instruction->callee] = true;
        }
      }
    }
    for (size_t f = 0; f < called.size(); ++f) {
      if (!called[f]) core.roots.push_back(static_cast<int32_t>(f));
    }
  }

  // Every DRAM location has a memory of its own; copies are linked later.
  void PlaceLocations(int32_t core, int32_t f) {
    FunctionLayout& function = layout_.cores[core].functions[f];
    const std::vector<Location>& locations = function.function->locations;
    for (size_t l = 0; l < locations.size(); ++l) {
      const Location& location = locations[l];
      const auto index = static_cast<int32_t>(l);
      LocationPlace place;
      if (location.type == MemoryType::kDram) {
        place.memory = static_cast<int32_t>(layout_.memories.size());
        place.shared = IsShared(location);
        place.bytes = location.byte_size();
        place.placed = location.address.has_value() && place.bytes > 0;
        place.address = location.address.value_or(0);
        layout_.memories.push_back({core, f, index, {}});
        if (!place.shared && place.placed) {
          if (location.usage == Usage::kInput) function.inputs.push_back(index);
          if (location.usage == Usage::kOutput ||
              location.usage == Usage::kWeight ||
              location.usage == Usage::kConstant) {
            function.results.push_back(index);
          }
        }
      }
      function.places.push_back(place);
    }
  }

  // Gives every copy the memory of its owner.
  absl::Status LinkCopies() {
    for (size_t c = 0; c < layout_.cores.size(); ++c) {
      for (size_t f = 0; f < layout_.cores[c].functions.size(); ++f) {
        FunctionLayout& function = layout_.cores[c].functions[f];
        for (size_t l = 0; l < function.places.size(); ++l) {
          const Location& location = function.function->locations[l];
          if (!IsShared(location) || !location.remote_target) continue;
          BERTH_ASSIGN_OR_RETURN(
              function.places[l].memory,
              OwnerOf(*function.function, location, static_cast<int32_t>(c)));
        }
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int32_t> OwnerOf(const Function& function,
                                  const Location& copy, int32_t core) {
    if (!indexed_) IndexShared();
    RemoteTarget target = *copy.remote_target;
    // A chain meets each core at most once.
    for (size_t step = 0; step < layout_.cores.size(); ++step) {
      const auto found =
          shared_.find(SharedKey(target.core, function.name, target.name));
      if (found == shared_.end()) break;
      const Location& location = layout_.LocationOf(found->second);
      if (!location.remote_target) return found->second;
      target = *location.remote_target;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "core ", core, ", function ", QuotedName(function.name), ", location ",
        QuotedName(copy.name),
        ": its chain of remote targets leads to no shared location"));
  }

  // Core, function, location.
  using SharedKey = std::tuple<int32_t, absl::string_view, absl::string_view>;

  void IndexShared() {
    indexed_ = true;
    for (size_t m = 0; m < layout_.memories.size(); ++m) {
      const auto id = static_cast<int32_t>(m);
      const Location& location = layout_.LocationOf(id);
      if (!IsShared(location)) continue;
      const Memory& memory = layout_.memories[m];
      const Function& function =
          *layout_.cores[memory.core].functions[memory.function].function;
      shared_.emplace(SharedKey(memory.core, function.name, location.name), id);
    }
  }

  void MergeSharedBytes() {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const CoreLayout& core : layout_.cores) {
      for (const FunctionLayout& function : core.functions) {
        for (const LocationPlace& place : function.places) {
          if (!place.placed || !place.shared) continue;
          ranges.emplace_back(place.address, place.address + place.bytes);
        }
      }
    }
    std::sort(ranges.begin(), ranges.end());
    for (const auto& [lo, hi] : ranges) {
      auto& merged = layout_.shared_bytes;
      if (!merged.empty() && lo <= merged.back().second) {
        merged.back().second = std::max(merged.back().second, hi);
      } else {
        merged.emplace_back(lo, hi);
      }
    }
  }

  const Program& program_;
  Layout layout_;
  bool indexed_ = false;
  absl::flat_hash_map<SharedKey, int32_t> shared_;
};

}  // namespace

absl::StatusOr<Layout> LayOut(const Program& program,
                              const ProgramDependences& dependences) {
  return Builder(program).Build(dependences);
}

std::string Describe(const Layout& layout, int32_t core, int32_t function) {
  return absl::StrCat(
      "core ", core, ", function ",
      QuotedName(layout.cores[core].functions[function].function->name));
}

}  // namespace berth::machine
