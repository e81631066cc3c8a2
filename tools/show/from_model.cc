#include "tools/show/from_model.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/liveness.h"
#include "tools/show/panel_marks.h"
#include "tools/show/shared_panels.h"
#include "tools/show/units.h"

namespace berth::show {
namespace {

std::vector<bool> AccessedByCollective(const Function& function) {
  std::vector<bool> cc(function.locations.size());
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.kind != InstructionKind::kCollective) continue;
      for (const Access& def : instruction.defs) cc[def.location] = true;
      for (const Access& use : instruction.uses) cc[use.location] = true;
    }
  }
  return cc;
}

// With `shared_apart`, what is SHARED is in a panel of its own.
absl::StatusOr<MapPanel> FunctionPanel(int32_t core, const Function& function,
                                       bool shared_apart) {
  BERTH_ASSIGN_OR_RETURN(const Liveness liveness, ComputeLiveness(function));
  const std::vector<bool> cc = AccessedByCollective(function);
  MapPanel panel;
  panel.title = absl::StrCat("core ", core, ", ", function.name);
  panel.time_label = "flat time (instructions)";
  LoadSweep load;
  for (size_t l = 0; l < function.locations.size(); ++l) {
    const Location& location = function.locations[l];
    if (shared_apart && IsShared(location)) continue;
    for (const Interval& run : liveness.occupied.of(static_cast<int32_t>(l))) {
      if (!location.address.has_value()) {
        // What the runtime places is not missing from the picture.
        panel.num_unplaced += location.placeable();
        continue;
      }
      if (location.placeable() && !location.pinned()) {
        load.Add(run.lo, run.hi, location.aligned_size());
      }
      panel.ranges.push_back({.lo = run.lo,
                              .hi = run.hi,
                              .address = *location.address,
                              .size_bytes = location.byte_size(),
                              .label = location.name,
                              .usage = location.usage,
                              .cc = cc[l],
                              .pinned = location.pinned()});
    }
  }
  for (const RunRecord& run : function.runs) {
    if (shared_apart && run.space == Space::kShared) continue;
    AddRunMarks(run, panel);
  }
  if (function.runs.empty() && !panel.ranges.empty()) {
    AddDerivedMarks(load.Max(), panel);
  }
  return panel;
}

// A live piece of a buffer, closed, and the bytes taken then.
struct LivePiece {
  int64_t lo = 0;
  int64_t hi = 0;
  ByteWindow bytes;
};

std::vector<LivePiece> LivePieces(const Buffer& buffer) {
  const ByteWindow whole = {0, buffer.size};
  std::vector<LivePiece> pieces;
  int64_t begin = buffer.lower;
  for (const Gap& gap : buffer.gaps) {
    if (begin < gap.lower) pieces.push_back({begin, gap.lower - 1, whole});
    if (gap.window.has_value()) {
      pieces.push_back({gap.lower, gap.upper - 1, *gap.window});
    }
    begin = gap.upper;
  }
  pieces.push_back({begin, buffer.upper - 1, whole});
  return pieces;
}

}  // namespace

absl::StatusOr<MemoryMap> FromProgram(const Program& program,
                                      std::string title) {
  MemoryMap map;
  map.title = std::move(title);
  map.note = program.comment;
  std::vector<const Module*> modules;
  for (const Module& module : program.modules) modules.push_back(&module);
  std::sort(modules.begin(), modules.end(),
            [](const Module* a, const Module* b) { return a->core < b->core; });
  std::vector<MapPanel> shared = SharedPanels(program);
  for (const Module* module : modules) {
    for (const Function& function : module->functions) {
      BERTH_ASSIGN_OR_RETURN(
          MapPanel panel,
          FunctionPanel(module->core, function, !shared.empty()));
      if (panel.ranges.empty() && panel.num_unplaced == 0) continue;
      map.panels.push_back(std::move(panel));
    }
  }
  for (MapPanel& panel : shared) map.panels.push_back(std::move(panel));
  return map;
}

MemoryMap FromInstance(const Instance& instance, std::string title) {
  MapPanel panel;
  panel.title = absl::StrCat(FormatCount(instance.buffers.size()), " buffer",
                             instance.buffers.size() == 1 ? "" : "s");
  panel.time_label = "time";
  LoadSweep load;
  for (const Buffer& buffer : instance.buffers) {
    for (const auto& [lo, hi, bytes] : LivePieces(buffer)) {
      if (!buffer.offset.has_value()) {
        ++panel.num_unplaced;
        continue;
      }
      load.Add(lo, hi, bytes.upper - bytes.lower);
      panel.ranges.push_back({.lo = lo,
                              .hi = hi,
                              .address = *buffer.offset + bytes.lower,
                              .size_bytes = bytes.upper - bytes.lower,
                              .label = buffer.id});
    }
  }
  if (!panel.ranges.empty()) AddDerivedMarks(load.Max(), panel);
  MemoryMap map;
  map.title = std::move(title);
  if (!instance.buffers.empty()) map.panels.push_back(std::move(panel));
  return map;
}

}  // namespace berth::show
