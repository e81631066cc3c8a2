#include "allocator/placement/tight/tight.h"

#include <algorithm>
#include <limits>
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
#include "allocator/placement/tight/order_search.h"
#include "allocator/placement/tight/part.h"
#include "allocator/placement/tight/part_search.h"
#include "allocator/placement/tight/section_model.h"

namespace berth {
namespace {

using tight::FreeAddresses;
using tight::OrderSearch;
using tight::PartSearch;
using tight::SectionModel;

constexpr uint64_t kNoPeak = std::numeric_limits<uint64_t>::max();
constexpr int64_t kSubsetSteps = 20'000;  // per test of MinimalInfeasible
constexpr size_t kMaxNames = 20;          // in a message

// One part: its nodes, its best placement so far, and who searches it.
class Part {
 public:
  // `incumbent`: addresses per node of the problem, or empty.
  Part(const Problem& problem, std::vector<int32_t> nodes, uint64_t floor,
       uint64_t ceiling, const std::vector<uint64_t>& incumbent)
      : problem_(problem),
        nodes_(std::move(nodes)),
        floor_(floor),
        ceiling_(ceiling) {
    for (const int32_t node : nodes_) {
      if (incumbent.empty()) break;
      addresses_.push_back(incumbent[node]);
      peak_ = std::max(peak_ == kNoPeak ? 0 : peak_,
                       incumbent[node] + problem_.size_bytes[node]);
    }
    OpenExact();
    if (exact_ == nullptr) OpenOrders();
  }

  uint64_t peak() const { return peak_; }  // kNoPeak: nothing found
  bool done() const { return done_; }
  // done(), and found nothing because there is nothing.
  bool proved_infeasible() const { return infeasible_; }
  int64_t steps() const {
    return (exact_ ? exact_->steps() : 0) + (orders_ ? orders_->steps() : 0);
  }
  absl::Span<const int32_t> nodes() const { return nodes_; }
  absl::Span<const uint64_t> addresses() const { return addresses_; }
  const FreeAddresses& free() const { return *free_; }

  // No placement of this part has a lower peak (bytes).
  uint64_t lower_bound() const { return lower_bound_; }

  void Restart(uint64_t goal) {
    if (orders_ != nullptr) {
      orders_->Restart();
      if (orders_->found() && orders_->peak() < peak_) {
        peak_ = orders_->peak();
        addresses_ = orders_->addresses();
      }
      if (peak_ <= std::max(goal, lower_bound_)) done_ = true;
      return;
    }
    if (goal > free_->floor) {
      exact_->RaiseGoal(
          static_cast<int64_t>((goal - free_->floor) / free_->unit));
    }
    if (!exact_->done()) exact_->Restart();
    TakeExact();
  }

 private:
  // The section search, if addresses are free and there is anything to seek.
  void OpenExact() {
    free_ = tight::FindFreeAddresses(problem_, nodes_, floor_, ceiling_);
    lower_bound_ = floor_;
    if (!free_.has_value()) return;
    model_ = tight::BuildSectionModel(problem_.live, nodes_, free_->size_units,
                                      tight::SectionModelLimits());
    if (!model_.has_value()) return;
    uint64_t highest = free_->room / free_->unit;
    if (peak_ != kNoPeak) {
      // Better means a lower end of every node, so one unit less once rounded.
      highest = std::min(highest, (peak_ - 1 - free_->floor) / free_->unit);
    }
    if (highest >= uint64_t{1} << 61) return;
    exact_ =
        std::make_unique<PartSearch>(*model_, static_cast<int64_t>(highest));
    TakeExact();
  }

  void OpenOrders() {
    sub_ = std::make_unique<Problem>(
        tight::SubProblem(problem_, nodes_, floor_, ceiling_));
    orders_ = std::make_unique<OrderSearch>(*sub_, addresses_);
  }

  // What the section search knows by now.
  void TakeExact() {
    if (exact_->found()) {
      uint64_t peak = 0;
      std::vector<uint64_t> addresses;
      for (size_t i = 0; i < nodes_.size(); ++i) {
        addresses.push_back(free_->floor +
                            static_cast<uint64_t>(exact_->addresses()[i]) *
                                free_->unit);
        peak = std::max(peak, addresses[i] + problem_.size_bytes[nodes_[i]]);
      }
      if (peak < peak_) {
        peak_ = peak;
        addresses_ = std::move(addresses);
      }
    }
    // Rounded sizes may end a unit less one byte above the true ones.
    const uint64_t lost = free_->rounded ? free_->unit - 1 : 0;
    const uint64_t bound =
        free_->floor +
        static_cast<uint64_t>(exact_->lower_bound()) * free_->unit - lost;
    lower_bound_ = std::max(lower_bound_, std::min(bound, peak_));
    if (!exact_->done()) return;
    if (peak_ != kNoPeak &&
        (!free_->pins_above || exact_->found() || peak_ <= lower_bound_)) {
      done_ = true;
      return;
    }
    if (free_->pins_above) {  // there may be room beyond the lowest pin
      OpenOrders();
      return;
    }
    done_ = true;
    infeasible_ = !free_->rounded;
  }

