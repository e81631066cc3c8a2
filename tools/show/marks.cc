#include "tools/show/marks.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "tools/show/palette.h"

namespace berth::show {
namespace {

constexpr Px100 kSpacing = 14 * kPixel;

struct Label {
  Px100 y = 0;  // where its line is, or should be
  const MapMark* mark = nullptr;
  bool above = false;
};

// Down until none overlaps the one above it, then up from the bottom.
void MoveApart(std::vector<Label>& labels, Px100 bottom) {
  for (size_t i = 1; i < labels.size(); ++i) {
    labels[i].y = std::max(labels[i].y, labels[i - 1].y + kSpacing);
  }
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, bottom);
    bottom = label->y - kSpacing;
  }
}

bool IsDashed(MarkKind kind) {
  return kind != MarkKind::kPeak && kind != MarkKind::kFloor;
}

}  // namespace

void AddMarks(const std::vector<MapMark>& marks, const Box& plot,
              const AddressAxis& axis, Scene& scene) {
  std::vector<Label> labels;
  for (const MapMark& mark : marks) {
    const bool above = mark.address > axis.top();
    const Px100 y = above ? plot.top + 2 * kPixel
                          : plot.bottom - axis.HeightOf(mark.address);
    labels.push_back({.y = y, .mark = &mark, .above = above});
    if (above) continue;
    scene.lines.push_back({.box = {plot.left, y, plot.right + 6 * kPixel, y},
                           .color = ColorOf(mark.kind),
                           .width = kPixel * 3 / 2,
                           .dashed = IsDashed(mark.kind)});
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.y < b.y; });
  MoveApart(labels, plot.bottom + 2 * kPixel);
  for (const Label& label : labels) {
    scene.texts.push_back(
        {.x = plot.right + 10 * kPixel,
         .y = label.y + 4 * kPixel,
         .color = ColorOf(label.mark->kind),
         .text =
             absl::StrCat(label.mark->label, label.above ? " (above)" : "")});
  }
}

}  // namespace berth::show
