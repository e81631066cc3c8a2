#include "tools/show/layout.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "tools/show/palette.h"
#include "tools/show/panel_layout.h"
#include "tools/show/units.h"

namespace berth::show {
namespace {

constexpr Px100 kLeftMargin = 92 * kPixel;
constexpr Px100 kRightMargin = 215 * kPixel;
constexpr int32_t kMinWidthPx = 480;

Px100 PlotHeight(size_t num_panels) {
  if (num_panels <= 1) return 560 * kPixel;
  return (num_panels == 2 ? 360 : 260) * kPixel;
}

// The panels to draw, in their order: of too many, those with the most bytes.
std::vector<const MapPanel*> ChoosePanels(const MemoryMap& map,
                                          int32_t max_panels) {
  std::vector<const MapPanel*> panels;
  for (const MapPanel& panel : map.panels) panels.push_back(&panel);
  if (panels.size() <= static_cast<size_t>(max_panels)) return panels;
  const auto bytes_of = [](const MapPanel* panel) {
    uint128 bytes = 0;
    for (const MapRange& range : panel->ranges) bytes += range.size_bytes;
    return bytes;
  };
  std::vector<std::pair<uint128, const MapPanel*>> by_bytes;
  by_bytes.reserve(panels.size());
  for (const MapPanel* panel : panels) {
    by_bytes.push_back({bytes_of(panel), panel});
  }
  std::stable_sort(
      by_bytes.begin(), by_bytes.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  by_bytes.resize(max_panels);
  panels.clear();
  for (const auto& [bytes, panel] : by_bytes) panels.push_back(panel);
  // All point into one array: by pointer is by position.
  std::sort(panels.begin(), panels.end());
  return panels;
}

class LegendBuilder {
 public:
  LegendBuilder(Px100 x, Px100 y, Scene& scene) : x_(x), y_(y), scene_(scene) {}

  void Swatch(Color fill, RectRole role, const char* text) {
    SceneRect swatch;
    swatch.box = {x_, y_ - 10 * kPixel, x_ + 14 * kPixel, y_};
    swatch.fill = fill;
    // Not a range itself: kRange and kPinned are counted by readers.
    scene_.backgrounds.push_back(swatch);
    if (role == RectRole::kPinned) {
      for (const Box& edge :
           {Box{x_, swatch.box.top, x_ + swatch_width(), swatch.box.top},
            Box{x_, y_, x_ + swatch_width(), y_},
            Box{x_, swatch.box.top, x_, y_},
            Box{x_ + swatch_width(), swatch.box.top, x_ + swatch_width(),
                y_}}) {
        scene_.lines.push_back({.box = edge, .color = kInk});
      }
    }
    x_ += swatch_width() + 5 * kPixel;
    Words(text);
  }

  void Words(const std::string& text) {
    scene_.texts.push_back(
        {.x = x_, .y = y_ - kPixel, .color = kInk, .text = text});
    x_ += static_cast<Px100>(text.size()) * 580 + 16 * kPixel;
  }

 private:
  static constexpr Px100 swatch_width() { return 14 * kPixel; }

  Px100 x_;
  const Px100 y_;
  Scene& scene_;
};

void AddLegend(const std::vector<const MapPanel*>& panels, Px100 y,
               Scene& scene) {
  bool present[kNumCategories] = {};
  bool pinned = false;
  bool cc_region = false;
  bool any = false;
  for (const MapPanel* panel : panels) {
    for (const MapRange& range : panel->ranges) {
      present[static_cast<int>(CategoryOf(range))] = true;
      pinned |= range.pinned;
      any = true;
    }
    cc_region |= panel->cc_region.has_value() &&
                 panel->cc_region->lo < panel->cc_region->hi;
  }
  LegendBuilder legend(kLeftMargin, y, scene);
  for (int i = 0; i < kNumCategories; ++i) {
    const auto category = static_cast<Category>(i);
    if (present[i]) {
      legend.Swatch(ColorOf(category, 0), RectRole::kRange, NameOf(category));
    }
  }
  if (pinned) legend.Swatch(kPlotPaper, RectRole::kPinned, "pinned");
  if (cc_region) legend.Swatch(kCcBand, RectRole::kPlain, "CC region");
  if (any) legend.Words("longer-lived is darker");
}

void AddLine(const std::string& text, int32_t size_px, bool bold, Color color,
             Px100 y, Scene& scene) {
  scene.texts.push_back({.x = kLeftMargin,
                         .y = y,
                         .size_px = size_px,
                         .bold = bold,
                         .color = color,
                         .text = text});
}

}  // namespace

Scene Layout(const MemoryMap& map, const RenderOptions& options) {
  const std::vector<const MapPanel*> panels =
      ChoosePanels(map, std::max(1, options.max_panels));
  Scene scene;
  scene.width = std::clamp(options.width_px, kMinWidthPx, 20000) * kPixel;

  Px100 y = 26 * kPixel;
  AddLine(map.title, 16, true, kInk, y, scene);
  std::string note = map.note;
  if (panels.size() < map.panels.size()) {
    absl::StrAppend(&note, note.empty() ? "" : "; ", "drawn are the ",
                    panels.size(), " of ", FormatCount(map.panels.size()),
                    " parts with the most bytes");
  }
  if (panels.empty()) note = note.empty() ? "nothing to draw" : note;
  if (!note.empty())
    AddLine(note, 11, false, kMutedInk, y += 18 * kPixel, scene);
  AddLegend(panels, y += 24 * kPixel, scene);

  const Px100 plot_height = PlotHeight(panels.size());
  for (const MapPanel* panel : panels) {
    y += kPanelHeadHeight;
    const Box plot = {.left = kLeftMargin,
                      .top = y,
                      .right = scene.width - kRightMargin,
                      .bottom = y + plot_height};
    AddPanel(*panel, plot, options, scene);
    y += plot_height + kPanelFootHeight;
  }
  scene.height = y + 10 * kPixel;
  return scene;
}

}  // namespace berth::show
