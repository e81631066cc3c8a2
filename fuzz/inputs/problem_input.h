// A fuzzer's bytes as a placement problem: what search_, order_ and plan_fuzzer
// read. Any bytes are one; a record of eight bytes is a node or a pin, so that
// engines that know bytes only still add, drop, copy and change nodes.
//
//   header (8 bytes): page, unit, floor, times, ceiling (2), cc_end (2)
//   record (8 bytes): kind, size, lo, length, more runs, alignment, address (2)
//
// Thread-safety: pure functions. Cost: O(input).
#ifndef BERTH_FUZZ_INPUTS_PROBLEM_INPUT_H_
#define BERTH_FUZZ_INPUTS_PROBLEM_INPUT_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"
#include "allocator/placement/problem.h"

namespace berth::fuzz {

inline constexpr size_t kProblemHeaderBytes = 8;
inline constexpr size_t kProblemRecordBytes = 8;
inline constexpr size_t kMaxProblemRecords = 40;
inline constexpr size_t kMaxProblemBytes =
    kProblemHeaderBytes + kMaxProblemRecords * kProblemRecordBytes;

struct ProblemInputOptions {
  // Every address that matters is below 2048 and pages are small, so that a
  // map of single bytes can answer.
  bool byte_map = false;
};

// A problem that CheckProblem accepts, or refuses only since its floor is above
// its ceiling. Nodes "n0", "n1", ... have no names in it.
Problem DecodeProblem(absl::string_view input,
                      const ProblemInputOptions& options = {});

// The same nodes and pins as a CSV problem: ids "n0", "p0", ..., closed [lo,
// hi] as [lo, hi + 1). Regions, floor and what lies past 2^63 - 1 are left out.
Instance ToInstance(const Problem& problem);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PROBLEM_INPUT_H_
