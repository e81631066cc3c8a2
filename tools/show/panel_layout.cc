#include "tools/show/panel_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "allocator/base/int_math.h"
#include "allocator/model/names.h"
#include "tools/show/address_axis.h"
#include "tools/show/cells.h"
#include "tools/show/marks.h"
#include "tools/show/palette.h"
#include "tools/show/time_axis.h"
#include "tools/show/units.h"

namespace berth::show {
namespace {

constexpr Px100 kMinExtent = 60;  // the thinnest that is still seen
constexpr Px100 kLegible = 3 * kPixel;
constexpr Px100 kInset = 35;  // between neighbours, where there is room
constexpr Px100 kWidthOfLetter = 640;    // at most, at 11 pixels
constexpr Px100 kHeadroom = 8 * kPixel;  // above the highest address

uint64_t EndOf(const MapRange& range) {
  return CheckedAdd(range.address, range.size_bytes)
      .value_or(std::numeric_limits<uint64_t>::max());
}

std::string FormatTime(int64_t time) {
  return time < 0 ? absl::StrCat("-", FormatCount(-static_cast<uint64_t>(time)))
                  : FormatCount(static_cast<uint64_t>(time));
}

AddressAxis MakeAddressAxis(const MapPanel& panel, Px100 height) {
  std::vector<ByteSpan> spans;
  spans.reserve(panel.ranges.size());
  uint64_t top = 0;
  for (const MapRange& range : panel.ranges) {
    if (range.lo > range.hi) continue;
    spans.push_back({range.address, EndOf(range)});
    top = std::max(top, EndOf(range));
  }
  const uint64_t highest_range = top;
  for (const MapMark& mark : panel.marks) {
    // A ceiling far above would leave nothing to see.
    const bool near = mark.address / 4 <= highest_range / 3;
    if (mark.kind != MarkKind::kCeiling || near) {
      top = std::max(top, mark.address);
    }
  }
  return AddressAxis(std::move(spans), top, height);
}

class PanelBuilder {
 public:
  PanelBuilder(const MapPanel& panel, const Box& plot,
               const RenderOptions& options, Scene& scene)
      : panel_(panel),
        plot_(plot),
        options_(options),
        scene_(scene),
        time_(panel.ranges, plot.left, plot.right),
        address_(MakeAddressAxis(panel, plot.bottom - plot.top - kHeadroom)) {}

  void Build() {
    AddBackground();
    AddAddressTicks();
    AddTimeTicks();
    AddRanges();
    AddMarks(panel_.marks, plot_, address_, scene_);
    AddHead();
  }

 private:
  Px100 Y(uint64_t address) const {
    return plot_.bottom - address_.HeightOf(address);
  }

  void Text(Px100 x, Px100 y, Anchor anchor, Color color, std::string text,
            int32_t size_px = 11, bool bold = false) {
    scene_.texts.push_back({.x = x,
                            .y = y,
                            .size_px = size_px,
                            .anchor = anchor,
                            .bold = bold,
                            .color = color,
                            .text = std::move(text)});
  }

  void AddBackground() {
    scene_.backgrounds.push_back({.box = plot_, .fill = kPlotPaper});
    if (panel_.cc_region.has_value() &&
        panel_.cc_region->lo < panel_.cc_region->hi) {
      const Box band = {.left = plot_.left,
                        .top = Y(panel_.cc_region->hi),
                        .right = plot_.right,
                        .bottom = Y(panel_.cc_region->lo)};
      scene_.backgrounds.push_back({.box = band, .fill = kCcBand});
    }
  }

  void AddAddressTicks() {
    const uint64_t most = (plot_.bottom - plot_.top) / (44 * kPixel);
    const uint64_t step =
        PowerOfTwoStep(address_.linear_bytes(), std::max<uint64_t>(1, most));
    Px100 last_y = plot_.bottom + 100 * kPixel;
    for (const AxisSegment& segment : address_.segments()) {
      if (segment.broken) {
        AddBreak(segment);
        continue;
      }
      uint64_t tick =
          CheckedRoundUp(segment.bytes.lo, step).value_or(segment.bytes.hi);
      while (tick <= segment.bytes.hi) {
        const Px100 y = Y(tick);
        if (last_y - y >= 13 * kPixel) {
          AddAddressTick(tick, step, y);
          last_y = y;
        }
        if (segment.bytes.hi - tick < step) break;
        tick += step;
      }
    }
  }

