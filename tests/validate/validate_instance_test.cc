// Each reason that the validator can give for a CSV problem.
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <string>

#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/validate/row.h"

namespace berth {
namespace {

using testing::Row;

constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

// a live throughout but in its gap, where b takes its bytes; c above both.
Instance RightInstance() {
  return {{Row("a", -10, 10, 100, 0, 1, {{-2, 3}}), Row("b", -2, 3, 60, 0),
           Row("c", 2, 4, 7, 100, 4), Row("z", 0, 1, 0, 5)}};
}

ValidateOptions Full() {
  ValidateOptions options;
  options.full = true;
  return options;
}

TEST(ValidateInstance, AcceptsTheRightPlacement) {
  const Instance placed = RightInstance();
  EXPECT_EQ(ValidateInstance(placed, nullptr, Full()).ToString(), "");
  Instance input = placed;
  for (Buffer& buffer : input.buffers) buffer.offset.reset();
  EXPECT_EQ(ValidateInstance(placed, &input, Full()).ToString(), "");
  input.buffers[1].offset = 0;  // pinned where it is
  EXPECT_EQ(ValidateInstance(placed, &input, Full()).ToString(), "");
  EXPECT_TRUE(ValidateInstance(Instance(), nullptr, Full()).ok());
}

// In its gap a keeps bytes 40 to 70 alone.
TEST(ValidateInstance, WindowsAreMinded) {
  Instance instance = RightInstance();
  instance.buffers[0].gaps[0].window = ByteWindow{60, 70};
  EXPECT_EQ(ValidateInstance(instance, nullptr, Full()).ToString(), "");
  instance.buffers[0].gaps[0].window = ByteWindow{40, 70};
  EXPECT_EQ(ValidateInstance(instance, nullptr, {}).ToString(),
            "I1: 'a' [-2, 3) at 40..70 meets 'b' [-2, 3) at 0..60\n");
  // A window is not to be changed by placement.
  Instance input = instance;
  input.buffers[0].gaps[0].window = ByteWindow{60, 70};
  instance = input;
  instance.buffers[0].gaps[0].window.reset();
  EXPECT_FALSE(ValidateInstance(instance, &input, {}).ok());
}

TEST(ValidateInstance, TimesReachBothEnds) {
  Instance instance = {{Row("a", kFirst, kLast, 8, 0),
                        Row("b", kLast - 1, kLast, 8, 8),
                        Row("c", kFirst, kFirst + 1, 8, 8)}};
  EXPECT_EQ(ValidateInstance(instance, nullptr, Full()).ToString(), "");
  instance.buffers[1].offset = 7;
  EXPECT_EQ(ValidateInstance(instance, nullptr, Full()).ToString(),
            "I1: 'a' [-9223372036854775808, 9223372036854775807) at 0..8 meets "
            "'b' [9223372036854775806, 9223372036854775807) at 7..15\n");
}

struct Broken {
  const char* name;
  std::function<void(Instance&, ValidateOptions&)> breaks;
  std::string report;  // without the last newline
};

void PrintTo(const Broken& broken, std::ostream* os) { *os << broken.name; }

class BrokenInstance : public ::testing::TestWithParam<Broken> {};

// The input is the right placement with c pinned.
TEST_P(BrokenInstance, IsReported) {
  Instance input = RightInstance();
  for (Buffer& buffer : input.buffers) {
    if (buffer.id != "c") buffer.offset.reset();
  }
  Instance placed = RightInstance();
  ValidateOptions options;
  GetParam().breaks(placed, options);
  EXPECT_EQ(ValidateInstance(placed, &input, options).ToString(),
            GetParam().report + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenInstance,
    ::testing::Values(
        Broken{
            "Unplaced",
            [](Instance& i, ValidateOptions&) { i.buffers[0].offset.reset(); },
            "unplaced: 'a' is accessed but has no address"},
        Broken{"I1",
               [](Instance& i, ValidateOptions&) { i.buffers[1].offset = 41; },
               "I1: 'b' [-2, 3) at 41..101 meets 'c' [2, 4) at 100..107"},
        Broken{"I2Alignment",
               [](Instance& i, ValidateOptions&) {
                 i.buffers[1].offset = 1;
                 i.buffers[1].alignment = 2;
               },
               "I2: 'b' at 1..61 is not at a multiple of its alignment 2\n"
               "I5: 'b' has another lifetime, size or alignment than its "
               "input"},
        Broken{"I2Page",
               [](Instance& i, ValidateOptions& o) {
                 o.plan.csv_memory = CsvMemory::kDram;
                 o.plan.size_rounding = SizeRounding::kNone;
                 i.buffers[0].offset = 4000;
               },
               "I2: 'a' at 4000..4100 crosses a boundary of 4096-byte pages"},
        Broken{"I1Rounded",
               [](Instance& i, ValidateOptions& o) {
                 o.plan.csv_memory = CsvMemory::kDram;
                 i.buffers[0].offset = 4096;
               },
               "I1: 'b' [-2, 3) at 0..4096 meets 'c' [2, 4) at 100..107"},
        Broken{
            "I3",
            [](Instance&, ValidateOptions& o) { o.plan.capacity_bytes = 99; },
            "I3: 'a' at 0..100 ends past the ceiling 99"},
        Broken{"I3Wraps",
               [](Instance& i, ValidateOptions&) {
                 i.buffers[0].offset = ~uint64_t{0};
               },
               "I3: 'a' at 18446744073709551615 has an end that passes 2^64 - "
               "1"},
        Broken{"I5Moved",
               [](Instance& i, ValidateOptions&) { i.buffers[2].offset = 104; },
               "I5: 'c' is pinned at 100 and is now at 104"},
        Broken{
            "I5Unpinned",
            [](Instance& i, ValidateOptions&) { i.buffers[2].offset.reset(); },
            "I5: 'c' is pinned at 100 and is now unplaced"},
        Broken{"I5Resized",
               [](Instance& i, ValidateOptions&) { i.buffers[1].size = 1; },
               "I5: 'b' has another lifetime, size or alignment than its "
               "input"},
        Broken{"I5Missing",
               [](Instance& i, ValidateOptions&) { i.buffers.pop_back(); },
               "I5: 'z' of the input is missing"},
        Broken{"I5Twice",
               [](Instance& i, ValidateOptions&) {
                 i.buffers.push_back(i.buffers[3]);
               },
               "I5: 'z' is not in the input, or is there twice"},
        Broken{"I9",
               [](Instance& i, ValidateOptions& o) {
                 i.buffers[1].offset = 12;
                 o.full = true;
               },
               "I9: 'b' at 12..72 would also fit at 0"}),
    [](const ::testing::TestParamInfo<Broken>& info) {
      return std::string(info.param.name);
    });

// Spec §13: without an input, an offset was placed and is not a pin.
TEST(ValidateInstance, OffsetIsNoPinWithoutInput) {
  Instance placed = RightInstance();
  placed.buffers[2].offset = 101;
  EXPECT_EQ(ValidateInstance(placed, nullptr, {}).ToString(),
            "I2: 'c' at 101..108 is not at a multiple of its alignment 4\n");
  EXPECT_EQ(ValidateInstance(placed, &placed, {}).ToString(), "");
}

}  // namespace
}  // namespace berth
