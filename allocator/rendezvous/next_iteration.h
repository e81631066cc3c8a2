// What happens before what round the back edges of loops in which cores meet:
// an access of one iteration against one of the next.
//
// CoreOrder speaks of one iteration: what two cores do in it is ordered by its
// own rendezvous. But a core goes on to its next iteration without waiting for
// the others: with one rendezvous only between a def on core 0 and a use on
// core 1, core 0 may define anew before core 1 has read. So the clocks of an
// iteration are carried on through a second one.
//
// Thread-safety: none for one object.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_NEXT_ITERATION_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_NEXT_ITERATION_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {

class NextIteration {
 public:
  // Keeps a reference.
  explicit NextIteration(const CoreOrder& order) : order_(order) {}

  // Whether all that `core` does at `time` of one iteration of a class of loops
  // happens before all that `other` does at `other_time` of the next one.
  // REQUIRES: both times lie in a loop of the class. Cost: O(log points of the
  // loop); the first time for a class, O(points * cores of its loops).
  bool Before(int32_t loop_class, int32_t core, int32_t time, int32_t other,
              int32_t other_time);

 private:
  // The second iteration of a class. Cores are numbered as its loops are.
  struct Carried {
    std::vector<int32_t> number_of_core;  // -1: has none of the loops
    // By loop: a point, and the row that holds behind it.
    std::vector<std::vector<std::pair<int32_t, int32_t>>> rows;
    // By row, then loop: the last time of its core in the first iteration that
    // happens before.
    std::vector<int32_t> clocks;
  };
  class Runner;

  const CoreOrder& order_;
  absl::flat_hash_map<int32_t, Carried> carried_;  // by class
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_NEXT_ITERATION_H_
