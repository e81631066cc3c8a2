// A fuzzer's bytes as a program with options: what program_fuzzer reads. The
// bytes are the binary form of the program, so that every command of `berth`
// reads them, and `berth convert` turns them into text; the options stand in
// its comment, spelled as `berth plan` takes them:
//
//   --link-mode=post --size-rounding=none --allreduce-buffer-size=-1
//
// Thread-safety: pure functions.
#ifndef BERTH_FUZZ_INPUTS_PROGRAM_INPUT_H_
#define BERTH_FUZZ_INPUTS_PROGRAM_INPUT_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth::fuzz {

struct ProgramInput {
  Program program;  // small (program_mutator.h); its comment holds the options
  PlanOptions options;
};

// nullopt: no program, or not a small one.
std::optional<ProgramInput> DecodeProgramInput(absl::string_view bytes);
std::string EncodeProgramInput(const Program& program,
                               const PlanOptions& options);

// Options that a comment of this form gives; words that are none say nothing.
PlanOptions OptionsOfComment(absl::string_view comment);

// The three structure-aware parts of a target (engine/target.h).
std::string FreshProgramInput(Rng& rng);
std::string MutateProgramInput(absl::string_view input, Rng& rng);
std::string CrossProgramInputs(absl::string_view a, absl::string_view b,
                               Rng& rng);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PROGRAM_INPUT_H_