  void AddAddressTick(uint64_t address, uint64_t step, Px100 y) {
    scene_.backgrounds.push_back({.box = {.left = plot_.left - 4 * kPixel,
                                          .top = y - kPixel / 2,
                                          .right = plot_.right,
                                          .bottom = y + kPixel / 2},
                                  .fill = kGrid});
    Text(plot_.left - 8 * kPixel, y + 4 * kPixel, Anchor::kEnd, kMutedInk,
         FormatTick(address, step));
  }

  void AddBreak(const AxisSegment& segment) {
    const Box band = {.left = plot_.left - 4 * kPixel,
                      .top = plot_.bottom - segment.top,
                      .right = plot_.right,
                      .bottom = plot_.bottom - segment.bottom};
    scene_.backgrounds.push_back({.box = band, .fill = kBreak});
    Text((plot_.left + plot_.right) / 2, band.bottom - 5 * kPixel,
         Anchor::kMiddle, kMutedInk,
         absl::StrCat("no live range in these ",
                      FormatBytes(segment.bytes.hi - segment.bytes.lo),
                      " (axis cut)"));
  }

  void AddTimeTicks() {
    if (panel_.ranges.empty()) return;
    const size_t longest =
        std::max(FormatTime(time_.lo()).size(), FormatTime(time_.hi()).size());
    const Px100 apart = std::max<Px100>(
        90 * kPixel,
        static_cast<Px100>(longest) * kWidthOfLetter + 16 * kPixel);
    const uint64_t most = (plot_.right - plot_.left) / apart;
    const auto step = static_cast<int128>(
        DecimalStep(time_.span(), std::max<uint64_t>(1, most)));
    int128 tick = int128{time_.lo()} / step * step;
    if (tick < time_.lo()) tick += step;
    for (; tick <= time_.hi(); tick += step) {
      const auto time = static_cast<int64_t>(tick);
      const Px100 x = time_.Middle(time);
      scene_.lines.push_back({.box = {.left = x,
                                      .top = plot_.bottom,
                                      .right = x,
                                      .bottom = plot_.bottom + 4 * kPixel},
                              .color = kMutedInk});
      Text(x, plot_.bottom + 16 * kPixel, Anchor::kMiddle, kMutedInk,
           FormatTime(time));
    }
    Text((plot_.left + plot_.right) / 2, plot_.bottom + 32 * kPixel,
         Anchor::kMiddle, kMutedInk, panel_.time_label);
  }

  // At least kMinExtent in each direction, within the plot.
  Box BoxOf(const MapRange& range) const {
    Box box = {.left = time_.Begin(range.lo),
               .top = Y(EndOf(range)),
               .right = time_.End(range.hi),
               .bottom = Y(range.address)};
    box.right = std::max(box.right, box.left + kMinExtent);
    box.top = std::min(box.top, box.bottom - kMinExtent);
    const Px100 over = std::max(0, box.right - plot_.right);
    const Px100 under = std::max(0, plot_.top - box.top);
    return {box.left - over, box.top + under, box.right - over,
            box.bottom + under};
  }

  static bool Legible(const Box& box) {
    return box.right - box.left >= kLegible && box.bottom - box.top >= kLegible;
  }

  void AddRanges() {
    std::vector<int32_t> shown;
    for (size_t i = 0; i < panel_.ranges.size(); ++i) {
      if (panel_.ranges[i].lo <= panel_.ranges[i].hi) shown.push_back(i);
    }
    num_shown_ = shown.size();
    std::vector<CellItem> merged;
    if (shown.size() > static_cast<size_t>(options_.max_drawn)) {
      shown = TakeLargest(shown, merged);
    }
    num_drawn_ = shown.size();
    for (int32_t index : shown) AddRange(panel_.ranges[index]);
    for (SceneCells& cells : MergeIntoCells(merged, plot_)) {
      scene_.cells.push_back(std::move(cells));
    }
  }

  // The legible ones, the largest first, up to max_drawn, in file order; the
  // rest goes to `merged`.
  std::vector<int32_t> TakeLargest(const std::vector<int32_t>& shown,
                                   std::vector<CellItem>& merged) const {
    std::vector<std::pair<int64_t, int32_t>> by_area;
    for (int32_t index : shown) {
      const Box box = BoxOf(panel_.ranges[index]);
      const int64_t area =
          int64_t{box.right - box.left} * (box.bottom - box.top);
      if (Legible(box)) by_area.push_back({-area, index});
    }
    std::sort(by_area.begin(), by_area.end());
    if (by_area.size() > static_cast<size_t>(options_.max_drawn)) {
      by_area.resize(options_.max_drawn);
    }
    std::vector<int32_t> taken;
    taken.reserve(by_area.size());
    for (const auto& [area, index] : by_area) taken.push_back(index);
    std::sort(taken.begin(), taken.end());
    for (int32_t index : shown) {
      if (std::binary_search(taken.begin(), taken.end(), index)) continue;
      merged.push_back({.box = BoxOf(panel_.ranges[index]),
                        .category = CategoryOf(panel_.ranges[index])});
    }
    return taken;
  }

