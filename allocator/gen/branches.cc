// Kind branches: if-then, if-else and switches, nested up to three deep, with
// arms that leave the function.
//
// Values of exclusive arms never meet and may share bytes. A value that every
// arm defines is read after the join; values from before are read within arms,
// so they live on some paths and are dead on others.
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/gen/draws.h"
#include "allocator/gen/families.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {
namespace {

constexpr int kMaxBranchDepth = 3;

class BranchesBuilder {
 public:
  explicit BranchesBuilder(const GenOptions& options)
      : rng_(options.seed), size_(options.size), builder_("branches") {}

  Function Build() && {
    builder_.AddBlock("entry");
    const int32_t input = builder_.AddLocation("input", Usage::kInput, 4096, 4);
    output_ = builder_.AddLocation("output", Usage::kOutput, 4096, 4);
    int32_t value = Add();
    builder_.Compute("load", {value}, {input});
    while (builder_.num_dram() < size_) {
      visible_ = {value};
      value = Region(1);
    }
    builder_.Compute("store", {output_}, {value});
    return std::move(builder_).Build();
  }

 private:
  int32_t Add() {
    return builder_.AddLocation(absl::StrCat("v", builder_.num_dram()),
                                Usage::kIntermediate, LogUniform(rng_, 10, 18),
                                4);
  }

  int32_t AddBlock(absl::string_view role) {
    return builder_.AddBlock(absl::StrCat(role, num_blocks_++));
  }

  // Up to four values, each from two visible ones.
  void Chain() {
    for (uint64_t i = rng_.Below(4) + 1; i > 0; --i) {
      const int32_t next = Add();
      builder_.Compute("step", {next},
                       {OneOf(rng_, visible_), OneOf(rng_, visible_)});
      visible_.push_back(next);
    }
  }

  // Some values, a branch, and its join, where the returned value is defined in
  // every arm. Ends in the join block.
  int32_t Region(int depth) {
    const size_t visible_before = visible_.size();
    Chain();
    const int32_t merged = Add();
    // If-then: the value stands before the branch, one arm overwrites it.
    const bool if_then = rng_.OneIn(3);
    if (if_then) {
      builder_.Compute("default", {merged}, {OneOf(rng_, visible_)});
    }
    builder_.Compute("branch", {}, {OneOf(rng_, visible_)});
    const int32_t branch = builder_.current_block();
    std::vector<int32_t> joined;
    if (if_then) joined.push_back(branch);
    const uint64_t num_arms = if_then ? 1 : 2 + rng_.Below(3);
    for (uint64_t i = 0; i < num_arms; ++i) {
      joined.push_back(Arm(depth, branch, merged));
    }
    if (rng_.OneIn(4)) LeavingArm(branch);
    const int32_t join = AddBlock("join");
    for (int32_t block : joined) builder_.AddEdge(block, join);
    const int32_t result = Add();
    builder_.Compute("after_join", {result}, {merged, OneOf(rng_, visible_)});
    visible_.resize(visible_before);
    return result;
  }

  // Returns the block in which the arm ends.
  int32_t Arm(int depth, int32_t branch, int32_t merged) {
    const size_t visible_before = visible_.size();
    const int32_t arm = AddBlock("arm");
    builder_.AddEdge(branch, arm);
    Chain();
    int32_t value = visible_.back();
    if (depth < kMaxBranchDepth && builder_.num_dram() < size_ &&
        rng_.OneIn(2)) {
      value = Region(depth + 1);
    }
    builder_.Compute("merge", {merged}, {value});
    visible_.resize(visible_before);
    return builder_.current_block();
  }

  // An arm without a way back: one more exit of the function.
  void LeavingArm(int32_t branch) {
    const size_t visible_before = visible_.size();
    const int32_t arm = AddBlock("leave");
    builder_.AddEdge(branch, arm);
    Chain();
    builder_.Compute("store", {output_}, {visible_.back()});
    visible_.resize(visible_before);
  }

  Rng rng_;
  const int64_t size_;
  FunctionBuilder builder_;
  int32_t output_ = 0;
  // Values that dominate the current block and may be read in it.
  std::vector<int32_t> visible_;
  int64_t num_blocks_ = 0;
};

}  // namespace

Program BranchesProgram(const GenOptions& options) {
  std::vector<Function> functions;
  functions.push_back(BranchesBuilder(options).Build());
  return OneCore(Describe(options), std::move(functions));
}

}  // namespace berth::gen
