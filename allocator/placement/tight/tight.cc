#include "allocator/placement/tight/tight.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/placement/greedy.h"
#include "allocator/placement/lower_bound.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/tight/infeasible.h"
#include "allocator/placement/tight/part.h"
#include "allocator/placement/tight/searched_part.h"
#include "allocator/placement/tight/section_model.h"

namespace berth {
namespace {

using tight::FreeAddresses;
using tight::Piece;
using tight::SearchedPart;

constexpr int64_t kSubsetSteps = 20'000;  // per test of MinimalInfeasible
constexpr size_t kMaxNames = 20;          // in a message

// Whether every node with bytes lies within its own region.
bool KeepsRegions(const Problem& problem, const Placement& placement) {
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) continue;
    const uint64_t end = placement.address[id] + problem.size_bytes[id];
    if (problem.cc[id] ? end > problem.cc_end
                       : placement.address[id] < problem.cc_end) {
      return false;
    }
  }
  return true;
}

struct Parts {
  std::vector<std::unique_ptr<SearchedPart>> parts;
  // Per node of the problem. Of nodes in no part, the address that they have;
  // of others, that of the best placement known before, if there is one.
  std::vector<uint64_t> addresses;
};

// Whether `nodes` one upon the other fit into `room` bytes.
bool LieBelow(const Problem& problem, const std::vector<int32_t>& nodes,
              uint64_t room) {
  for (const int32_t node : nodes) {
    if (problem.size_bytes[node] > room) return false;
    room -= problem.size_bytes[node];
  }
  return true;
}

// Takes apart `nodes`, which share no time with others, in [lo, hi). Where what
// is under a node may change places with it, the pieces' `below` goes to the
// bottom, in the best placement known (`known`) too.
void OpenPieces(const Problem& problem, const std::vector<int32_t>& nodes,
                uint64_t lo, uint64_t hi, bool known, Parts& parts) {
  const std::optional<FreeAddresses> free =
      tight::FindFreeAddresses(problem, nodes, lo, hi);
  const absl::Span<const uint64_t> incumbent =
      known ? absl::MakeConstSpan(parts.addresses)
            : absl::Span<const uint64_t>();
  std::vector<Piece> pieces;
  if (free.has_value() && !free->rounded && !free->pins_above) {
    pieces = tight::SplitIntoPieces(problem.live, nodes);
  }
  const auto fits = [&](const Piece& piece) {
    return LieBelow(problem, piece.below, hi - free->floor);
  };
  if (pieces.empty() || !std::all_of(pieces.begin(), pieces.end(), fits)) {
    parts.parts.push_back(std::make_unique<SearchedPart>(
        problem, Piece{nodes, {}}, lo, hi, incumbent));
    return;
  }
  const std::vector<uint64_t> before = parts.addresses;
  for (Piece& piece : pieces) {
    uint64_t floor = free->floor;
    for (const int32_t below : piece.below) {
      for (const int32_t node : piece.nodes) {
        if (before[node] < before[below]) {
          parts.addresses[node] += problem.size_bytes[below];
        }
      }
      parts.addresses[below] = floor;
      floor += problem.size_bytes[below];
    }
    parts.parts.push_back(std::make_unique<SearchedPart>(
        problem, std::move(piece), floor, hi, incumbent));
  }
}

// The problem's parts, region by region. `incumbent`: addresses per node, or
// empty.
Parts OpenParts(const Problem& problem,
                const std::vector<uint64_t>& incumbent) {
  Parts parts;
  parts.addresses = incumbent;
  parts.addresses.resize(problem.num_nodes());
  for (const bool cc : {true, false}) {
    const uint64_t lo = cc ? problem.floor : problem.cc_end;
    const uint64_t hi = cc ? problem.cc_end : problem.ceiling;
    std::vector<int32_t> nodes;
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      if (problem.size_bytes[id] > 0 && problem.cc[id] == cc) {
        nodes.push_back(id);
      }
    }
    for (const std::vector<int32_t>& part :
         tight::IndependentParts(problem.live, nodes)) {
      OpenPieces(problem, part, lo, hi, !incumbent.empty(), parts);
    }
  }
  return parts;
}

// Works on the part that holds the peak until it is proved, the budget is used,
// or the caller stops. True if the peak is proved.
bool Search(const TightOptions& options,
            std::vector<std::unique_ptr<SearchedPart>>& parts) {
  const auto by_peak = [](const std::unique_ptr<SearchedPart>& a,
                          const std::unique_ptr<SearchedPart>& b) {
    return a->peak() < b->peak();
  };
  const auto by_bound = [](const std::unique_ptr<SearchedPart>& a,
                           const std::unique_ptr<SearchedPart>& b) {
    return a->lower_bound() < b->lower_bound();
  };
  uint64_t steps = 0;
  for (;;) {
    SearchedPart& highest =
        **std::max_element(parts.begin(), parts.end(), by_peak);
    const uint64_t goal =
        (*std::max_element(parts.begin(), parts.end(), by_bound))
            ->lower_bound();
    if (highest.peak() <= goal) return true;
    if (highest.done()) return false;
    if (steps >= options.budget_steps) return false;
    if (options.stop && options.stop()) return false;
    const int64_t before = highest.steps();
    highest.Restart(goal);
    steps += static_cast<uint64_t>(highest.steps() - before);
  }
}

