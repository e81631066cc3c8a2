// Seeded programs and CSV problems for tests, fuzzers, benches and `berth gen`.
// The same kind, size, cores and seed give the same bytes on every machine.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_GEN_GEN_H_
#define BERTH_ALLOCATOR_GEN_GEN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth {

struct GenOptions {
  std::string kind;
  int64_t size = 100;   // locations, about; exactly for random
  int32_t cores = 1;
  uint64_t seed = 1;
  double live = 50;     // random: mean number of live locations
};

struct GenKind {
  std::string name;
  std::string summary;  // one line for `berth gen --list`
};

// Every kind, in the order they are listed.
const std::vector<GenKind>& GenKinds();

// A checked program of one of the kinds: random, transformer, cnn, loops,
// branches, adversarial, nested. kInvalidArgument names an unknown kind or a
// size, core count or live set out of range.
absl::StatusOr<Program> GenerateProgram(const GenOptions& options);

// Kinds random, adversarial and nested as a CSV problem.
// random: exponential lifetimes with `live` live on average, T = 2V, sizes
// log-uniform 4 KiB to 4 MiB.
absl::StatusOr<Instance> GenerateInstance(const GenOptions& options);

// adversarial only: the least possible peak, which the construction knows.
absl::StatusOr<uint64_t> KnownOptimum(const GenOptions& options);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_GEN_GEN_H_
