#include "allocator/rendezvous/matching.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
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

class Matcher {
 public:
  Matcher(const std::vector<const Module*>& modules,
          const std::vector<std::vector<int32_t>>& cores_of_name,
          std::vector<CorePath>& paths)
      : modules_(modules), cores_of_name_(cores_of_name), paths_(paths) {}

  absl::StatusOr<Matching> Match() {
    BERTH_RETURN_IF_ERROR(MatchNames());
    FindLoops();
    BERTH_RETURN_IF_ERROR(MatchLoops());
    BERTH_RETURN_IF_ERROR(CollectClasses());
    return std::move(out_);
  }

 private:
  int32_t num_cores() const { return static_cast<int32_t>(paths_.size()); }
  std::string Say(const PointRef& ref) const {
    const CodePlace& place = paths_[ref.core].points[ref.point].place;
    return Describe(*modules_[place.core], place.function, place.flat);
  }

  // The k-th of each name on each core.
  absl::Status MatchNames() {
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
        const auto id = static_cast<int32_t>(out_.points.size());
        std::vector<PointRef>& refs = out_.points.emplace_back();
        refs.reserve(cores.size());
        for (const int32_t c : cores) {
          refs.push_back({c, points[n][c][k]});
          paths_[c].rendezvous[points[n][c][k]] = id;
        }
        out_.ordinal.push_back(static_cast<int32_t>(k));
      }
      points[n] = {};
    }
    if (static_cast<int64_t>(out_.points.size()) * num_cores() > kMaxClocks) {
      return absl::ResourceExhaustedError(
          absl::StrCat(out_.points.size(), " rendezvous of ", num_cores(),
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
    const PointRef surplus = {many, points[many][points[few].size()]};
    const CodePlace& place = paths_[many].points[surplus.point].place;
    const Instruction& instruction =
        InstructionAt(modules_[many]->functions[place.function], place.flat);
    return absl::InvalidArgumentError(absl::StrCat(
        "rendezvous ", QuotedName(instruction.name), " stands ",
        points[many].size(), " times on core ", many, " and ",
        points[few].size(), " times on core ", few, ", all calls expanded: ",
        Say(surplus), " meets nothing on core ", few));
  }

  void FindLoops() {
    for (int32_t c = 0; c < num_cores(); ++c) {
      CorePath& path = paths_[c];
      path.loop.assign(path.points.size(), -1);
      int32_t around = -1;
      for (size_t i = 0; i < path.points.size(); ++i) {
        const auto point = static_cast<int32_t>(i);
        if (path.points[i].kind == Kind::kLoopBegin) {
          CoreLoop loop;
          loop.core = c;
          loop.begin = loop.inside = point;
          loop.parent = around;
          loop.depth = around < 0 ? 1 : out_.loops[around].depth + 1;
          around = static_cast<int32_t>(out_.loops.size());
          loop.of_class = around;
          out_.loops.push_back(loop);
        }
        path.loop[i] = around;
        if (path.points[i].kind == Kind::kMeet) {
          for (int32_t l = around; l >= 0; l = out_.loops[l].parent) {
            out_.loops[l].inside = point;
          }
        } else if (path.points[i].kind == Kind::kLoopEnd) {
          out_.loops[around].end = point;
          around = out_.loops[around].parent;
        }
      }
    }
  }

  int32_t ClassOf(int32_t loop) {
    std::vector<CoreLoop>& loops = out_.loops;
    while (loops[loop].of_class != loop) {
      loops[loop].of_class = loops[loops[loop].of_class].of_class;
      loop = loops[loop].of_class;
    }
    return loop;
  }
  // The lower number stays: of the lower core, then the earlier loop.
  void Join(int32_t a, int32_t b) {
    a = ClassOf(a);
    b = ClassOf(b);
    out_.loops[std::max(a, b)].of_class = std::min(a, b);
  }

  // Loops in which the same rendezvous stand run together, level by level.
  absl::Status MatchLoops() {
    const auto depth = [this](int32_t loop) {
      return loop < 0 ? 0 : out_.loops[loop].depth;
    };
    for (const std::vector<PointRef>& points : out_.points) {
      const PointRef& first = points.front();
      const int32_t loop = paths_[first.core].loop[first.point];
      for (const PointRef& other : points) {
        int32_t theirs = paths_[other.core].loop[other.point];
        if (depth(loop) != depth(theirs)) {
          return absl::InvalidArgumentError(absl::StrCat(
              Say(first), " and ", Say(other), " meet, but one stands in ",
              depth(loop), " and the other in ", depth(theirs), " loops"));
        }
        for (int32_t ours = loop; ours >= 0; ours = out_.loops[ours].parent) {
          Join(ours, theirs);
          theirs = out_.loops[theirs].parent;
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status CollectClasses() {
    out_.of_class.resize(out_.loops.size());
    for (size_t l = 0; l < out_.loops.size(); ++l) {
      CoreLoop& loop = out_.loops[l];
      loop.of_class = ClassOf(static_cast<int32_t>(l));
      std::vector<int32_t>& together = out_.of_class[loop.of_class];
      if (!together.empty() && out_.loops[together.back()].core == loop.core) {
        return absl::InvalidArgumentError(absl::StrCat(
            Say({loop.core, out_.loops[together.back()].inside}), " and ",
            Say({loop.core, loop.inside}),
            " stand in two loops, but what they meet stands in one loop of "
            "another core"));
      }
      together.push_back(static_cast<int32_t>(l));
    }
    return absl::OkStatus();
  }

  const std::vector<const Module*>& modules_;
  const std::vector<std::vector<int32_t>>& cores_of_name_;
  std::vector<CorePath>& paths_;
  Matching out_;
};

}  // namespace

absl::StatusOr<Matching> MatchPoints(
    const std::vector<const Module*>& modules,
    const std::vector<std::vector<int32_t>>& cores_of_name,
    std::vector<CorePath>& paths) {
  return Matcher(modules, cores_of_name, paths).Match();
}

}  // namespace berth
