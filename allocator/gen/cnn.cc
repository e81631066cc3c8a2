// Kind cnn: a training step of a residual network of bottleneck blocks.
//
// Four stages; each halves the image and doubles the channels, so sizes fall
// along the forward pass and rise again along the backward one. Every
// convolution has a short-lived im2col workspace; activations live until their
// backward instruction.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/gen/families.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {
namespace {

constexpr uint32_t kElemBytes = 2;
constexpr int64_t kLocationsPerBlock = 20;
constexpr int64_t kLocationsOutside = 9;
constexpr int64_t kNumStages = 4;
constexpr uint64_t kActivationBudgetBytes = uint64_t{4} << 30;

struct CnnDims {
  uint64_t batch = 1;
  uint64_t side = 56;      // of the first stage's image
  uint64_t channels = 64;  // of the first stage's inner convolutions

  uint64_t StageSide(int64_t stage) const {
    return std::max<uint64_t>(1, side >> stage);
  }
  uint64_t StageChannels(int64_t stage) const { return channels << stage; }
  // Elements of a narrow activation; a wide one has four times as many.
  uint64_t Narrow(int64_t stage) const {
    return batch * StageSide(stage) * StageSide(stage) * StageChannels(stage);
  }
};

// The largest batch, then image, then width whose activations fit the budget.
CnnDims DrawDims(Rng& rng, int64_t num_blocks) {
  CnnDims dims;
  dims.batch = uint64_t{1} << rng.Below(5);
  dims.channels = rng.OneIn(2) ? 64 : 48;
  // Two narrow and two wide per block; the first stage is the largest.
  const auto bytes = [&] {
    return static_cast<uint64_t>(num_blocks) * 10 * dims.Narrow(0) * kElemBytes;
  };
  while (dims.batch > 1 && bytes() > kActivationBudgetBytes) dims.batch /= 2;
  while (dims.side > 7 && bytes() > kActivationBudgetBytes) dims.side /= 2;
  while (dims.channels > 2 && bytes() > kActivationBudgetBytes) {
    dims.channels /= 2;
  }
  return dims;
}

struct ConvBlock {
  int64_t stage = 0;
  std::string prefix;
  int32_t input = 0;
  int32_t weights[3] = {};
  int32_t acts[3] = {};
  int32_t output = 0;
};

class CnnBuilder {
 public:
  explicit CnnBuilder(const GenOptions& options)
      : rng_(options.seed),
        num_blocks_(std::max<int64_t>(
            1, (options.size - kLocationsOutside) / kLocationsPerBlock)),
        dims_(DrawDims(rng_, num_blocks_)),
        builder_("train_step") {}

  Function Build() && {
    builder_.AddBlock("entry");
    const int32_t image =
        Add("image", Usage::kInput, dims_.batch * dims_.side * dims_.side * 12);
    const int32_t stem_weight =
        Add("stem.w", Usage::kWeight, 147 * dims_.channels);
    int32_t stream = Add("stem.out", Usage::kIntermediate, 4 * dims_.Narrow(0));
    builder_.Compute("conv_stem", {stream}, {image, stem_weight});
    for (int64_t i = 0; i < num_blocks_; ++i) stream = Forward(i, stream);
    int32_t gradient = Head(stream);
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      gradient = Backward(*block, gradient);
    }
    const int32_t d_stem = Add("stem.dw", Usage::kOutput, 147 * dims_.channels);
    builder_.Compute("conv_stem_grad", {d_stem}, {image, gradient});
    return std::move(builder_).Build();
  }

 private:
  int32_t Add(absl::string_view name, Usage usage, uint64_t elems) {
    return builder_.AddLocation(name, usage, elems, kElemBytes);
  }

  uint64_t WeightElems(int64_t stage, int conv) const {
    const uint64_t channels = dims_.StageChannels(stage);
    return channels * channels * (conv == 1 ? 9 : 4);
  }

