// Each reason that the validator can give for a run record: true ones with one
// thing broken, and the report word for word.
#include <cstdint>
#include <string>

#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/validate/right_program.h"

namespace berth {
namespace {

using testing::Broken;
using testing::FindLocation;
using testing::Main;
using testing::NameOf;
using testing::Options;
using testing::Record;
using testing::RightProgramWithRecords;

class BrokenRecord : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenRecord, IsReported) {
  Program placed = RightProgramWithRecords();
  GetParam().breaks(placed);
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options()).ToString(),
            GetParam().report + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenRecord,
    ::testing::Values(
        Broken{"Floor", [](Program& p) { Main(p).runs[0].floor = 8192; },
               "I3 core 0 main: the run record says floor 8192, but it is "
               "12288"},
        Broken{"ReservedSpace",
               [](Program& p) { Main(p).runs[0].reserved_space = 12287; },
               "I3 core 0 main: the run record says reserved_space 12287, but "
               "it is 12288"},
        Broken{"Ceiling", [](Program& p) { Main(p).runs[0].ceiling = 1064959; },
               "I3 core 0 main: 'a' at 1060864..1064960 ends past the ceiling "
               "1064959 (and 1 more)\n"
               "I3 core 0 helper: the run record says ceiling 25769803776, "
               "another run's says 1064959\n"
               "I3 core 1 main: the run record says ceiling 25769803776, "
               "another run's says 1064959"},
        Broken{"LowerBound",
               [](Program& p) { Main(p).runs[0].lower_bound = 12287; },
               "I8 core 0 main: the run record says lower_bound 12287, but it "
               "is 12288"},
        Broken{"Peak", [](Program& p) { Main(p).runs[0].peak += 4096; },
               "I8 core 0 main: the run record says peak 1069056, but it is "
               "1064960"},
        Broken{"PeakWithoutReserve",
               [](Program& p) { Main(p).runs[0].peak_without_cc_reserve = 0; },
               "I8 core 0 main: the run record says peak_without_cc_reserve 0, "
               "but it is 24576"},
        Broken{
            "Result",
            [](Program& p) { Main(p).runs[0].dram_allocation_result = false; },
            "I8 core 0 main: the run record says that allocation failed, but "
            "locations have addresses"},
        Broken{
            "MissingLocal",
            [](Program& p) { p.modules[1].functions[0].runs.clear(); },
            "I8 core 1 main: LOCAL locations are placed, but there is no run "
            "record"},
        Broken{"NotMarked",
               [](Program& p) {
                 FindLocation(p, "s", 1).shared_post_dram_alloc = false;
               },
               "I4 core 1 main: copy 's' is not marked shared_post_dram_alloc "
               "('s' of core 0)"},
        Broken{"MissingShared", [](Program& p) { Main(p).runs.pop_back(); },
               "I8: SHARED locations are placed, but there is no run record"},
        Broken{"Twice",
               [](Program& p) { Main(p).runs.push_back(Main(p).runs[0]); },
               "I8 core 0 main: two run records of one space and slab"},
        Broken{
            "CcEndWithoutCollective",
            [](Program& p) { p.modules[1].functions[0].runs[0].cc_end = 4096; },
            "I9 core 1 main: 'p' at 0..4096 would also fit at 4096\n"
            "I10 core 1 main: the run record says cc_end 4096, though no "
            "collective asks for a region in 0..25769803776"},
        Broken{"CcEndBelowFloor",
               [](Program& p) { Main(p).runs[0].cc_end = 8192; },
               "I10 core 0 main: the run record says cc_end 8192, which is not "
               "between floor and ceiling 12288..25769803776"},
        Broken{"CcOverflow",
               [](Program& p) { Main(p).runs[0].cc_overflow_bytes = 1; },
               "I10 core 0 main: the run record says cc_overflow_bytes 1, but "
               "it is 0"},
        Broken{"CcIntruder",
               [](Program& p) { Main(p).runs[0].cc_intruder_bytes = 1; },
               "I10 core 0 main: the run record says cc_intruder_bytes 1, but "
               "it is 0"},
        Broken{"RealCcBufferSize",
               [](Program& p) { Main(p).runs[0].real_cc_buffer_size = 4096; },
               "I10 core 0 main: the run record says real_cc_buffer_size 4096, "
               "but it is 8192"},
        Broken{"AllreduceHwm",
               [](Program& p) { Main(p).runs[0].allreduce_dram_hwm = 0; },
               "I10 core 0 main: the run record says allreduce_dram_hwm 0, but "
               "it is 20480"},
        Broken{"SpillBytes",
               [](Program& p) { Main(p).runs[0].spill_bytes = 16384; },
               "I8 core 0 main: the run record says spill_bytes 16384, but it "
               "is 16288"},
        Broken{"AlignedSpillBytes",
               [](Program& p) { Main(p).runs[0].aligned_spill_bytes = 0; },
               "I8 core 0 main: the run record says aligned_spill_bytes 0, but "
               "it is 16384"},
        Broken{"DramBytes",
               [](Program& p) { Main(p).runs[0].dram_bytes = 6144; },
               "I8 core 0 main: the run record says dram_bytes 6144, but it is "
               "6656"},
        Broken{"Locations", [](Program& p) { Main(p).runs[0].locations = 4; },
               "I8 core 0 main: the run record says locations 4, but it is 5"},
        Broken{"Unreferenced",
               [](Program& p) { Main(p).runs[0].unreferenced = 1; },
               "I8 core 0 main: the run record says unreferenced 1, but it is "
               "0"},
        Broken{"External", [](Program& p) { Main(p).runs[0].external = 0; },
               "I8 core 0 main: the run record says external 0, but it is 1"},
        Broken{"Intervals", [](Program& p) { Main(p).runs[0].intervals = 4; },
               "I8 core 0 main: the run record says intervals 4, but there are "
               "5 live ranges"},
        Broken{"SharedLocations",
               [](Program& p) { Main(p).runs[1].locations = 2; },
               "I8 core 0 main: the run record says locations 2, but it is 1"},
        Broken{"SharedPeak", [](Program& p) { Main(p).runs[1].peak = 0; },
               "I8 core 0 main: the run record says peak 0, but it is 1069056"},
        Broken{"SharedFloor", [](Program& p) { Main(p).runs[1].floor = 0; },
               "I3 core 0 main: the run record says floor 0, but it is "
               "1064960"}),
    NameOf);

