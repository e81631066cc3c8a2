#include "allocator/rendezvous/meeting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/code_path.h"
#include "allocator/rendezvous/core_path.h"
#include "allocator/rendezvous/matching.h"
#include "allocator/rendezvous/path_walk.h"

namespace berth {
namespace {

using Kind = PathPoint::Kind;

class Meeter {
 public:
  Meeter(const std::vector<const Module*>& modules, const Matching& matching,
         std::vector<CorePath>& paths)
      : modules_(modules), matching_(matching), paths_(paths) {}

  absl::StatusOr<Meetings> Run() {
    BERTH_RETURN_IF_ERROR(RunSideBySide());
    NumberPhases();
    return std::move(met_);
  }

 private:
  int32_t num_cores() const { return static_cast<int32_t>(paths_.size()); }
  int32_t num_rendezvous() const {
    return static_cast<int32_t>(matching_.points.size());
  }
  int32_t num_loops() const {
    return static_cast<int32_t>(matching_.loops.size());
  }
  const CodePlace& PlaceOf(const PointRef& ref) const {
    return paths_[ref.core].points[ref.point].place;
  }
  std::string Say(const PointRef& ref) const {
    const CodePlace& place = PlaceOf(ref);
    return Describe(*modules_[place.core], place.function, place.flat);
  }

  // What must be reached by all that take part before any goes on: rendezvous
  // 0 .. R-1, begins of classes of loops R .. R+L-1, their ends from R+L.
  int32_t NodeOf(const PointRef& ref) const {
    const CorePath& path = paths_[ref.core];
    const int32_t rendezvous = path.rendezvous[ref.point];
    if (rendezvous >= 0) return rendezvous;
    const int32_t loop = matching_.loops[path.loop[ref.point]].of_class;
    const bool end = path.points[ref.point].kind == Kind::kLoopEnd;
    return num_rendezvous() + loop + (end ? num_loops() : 0);
  }
  const std::vector<int32_t>& LoopsAt(int32_t node) const {
    return matching_.of_class[(node - num_rendezvous()) % num_loops()];
  }
  size_t NumTakingPart(int32_t node) const {
    return node < num_rendezvous() ? matching_.points[node].size()
                                   : LoopsAt(node).size();
  }

  absl::Status RunSideBySide() {
    walks_.resize(num_cores());
    arrived_.resize(num_rendezvous() + 2 * static_cast<size_t>(num_loops()));
    new_id_.assign(num_rendezvous(), -1);
    for (int32_t c = 0; c < num_cores(); ++c) {
      paths_[c].row = {-1};
      paths_[c].rank = {0};
      Arrive(c);
    }
    int64_t done = 0;
    for (size_t next = 0; next < ready_.size(); ++next) {
      const int32_t node = ready_[next];
      ++done;
      if (node < num_rendezvous()) Join(node);
      const std::vector<PointRef> here = std::move(arrived_[node]);
      for (const PointRef& ref : here) Pass(ref, 2 * done);
      // A core goes on only after all have passed: arrivals refer to them.
      for (const PointRef& ref : here) Arrive(ref.core);
    }
    for (int32_t c = 0; c < num_cores(); ++c) {
      if (!Finished(c)) return Contradiction(c);
    }
    return absl::OkStatus();
  }

  bool Finished(int32_t core) const {
    return walks_[core].next ==
           static_cast<int32_t>(paths_[core].points.size());
  }

  void Arrive(int32_t core) {
    if (Finished(core)) return;
    const PointRef ref = {core, walks_[core].next};
    const int32_t node = NodeOf(ref);
    arrived_[node].push_back(ref);
    if (arrived_[node].size() == NumTakingPart(node)) ready_.push_back(node);
  }

