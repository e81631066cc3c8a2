// Must fail: shows that oracles bite, in every configuration and engine.
// canary_test.sh runs it; nobody else does.
#include "absl/strings/string_view.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"

namespace berth::fuzz {
namespace {

void Run(absl::string_view input) {
  ORACLE(input.empty() || input[0] < 'a' || input[0] > 'z', "the canary sings");
}

const bool kRegistered = RegisterTarget({
    .name = "canary_fuzzer",
    .summary = "fails on any input that begins with a small letter",
    .max_bytes = 8,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
