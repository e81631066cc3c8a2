#include "allocator/rendezvous/meeting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/code_path.h"
#include "allocator/rendezvous/core_path.h"

namespace berth {
namespace {

using Kind = PathPoint::Kind;

// Clock rows times cores: 512 MiB of clocks.
constexpr int64_t kMaxClocks = int64_t{1} << 27;

struct PointRef {
  int32_t core = 0;
  int32_t point = 0;
};

// Classes of loops that run their iterations together.
class LoopClasses {
 public:
  int32_t Add() {
    parent_.push_back(static_cast<int32_t>(parent_.size()));
    return parent_.back();
  }
  int32_t Find(int32_t loop) {
    while (parent_[loop] != loop) {
      parent_[loop] = parent_[parent_[loop]];
      loop = parent_[loop];
    }
    return loop;
  }
  // The lower number stays: of the lower core, then the earlier loop.
  void Join(int32_t a, int32_t b) {
    a = Find(a);
    b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  int32_t size() const { return static_cast<int32_t>(parent_.size()); }

 private:
  std::vector<int32_t> parent_;
};

class Meeter {
 public:
  Meeter(const std::vector<const Module*>& modules,
         const std::vector<std::vector<int32_t>>& cores_of_name,
         std::vector<CorePath>& paths)
      : modules_(modules), cores_of_name_(cores_of_name), paths_(paths) {}

  absl::StatusOr<Meetings> Run() {
    BERTH_RETURN_IF_ERROR(Match());
    BERTH_RETURN_IF_ERROR(MatchLoops());
    BERTH_RETURN_IF_ERROR(RunSideBySide());
    NumberPhases();
    return std::move(met_);
  }

 private:
  int32_t num_cores() const { return static_cast<int32_t>(paths_.size()); }
  int32_t num_rendezvous() const {
    return static_cast<int32_t>(points_of_.size());
  }
  std::string Say(const CodePlace& place) const {
    return Describe(*modules_[place.core], place.function, place.flat);
  }
  const CodePlace& PlaceOf(const PointRef& ref) const {
    return paths_[ref.core].points[ref.point].place;
  }

  // The k-th of each name on each core.
  absl::Status Match() {
    const size_t names = cores_of_name_.size();
    // By name, by core: its points.
    std::vector<std::vector<std::vector<int32_t>>> points(names);
    for (size_t n = 0; n < names; ++n) points[n].resize(num_cores());
    for (int32_t c = 0; c < num_cores(); ++c) {
      const std::vector<CorePoint>& path = paths_[c].points;
      for (size_t i = 0; i < path.size(); ++i) {
        if (path[i].kind != Kind::kMeet) continue;
        points[path[i].name][c].push_back(static_cast<int32_t>(i));
      }
      paths_[c].rendezvous.assign(path.size(), -1);
    }
    for (size_t n = 0; n < names; ++n) {
      const std::vector<int32_t>& cores = cores_of_name_[n];
      BERTH_RETURN_IF_ERROR(CheckCounts(cores, points[n]));
      for (size_t k = 0; k < points[n][cores.front()].size(); ++k) {
        const int32_t id = num_rendezvous();
        points_of_.emplace_back();
        for (const int32_t c : cores) {
          const int32_t point = points[n][c][k];
          points_of_.back().push_back({c, point});
          paths_[c].rendezvous[point] = id;
        }
        ordinal_.push_back(static_cast<int32_t>(k));
      }
    }
    if (int64_t{num_rendezvous()} * num_cores() > kMaxClocks) {
      return absl::ResourceExhaustedError(
          absl::StrCat(num_rendezvous(), " rendezvous of ", num_cores(),
                       " cores; their product may be ", kMaxClocks));
    }
    return absl::OkStatus();
  }

