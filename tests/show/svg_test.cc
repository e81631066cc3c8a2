#include "tools/show/svg.h"

#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/show/sample_maps.h"
#include "tools/show/memory_map.h"

namespace berth::show {
namespace {

int64_t Count(const std::string& text, const std::string& part) {
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

// Empty if `xml` is well-formed as far as the writer goes: tags balance,
// attributes are quoted, text holds no bare <, & or control character.
std::string XmlFault(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = 0; at < xml.size();) {
    const char c = xml[at];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') {
      return absl::StrCat("control character at ", at);
    }
    if (c == '&') {
      const std::string rest = xml.substr(at, 6);
      if (rest.rfind("&lt;", 0) != 0 && rest.rfind("&gt;", 0) != 0 &&
          rest.rfind("&amp;", 0) != 0 && rest != "&quot;") {
        return absl::StrCat("bare & at ", at);
      }
    }
    if (c != '<') {
      ++at;
      continue;
    }
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return "tag without end";
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return "bare < in " + tag;
    if (Count(tag, "\"") % 2 != 0) return "odd quotes in " + tag;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      size_t name_end = 0;
      while (name_end < tag.size() && std::isalnum(tag[name_end])) ++name_end;
      open.push_back(tag.substr(0, name_end));
    }
    at = end + 1;
  }
  return open.empty() ? "" : "left open: " + open.back();
}

class EverySample : public testing::TestWithParam<NamedMap> {};

TEST_P(EverySample, GivesWellFormedSvg) {
  const std::string svg = RenderSvg(GetParam().map, RenderOptions());
  EXPECT_EQ(XmlFault(svg), "");
  EXPECT_TRUE(absl::StartsWith(svg, "<svg xmlns=")) << svg.substr(0, 80);
  EXPECT_EQ(svg, RenderSvg(GetParam().map, RenderOptions()));
}

TEST_P(EverySample, DrawsOneRectPerLiveRange) {
  RenderOptions options;
  options.max_drawn = 100000;
  options.max_panels = 100;
  const std::string svg = RenderSvg(GetParam().map, options);
  const int64_t count = NumValid(GetParam().map);
  EXPECT_EQ(Count(svg, "<rect class=\"range"), count);
  EXPECT_EQ(Count(svg, "<title>"), count);
  EXPECT_EQ(Count(svg, "merged"), 0);
}

INSTANTIATE_TEST_SUITE_P(Svg, EverySample, testing::ValuesIn(SampleMaps()),
                         [](const auto& info) { return info.param.name; });

TEST(Svg, TitleSaysNameBytesAddressAndLiveRange) {
  MemoryMap map;
  map.panels.resize(1);
  map.panels[0].ranges.push_back({.lo = 3,
                                  .hi = 17,
                                  .address = 0xc80000,
                                  .size_bytes = 620953,
                                  .label = "t<1>",
                                  .usage = Usage::kSpill,
                                  .cc = true,
                                  .pinned = true,
                                  .placed_at = 0});
  const std::string svg = RenderSvg(map, RenderOptions());
  EXPECT_TRUE(absl::StrContains(
      svg,
      "<title>t&lt;1&gt;\n606.4 KiB (620,953 bytes) at 12.5 MiB (0xc80000)\n"
      "live 3..17\nSPILL, collective, pinned, placed as number 1</title>"))
      << svg;
  EXPECT_TRUE(absl::StrContains(svg, "class=\"range pinned\""));
}

TEST(Svg, SaysHowManyItMerged) {
  const std::string svg = RenderSvg(RandomMap(20000, 7), RenderOptions());
  const int64_t drawn = Count(svg, "<rect class=\"range");
  EXPECT_GT(drawn, 100);
  EXPECT_LE(drawn, 5000);
  EXPECT_GT(Count(svg, "<path class=\"merged\""), 0);
  std::string count = absl::StrCat(20000 - drawn);
  count.insert(count.size() - 3, ",");
  EXPECT_TRUE(absl::StrContains(svg, "20,000 live ranges: "));
  EXPECT_TRUE(absl::StrContains(
      svg, absl::StrCat(" drawn one by one, ", count, " merged into cells")));
}

TEST(Svg, SaysWhatItLeavesOut) {
  MemoryMap map;
  for (int i = 0; i < 20; ++i) {
    MapPanel panel;
    panel.title = absl::StrCat("part", i, "!");
    panel.ranges.push_back(
        {.size_bytes = static_cast<uint64_t>(i + 1), .label = "x"});
    panel.ranges.push_back({.lo = 1, .hi = 0, .label = "x"});
    panel.num_unplaced = 1234;
    map.panels.push_back(panel);
  }
  const std::string svg = RenderSvg(map, RenderOptions());
  EXPECT_TRUE(absl::StrContains(
      svg, "drawn are the 16 of 20 parts with the most bytes"));
  EXPECT_FALSE(absl::StrContains(svg, "part3!"));
  EXPECT_TRUE(absl::StrContains(svg, "part4!"));
  EXPECT_TRUE(absl::StrContains(svg, "1,234 without an address not drawn"));
  EXPECT_TRUE(absl::StrContains(svg, "1 that end before they begin not drawn"));
}

}  // namespace
}  // namespace berth::show
