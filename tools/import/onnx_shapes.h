// ONNX's own shape inference, held at arm's length. Internal to tools/import.
#ifndef BERTH_TOOLS_IMPORT_ONNX_SHAPES_H_
#define BERTH_TOOLS_IMPORT_ONNX_SHAPES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "onnx/onnx_pb.h"

namespace berth::import {

// What of `model` the installed ONNX is too old for, in words; "" if it knows
// all. Of an operator that it does not know yet inference would take the last
// version that it knows, and find another shape.
std::string NewerThanInference(const onnx::ModelProto& model);

// Adds to the graph's value_info what can be inferred. kInvalidArgument, which
// names `file`: what inference found wrong, or the first node that it did not
// survive: it divides by strides of 0 and follows functions that call
// themselves, so it runs in a child process first.
absl::Status InferOnnxShapes(absl::string_view file, onnx::ModelProto& model);

// Its operator where it has no name.
std::string OnnxNodeName(const onnx::NodeProto& node);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_ONNX_SHAPES_H_