  absl::Status CheckCounts(const std::vector<int32_t>& cores,
                           const std::vector<std::vector<int32_t>>& points) {
    const auto less = [&](int32_t a, int32_t b) {
      return points[a].size() < points[b].size();
    };
    const int32_t few = *std::min_element(cores.begin(), cores.end(), less);
    const int32_t many = *std::max_element(cores.begin(), cores.end(), less);
    if (points[few].size() == points[many].size()) return absl::OkStatus();
    const int32_t surplus = points[many][points[few].size()];
    const CodePlace& place = PlaceOf({many, surplus});
    const Instruction& instruction =
        InstructionAt(modules_[many]->functions[place.function], place.flat);
    return absl::InvalidArgumentError(absl::StrCat(
        "rendezvous ", QuotedName(instruction.name), " stands ",
        points[many].size(), " times on core ", many, " and ",
        points[few].size(), " times on core ", few,
        ", all calls expanded: ", Say(place), " meets nothing on core ", few));
  }

  // Loops in which the same rendezvous stand run together, level by level.
  absl::Status MatchLoops() {
    std::vector<std::vector<std::vector<int32_t>>> loops_at;  // core, point
    for (int32_t c = 0; c < num_cores(); ++c) {
      const std::vector<CorePoint>& path = paths_[c].points;
      loop_of_.emplace_back(path.size(), -1);
      std::vector<int32_t> open;
      std::vector<std::vector<int32_t>>& at = loops_at.emplace_back();
      at.resize(path.size());
      for (size_t i = 0; i < path.size(); ++i) {
        if (path[i].kind == Kind::kLoopBegin) {
          open.push_back(loops_.Add());
          core_of_loop_.push_back(c);
          some_point_.push_back({c, static_cast<int32_t>(i)});
        }
        if (path[i].kind == Kind::kMeet) {
          at[i] = open;
          for (const int32_t loop : open) {
            some_point_[loop] = {c, static_cast<int32_t>(i)};
          }
          continue;
        }
        loop_of_[c][i] = open.back();
        if (path[i].kind == Kind::kLoopEnd) open.pop_back();
      }
    }
    for (const std::vector<PointRef>& points : points_of_) {
      const PointRef& first = points.front();
      const std::vector<int32_t>& loops = loops_at[first.core][first.point];
      for (const PointRef& other : points) {
        const auto& of_other = loops_at[other.core][other.point];
        if (of_other.size() != loops.size()) {
          return absl::InvalidArgumentError(
              absl::StrCat(Say(PlaceOf(first)), " and ", Say(PlaceOf(other)),
                           " meet, but one stands in ", loops.size(),
                           " and the other in ", of_other.size(), " loops"));
        }
        for (size_t level = 0; level < loops.size(); ++level) {
          loops_.Join(loops[level], of_other[level]);
        }
      }
      in_loop_.push_back(!loops.empty());
    }
    return CheckLoops(loops_at);
  }

  absl::Status CheckLoops(
      const std::vector<std::vector<std::vector<int32_t>>>& loops_at) {
    loops_in_.resize(loops_.size());
    cuts_.assign(loops_.size(), false);
    for (int32_t loop = 0; loop < loops_.size(); ++loop) {
      std::vector<int32_t>& together = loops_in_[loops_.Find(loop)];
      if (!together.empty() &&
          core_of_loop_[together.back()] == core_of_loop_[loop]) {
        return absl::InvalidArgumentError(absl::StrCat(
            Say(PlaceOf(some_point_[together.back()])), " and ",
            Say(PlaceOf(some_point_[loop])),
            " stand in two loops, but what they meet stands in one loop of "
            "another core"));
      }
      together.push_back(loop);
    }
    for (const std::vector<PointRef>& points : points_of_) {
      if (static_cast<int32_t>(points.size()) < num_cores()) continue;
      const PointRef& first = points.front();
      const std::vector<int32_t>& loops = loops_at[first.core][first.point];
      if (!loops.empty()) cuts_[loops_.Find(loops.front())] = true;
    }
    return absl::OkStatus();
  }

