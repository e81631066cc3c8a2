#include "allocator/placement/window_first_fit.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "allocator/base/check.h"
#include "allocator/base/int_math.h"

namespace berth {
namespace {

constexpr uint64_t kMaxAddress = std::numeric_limits<uint64_t>::max();
constexpr uint32_t kMaxNarrow = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kNotPlaced = kMaxNarrow;
// Of wide addresses.
const AddressUnit kByte(1);

// The least address >= x that the node may have in a gap without end.
std::optional<uint64_t> Allowed(const Problem& problem, int32_t node,
                                uint64_t x) {
  return PlaceInGap(x, kMaxAddress, problem.size_bytes[node],
                    problem.alignment[node], problem.page_bytes);
}

// An alignment that changes nothing. A type, so that calls of it vanish.
struct Same {
  template <typename Address>
  std::optional<Address> operator()(Address x) const {
    return x;
  }
};

// The part of a node without windows, whatever the run.
template <typename Address>
struct WholeOf {
  Address size;
  typename WindowIndex<Address>::Part operator()(size_t) const {
    return {0, size};
  }
};

// The windows of a node's runs, in units.
template <typename Address>
struct WindowsOf {
  const ByteWindow* windows;
  AddressUnit unit;
  typename WindowIndex<Address>::Part operator()(size_t run) const {
    return {static_cast<Address>(unit.Count(windows[run].lower)),
            static_cast<Address>(unit.Count(windows[run].upper))};
  }
};

// Calls use(part_of) with what says which bytes the node takes in its runs.
template <typename Address, typename Use>
auto WithParts(const Problem& problem, int32_t node, AddressUnit unit,
               Use use) {
  if (problem.windows.empty()) {
    return use(WholeOf<Address>{
        static_cast<Address>(unit.Count(problem.size_bytes[node]))});
  }
  return use(WindowsOf<Address>{
      problem.windows.data() + problem.live.offsets[node], unit});
}

}  // namespace

WindowFirstFit::WindowFirstFit(const Problem& problem,
                               absl::Span<const int32_t> order)
    : WindowFirstFit(std::make_unique<WindowLayout>(problem), order) {}

WindowFirstFit::WindowFirstFit(const Problem& problem,
                               absl::Span<const int32_t> order,
                               int64_t events_per_window)
    : WindowFirstFit(std::make_unique<WindowLayout>(problem, events_per_window),
                     order) {}

WindowFirstFit::WindowFirstFit(std::unique_ptr<WindowLayout> layout,
                               absl::Span<const int32_t> order)
    : WindowFirstFit(*layout, order) {
  own_layout_ = std::move(layout);
}

WindowFirstFit::WindowFirstFit(const WindowLayout& layout,
                               absl::Span<const int32_t> order)
    : problem_(layout.problem()),
      layout_(layout),
      order_(order),
      base_(problem_.floor),
      unit_(layout.unit()) {
  uint64_t largest = 0;
  for (uint64_t size : problem_.size_bytes) largest = std::max(largest, size);
  largest = unit_.Count(largest);
  if (largest > kMaxNarrow / 2) {
    Widen();
    return;
  }
  // The largest node fits above the highest end without wrapping.
  narrow_limit_ = kMaxNarrow - static_cast<uint32_t>(largest);
  narrow_ = std::make_unique<WindowIndex<uint32_t>>(layout_);
  placed_at_.assign(order_.size(), kNotPlaced);
  ExpectQuestions(*narrow_);
  if (!InsertPinsNarrow()) Widen();
}

uint64_t WindowFirstFit::visits() const {
  return visits_before_ + (wide_ ? wide_->visits() : narrow_->visits());
}

bool WindowFirstFit::InsertPinsNarrow() {
  for (int32_t id = 0; id < problem_.num_pins(); ++id) {
    const Pin& pin = problem_.pins[id];
    if (pin.address >= pin.end || pin.end <= base_) continue;
    const std::optional<uint32_t> end = Narrow(pin.end);
    if (!end.has_value()) return false;
    // Rounded down: what ends at or below it ends on a whole unit.
    const uint64_t begin =
        pin.address <= base_ ? 0 : unit_.Count(pin.address - base_);
    narrow_->Insert(problem_.pin_live.of(id), static_cast<uint32_t>(begin),
                    WholeOf<uint32_t>{*end - static_cast<uint32_t>(begin)},
                    Question::kNone);
  }
  return true;
}

template <typename Index>
void WindowFirstFit::ExpectQuestions(Index& index) const {
  if (next_ == 0 && order_.size() == problem_.size_bytes.size()) {
    index.ExpectAll();
    return;
  }
  for (size_t i = next_; i < order_.size(); ++i) {
    if (problem_.size_bytes[order_[i]] == 0) continue;
    index.ExpectQuestion(LiveOf(order_[i]));
  }
}

void WindowFirstFit::Widen() {
  wide_ = std::make_unique<WindowIndex<uint64_t>>(layout_);
  if (narrow_ != nullptr) visits_before_ = narrow_->visits();
  narrow_.reset();
  ExpectQuestions(*wide_);
  for (int32_t id = 0; id < problem_.num_pins(); ++id) {
    const Pin& pin = problem_.pins[id];
    if (pin.address >= pin.end) continue;
    wide_->Insert(problem_.pin_live.of(id), pin.address,
                  WholeOf<uint64_t>{pin.end - pin.address}, Question::kNone);
  }
  for (size_t i = 0; i < next_; ++i) {
    if (placed_at_[i] == kNotPlaced) continue;
    InsertWide(order_[i], base_ + placed_at_[i] * unit_.bytes(),
               Question::kNone);
  }
  placed_at_ = {};
}

std::optional<uint64_t> WindowFirstFit::Find(int32_t node, uint64_t start,
                                             uint64_t ceiling) {
  const uint64_t size = problem_.size_bytes[node];
  BERTH_CHECK(size > 0);
  if (start > ceiling || ceiling - start < size) return std::nullopt;
  if (wide_ == nullptr) {
    const std::optional<uint32_t> narrow = Narrow(start);
    if (narrow.has_value()) {
      const std::optional<uint64_t> found =
          FindNarrow(node, *narrow, ceiling - size);
      const bool cut = unit_.Count(ceiling - base_) > narrow_limit_;
      if (found.has_value() || !cut) return found;
    }
    Widen();
  }
  const absl::Span<const Interval> live = LiveOf(node);
  return WithParts<uint64_t>(problem_, node, kByte, [&](auto part_of) {
    if (MayHaveAnyAddress(node)) {
      return wide_->Find(live, start, ceiling - size, part_of, Same());
    }
    return wide_->Find(live, start, ceiling - size, part_of,
                       [&](uint64_t x) { return Allowed(problem_, node, x); });
  });
}

std::optional<uint64_t> WindowFirstFit::FindNarrow(int32_t node, uint32_t start,
                                                   uint64_t highest) {
  const absl::Span<const Interval> live = LiveOf(node);
  const auto size =
      static_cast<uint32_t>(unit_.Count(problem_.size_bytes[node]));
  // No answer lies above the ends of what is placed, but by alignment.
  const auto narrow_highest = static_cast<uint32_t>(
      std::min<uint64_t>(unit_.Count(highest - base_), kMaxNarrow - size));
  const auto align = [&](uint32_t from) -> std::optional<uint32_t> {
    const std::optional<uint64_t> allowed =
        Allowed(problem_, node, base_ + from * unit_.bytes());
    if (!allowed.has_value()) return std::nullopt;
    const uint64_t offset = unit_.Count(*allowed - base_);
    if (offset > kMaxNarrow) return std::nullopt;
    return static_cast<uint32_t>(offset);
  };
  const std::optional<uint32_t> x =
      WithParts<uint32_t>(problem_, node, unit_, [&](auto part_of) {
        return MayHaveAnyAddress(node)
                   ? narrow_->Find(live, start, narrow_highest, part_of, Same())
                   : narrow_->Find(live, start, narrow_highest, part_of, align);
      });
  if (!x.has_value()) return std::nullopt;
  return base_ + *x * unit_.bytes();
}

void WindowFirstFit::Place(int32_t node, uint64_t address) {
  const uint64_t size = problem_.size_bytes[node];
  BERTH_CHECK(CheckedAdd(address, size).has_value());
  if (size == 0) return;
  if (wide_ == nullptr) {
    const std::optional<uint32_t> lo = Narrow(address);
    const std::optional<uint32_t> hi = Narrow(address + size);
    if (lo.has_value() && hi.has_value()) {
      PassTo(node, *narrow_);
      placed_at_[next_ - 1] = *lo;
      WithParts<uint32_t>(problem_, node, unit_, [&](auto part_of) {
        narrow_->Insert(LiveOf(node), *lo, part_of, Question::kStrike);
      });
      return;
    }
    Widen();
  }
  PassTo(node, *wide_);
  InsertWide(node, address, Question::kStrike);
}

void WindowFirstFit::InsertWide(int32_t node, uint64_t address,
                                Question question) {
  WithParts<uint64_t>(problem_, node, kByte, [&](auto part_of) {
    wide_->Insert(LiveOf(node), address, part_of, question);
  });
}

// Strikes the questions of the order before `node`, which is placed now.
template <typename Index>
void WindowFirstFit::PassTo(int32_t node, Index& index) {
  for (bool found = false; !found; ++next_) {
    BERTH_CHECK(next_ < order_.size());
    const int32_t passed = order_[next_];
    found = passed == node;
    if (!found && problem_.size_bytes[passed] > 0) {
      index.StrikeQuestion(LiveOf(passed));
    }
  }
  PrefetchAhead(index);
}

// The order is known, so memory can be asked for before it is needed: first
// what the problem says of a node, then, when that has come, where it leads.
template <typename Index>
void WindowFirstFit::PrefetchAhead(const Index& index) const {
  constexpr size_t kNode = 24, kInterval = 18, kWindow = 12, kEntries = 6;
  if (next_ + kNode >= order_.size()) return;
  const int32_t far = order_[next_ + kNode];
  __builtin_prefetch(&problem_.size_bytes[far]);
  if (!layout_.any_address()) __builtin_prefetch(&problem_.alignment[far]);
  if (!layout_.one_run_each()) __builtin_prefetch(&problem_.live.offsets[far]);
  const auto first_interval = [this](size_t ahead) {
    return LiveOf(order_[next_ + ahead]).data();
  };
  __builtin_prefetch(first_interval(kInterval));
  index.PrefetchNodes(*first_interval(kWindow));
  index.PrefetchEntries(*first_interval(kEntries));
}

}  // namespace berth
