// berth: places tensors in accelerator DRAM at compile time, and is the bench,
// the fuzzer and the judge for that job. See commands.h for the commands.
#include <cstdio>
#include <new>

#include "absl/strings/str_cat.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/say.h"
#include "tools/perf/build_info.h"

namespace {

constexpr char kVersion[] = "0.1";

int Main(int argc, char** argv) {
  const berth::perf::BuildInfo build = berth::perf::ThisBuild();
  berth::Arguments arguments;
  arguments.Version(absl::StrCat(
      "berth ", kVersion, "\ncompiler: ", build.compiler, "\nflags: ",
      build.flags, "\nbuild: ", build.debug ? "debug" : "release"));
  berth::AddPlan(arguments);
  berth::AddRace(arguments);
  berth::AddCheck(arguments);
  berth::AddShow(arguments);
  berth::AddExplain(arguments);
  berth::AddGen(arguments);
  berth::AddConvert(arguments);
  berth::AddPasses(arguments);
  berth::AddSplit(arguments);
  berth::AddDiff(arguments);
  berth::AddShrink(arguments);
  berth::AddSimulate(arguments);
  berth::AddPerf(arguments);
  const int code = arguments.ParseAndRun(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    berth::SayError("cannot write to standard output");
    return berth::kExitUsage;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::bad_alloc&) {
    berth::SayError("out of memory");
    return berth::kExitUsage;
  }
}
