// Kind calls: a decoder for inference as functions. main calls decoder_layer
// once a layer, which calls attention and mlp; a U-shaped skip (layer i from
// the end reads stream i from the start) keeps streams alive across many calls.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/gen/decoder.h"
#include "allocator/gen/families.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {
namespace {

constexpr uint64_t kTileBytes = uint64_t{1} << 20;
// Locations of all functions that do not grow with the number of layers.
constexpr int64_t kLocationsOutside = 28;
// In main every layer adds a stream, every other one the sum of a skip too.

// Order of the functions in the module; main first, so that callees-first order
// differs from file order.
constexpr int32_t kLayer = 1;
constexpr int32_t kAttention = 2;
constexpr int32_t kMlp = 3;

int32_t AddStream(const DecoderDims& dims, absl::string_view name, Usage usage,
                  FunctionBuilder& builder) {
  return builder.AddLocation(name, usage, dims.stream(), kBf16Bytes);
}

Function MainFunction(const DecoderDims& dims, int64_t num_layers) {
  FunctionBuilder builder("main");
  builder.AddBlock("entry");
  const int32_t tokens =
      builder.AddLocation("tokens", Usage::kInput, dims.tokens, 4);
  const int32_t table = builder.AddLocation("embedding", Usage::kWeight,
                                            4000 * dims.hidden, kBf16Bytes);
  const int32_t logits = builder.AddLocation("logits", Usage::kOutput,
                                             4000 * dims.tokens, kBf16Bytes);
  std::vector<int32_t> streams = {
      AddStream(dims, "x0", Usage::kIntermediate, builder)};
  builder.Compute("embed", {streams.back()}, {tokens, table});
  for (int64_t i = 0; i < num_layers; ++i) {
    int32_t input = streams.back();
    const int64_t mirror = num_layers - i;
    if (mirror < i) {
      const int32_t sum = AddStream(dims, absl::StrCat("skip", i),
                                    Usage::kIntermediate, builder);
      builder.Compute("add_skip", {sum}, {input, streams[mirror]});
      input = sum;
    }
    streams.push_back(AddStream(dims, absl::StrCat("x", i + 1),
                                Usage::kIntermediate, builder));
    builder.Call("call_layer", kLayer, {streams.back()}, {input});
  }
  builder.Compute("matmul_logits", {logits}, {streams.back(), table});
  return std::move(builder).Build();
}

Function LayerFunction(const DecoderDims& dims) {
  FunctionBuilder builder("decoder_layer");
  builder.AddBlock("entry");
  const int32_t input = AddStream(dims, "input", Usage::kInput, builder);
  const int32_t output = AddStream(dims, "output", Usage::kOutput, builder);
  const int32_t attn =
      AddStream(dims, "attn_out", Usage::kIntermediate, builder);
  const int32_t middle =
      AddStream(dims, "middle", Usage::kIntermediate, builder);
  const int32_t mlp = AddStream(dims, "mlp_out", Usage::kIntermediate, builder);
  builder.Call("call_attention", kAttention, {attn}, {input});
  builder.Compute("residual", {middle}, {input, attn});
  builder.Call("call_mlp", kMlp, {mlp}, {middle});
  builder.Compute("residual", {output}, {middle, mlp});
  return std::move(builder).Build();
}

Function AttentionFunction(const DecoderDims& dims) {
  FunctionBuilder builder("attention");
  builder.AddBlock("entry");
  const int32_t tile = builder.AddTile("sbuf_tile", kTileBytes);
  const int32_t input = AddStream(dims, "input", Usage::kInput, builder);
  const int32_t output = AddStream(dims, "output", Usage::kOutput, builder);
  const Attention a = AddAttention(dims, "", builder);
  EmitAttentionInner(a, input, tile, builder);
  EmitAttentionOut(a, builder);
  builder.Copy("store", output, a.out);
  return std::move(builder).Build();
}

Function MlpFunction(const DecoderDims& dims) {
  FunctionBuilder builder("mlp");
  builder.AddBlock("entry");
  const int32_t tile = builder.AddTile("sbuf_tile", kTileBytes);
  const int32_t input = AddStream(dims, "input", Usage::kInput, builder);
  const int32_t output = AddStream(dims, "output", Usage::kOutput, builder);
  const Mlp m = AddMlp(dims, "", builder);
  EmitMlpInner(m, input, tile, builder);
  EmitMlpOut(m, builder);
  builder.Copy("store", output, m.out);
  return std::move(builder).Build();
}

}  // namespace

Program CallsProgram(const GenOptions& options) {
  Rng rng(options.seed);
  const int64_t num_layers =
      std::max<int64_t>(1, 2 * (options.size - kLocationsOutside) / 3);
  // Half of the streams live at once, and a few inside the layer.
  const DecoderDims dims = DrawDims(rng, num_layers / 2 + 8);
  std::vector<Function> functions;
  functions.push_back(MainFunction(dims, num_layers));
  functions.push_back(LayerFunction(dims));
  functions.push_back(AttentionFunction(dims));
  functions.push_back(MlpFunction(dims));
  return OneCore(Describe(options), std::move(functions));
}

}  // namespace berth::gen