  const Problem& problem_;
  std::vector<int32_t> nodes_;
  uint64_t floor_;
  uint64_t ceiling_;
  std::vector<uint64_t> addresses_;
  uint64_t peak_ = kNoPeak;
  uint64_t lower_bound_ = 0;
  bool done_ = false;
  bool infeasible_ = false;
  std::optional<FreeAddresses> free_;
  std::optional<SectionModel> model_;
  std::unique_ptr<PartSearch> exact_;
  std::unique_ptr<Problem> sub_;
  std::unique_ptr<OrderSearch> orders_;
};

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

// The problem's parts, region by region.
std::vector<std::unique_ptr<Part>> OpenParts(
    const Problem& problem, const std::vector<uint64_t>& incumbent) {
  std::vector<std::unique_ptr<Part>> parts;
  for (const bool cc : {true, false}) {
    const uint64_t lo = cc ? problem.floor : problem.cc_end;
    const uint64_t hi = cc ? problem.cc_end : problem.ceiling;
    std::vector<int32_t> nodes;
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      if (problem.size_bytes[id] > 0 && problem.cc[id] == cc) {
        nodes.push_back(id);
      }
    }
    for (std::vector<int32_t>& part :
         tight::IndependentParts(problem.live, nodes)) {
      parts.push_back(
          std::make_unique<Part>(problem, std::move(part), lo, hi, incumbent));
    }
  }
  return parts;
}

// Works on the part that holds the peak until it is proved, the budget is used,
// or the caller stops. True if the peak is proved.
bool Search(const TightOptions& options,
            std::vector<std::unique_ptr<Part>>& parts) {
  const auto by_peak = [](const std::unique_ptr<Part>& a,
                          const std::unique_ptr<Part>& b) {
    return a->peak() < b->peak();
  };
  const auto by_bound = [](const std::unique_ptr<Part>& a,
                           const std::unique_ptr<Part>& b) {
    return a->lower_bound() < b->lower_bound();
  };
  uint64_t steps = 0;
  for (;;) {
    Part& highest = **std::max_element(parts.begin(), parts.end(), by_peak);
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
absl::Status ProveTooLarge(const Problem& problem, const TightOptions& options,
                           const std::vector<std::unique_ptr<Part>>& parts) {
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
  for (const std::unique_ptr<Part>& part : parts) {
    if (!part->proved_infeasible()) continue;
    // With two regions a node may leave its own: that is another question.
    if (problem.floor < problem.cc_end && problem.cc_end < problem.ceiling) {
      continue;
    }
    const FreeAddresses& free = part->free();
    return ProvedTooLarge(
        problem,
        tight::MinimalInfeasible(
            problem.live, part->nodes(), free.size_units,
            static_cast<int64_t>(free.room / free.unit),
            std::min<int64_t>(kSubsetSteps,
                              static_cast<int64_t>(options.budget_steps))),
        room);
  }
  return absl::OkStatus();
}

// The greedy placement with what the parts found, as far as it is better.
Placement Combine(const Problem& problem, const Placement& incumbent,
                  const std::vector<std::unique_ptr<Part>>& parts) {
  Placement placement = incumbent;
  placement.address.resize(problem.num_nodes());
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) {
      placement.address[id] = OwnRegionStart(problem, id);
    }
  }
  for (const std::unique_ptr<Part>& part : parts) {
    for (size_t i = 0; i < part->nodes().size(); ++i) {
      placement.address[part->nodes()[i]] = part->addresses()[i];
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
  std::vector<std::unique_ptr<Part>> parts =
      OpenParts(problem, incumbent.address);
  if (parts.empty()) return incumbent;
  const bool proved = Search(options, parts);
  for (const std::unique_ptr<Part>& part : parts) {
    if (part->peak() != kNoPeak) continue;
    BERTH_RETURN_IF_ERROR(ProveTooLarge(problem, options, parts));
    return greedy.status();
  }
  Placement placement = Combine(problem, incumbent, parts);
  placement.proved_optimal =
      proved || Peak(problem, placement) <= BestLowerBound(problem).peak_bytes;
  return placement;
}

}  // namespace berth
