#include "tools/import/onnx_elements.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace berth::import {
namespace {

constexpr uint8_t kBits[] = {
    0,    // 0 UNDEFINED
    32,   // 1 FLOAT
    8,    // 2 UINT8
    8,    // 3 INT8
    16,   // 4 UINT16
    16,   // 5 INT16
    32,   // 6 INT32
    64,   // 7 INT64
    0,    // 8 STRING
    8,    // 9 BOOL
    16,   // 10 FLOAT16
    64,   // 11 DOUBLE
    32,   // 12 UINT32
    64,   // 13 UINT64
    64,   // 14 COMPLEX64
    128,  // 15 COMPLEX128
    16,   // 16 BFLOAT16
    8,    // 17 FLOAT8E4M3FN
    8,    // 18 FLOAT8E4M3FNUZ
    8,    // 19 FLOAT8E5M2
    8,    // 20 FLOAT8E5M2FNUZ
    4,    // 21 UINT4
    4,    // 22 INT4
    4,    // 23 FLOAT4E2M1
    8,    // 24 FLOAT8E8M0
    2,    // 25 UINT2
    2,    // 26 INT2
};

}  // namespace

uint32_t OnnxElementBits(int32_t type) {
  if (type < 0 || static_cast<size_t>(type) >= std::size(kBits)) return 0;
  return kBits[type];
}

}  // namespace berth::import
