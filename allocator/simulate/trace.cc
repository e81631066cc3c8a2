#include "allocator/simulate/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/model/check_program.h"
#include "allocator/model/names.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/shared_loops.h"

namespace berth::machine {
namespace {

using Kind = TraceEvent::Kind;

constexpr int kMaxSharedIterations = 3;

uint64_t Mix(uint64_t a, uint64_t b) {
  return Rng(a * 0x9e3779b97f4a7c15u + b).Next();
}

// The k-th meeting of each name, for all cores.
class MeetingTable {
 public:
  MeetingTable(const CoreOrder& order, Trace& trace)
      : order_(order), trace_(trace) {}

  int32_t Find(absl::string_view name, int32_t ordinal) {
    std::vector<int32_t>& of_name = ids_[name];
    while (static_cast<int32_t>(of_name.size()) <= ordinal) {
      of_name.push_back(static_cast<int32_t>(trace_.meetings.size()));
      Meeting& meeting = trace_.meetings.emplace_back();
      meeting.num_cores =
          static_cast<int32_t>(order_.CoresThatMeet(name).size());
    }
    return of_name[ordinal];
  }

 private:
  const CoreOrder& order_;
  Trace& trace_;
  absl::flat_hash_map<absl::string_view, std::vector<int32_t>> ids_;
};

// Instructions and edges of a path per event that it may have.
constexpr int64_t kMaxStepsPerEvent = 4;

// Walks one core's path.
class Walker {
 public:
  Walker(const Layout& layout, const CoreOrder& order, const SharedLoops& loops,
         const TraceOptions& options, int32_t core, MeetingTable& meetings,
         Trace& trace)
      : layout_(layout),
        core_layout_(layout.cores[core]),
        order_(order),
        loops_(loops),
        options_(options),
        core_(core),
        meetings_(meetings),
        trace_(trace),
        out_(trace.cores[core]),
        rng_(Mix(options.seed, static_cast<uint64_t>(core) + 1)) {
    // A path may visit everything a few times before it heads for the exit.
    max_wander_ = 256;
    for (const FunctionLayout& f : core_layout_.functions) {
      max_wander_ += 4 * static_cast<int64_t>(f.instructions.size());
    }
  }

  void Walk() {
    for (const int32_t root : core_layout_.roots) {
      Enter(root);
      while (!frames_.empty()) {
        // Steps too: a loop of empty blocks has no events.
        if (static_cast<int64_t>(out_.events.size()) >= options_.max_events ||
            ++steps_ > kMaxStepsPerEvent * options_.max_events) {
          out_.complete = false;
          return;
        }
        Step();
      }
    }
  }

 private:
  struct SharedLoop {
    int32_t loop;
    int32_t iterations;
    int32_t done = 0;
  };
  struct Frame {
    int32_t function;
    int32_t activation;
    int32_t block = 0;
    int32_t next = 0;  // flat index of the next instruction
    std::vector<SharedLoop> loops;
  };

  const FunctionLayout& LayoutOf(const Frame& frame) const {
    return core_layout_.functions[frame.function];
  }

  TraceEvent& Add(Kind kind, bool alone, int32_t flat = -1) {
    const Frame& frame = frames_.back();
    const auto index = static_cast<int32_t>(out_.events.size());
    TraceEvent event;
    event.kind = kind;
    event.function = frame.function;
    event.flat = flat;
    event.activation = frame.activation;
    event.writer = static_cast<int32_t>(trace_.writers.size());
    trace_.writers.emplace_back(core_, index);
    out_.events.push_back(event);
    if (alone || !open_) out_.segments.push_back({index, index, -1});
    out_.segments.back().end = index + 1;
    open_ = !alone;
    return out_.events.back();
  }

  void Enter(int32_t function) {
    Frame& frame = frames_.emplace_back();
    frame.function = function;
    frame.activation = trace_.num_activations++;
    Add(Kind::kEnter, /*alone=*/true);
    if (!LayoutOf(frame).function->blocks.empty()) EnterBlock(0);
  }

