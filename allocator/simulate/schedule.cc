#include "allocator/simulate/schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/simulate/expectation.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/memories.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {
namespace {

// What runs first: the least value of what may run. By core, then event.
using Priorities = std::vector<std::vector<int64_t>>;

// Before any position, and after any.
constexpr int64_t kFar = int64_t{1} << 40;

// The event that `turn` singles out in a segment.
int32_t Singled(const Segment& segment, int64_t turn) {
  const int32_t length = segment.end - segment.begin;
  return segment.end - 1 - static_cast<int32_t>(turn % length);
}

// Gives `event` and all that it waits for in its segment the first turns.
void Rush(const CoreTrace& core, const Segment& segment, int32_t event,
          std::vector<int64_t>& priority) {
  std::vector<bool> needed(segment.end - segment.begin, false);
  needed[event - segment.begin] = true;
  for (int32_t e = event; e >= segment.begin; --e) {
    for (size_t i = core.begins[e]; i < core.begins[e + 1]; ++i) {
      if (core.later[i] <= event && needed[core.later[i] - segment.begin]) {
        needed[e - segment.begin] = true;
      }
    }
    if (needed[e - segment.begin]) priority[e] = e - kFar;
  }
}

Priorities Prioritise(const Trace& trace, Strategy strategy, int64_t turn,
                      Rng& rng) {
  Priorities priorities;
  for (const CoreTrace& core : trace.cores) {
    std::vector<int64_t>& priority = priorities.emplace_back();
    priority.resize(core.events.size());
    for (size_t e = 0; e < priority.size(); ++e) {
      const auto position = static_cast<int64_t>(e);
      priority[e] = strategy == Strategy::kLatest   ? -position
                    : strategy == Strategy::kRandom ? rng.Between(0, kFar)
                                                    : position;
    }
    if (strategy != Strategy::kRush && strategy != Strategy::kDelay) continue;
    for (const Segment& segment : core.segments) {
      const int32_t event = Singled(segment, turn);
      if (strategy == Strategy::kDelay) {
        priority[event] = event + kFar;
      } else {
        Rush(core, segment, event, priority);
      }
    }
  }
  return priorities;
}

// How cores take turns.
enum class Turns : uint8_t { kUntilItWaits, kRoundRobin, kRandom };

class Runner {
 public:
  Runner(const Layout& layout, const Trace& trace,
         const Expectation& expectation, const Priorities& priorities)
      : trace_(trace),
        priorities_(priorities),
        memories_(layout, trace, expectation),
        cores_(trace.cores.size()),
        arrived_(trace.meetings.size(), 0) {
    for (size_t c = 0; c < cores_.size(); ++c) {
      cores_[c].waits = trace.cores[c].waits;
    }
  }

  Outcome Run(const std::vector<int32_t>& core_order, Turns turns, Rng& rng,
              bool complete) {
    for (size_t c = 0; c < cores_.size(); ++c) Begin(static_cast<int32_t>(c));
    MeetAll();
    size_t at = 0;
    while (!outcome_.fault) {
      if (turns == Turns::kRandom) at = rng.Below(core_order.size());
      if (turns == Turns::kUntilItWaits) at = 0;
      size_t tried = 0;
      while (tried < core_order.size() &&
             cores_[core_order[at % core_order.size()]].ready.empty()) {
        ++at;
        ++tried;
      }
      if (tried == core_order.size()) break;
      RunOne(core_order[at % core_order.size()]);
      if (turns == Turns::kRoundRobin) ++at;
    }
    if (complete && !outcome_.fault) outcome_.fault = memories_.AtEnd();
    return std::move(outcome_);
  }

 private:
  // Least priority first; then the earlier event.
  using Ready = std::pair<int64_t, int32_t>;
  struct Core {
    size_t segment = 0;
    int32_t left = 0;  // events of the segment that have not run
    std::vector<int32_t> waits;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<Ready>> ready;
  };

  // Starts the current segment of a core, if there is one.
  void Begin(int32_t c) {
    Core& core = cores_[c];
    const CoreTrace& trace = trace_.cores[c];
    if (core.segment == trace.segments.size()) return;
    const Segment& segment = trace.segments[core.segment];
    core.left = segment.end - segment.begin;
    if (segment.meeting >= 0 && !trace_.meetings[segment.meeting].dropped) {
      const Meeting& meeting = trace_.meetings[segment.meeting];
      if (++arrived_[segment.meeting] == meeting.num_cores) {
        full_.push_back(segment.meeting);
      }
      return;
    }
    for (int32_t e = segment.begin; e < segment.end; ++e) {
      if (core.waits[e] == 0) core.ready.emplace(priorities_[c][e], e);
    }
  }

  // A meeting may follow another at once, and so on, as often as there are.
  void MeetAll() {
    while (!full_.empty() && !outcome_.fault) {
      const Meeting& meeting = trace_.meetings[full_.front()];
      full_.pop_front();
      Meet(meeting);
    }
  }

  // All are there: their accesses are one access.
  void Meet(const Meeting& meeting) {
    for (const auto& [c, e] : meeting.events) {
      outcome_.executed.emplace_back(c, e);
      outcome_.fault = memories_.Read(c, e);
      if (outcome_.fault) return;
    }
    for (const auto& [c, e] : meeting.events) memories_.Write(c, e);
    for (const auto& [c, e] : meeting.events) {
      ++cores_[c].segment;
      Begin(c);
    }
  }

  void RunOne(int32_t c) {
    Core& core = cores_[c];
    const CoreTrace& trace = trace_.cores[c];
    const int32_t e = core.ready.top().second;
    core.ready.pop();
    outcome_.executed.emplace_back(c, e);
    outcome_.fault = memories_.Read(c, e);
    if (outcome_.fault) return;
    memories_.Write(c, e);
    for (size_t i = trace.begins[e]; i < trace.begins[e + 1]; ++i) {
      const int32_t later = trace.later[i];
      if (--core.waits[later] == 0) {
        core.ready.emplace(priorities_[c][later], later);
      }
    }
    if (--core.left > 0) return;
    ++core.segment;
    Begin(c);
    MeetAll();
  }

  const Trace& trace_;
  const Priorities& priorities_;
  Memories memories_;
  std::vector<Core> cores_;
  std::vector<int32_t> arrived_;  // by meeting
  std::deque<int32_t> full_;      // meetings that all have come to
  Outcome outcome_;
};

}  // namespace

absl::string_view Name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kProgram:
      return "program order";
    case Strategy::kLatest:
      return "latest first";
    case Strategy::kRush:
      return "rush";
    case Strategy::kDelay:
      return "delay";
    case Strategy::kRandom:
      return "random";
    case Strategy::kAll:
      return "every order";
  }
  return "";
}

Outcome RunSchedule(const Layout& layout, const Trace& trace,
                    const Expectation& expectation, Strategy strategy,
                    int64_t turn, Rng& rng) {
  const Priorities priorities = Prioritise(trace, strategy, turn, rng);
  std::vector<int32_t> order;
  for (size_t c = 0; c < trace.cores.size(); ++c) {
    order.push_back(static_cast<int32_t>(c));
  }
  Turns turns = Turns::kUntilItWaits;
  if (strategy != Strategy::kProgram) {
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[rng.Below(i)]);
    }
    turns = static_cast<Turns>(rng.Below(3));
  }
  return Runner(layout, trace, expectation, priorities)
      .Run(order, turns, rng, expectation.complete());
}

}  // namespace berth::machine
