// Dependences of spec §10: which instruction must wait for which.
//
// Per byte, an access is ordered after the last writers and the readers since
// them, along any path of the CFG without back edges:
//   flow    (read after write)   a writer and a reader
//   anti    (write after read)   a reader and the next writer
//   output  (write after write)  a writer and the next writer
// Edges are unique per (earlier, later, kind), never join an instruction with
// itself, and are not reduced further: every pair of accesses that meet in a
// byte, one of them a write, is ordered by a chain of them.
//
// An instruction reads all that it uses before it writes what it defines.
// Accesses of a CALL are those it lists.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_DEPENDENCE_H_
#define BERTH_ALLOCATOR_DEPENDENCE_DEPENDENCE_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/model/program.h"

namespace berth {

enum class DependenceKind : uint8_t { kFlow = 0, kAnti = 1, kOutput = 2 };
inline constexpr int kNumDependenceKinds = 3;

// flow, anti, output.
absl::string_view Name(DependenceKind kind);

// Between two instructions of one function, by flat index.
struct Dependence {
  int32_t earlier = 0;
  int32_t later = 0;
  DependenceKind kind = DependenceKind::kFlow;

  friend bool operator==(const Dependence&, const Dependence&) = default;
};

// The pass `build_fdeps` for one function: edges of accesses to the same
// location, of every DRAM location, whether it has an address or not. A partial
// def is a use of the bytes it writes too (spec §3), so it has a flow edge from
// their last writer. By (later, earlier, kind).
//
// REQUIRES: a checked program. Cost: O((accesses + edges) log accesses), and
// where branches meet what they changed.
std::vector<Dependence> BuildFdeps(const Function& function);

// The passes `anti_dependency_analyzer_post_dram` and, within one function,
// `..._post_shared_dram`: the anti and output edges of accesses to different
// locations of `space` whose bytes meet. These are the edges that placement
// made. The bytes alone decide: a partial def only writes. Locations without
// address have no bytes. Order, requirement and cost as above.
std::vector<Dependence> PlacementDependences(const Function& function,
                                             Space space);

// How many there are of each kind.
struct DependenceCounts {
  int64_t of[kNumDependenceKinds] = {};

  void Count(const std::vector<Dependence>& edges);
  int64_t operator[](DependenceKind kind) const {
    return of[static_cast<int>(kind)];
  }
  friend bool operator==(const DependenceCounts&,
                         const DependenceCounts&) = default;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_DEPENDENCE_H_
