// ONNX's element types by number, those too that are younger than the ONNX that
// is installed.
#ifndef BERTH_TOOLS_IMPORT_ONNX_ELEMENTS_H_
#define BERTH_TOOLS_IMPORT_ONNX_ELEMENTS_H_

#include <cstdint>

namespace berth::import {

// Bits of one element of TensorProto.DataType `type`; 0: it has no fixed size
// (STRING, UNDEFINED), or nobody knew it in 2025. Elements below 8 bits are
// packed into bytes.
uint32_t OnnxElementBits(int32_t type);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_ONNX_ELEMENTS_H_
