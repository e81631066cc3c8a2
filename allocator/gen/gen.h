// Seeded programs and CSV problems for tests, fuzzers, benches and `berth gen`.
// The same kind, size, cores, seed and live set give the same bytes on every
// machine: all randomness is integer arithmetic over allocator/base/rng.h, and
// no function of the C library's floating point takes part.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_GEN_GEN_H_
#define BERTH_ALLOCATOR_GEN_GEN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth {

// Largest GenOptions::size x cores: two instructions per location stay far
// below the 2^31 - 1 of spec §2.
inline constexpr int64_t kMaxGenSize = 10'000'000;

struct GenOptions {
  std::string kind;
  // DRAM locations of all functions together, SBUF tiles aside: exactly so for
  // random, nested and adversarial, about so for the others, which never make
  // less than one whole layer or region.
  int64_t size = 100;
  // More than one: what one core's program becomes by SplitProgram (split.h);
  // `size` is then about that of each core.
  int32_t cores = 1;
  uint64_t seed = 1;
  // random: mean number of live locations, 1/1024 to 1e6.
  double live = 50;
};

struct GenKind {
  std::string name;
  std::string summary;        // one line for `berth gen --list`
  bool has_instance = false;  // GenerateInstance knows it
};

// Every kind, in the order they are listed.
const std::vector<GenKind>& GenKinds();

// A program that CheckProgram accepts and in which every use is reached by a
// def. kInvalidArgument names an unknown kind or a size, core count or live set
// out of range. Cost: O(size * cores), about a second for a million locations.
absl::StatusOr<Program> GenerateProgram(const GenOptions& options);

// The kinds with has_instance as a CSV problem: the same locations, live ranges
// and sizes as the program, in the same order, page rounding aside.
absl::StatusOr<Instance> GenerateInstance(const GenOptions& options);

// adversarial only: the least possible peak, which the construction knows. It
// is the max load too. Cost: O(1).
absl::StatusOr<uint64_t> KnownOptimum(const GenOptions& options);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_GEN_GEN_H_