TEST(ValidateRecords, OverflowThatIsCountedIsNoViolation) {
  Program placed = RightProgramWithRecords();
  // b and a change places: b is a CC node in general, a lies in CC.
  FindLocation(placed, "b").address = 1060864;
  FindLocation(placed, "a").address = 12288;
  FindLocation(placed, "c").address = 12288;
  RunRecord& record = Main(placed).runs[0];
  record.cc_overflow_bytes = 4096;
  record.cc_intruder_bytes = 8192;
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options(false)).ToString(), "");
  record.cc_overflow_bytes = 0;
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options(false)).ToString(),
            "I10 core 0 main: the run record says cc_overflow_bytes 0, but it "
            "is 4096\n");
}

TEST(ValidateRecords, CleanupMayLeaveALargerLowerBound) {
  Program placed = RightProgramWithRecords();
  RunRecord& record = Main(placed).runs[0];
  record.cleaned = true;
  record.lower_bound += 4096;
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options()).ToString(), "");
  record.lower_bound = 8192;
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options()).ToString(),
            "I8 core 0 main: the run record says lower_bound 8192, but it is "
            "12288\n");
}

TEST(ValidateRecords, I9IsNotAskedOfRotatedCleanedOrTight) {
  Program placed = RightProgramWithRecords();
  FindLocation(placed, "r").address = 20480;
  RunRecord& record = Main(placed).runs[0];
  record.real_cc_buffer_size = 12288;
  record.allreduce_dram_hwm = 24576;
  record.peak_without_cc_reserve = 28672;
  const RunRecord plain = record;
  EXPECT_FALSE(ValidateProgram(placed, nullptr, Options()).ok());
  record.rotated = true;
  EXPECT_TRUE(ValidateProgram(placed, nullptr, Options()).ok());
  record = plain;
  record.cleaned = true;
  EXPECT_TRUE(ValidateProgram(placed, nullptr, Options()).ok());
  record = plain;
  record.planner = Planner::kTight;
  EXPECT_TRUE(ValidateProgram(placed, nullptr, Options()).ok());
}

// Every candidate has an address already: nothing to place, but a floor to say.
TEST(ValidateRecords, EarlyExit) {
  Program placed = RightProgramWithRecords();
  Function& function = placed.modules[1].functions[0];
  function.locations[0].placed_by = PlacedBy::kInput;
  function.runs = {Record(Space::kLocal, 4096, 4096, 0, 4096)};
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options()).ToString(), "");
  function.runs[0].peak = 8192;
  EXPECT_EQ(ValidateProgram(placed, nullptr, Options()).ToString(),
            "I8 core 1 main: the run record says peak 8192, but it is 4096\n");
}

}  // namespace
}  // namespace berth
