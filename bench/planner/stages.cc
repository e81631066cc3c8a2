// The stages of placement, each with its plain reference beside it:
//
//   Order    simplify: from the problem to the elimination order; an operation
//            is one order
//   Select   select: first fit of a whole order; an operation is one placement
//   Search   search: one first fit among what is placed; an operation is one
//            node asked for and placed, among the last of the order
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/placement/order.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/window_first_fit.h"
#include "bench/planner/common.h"

namespace berth::bench {
namespace {

using OrderFn = EliminationOrder (*)(const Problem&);
using SelectFn = absl::StatusOr<Placement> (*)(const Problem&,
                                               absl::Span<const int32_t>);

void CountPerNode(const ProblemWork& work, uint64_t visits,
                  benchmark::State& state) {
  state.counters["visits/node"] =
      static_cast<double>(visits) /
      std::max(1.0, static_cast<double>(work.problem().num_nodes()));
}

void Order(OrderFn order, const ProblemWork& work, benchmark::State& state) {
  EliminationOrder result;
  for (auto _ : state) result = order(work.problem());
  CountPerNode(work, result.visits, state);
  SameResult("Order " + work.name, HashOf(result.pushed), state);
}

void Select(SelectFn select, const ProblemWork& work, benchmark::State& state) {
  const std::vector<int32_t> popped = BriggsOrder(work.problem()).Popped();
  absl::StatusOr<Placement> result;
  for (auto _ : state) result = select(work.problem(), popped);
  if (!result.ok()) {
    state.SkipWithError("does not fit");
    return;
  }
  CountPerNode(work, result->visits, state);
  SameResult("Select " + work.name, HashOf(result->address), state);
}

// All of the order but a tail is placed; the tail is asked for and placed, one
// node an operation, and once it is done the structure is made anew outside of
// the time.
template <typename FirstFit>
class Tail {
 public:
  explicit Tail(const Problem& problem)
      : problem_(problem), popped_(BriggsOrder(problem).Popped()) {
    std::erase_if(popped_,
                  [&](int32_t node) { return problem.size_bytes[node] == 0; });
    begin_ = popped_.size() - std::min<size_t>(popped_.size() / 2 + 1, 4096);
    Restart();
  }
  void Restart() {
    fit_ = std::make_unique<FirstFit>(problem_, popped_);
    addresses_.clear();
    for (next_ = 0; next_ < begin_;) Step();
    addresses_.clear();
  }
  bool done() const { return next_ == popped_.size(); }
  void Step() {
    const int32_t node = popped_[next_++];
    const auto address = fit_->Find(node, problem_.floor, problem_.ceiling);
    BERTH_CHECK(address.has_value());
    fit_->Place(node, *address);
    addresses_.push_back(*address);
  }
  const std::vector<uint64_t>& addresses() const { return addresses_; }

 private:
  const Problem& problem_;
  std::vector<int32_t> popped_;
  size_t begin_ = 0;
  size_t next_ = 0;
  std::unique_ptr<FirstFit> fit_;
  std::vector<uint64_t> addresses_;
};

template <typename FirstFit>
void Search(const ProblemWork& work, benchmark::State& state) {
  Tail<FirstFit> whole(work.problem());
  while (!whole.done()) whole.Step();
  if (!SameResult("Search " + work.name, HashOf(whole.addresses()), state)) {
    return;
  }
  Tail<FirstFit> tail(work.problem());
  for (auto _ : state) {
    if (tail.done()) {
      state.PauseTiming();
      tail.Restart();
      state.ResumeTiming();
    }
    tail.Step();
  }
}

}  // namespace

void RegisterOrder(const ProblemSource& source) {
  const auto add = [&](const char* name, Limit limit, OrderFn order) {
    RegisterSizes("Order", source, name, limit,
                  [order](const ProblemWork& work, benchmark::State& state) {
                    Order(order, work, state);
                  });
  };
  add("Briggs", Limit{}, BriggsOrder);
  add("Reference", {2'000, "skipped: quadratic, over 2,000"}, ReferenceOrder);
}

void RegisterSelect(const ProblemSource& source) {
  const auto add = [&](const char* name, Limit limit, SelectFn select) {
    RegisterSizes("Select", source, name, limit,
                  [select](const ProblemWork& work, benchmark::State& state) {
                    Select(select, work, state);
                  });
  };
  add("Window", Limit{}, SelectFast);
  add("Plain", kQuadratic, SelectPlain);
}

void RegisterSearch(const ProblemSource& source) {
  RegisterSizes("Search", source, "Window", Limit{}, Search<WindowFirstFit>);
  RegisterSizes("Search", source, "Plain", kQuadratic, Search<PlainFirstFit>);
}

}  // namespace berth::bench
