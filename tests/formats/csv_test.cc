// CSVs that are read, and how they are written again.
#include "allocator/formats/csv.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/instance.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr uint64_t kSeed = 4711;

// Designated initialisers would have to name every member.
Buffer MakeBuffer(const std::string& id, int64_t lower, int64_t upper,
                  uint64_t size) {
  Buffer buffer;
  buffer.id = id;
  buffer.lower = lower;
  buffer.upper = upper;
  buffer.size = size;
  return buffer;
}

CsvDocument Read(const std::string& content, bool ignore_columns = false) {
  const auto document =
      ReadCsv(content, "f", {.ignore_columns = ignore_columns});
  EXPECT_TRUE(document.ok()) << document.status() << "\n" << content;
  return document.ok() ? *document : CsvDocument();
}

// Columns in another order than the canonical ones are the same problem.
void ExpectAB(const std::string& content) {
  const Instance expected = {
      {MakeBuffer("a", 0, 5, 8), MakeBuffer("b", 5, 9, 16)}};
  EXPECT_EQ(Read(content).instance, expected) << content;
}

TEST(Csv, Plain) { ExpectAB("id,lower,upper,size\na,0,5,8\nb,5,9,16\n"); }

TEST(Csv, F19ColumnsInAnotherOrder) {
  ExpectAB("size,upper,id,lower\n8,5,a,0\n16,9,b,5\n");
}

TEST(Csv, F19InclusiveEnd) {
  ExpectAB("id,lower,end,size\na,0,4,8\nb,5,8,16\n");
}

TEST(Csv, Aliases) {
  ExpectAB("buffer,begin,upper,size\na,0,5,8\nb,5,9,16\n");
  ExpectAB("buffer_id,start,upper,size\na,0,5,8\nb,5,9,16\n");
}

TEST(Csv, F19BlankLinesCommentsAndCrlf) {
  ExpectAB(
      "\r\n# made by hand\r\n\r\nid,lower,upper,size\r\n# first\r\na,0,5,8\r\n"
      "\r\n  \t\r\nb,5,9,16\r\n\r\n#\r\n");
  ExpectAB("id,lower,upper,size\na,0,5,8\n\nb,5,9,16");  // no last line end
  ExpectAB("id,lower,upper,size\na,0,5,8\r\nb,5,9,16\r");
}

TEST(Csv, NoRows) {
  EXPECT_EQ(Read("id,lower,upper,size\n").instance, Instance());
}

TEST(Csv, F5SizeZero) {
  EXPECT_EQ(Read("id,lower,upper,size\nz,0,5,0\n").instance.buffers[0].size,
            0u);
}

TEST(Csv, ExtremeTimesAndSizes) {
  const Instance instance =
      Read(absl::StrCat("id,lower,upper,size,alignment,offset\na,", kLeast, ",",
                        kMost, ",", kMost, ",", kMost, ",", kMost, "\n"))
          .instance;
  Buffer expected = MakeBuffer("a", kLeast, kMost, uint64_t{kMost});
  expected.alignment = uint64_t{kMost};
  expected.offset = uint64_t{kMost};
  EXPECT_EQ(instance.buffers[0], expected);
  EXPECT_EQ(Read(absl::StrCat("id,lower,end,size\na,-2,", kMost - 1, ",1\n"))
                .instance.buffers[0]
                .upper,
            kMost);
}

TEST(Csv, OffsetsEmptyMinusOneAndGiven) {
  const auto buffers =
      Read(
          "id,offset,lower,upper,size\na,,0,1,1\nb,-1,0,1,1\nc,0,0,1,1\n"
          "d,7,0,1,1\n")
          .instance.buffers;
  EXPECT_EQ(buffers[0].offset, std::nullopt);
  EXPECT_EQ(buffers[1].offset, std::nullopt);
  EXPECT_EQ(buffers[2].offset, 0u);
  EXPECT_EQ(buffers[3].offset, 7u);
}

TEST(Csv, Gaps) {
  const auto buffers =
      Read("id,lower,upper,size,gaps\na,-9,9,1,-8--6 -6-0 2-5\nb,0,1,1,\n")
          .instance.buffers;
  EXPECT_EQ(buffers[0].gaps, (std::vector<Gap>{{-8, -6}, {-6, 0}, {2, 5}}));
  EXPECT_TRUE(buffers[1].gaps.empty());
}

TEST(Csv, WindowsOfGaps) {
  const std::string text =
      "id,lower,upper,gaps,size,offset\na,-9,9,-8--6@0:4 -6-0 2-5@3:8,8,\n";
  const CsvDocument document = Read(text);
  EXPECT_EQ(
      document.instance.buffers[0].gaps,
      (std::vector<Gap>{
          {-8, -6, ByteWindow{0, 4}}, {-6, 0}, {2, 5, ByteWindow{3, 8}}}));
  EXPECT_EQ(WriteCsv(document), text);
  EXPECT_EQ(WriteCsv(ToCsvDocument(document.instance)),
            "id,lower,upper,size,gaps,offset\n"
            "a,-9,9,8,-8--6@0:4 -6-0 2-5@3:8,\n");
}