  void EnterBlock(int32_t block) {
    Frame& frame = frames_.back();
    frame.block = block;
    frame.next = LayoutOf(frame).block_starts[block];
    while (
        !frame.loops.empty() &&
        !loops_.Holds(core_, frame.function, frame.loops.back().loop, block)) {
      frame.loops.pop_back();
      --depth_;
    }
    // Loops that begin here, the outer ones first.
    std::vector<int32_t> begin;
    const int32_t around = frame.loops.empty() ? -1 : frame.loops.back().loop;
    for (int32_t loop = loops_.LoopOf(core_, frame.function, block);
         loop >= 0 && loop != around;
         loop = loops_.Parent(core_, frame.function, loop)) {
      begin.push_back(loop);
    }
    for (auto loop = begin.rbegin(); loop != begin.rend(); ++loop) {
      const int32_t loop_class =
          loops_.ClassOf(core_, frame.function, *loop, ++depth_);
      const uint64_t draw =
          Mix(Mix(options_.seed, static_cast<uint64_t>(loop_class)),
              static_cast<uint64_t>(times_in_class_[loop_class]++));
      // Loops around may count by what an inner one meets.
      const bool may_take_none =
          depth_ == 1 && loop_class >= 0 && loops_.MayTakeNone(loop_class);
      const auto iterations =
          static_cast<int32_t>(draw % (kMaxSharedIterations + 1));
      frame.loops.push_back(
          {*loop, std::max(iterations, may_take_none ? 0 : 1)});
      trace_.branched = true;
    }
  }

  void Step() {
    Frame& frame = frames_.back();
    const FunctionLayout& f = LayoutOf(frame);
    if (f.function->blocks.empty()) return Leave();
    if (frame.next < f.block_starts[frame.block + 1]) {
      const int32_t flat = frame.next++;
      return Run(*f.instructions[flat], flat);
    }
    const std::vector<int32_t>& successors =
        f.function->blocks[frame.block].successors;
    if (successors.empty()) return Leave();
    const int32_t to = Choose(frame, successors);
    if (f.graph.LeadsBack(frame.block, to)) open_ = false;
    EnterBlock(to);
  }

  void Run(const Instruction& instruction, int32_t flat) {
    if (instruction.kind == InstructionKind::kCall) {
      Add(Kind::kCallBegin, /*alone=*/true, flat);
      return Enter(instruction.callee);
    }
    const int32_t function = frames_.back().function;
    const bool meets =
        layout_.RendezvousCount() && order_.Meets({core_, function, flat});
    TraceEvent& event = Add(Kind::kInstruction, meets, flat);
    if (meets) Meet(instruction.name, flat, event);
  }

  void Meet(absl::string_view name, int32_t flat, TraceEvent& event) {
    for (Frame& frame : frames_) {
      for (SharedLoop& loop : frame.loops) {
        if (loops_.CountedName(core_, frame.function, loop.loop) == name) {
          ++loop.done;
        }
      }
    }
    event.meeting = meetings_.Find(name, times_met_[name]++);
    out_.segments.back().meeting = event.meeting;
    Meeting& meeting = trace_.meetings[event.meeting];
    const auto index = static_cast<int32_t>(out_.events.size()) - 1;
    meeting.events.emplace_back(core_, index);
    // Accesses of one rendezvous are one access (spec §10).
    const auto& [core, first] = meeting.events.front();
    event.writer = trace_.cores[core].events[first].writer;
    if (options_.dropped_rendezvous >= 0) {
      const Rendezvous& dropped =
          order_.rendezvous()[options_.dropped_rendezvous];
      const CodePlace place = {core_, event.function, flat};
      for (const CodePlace& at : dropped.places) {
        if (at == place) meeting.dropped = true;
      }
    }
  }

  void Leave() {
    Add(Kind::kExit, /*alone=*/true);
    depth_ -= static_cast<int32_t>(frames_.back().loops.size());
    frames_.pop_back();
    if (frames_.empty()) return;
    Add(Kind::kCallEnd, /*alone=*/true, frames_.back().next - 1);
  }

  // A successor: as the shared loops around want it, else any; once the path is
  // long, one that leads to an exit soonest.
  int32_t Choose(const Frame& frame, std::vector<int32_t> next) {
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    if (next.size() == 1) return next.front();
    trace_.branched = true;
    for (auto loop = frame.loops.rbegin(); loop != frame.loops.rend(); ++loop) {
      const bool stay = loop->done < loop->iterations;
      std::vector<int32_t> wanted;
      for (const int32_t to : next) {
        if (loops_.Holds(core_, frame.function, loop->loop, to) == stay) {
          wanted.push_back(to);
        }
      }
      if (!wanted.empty()) next = std::move(wanted);
    }
    if (static_cast<int64_t>(out_.events.size()) < max_wander_) {
      return next[rng_.Below(next.size())];
    }
    const std::vector<int32_t>& steps = LayoutOf(frame).steps_to_exit;
    return *std::min_element(next.begin(), next.end(),
                             [&](int32_t a, int32_t b) {
                               return static_cast<uint32_t>(steps[a]) <
                                      static_cast<uint32_t>(steps[b]);
                             });
  }

