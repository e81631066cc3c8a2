#include "tests/placement/random_section_model.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "allocator/model/intervals.h"

namespace berth::tight {

SectionModel RandomModel(const RandomModelOptions& options, Rng& rng) {
  const auto num_items = static_cast<int32_t>(1 + rng.Below(options.max_items));
  const auto num_times =
      static_cast<int32_t>(2 + rng.Below(options.max_times - 1));
  IntervalTable live;
  std::vector<int32_t> nodes(num_items);
  std::iota(nodes.begin(), nodes.end(), 0);
  std::vector<int64_t> sizes;
  for (int32_t i = 0; i < num_items; ++i) {
    std::vector<Interval> runs;
    auto time = static_cast<int32_t>(rng.Below(num_times));
    while (time < num_times &&
           static_cast<int32_t>(runs.size()) < options.max_runs) {
      const auto end = static_cast<int32_t>(std::min<uint64_t>(
          num_times - 1, time + rng.Below(1 + num_times / 2)));
      runs.push_back({time, end});
      time = end + 2 + static_cast<int32_t>(rng.Below(4));
    }
    live.Append(runs);
    sizes.push_back(1 + static_cast<int64_t>(rng.Below(9)));
  }
  return *BuildSectionModel(live, nodes, sizes, SectionModelLimits());
}

}  // namespace berth::tight
