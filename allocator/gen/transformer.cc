// Kind transformer: a training step of a decoder, straight-line.
//
// Forward over all layers, the head, then backward from the last layer to the
// first. Weights and weight gradients are the runtime's; activations, scores
// and activation gradients are placed. A layer either keeps its activations for
// its backward half, which makes live ranges that nest like a stack, or
// computes them again there, into the same locations, which gives live ranges
// with a hole.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/gen/decoder.h"
#include "allocator/gen/families.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {
namespace {

constexpr int64_t kLocationsPerLayer = 34;
constexpr int64_t kLocationsOutside = 8;
constexpr uint64_t kKeptBudgetBytes = uint64_t{8} << 30;
constexpr uint64_t kTileBytes = uint64_t{1} << 20;

struct Layer {
  Attention attention;
  Mlp mlp;
  int32_t input = 0;
  int32_t middle = 0;  // residual stream between the halves
  int32_t output = 0;
  bool keeps = false;
};

class TransformerBuilder {
 public:
  explicit TransformerBuilder(const GenOptions& options)
      : rng_(options.seed),
        num_layers_(std::max<int64_t>(
            1, (options.size - kLocationsOutside) / kLocationsPerLayer)),
        dims_(DrawDims(rng_, num_layers_)),
        builder_("train_step") {}

  Function Build() && {
    builder_.AddBlock("entry");
    tile_ = builder_.AddTile("sbuf_tile", kTileBytes);
    const int32_t tokens = Add("tokens", Usage::kInput, dims_.tokens);
    const int32_t table = Add("embedding", Usage::kWeight, Vocabulary());
    int32_t stream = Add("x0", Usage::kIntermediate, dims_.stream());
    builder_.Compute("embed", {stream}, {tokens, table});
    for (int64_t i = 0; i < num_layers_; ++i) stream = Forward(i, stream);
    int32_t gradient = Head(stream, table);
    for (int64_t i = num_layers_ - 1; i >= 0; --i)
      gradient = Backward(i, gradient);
    const int32_t d_table = Add("d_embedding", Usage::kOutput, Vocabulary());
    builder_.Compute("embed_grad", {d_table}, {gradient, tokens});
    return std::move(builder_).Build();
  }

 private:
  uint64_t Vocabulary() const { return 4000 * dims_.hidden; }

  int32_t Add(absl::string_view name, Usage usage, uint64_t elems) {
    return builder_.AddLocation(name, usage, elems, kBf16Bytes);
  }

  // Every other layer on average keeps its activations while they fit.
  bool DrawKeeps() {
    const uint64_t bytes = (2 * dims_.stream() + 4 * dims_.context() +
                            dims_.scores() + 2 * dims_.mlp()) *
                           kBf16Bytes;
    if (!rng_.OneIn(2) || kept_bytes_ + bytes > kKeptBudgetBytes) return false;
    kept_bytes_ += bytes;
    return true;
  }

  int32_t Forward(int64_t index, int32_t input) {
    const std::string prefix = absl::StrCat("l", index, ".");
    Layer layer;
    layer.input = input;
    layer.keeps = DrawKeeps();
    layer.attention = AddAttention(dims_, prefix, builder_);
    layer.middle = Add(prefix + "middle", Usage::kIntermediate, dims_.stream());
    layer.mlp = AddMlp(dims_, prefix, builder_);
    layer.output =
        Add(absl::StrCat("x", index + 1), Usage::kIntermediate, dims_.stream());

    EmitAttentionInner(layer.attention, input, tile_, builder_);
    EmitAttentionOut(layer.attention, builder_);
    builder_.Compute("residual", {layer.middle}, {input, layer.attention.out});
    EmitMlpInner(layer.mlp, layer.middle, tile_, builder_);
    EmitMlpOut(layer.mlp, builder_);
    builder_.Compute("residual", {layer.output}, {layer.middle, layer.mlp.out});
    layers_.push_back(layer);
    return layer.output;
  }

  // Returns the gradient of the last residual stream.
  int32_t Head(int32_t stream, int32_t table) {
    const uint64_t logits_elems = dims_.tokens * 4000;
    const int32_t labels = Add("labels", Usage::kInput, dims_.tokens);
    const int32_t logits = Add("logits", Usage::kIntermediate, logits_elems);
    const int32_t loss = Add("loss", Usage::kOutput, 2);
    const int32_t gradient =
        Add("d_stream", Usage::kIntermediate, dims_.stream());
    builder_.Compute("matmul_logits", {logits}, {stream, table});
    builder_.Compute("cross_entropy", {loss, logits}, {logits, labels});
    builder_.Compute("matmul_d_stream", {gradient}, {logits, table});
    return gradient;
  }

  // `gradient` is that of the layer's output; returns that of its input.
  int32_t Backward(int64_t index, int32_t gradient) {
    const Layer& layer = layers_[index];
    const std::string prefix = absl::StrCat("l", index, ".");
    const int32_t d_middle = BackwardMlp(prefix, layer, gradient);
    return BackwardAttention(prefix, layer, d_middle);
  }