  const Layout& layout_;
  const CoreLayout& core_layout_;
  const CoreOrder& order_;
  const SharedLoops& loops_;
  const TraceOptions& options_;
  const int32_t core_;
  MeetingTable& meetings_;
  Trace& trace_;
  CoreTrace& out_;
  Rng rng_;
  int64_t steps_ = 0;
  int64_t max_wander_ = 0;
  bool open_ = false;  // the last segment may take further instructions
  int32_t depth_ = 0;  // of shared loops, calls counted in
  std::vector<Frame> frames_;
  absl::flat_hash_map<int32_t, int32_t> times_in_class_;
  absl::flat_hash_map<absl::string_view, int32_t> times_met_;
};

// Dependences among the events of each segment.
void AddEdges(const CoreLayout& layout, CoreTrace& core) {
  // By function and flat index: the last event of it.
  std::vector<std::vector<int32_t>> last(layout.functions.size());
  std::vector<std::pair<int32_t, int32_t>> edges;  // earlier, later
  core.waits.assign(core.events.size(), 0);
  for (const Segment& segment : core.segments) {
    if (segment.end - segment.begin < 2) continue;
    const int32_t function = core.events[segment.begin].function;
    const FunctionLayout& f = layout.functions[function];
    last[function].resize(f.instructions.size(), -1);
    for (int32_t e = segment.begin; e < segment.end; ++e) {
      const int32_t flat = core.events[e].flat;
      last[function][flat] = e;
      for (size_t i = f.begins[flat]; i < f.begins[flat + 1]; ++i) {
        const int32_t earlier = last[function][f.earlier[i]];
        if (earlier < segment.begin) continue;
        edges.emplace_back(earlier, e);
        ++core.waits[e];
      }
    }
  }
  core.begins.assign(core.events.size() + 1, 0);
  for (const auto& [earlier, later] : edges) ++core.begins[earlier + 1];
  for (size_t i = 1; i < core.begins.size(); ++i) {
    core.begins[i] += core.begins[i - 1];
  }
  core.later.resize(edges.size());
  std::vector<size_t> next(core.begins.begin(), core.begins.end() - 1);
  for (const auto& [earlier, later] : edges)
    core.later[next[earlier]++] = later;
}

}  // namespace

int64_t Trace::num_events() const {
  int64_t sum = 0;
  for (const CoreTrace& core : cores) {
    sum += static_cast<int64_t>(core.events.size());
  }
  return sum;
}

Trace MakeTrace(const Layout& layout, const CoreOrder& order,
                const SharedLoops& loops, const TraceOptions& options) {
  Trace trace;
  trace.cores.resize(layout.cores.size());
  MeetingTable meetings(order, trace);
  for (size_t c = 0; c < layout.cores.size(); ++c) {
    Walker(layout, order, loops, options, static_cast<int32_t>(c), meetings,
           trace)
        .Walk();
    AddEdges(layout.cores[c], trace.cores[c]);
  }
  return trace;
}

std::string Label(const Layout& layout, int32_t core, const TraceEvent& event) {
  const FunctionLayout& f = layout.cores[core].functions[event.function];
  const auto instruction = [&] {
    return QuotedName(
        InstructionLabel(*f.instructions[event.flat], event.flat));
  };
  switch (event.kind) {
    case Kind::kEnter:
      return absl::StrCat("entry of ", QuotedName(f.function->name));
    case Kind::kExit:
      return absl::StrCat("exit of ", QuotedName(f.function->name));
    case Kind::kCallBegin:
      return absl::StrCat("call ", instruction());
    case Kind::kCallEnd:
      return absl::StrCat("return of ", instruction());
    case Kind::kInstruction:
      return instruction();
  }
  return "";
}

std::string Describe(const Layout& layout, int32_t core,
                     const TraceEvent& event) {
  return absl::StrCat(Describe(layout, core, event.function), ", ",
                      event.kind == Kind::kInstruction ? "instruction " : "",
                      Label(layout, core, event));
}

}  // namespace berth::machine
