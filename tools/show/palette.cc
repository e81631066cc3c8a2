#include "tools/show/palette.h"

namespace berth::show {

Category CategoryOf(const MapRange& range) {
  if (range.cc) return Category::kCollective;
  switch (range.usage) {
    case Usage::kInput:
      return Category::kInput;
    case Usage::kOutput:
      return Category::kOutput;
    case Usage::kWeight:
      return Category::kWeight;
    case Usage::kConstant:
      return Category::kConstant;
    case Usage::kSpill:
      return Category::kSpill;
    case Usage::kIntermediate:
      break;
  }
  return Category::kIntermediate;
}

const char* NameOf(Category category) {
  constexpr const char* kNames[kNumCategories] = {
      "intermediate", "spill",  "collective", "input",
      "output",       "weight", "constant"};
  return kNames[static_cast<int>(category)];
}

Color ColorOf(Category category, int white_percent) {
  constexpr Color kFull[kNumCategories] = {{0x4a, 0x9f, 0xd8},   // sky blue
                                           {0xe6, 0x9f, 0x00},   // orange
                                           {0xd5, 0x5e, 0x00},   // vermilion
                                           {0x00, 0x9e, 0x73},   // green
                                           {0xcc, 0x79, 0xa7},   // purple
                                           {0x8c, 0x8c, 0x8c},   // grey
                                           {0xd9, 0xcc, 0x2e}};  // yellow
  const Color full = kFull[static_cast<int>(category)];
  const auto mix = [white_percent](uint8_t value) {
    return static_cast<uint8_t>(value + (255 - value) * white_percent / 100);
  };
  return {mix(full.red), mix(full.green), mix(full.blue)};
}

Color ColorOf(MarkKind kind) {
  switch (kind) {
    case MarkKind::kPeak:
      return {0xa0, 0x1c, 0x1c};
    case MarkKind::kLowerBound:
      return {0x00, 0x4c, 0x8c};
    case MarkKind::kCeiling:
    case MarkKind::kOther:
      return kMutedInk;
    case MarkKind::kFloor:
      break;
  }
  return kInk;
}

}  // namespace berth::show
