// A drawing as a list of primitives: what layout makes and the renderers write.
// Coordinates are hundredths of a pixel, y downward, so that every renderer
// gets the same integers.
#ifndef BERTH_TOOLS_SHOW_SCENE_H_
#define BERTH_TOOLS_SHOW_SCENE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace berth::show {

// Hundredths of a pixel.
using Px100 = int32_t;
inline constexpr Px100 kPixel = 100;

struct Color {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;

  friend bool operator==(const Color&, const Color&) = default;
};

struct Box {
  Px100 left = 0;
  Px100 top = 0;
  Px100 right = 0;
  Px100 bottom = 0;
};

enum class RectRole : uint8_t {
  kPlain = 0,
  kRange = 1,   // one live range; has a title
  kPinned = 2,  // one pinned live range: drawn with an outline
};

struct SceneRect {
  Box box;
  Color fill;
  RectRole role = RectRole::kPlain;
  std::string title = {};  // shown on hover, where the format can
};

// Runs of raster cells of one colour.
struct SceneCells {
  Color fill;
  std::vector<Box> boxes = {};
};

// Horizontal or vertical.
struct SceneLine {
  Box box;  // left == right, or top == bottom
  Color color;
  Px100 width = kPixel;
  bool dashed = false;
};

enum class Anchor : uint8_t { kStart = 0, kMiddle = 1, kEnd = 2 };

struct SceneText {
  Px100 x = 0;
  Px100 y = 0;  // of the baseline
  int32_t size_px = 11;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  Color color;
  std::string text = {};
};

// Drawn in the order of the members: a later one covers an earlier one.
struct Scene {
  Px100 width = 0;
  Px100 height = 0;
  std::vector<SceneRect> backgrounds;
  std::vector<SceneCells> cells;
  std::vector<SceneRect> ranges;
  std::vector<SceneLine> lines;
  std::vector<SceneText> texts;
};

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_SCENE_H_
