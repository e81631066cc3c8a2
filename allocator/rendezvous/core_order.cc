#include "allocator/rendezvous/core_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/code_path.h"
#include "allocator/rendezvous/core_path.h"
#include "allocator/rendezvous/matching.h"
#include "allocator/rendezvous/meeting.h"

namespace berth {
namespace {

// Modules by core.
std::vector<const Module*> ByCore(const Program& program) {
  std::vector<const Module*> modules(program.modules.size());
  for (const Module& module : program.modules) modules[module.core] = &module;
  return modules;
}

// Names of BARRIERs and COLLECTIVEs and the cores that have each, in order of
// first appearance.
class NameTable {
 public:
  explicit NameTable(const std::vector<const Module*>& modules) {
    for (const Module* module : modules) {
      for (const Function& function : module->functions) {
        for (const Block& block : function.blocks) {
          for (const Instruction& instruction : block.instructions) {
            if (instruction.kind == InstructionKind::kBarrier ||
                instruction.kind == InstructionKind::kCollective) {
              Add(instruction.name, module->core);
            }
          }
        }
      }
    }
  }

  // Those that meet: of one core alone all, else those of two cores or more.
  void Meeting(size_t num_cores, MeetingNames& ids,
               std::vector<std::vector<int32_t>>& cores) {
    for (size_t n = 0; n < names_.size(); ++n) {
      if (num_cores > 1 && cores_[n].size() < 2) continue;
      ids.emplace(names_[n], static_cast<int32_t>(cores.size()));
      cores.push_back(std::move(cores_[n]));
    }
  }

 private:
  void Add(absl::string_view name, int32_t core) {
    const auto [it, added] =
        ids_.try_emplace(name, static_cast<int32_t>(names_.size()));
    if (added) {
      names_.push_back(name);
      cores_.emplace_back();
    }
    std::vector<int32_t>& cores = cores_[it->second];
    if (cores.empty() || cores.back() != core) cores.push_back(core);
  }

  absl::flat_hash_map<absl::string_view, int32_t> ids_;
  std::vector<absl::string_view> names_;
  std::vector<std::vector<int32_t>> cores_;
};

}  // namespace

absl::StatusOr<CoreOrder> CoreOrder::Of(const Program& program) {
  const std::vector<const Module*> modules = ByCore(program);
  CoreOrder order;
  NameTable(modules).Meeting(modules.size(), order.name_ids_,
                             order.cores_of_name_);
  int64_t points_left = kMaxPathPoints;
  for (const Module* module : modules) {
    BERTH_ASSIGN_OR_RETURN(
        CorePath path,
        FindCorePath(*module, order.name_ids_,
                     /*lenient=*/modules.size() == 1, points_left));
    order.paths_.push_back(std::move(path));
  }
  BERTH_ASSIGN_OR_RETURN(
      Matching matching,
      MatchPoints(modules, order.cores_of_name_, order.paths_));
  BERTH_ASSIGN_OR_RETURN(Meetings met, Meet(modules, matching, order.paths_));
  order.loops_ = std::move(matching.loops);
  order.loops_of_class_ = std::move(matching.of_class);
  order.rendezvous_ = std::move(met.rendezvous);
  order.clocks_ = std::move(met.clocks);
  order.num_phases_ = met.num_phases;
  return order;
}

bool CoreOrder::Meets(const CodePlace& place) const {
  const CodePath& code = PathOf(place).code;
  const int32_t point = code.PointOf(place.flat);
  return point >= 0 && code.points[point].kind == PathPoint::Kind::kMeet;
}

absl::Span<const int32_t> CoreOrder::CoresThatMeet(
    absl::string_view name) const {
  const auto it = name_ids_.find(name);
  if (it == name_ids_.end()) return {};
  return cores_of_name_[it->second];
}

Interval CoreOrder::PhasesOf(const CodePlace& place) const {
  const FunctionPath& path = PathOf(place);
  const Interval local = path.LocalTimes(place.flat);
  if (local.lo < 0 || path.starts.empty()) return {0, num_phases_ - 1};
  return {PhaseAt(place.core, 2 * path.starts.front() + local.lo),
          PhaseAt(place.core, 2 * path.starts.back() + local.hi)};
}

std::vector<Interval> CoreOrder::TimesOf(const CodePlace& place) const {
  const FunctionPath& path = PathOf(place);
  const Interval local = path.LocalTimes(place.flat);
  std::vector<Interval> times;
  if (local.lo < 0) return times;
  times.reserve(path.starts.size());
  for (const int32_t start : path.starts) {
    times.push_back({2 * start + local.lo, 2 * start + local.hi});
  }
  return times;
}

bool CoreOrder::Before(int32_t core, int32_t time, int32_t other,
                       int32_t other_time) const {
  if (core == other) return time < other_time;
  if (Together(core, time, other, other_time)) return false;
  const CorePath& path = paths_[other];
  const int32_t row = other_time % 2 == 0 ? path.row[other_time / 2]
                                          : path.rendezvous[other_time / 2];
  return row >= 0 && time <= ClockOf(row, core);
}

bool CoreOrder::Together(int32_t core, int32_t time, int32_t other,
                         int32_t other_time) const {
  if (time % 2 == 0 || other_time % 2 == 0) return false;
  return paths_[core].rendezvous[time / 2] ==
         paths_[other].rendezvous[other_time / 2];
}

int64_t CoreOrder::Rank(int32_t core, int32_t time) const {
  const std::vector<int64_t>& rank = paths_[core].rank;
  return time % 2 == 0 ? rank[time / 2] : rank[time / 2 + 1] - 1;
}

int32_t CoreOrder::PhaseAt(int32_t core, int32_t time) const {
  const CorePath& path = paths_[core];
  if (time % 2 == 0) return path.phase[time / 2];
  const int32_t rendezvous = path.rendezvous[time / 2];
  return rendezvous < 0 ? path.phase[time / 2] : rendezvous_[rendezvous].phase;
}

int32_t CoreOrder::LoopAt(int32_t core, int32_t time) const {
  const CorePath& path = paths_[core];
  if (loops_.empty() || time == 0) return -1;
  // The point at the time, or before it.
  const int32_t point = (time - 1) / 2;
  const int32_t loop = path.loop[point];
  const bool behind =
      time % 2 == 0 && path.points[point].kind == PathPoint::Kind::kLoopEnd;
  return behind ? loops_[loop].parent : loop;
}

}  // namespace berth
