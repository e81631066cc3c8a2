// The colours, after Okabe and Ito: told apart under every common colour
// blindness. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_PALETTE_H_
#define BERTH_TOOLS_SHOW_PALETTE_H_

#include <cstdint>

#include "tools/show/memory_map.h"
#include "tools/show/scene.h"

namespace berth::show {

// What a colour stands for, in the order of the legend.
enum class Category : uint8_t {
  kIntermediate = 0,
  kSpill = 1,
  kCollective = 2,
  kInput = 3,
  kOutput = 4,
  kWeight = 5,
  kConstant = 6,
};
inline constexpr int kNumCategories = 7;

inline constexpr Color kInk = {0x22, 0x22, 0x22};
inline constexpr Color kMutedInk = {0x66, 0x66, 0x66};
inline constexpr Color kPaper = {0xff, 0xff, 0xff};
inline constexpr Color kPlotPaper = {0xfa, 0xfa, 0xf7};
inline constexpr Color kGrid = {0xe6, 0xe6, 0xe2};
inline constexpr Color kBreak = {0xec, 0xea, 0xe4};
inline constexpr Color kCcBand = {0xfb, 0xe6, 0xdc};

Category CategoryOf(const MapRange& range);
const char* NameOf(Category category);
// The full colour, mixed with `white_percent` of white.
Color ColorOf(Category category, int white_percent);
Color ColorOf(MarkKind kind);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_PALETTE_H_