  // A convolution through an im2col workspace, dead after the product.
  void Convolve(const ConvBlock& block, int conv, int32_t input) {
    const int32_t columns =
        Add(absl::StrCat(block.prefix, "col", conv), Usage::kSpill,
            dims_.Narrow(block.stage) * (conv == 1 ? 9 : 4));
    builder_.Compute("im2col", {columns}, {input});
    builder_.Compute("conv", {block.acts[conv]},
                     {columns, block.weights[conv]});
  }

  int32_t Forward(int64_t index, int32_t input) {
    ConvBlock block;
    block.stage = index * kNumStages / num_blocks_;
    block.prefix = absl::StrCat("b", index, ".");
    block.input = input;
    const uint64_t narrow = dims_.Narrow(block.stage);
    for (int conv = 0; conv < 3; ++conv) {
      block.weights[conv] = Add(absl::StrCat(block.prefix, "w", conv),
                                Usage::kWeight, WeightElems(block.stage, conv));
      block.acts[conv] =
          Add(absl::StrCat(block.prefix, "a", conv), Usage::kIntermediate,
              conv == 2 ? 4 * narrow : narrow);
    }
    block.output = Add(block.prefix + "out", Usage::kIntermediate, 4 * narrow);
    Convolve(block, 0, input);
    Convolve(block, 1, block.acts[0]);
    Convolve(block, 2, block.acts[1]);
    builder_.Compute("add_relu", {block.output}, {input, block.acts[2]});
    blocks_.push_back(block);
    return block.output;
  }

  int32_t Head(int32_t stream) {
    const int64_t last = blocks_.back().stage;
    const uint64_t features = dims_.batch * 4 * dims_.StageChannels(last);
    const int32_t pooled = Add("pooled", Usage::kIntermediate, features);
    const int32_t w =
        Add("fc.w", Usage::kWeight, 4000 * dims_.StageChannels(last));
    const int32_t logits =
        Add("logits", Usage::kIntermediate, dims_.batch * 1000);
    const int32_t loss = Add("loss", Usage::kOutput, 2);
    const int32_t gradient =
        Add("d_pooled", Usage::kIntermediate, 4 * dims_.Narrow(last));
    builder_.Compute("global_pool", {pooled}, {stream});
    builder_.Compute("matmul_fc", {logits}, {pooled, w});
    builder_.Compute("cross_entropy", {loss, logits}, {logits});
    builder_.Compute("global_pool_grad", {gradient}, {logits, w});
    return gradient;
  }

  int32_t Backward(const ConvBlock& block, int32_t gradient) {
    const uint64_t narrow = dims_.Narrow(block.stage);
    int32_t current =
        Add(block.prefix + "d_a2", Usage::kIntermediate, 4 * narrow);
    builder_.Compute("relu_grad", {current}, {gradient, block.output});
    const int32_t skip = current;
    for (int conv = 2; conv >= 0; --conv) {
      const int32_t source = conv == 0 ? block.input : block.acts[conv - 1];
      const int32_t dw = Add(absl::StrCat(block.prefix, "dw", conv),
                             Usage::kOutput, WeightElems(block.stage, conv));
      const int32_t columns = Add(absl::StrCat(block.prefix, "d_col", conv),
                                  Usage::kSpill, narrow * (conv == 1 ? 9 : 4));
      const std::string name =
          conv == 0 ? block.prefix + "d_in"
                    : absl::StrCat(block.prefix, "d_a", conv - 1);
      const uint64_t elems = builder_.function().locations[source].elem_count;
      const int32_t next = Add(name, Usage::kIntermediate, elems);
      builder_.Compute("im2col", {columns}, {source});
      builder_.Compute("conv_weight_grad", {dw}, {columns, current});
      builder_.Compute("conv_input_grad", {next},
                       {current, block.weights[conv]});
      current = next;
    }
    builder_.Compute("add_skip_grad", {current}, {current, skip});
    return current;
  }

  Rng rng_;
  const int64_t num_blocks_;
  const CnnDims dims_;
  FunctionBuilder builder_;
  std::vector<ConvBlock> blocks_;
};

}  // namespace

Program CnnProgram(const GenOptions& options) {
  std::vector<Function> functions;
  functions.push_back(CnnBuilder(options).Build());
  return OneCore(Describe(options), std::move(functions));
}

}  // namespace berth::gen
