#include "allocator/gen/decoder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/gen/draws.h"

namespace berth::gen {
namespace {

constexpr uint64_t kStreamBudgetBytes = uint64_t{4} << 30;

}  // namespace

DecoderDims DrawDims(Rng& rng, int64_t num_streams) {
  // {hidden, heads, ffn}, split over eight cores.
  struct Model {
    uint64_t hidden, heads, ffn;
  };
  const std::vector<Model> models = {{2048, 16, 8192},
                                     {4096, 32, 11008},
                                     {5120, 40, 13824},
                                     {8192, 64, 28672}};
  const Model& model = OneOf(rng, models);
  DecoderDims dims;
  dims.hidden = model.hidden;
  dims.heads = model.heads / 8;
  dims.ffn = model.ffn / 8;
  dims.tokens = uint64_t{512} << rng.Below(3);
  const uint64_t streams =
      static_cast<uint64_t>(std::max<int64_t>(1, num_streams));
  while (dims.tokens > 1 &&
         streams * dims.stream() * kBf16Bytes > kStreamBudgetBytes) {
    dims.tokens /= 2;
  }
  return dims;
}

Attention AddAttention(const DecoderDims& dims, absl::string_view prefix,
                       FunctionBuilder& builder) {
  const auto add = [&](const char* name, Usage usage, uint64_t elems) {
    return builder.AddLocation(absl::StrCat(prefix, name), usage, elems,
                               kBf16Bytes);
  };
  const uint64_t context_width = dims.heads * dims.head_dim;
  Attention a;
  a.gain = add("attn_gain", Usage::kWeight, dims.hidden);
  a.w_qkv = add("w_qkv", Usage::kWeight, dims.hidden * 3 * context_width);
  a.w_out = add("w_out", Usage::kWeight, context_width * dims.hidden);
  a.norm = add("attn_norm", Usage::kIntermediate, dims.stream());
  a.qkv = add("qkv", Usage::kIntermediate, 3 * dims.context());
  // The scores do not fit on chip: the compiler spilled them.
  a.scores = add("scores", Usage::kSpill, dims.scores());
  a.probs = add("probs", Usage::kIntermediate, dims.scores());
  a.context = add("context", Usage::kIntermediate, dims.context());
  a.out = add("attn_out", Usage::kIntermediate, dims.stream());
  return a;
}

Mlp AddMlp(const DecoderDims& dims, absl::string_view prefix,
           FunctionBuilder& builder) {
  const auto add = [&](const char* name, Usage usage, uint64_t elems) {
    return builder.AddLocation(absl::StrCat(prefix, name), usage, elems,
                               kBf16Bytes);
  };
  Mlp m;
  m.gain = add("mlp_gain", Usage::kWeight, dims.hidden);
  m.w_up = add("w_up", Usage::kWeight, dims.hidden * dims.ffn);
  m.w_down = add("w_down", Usage::kWeight, dims.ffn * dims.hidden);
  m.norm = add("mlp_norm", Usage::kIntermediate, dims.stream());
  m.up = add("mlp_up", Usage::kIntermediate, dims.mlp());
  m.act = add("mlp_act", Usage::kIntermediate, dims.mlp());
  m.out = add("mlp_out", Usage::kIntermediate, dims.stream());
  return m;
}

void EmitAttentionInner(const Attention& a, int32_t input, int32_t tile,
                        FunctionBuilder& builder) {
  builder.Compute("rms_norm", {a.norm}, {input, a.gain});
  builder.Copy("load_w_qkv", tile, a.w_qkv);
  builder.Compute("matmul_qkv", {a.qkv}, {a.norm, a.w_qkv, tile});
  builder.Compute("matmul_scores", {a.scores}, {a.qkv});
  builder.Compute("softmax", {a.probs}, {a.scores});
  builder.Compute("matmul_context", {a.context}, {a.probs, a.qkv});
}

void EmitMlpInner(const Mlp& m, int32_t input, int32_t tile,
                  FunctionBuilder& builder) {
  builder.Compute("rms_norm", {m.norm}, {input, m.gain});
  builder.Copy("load_w_up", tile, m.w_up);
  builder.Compute("matmul_up", {m.up}, {m.norm, m.w_up, tile});
  builder.Compute("gelu", {m.act}, {m.up});
}

void EmitAttentionOut(const Attention& a, FunctionBuilder& builder) {
  builder.Compute("matmul_out", {a.out}, {a.context, a.w_out});
  builder.AllReduce("all_reduce_attn", a.out);
}

void EmitMlpOut(const Mlp& m, FunctionBuilder& builder) {
  builder.Compute("matmul_down", {m.out}, {m.act, m.w_down});
  builder.AllReduce("all_reduce_mlp", m.out);
}

}  // namespace berth::gen
