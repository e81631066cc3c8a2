// The page's text and data; tests/show/page_test.py looks at it in a browser.
#include "tools/show/html.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/show/sample_maps.h"
#include "tools/show/memory_map.h"

namespace berth::show {
namespace {

using Json = nlohmann::json;

Json DataOf(const MemoryMap& map) {
  return Json::parse(PageData({{&map, "a"}}));
}

int Count(const std::string& text, const std::string& part) {
  return static_cast<int>(
             std::vector<std::string>(absl::StrSplit(text, part)).size()) -
         1;
}

TEST(PageDataTest, HoldsEveryLiveRange) {
  const MemoryMap map = RandomMap(500, 3);
  const Json data = DataOf(map);
  const Json& panels = data["sides"][0]["panels"];
  ASSERT_EQ(panels.size(), map.panels.size());
  for (size_t p = 0; p < panels.size(); ++p) {
    const auto& ranges = map.panels[p].ranges;
    ASSERT_EQ(panels[p]["name"].size(), ranges.size());
    ASSERT_EQ(panels[p]["kind"].get<std::string>().size(), ranges.size());
    for (size_t i = 0; i < ranges.size(); ++i) {
      EXPECT_EQ(panels[p]["name"][i], ranges[i].label);
      EXPECT_EQ(panels[p]["lo"][i], ranges[i].lo);
      EXPECT_EQ(panels[p]["hi"][i], ranges[i].hi);
      EXPECT_EQ(panels[p]["address"][i], ranges[i].address);
      EXPECT_EQ(panels[p]["size"][i], ranges[i].size_bytes);
    }
    ASSERT_EQ(panels[p]["marks"].size(), map.panels[p].marks.size());
  }
}

TEST(PageDataTest, KeepsWhatDoublesCannotHoldAsText) {
  MemoryMap map;
  MapPanel& panel = map.panels.emplace_back();
  MapRange range;
  range.lo = std::numeric_limits<int64_t>::min();
  range.hi = (int64_t{1} << 53) + 1;
  range.address = std::numeric_limits<uint64_t>::max();
  range.size_bytes = uint64_t{1} << 53;
  range.pinned = true;
  panel.ranges = {range};
  panel.cc_region = MapRegion{0, (uint64_t{1} << 53) + 1};
  const Json data = DataOf(map)["sides"][0]["panels"][0];
  EXPECT_EQ(data["lo"][0], "-9223372036854775808");
  EXPECT_EQ(data["hi"][0], "9007199254740993");
  EXPECT_EQ(data["address"][0], "18446744073709551615");
  EXPECT_EQ(data["size"][0], uint64_t{1} << 53);
  EXPECT_EQ(data["pinned"], "1");
  EXPECT_EQ(data["cc"][0], 0);
  EXPECT_EQ(data["cc"][1], "9007199254740993");
}

TEST(PageDataTest, LeavesOutWhatEndsBeforeItBegins) {
  MemoryMap map;
  MapPanel& panel = map.panels.emplace_back();
  MapRange range;
  range.label = "kept";
  panel.ranges.push_back(range);
  range.lo = 1;
  range.label = "lost";
  panel.ranges.push_back(range);
  const Json data = DataOf(map)["sides"][0]["panels"][0];
  EXPECT_EQ(data["name"], Json::array({"kept"}));
  EXPECT_EQ(data["kind"].get<std::string>().size(), 1u);
  EXPECT_EQ(data["pinned"].get<std::string>().size(), 1u);
}

TEST(PageDataTest, NamesCannotEndTheScript) {
  MemoryMap map;
  map.title = "</title><script>alert(1)</script>";
  MapPanel& panel = map.panels.emplace_back();
  MapRange range;
  range.label = "</script><!-- \"q\" \\ \xc3\xa9 \xf0\x9f\x9a\xa2 \xff";
  panel.ranges = {range};
  const Json data = DataOf(map);
  EXPECT_EQ(data["sides"][0]["panels"][0]["name"][0],
            "</script><!-- \"q\" \\ \xc3\xa9 \xf0\x9f\x9a\xa2 \xef\xbf\xbd");
  const std::string html = RenderHtml({{&map, ""}});
  EXPECT_EQ(Count(html, "<script"), 2);
  EXPECT_EQ(Count(html, "</script"), 2);
  EXPECT_FALSE(absl::StrContains(html, "<!--"));
  EXPECT_TRUE(absl::StrContains(html, "&lt;/title&gt;"));
}

TEST(HtmlTest, StandsAlone) {
  const MemoryMap map = RandomMap(10, 1);
  const std::string html = RenderHtml({{&map, "a"}, {&map, "b"}});
  EXPECT_FALSE(absl::StrContains(html, "http"));
  EXPECT_FALSE(absl::StrContains(html, "src="));
  EXPECT_EQ(Json::parse(PageData({{&map, "a"}, {&map, "b"}}))["sides"].size(),
            2u);
}

}  // namespace
}  // namespace berth::show
