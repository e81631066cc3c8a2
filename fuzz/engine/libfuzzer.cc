// The one target that is linked in, as libFuzzer (and every engine that speaks
// its interface) wants it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "allocator/base/rng.h"
#include "fuzz/engine/target.h"

// Of the engine; other engines than libFuzzer have none and call no mutator.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data,
                                                         size_t size,
                                                         size_t max_size);

namespace berth::fuzz {
namespace {

const Target& TheTarget() {
  static const Target* const target = [] {
    const std::vector<Target> targets = Targets();
    BERTH_CHECK(targets.size() == 1);
    return new Target(targets[0]);
  }();
  return *target;
}

absl::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// `text` into the engine's buffer if it fits, else `data` stays as it is.
size_t Give(const std::string& text, uint8_t* out, size_t max_size,
            size_t otherwise) {
  if (text.empty() || text.size() > max_size) return otherwise;
  std::memcpy(out, text.data(), text.size());
  return text.size();
}

}  // namespace
}  // namespace berth::fuzz

// Inputs are no longer than the target reads, unless an option says otherwise:
// of several, libFuzzer takes the last. In a test, new inputs go into its
// temporary folder: the first one named is where libFuzzer writes.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::string max_len =
      absl::StrCat("-max_len=", berth::fuzz::TheTarget().max_bytes);
  static std::vector<char*> args;
  args.assign(*argv, *argv + *argc);
  args.insert(args.begin() + 1, max_len.data());
  if (const char* const folder = std::getenv("TEST_TMPDIR")) {
    static std::string copy = folder;
    const auto first = std::find_if(args.begin() + 1, args.end(),
                                    [](const char* a) { return a[0] != '-'; });
    args.insert(first, copy.data());
  }
  *argc = static_cast<int>(args.size());
  args.push_back(nullptr);
  *argv = args.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const berth::fuzz::Target& target = berth::fuzz::TheTarget();
  if (size <= target.max_bytes) target.run(berth::fuzz::View(data, size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  const berth::fuzz::Target& target = berth::fuzz::TheTarget();
  berth::Rng rng(seed);
  if (target.mutate == nullptr || rng.OneIn(16)) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  return berth::fuzz::Give(target.mutate(berth::fuzz::View(data, size), rng),
                           data, max_size, size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size,
                                            const uint8_t* b, size_t b_size,
                                            uint8_t* out, size_t max_size,
                                            unsigned int seed) {
  const berth::fuzz::Target& target = berth::fuzz::TheTarget();
  if (target.cross == nullptr) return 0;
  berth::Rng rng(seed);
  return berth::fuzz::Give(target.cross(berth::fuzz::View(a, a_size),
                                        berth::fuzz::View(b, b_size), rng),
                           out, max_size, 0);
}
