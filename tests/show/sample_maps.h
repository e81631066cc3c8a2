// Memory maps that a renderer has to survive.
#ifndef BERTH_TESTS_SHOW_SAMPLE_MAPS_H_
#define BERTH_TESTS_SHOW_SAMPLE_MAPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/show/memory_map.h"

namespace berth::show {

struct NamedMap {
  std::string name;  // a C++ identifier: names the test
  MemoryMap map;
};

// Empty, one, zero sizes, huge addresses, negative times, odd names...
std::vector<NamedMap> SampleMaps();

// One panel of `count` random ranges that may overlap.
MemoryMap RandomMap(int32_t count, uint64_t seed);

// Of ranges that a renderer draws one by one or merges: those with lo <= hi.
int64_t NumValid(const MemoryMap& map);

}  // namespace berth::show

#endif  // BERTH_TESTS_SHOW_SAMPLE_MAPS_H_
