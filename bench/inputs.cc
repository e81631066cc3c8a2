#include "bench/inputs.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/program.h"

namespace berth::bench {
namespace {

absl::StatusOr<std::vector<Workload>> FromProgram(const std::string& name,
                                                  const Program& program,
                                                  uint64_t seed,
                                                  int32_t max_queries) {
  std::vector<Workload> workloads;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      BERTH_ASSIGN_OR_RETURN(const Liveness liveness,
                             ComputeLiveness(function));
      std::vector<std::vector<Interval>> owners;
      for (int32_t i = 0; i < liveness.occupied.size(); ++i) {
        const absl::Span<const Interval> runs = liveness.occupied.of(i);
        if (runs.empty() || !function.locations[i].placeable()) continue;
        owners.emplace_back(runs.begin(), runs.end());
      }
      if (owners.empty()) continue;
      workloads.push_back(
          FromRuns(absl::StrCat(name, ":", module.core, ":", function.name),
                   std::move(owners), seed, max_queries));
    }
  }
  return workloads;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot open ", path));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

absl::StatusOr<std::vector<Workload>> LoadInput(const std::string& path,
                                                uint64_t seed,
                                                int32_t max_queries) {
  BERTH_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  const std::string name = path.substr(path.rfind('/') + 1);
  switch (DetectFormat(content)) {
    case Format::kProgramText: {
      BERTH_ASSIGN_OR_RETURN(const Program program,
                             ReadProgramText(content, path));
      return FromProgram(name, program, seed, max_queries);
    }
    case Format::kProgramBinary: {
      BERTH_ASSIGN_OR_RETURN(const Program program,
                             ReadProgramBinary(content, path));
      return FromProgram(name, program, seed, max_queries);
    }
    case Format::kCsv: {
      BERTH_ASSIGN_OR_RETURN(const CsvDocument document,
                             ReadCsv(content, path, CsvOptions{}));
      std::vector<Workload> workloads;
      workloads.push_back(
          FromInstance(name, document.instance, seed, max_queries));
      return workloads;
    }
    case Format::kUnknown:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, " is neither a program nor a CSV problem"));
}

}  // namespace berth::bench
