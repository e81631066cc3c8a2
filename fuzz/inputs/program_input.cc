#include "fuzz/inputs/program_input.h"

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/rng.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_mutator.h"

namespace berth::fuzz {
namespace {

constexpr char kLinkMode[] = "--link-mode=";
constexpr char kSizeRounding[] = "--size-rounding=";
constexpr char kEmission[] = "--emission=";
constexpr char kAllreduce[] = "--allreduce-buffer-size=";
constexpr char kWindow[] = "--hbm-per-core=";
constexpr char kSlab[] = "--shared-mb-per-core=";

template <typename T>
void Take(std::optional<T> value, T& target) {
  if (value.has_value()) target = *value;
}

void TakeWord(absl::string_view word, PlanOptions& options) {
  if (absl::ConsumePrefix(&word, kLinkMode)) {
    Take(ParseLinkMode(word), options.link_mode);
  } else if (absl::ConsumePrefix(&word, kSizeRounding)) {
    Take(ParseSizeRounding(word), options.size_rounding);
  } else if (absl::ConsumePrefix(&word, kEmission)) {
    Take(ParseEmission(word), options.emission);
  } else if (absl::ConsumePrefix(&word, kAllreduce)) {
    int64_t mib = 0;
    if (absl::SimpleAtoi(word, &mib) && mib >= -1) {
      options.allreduce_buffer_mib = mib;
    }
  } else if (absl::ConsumePrefix(&word, kWindow)) {
    uint64_t bytes = 0;
    if (absl::SimpleAtoi(word, &bytes)) options.hbm_per_core_bytes = bytes;
  } else if (absl::ConsumePrefix(&word, kSlab)) {
    uint64_t mb = 0;
    if (absl::SimpleAtoi(word, &mb)) options.shared_mb_per_core = mb;
  }
}

std::string CommentOf(const PlanOptions& options) {
  const PlanOptions defaults;
  std::string comment = absl::StrCat(kLinkMode, Name(options.link_mode), " ",
                                     kSizeRounding, Name(options.size_rounding),
                                     " ", kEmission, Name(options.emission));
  if (options.allreduce_buffer_mib != defaults.allreduce_buffer_mib) {
    absl::StrAppend(&comment, " ", kAllreduce, options.allreduce_buffer_mib);
  }
  if (options.hbm_per_core_bytes != defaults.hbm_per_core_bytes) {
    absl::StrAppend(&comment, " ", kWindow, options.hbm_per_core_bytes);
  }
  if (options.shared_mb_per_core != defaults.shared_mb_per_core) {
    absl::StrAppend(&comment, " ", kSlab, options.shared_mb_per_core);
  }
  return comment;
}

void MutateOptions(Rng& rng, PlanOptions& options) {
  constexpr int64_t kAllreduceMib[] = {500, -1, -1, 0, 1};
  constexpr uint64_t kWindows[] = {kDefaultHbmPerCoreBytes,
                                   kDefaultHbmPerCoreBytes, 65536, 40'000,
                                   ~uint64_t{0}};
  switch (rng.Below(6)) {
    case 0:
      options.link_mode = rng.OneIn(2) ? LinkMode::kPre : LinkMode::kPost;
      break;
    case 1:
      options.size_rounding =
          rng.OneIn(2) ? SizeRounding::kPage : SizeRounding::kNone;
      break;
    case 2:
      options.emission = rng.OneIn(2) ? Emission::kMerged : Emission::kPerEdge;
      break;
    case 3:
      options.allreduce_buffer_mib =
          kAllreduceMib[rng.Below(std::size(kAllreduceMib))];
      break;
    case 4:
      options.hbm_per_core_bytes =
          rng.OneIn(3) ? 4096 * rng.Below(64)
                       : kWindows[rng.Below(std::size(kWindows))];
      break;
    default:
      options.shared_mb_per_core = rng.OneIn(2) ? 0 : 1 + rng.Below(2);
  }
}

}  // namespace

PlanOptions OptionsOfComment(absl::string_view comment) {
  PlanOptions options;
  for (const absl::string_view word : absl::StrSplit(comment, ' ')) {
    TakeWord(word, options);
  }
  return options;
}

std::optional<ProgramInput> DecodeProgramInput(absl::string_view bytes) {
  absl::StatusOr<Program> program = ReadProgramBinary(bytes, "input");
  if (!program.ok() || !IsSmall(*program)) return std::nullopt;
  ProgramInput input;
  input.options = OptionsOfComment(program->comment);
  input.program = *std::move(program);
  return input;
}

std::string EncodeProgramInput(const Program& program,
                               const PlanOptions& options) {
  Program with_options = program;
  with_options.comment = CommentOf(options);
  return WriteProgramBinary(with_options).value_or("");
}

std::string FreshProgramInput(Rng& rng) {
  const bool shared = rng.OneIn(4);
  Program program = shared ? SharedProgram(rng) : SmallProgram(rng);
  PlanOptions options;
  for (uint64_t n = rng.Below(shared ? 8 : 24); n > 0; --n) {
    MutateProgram(rng, program);
  }
  for (uint64_t n = rng.Below(5); n > 0; --n) MutateOptions(rng, options);
  return EncodeProgramInput(program, options);
}

std::string MutateProgramInput(absl::string_view input, Rng& rng) {
  std::optional<ProgramInput> decoded = DecodeProgramInput(input);
  if (!decoded.has_value()) return FreshProgramInput(rng);
  for (uint64_t n = 1 + rng.Below(4); n > 0; --n) {
    if (rng.OneIn(8)) {
      MutateOptions(rng, decoded->options);
    } else {
      MutateProgram(rng, decoded->program);
    }
  }
  return EncodeProgramInput(decoded->program, decoded->options);
}

std::string CrossProgramInputs(absl::string_view a, absl::string_view b,
                               Rng& rng) {
  std::optional<ProgramInput> first = DecodeProgramInput(a);
  const std::optional<ProgramInput> second = DecodeProgramInput(b);
  if (!first.has_value() || !second.has_value()) {
    return FreshProgramInput(rng);
  }
  CrossPrograms(rng, second->program, first->program);
  return EncodeProgramInput(first->program,
                            rng.OneIn(2) ? first->options : second->options);
}

}  // namespace berth::fuzz