  int32_t BackwardMlp(const std::string& prefix, const Layer& layer,
                      int32_t gradient) {
    const Mlp& m = layer.mlp;
    if (!layer.keeps) {
      // The middle of the layer comes first: x + attention, once more.
      EmitAttentionInner(layer.attention, layer.input, tile_, builder_);
      EmitAttentionOut(layer.attention, builder_);
      builder_.Compute("residual", {layer.middle},
                       {layer.input, layer.attention.out});
      EmitMlpInner(m, layer.middle, tile_, builder_);
    }
    const int32_t d_act =
        Add(prefix + "d_act", Usage::kIntermediate, dims_.mlp());
    const int32_t d_up =
        Add(prefix + "d_up", Usage::kIntermediate, dims_.mlp());
    const int32_t d_norm =
        Add(prefix + "d_mlp_norm", Usage::kIntermediate, dims_.stream());
    const int32_t d_middle =
        Add(prefix + "d_middle", Usage::kIntermediate, dims_.stream());
    const int32_t d_w_up =
        Add(prefix + "d_w_up", Usage::kOutput, dims_.hidden * dims_.ffn);
    const int32_t d_w_down =
        Add(prefix + "d_w_down", Usage::kOutput, dims_.hidden * dims_.ffn);
    const int32_t d_gain =
        Add(prefix + "d_mlp_gain", Usage::kOutput, dims_.hidden);
    builder_.Compute("matmul_d_act", {d_act}, {gradient, m.w_down});
    builder_.Compute("matmul_d_w_down", {d_w_down}, {m.act, gradient});
    builder_.Compute("gelu_grad", {d_up}, {m.up, d_act});
    builder_.Compute("matmul_d_w_up", {d_w_up}, {m.norm, d_up});
    builder_.Compute("matmul_d_norm", {d_norm}, {d_up, m.w_up});
    builder_.AllReduce("all_reduce_d_mlp", d_norm);
    builder_.Compute("rms_norm_grad", {d_middle, d_gain},
                     {d_norm, layer.middle, m.gain, gradient});
    return d_middle;
  }

  int32_t BackwardAttention(const std::string& prefix, const Layer& layer,
                            int32_t d_middle) {
    const Attention& a = layer.attention;
    const uint64_t qkv_weight = 3 * dims_.hidden * dims_.heads * dims_.head_dim;
    const int32_t d_context =
        Add(prefix + "d_context", Usage::kIntermediate, dims_.context());
    const int32_t d_probs =
        Add(prefix + "d_probs", Usage::kIntermediate, dims_.scores());
    const int32_t d_scores =
        Add(prefix + "d_scores", Usage::kSpill, dims_.scores());
    const int32_t d_qkv =
        Add(prefix + "d_qkv", Usage::kIntermediate, 3 * dims_.context());
    const int32_t d_norm =
        Add(prefix + "d_attn_norm", Usage::kIntermediate, dims_.stream());
    const int32_t d_input =
        Add(prefix + "d_input", Usage::kIntermediate, dims_.stream());
    const int32_t d_w_out =
        Add(prefix + "d_w_out", Usage::kOutput, qkv_weight / 3);
    const int32_t d_w_qkv = Add(prefix + "d_w_qkv", Usage::kOutput, qkv_weight);
    const int32_t d_gain =
        Add(prefix + "d_attn_gain", Usage::kOutput, dims_.hidden);
    builder_.Compute("matmul_d_context", {d_context}, {d_middle, a.w_out});
    builder_.Compute("matmul_d_w_out", {d_w_out}, {a.context, d_middle});
    builder_.Compute("matmul_d_probs", {d_probs}, {d_context, a.qkv});
    builder_.Compute("softmax_grad", {d_scores}, {a.probs, d_probs});
    builder_.Compute("matmul_d_qkv", {d_qkv},
                     {d_scores, d_context, a.probs, a.qkv});
    builder_.Compute("matmul_d_w_qkv", {d_w_qkv}, {a.norm, d_qkv});
    builder_.Compute("matmul_d_norm", {d_norm}, {d_qkv, a.w_qkv});
    builder_.AllReduce("all_reduce_d_attn", d_norm);
    builder_.Compute("rms_norm_grad", {d_input, d_gain},
                     {d_norm, layer.input, a.gain, d_middle});
    return d_input;
  }

  Rng rng_;
  const int64_t num_layers_;
  const DecoderDims dims_;
  FunctionBuilder builder_;
  std::vector<Layer> layers_;
  int32_t tile_ = 0;
  uint64_t kept_bytes_ = 0;
};

}  // namespace

Program TransformerProgram(const GenOptions& options) {
  std::vector<Function> functions;
  functions.push_back(TransformerBuilder(options).Build());
  return OneCore(Describe(options), std::move(functions));
}

}  // namespace berth::gen
