// Plain and fast first fit side by side, for tests and fuzz targets.
#ifndef BERTH_TESTS_PLACEMENT_FIRST_FIT_CHECKER_H_
#define BERTH_TESTS_PLACEMENT_FIRST_FIT_CHECKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/rng.h"
#include "allocator/placement/problem.h"

namespace berth {

struct FirstFitCheck {
  // Events a window of WindowFirstFit; 0: its own choice.
  int64_t events_per_window = 0;
  // Besides the regions' questions, others, with starts and ceilings that are
  // not theirs (drawn from `seed`).
  bool extra_questions = false;
  uint64_t seed = 1;
};

// Places the nodes of `order` by PlainFirstFit and WindowFirstFit, and by
// SweepFirstFit if it serves, and compares every answer. Empty if all are
// equal, else which question differs and how. A node that fits nowhere is left
// out by both.
std::string FirstFitDifference(const Problem& problem,
                               absl::Span<const int32_t> order,
                               const FirstFitCheck& check);

// All nodes by first time, of equal ones by id.
std::vector<int32_t> OrderByStart(const Problem& problem);

// A random order of all nodes.
std::vector<int32_t> RandomOrder(const Problem& problem, Rng& rng);

}  // namespace berth

#endif  // BERTH_TESTS_PLACEMENT_FIRST_FIT_CHECKER_H_
