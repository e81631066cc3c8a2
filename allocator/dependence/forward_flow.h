// Forward dataflow along the CFG without back edges: each block starts with
// what its predecessors ended with. Part of dependence.h and
// shared_dependence.h.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_FORWARD_FLOW_H_
#define BERTH_ALLOCATOR_DEPENDENCE_FORWARD_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/dependence/forward_graph.h"

namespace berth {

// `states` joined in pairs, so that neighbours, which differ least, come first.
// REQUIRES: not empty.
template <typename State, typename Join>
State JoinAll(std::vector<State> states, Join join) {
  while (states.size() > 1) {
    size_t joined = 0;
    for (size_t i = 0; i + 1 < states.size(); i += 2) {
      states[joined++] = join(states[i], states[i + 1]);
    }
    if (states.size() % 2 == 1) states[joined++] = states.back();
    states.resize(joined);
  }
  return states.front();
}

// Calls begin(), then pass(block, state), for every block in the order of
// `graph`; state is `start` where nothing leads to the block. Returns the
// states at the ends of the blocks.
template <typename State, typename Begin, typename Join, typename Pass>
std::vector<State> FlowForward(const ForwardGraph& graph, const State& start,
                               Begin begin, Join join, Pass pass) {
  std::vector<State> ends(graph.order().size());
  for (const int32_t block : graph.order()) {
    begin();
    std::vector<State> states;
    for (const int32_t before : graph.Predecessors(block)) {
      states.push_back(ends[before]);
    }
    State state = states.empty() ? start : JoinAll(std::move(states), join);
    pass(block, state);
    ends[block] = state;
  }
  return ends;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_FORWARD_FLOW_H_
