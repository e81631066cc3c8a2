// Readers of the three formats, from bytes in memory to checked values, and
// their writers; one operation is one whole file:
//
//   bazel run -c opt //bench:reading -- --families=random --sizes=62000
//
// Kind/family/format/size, families as `berth gen --list` names them; CSV where
// the family has one. See bench/bench_main.h for flags. Each label has the
// file's size; a reading that does not give back what was written is an error.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "allocator/model/program.h"
#include "bench/bench_main.h"
#include "bench/source.h"
#include "benchmark/benchmark.h"

namespace berth::bench {
namespace {

// One input in one format.
struct File {
  std::string bytes;
  Program program;       // text and binary
  CsvDocument document;  // CSV
};

using FileSource = std::shared_ptr<Source<File>>;

std::string Write(const File& file, Format format) {
  if (format == Format::kCsv) return WriteCsv(file.document);
  if (format == Format::kProgramText) return WriteProgramText(file.program);
  return *WriteProgramBinary(file.program);
}

// Reads `bytes` into `file`; kept outside of the timed loop: freeing what the
// reading before gave.
absl::Status Read(absl::string_view bytes, Format format, File& file) {
  if (format == Format::kCsv) {
    auto document = ReadCsv(bytes, "bench", CsvOptions());
    if (document.ok()) file.document = *std::move(document);
    return document.status();
  }
  auto program = format == Format::kProgramText
                     ? ReadProgramText(bytes, "bench")
                     : ReadProgramBinary(bytes, "bench");
  if (program.ok()) file.program = *std::move(program);
  return program.status();
}

File Make(GenOptions options, Format format) {
  File file;
  if (format == Format::kCsv) {
    auto instance = GenerateInstance(options);
    BERTH_CHECK(instance.ok());
    file.document = ToCsvDocument(*instance);
  } else {
    auto program = GenerateProgram(options);
    BERTH_CHECK(program.ok());
    file.program = *std::move(program);
  }
  file.bytes = Write(file, format);
  return file;
}

void Count(const File& file, benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(file.bytes.size()));
  state.SetLabel(absl::StrCat(file.bytes.size(), " bytes"));
}

void RegisterFormat(const std::string& family, Format format, const char* name,
                    const Settings& settings) {
  GenOptions options;
  options.kind = family;
  options.seed = settings.seed;
  const auto source = std::make_shared<Source<File>>(
      family, settings.sizes, [options, format](int32_t n) {
        GenOptions sized = options;
        sized.size = n;
        return Make(sized, format);
      });
  RegisterSizes(
      "Read", source, name, Limit(),
      [format](const File& file, benchmark::State& state) {
        File result;
        for (auto _ : state) {
          const auto status = Read(file.bytes, format, result);
          if (!status.ok()) {
            state.SkipWithError(std::string(status.message()).c_str());
            return;
          }
          state.PauseTiming();
          const bool same =
              format == Format::kCsv
                  ? result.document.instance == file.document.instance
                  : result.program == file.program;
          result = File();
          state.ResumeTiming();
          if (!same) {
            state.SkipWithError("what is read is not what was written");
            return;
          }
        }
        Count(file, state);
      });
  RegisterSizes("Write", source, name, Limit(),
                [format](const File& file, benchmark::State& state) {
                  for (auto _ : state) {
                    std::string bytes = Write(file, format);
                    benchmark::DoNotOptimize(bytes.data());
                  }
                  Count(file, state);
                });
}

absl::Status RegisterAll(const Settings& settings) {
  if (!settings.inputs.empty()) {
    return absl::InvalidArgumentError("--inputs: this bench makes its own");
  }
  for (const std::string& family : settings.families) {
    const auto& kinds = GenKinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(),
                     [&](const GenKind& k) { return k.name == family; });
    if (kind == kinds.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--families: no family '", family, "'"));
    }
    if (kind->has_instance) {
      RegisterFormat(family, Format::kCsv, "csv", settings);
    }
    RegisterFormat(family, Format::kProgramText, "text", settings);
    RegisterFormat(family, Format::kProgramBinary, "binary", settings);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;
  return BenchMain(
      argc, argv,
      {.families = {"random", "transformer"},
       .sizes = {1000, 62'000, 1'000'000},
       .tiny_families = {"random", "nested", "transformer", "calls"},
       .tiny_sizes = {1, 20, 150}},
      RegisterAll);
}
