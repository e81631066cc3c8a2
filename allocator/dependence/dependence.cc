#include "allocator/dependence/dependence.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/dependence/byte_accesses.h"
#include "allocator/dependence/forward_flow.h"
#include "allocator/dependence/forward_graph.h"
#include "allocator/dependence/range_sets.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// Walks the blocks in the order of the DAG with the last writers and the
// readers since them of every byte.
class Analysis {
 public:
  // `same`: edges of one location, all kinds; else of different ones, without
  // flow.
  Analysis(const Function& function, const ByteAccesses& accesses, bool same)
      : function_(function),
        accesses_(accesses),
        same_(same),
        graph_(function),
        writers_(accesses.num_positions()),
        readers_(accesses.num_positions()) {
    for (auto& last : last_edge_) {
      last.assign(accesses.num_instructions(), -1);
    }
  }

  std::vector<Dependence> Run() {
    std::vector<int32_t> starts = {0};
    for (const Block& block : function_.blocks) {
      starts.push_back(starts.back() +
                       static_cast<int32_t>(block.instructions.size()));
    }
    FlowForward(
        graph_, State(),
        [&] {
          writers_.BeginEpoch();
          readers_.BeginEpoch();
        },
        [&](const State& a, const State& b) -> State {
          return {writers_.Join(a.writers, b.writers),
                  readers_.Join(a.readers, b.readers)};
        },
        [&](int32_t block, State& state) {
          for (int32_t a = accesses_.BeginOf(starts[block]);
               a < accesses_.BeginOf(starts[block + 1]); ++a) {
            Pass(a, state);
          }
        });
    std::sort(edges_.begin(), edges_.end(),
              [](const Dependence& a, const Dependence& b) {
                return std::tie(a.later, a.earlier, a.kind) <
                       std::tie(b.later, b.earlier, b.kind);
              });
    return std::move(edges_);
  }

 private:
  struct State {
    RangeSets::Version writers = RangeSets::kEmpty;
    RangeSets::Version readers = RangeSets::kEmpty;
  };

  void Pass(int32_t index, State& state) {
    const ByteAccess& access = accesses_.all()[index];
    found_.clear();
    if (!access.write) {
      if (same_) {
        writers_.Collect(state.writers, access.lo, access.hi, found_);
        AddEdges(access, DependenceKind::kFlow);
      }
      state.readers = readers_.Add(state.readers, access.lo, access.hi, index);
      return;
    }
    state.writers = writers_.Take(state.writers, access.lo, access.hi, found_);
    AddEdges(access, DependenceKind::kOutput);
    found_.clear();
    state.readers = readers_.Take(state.readers, access.lo, access.hi, found_);
    AddEdges(access, DependenceKind::kAnti);
    state.writers = writers_.Add(state.writers, access.lo, access.hi, index);
  }

  // From every access in found_ to `access`.
  void AddEdges(const ByteAccess& access, DependenceKind kind) {
    std::vector<int32_t>& last = last_edge_[static_cast<int>(kind)];
    for (const int32_t index : found_) {
      const ByteAccess& earlier = accesses_.all()[index];
      if (earlier.instruction == access.instruction) continue;
      if ((earlier.location == access.location) != same_) continue;
      int32_t& later = last[earlier.instruction];
      if (later == access.instruction) continue;
      later = access.instruction;
      edges_.push_back({earlier.instruction, access.instruction, kind});
    }
  }

  const Function& function_;
  const ByteAccesses& accesses_;
  const bool same_;
  const ForwardGraph graph_;
  RangeSets writers_;
  RangeSets readers_;
  std::vector<int32_t> found_;
  // By kind and earlier instruction: the last one that it has an edge to.
  std::vector<int32_t> last_edge_[kNumDependenceKinds];
  std::vector<Dependence> edges_;
};

}  // namespace

absl::string_view Name(DependenceKind kind) {
  switch (kind) {
    case DependenceKind::kFlow:
      return "flow";
    case DependenceKind::kAnti:
      return "anti";
    case DependenceKind::kOutput:
      return "output";
  }
  return "";
}

std::vector<Dependence> BuildFdeps(const Function& function) {
  const ByteAccesses accesses = ByteAccesses::Private(function);
  return Analysis(function, accesses, /*same=*/true).Run();
}

std::vector<Dependence> PlacementDependences(const Function& function,
                                             Space space) {
  const ByteAccesses accesses = ByteAccesses::Placed(function, space);
  return Analysis(function, accesses, /*same=*/false).Run();
}

void DependenceCounts::Count(const std::vector<Dependence>& edges) {
  for (const Dependence& edge : edges) ++of[static_cast<int>(edge.kind)];
}

}  // namespace berth
