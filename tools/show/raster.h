// Pixels: antialiased boxes and stroke text by integer arithmetic, so that the
// same scene gives the same pixels on every machine. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_RASTER_H_
#define BERTH_TOOLS_SHOW_RASTER_H_

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "tools/show/scene.h"

namespace berth::show {

// Thread-safety: none.
class Raster {
 public:
  // `scale` pixels per pixel of the scene. Starts white.
  // REQUIRES: scale >= 1 and 2^28 pixels at most.
  Raster(const Scene& scene, int32_t scale);

  // Draws all of it. Cost: O(pixels drawn).
  void Draw(const Scene& scene);

  int32_t width() const { return width_; }
  int32_t height() const { return height_; }
  // Rows from the top, three bytes a pixel.
  const std::vector<uint8_t>& rgb() const { return rgb_; }

 private:
  // Coverage of the pixels around a glyph's origin, in sixteenths.
  struct GlyphMask {
    int32_t left = 0;  // of the mask, from the origin
    int32_t top = 0;
    int32_t width = 0;
    int32_t height = 0;
    std::vector<uint8_t> sixteenths;
  };

  void Fill(const Box& box, const Color& color);
  void Outline(const Box& box, const Color& color, Px100 width);
  void Line(const SceneLine& line);
  void Text(const SceneText& text);
  const GlyphMask& MaskOf(uint32_t code, int32_t size_px, bool bold);
  // Mixes `color` in by ten-thousandths. The pixel may lie outside.
  void Blend(int32_t x, int32_t y, const Color& color, int32_t weight);

  const int32_t scale_;
  int32_t width_ = 0;
  int32_t height_ = 0;
  std::vector<uint8_t> rgb_;
  std::map<std::tuple<uint32_t, int32_t, bool>, GlyphMask> masks_;
};

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_RASTER_H_
