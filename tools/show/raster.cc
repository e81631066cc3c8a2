#include "tools/show/raster.h"

#include <algorithm>
#include <utility>

#include "allocator/base/check.h"
#include "tools/show/palette.h"
#include "tools/show/stroke_font.h"
#include "tools/show/utf8.h"

namespace berth::show {
namespace {

// Fixed point of the font: 1/256 pixel.
constexpr int32_t kFontOne = 256;
// A grid unit is 0.09 of the font size, half a stroke 0.046, bold 0.06.
constexpr int32_t kUnitPerPx = 23;
constexpr int32_t kPenPerPx = 12;
constexpr int32_t kBoldPenPerPx = 16;

int32_t FloorDiv(int32_t value, int32_t by) {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

struct FontPoint {
  int32_t x = 0;
  int32_t y = 0;
};

// Whether `p` is within `radius` of the segment a-b.
bool Near(const FontPoint& p, const FontPoint& a, const FontPoint& b,
          int32_t radius) {
  const int64_t dx = b.x - a.x, dy = b.y - a.y;
  const int64_t px = p.x - a.x, py = p.y - a.y;
  const int64_t length2 = dx * dx + dy * dy;
  const int64_t dot = px * dx + py * dy;
  const int64_t radius2 = int64_t{radius} * radius;
  if (dot <= 0) return px * px + py * py <= radius2;
  if (dot >= length2) {
    const int64_t qx = p.x - b.x, qy = p.y - b.y;
    return qx * qx + qy * qy <= radius2;
  }
  const int64_t cross = px * dy - py * dx;
  return cross * cross <= radius2 * length2;
}

}  // namespace

Raster::Raster(const Scene& scene, int32_t scale) : scale_(scale) {
  width_ = scene.width / kPixel * scale;
  height_ = scene.height / kPixel * scale;
  BERTH_CHECK(int64_t{width_} * height_ <= int64_t{1} << 28);
  rgb_.assign(size_t{3} * width_ * height_, 0xff);
}

void Raster::Draw(const Scene& scene) {
  for (const SceneRect& rect : scene.backgrounds) Fill(rect.box, rect.fill);
  for (const SceneCells& cells : scene.cells) {
    for (const Box& box : cells.boxes) Fill(box, cells.fill);
  }
  for (const SceneRect& rect : scene.ranges) {
    Fill(rect.box, rect.fill);
    if (rect.role == RectRole::kPinned) Outline(rect.box, kInk, 120);
  }
  for (const SceneLine& line : scene.lines) Line(line);
  for (const SceneText& text : scene.texts) Text(text);
}

void Raster::Blend(int32_t x, int32_t y, const Color& color, int32_t weight) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  uint8_t* pixel = &rgb_[3 * (size_t(y) * width_ + x)];
  const auto mix = [weight](uint8_t& old, int32_t value) {
    old = static_cast<uint8_t>(
        (old * (10000 - weight) + value * weight + 5000) / 10000);
  };
  mix(pixel[0], color.red);
  mix(pixel[1], color.green);
  mix(pixel[2], color.blue);
}

// Edges in hundredths of a device pixel: coverage is exact.
void Raster::Fill(const Box& box, const Color& color) {
  const int32_t left = std::max(0, box.left * scale_);
  const int32_t top = std::max(0, box.top * scale_);
  const int32_t right = std::min(width_ * kPixel, box.right * scale_);
  const int32_t bottom = std::min(height_ * kPixel, box.bottom * scale_);
  const auto covered = [](int32_t pixel, int32_t lo, int32_t hi) {
    return std::min(hi, (pixel + 1) * kPixel) - std::max(lo, pixel * kPixel);
  };
  for (int32_t y = top / kPixel; y * kPixel < bottom; ++y) {
    const int32_t in_y = covered(y, top, bottom);
    for (int32_t x = left / kPixel; x * kPixel < right; ++x) {
      Blend(x, y, color, in_y * covered(x, left, right));
    }
  }
}

void Raster::Outline(const Box& box, const Color& color, Px100 width) {
  for (const Box& edge : {Box{box.left, box.top, box.right, box.top},
                          Box{box.left, box.bottom, box.right, box.bottom},
                          Box{box.left, box.top, box.left, box.bottom},
                          Box{box.right, box.top, box.right, box.bottom}}) {
    Line({.box = edge, .color = color, .width = width});
  }
}

void Raster::Line(const SceneLine& line) {
  const Px100 half = line.width / 2;
  const bool across = line.box.top == line.box.bottom;
  const Px100 from = across ? line.box.left : line.box.top;
  const Px100 to = across ? line.box.right : line.box.bottom;
  const Px100 dash = line.dashed ? 6 * kPixel : to - from;
  const Px100 step = line.dashed ? 10 * kPixel : to - from;
  for (Px100 at = from; at < to; at += step) {
    const Px100 end = std::min(to, at + dash);
    Fill(across ? Box{at, line.box.top - half, end, line.box.top + half}
                : Box{line.box.left - half, at, line.box.left + half, end},
         line.color);
  }
}

void Raster::Text(const SceneText& text) {
  const std::vector<uint32_t> codes = DecodeUtf8(text.text);
  const int32_t unit = text.size_px * scale_ * kUnitPerPx;  // 1/256 px
  int32_t length = 0;
  for (uint32_t code : codes) {
    length += (GlyphOf(code).width + kGlyphSpacing) * unit;
  }
  int32_t x = static_cast<int32_t>(int64_t{text.x} * scale_ * kFontOne / 100);
  if (text.anchor == Anchor::kMiddle) x -= length / 2;
  if (text.anchor == Anchor::kEnd) x -= length;
  const int32_t y = text.y * scale_ / 100;
  for (uint32_t code : codes) {
    const GlyphMask& mask = MaskOf(code, text.size_px, text.bold);
    const int32_t origin = FloorDiv(x + kFontOne / 2, kFontOne);
    for (int32_t row = 0; row < mask.height; ++row) {
      for (int32_t column = 0; column < mask.width; ++column) {
        const int32_t sixteenths = mask.sixteenths[row * mask.width + column];
        if (sixteenths == 0) continue;
        Blend(origin + mask.left + column, y + mask.top + row, text.color,
              sixteenths * 625);
      }
    }
    x += (GlyphOf(code).width + kGlyphSpacing) * unit;
  }
}

const Raster::GlyphMask& Raster::MaskOf(uint32_t code, int32_t size_px,
                                        bool bold) {
  const auto [found, inserted] = masks_.try_emplace({code, size_px, bold});
  GlyphMask& mask = found->second;
  if (!inserted) return mask;
  const Glyph& glyph = GlyphOf(code);
  const int32_t unit = size_px * scale_ * kUnitPerPx;
  const int32_t pen = size_px * scale_ * (bold ? kBoldPenPerPx : kPenPerPx);
  const auto pixel = [](int32_t value) { return FloorDiv(value, kFontOne); };
  mask.left = pixel(-pen) - 1;
  mask.top = pixel(-9 * unit - pen) - 1;
  mask.width = pixel(glyph.width * unit + pen) + 2 - mask.left;
  mask.height = pixel(2 * unit + pen) + 2 - mask.top;
  mask.sixteenths.resize(size_t(mask.width) * mask.height);
  const auto inked = [&](const FontPoint& p) {
    for (const auto& stroke : glyph.strokes) {
      for (size_t i = 0; i < stroke.size(); ++i) {
        const GridPoint& from = stroke[i == 0 ? 0 : i - 1];
        const FontPoint a = {from.x * unit, -from.y * unit};
        const FontPoint b = {stroke[i].x * unit, -stroke[i].y * unit};
        if (Near(p, a, b, pen)) return true;
      }
    }
    return false;
  };
  for (int32_t row = 0; row < mask.height; ++row) {
    for (int32_t column = 0; column < mask.width; ++column) {
      int32_t hits = 0;
      for (int32_t sample = 0; sample < 16; ++sample) {
        hits += inked({(mask.left + column) * kFontOne + 32 + 64 * (sample % 4),
                       (mask.top + row) * kFontOne + 32 + 64 * (sample / 4)});
      }
      mask.sixteenths[row * mask.width + column] = static_cast<uint8_t>(hits);
    }
  }
  return mask;
}

}  // namespace berth::show
