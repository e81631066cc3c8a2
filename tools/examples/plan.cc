// The library by example: a placement problem made in code, and a program read
// from text. Prints what the README shows.
//
//   bazel run //tools/examples:plan
#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/validate/validate.h"

namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}

berth::Buffer MakeBuffer(const char* id, int64_t lower, int64_t upper,
                         uint64_t size) {
  berth::Buffer buffer;
  buffer.id = id;
  buffer.lower = lower;  // live in [lower, upper)
  buffer.upper = upper;
  buffer.size = size;
  return buffer;
}

// Buffers with lifetimes: the C++ face of a CSV.
int PlanBuffers() {
  berth::Instance instance;
  instance.buffers = {MakeBuffer("a", 0, 5, 10), MakeBuffer("b", 5, 9, 10),
                      MakeBuffer("c", 2, 7, 4)};
  berth::PlanOptions options;
  options.capacity_bytes = 64;
  berth::RunReport report;
  const absl::Status status = berth::PlanInstance(
      options, /*stop=*/nullptr, /*seam=*/nullptr, instance, report);
  if (!status.ok()) return Fail(status);  // kResourceExhausted: does not fit
  for (const berth::Buffer& buffer : instance.buffers) {
    std::printf("%s at %llu\n", buffer.id.c_str(),
                static_cast<unsigned long long>(*buffer.offset));
  }
  std::printf("peak %llu, lower bound %llu\n",
              static_cast<unsigned long long>(report.record.peak),
              static_cast<unsigned long long>(report.record.lower_bound));

  // The judge shares no code with the planner.
  berth::ValidateOptions judge;
  judge.plan = options;
  const berth::Report verdict =
      berth::ValidateInstance(instance, /*input=*/nullptr, judge);
  std::printf("%s", verdict.ok() ? "valid\n" : verdict.ToString().c_str());
  return verdict.ok() ? 0 : 1;
}

// A program: liveness is computed over its control flow, pages hold.
int PlanText() {
  constexpr char kProgram[] = R"(
    modules {
      functions {
        name: "main"
        locations { name: "x" usage: INPUT elem_count: 100 address: 0 }
        locations { name: "t" usage: INTERMEDIATE elem_count: 5000 }
        locations { name: "u" usage: INTERMEDIATE elem_count: 5000 }
        blocks {
          name: "entry"
          instructions { name: "f" defs { location: "t" } uses { location: "x" } }
          instructions { name: "g" defs { location: "u" } uses { location: "t" } }
          instructions { name: "h" uses { location: "u" } }
        }
      }
    })";
  absl::StatusOr<berth::Program> program =
      berth::ReadProgramText(kProgram, "example");
  if (!program.ok()) return Fail(program.status());
  berth::PlanReport report;
  const absl::Status status = berth::PlanProgram(berth::PlanOptions(), nullptr,
                                                 nullptr, *program, report);
  if (!status.ok()) return Fail(status);
  for (const berth::Location& location :
       program->modules[0].functions[0].locations) {
    std::printf("%s at %llu\n", location.name.c_str(),
                static_cast<unsigned long long>(*location.address));
  }
  return 0;
}

}  // namespace

int main() {
  const int failed = PlanBuffers();
  return failed != 0 ? failed : PlanText();
}
