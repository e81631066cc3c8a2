// Dependences that placement makes in the shared space, between cores and
// between functions (spec §10): anti and output edges of accesses to different
// shared tensors whose bytes meet.
//
// Tensors that share bytes have no phase in common, so all that one core does
// to the earlier one comes before all that another does to the later one. Per
// byte and core, what counts of the earlier one is its last writers and the
// readers since them on that core; a first write of the later one is ordered
// after those of every core. A tensor that some core writes on all its paths
// ends what was there before it; what else stays for the next one too.
//
// Rendezvous imply all of these edges; they are for what moves instructions.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_SHARED_DEPENDENCE_H_
#define BERTH_ALLOCATOR_DEPENDENCE_SHARED_DEPENDENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "allocator/dependence/dependence.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {

struct CrossDependence {
  CodePlace earlier;
  CodePlace later;
  DependenceKind kind = DependenceKind::kAnti;

  friend bool operator==(const CrossDependence&,
                         const CrossDependence&) = default;
};

// Many: with N cores that write parts and read the whole, each tensor that
// takes another's bytes has N * N of either kind. So they are packed, four
// bytes each.
class CrossDependences {  // NOLINT: the name __i0 is the compiler's
 public:
  int64_t count(DependenceKind kind) const {
    return static_cast<int64_t>(
        of_kind_[static_cast<int>(kind)].earlier.size());
  }
  int64_t size() const {
    return count(DependenceKind::kAnti) + count(DependenceKind::kOutput);
  }

  // Calls visit(edge) for each: anti, then output, by (later, earlier), each
  // core, function, flat.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const auto kind : {DependenceKind::kAnti, DependenceKind::kOutput}) {
      const OfKind& of = of_kind_[static_cast<int>(kind)];
      for (size_t later = 0; later + 1 < of.begins.size(); ++later) {
        for (size_t i = of.begins[later]; i < of.begins[later + 1]; ++i) {
          visit(CrossDependence{PlaceOf(of.earlier[i]),
                                PlaceOf(static_cast<uint32_t>(later)), kind});
        }
      }
    }
  }

 private:
  friend class CrossDependenceBuilder;

  struct OfKind {
    std::vector<size_t> begins;  // by later instruction, into earlier
    std::vector<uint32_t> earlier;
  };
  // The id of its first instruction; ids go on in the order of places.
  struct FunctionIds {
    int32_t core;
    int32_t function;
    uint32_t first;
  };
  CodePlace PlaceOf(uint32_t id) const;

  std::vector<FunctionIds> functions_;
  OfKind of_kind_[kNumDependenceKinds];
};

// The tensor that a location belongs to, -1: none. Core, function, location.
using TensorOf = absl::FunctionRef<int32_t(int32_t, int32_t, int32_t)>;

// Between instructions of different functions or cores; those within one
// function are PlacementDependences(). `phases`: per tensor their hull, empty
// if nothing accesses it. By (later, earlier, kind), each core, function, flat.
//
// REQUIRES: a checked program of less than 2^32 instructions; tensors whose
// bytes meet share no phase. Cost: O((accesses + edges) log accesses), for
// accesses of shared tensors.
CrossDependences FindCrossDependences(const Program& program,
                                      TensorOf tensor_of,
                                      const IntervalTable& phases);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_SHARED_DEPENDENCE_H_
