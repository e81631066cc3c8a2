// Loops in which cores meet: all that meet there must take the same number of
// iterations, or some would wait for ever. Part of trace.h.
//
// A loop is of the class of the rendezvous names that it holds, at its depth
// among such loops. The k-th time that a core comes to a loop of one class it
// takes as many iterations as every other core's k-th time.
#ifndef BERTH_ALLOCATOR_SIMULATE_SHARED_LOOPS_H_
#define BERTH_ALLOCATOR_SIMULATE_SHARED_LOOPS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/layout.h"

namespace berth::machine {

class SharedLoops {
 public:
  // Cost: O(sum over loops that hold a rendezvous of their size and depth).
  SharedLoops(const Layout& layout, const CoreOrder& order);

  // The innermost such loop that holds the block: an index for the functions
  // below, or -1.
  int32_t LoopOf(int32_t core, int32_t function, int32_t block) const {
    return functions_[core][function].loop_of_block[block];
  }
  // Of one function's loops, by those indices.
  bool Holds(int32_t core, int32_t function, int32_t loop, int32_t block) const;
  int32_t Parent(int32_t core, int32_t function, int32_t loop) const {
    return functions_[core][function].loops[loop].parent;
  }
  // The name whose meetings count the iterations of the loop.
  absl::string_view CountedName(int32_t core, int32_t function,
                                int32_t loop) const {
    return functions_[core][function].loops[loop].names.front();
  }
  // The class of a loop at a depth (1: outermost).
  int32_t ClassOf(int32_t core, int32_t function, int32_t loop,
                  int32_t depth) const;
  // Every loop of the class may be left before it has met anyone at the name
  // that counts.
  bool MayTakeNone(int32_t loop_class) const {
    return may_take_none_[loop_class];
  }

 private:
  struct Loop {
    int32_t header = 0;
    int32_t parent = -1;
    std::vector<int32_t> blocks;           // sorted
    std::vector<absl::string_view> names;  // in it, calls too; sorted
    bool may_take_none = false;
  };
  struct OfFunction {
    std::vector<Loop> loops;  // outer before inner
    std::vector<int32_t> loop_of_block;
    std::vector<absl::string_view> names;  // in it, calls too; sorted
  };
  using DepthName = std::pair<int32_t, absl::string_view>;

  void FindNames(const Layout& layout, const CoreOrder& order, int32_t core,
                 int32_t function);
  void FindLoops(const FunctionLayout& layout, OfFunction& of) const;
  void NameLoops(const Layout& layout, const CoreOrder& order, int32_t core,
                 int32_t function);
  bool MayLeaveFirst(const Layout& layout, const CoreOrder& order, int32_t core,
                     int32_t function, const Loop& loop) const;
  void JoinClasses(const Layout& layout, int32_t core);
  int32_t IdOf(const DepthName& name);
  int32_t Root(int32_t id) const;

  std::vector<std::vector<OfFunction>> functions_;  // by core, function
  absl::flat_hash_map<DepthName, int32_t> ids_;
  std::vector<int32_t> parent_;         // of classes that are joined
  std::vector<int32_t> must_take_one_;  // ids of classes
  std::vector<bool> may_take_none_;     // by class
};

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_SHARED_LOOPS_H_
