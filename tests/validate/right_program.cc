#include "tests/validate/right_program.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {

LocationSpec PlacedAt(uint64_t address) {
  return {.address = address, .placed_by = PlacedBy::kBerth};
}

LocationSpec SharedAt(uint64_t address, PlacedBy placed_by,
                      std::optional<RemoteTarget> target) {
  return {.space = Space::kShared,
          .address = address,
          .placed_by = placed_by,
          .remote_target = target};
}

Program RightProgram() {
  return ProgramBuilder()
      .Core(0)
      .Fn("main")
      .Pin("in", 2048, 0, Usage::kInput)
      .Pin("w", 4096, 4096, Usage::kWeight)
      .Loc("a", 4096, PlacedAt(1060864))
      .Loc("b", 4096, PlacedAt(12288))
      .Loc("r", 4000, PlacedAt(16384))
      .Loc("c", 4096, PlacedAt(1060864))
      .Loc("z", 0, PlacedAt(1060864))
      .Loc("s", 4096, SharedAt(1064960, PlacedBy::kBerth))
      .Out("out", 512)  // left to the runtime
      .Loc("sbuf", 512, {.type = MemoryType::kSbuf})
      .Op({"a", "z"}, {"in", "w"})
      .Call("helper", {}, {"z"})
      .Op({"b", "sbuf"}, {"a"})
      .Collective("reduce", {"r"}, {"b"})
      .Op({"c"}, {"r", "b", "sbuf"})
      .Op({"s", "out"}, {"c"})
      .Fn("helper")
      .Loc("h", 4096, PlacedAt(8192))
      .Op({"h"}, {})
      .Op({}, {"h"})
      .Core(1)
      .Fn("main")
      .Loc("p", 4096, PlacedAt(0))
      .Loc("s", 4096, SharedAt(1064960, PlacedBy::kSync, RemoteTarget{0, "s"}))
      .Op({"p"}, {"s"})
      .Op({}, {"p"})
      .Build();
}

ValidateOptions Options(bool full) {
  ValidateOptions options;
  options.full = full;
  options.plan.allreduce_buffer_mib = 1;
  return options;
}

namespace {

void Count(RunRecord* record, uint64_t locations, uint64_t spill_bytes,
           uint64_t aligned_spill_bytes) {
  record->locations = record->intervals = locations;
  record->spill_bytes = spill_bytes;
  record->aligned_spill_bytes = aligned_spill_bytes;
}

}  // namespace

RunRecord Record(Space space, uint64_t floor, uint64_t cc_end, uint64_t load,
                 uint64_t peak) {
  RunRecord record;
  record.space = space;
  record.floor = record.reserved_space = floor;
  record.ceiling = kDefaultHbmPerCoreBytes;
  record.cc_end = cc_end;
  record.lower_bound = load;
  record.peak = record.peak_without_cc_reserve = peak;
  record.allreduce_dram_hwm = floor;
  record.dram_allocation_result = true;
  return record;
}

Program RightProgramWithRecords() {
  Program program = RightProgram();
  FindLocation(program, "s", 0).shared_post_dram_alloc = true;
  FindLocation(program, "s", 1).shared_post_dram_alloc = true;
  RunRecord main = Record(Space::kLocal, 12288, 1060864, 12288, 1064960);
  main.real_cc_buffer_size = 8192;
  main.allreduce_dram_hwm = 20480;
  main.peak_without_cc_reserve = 24576;
  Count(&main, 5, 16288, 16384);
  main.dram_bytes = 6656;  // in, w, out
  main.external = 1;       // out
  RunRecord shared = Record(Space::kShared, 1064960, 1064960, 4096, 1069056);
  RunRecord helper = Record(Space::kLocal, 8192, 8192, 4096, 12288);
  RunRecord other = Record(Space::kLocal, 0, 0, 4096, 4096);
  for (RunRecord* record : {&shared, &helper, &other}) {
    Count(record, 1, 4096, 4096);
  }
  program.modules[0].functions[0].runs = {main, shared};
  program.modules[0].functions[1].runs = {helper};
  program.modules[1].functions[0].runs = {other};
  return program;
}

Program InputOfRightProgram() {
  Program input = RightProgram();
  for (Module& module : input.modules) {
    for (Function& function : module.functions) {
      for (Location& location : function.locations) {
        if (location.placed_by == PlacedBy::kInput) continue;
        location.address.reset();
        location.placed_by = PlacedBy::kNone;
      }
    }
  }
  return input;
}

Function& Main(Program& program) { return program.modules[0].functions[0]; }

void PrintTo(const Broken& broken, std::ostream* os) { *os << broken.name; }

std::string NameOf(const ::testing::TestParamInfo<Broken>& info) {
  return info.param.name;
}

void MoveTo(Program& program, const char* name, uint64_t address) {
  FindLocation(program, name).address = address;
}

}  // namespace berth::testing
