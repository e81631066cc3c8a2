// A timeline: locations that are defined once and read once, one event a time
// step. The common ground of the kinds random and nested.
// Internal to allocator/gen.
#ifndef BERTH_ALLOCATOR_GEN_TIMELINE_H_
#define BERTH_ALLOCATOR_GEN_TIMELINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth::gen {

// `events` names each location of 0..bytes.size()-1 twice: first its def, then
// its use. Ids are in order of their defs.
struct Timeline {
  std::vector<int32_t> events;
  std::vector<uint64_t> bytes;
};

// One instruction per event, in one block.
Program ToProgram(const Timeline& timeline, std::string comment);
// Lifetimes [def, use + 1): the closed interval of the program, half-open.
Instance ToInstance(const Timeline& timeline);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_TIMELINE_H_
