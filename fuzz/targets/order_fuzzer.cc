// The elimination order (spec §8): reference and fast path are one (I7), each
// node comes once, and the fast path's work stays within bounds.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "allocator/placement/order.h"
#include "allocator/placement/problem.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/problem_input.h"

namespace berth::fuzz {
namespace {

void CheckEachOnce(const Problem& problem, std::vector<int32_t> pushed) {
  std::sort(pushed.begin(), pushed.end());
  ORACLE(static_cast<int32_t>(pushed.size()) == problem.num_nodes());
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    ORACLE(pushed[id] == id, "node ", id, " is missing or there twice");
  }
}

// Every removal looks at what is live with the removed node, and at the path of
// a tree for each. The factor is not derived: no problem of the corpus or of a
// long run came up to it, and a fast path that lost its pruning passes it.
uint64_t VisitBound(const Problem& problem) {
  const uint64_t nodes = problem.num_nodes();
  const uint64_t runs = problem.live.values.size();
  return 32 + 12 * nodes * (runs + 1);
}

void Run(absl::string_view input) {
  const Problem problem = DecodeProblem(input);
  if (!CheckProblem(problem).ok()) return;
  const EliminationOrder reference = ReferenceOrder(problem);
  const EliminationOrder fast = BriggsOrder(problem);
  ORACLE(reference.pushed == fast.pushed, "reference ",
         absl::StrJoin(reference.pushed, " "), "\nbriggs    ",
         absl::StrJoin(fast.pushed, " "));
  CheckEachOnce(problem, fast.pushed);
  ORACLE(fast.visits <= VisitBound(problem), fast.visits, " visits of ",
         problem.num_nodes(), " nodes");
  // Nobody else's bytes count: pins are in neither load nor pressure.
  Problem without_pins = problem;
  without_pins.pins.clear();
  without_pins.pin_live = IntervalTable();
  ORACLE(BriggsOrder(without_pins).pushed == fast.pushed, "pins matter");
}

const bool kRegistered = RegisterTarget({
    .name = "order_fuzzer",
    .summary = "reference and fast elimination order are one",
    .max_bytes = kMaxProblemBytes,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
