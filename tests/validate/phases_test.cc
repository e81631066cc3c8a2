// The validator's phases against those of the allocator, which share no code,
// and against hand-counted ones.
#include "allocator/validate/phases.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "allocator/base/rng.h"
#include "allocator/gen/gen.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth::validation {
namespace {

using testing::ProgramBuilder;

std::optional<Phases> PhasesOf(const Program& program) {
  std::vector<PhaseModule> modules;
  for (const Module* module : ModulesByCore(program)) {
    modules.push_back({module, CalleesFirst(*module).value()});
  }
  std::string fault;
  return Phases::Of(modules, &fault);
}

// "0 1 2..4": the phases of a function's instructions.
std::string Text(const Program& program, int32_t core, int32_t function = 0) {
  const std::optional<Phases> phases = PhasesOf(program);
  if (!phases) return "none";
  std::string text;
  const Function& f = program.modules[core].functions[function];
  for (int32_t flat = 0; flat < f.num_instructions(); ++flat) {
    const Interval hull = phases->Of(core, function, flat);
    absl::StrAppend(&text, flat == 0 ? "" : " ", hull.lo);
    if (hull.hi != hull.lo) absl::StrAppend(&text, "..", hull.hi);
  }
  return text;
}

TEST(Phases, CountRendezvousOfAllCores) {
  const Program program = ProgramBuilder()
                              .Core(0)
                              .Op({}, {})
                              .Barrier("own")
                              .Barrier("b")
                              .Op({}, {})
                              .Collective("sum", {}, {})
                              .Core(1)
                              .Barrier("b")
                              .Op({}, {})
                              .Collective("sum", {}, {})
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Text(program, 0), "0 0 1 2 3");
  EXPECT_EQ(Text(program, 1), "1 2 3 4");
}

// A loop lies in one phase, with the code around it, whatever it holds.
TEST(Phases, ALoopIsOnePhase) {
  ProgramBuilder b;
  for (int32_t core = 0; core < 2; ++core) {
    b.Core(core).Block("entry", {"loop"}).Op({}, {});
    b.Block("loop", {"loop", "exit"}).Op({}, {}).Barrier("x").Barrier("y");
    b.Block("exit").Op({}, {}).Barrier("z");
  }
  EXPECT_EQ(Text(b.Build(), 0), "0 0 0 0 0 1");
}

// Callees have the hull of their calls; a call has that of its callee.
TEST(Phases, FunctionsHaveTheHullOfTheirCalls) {
  ProgramBuilder b;
  for (int32_t core = 0; core < 2; ++core) {
    b.Core(core).Fn("main").Op({}, {}).Call("f").Op({}, {}).Call("f");
    b.Fn("f").Op({}, {}).Barrier("x").Op({}, {});
    b.Fn("other_root").Op({}, {});
  }
  EXPECT_EQ(Text(b.Build(), 0), "0 0..2 2 2..4");
  EXPECT_EQ(Text(b.Build(), 0, 1), "0..2 1..3 2..4");
  EXPECT_EQ(Text(b.Build(), 0, 2), "4");
}

TEST(Phases, CoresThatDoNotAgreeHaveNone) {
  EXPECT_EQ(Text(ProgramBuilder()
                     .Core(0)
                     .Barrier("a")
                     .Barrier("b")
                     .Core(1)
                     .Barrier("b")
                     .Barrier("a")
                     .Build(),
                 0),
            "none");
  EXPECT_EQ(Text(ProgramBuilder()
                     .Core(0)
                     .Barrier("a")
                     .Barrier("a")
                     .Core(1)
                     .Barrier("a")
                     .Build(),
                 0),
            "none");
}

// "core 0 f0: b0(x call 1) -> 1 2; ..." for messages.
std::string Describe(const Program& program) {
  std::string text;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      absl::StrAppend(&text, "\ncore ", module.core, " ", function.name, ":");
      for (const Block& block : function.blocks) {
        absl::StrAppend(&text, " ", block.name, "(");
        for (const Instruction& i : block.instructions) {
          if (i.callee >= 0) absl::StrAppend(&text, "call f", i.callee);
          absl::StrAppend(&text, i.name.empty() ? "." : i.name, " ");
        }
        absl::StrAppend(&text, ") ->", absl::StrJoin(block.successors, ","),
                        ";");
      }
    }
  }
  return text;
}

