#include "allocator/placement/tight/searched_part.h"

#include <algorithm>
#include <utility>

#include "allocator/base/int_math.h"

namespace berth::tight {

SearchedPart::SearchedPart(const Problem& problem, Piece piece, uint64_t floor,
                           uint64_t ceiling,
                           absl::Span<const uint64_t> incumbent)
    : problem_(problem),
      piece_(std::move(piece)),
      floor_(floor),
      ceiling_(ceiling) {
  for (const int32_t node : piece_.nodes) {
    if (incumbent.empty()) break;
    addresses_.push_back(incumbent[node]);
    peak_ = std::max(peak_ == kNoPeak ? 0 : peak_,
                     incumbent[node] + problem_.size_bytes[node]);
  }
  OpenExact();
  if (exact_ == nullptr) OpenOrders();
}

void SearchedPart::Restart(uint64_t goal) {
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

// The section search, if addresses are free and there is anything to seek.
void SearchedPart::OpenExact() {
  free_ = FindFreeAddresses(problem_, piece_.nodes, floor_, ceiling_);
  lower_bound_ = floor_;
  if (!free_.has_value()) return;
  model_ = BuildSectionModel(problem_.live, piece_.nodes, free_->size_units,
                             SectionModelLimits());
  if (!model_.has_value()) return;
  uint64_t highest = free_->room / free_->unit;
  if (peak_ != kNoPeak) {
    // Better means a lower end of every node, so one unit less once rounded.
    highest = std::min(highest, (peak_ - 1 - free_->floor) / free_->unit);
  }
  if (highest >= uint64_t{1} << 61) return;
  exact_ = std::make_unique<PartSearch>(*model_, static_cast<int64_t>(highest));
  TakeExact();
}

void SearchedPart::OpenOrders() {
  sub_ = std::make_unique<Problem>(
      SubProblem(problem_, piece_.nodes, floor_, ceiling_));
  orders_ = std::make_unique<OrderSearch>(*sub_, addresses_);
}

// What the section search knows by now.
void SearchedPart::TakeExact() {
  if (exact_->found()) {
    uint64_t peak = 0;
    std::vector<uint64_t> addresses;
    for (size_t i = 0; i < piece_.nodes.size(); ++i) {
      addresses.push_back(free_->floor +
                          static_cast<uint64_t>(exact_->addresses()[i]) *
                              free_->unit);
      peak =
          std::max(peak, addresses[i] + problem_.size_bytes[piece_.nodes[i]]);
    }
    if (peak < peak_) {
      peak_ = peak;
      addresses_ = std::move(addresses);
    }
  }
  // Rounded sizes may end a unit less one byte above the true ones.
  const uint64_t lost = free_->rounded ? free_->unit - 1 : 0;
  const uint128 bound =
      free_->floor + static_cast<uint128>(exact_->lower_bound()) * free_->unit -
      lost;
  lower_bound_ = std::max(
      lower_bound_, static_cast<uint64_t>(std::min<uint128>(bound, peak_)));
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

}  // namespace berth::tight
