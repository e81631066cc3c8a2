// What Berth wants to know of an ONNX model, without ONNX's own types: one file
// (onnx_graph.cc) includes them.
#ifndef BERTH_TOOLS_IMPORT_ONNX_GRAPH_H_
#define BERTH_TOOLS_IMPORT_ONNX_GRAPH_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace berth::import {

struct OnnxTensor {
  enum class Role : uint8_t {
    kInput,
    kOutput,
    kWeight,
    kConstant,
    kIntermediate
  };
  std::string name;
  Role role = Role::kIntermediate;
  uint64_t elem_count = 0;
  uint32_t elem_size = 1;
};

struct OnnxNode {
  std::string name;  // its operator where it has none
  // Indices of tensors, each once.
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
};

struct OnnxGraph {
  std::string name;
  std::vector<OnnxTensor> tensors;  // inputs, weights, then as nodes make them
  std::vector<OnnxNode> nodes;      // in file order, Constant nodes left out
  std::vector<int32_t> outputs;     // of the graph, each once
};

// Parses, sets symbolic dimensions to `dims`, and infers shapes.
// kInvalidArgument names the tensor or the node. Thread-safety: pure.
absl::StatusOr<OnnxGraph> ReadOnnxGraph(
    absl::string_view content, absl::string_view file,
    const std::vector<std::pair<std::string, int64_t>>& dims);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_ONNX_GRAPH_H_