// What the allocator counts the validator counts too.
void ExpectSame(const Program& program, const CoreOrder& order,
                const std::string& what) {
  const std::optional<Phases> phases = PhasesOf(program);
  ASSERT_TRUE(phases.has_value()) << what;
  ASSERT_EQ(phases->num_phases(), order.num_phases()) << what;
  for (const Module& module : program.modules) {
    for (size_t f = 0; f < module.functions.size(); ++f) {
      const auto function = static_cast<int32_t>(f);
      const int32_t count = module.functions[f].num_instructions();
      for (int32_t flat = 0; flat < count; ++flat) {
        ASSERT_EQ(phases->Of(module.core, function, flat),
                  order.PhasesOf({module.core, function, flat}))
            << what << ": core " << module.core << ", function " << f
            << ", instruction " << flat;
      }
    }
  }
}

TEST(Phases, OfGeneratedProgramsAreTheAllocators) {
  for (const GenKind& kind : GenKinds()) {
    for (const int32_t cores : {1, 2, 5}) {
      GenOptions options;
      options.kind = kind.name;
      options.size = 80;
      options.cores = cores;
      const Program program = GenerateProgram(options).value();
      const absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
      ASSERT_TRUE(order.ok()) << order.status();
      ExpectSame(program, *order, absl::StrCat(kind.name, " ", cores));
    }
  }
}

// A random CFG, mostly forwards, with barriers of a few names and calls of
// functions further on.
Function RandomFunction(Rng& rng, int32_t index, int32_t count) {
  Function function;
  function.name = absl::StrCat("f", index);
  const auto blocks = static_cast<int32_t>(1 + rng.Below(6));
  for (int32_t b = 0; b < blocks; ++b) {
    Block& block = function.blocks.emplace_back();
    block.name = absl::StrCat("b", b);
    for (uint64_t i = rng.Below(3); i > 0; --i) {
      Instruction& instruction = block.instructions.emplace_back();
      if (rng.OneIn(5)) {
        instruction.kind = InstructionKind::kBarrier;
        instruction.name = rng.OneIn(2) ? "x" : "y";
      } else if (index + 1 < count && rng.OneIn(5)) {
        instruction.kind = InstructionKind::kCall;
        instruction.callee =
            static_cast<int32_t>(rng.Between(index + 1, count - 1));
      }
    }
    if (b + 1 < blocks && !rng.OneIn(8)) block.successors.push_back(b + 1);
    if (rng.OneIn(4)) {
      block.successors.push_back(static_cast<int32_t>(rng.Below(blocks)));
    }
  }
  return function;
}

TEST(Phases, OfRandomProgramsAreTheAllocators) {
  Rng rng(23);
  int accepted = 0;
  int with_phases = 0;
  for (int round = 0; round < 30000; ++round) {
    Program program;
    const auto functions = static_cast<int32_t>(1 + rng.Below(3));
    Module& module = program.modules.emplace_back();
    for (int32_t f = 0; f < functions; ++f) {
      module.functions.push_back(RandomFunction(rng, f, functions));
    }
    if (!rng.OneIn(3)) {
      program.modules.push_back(program.modules[0]);
      program.modules[1].core = 1;
      // Sometimes the cores differ in one instruction.
      Function& last = program.modules[1].functions.back();
      Block& block = last.blocks[rng.Below(last.blocks.size())];
      if (rng.OneIn(3) && !block.instructions.empty()) {
        block.instructions.pop_back();
      }
    }
    ASSERT_EQ(CheckProgram(program), absl::OkStatus());
    const absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
    if (!order.ok()) continue;
    ++accepted;
    with_phases += order->num_phases() > 1;
    ExpectSame(program, *order,
               absl::StrCat("round ", round, Describe(program)));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(accepted, 10000);
  EXPECT_GT(with_phases, 3000);
}

}  // namespace
}  // namespace berth::validation