  // What must be reached by all that take part before any goes on: rendezvous
  // 0 .. R-1, begins of classes of loops R .. R+L-1, their ends from R+L.
  int32_t NodeOf(const PointRef& ref) {
    const int32_t rendezvous = paths_[ref.core].rendezvous[ref.point];
    if (rendezvous >= 0) return rendezvous;
    const int32_t loop = loops_.Find(loop_of_[ref.core][ref.point]);
    const bool end = paths_[ref.core].points[ref.point].kind == Kind::kLoopEnd;
    return num_rendezvous() + loop + (end ? loops_.size() : 0);
  }
  int32_t NumTakingPart(int32_t node) const {
    if (node < num_rendezvous()) {
      return static_cast<int32_t>(points_of_[node].size());
    }
    return static_cast<int32_t>(
        loops_in_[(node - num_rendezvous()) % loops_.size()].size());
  }

  // Where one core is.
  struct Runner {
    int32_t point = 0;
    int32_t row = -1;
    // Of the loops around it: begin, and the row that holds once it is left.
    std::vector<std::pair<int32_t, int32_t>> open;
  };

  absl::Status RunSideBySide() {
    runners_.resize(num_cores());
    arrived_.resize(num_rendezvous() + 2 * static_cast<size_t>(loops_.size()));
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
      for (const PointRef& ref : arrived_[node]) Pass(ref, 2 * done);
      // A core goes on only after all have passed: arrivals refer to them.
      for (const PointRef& ref : arrived_[node]) Arrive(ref.core);
    }
    for (int32_t c = 0; c < num_cores(); ++c) {
      if (!Finished(c)) return Contradiction(c);
    }
    return absl::OkStatus();
  }

  bool Finished(int32_t core) const {
    return runners_[core].point ==
           static_cast<int32_t>(paths_[core].points.size());
  }

  void Arrive(int32_t core) {
    if (Finished(core)) return;
    const PointRef ref = {core, runners_[core].point};
    const int32_t node = NodeOf(ref);
    arrived_[node].push_back(ref);
    if (static_cast<int32_t>(arrived_[node].size()) == NumTakingPart(node)) {
      ready_.push_back(node);
    }
  }

  // The clock of what follows a rendezvous: all that any core knew, and it.
  void Join(int32_t node) {
    const auto id = static_cast<int32_t>(met_.rendezvous.size());
    new_id_[node] = id;
    const size_t cores = paths_.size();
    met_.clocks.resize((static_cast<size_t>(id) + 1) * cores, -1);
    int32_t* const clock = &met_.clocks[static_cast<size_t>(id) * cores];
    for (const PointRef& ref : points_of_[node]) {
      const int32_t row = runners_[ref.core].row;
      if (row < 0) continue;
      const int32_t* const known =
          &met_.clocks[static_cast<size_t>(row) * cores];
      for (size_t c = 0; c < cores; ++c)
        clock[c] = std::max(clock[c], known[c]);
    }
    Rendezvous rendezvous;
    for (const PointRef& ref : points_of_[node]) {
      clock[ref.core] = 2 * ref.point + 1;
      rendezvous.places.push_back(PlaceOf(ref));
    }
    const CodePlace& place = rendezvous.places.front();
    rendezvous.name =
        InstructionAt(modules_[place.core]->functions[place.function],
                      place.flat)
            .name;
    rendezvous.ordinal = ordinal_[node];
    rendezvous.in_loop = in_loop_[node];
    rendezvous.cuts =
        !in_loop_[node] && rendezvous.places.size() == paths_.size();
    met_.rendezvous.push_back(std::move(rendezvous));
  }

