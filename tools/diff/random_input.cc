#include "tools/diff/random_input.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/rng.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/problem_input.h"
#include "fuzz/inputs/program_mutator.h"
#include "tools/cli/input.h"

namespace berth {
namespace {

GenOptions SomeGenOptions(bool csv, Rng& rng) {
  std::vector<std::string> kinds;
  for (const GenKind& kind : GenKinds()) {
    if (kind.has_instance || !csv) kinds.push_back(kind.name);
  }
  GenOptions options;
  options.kind = kinds[rng.Below(kinds.size())];
  options.size = rng.Between(1, 60);
  options.live = static_cast<double>(rng.Between(1, 12));
  options.seed = rng.Next();
  return options;
}

std::string SomeBytes(Rng& rng) {
  std::string bytes(fuzz::kProblemHeaderBytes +
                        fuzz::kProblemRecordBytes * rng.Between(1, 24),
                    '\0');
  for (char& byte : bytes) byte = static_cast<char>(rng.Next());
  return bytes;
}

Instance SomeInstance(bool features, Rng& rng) {
  if (rng.OneIn(2)) {
    auto made = GenerateInstance(SomeGenOptions(/*csv=*/true, rng));
    if (made.ok()) return *std::move(made);
  }
  Instance instance = fuzz::ToInstance(fuzz::DecodeProblem(SomeBytes(rng)));
  if (features) return instance;
  std::erase_if(instance.buffers,
                [](const Buffer& b) { return b.offset.has_value(); });
  for (Buffer& buffer : instance.buffers) {
    buffer.alignment = 1;
    buffer.gaps.clear();
  }
  return instance;
}

Program SomeProgram(Rng& rng) {
  if (rng.OneIn(3)) {
    auto made = GenerateProgram(SomeGenOptions(/*csv=*/false, rng));
    if (made.ok()) return *std::move(made);
  }
  Program program =
      rng.OneIn(3) ? fuzz::SharedProgram(rng) : fuzz::SmallProgram(rng);
  for (uint64_t n = rng.Below(24); n > 0; --n) {
    fuzz::MutateProgram(rng, program);
  }
  return program;
}

}  // namespace

Input RandomInput(uint64_t seed, const RandomInputOptions& options) {
  Rng rng(seed);
  Input input;
  input.path = absl::StrCat("seed ", seed);
  if (options.csv) {
    input.format = Format::kCsv;
    input.content = ToCsvDocument(SomeInstance(options.features, rng));
  } else {
    input.format = Format::kProgramText;
    input.content = SomeProgram(rng);
  }
  return input;
}

}  // namespace berth