TEST(Csv, IdsAreBytesAsTheyStand) {
  const auto buffers = Read(
                           "lower,id,upper,size\n0, a ,1,1\n0,\xc3\xa9,1,1\n"
                           "0,a\"b,1,1\n0,-1,1,1\n")
                           .instance.buffers;
  EXPECT_EQ(buffers[0].id, " a ");
  EXPECT_EQ(buffers[1].id, "\xc3\xa9");
  EXPECT_EQ(buffers[2].id, "a\"b");
  EXPECT_EQ(buffers[3].id, "-1");
}

TEST(Csv, WritesInputColumnsAndOrderOffsetLast) {
  CsvDocument document = Read(
      "offset,size,hint,id,lower,upper\r\n# c\r\n-1,08,3,a,0,5\r\n4,16,,b,5,9"
      "\r\n");
  EXPECT_EQ(document.columns,
            (std::vector<std::string>{"size", "hint", "id", "lower", "upper"}));
  document.instance.buffers[1].offset = 32;
  EXPECT_EQ(WriteCsv(document),
            "size,hint,id,lower,upper,offset\n08,3,a,0,5,\n16,,b,5,9,32\n");
  EXPECT_EQ(UnreadColumns(document), std::vector<std::string>{"hint"});
}

TEST(Csv, OffsetColumnInTheMiddleAndLast) {
  EXPECT_EQ(
      WriteCsv(Read("id,lower,offset,upper,size\na,0,3,5,8\nb,5,,9,16\n")),
      "id,lower,upper,size,offset\na,0,5,8,3\nb,5,9,16,\n");
  EXPECT_EQ(WriteCsv(Read("id,lower,upper,size,offset\na,0,5,8,3\n")),
            "id,lower,upper,size,offset\na,0,5,8,3\n");
  EXPECT_EQ(WriteCsv(Read("id,lower,upper,size\na,0,5,8\n")),
            "id,lower,upper,size,offset\na,0,5,8,\n");
}

TEST(Csv, F19IgnoredColumnsAreKept) {
  const CsvDocument document =
      Read("note,id,lower,upper,size,,7\nx y,a,0,5,8,,\n,b,5,9,16,1,2\n", true);
  EXPECT_EQ(document.instance.buffers.size(), 2u);
  EXPECT_EQ(WriteCsv(document),
            "note,id,lower,upper,size,,7,offset\nx y,a,0,5,8,,,\n"
            ",b,5,9,16,1,2,\n");
  EXPECT_EQ(UnreadColumns(document),
            (std::vector<std::string>{"note", "", "7"}));
}

TEST(Csv, ToCsvDocumentHasTheColumnsThatAreNeeded) {
  Instance instance = {{MakeBuffer("a", -3, 5, 8), MakeBuffer("b", 5, 9, 16)}};
  EXPECT_EQ(WriteCsv(ToCsvDocument(instance)),
            "id,lower,upper,size,offset\na,-3,5,8,\nb,5,9,16,\n");
  instance.buffers[0].gaps = {{-2, -1}, {1, 3}};
  instance.buffers[1].alignment = 64;
  instance.buffers[1].offset = 128;
  EXPECT_EQ(WriteCsv(ToCsvDocument(instance)),
            "id,lower,upper,size,alignment,gaps,offset\na,-3,5,8,1,-2--1 1-3,\n"
            "b,5,9,16,64,,128\n");
}

Instance RandomInstance(Rng& rng) {
  Instance instance;
  const uint64_t buffers = rng.Below(20);
  for (uint64_t i = 0; i < buffers; ++i) {
    Buffer buffer;
    buffer.id = absl::StrCat(rng.OneIn(2) ? "b " : "\xc3\xa9-", i);
    const bool wide = rng.OneIn(4);
    buffer.lower = wide ? kLeast + rng.Between(0, 3) : rng.Between(-50, 50);
    buffer.upper =
        wide ? kMost - rng.Between(0, 3) : buffer.lower + rng.Between(1, 60);
    buffer.size =
        rng.OneIn(3) ? rng.Below(2) : rng.Next() >> (1 + rng.Below(63));
    if (rng.OneIn(3))
      buffer.alignment = 1 + (rng.Next() >> (1 + rng.Below(63)) >> 1);
    if (rng.OneIn(3)) buffer.offset = rng.Next() >> (1 + rng.Below(63));
    for (int64_t at = buffer.lower + 1; !wide && rng.OneIn(2);) {
      const int64_t lower = at + rng.Between(0, 5);
      const int64_t upper = lower + rng.Between(1, 9);
      if (upper >= buffer.upper) break;
      buffer.gaps.push_back({lower, upper});
      at = upper;
    }
    instance.buffers.push_back(buffer);
  }
  return instance;
}

TEST(Csv, RandomRoundTrips) {
  for (uint64_t seed = kSeed; seed < kSeed + 500; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Instance instance = RandomInstance(rng);
    const std::string text = WriteCsv(ToCsvDocument(instance));
    const CsvDocument again = Read(text);
    ASSERT_EQ(again.instance, instance) << text;
    ASSERT_EQ(WriteCsv(again), text);
  }
}

}  // namespace
}  // namespace berth
