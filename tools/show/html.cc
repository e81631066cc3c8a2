#include "tools/show/html.h"

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "tools/show/page_text.h"
#include "tools/show/utf8.h"

namespace berth::show {

std::string RenderHtml(absl::Span<const PageSide> sides) {
  BERTH_CHECK(!sides.empty());
  const MemoryMap& first = *sides[0].map;
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>",
      EscapeXml(first.title), "</title>\n<style>\n", kPageStyle,
      "</style>\n</head>\n<body>\n<header>\n<h1>", EscapeXml(first.title),
      "</h1><span id=\"note\">", EscapeXml(first.note),
      "</span>\n"
      "<label>find <input id=\"find\" type=\"search\"></label>"
      "<span id=\"matches\" role=\"status\"></span>\n"
      "<label>colour by <select id=\"color\"><option value=\"usage\">usage"
      "</option><option value=\"size\">size</option><option value=\"age\">age"
      "</option></select></label>\n<span id=\"legend\"></span>\n"
      "<button id=\"fit\">fit</button><span id=\"lanes\"></span>\n</header>\n"
      "<main><canvas id=\"map\" tabindex=\"0\" aria-label=\"memory map: time "
      "across, addresses up\"></canvas><div id=\"tip\"></div></main>\n"
      "<footer><span id=\"detail\" role=\"status\"></span><span class=\"help\">"
      "wheel: zoom (shift: time, alt: addresses); drag: move; click: keep; "
      "Enter: next found</span></footer>\n"
      "<noscript>This page needs JavaScript; berth show draws .svg and .png "
      "too.</noscript>\n"
      "<script type=\"application/json\" id=\"data\">",
      PageData(sides), "</script>\n<script>\n", kPageScript,
      "</script>\n</body>\n</html>\n");
}

}  // namespace berth::show
