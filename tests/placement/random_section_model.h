// Seeded random models of sections, for tests of tight's parts.
#ifndef BERTH_TESTS_PLACEMENT_RANDOM_SECTION_MODEL_H_
#define BERTH_TESTS_PLACEMENT_RANDOM_SECTION_MODEL_H_

#include <cstdint>

#include "allocator/base/rng.h"
#include "allocator/placement/tight/section_model.h"

namespace berth::tight {

struct RandomModelOptions {
  int32_t max_items = 24;
  int32_t max_times = 31;  // at least 2
  int32_t max_runs = 1;    // of an item; over 1: gaps
};

// Items of sizes 1 to 9.
SectionModel RandomModel(const RandomModelOptions& options, Rng& rng);

}  // namespace berth::tight

#endif  // BERTH_TESTS_PLACEMENT_RANDOM_SECTION_MODEL_H_
