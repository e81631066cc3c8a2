// A fuzz target: one function that takes any bytes and stops the program if
// something that must hold does not. Targets register themselves; an engine
// (libFuzzer, or driver.cc where there is none) finds them here.
//
// Each target is deterministic, bounded in time and memory for any input up to
// max_bytes, and prints nothing unless it fails.
#ifndef BERTH_FUZZ_ENGINE_TARGET_H_
#define BERTH_FUZZ_ENGINE_TARGET_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"

namespace berth::fuzz {

struct Target {
  const char* name = "";
  const char* summary = "";
  // Longer inputs say nothing that shorter ones do not.
  size_t max_bytes = 4096;
  void (*run)(absl::string_view input) = nullptr;
  // Structure-aware parts; null where bytes are as good.
  // A small random input.
  std::string (*fresh)(Rng& rng) = nullptr;
  // `input` changed in one or a few places; may be longer than max_bytes.
  std::string (*mutate)(absl::string_view input, Rng& rng) = nullptr;
  // Something of both.
  std::string (*cross)(absl::string_view a, absl::string_view b,
                       Rng& rng) = nullptr;
};

// Targets linked in, by name.
std::vector<Target> Targets();
// The one of that name; stops the program if there is none.
Target FindTarget(absl::string_view name);

// At namespace scope of a target's file:
//   const bool kRegistered = RegisterTarget({.name = "order_fuzzer", ...});
bool RegisterTarget(const Target& target);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_ENGINE_TARGET_H_
