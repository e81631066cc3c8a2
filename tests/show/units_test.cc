#include "tools/show/units.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tools/show/utf8.h"

namespace berth::show {
namespace {

constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();

TEST(Units, BytesInTheLargestUnit) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1024), "1 KiB");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(FormatBytes(1048575), "1 MiB");  // 1024.00 KiB, rounded
  EXPECT_EQ(FormatBytes(12'939'428), "12.34 MiB");
  EXPECT_EQ(FormatBytes(uint64_t{24} << 30), "24 GiB");
  EXPECT_EQ(FormatBytes(kMax64), "16 EiB");
}

TEST(Units, TicksAreExact) {
  EXPECT_EQ(FormatTick(0, 4096), "0");
  EXPECT_EQ(FormatTick(3, 1), "3 B");
  EXPECT_EQ(FormatTick(1280u << 20, 256u << 20), "1.25 GiB");
  EXPECT_EQ(FormatTick(1152u << 20, 128u << 20), "1152 MiB");
  EXPECT_EQ(FormatTick(uint64_t{3} << 62, uint64_t{1} << 62), "12 EiB");
}

TEST(Units, Counts) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(1000), "1,000");
  EXPECT_EQ(FormatCount(kMax64), "18,446,744,073,709,551,615");
}

TEST(Units, Hundredths) {
  EXPECT_EQ(FormatHundredths(0), "0");
  EXPECT_EQ(FormatHundredths(5), "0.05");
  EXPECT_EQ(FormatHundredths(1250), "12.5");
  EXPECT_EQ(FormatHundredths(-1250), "-12.5");
  EXPECT_EQ(FormatHundredths(std::numeric_limits<int64_t>::min()),
            "-92233720368547758.08");
}

TEST(Units, StepsAreTheLeastThatAreFewEnough) {
  EXPECT_EQ(PowerOfTwoStep(100, 10), 16u);  // 100 / 16 = 6; by 8 there are 12
  EXPECT_EQ(PowerOfTwoStep(0, 10), 1u);
  EXPECT_EQ(PowerOfTwoStep(kMax64, 10), uint64_t{1} << 61);
  EXPECT_EQ(DecimalStep(100, 10), 10u);
  EXPECT_EQ(DecimalStep(101, 4), 50u);
  EXPECT_EQ(DecimalStep(0, 1), 1u);
  EXPECT_EQ(DecimalStep(kMax64, 10), 2'000'000'000'000'000'000u);
  EXPECT_EQ(DecimalStep(kMax64, 1), 10'000'000'000'000'000'000u);
}

TEST(Utf8, EscapesWhatXmlReserves) {
  EXPECT_EQ(EscapeXml("<a & \"b\">\n"), "&lt;a &amp; &quot;b&quot;&gt;\n");
  EXPECT_EQ(EscapeXml("Gr\xc3\xb6\xc3\x9f"), "Gr\xc3\xb6\xc3\x9f");
}

TEST(Utf8, ReplacesWhatIsNotText) {
  const std::vector<std::string> odd = {
      std::string(1, '\0'), "\x1b", "\x7f", "\xff", "\x80", "\xc3",
      "\xc0\xaf",          // overlong
      "\xed\xa0\x80",      // a surrogate
      "\xef\xbf\xbf",      // U+FFFF
      "\xf4\x90\x80\x80",  // past U+10FFFF
  };
  for (const std::string& text : odd) {
    const auto codes = DecodeUtf8(text);
    ASSERT_FALSE(codes.empty());
    for (uint32_t code : codes) EXPECT_EQ(code, kReplacement);
  }
  EXPECT_EQ(EscapeXml("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(DecodeUtf8("\xf0\x9f\x98\x80"), std::vector<uint32_t>{0x1f600});
}

}  // namespace
}  // namespace berth::show
