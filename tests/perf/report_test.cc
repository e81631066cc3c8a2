#include "tools/perf/report.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace berth::perf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<BenchRun> History() {
  std::vector<BenchRun> runs(3);
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i].info.id = static_cast<int64_t>(i + 1);
    runs[i].info.commit = "c" + std::to_string(i);
    runs[i].info.machine = "m";
    runs[i].series[{"Plan/<big>&", "visits"}].values = {i < 2 ? 10.0 : 12.0};
    runs[i].series[{"Plan/<big>&", "hash"}].texts = {"</script>"};
  }
  return runs;
}

nlohmann::json DataOf(const std::string& page) {
  const std::string open = "<script id=\"data\" type=\"application/json\">";
  const size_t from = page.find(open) + open.size();
  return nlohmann::json::parse(
      page.substr(from, page.find("</script>", from) - from));
}

TEST(ReportTest, NeedsNothingFromOutside) {
  const std::string page = RenderReport(History(), {});
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("fetch(")));
  EXPECT_THAT(page, HasSubstr("uPlot (v1.6.32)"));
}

TEST(ReportTest, MarksTheRunThatIsWorseThanTheOneBefore) {
  const nlohmann::json data = DataOf(RenderReport(History(), {}));
  ASSERT_EQ(data["runs"].size(), 3u);
  ASSERT_EQ(data["series"].size(), 1u);  // hashes have no axis
  const auto& points = data["series"][0]["points"];
  EXPECT_FALSE(points[1].contains("mark"));
  EXPECT_EQ(points[2]["mark"], "worse");
  EXPECT_EQ(points[2]["median"], 12);
}

TEST(ReportTest, TextsOfTheHistoryAreNoMarkup) {
  const std::string page = RenderReport(History(), {});
  EXPECT_THAT(page, HasSubstr("Plan/&lt;big&gt;&amp;"));
  EXPECT_THAT(page, Not(HasSubstr("<big>")));
  EXPECT_THAT(page, HasSubstr("Run 3 (c2) against run 2 (c1): 1 findings"));
}

TEST(ReportTest, AHistoryOfOneRunHasATrendAndNoComparison) {
  std::vector<BenchRun> runs = History();
  runs.resize(1);
  const std::string page = RenderReport(runs, {});
  EXPECT_THAT(page, HasSubstr("nothing to be compared"));
  EXPECT_EQ(DataOf(page)["series"].size(), 1u);
}

}  // namespace
}  // namespace berth::perf
