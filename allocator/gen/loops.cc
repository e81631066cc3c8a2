// Kind loops: loop nests up to three deep, one after another.
//
// Around a loop stand values of four sorts: invariants (defined before, read
// within, so live through the whole loop), carried ones (read, then defined
// anew, so live round the back edge), accumulators (written tile by tile, read
// after) and temporaries of one iteration.
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

constexpr int kMaxLoopDepth = 3;

class LoopsBuilder {
 public:
  explicit LoopsBuilder(const GenOptions& options)
      : rng_(options.seed), size_(options.size), builder_("loops") {}

  Function Build() && {
    builder_.AddBlock("entry");
    const int32_t input = builder_.AddLocation("input", Usage::kInput, 4096, 4);
    const int32_t output =
        builder_.AddLocation("output", Usage::kOutput, 4096, 4);
    int32_t value = Add();
    builder_.Compute("load", {value}, {input});
    while (builder_.num_dram() < size_) value = Nest(1, value);
    builder_.Compute("store", {output}, {value});
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

  // A loop that reads `seed`; returns a value that its exit block defines.
  int32_t Nest(int depth, int32_t seed) {
    const size_t visible_before = visible_.size();
    visible_.push_back(seed);
    const int32_t carried = Add();
    builder_.Compute("init_carried", {carried}, {seed});
    for (uint64_t i = rng_.Below(2) + 1; i > 0; --i) {
      const int32_t invariant = Add();
      builder_.Compute("invariant", {invariant}, {OneOf(rng_, visible_)});
      visible_.push_back(invariant);
    }
    const int32_t before = builder_.current_block();

    // Tested at the top, the body may not run, and an accumulator would be read
    // unwritten; so only loops tested at the bottom have one.
    const bool test_at_top = rng_.OneIn(2);
    const int32_t accumulator = test_at_top ? -1 : Add();
    const int32_t head = AddBlock("head");
    builder_.AddEdge(before, head);
    builder_.Compute("test", {}, {OneOf(rng_, visible_)});
    const int32_t body = AddBlock("body");
    builder_.AddEdge(head, body);
    Body(depth, carried, accumulator);
    const int32_t latch = builder_.current_block();
    builder_.AddEdge(latch, head);
    const int32_t exit = AddBlock("exit");
    builder_.AddEdge(test_at_top ? head : latch, exit);

    visible_.resize(visible_before);
    const int32_t result = Add();
    if (test_at_top) {
      builder_.Compute("result", {result}, {carried});
    } else {
      builder_.Compute("result", {result}, {carried, accumulator});
    }
    return result;
  }

  void Body(int depth, int32_t carried, int32_t accumulator) {
    int32_t value = Add();
    builder_.Compute("step", {value}, {carried, OneOf(rng_, visible_)});
    for (uint64_t i = rng_.Below(4); i > 0; --i) {
      const int32_t next = Add();
      builder_.Compute("step", {next}, {value, OneOf(rng_, visible_)});
      value = next;
    }
    if (depth < kMaxLoopDepth && builder_.num_dram() < size_ &&
        !rng_.OneIn(3)) {
      value = Nest(depth + 1, value);
    }
    if (accumulator >= 0) {
      const uint64_t bytes =
          builder_.function().locations[accumulator].byte_size();
      const uint64_t tile = bytes / 4;
      builder_.WriteTile("store_tile", accumulator, tile * rng_.Below(4), tile,
                         {value});
    }
    if (rng_.OneIn(2)) {
      builder_.Compute("carry", {carried}, {value});
    } else {
      builder_.Compute("carry_in_place", {carried}, {carried, value});
    }
  }

  Rng rng_;
  const int64_t size_;
  FunctionBuilder builder_;
  // Values that dominate the current block and may be read in it.
  std::vector<int32_t> visible_;
  int64_t num_blocks_ = 0;
};

}  // namespace

Program LoopsProgram(const GenOptions& options) {
  std::vector<Function> functions;
  functions.push_back(LoopsBuilder(options).Build());
  return OneCore(Describe(options), std::move(functions));
}

}  // namespace berth::gen