  // The clock of what follows a rendezvous: all that any core knew, and it.
  void Join(int32_t node) {
    const auto id = static_cast<int32_t>(met_.rendezvous.size());
    new_id_[node] = id;
    const std::vector<PointRef>& points = matching_.points[node];
    const size_t cores = paths_.size();
    met_.clocks.resize((static_cast<size_t>(id) + 1) * cores, -1);
    int32_t* const clock = &met_.clocks[static_cast<size_t>(id) * cores];
    for (const PointRef& ref : points) {
      const int32_t row = walks_[ref.core].row;
      if (row < 0) continue;
      const int32_t* const known =
          &met_.clocks[static_cast<size_t>(row) * cores];
      for (size_t c = 0; c < cores; ++c)
        clock[c] = std::max(clock[c], known[c]);
    }
    Rendezvous rendezvous;
    rendezvous.places.reserve(points.size());
    for (const PointRef& ref : points) {
      clock[ref.core] = 2 * ref.point + 1;
      rendezvous.places.push_back(PlaceOf(ref));
    }
    const CodePlace& place = rendezvous.places.front();
    rendezvous.name =
        InstructionAt(modules_[place.core]->functions[place.function],
                      place.flat)
            .name;
    rendezvous.ordinal = matching_.ordinal[node];
    rendezvous.in_loop = matching_.InLoop(paths_, node);
    rendezvous.cuts =
        !rendezvous.in_loop && rendezvous.places.size() == paths_.size();
    met_.rendezvous.push_back(std::move(rendezvous));
  }

  void Pass(const PointRef& ref, int64_t rank) {
    PathWalk& walk = walks_[ref.core];
    CorePath& path = paths_[ref.core];
    const int32_t rendezvous = path.rendezvous[ref.point];
    walk.Pass(path.points[ref.point],
              rendezvous < 0 ? -1 : new_id_[rendezvous]);
    path.row.push_back(walk.row);
    path.rank.push_back(rank);
  }

  // Cores wait for each other in a circle, which `core` waits for or is in.
  absl::Status Contradiction(int32_t core) {
    std::vector<bool> seen(num_cores(), false);
    while (!seen[core]) {
      seen[core] = true;
      core = WaitsFor(core);
    }
    const int32_t other = WaitsFor(core);
    return absl::InvalidArgumentError(
        absl::StrCat("contradictory order of rendezvous: ", SayStop(core),
                     " waits for core ", other, ", where ", SayStop(other),
                     " comes first and waits for core ", WaitsFor(other)));
  }

  // A core that takes part in what `core` waits at and is not there.
  int32_t WaitsFor(int32_t core) const {
    const int32_t node = NodeOf({core, walks_[core].next});
    std::vector<bool> there(num_cores(), false);
    for (const PointRef& ref : arrived_[node]) there[ref.core] = true;
    if (node < num_rendezvous()) {
      for (const PointRef& ref : matching_.points[node]) {
        if (!there[ref.core]) return ref.core;
      }
    } else {
      for (const int32_t loop : LoopsAt(node)) {
        if (!there[matching_.loops[loop].core])
          return matching_.loops[loop].core;
      }
    }
    BERTH_CHECK(false);
  }

  // The point where `core` waits.
  std::string SayStop(int32_t core) const {
    const PointRef ref = {core, walks_[core].next};
    const CorePoint& point = paths_[core].points[ref.point];
    if (point.kind == Kind::kMeet) return Say(ref);
    const CoreLoop& loop = matching_.loops[paths_[core].loop[ref.point]];
    return absl::StrCat("the ",
                        point.kind == Kind::kLoopBegin ? "begin" : "end",
                        " of the loop of ", Say({core, loop.inside}));
  }

  // Points are numbered as met_ numbers them from here on.
  void NumberPhases() {
    for (CorePath& path : paths_) {
      int32_t phase = 0;
      path.phase = {0};
      for (int32_t& id : path.rendezvous) {
        if (id >= 0) {
          id = new_id_[id];
          Rendezvous& rendezvous = met_.rendezvous[id];
          rendezvous.phase = phase + rendezvous.cuts;
          if (rendezvous.cuts) phase += 2;
        }
        path.phase.push_back(phase);
      }
      met_.num_phases = std::max(met_.num_phases, phase + 1);
    }
  }

  const std::vector<const Module*>& modules_;
  const Matching& matching_;
  std::vector<CorePath>& paths_;
  Meetings met_;
  std::vector<int32_t> new_id_;  // by rendezvous of matching_: in met_

  std::vector<PathWalk> walks_;                 // by core
  std::vector<std::vector<PointRef>> arrived_;  // by node
  std::vector<int32_t> ready_;
};

}  // namespace

absl::StatusOr<Meetings> Meet(const std::vector<const Module*>& modules,
                              const Matching& matching,
                              std::vector<CorePath>& paths) {
  return Meeter(modules, matching, paths).Run();
}

}  // namespace berth
