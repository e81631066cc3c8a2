// Interval workloads for the benches: seeded families, and instances from
// files.
//
// Times are dense (about as many as intervals) unless said, ids are 0..n-1 in
// random order of time, queries in random order: what a planner that works by
// size or pressure asks.
//
//   liv      90 % geometric lengths of mean 20, 10 % up to a quarter of all
//            time: activations and weights of a program
//   short    the short ones only
//   nestA    towers of depth 256, one after another; every interval asks
//   nestB    one tower of n / 2; n / 2 short intervals on its far flank ask,
//            where up to 900 of the tower are alive
//   nestC    one tower of n; points on its far flank ask, where up to 1560 are
//            alive
//   several  locations of one to four short intervals each, n intervals in all
//
// The same family, size and seed give the same workload on every machine.
#ifndef BERTH_BENCH_WORKLOADS_H_
#define BERTH_BENCH_WORKLOADS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"

namespace berth::bench {

struct Workload {
  std::string name;  // "liv/1000" or a file's name
  std::vector<OwnedInterval> intervals;
  std::vector<Interval> queries;
  // Query i is stored interval i; false where something else asks.
  bool queries_are_stored = false;
  // For each id its intervals.
  IntervalTable owners;
};

// The families above, in that order.
const std::vector<std::string>& Families();

// kInvalidArgument names an unknown family or a size below 1. At most
// `max_queries` queries, a random sample where the family asks more.
absl::StatusOr<Workload> MakeWorkload(absl::string_view family, int32_t n,
                                      uint64_t seed, int32_t max_queries);

// The runs of each location, shuffled; every interval asks.
Workload FromRuns(std::string name, std::vector<std::vector<Interval>> owners,
                  uint64_t seed, int32_t max_queries);

// A CSV problem's lifetimes over ranks of its compressed end points (spec §14),
// gaps cut out; every interval asks.
Workload FromInstance(std::string name, const Instance& instance, uint64_t seed,
                      int32_t max_queries);

}  // namespace berth::bench

#endif  // BERTH_BENCH_WORKLOADS_H_
