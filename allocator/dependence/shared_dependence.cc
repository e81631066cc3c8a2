#include "allocator/dependence/shared_dependence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "allocator/base/check.h"
#include "allocator/dependence/byte_accesses.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/forward_flow.h"
#include "allocator/dependence/forward_graph.h"
#include "allocator/dependence/range_sets.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {
namespace {

enum class Role : uint8_t {
  kFirstWrite,  // the function's first of these bytes, on some path
  kLastWrite,   // nothing writes them later, on some path
  kLastRead,    // the same of a read
  kKill,        // every path writes them
};

// Bytes [begin, end) of the window, as one function of one core uses them.
struct Exposure {
  int32_t tensor = 0;
  Role role = Role::kKill;
  CodePlace place;  // flat -1 of kKill
  uint64_t begin = 0;
  uint64_t end = 0;
};

// What one function does to the shared tensors, as others see it.
class FunctionExposure {
 public:
  FunctionExposure(const Function& function, int32_t core, int32_t index,
                   TensorOf tensor_of, std::vector<Exposure>& out)
      : function_(function),
        core_(core),
        index_(index),
        tensor_of_(tensor_of),
        out_(out),
        accesses_(ByteAccesses::PrivateShared(function)),
        graph_(function),
        writers_(accesses_.num_positions()),
        readers_(accesses_.num_positions()),
        before_(accesses_.num_positions()) {}

  void Run() {
    if (accesses_.all().empty()) return;
    State start;
    for (const auto& [lo, hi] : Lines()) {
      start.before = before_.Add(start.before, lo, hi, 0);
    }
    std::vector<int32_t> starts = {0};
    for (const Block& block : function_.blocks) {
      starts.push_back(starts.back() +
                       static_cast<int32_t>(block.instructions.size()));
    }
    const auto join = [&](const State& a, const State& b) -> State {
      return {writers_.Join(a.writers, b.writers),
              readers_.Join(a.readers, b.readers),
              before_.Join(a.before, b.before)};
    };
    const std::vector<State> ends = FlowForward(
        graph_, start,
        [&] {
          writers_.BeginEpoch();
          readers_.BeginEpoch();
          before_.BeginEpoch();
        },
        join,
        [&](int32_t block, State& state) {
          for (int32_t a = accesses_.BeginOf(starts[block]);
               a < accesses_.BeginOf(starts[block + 1]); ++a) {
            Pass(a, state);
          }
        });
    ExposeEnd(JoinAll(AtEnds(ends), join));
  }

 private:
  struct State {
    RangeSets::Version writers = RangeSets::kEmpty;
    RangeSets::Version readers = RangeSets::kEmpty;
    RangeSets::Version before = RangeSets::kEmpty;  // no write on some path
  };

  // The positions of each location, [first, last).
  std::vector<std::pair<int32_t, int32_t>> Lines() const {
    std::vector<std::pair<int32_t, int32_t>> lines;
    int32_t first = 0;
    for (int32_t p = 1; p <= accesses_.num_positions(); ++p) {
      if (p < accesses_.num_positions() &&
          accesses_.LineOf(p) == accesses_.LineOf(first)) {
        continue;
      }
      lines.emplace_back(first, p - 1);
      first = p;
    }
    return lines;
  }

  // States of the blocks that nothing follows, back edges aside.
  std::vector<State> AtEnds(const std::vector<State>& ends) const {
    std::vector<bool> followed(ends.size(), false);
    for (const int32_t block : graph_.order()) {
      for (const int32_t before : graph_.Predecessors(block)) {
        followed[before] = true;
      }
    }
    std::vector<State> states;
    for (const int32_t block : graph_.order()) {
      if (!followed[block]) states.push_back(ends[block]);
    }
    return states;
  }

  void Pass(int32_t index, State& state) {
    const ByteAccess& access = accesses_.all()[index];
    if (!access.write) {
      state.readers = readers_.Add(state.readers, access.lo, access.hi, index);
      return;
    }
    found_.clear();
    before_.CollectRanges(state.before, access.lo, access.hi, found_);
    for (const RangeSets::Found& f : found_) {
      Expose(Role::kFirstWrite, access.instruction, f.lo, f.hi);
    }
    ids_.clear();
    state.before = before_.Take(state.before, access.lo, access.hi, ids_);
    state.readers = readers_.Take(state.readers, access.lo, access.hi, ids_);
    state.writers = writers_.Take(state.writers, access.lo, access.hi, ids_);
    state.writers = writers_.Add(state.writers, access.lo, access.hi, index);
  }

