// A right placement of two cores, to be broken in one thing at a time.
#ifndef BERTH_TESTS_VALIDATE_RIGHT_PROGRAM_H_
#define BERTH_TESTS_VALIDATE_RIGHT_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "allocator/model/program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {

LocationSpec PlacedAt(uint64_t address);
LocationSpec SharedAt(uint64_t address, PlacedBy placed_by,
                      std::optional<RemoteTarget> target = std::nullopt);

// Two cores. On core 0 helper runs above the pins (floor 8192), main above
// helper (floor 12288) with a CC region of 1 MiB, up to 1060864; core 1 has no
// pins. The shared run starts above everything, at 1064960.
//   main: a 0..2 · b 2..4 (CC) · r 3..4 (CC) · c 4..5 · z 0..1, no bytes
Program RightProgram();

// RightProgram with the run records that belong to it.
Program RightProgramWithRecords();

// The input that RightProgram was placed from.
Program InputOfRightProgram();

// Function main of core 0.
Function& Main(Program& program);

// A record of success without a CC region and without counts.
RunRecord Record(Space space, uint64_t floor, uint64_t cc_end, uint64_t load,
                 uint64_t peak);

// What RightProgram was placed with.
ValidateOptions Options(bool full = true);

// One thing broken, and what the validator says of it.
struct Broken {
  const char* name;
  std::function<void(Program&)> breaks;
  std::string report;  // without the last newline
  bool full = false;   // asks for I9 too
};

void PrintTo(const Broken& broken, std::ostream* os);
std::string NameOf(const ::testing::TestParamInfo<Broken>& info);

void MoveTo(Program& program, const char* name, uint64_t address);

}  // namespace berth::testing

#endif  // BERTH_TESTS_VALIDATE_RIGHT_PROGRAM_H_
