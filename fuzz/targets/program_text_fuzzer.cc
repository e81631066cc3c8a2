// The program readers, text and binary: any bytes are read or refused with a
// message; what is read keeps the rules, and read-write-read is the identity in
// both formats (F20).
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/program_mutator.h"

namespace berth::fuzz {
namespace {

void CheckRead(const absl::StatusOr<Program>& program) {
  if (!program.ok()) {
    ORACLE(absl::IsInvalidArgument(program.status()),
           program.status().message());
    ORACLE(absl::StartsWith(program.status().message(), "f"),
           program.status().message());
    return;
  }
  ORACLE(CheckProgram(*program).ok());
  const std::string text = WriteProgramText(*program);
  const absl::StatusOr<Program> from_text = ReadProgramText(text, "f");
  ORACLE(from_text.ok(), from_text.status().message(), "\n", text);
  ORACLE(*from_text == *program, text);
  ORACLE(WriteProgramText(*from_text) == text, text);
  const absl::StatusOr<std::string> bytes = WriteProgramBinary(*program);
  ORACLE(bytes.ok(), bytes.status().message());
  const absl::StatusOr<Program> from_bytes = ReadProgramBinary(*bytes, "f");
  ORACLE(from_bytes.ok(), from_bytes.status().message());
  ORACLE(*from_bytes == *program, text);
}

void Run(absl::string_view input) {
  CheckRead(ReadProgramText(input, "f"));
  CheckRead(ReadProgramBinary(input, "f"));
  DetectFormat(input);
}

// A valid program in one of the formats.
std::string Fresh(Rng& rng) {
  Program program = SmallProgram(rng);
  for (uint64_t n = rng.Below(6); n > 0; --n) MutateProgram(rng, program);
  if (rng.OneIn(2)) return WriteProgramText(program);
  return WriteProgramBinary(program).value_or("");
}

const bool kRegistered = RegisterTarget({
    .name = "program_text_fuzzer",
    .summary = "program readers: any bytes; read-write-read is the identity",
    .max_bytes = 4096,
    .run = Run,
    .fresh = Fresh,
});

}  // namespace
}  // namespace berth::fuzz
