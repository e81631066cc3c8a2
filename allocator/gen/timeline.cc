#include "allocator/gen/timeline.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {
namespace {

std::string LocationName(size_t id) { return absl::StrCat("t", id); }

}  // namespace

Program ToProgram(const Timeline& timeline, std::string comment) {
  FunctionBuilder builder("main");
  const size_t num_locations = timeline.bytes.size();
  BERTH_CHECK(timeline.events.size() == 2 * num_locations);
  builder.ReserveLocations(num_locations);
  for (size_t i = 0; i < num_locations; ++i) {
    builder.AddLocation(LocationName(i), Usage::kIntermediate,
                        timeline.bytes[i], 1);
  }
  builder.AddBlock("entry");
  builder.ReserveInstructions(timeline.events.size());
  std::vector<bool> live(num_locations);
  for (int32_t location : timeline.events) {
    if (live[location]) {
      builder.Compute("", {}, {location});
    } else {
      builder.Compute("", {location}, {});
    }
    live[location] = true;
  }
  std::vector<Function> functions;
  functions.push_back(std::move(builder).Build());
  return OneCore(std::move(comment), std::move(functions));
}

Instance ToInstance(const Timeline& timeline) {
  Instance instance;
  instance.buffers.resize(timeline.bytes.size());
  std::vector<bool> live(timeline.bytes.size());
  int64_t now = 0;
  for (int32_t location : timeline.events) {
    Buffer& buffer = instance.buffers[location];
    if (live[location]) {
      buffer.upper = now + 1;
    } else {
      buffer.id = LocationName(location);
      buffer.lower = now;
      buffer.size = timeline.bytes[location];
    }
    live[location] = true;
    ++now;
  }
  return instance;
}

}  // namespace berth::gen
