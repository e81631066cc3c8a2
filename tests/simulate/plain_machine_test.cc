// The machine against a plain twin: an array of bytes, and every order of a
// small straight-line function, one after another.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/program.h"
#include "allocator/simulate/simulate.h"
#include "gtest/gtest.h"
#include "tests/dependence/random_function.h"

namespace berth {
namespace {

// Who wrote a byte: instruction, location, byte of it; instruction -1: nobody.
struct Mark {
  int32_t writer = -1;
  int32_t location = -1;
  uint64_t byte = 0;
  friend bool operator==(const Mark&, const Mark&) = default;
};

class PlainMachine {
 public:
  PlainMachine(const Function& function, const FunctionDependences& edges)
      : function_(function) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.instructions) {
        instructions_.push_back(&i);
      }
    }
    waits_for_.resize(instructions_.size());
    for (const auto* list : {&edges.fdeps, &edges.local, &edges.shared}) {
      for (const Dependence& edge : *list) {
        waits_for_[edge.later].push_back(edge.earlier);
      }
    }
    Expect();
  }

  // Whether some order lets a use see what it should not.
  bool AnyOrderFails() {
    std::vector<Mark> window(64);
    std::vector<bool> done(instructions_.size(), false);
    return Search(window, done);
  }

 private:
  template <typename Visit>
  void ForEachByte(const Access& access, Visit visit) const {
    const uint64_t bytes =
        access.extent_bytes == 0
            ? function_.locations[access.location].byte_size()
            : access.extent_bytes;
    for (uint64_t b = 0; b < bytes; ++b) visit(access.offset_bytes + b);
  }

  void Expect() {
    std::vector<std::vector<Mark>> own(function_.locations.size());
    for (size_t l = 0; l < own.size(); ++l) {
      own[l].resize(function_.locations[l].byte_size());
    }
    for (size_t i = 0; i < instructions_.size(); ++i) {
      auto& expected = expected_.emplace_back();
      for (const Access& use : instructions_[i]->uses) {
        ForEachByte(
            use, [&](uint64_t b) { expected.push_back(own[use.location][b]); });
      }
      for (const Access& def : instructions_[i]->defs) {
        ForEachByte(def, [&](uint64_t b) {
          own[def.location][b] = {static_cast<int32_t>(i), def.location, b};
        });
      }
    }
  }

  bool Search(const std::vector<Mark>& window, std::vector<bool>& done) {
    for (size_t i = 0; i < instructions_.size(); ++i) {
      if (done[i]) continue;
      if (std::any_of(waits_for_[i].begin(), waits_for_[i].end(),
                      [&](int32_t e) { return !done[e]; })) {
        continue;
      }
      std::vector<Mark> next = window;
      if (!Execute(i, next)) return true;
      done[i] = true;
      const bool fails = Search(next, done);
      done[i] = false;
      if (fails) return true;
    }
    return false;
  }

  bool Execute(size_t i, std::vector<Mark>& window) const {
    size_t at = 0;
    bool right = true;
    for (const Access& use : instructions_[i]->uses) {
      const auto address = function_.locations[use.location].address;
      ForEachByte(use, [&](uint64_t b) {
        const Mark& want = expected_[i][at++];
        if (!address || want.writer < 0) return;
        right = right && window[*address + b] == want;
      });
    }
    for (const Access& def : instructions_[i]->defs) {
      const auto address = function_.locations[def.location].address;
      if (!address) continue;
      ForEachByte(def, [&](uint64_t b) {
        window[*address + b] = {static_cast<int32_t>(i), def.location, b};
      });
    }
    return right;
  }

  const Function& function_;
  std::vector<const Instruction*> instructions_;
  std::vector<std::vector<int32_t>> waits_for_;
  std::vector<std::vector<Mark>> expected_;  // by instruction, byte of a use
};

// Takes some of the edges away.
void Thin(std::vector<Dependence>& edges, Rng& rng) {
  std::erase_if(edges, [&](const Dependence&) { return rng.OneIn(4); });
}

TEST(PlainMachine, EveryOrderOfSmallFunctionsGivesTheSameVerdict) {
  int failures = 0;
  int successes = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    Program program;
    program.modules.emplace_back().functions.push_back(
        testing::RandomFunction(1, 6, rng));
    program.modules[0].functions[0].blocks[0].successors.clear();
    // Mostly no two that clash: few instructions then fail in program order.
    for (Location& location : program.modules[0].functions[0].locations) {
      if (location.address && rng.OneIn(2)) *location.address += rng.Below(36);
    }
    ProgramDependences dependences = FindDependences(program);
    if (rng.OneIn(2)) {
      Thin(dependences.functions[0][0].fdeps, rng);
      Thin(dependences.functions[0][0].local, rng);
    }
    const bool fails = PlainMachine(program.modules[0].functions[0],
                                    dependences.functions[0][0])
                           .AnyOrderFails();
    const auto report = Simulate(program, dependences, {});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->ok(), !fails) << "seed " << seed;
    ++(fails ? failures : successes);
  }
  EXPECT_GT(failures, 100);
  EXPECT_GT(successes, 200);
}

}  // namespace
}  // namespace berth