absl::Status ProvedTooLarge(const Problem& problem,
                            const std::vector<int32_t>& subset,
                            uint64_t room_bytes) {
  std::string message = absl::StrCat(
      "proved: ", subset.size(), " locations alone cannot fit in ", room_bytes,
      " bytes (floor ", problem.floor, ", ceiling ", problem.ceiling, "):");
  for (size_t i = 0; i < subset.size() && i < kMaxNames; ++i) {
    absl::StrAppend(&message, i == 0 ? " '" : ", '", problem.NameOf(subset[i]),
                    "' (", problem.size_bytes[subset[i]], ")");
  }
  if (subset.size() > kMaxNames) {
    absl::StrAppend(&message, " and ", subset.size() - kMaxNames, " more");
  }
  return absl::ResourceExhaustedError(message);
}

// Nodes live at `time` whose sizes alone pass `room`, none to spare.
std::vector<int32_t> OverloadAt(const Problem& problem, int32_t time,
                                uint64_t room) {
  std::vector<int32_t> live;
  uint128 load = 0;
  std::vector<uint64_t> bytes(problem.num_nodes(), 0);  // at that time
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    int32_t run = -1;
    for (const Interval& interval : problem.live.of(id)) {
      ++run;
      if (interval.lo > time || time > interval.hi) continue;
      if (problem.size_bytes[id] == 0) continue;
      const ByteWindow window = problem.WindowOf(id, run);
      bytes[id] = window.upper - window.lower;
      live.push_back(id);
      load += bytes[id];
    }
  }
  std::sort(live.begin(), live.end(), [&](int32_t a, int32_t b) {
    return bytes[a] != bytes[b] ? bytes[a] < bytes[b] : a < b;
  });
  std::vector<int32_t> kept;
  for (const int32_t id : live) {
    if (load - bytes[id] > room) {
      load -= bytes[id];
    } else {
      kept.push_back(id);
    }
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

// The proof that nothing fits, if one can be given; OK if not. `budget_steps`
// bounds the search for one over the whole problem.
absl::Status ProveTooLarge(
    const Problem& problem, const TightOptions& options,
    const std::vector<std::unique_ptr<SearchedPart>>& parts) {
  const uint64_t room = problem.ceiling - problem.floor;
  const LowerBound bound = BestLowerBound(problem);
  if (bound.peak_bytes > problem.ceiling) {
    if (bound.kind == BoundKind::kLoad) {
      return ProvedTooLarge(problem, OverloadAt(problem, bound.time, room),
                            room);
    }
    std::vector<int32_t> subset;
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      if (problem.size_bytes[id] == 0) continue;
      bool named = id == bound.node;
      for (const Interval& interval : problem.live.of(id)) {
        named |= interval.lo <= bound.time && bound.time <= interval.hi;
      }
      if (named) subset.push_back(id);
    }
    return ProvedTooLarge(problem, subset, room);
  }
  for (const std::unique_ptr<SearchedPart>& part : parts) {
    if (!part->proved_infeasible()) continue;
    // Where a node may leave its region, that is another question.
    const bool only_region = problem.cc[part->piece().nodes[0]]
                                 ? problem.cc_end == problem.ceiling
                                 : problem.cc_end == problem.floor;
    if (!only_region) continue;
    std::vector<int32_t> nodes = part->piece().below;
    nodes.insert(nodes.end(), part->piece().nodes.begin(),
                 part->piece().nodes.end());
    const std::optional<FreeAddresses> free = tight::FindFreeAddresses(
        problem, nodes, problem.floor, problem.ceiling);
    BERTH_CHECK(free.has_value());
    return ProvedTooLarge(
        problem,
        tight::MinimalInfeasible(
            problem.live, nodes, free->size_units,
            static_cast<int64_t>(free->room / free->unit),
            std::min<int64_t>(kSubsetSteps,
                              static_cast<int64_t>(options.budget_steps))),
        room);
  }
  return absl::OkStatus();
}

// The greedy placement with what the parts found, as far as it is better.
Placement Combine(const Problem& problem, const Placement& incumbent,
                  const Parts& parts) {
  Placement placement = incumbent;
  placement.address = parts.addresses;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) {
      placement.address[id] = OwnRegionStart(problem, id);
    }
  }
  for (const std::unique_ptr<SearchedPart>& part : parts.parts) {
    const std::vector<int32_t>& nodes = part->piece().nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      placement.address[nodes[i]] = part->addresses()[i];
    }
    placement.visits += static_cast<uint64_t>(part->steps());
  }
  return placement;
}

}  // namespace

absl::StatusOr<Placement> PlanTight(const Problem& problem,
                                    const TightOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckProblem(problem));
  const absl::StatusOr<Placement> greedy = PlanGreedy(problem);
  if (!greedy.ok() &&
      greedy.status().code() != absl::StatusCode::kResourceExhausted) {
    return greedy.status();
  }
  Placement incumbent;
  if (greedy.ok()) {
    incumbent = *greedy;
    if (Peak(problem, incumbent) <= BestLowerBound(problem).peak_bytes) {
      incumbent.proved_optimal = true;
      return incumbent;
    }
    // A greedy placement that had to leave the regions stands as it is.
    if (!KeepsRegions(problem, incumbent)) return incumbent;
  } else {
    BERTH_RETURN_IF_ERROR(ProveTooLarge(problem, options, {}));
  }
  Parts parts = OpenParts(problem, incumbent.address);
  if (parts.parts.empty()) return incumbent;
  const bool proved = Search(options, parts.parts);
  for (const std::unique_ptr<SearchedPart>& part : parts.parts) {
    if (part->peak() != SearchedPart::kNoPeak) continue;
    BERTH_RETURN_IF_ERROR(ProveTooLarge(problem, options, parts.parts));
    return greedy.status();
  }
  Placement placement = Combine(problem, incumbent, parts);
  placement.proved_optimal =
      proved || Peak(problem, placement) <= BestLowerBound(problem).peak_bytes;
  return placement;
}

}  // namespace berth
