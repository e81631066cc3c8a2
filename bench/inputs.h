// Workloads from files (--inputs=): CSV problems and programs.
#ifndef BERTH_BENCH_INPUTS_H_
#define BERTH_BENCH_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/workloads.h"

namespace berth::bench {

// The file's contents; kNotFound names the file.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// A CSV gives one workload, named after the file; a program gives one for each
// function with placeable DRAM locations, "file:core:function", flat indices as
// times. Errors name the file.
absl::StatusOr<std::vector<Workload>> LoadInput(const std::string& path,
                                                uint64_t seed,
                                                int32_t max_queries);

}  // namespace berth::bench

#endif  // BERTH_BENCH_INPUTS_H_
