// Changes bytes as a fuzzing engine does, where no engine is linked in.
#ifndef BERTH_FUZZ_ENGINE_BYTE_MUTATOR_H_
#define BERTH_FUZZ_ENGINE_BYTE_MUTATOR_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"

namespace berth::fuzz {

// One to four changes: a bit, a byte, a small step, a repeated, removed,
// inserted or swapped piece. At most `max_bytes` long.
std::string MutateBytes(absl::string_view input, size_t max_bytes, Rng& rng);

// A beginning of `a` and an end of `b`. At most `max_bytes` long.
std::string CrossBytes(absl::string_view a, absl::string_view b,
                       size_t max_bytes, Rng& rng);

// Bytes of a random length, short ones more often.
std::string RandomBytes(size_t max_bytes, Rng& rng);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_ENGINE_BYTE_MUTATOR_H_