  void Pass(const PointRef& ref, int64_t rank) {
    Runner& runner = runners_[ref.core];
    CorePath& path = paths_[ref.core];
    const CorePoint& point = path.points[ref.point];
    switch (point.kind) {
      case Kind::kLoopBegin:
        runner.open.emplace_back(ref.point, runner.row);
        break;
      case Kind::kLoopEnd:
        runner.row = runner.open.back().second;
        runner.open.pop_back();
        break;
      case Kind::kMeet:
      case Kind::kCall: {
        runner.row = new_id_[path.rendezvous[ref.point]];
        // Loops that are not left before it keep what it gives.
        for (auto loop = runner.open.rbegin(); loop != runner.open.rend();
             ++loop) {
          if (loop->first == point.scope) break;
          loop->second = runner.row;
        }
        break;
      }
    }
    ++runner.point;
    path.row.push_back(runner.row);
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
  int32_t WaitsFor(int32_t core) {
    const int32_t node = NodeOf({core, runners_[core].point});
    std::vector<bool> there(num_cores(), false);
    for (const PointRef& ref : arrived_[node]) there[ref.core] = true;
    if (node < num_rendezvous()) {
      for (const PointRef& ref : points_of_[node]) {
        if (!there[ref.core]) return ref.core;
      }
    } else {
      for (const int32_t loop :
           loops_in_[(node - num_rendezvous()) % loops_.size()]) {
        if (!there[core_of_loop_[loop]]) return core_of_loop_[loop];
      }
    }
    BERTH_CHECK(false);
  }

  // The point where `core` waits.
  std::string SayStop(int32_t core) const {
    const PointRef ref = {core, runners_[core].point};
    const CorePoint& point = paths_[core].points[ref.point];
    if (point.kind == Kind::kMeet) return Say(point.place);
    const PointRef inside = some_point_[loop_of_[core][ref.point]];
    return absl::StrCat("the ",
                        point.kind == Kind::kLoopBegin ? "begin" : "end",
                        " of the loop of ", Say(PlaceOf(inside)));
  }

  void NumberPhases() {
    for (int32_t c = 0; c < num_cores(); ++c) {
      CorePath& path = paths_[c];
      int32_t phase = 0;
      int32_t depth = 0;
      path.phase = {0};
      for (size_t i = 0; i < path.points.size(); ++i) {
        switch (path.points[i].kind) {
          case Kind::kLoopBegin:
            if (depth++ == 0) phase += CutsAt({c, static_cast<int32_t>(i)});
            break;
          case Kind::kLoopEnd:
            if (--depth == 0) phase += CutsAt({c, static_cast<int32_t>(i)});
            break;
          case Kind::kMeet:
          case Kind::kCall: {
            int32_t& id = path.rendezvous[i];
            id = new_id_[id];
            Rendezvous& rendezvous = met_.rendezvous[id];
            rendezvous.phase = phase + rendezvous.cuts;
            if (rendezvous.cuts) phase += 2;
            break;
          }
        }
        path.phase.push_back(phase);
      }
      met_.num_phases = std::max(met_.num_phases, phase + 1);
    }
  }

  bool CutsAt(const PointRef& ref) {
    return cuts_[loops_.Find(loop_of_[ref.core][ref.point])];
  }

  const std::vector<const Module*>& modules_;
  const std::vector<std::vector<int32_t>>& cores_of_name_;
  std::vector<CorePath>& paths_;
  Meetings met_;

  // Rendezvous by name and ordinal, as they are found.
  std::vector<std::vector<PointRef>> points_of_;
  std::vector<int32_t> ordinal_;
  std::vector<bool> in_loop_;
  std::vector<int32_t> new_id_;  // position in met_.rendezvous

  LoopClasses loops_;
  std::vector<int32_t> core_of_loop_;
  std::vector<PointRef> some_point_;           // by loop: a rendezvous in it
  std::vector<std::vector<int32_t>> loop_of_;  // core, point: begins and ends
  // By class, that is by the loop that stands for it:
  std::vector<std::vector<int32_t>> loops_in_;
  std::vector<bool> cuts_;  // outermost, and all cores meet in it

  std::vector<Runner> runners_;
  std::vector<std::vector<PointRef>> arrived_;  // by node
  std::vector<int32_t> ready_;
};

}  // namespace

absl::StatusOr<Meetings> Meet(
    const std::vector<const Module*>& modules,
    const std::vector<std::vector<int32_t>>& cores_of_name,
    std::vector<CorePath>& paths) {
  return Meeter(modules, cores_of_name, paths).Run();
}

}  // namespace berth
