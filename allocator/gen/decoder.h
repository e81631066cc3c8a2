// The attention and MLP halves of a decoder layer, forward, as instructions:
// what the kinds transformer and calls share. Internal to allocator/gen.
#ifndef BERTH_ALLOCATOR_GEN_DECODER_H_
#define BERTH_ALLOCATOR_GEN_DECODER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {

inline constexpr uint32_t kBf16Bytes = 2;

// Shapes of one core's part of a tensor-parallel model, in elements.
struct DecoderDims {
  uint64_t tokens = 0;
  uint64_t hidden = 0;
  uint64_t heads = 0;  // of this core
  uint64_t head_dim = 128;
  uint64_t ffn = 0;  // of this core

  uint64_t stream() const { return tokens * hidden; }
  uint64_t context() const { return tokens * heads * head_dim; }
  uint64_t scores() const { return heads * tokens * tokens; }
  uint64_t mlp() const { return tokens * ffn; }
};

// A model of a published size. `num_streams` residual streams live at once stay
// under 4 GiB: longer models get shorter sequences.
DecoderDims DrawDims(Rng& rng, int64_t num_streams);

// Locations of one half: weights, then activations in order of their defs.
struct Attention {
  int32_t gain, w_qkv, w_out;
  int32_t norm, qkv, scores, probs, context, out;
};
struct Mlp {
  int32_t gain, w_up, w_down;
  int32_t norm, up, act, out;
};

// Adds the locations; names begin with `prefix`.
Attention AddAttention(const DecoderDims& dims, absl::string_view prefix,
                       FunctionBuilder& builder);
Mlp AddMlp(const DecoderDims& dims, absl::string_view prefix,
           FunctionBuilder& builder);

// Emits norm .. context, and norm .. act: what a backward pass computes again.
void EmitAttentionInner(const Attention& a, int32_t input, int32_t tile,
                        FunctionBuilder& builder);
void EmitMlpInner(const Mlp& m, int32_t input, int32_t tile,
                  FunctionBuilder& builder);
// Emits the last projection into `out` and its all-reduce, in place.
void EmitAttentionOut(const Attention& a, FunctionBuilder& builder);
void EmitMlpOut(const Mlp& m, FunctionBuilder& builder);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_DECODER_H_
