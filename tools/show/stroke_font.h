// A stroke font of our own for the printable ASCII characters: letters as pen
// strokes on a small grid. PNGs look the same on every machine, with no font
// installed and no font file to carry. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_STROKE_FONT_H_
#define BERTH_TOOLS_SHOW_STROKE_FONT_H_

#include <cstdint>
#include <vector>

namespace berth::show {

// Grid units: the baseline is y = 0, capitals are 8 high, small letters 6,
// descenders reach -2; y goes up.
struct GridPoint {
  int8_t x = 0;
  int8_t y = 0;
};

struct Glyph {
  int32_t width = 0;  // without the space to the next one
  std::vector<std::vector<GridPoint>> strokes;  // one point: a dot
};

inline constexpr int32_t kGlyphSpacing = 2;

// The glyph of a code point; a box for those the font does not have.
const Glyph& GlyphOf(uint32_t code);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_STROKE_FONT_H_
