// PageData of html.h.
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/show/html.h"
#include "tools/show/palette.h"
#include "tools/show/utf8.h"

namespace berth::show {
namespace {

// A string that ends neither the JSON nor the script around it.
void AppendText(absl::string_view text, std::string& out) {
  out += '"';
  for (const uint32_t point : DecodeUtf8(text)) {
    if (point >= 0x20 && point < 0x7f && point != '"' && point != '\\' &&
        point != '<') {
      out += static_cast<char>(point);
    } else if (point < 0x10000) {
      absl::StrAppendFormat(&out, "\\u%04x", point);
    } else {
      absl::StrAppendFormat(&out, "\\u%04x\\u%04x",
                            0xd800 + ((point - 0x10000) >> 10),
                            0xdc00 + (point & 0x3ff));
    }
  }
  out += '"';
}

// JavaScript's numbers are doubles: what they cannot hold is written as text.
template <typename Int>
void AppendNumber(Int value, std::string& out) {
  constexpr auto kExact = Int{1} << 53;
  bool exact = value <= kExact;
  if constexpr (Int(-1) < Int(0)) exact = exact && value >= -kExact;
  const char* const quote = exact ? "" : "\"";
  absl::StrAppend(&out, quote, value, quote);
}

// "key":[...], one entry for each live range that can be drawn.
template <typename Append>
void AppendColumn(absl::string_view key, const MapPanel& panel, Append append,
                  std::string& out) {
  absl::StrAppend(&out, ",\"", key, "\":[");
  bool first = true;
  for (const MapRange& range : panel.ranges) {
    if (range.lo > range.hi) continue;
    if (!first) out += ',';
    first = false;
    append(range);
  }
  out += ']';
}

// "key":"0010", one digit for each.
template <typename Digit>
void AppendDigits(absl::string_view key, const MapPanel& panel, Digit digit,
                  std::string& out) {
  absl::StrAppend(&out, ",\"", key, "\":\"");
  for (const MapRange& range : panel.ranges) {
    if (range.lo <= range.hi) out += static_cast<char>('0' + digit(range));
  }
  out += '"';
}

const char* NameOf(MarkKind kind) {
  switch (kind) {
    case MarkKind::kFloor:
      return "floor";
    case MarkKind::kLowerBound:
      return "lower_bound";
    case MarkKind::kPeak:
      return "peak";
    case MarkKind::kCeiling:
      return "ceiling";
    case MarkKind::kOther:
      break;
  }
  return "other";
}

void AppendMarks(const MapPanel& panel, std::string& out) {
  out += ",\"marks\":[";
  for (size_t i = 0; i < panel.marks.size(); ++i) {
    const MapMark& mark = panel.marks[i];
    absl::StrAppend(&out, i == 0 ? "" : ",", "{\"kind\":\"", NameOf(mark.kind),
                    "\",\"address\":");
    AppendNumber(mark.address, out);
    out += ",\"label\":";
    AppendText(mark.label, out);
    out += '}';
  }
  out += "],\"cc\":";
  if (panel.cc_region.has_value()) {
    out += '[';
    AppendNumber(panel.cc_region->lo, out);
    out += ',';
    AppendNumber(panel.cc_region->hi, out);
    out += ']';
  } else {
    out += "null";
  }
}

void AppendPanel(const MapPanel& panel, std::string& out) {
  out += "{\"title\":";
  AppendText(panel.title, out);
  out += ",\"time_label\":";
  AppendText(panel.time_label, out);
  out += ",\"unplaced\":";
  AppendNumber(panel.num_unplaced, out);
  AppendMarks(panel, out);
  AppendColumn(
      "lo", panel, [&](const MapRange& r) { AppendNumber(r.lo, out); }, out);
  AppendColumn(
      "hi", panel, [&](const MapRange& r) { AppendNumber(r.hi, out); }, out);
  AppendColumn(
      "address", panel,
      [&](const MapRange& r) { AppendNumber(r.address, out); }, out);
  AppendColumn(
      "size", panel,
      [&](const MapRange& r) { AppendNumber(r.size_bytes, out); }, out);
  AppendDigits(
      "kind", panel,
      [](const MapRange& r) { return static_cast<int>(CategoryOf(r)); }, out);
  AppendDigits(
      "pinned", panel, [](const MapRange& r) { return r.pinned ? 1 : 0; }, out);
  AppendColumn(
      "name", panel, [&](const MapRange& r) { AppendText(r.label, out); }, out);
  out += '}';
}

}  // namespace

std::string PageData(absl::Span<const PageSide> sides) {
  std::string out = "{\"categories\":[";
  for (int c = 0; c < kNumCategories; ++c) {
    const auto category = static_cast<Category>(c);
    const Color color = ColorOf(category, 0);
    absl::StrAppendFormat(&out,
                          "%s{\"name\":\"%s\",\"color\":\"#%02x%02x%02x\"}",
                          c == 0 ? "" : ",", NameOf(category), color.red,
                          color.green, color.blue);
  }
  out += "],\"sides\":[";
  for (size_t s = 0; s < sides.size(); ++s) {
    absl::StrAppend(&out, s == 0 ? "" : ",", "{\"title\":");
    AppendText(sides[s].title, out);
    out += ",\"panels\":[";
    for (size_t p = 0; p < sides[s].map->panels.size(); ++p) {
      if (p > 0) out += ",\n";
      AppendPanel(sides[s].map->panels[p], out);
    }
    out += "]}";
  }
  out += "]}";
  return out;
}

}  // namespace berth::show
