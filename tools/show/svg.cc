#include "tools/show/svg.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/show/layout.h"
#include "tools/show/scene.h"
#include "tools/show/units.h"
#include "tools/show/utf8.h"

namespace berth::show {
namespace {

class SvgWriter {
 public:
  std::string Write(const Scene& scene) {
    const std::string width = FormatHundredths(scene.width);
    const std::string height = FormatHundredths(scene.height);
    absl::StrAppend(
        &svg_, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width,
        "\" height=\"", height, "\" viewBox=\"0 0 ", width, " ", height,
        "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
        "<style>.pinned{stroke:#222;stroke-width:1.2}"
        ".range:hover{stroke:#000;stroke-width:1.5}"
        "text{pointer-events:none}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    for (const SceneRect& rect : scene.backgrounds) Rect(rect);
    for (const SceneCells& cells : scene.cells) Cells(cells);
    for (const SceneRect& rect : scene.ranges) Rect(rect);
    for (const SceneLine& line : scene.lines) Line(line);
    for (const SceneText& text : scene.texts) Text(text);
    svg_ += "</svg>\n";
    return std::move(svg_);
  }

 private:
  static std::string Hex(const Color& color) {
    return absl::StrFormat("#%02x%02x%02x", color.red, color.green, color.blue);
  }

  void Attribute(const char* name, Px100 value) {
    absl::StrAppend(&svg_, " ", name, "=\"", FormatHundredths(value), "\"");
  }

  void Rect(const SceneRect& rect) {
    svg_ += "<rect";
    if (rect.role == RectRole::kRange) svg_ += " class=\"range\"";
    if (rect.role == RectRole::kPinned) svg_ += " class=\"range pinned\"";
    Attribute("x", rect.box.left);
    Attribute("y", rect.box.top);
    Attribute("width", rect.box.right - rect.box.left);
    Attribute("height", rect.box.bottom - rect.box.top);
    absl::StrAppend(&svg_, " fill=\"", Hex(rect.fill), "\"");
    if (rect.title.empty()) {
      svg_ += "/>\n";
    } else {
      absl::StrAppend(&svg_, "><title>", EscapeXml(rect.title),
                      "</title></rect>\n");
    }
  }

  void Cells(const SceneCells& cells) {
    absl::StrAppend(&svg_, "<path class=\"merged\" fill=\"", Hex(cells.fill),
                    "\" d=\"");
    for (const Box& box : cells.boxes) {
      const std::string width = FormatHundredths(box.right - box.left);
      absl::StrAppend(&svg_, "M", FormatHundredths(box.left), ",",
                      FormatHundredths(box.top), "h", width, "v",
                      FormatHundredths(box.bottom - box.top), "h-", width, "z");
    }
    svg_ += "\"/>\n";
  }

  void Line(const SceneLine& line) {
    svg_ += "<line";
    Attribute("x1", line.box.left);
    Attribute("y1", line.box.top);
    Attribute("x2", line.box.right);
    Attribute("y2", line.box.bottom);
    absl::StrAppend(&svg_, " stroke=\"", Hex(line.color), "\"");
    Attribute("stroke-width", line.width);
    if (line.dashed) svg_ += " stroke-dasharray=\"6 4\"";
    svg_ += "/>\n";
  }

  void Text(const SceneText& text) {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    svg_ += "<text";
    Attribute("x", text.x);
    Attribute("y", text.y);
    absl::StrAppend(&svg_, " font-size=\"", text.size_px, "\" text-anchor=\"",
                    kAnchors[static_cast<int>(text.anchor)], "\" fill=\"",
                    Hex(text.color), "\"");
    if (text.bold) svg_ += " font-weight=\"bold\"";
    absl::StrAppend(&svg_, ">", EscapeXml(text.text), "</text>\n");
  }

  std::string svg_;
};

}  // namespace

std::string RenderSvg(const MemoryMap& map, const RenderOptions& options) {
  return SvgWriter().Write(Layout(map, options));
}

}  // namespace berth::show