  void ExposeEnd(const State& end) {
    const int32_t last = accesses_.num_positions();
    found_.clear();
    writers_.CollectRanges(end.writers, 0, last, found_);
    for (const RangeSets::Found& f : found_) {
      Expose(Role::kLastWrite, accesses_.all()[f.id].instruction, f.lo, f.hi);
    }
    found_.clear();
    readers_.CollectRanges(end.readers, 0, last, found_);
    for (const RangeSets::Found& f : found_) {
      Expose(Role::kLastRead, accesses_.all()[f.id].instruction, f.lo, f.hi);
    }
    for (const auto& [lo, hi] : Lines()) {
      found_.clear();
      before_.CollectRanges(end.before, lo, hi, found_);
      int32_t next = lo;
      for (const RangeSets::Found& f : found_) {
        if (next < f.lo) Expose(Role::kKill, -1, next, f.lo);
        next = f.hi;
      }
      if (next < hi) Expose(Role::kKill, -1, next, hi);
    }
  }

  // Positions [lo, hi) lie in one location.
  void Expose(Role role, int32_t flat, int32_t lo, int32_t hi) {
    const int32_t index = accesses_.LineOf(lo);
    const Location& location = function_.locations[index];
    const int32_t tensor = tensor_of_(core_, index_, index);
    if (!location.address || tensor < 0) return;
    out_.push_back({tensor,
                    role,
                    {core_, index_, flat},
                    *location.address + accesses_.OffsetOf(lo),
                    *location.address + accesses_.OffsetOf(hi)});
  }

  const Function& function_;
  const int32_t core_;
  const int32_t index_;
  TensorOf tensor_of_;
  std::vector<Exposure>& out_;
  const ByteAccesses accesses_;
  const ForwardGraph graph_;
  RangeSets writers_;
  RangeSets readers_;
  RangeSets before_;
  std::vector<RangeSets::Found> found_;
  std::vector<int32_t> ids_;
};

}  // namespace

// Takes edges in any order, some more than once.
class CrossDependenceBuilder {
 public:
  explicit CrossDependenceBuilder(const std::vector<const Module*>& modules) {
    uint64_t next = 0;
    for (const Module* module : modules) {
      for (size_t f = 0; f < module->functions.size(); ++f) {
        result_.functions_.push_back({module->core, static_cast<int32_t>(f),
                                      static_cast<uint32_t>(next)});
        next += module->functions[f].num_instructions();
      }
      first_function_.push_back(result_.functions_.size());
    }
    BERTH_CHECK(next < uint64_t{1} << 32);
    num_ids_ = next;
  }

  uint32_t IdOf(const CodePlace& place) const {
    const size_t before = place.core == 0 ? 0 : first_function_[place.core - 1];
    return result_.functions_[before + place.function].first +
           static_cast<uint32_t>(place.flat);
  }

  void Add(uint32_t earlier, uint32_t later, DependenceKind kind) {
    edges_[static_cast<int>(kind)].push_back(uint64_t{later} << 32 | earlier);
  }

  CrossDependences Build() && {
    for (int kind = 0; kind < kNumDependenceKinds; ++kind) {
      Pack(edges_[kind], result_.of_kind_[kind]);
      edges_[kind] = {};
    }
    return std::move(result_);
  }

 private:
  // A bucket for each later instruction; each is sorted by itself.
  void Pack(const std::vector<uint64_t>& edges,
            CrossDependences::OfKind& out) const {
    if (edges.empty()) return;
    std::vector<size_t> begins(num_ids_ + 1, 0);
    for (const uint64_t edge : edges) ++begins[(edge >> 32) + 1];
    for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    out.earlier.resize(edges.size());
    std::vector<size_t> next(begins.begin(), begins.end() - 1);
    for (const uint64_t edge : edges) {
      out.earlier[next[edge >> 32]++] = static_cast<uint32_t>(edge);
    }
    size_t kept = 0;
    out.begins = {0};
    out.begins.reserve(begins.size());
    for (size_t i = 0; i + 1 < begins.size(); ++i) {
      const auto first = out.earlier.begin() + begins[i];
      const auto last = out.earlier.begin() + begins[i + 1];
      std::sort(first, last);
      const auto end = std::unique(first, last);
      kept = static_cast<size_t>(
          std::copy(first, end, out.earlier.begin() + kept) -
          out.earlier.begin());
      out.begins.push_back(kept);
    }
    out.earlier.resize(kept);
    out.earlier.shrink_to_fit();
  }

  CrossDependences result_;
  std::vector<size_t> first_function_;  // by core: behind its last
  size_t num_ids_ = 0;
  std::vector<uint64_t> edges_[kNumDependenceKinds];
};

namespace {

// Goes through the tensors in the order of their phases.
class Sweep {
 public:
  Sweep(const std::vector<const Module*>& modules,
        std::vector<Exposure> exposures)
      : edges_(modules),
        exposures_(std::move(exposures)),
        points_(Points(exposures_)),
        writers_(static_cast<int32_t>(points_.size())),
        readers_(static_cast<int32_t>(points_.size())) {}

