#include "allocator/placement/greedy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/sweep_first_fit.h"
#include "allocator/placement/window_first_fit.h"
#include "allocator/placement/window_layout.h"

namespace berth {
namespace {

// What the orders look at. Doubles are exact enough and the same everywhere:
// products and square roots are correctly rounded.
class Traits {
 public:
  Traits(const Problem& problem, int32_t peak_time)
      : problem_(problem), peak_time_(peak_time) {}

  double Size(int32_t node) const {
    return static_cast<double>(problem_.size_bytes[node]);
  }
  // Size to a power of two, and to a power of four.
  double SizeClass(int32_t node) const {
    return std::bit_width(problem_.size_bytes[node]);
  }
  double WideSizeClass(int32_t node) const {
    const int bits = std::bit_width(problem_.size_bytes[node]);
    return (bits + 1) / 2;  // NOLINT(bugprone-integer-division): rounded down
  }
  double Length(int32_t node) const {
    return static_cast<double>(problem_.occupied_length[node]);
  }
  double Begin(int32_t node) const { return problem_.live.of(node).front().lo; }
  double End(int32_t node) const { return problem_.live.of(node).back().hi; }
  // Times occupied: ranks of end points in a CSV, where Length() is original.
  double Times(int32_t node) const {
    double times = 0;
    for (const Interval& run : problem_.live.of(node)) {
      times += static_cast<double>(run.hi) - run.lo + 1;
    }
    return times;
  }
  // From the time of the greatest load to the nearest time when it is live.
  double Distance(int32_t node) const {
    double least = std::numeric_limits<double>::max();
    for (const Interval& run : problem_.live.of(node)) {
      least = std::min<double>(
          least, std::max({0, run.lo - peak_time_, peak_time_ - run.hi}));
    }
    return least;
  }

 private:
  const Problem& problem_;
  int32_t peak_time_;
};

// Higher keys come first; ties by the second key, then the larger, then by id.
struct Key {
  double first = 0;
  double second = 0;
};

using KeyOf = Key (*)(const Traits& traits, int32_t node);

// The most promising first: what comes later is given up the sooner. Size is
// what others do; the rest were chosen one after another, each as the one of
// 264 orders that gained most over those before it on instances of all kinds.
constexpr KeyOf kOrders[] = {
    // Outward from the peak; of equally distant ones the last to begin.
    [](const Traits& t, int32_t n) {
      return Key{-t.Distance(n), t.Begin(n)};
    },
    // Size; of equal sizes the longer first.
    [](const Traits& t, int32_t n) {
      return Key{t.Size(n), t.Length(n)};
    },
    // Size, and a little of length: times the fourth root of its times.
    [](const Traits& t, int32_t n) {
      return Key{t.Size(n) * std::sqrt(std::sqrt(t.Times(n))), t.Begin(n)};
    },
    // Roughly by size; within a class as time goes.
    [](const Traits& t, int32_t n) {
      return Key{t.SizeClass(n), -t.Begin(n)};
    },
    // As time goes, the small first.
    [](const Traits& t, int32_t n) {
      return Key{-t.Begin(n), -t.Size(n)};
    },
    // Length; of equal lengths as they come.
    [](const Traits& t, int32_t n) {
      return Key{t.Length(n), -static_cast<double>(n)};
    },
    // More roughly by size; within a class the longer first.
    [](const Traits& t, int32_t n) {
      return Key{t.WideSizeClass(n), t.Length(n)};
    },
    // Outward again; of equally distant ones the first to end.
    [](const Traits& t, int32_t n) {
      return Key{-t.Distance(n), -t.End(n)};
    },
    // Roughly by size; within a class against time.
    [](const Traits& t, int32_t n) {
      return Key{t.SizeClass(n), t.End(n)};
    },
};

std::vector<int32_t> OrderBy(const Problem& problem, const Traits& traits,
                             KeyOf key_of) {
  struct Entry {
    Key key;
    int32_t node;
  };
  std::vector<Entry> entries;
  entries.reserve(problem.size_bytes.size());
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    entries.push_back({key_of(traits, node), node});
  }
  const auto before = [&problem](const Entry& a, const Entry& b) {
    if (a.key.first != b.key.first) return a.key.first > b.key.first;
    if (a.key.second != b.key.second) return a.key.second > b.key.second;
    const uint64_t a_size = problem.size_bytes[a.node];
    const uint64_t b_size = problem.size_bytes[b.node];
    return a_size != b_size ? a_size > b_size : a.node < b.node;
  };
  std::sort(entries.begin(), entries.end(), before);
  std::vector<int32_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.node);
  return order;
}

// First fit in one order.
struct Attempt {
  enum class End { kPlaced, kGivenUp, kDoesNotFit };
  End end = End::kPlaced;
  size_t stopped_at = 0;  // place in the order of the last node tried
  uint64_t peak = 0;
  Placement placement;
};

