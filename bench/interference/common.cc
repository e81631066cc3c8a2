#include "bench/interference/common.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "allocator/base/check.h"
#include "allocator/base/status_macros.h"
#include "bench/inputs.h"

namespace berth::bench {
namespace {

constexpr int32_t kMaxQueries = 1 << 16;
constexpr int32_t kMaxSize = 1 << 20;

}  // namespace

absl::StatusOr<std::vector<WorkloadSource>> WorkloadSources(
    const Settings& settings) {
  std::vector<WorkloadSource> sources;
  const uint64_t seed = settings.seed;
  for (const std::string& family : settings.families) {
    BERTH_RETURN_IF_ERROR(MakeWorkload(family, 1, seed, 1).status());
    for (const int32_t n : settings.sizes) {
      if (n > kMaxSize) {
        return absl::InvalidArgumentError(
            absl::StrCat("--sizes: ", n, " is over ", kMaxSize));
      }
    }
    sources.push_back(std::make_shared<Source<Workload>>(
        family, settings.sizes, [family, seed](int32_t n) {
          auto workload = MakeWorkload(family, n, seed, kMaxQueries);
          BERTH_CHECK(workload.ok());
          return *std::move(workload);
        }));
  }
  for (const std::string& input : settings.inputs) {
    BERTH_ASSIGN_OR_RETURN(std::vector<Workload> workloads,
                           LoadInput(input, seed, kMaxQueries));
    for (Workload& workload : workloads) {
      const std::string name = absl::StrReplaceAll(workload.name, {{"/", "_"}});
      const int32_t n = static_cast<int32_t>(workload.intervals.size());
      sources.push_back(std::make_shared<Source<Workload>>(
          name, std::vector<int32_t>{n},
          [workload = std::move(workload)](int32_t) { return workload; }));
    }
  }
  return sources;
}

std::string Label(double ids, uint64_t hash) {
  return absl::StrFormat("%.1f ids hash=%016x", ids, hash);
}

}  // namespace berth::bench