  CrossDependences Run() {
    size_t begin = 0;
    while (begin < exposures_.size()) {
      size_t end = begin;
      while (end < exposures_.size() &&
             exposures_[end].tensor == exposures_[begin].tensor) {
        ++end;
      }
      OneTensor(begin, end);
      begin = end;
    }
    return std::move(edges_).Build();
  }

 private:
  static std::vector<uint64_t> Points(const std::vector<Exposure>& exposures) {
    std::vector<uint64_t> points;
    for (const Exposure& exposure : exposures) {
      points.push_back(exposure.begin);
      points.push_back(exposure.end);
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }

  int32_t PositionOf(uint64_t byte) const {
    return static_cast<int32_t>(
        std::lower_bound(points_.begin(), points_.end(), byte) -
        points_.begin());
  }

  // First writes, then what ends, then what the tensor leaves.
  void OneTensor(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Exposure& e = exposures_[i];
      if (e.role != Role::kFirstWrite) continue;
      AddEdges(e, writers_, written_, DependenceKind::kOutput);
      AddEdges(e, readers_, read_, DependenceKind::kAnti);
    }
    for (size_t i = begin; i < end; ++i) {
      const Exposure& e = exposures_[i];
      if (e.role != Role::kKill) continue;
      const int32_t lo = PositionOf(e.begin);
      const int32_t hi = PositionOf(e.end);
      ids_.clear();
      written_ = writers_.Take(written_, lo, hi, ids_);
      read_ = readers_.Take(read_, lo, hi, ids_);
    }
    for (size_t i = begin; i < end; ++i) {
      const Exposure& e = exposures_[i];
      const int32_t lo = PositionOf(e.begin);
      const int32_t hi = PositionOf(e.end);
      const auto id = static_cast<int32_t>(i);
      if (e.role == Role::kLastWrite) {
        written_ = writers_.Add(written_, lo, hi, id);
      }
      if (e.role == Role::kLastRead) {
        read_ = readers_.Add(read_, lo, hi, id);
      }
    }
  }

  void AddEdges(const Exposure& write, RangeSets& sets,
                RangeSets::Version version, DependenceKind kind) {
    ids_.clear();
    sets.Collect(version, PositionOf(write.begin), PositionOf(write.end), ids_);
    const uint32_t later = edges_.IdOf(write.place);
    for (const int32_t id : ids_) {
      const CodePlace& earlier = exposures_[id].place;
      if (earlier.core == write.place.core &&
          earlier.function == write.place.function) {
        continue;
      }
      edges_.Add(edges_.IdOf(earlier), later, kind);
    }
  }

  CrossDependenceBuilder edges_;
  const std::vector<Exposure> exposures_;
  const std::vector<uint64_t> points_;
  RangeSets writers_;
  RangeSets readers_;
  RangeSets::Version written_ = RangeSets::kEmpty;
  RangeSets::Version read_ = RangeSets::kEmpty;
  std::vector<int32_t> ids_;
};

}  // namespace

CodePlace CrossDependences::PlaceOf(uint32_t id) const {
  const auto after = std::upper_bound(
      functions_.begin(), functions_.end(), id,
      [](uint32_t at, const FunctionIds& f) { return at < f.first; });
  const FunctionIds& function = *std::prev(after);
  return {function.core, function.function,
          static_cast<int32_t>(id - function.first)};
}

CrossDependences FindCrossDependences(const Program& program,
                                      TensorOf tensor_of,
                                      const IntervalTable& phases) {
  std::vector<Exposure> exposures;
  std::vector<const Module*> modules(program.modules.size());
  for (const Module& module : program.modules) modules[module.core] = &module;
  for (const Module* module : modules) {
    for (size_t f = 0; f < module->functions.size(); ++f) {
      FunctionExposure(module->functions[f], module->core,
                       static_cast<int32_t>(f), tensor_of, exposures)
          .Run();
    }
  }
  const auto first_phase = [&](int32_t tensor) {
    const auto of = phases.of(tensor);
    return of.empty() ? -1 : of.front().lo;
  };
  std::sort(exposures.begin(), exposures.end(),
            [&](const Exposure& a, const Exposure& b) {
              return std::make_tuple(first_phase(a.tensor), a.tensor,
                                     a.place.core, a.place.function,
                                     a.place.flat, a.role, a.begin, a.end) <
                     std::make_tuple(first_phase(b.tensor), b.tensor,
                                     b.place.core, b.place.function,
                                     b.place.flat, b.role, b.begin, b.end);
            });
  return Sweep(modules, std::move(exposures)).Run();
}

}  // namespace berth