  // Longer-lived ones are darker: an eighth of the time, a 64th, less.
  int WhitePercentOf(const MapRange& range) const {
    const uint64_t length =
        static_cast<uint64_t>(range.hi) - static_cast<uint64_t>(range.lo);
    if (length >= time_.span() / 8) return 0;
    return length >= time_.span() / 64 ? 25 : 50;
  }

  void AddRange(const MapRange& range) {
    Box box = BoxOf(range);
    if (Legible(box)) {
      box = {box.left + kInset, box.top + kInset, box.right - kInset,
             box.bottom - kInset};
    }
    scene_.ranges.push_back(
        {.box = box,
         .fill = ColorOf(CategoryOf(range), WhitePercentOf(range)),
         .role = range.pinned ? RectRole::kPinned : RectRole::kRange,
         .title = TitleOf(range)});
    const Px100 text_width =
        static_cast<Px100>(std::min<size_t>(range.label.size(), 1000)) *
        kWidthOfLetter;
    if (box.right - box.left >= text_width + 4 * kPixel &&
        box.bottom - box.top >= 13 * kPixel) {
      Text((box.left + box.right) / 2, LabelY(box) + 4 * kPixel,
           Anchor::kMiddle, kInk, range.label);
    }
  }

  // The middle of the box, or a quarter down where a mark's line crosses it.
  Px100 LabelY(const Box& box) const {
    const Px100 middle = (box.top + box.bottom) / 2;
    for (const MapMark& mark : panel_.marks) {
      const Px100 distance = Y(mark.address) - middle;
      const bool crosses = -8 * kPixel < distance && distance < 8 * kPixel;
      if (crosses && box.bottom - box.top >= 36 * kPixel) {
        return middle + (box.bottom - box.top) / 4;
      }
    }
    return middle;
  }

  static std::string TitleOf(const MapRange& range) {
    std::string title = absl::StrCat(
        range.label, "\n", FormatBytes(range.size_bytes), " (",
        FormatCount(range.size_bytes), " bytes) at ",
        FormatBytes(range.address), absl::StrFormat(" (0x%x)", range.address),
        "\nlive ", range.lo, "..", range.hi, "\n");
    absl::StrAppend(&title, std::string(Name(range.usage)),
                    range.cc ? ", collective" : "",
                    range.pinned ? ", pinned" : "");
    if (range.placed_at >= 0) {
      absl::StrAppend(&title, ", placed as number ", range.placed_at + 1);
    }
    return title;
  }

  void AddHead() {
    Text(plot_.left, plot_.top - 26 * kPixel, Anchor::kStart, kInk,
         panel_.title, 13, true);
    Text(plot_.left, plot_.top - 9 * kPixel, Anchor::kStart, kMutedInk, Note());
  }

  // What is drawn, and what is not.
  std::string Note() const {
    std::string note = absl::StrCat(FormatCount(num_shown_), " live range",
                                    num_shown_ == 1 ? "" : "s");
    if (num_drawn_ < num_shown_) {
      absl::StrAppend(&note, ": ", FormatCount(num_drawn_),
                      " drawn one by one, ",
                      FormatCount(num_shown_ - num_drawn_),
                      " merged into cells of 2 pixels, the fuller the darker");
    }
    if (panel_.num_unplaced > 0) {
      absl::StrAppend(&note, "; ", FormatCount(panel_.num_unplaced),
                      " without an address not drawn");
    }
    const uint64_t num_invalid = panel_.ranges.size() - num_shown_;
    if (num_invalid > 0) {
      absl::StrAppend(&note, "; ", FormatCount(num_invalid),
                      " that end before they begin not drawn");
    }
    return note;
  }

  const MapPanel& panel_;
  const Box plot_;
  const RenderOptions& options_;
  Scene& scene_;
  const TimeAxis time_;
  const AddressAxis address_;
  uint64_t num_shown_ = 0;
  uint64_t num_drawn_ = 0;
};

}  // namespace

void AddPanel(const MapPanel& panel, const Box& plot,
              const RenderOptions& options, Scene& scene) {
  PanelBuilder(panel, plot, options, scene).Build();
}

}  // namespace berth::show
