// What fuzz targets read and how it is changed: always valid, always the same.
#include <cstdint>
#include <optional>
#include <string>

#include "allocator/base/rng.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"
#include "fuzz/inputs/peel_loops.h"
#include "fuzz/inputs/problem_input.h"
#include "fuzz/inputs/program_input.h"
#include "fuzz/inputs/program_mutator.h"
#include "gtest/gtest.h"

namespace berth::fuzz {
namespace {

TEST(ProgramMutator, EveryChangeGivesACheckedSmallProgram) {
  int changed = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    Program program = seed % 3 == 0 ? SharedProgram(rng) : SmallProgram(rng);
    const Program other = SmallProgram(rng);
    for (int i = 0; i < 60; ++i) {
      const Program before = program;
      if (i % 10 == 9) {
        CrossPrograms(rng, other, program);
      } else {
        MutateProgram(rng, program);
      }
      ASSERT_TRUE(CheckProgram(program).ok()) << "seed " << seed;
      ASSERT_TRUE(IsSmall(program)) << "seed " << seed;
      changed += program == before ? 0 : 1;
    }
  }
  EXPECT_GT(changed, 3000);  // of 6000: most changes change something
}

bool Plans(Program program) {
  PlanReport report;
  return PlanProgram({}, nullptr, nullptr, program, report).ok();
}

TEST(ProgramMutator, SharedProgramsAreRightAsTheyStand) {
  constexpr int kPrograms = 300;
  Rng rng(1);
  int loops = 0;
  int planned = 0;
  for (int i = 0; i < kPrograms; ++i) {
    const Program program = SharedProgram(rng);
    const bool plans = Plans(program);
    planned += plans ? 1 : 0;
    if (!HasLoop(program.modules[0].functions[0])) continue;
    ++loops;
    // Nor does one iteration race with the next.
    if (plans) {
      EXPECT_TRUE(Plans(PeelLoops(program))) << i;
    }
  }
  EXPECT_GT(loops, kPrograms / 10);
  EXPECT_GT(planned, kPrograms * 8 / 10);  // some sizes are past any window
}

TEST(ProgramInput, OptionsTravelInTheComment) {
  PlanOptions options;
  options.link_mode = LinkMode::kPost;
  options.size_rounding = SizeRounding::kNone;
  options.emission = Emission::kPerEdge;
  options.allreduce_buffer_mib = -1;
  options.hbm_per_core_bytes = 123456;
  options.shared_mb_per_core = 2;
  Rng rng(1);
  const std::string bytes = EncodeProgramInput(SmallProgram(rng), options);
  const std::optional<ProgramInput> back = DecodeProgramInput(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->options.link_mode, LinkMode::kPost);
  EXPECT_EQ(back->options.size_rounding, SizeRounding::kNone);
  EXPECT_EQ(back->options.emission, Emission::kPerEdge);
  EXPECT_EQ(back->options.allreduce_buffer_mib, -1);
  EXPECT_EQ(back->options.hbm_per_core_bytes, 123456u);
  EXPECT_EQ(back->options.shared_mb_per_core, 2u);
  // The bytes are a program as every command reads it.
  EXPECT_EQ(DetectFormat(bytes), Format::kProgramBinary);
}

TEST(ProgramInput, BytesThatAreNoProgramBecomeOne) {
  Rng rng(5);
  EXPECT_FALSE(DecodeProgramInput("rubbish").has_value());
  EXPECT_TRUE(DecodeProgramInput(MutateProgramInput("rubbish", rng)));
}

TEST(ProgramInput, TheSameSeedGivesTheSameBytes) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    Rng a(seed);
    Rng b(seed);
    EXPECT_EQ(FreshProgramInput(a), FreshProgramInput(b));
  }
}

// Any bytes are a problem that planners may be given.
TEST(ProblemInput, AnyBytesAreAProblem) {
  Rng rng(3);
  int usable = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes(rng.Below(kMaxProblemBytes + 20), '\0');
    for (char& byte : bytes) byte = static_cast<char>(rng.Next());
    for (const bool byte_map : {false, true}) {
      const Problem problem = DecodeProblem(bytes, {.byte_map = byte_map});
      const absl::Status status = CheckProblem(problem);
      ASSERT_TRUE(status.ok() || absl::IsResourceExhausted(status)) << status;
      usable += status.ok() ? 1 : 0;
      if (byte_map) {
        EXPECT_LT(problem.ceiling, 2048u);
      }
      ToInstance(problem);
    }
  }
  EXPECT_GT(usable, 5000);
}

}  // namespace
}  // namespace berth::fuzz
