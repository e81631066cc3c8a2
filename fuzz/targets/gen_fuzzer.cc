// The generators: what they make keeps every rule, whatever kind, size and
// seed; every use is reached by a def; the same seed makes the same bytes; a
// known optimum is the greatest load; splitting over cores keeps the rules.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "allocator/gen/split.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/check_program.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/placement/problem.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"

namespace berth::fuzz {
namespace {

void CheckUses(const Program& program) {
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      const absl::StatusOr<Liveness> liveness = ComputeLiveness(function);
      ORACLE(liveness.ok(), liveness.status().message());
      for (const UndefinedUse& use : liveness->undefined_uses) {
        ORACLE(!function.locations[use.location].placeable(),
               "no def reaches a use of ",
               function.locations[use.location].name);
      }
    }
  }
}

// Half-open lifetimes are the closed live ranges of the program.
void CheckLifetimes(const Instance& instance, const Function& function) {
  const absl::StatusOr<Liveness> liveness = ComputeLiveness(function);
  ORACLE(liveness.ok(), liveness.status().message());
  for (size_t i = 0; i < instance.buffers.size(); ++i) {
    const Buffer& buffer = instance.buffers[i];
    const auto runs = liveness->occupied.of(static_cast<int32_t>(i));
    ORACLE(!runs.empty() && buffer.lower == runs.front().lo &&
               buffer.upper == int64_t{runs.back().hi} + 1,
           "lifetime of '", buffer.id, "'");
  }
}

void CheckInstance(const GenOptions& options, const Program& program) {
  const absl::StatusOr<Instance> instance = GenerateInstance(options);
  ORACLE(instance.ok(), instance.status().message());
  size_t candidates = 0;
  for (const Location& location : program.modules[0].functions[0].locations) {
    candidates += location.candidate(Space::kLocal) ? 1 : 0;
  }
  ORACLE(instance->buffers.size() == candidates, options.kind, ": ",
         instance->buffers.size(), " buffers, ", candidates, " candidates");
  CheckLifetimes(*instance, program.modules[0].functions[0]);
  const absl::StatusOr<InstanceProblem> numbered =
      NumberInstance(*instance, PlanOptions());
  ORACLE(numbered.ok(), numbered.status().message());
  const absl::StatusOr<uint64_t> optimum = KnownOptimum(options);
  if (!optimum.ok()) return;
  ORACLE(MaxLoad(numbered->problem) == *optimum, "the optimum is ", *optimum);
}

// What is out of range is refused, with a message, whatever the kind.
void CheckRefused(GenOptions options, uint8_t what) {
  switch (what % 6) {
    case 0:
      options.kind = "nobody";
      break;
    case 1:
      options.size = 0;
      break;
    case 2:
      options.size = kMaxGenSize;
      options.cores = 2;
      break;
    case 3:
      options.cores = kMaxSplitCores + 1;
      break;
    case 4:
      options.live = std::numeric_limits<double>::quiet_NaN();
      break;
    default:
      options.live = 0;
  }
  for (const absl::Status& status :
       {GenerateProgram(options).status(), GenerateInstance(options).status(),
        KnownOptimum(options).status()}) {
    ORACLE(absl::IsInvalidArgument(status) && !status.message().empty(),
           status.ToString());
  }
}

void Run(absl::string_view bytes) {
  ByteReader reader(bytes);
  const std::vector<GenKind>& kinds = GenKinds();
  GenOptions options;
  const GenKind& kind = kinds[reader.Byte() % kinds.size()];
  options.kind = kind.name;
  const uint8_t size = reader.Byte();
  options.size = 1 + static_cast<int64_t>(size % 120);
  options.live = 1 + reader.Byte() % 20;
  const int32_t cores = reader.Byte() % 6;
  options.seed = reader.Number(4);
  if (size >= 240) return CheckRefused(options, size);
  const absl::StatusOr<Program> program = GenerateProgram(options);
  ORACLE(program.ok(), program.status().message());
  ORACLE(CheckProgram(*program).ok());
  const absl::StatusOr<Program> again = GenerateProgram(options);
  ORACLE(again.ok() && *again == *program, options.kind, " seed ",
         options.seed);
  CheckUses(*program);
  if (kind.has_instance) {
    CheckInstance(options, *program);
  } else {
    ORACLE(absl::IsInvalidArgument(GenerateInstance(options).status()));
  }
  const absl::StatusOr<Program> split = SplitProgram(*program, cores);
  ORACLE(split.ok() || absl::IsInvalidArgument(split.status()),
         split.status().message());
  if (!split.ok()) return;
  ORACLE(CheckProgram(*split).ok());
  ORACLE(static_cast<int32_t>(split->modules.size()) == cores, "cores");
}

const bool kRegistered = RegisterTarget({
    .name = "gen_fuzzer",
    .summary = "generated programs keep every rule",
    .max_bytes = 8,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