// Gives up when some end reaches `hopeless`, if there is one.
template <typename FirstFit>
Attempt TryBy(FirstFit first_fit, const Problem& problem,
              absl::Span<const int32_t> order,
              std::optional<uint64_t> hopeless) {
  Attempt attempt;
  attempt.peak = problem.floor;
  attempt.placement.address.assign(problem.num_nodes(), 0);
  for (size_t i = 0; i < order.size(); ++i) {
    const int32_t node = order[i];
    attempt.stopped_at = i;
    const std::optional<uint64_t> address = PlaceNode(first_fit, problem, node);
    if (!address.has_value()) {
      attempt.end = Attempt::End::kDoesNotFit;
      break;
    }
    attempt.placement.address[node] = *address;
    if (problem.size_bytes[node] == 0) continue;
    attempt.peak = std::max(attempt.peak, *address + problem.size_bytes[node]);
    if (hopeless.has_value() && attempt.peak >= *hopeless) {
      attempt.end = Attempt::End::kGivenUp;
      break;
    }
  }
  attempt.placement.visits = first_fit.visits();
  return attempt;
}

Attempt Try(const WindowLayout& layout, absl::Span<const int32_t> order,
            std::optional<uint64_t> hopeless) {
  const Problem& problem = layout.problem();
  if (SweepFirstFit::Serves(problem, order)) {
    return TryBy(SweepFirstFit(problem, order), problem, order, hopeless);
  }
  return TryBy(WindowFirstFit(layout, order), problem, order, hopeless);
}

// What spec §7 step 3 says of the node that the attempt failed at.
absl::Status Exhausted(const Problem& problem, absl::Span<const int32_t> order,
                       const Attempt& attempt) {
  PlainFirstFit plain(problem, order);
  for (size_t i = 0; i < attempt.stopped_at; ++i) {
    plain.Place(order[i], attempt.placement.address[order[i]]);
  }
  const int32_t node = order[attempt.stopped_at];
  return DoesNotFit(problem, node,
                    plain.LargestGap(node, problem.floor, problem.ceiling));
}

class Search {
 public:
  explicit Search(const Problem& problem)
      : problem_(problem),
        layout_(problem),
        nodes_left_(kGreedyFits * int64_t{problem.num_nodes()}) {
    const std::vector<uint128> loads = Loads(problem);
    const auto most = std::max_element(loads.begin(), loads.end());
    if (most != loads.end()) {
      lowest_peak_ += *most;
      peak_time_ = static_cast<int32_t>(most - loads.begin());
    }
  }

  absl::StatusOr<Placement> Run() {
    const Traits traits(problem_, peak_time_);
    for (const KeyOf key_of : kOrders) {
      std::vector<int32_t> order = OrderBy(problem_, traits, key_of);
      Take(order);
      if (base_.empty()) base_ = std::move(order);
      if (Done()) break;
    }
    while (!Done() && Repair()) {
    }
    if (!best_.has_value()) return first_failure_;
    best_->placement.visits = visits_;
    return std::move(best_->placement);
  }

 private:
  std::optional<uint64_t> Hopeless() const {
    if (!best_.has_value()) return std::nullopt;
    return best_->peak;
  }
  bool Done() const {
    return nodes_left_ <= 0 ||
           (best_.has_value() && best_->peak <= lowest_peak_);
  }

  // Tries `order`, which becomes the base of repairs if it is the best so far.
  // Returns where it stopped.
  size_t Take(const std::vector<int32_t>& order) {
    Attempt attempt = Try(layout_, order, Hopeless());
    visits_ += attempt.placement.visits;
    nodes_left_ -= static_cast<int64_t>(attempt.stopped_at) + 1;
    const size_t stopped_at = attempt.stopped_at;
    if (attempt.end == Attempt::End::kPlaced) {
      best_ = std::move(attempt);
      if (!base_.empty()) base_ = order;
    } else if (attempt.end == Attempt::End::kDoesNotFit &&
               first_failure_.ok() && !best_.has_value()) {
      first_failure_ = Exhausted(problem_, order, attempt);
    }
    return stopped_at;
  }

  // False if there is nothing to move.
  bool Repair() {
    const std::vector<int32_t> order = base_;
    const size_t from = Take(order);
    const size_t to = from / 2;
    if (from == to) return false;
    std::rotate(base_.begin() + to, base_.begin() + from,
                base_.begin() + from + 1);
    return true;
  }

  const Problem& problem_;
  const WindowLayout layout_;
  int64_t nodes_left_;  // that may still be tried
  uint128 lowest_peak_ = 0;
  int32_t peak_time_ = 0;
  std::optional<Attempt> best_;
  std::vector<int32_t> base_;
  absl::Status first_failure_;
  uint64_t visits_ = 0;
};

}  // namespace

absl::StatusOr<Placement> PlanGreedy(const Problem& problem) {
  BERTH_RETURN_IF_ERROR(CheckProblem(problem));
  return Search(problem).Run();
}

}  // namespace berth
