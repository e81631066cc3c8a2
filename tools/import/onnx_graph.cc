// This file and onnx_shapes include ONNX's headers, no other does.
#include "tools/import/onnx_graph.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "onnx/onnx_pb.h"
#include "tools/import/onnx_elements.h"
#include "tools/import/onnx_shapes.h"

namespace berth::import {
namespace {

using Role = OnnxTensor::Role;

constexpr uint32_t kBitsPerByte = 8;
using Dims = std::vector<std::pair<std::string, int64_t>>;

// "[batch, 3, ?]".
std::string ShapeText(const onnx::TensorShapeProto& shape) {
  return absl::StrCat("[",
                      absl::StrJoin(shape.dim(), ", ",
                                    [](std::string* out, const auto& dim) {
                                      if (dim.has_dim_value()) {
                                        absl::StrAppend(out, dim.dim_value());
                                      } else {
                                        absl::StrAppend(out,
                                                        dim.dim_param().empty()
                                                            ? "?"
                                                            : dim.dim_param());
                                      }
                                    }),
                      "]");
}

// Sets what is in `dims`; `symbols` gathers all that are named.
void SetDims(const Dims& dims, absl::flat_hash_set<std::string>& symbols,
             onnx::ValueInfoProto& value) {
  if (!value.type().has_tensor_type()) return;
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  if (!tensor.has_shape()) return;
  for (auto& dim : *tensor.mutable_shape()->mutable_dim()) {
    if (dim.dim_param().empty()) continue;
    symbols.insert(dim.dim_param());
    for (const auto& [name, size] : dims) {
      if (dim.dim_param() != name) continue;
      dim.set_dim_value(size);
      break;
    }
  }
}

class GraphReader {
 public:
  GraphReader(absl::string_view file, const Dims& dims)
      : file_(file), dims_(dims) {}

  absl::StatusOr<OnnxGraph> Read(absl::string_view content) {
    if (content.size() > std::numeric_limits<int>::max() ||
        !model_.ParseFromArray(content.data(),
                               static_cast<int>(content.size()))) {
      return Fault("is no valid ONNX model");
    }
    BERTH_RETURN_IF_ERROR(FindControlFlow());
    BERTH_RETURN_IF_ERROR(CheckOrder());
    BERTH_RETURN_IF_ERROR(SetAllDims());
    news_ = NewerThanInference(model_);
    if (news_.empty()) {
      BERTH_RETURN_IF_ERROR(InferOnnxShapes(file_, model_));
    }
    for (const auto& value : model_.graph().value_info()) AddType(value);
    for (const auto& value : model_.graph().output()) AddType(value);
    for (const auto& value : model_.graph().input()) AddType(value);
    graph_.name = model_.graph().name();
    BERTH_RETURN_IF_ERROR(AddInputsAndWeights());
    for (const auto& node : model_.graph().node()) {
      BERTH_RETURN_IF_ERROR(AddNode(node));
    }
    FindOutputs();
    return std::move(graph_);
  }

 private:
  absl::Status Fault(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat(file_, ": ", what));
  }
  absl::Status TensorFault(absl::string_view name,
                           absl::string_view what) const {
    return Fault(absl::StrCat("tensor ", QuotedName(name), " ", what));
  }

  // The tensors of a subgraph live somewhere that a list of nodes cannot say.
  absl::Status FindControlFlow() const {
    for (const auto& node : model_.graph().node()) {
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g() || attribute.graphs_size() > 0) {
          return Fault(absl::StrCat("node ", QuotedName(OnnxNodeName(node)),
                                    " (", node.op_type(),
                                    ") has a subgraph: control flow is not "
                                    "imported"));
        }
      }
    }
    return absl::OkStatus();
  }

  // Inference says less of a graph that is out of order.
  absl::Status CheckOrder() const {
    const onnx::GraphProto& graph = model_.graph();
    absl::flat_hash_set<absl::string_view> made;
    for (const auto& input : graph.input()) made.insert(input.name());
    for (const auto& weight : graph.initializer()) made.insert(weight.name());
    if (graph.sparse_initializer_size() > 0) {
      return TensorFault(graph.sparse_initializer(0).values().name(),
                         "is a sparse initializer, which is not imported");
    }
    for (const auto& node : graph.node()) {
      for (const std::string& name : node.input()) {
        if (name.empty() || made.contains(name)) continue;
        return TensorFault(name, absl::StrCat("is used by node ",
                                              QuotedName(OnnxNodeName(node)),
                                              " before anything makes it"));
      }
      for (const std::string& name : node.output()) made.insert(name);
    }
    for (const auto& output : graph.output()) {
      if (made.contains(output.name())) continue;
      return TensorFault(output.name(), "is an output that nothing makes");
    }
    return absl::OkStatus();
  }

  absl::Status SetAllDims() {
    onnx::GraphProto& graph = *model_.mutable_graph();
    for (auto& value : *graph.mutable_input()) SetDims(dims_, symbols_, value);
    for (auto& value : *graph.mutable_output()) SetDims(dims_, symbols_, value);
    for (auto& value : *graph.mutable_value_info())
      SetDims(dims_, symbols_, value);
    for (const auto& [name, size] : dims_) {
      if (!symbols_.contains(name)) {
        return Fault(absl::StrCat("no tensor has a dimension ",
                                  QuotedName(name), " to be set to ", size));
      }
    }
    return absl::OkStatus();
  }

  void AddType(const onnx::ValueInfoProto& value) {
    types_[value.name()] = &value;
  }

  absl::Status UnknownShape(absl::string_view name,
                            absl::string_view more = "") const {
    return TensorFault(
        name,
        absl::StrCat("has no known shape", more,
                     news_.empty() ? ""
                                   : absl::StrCat("; the file must state it (a "
                                                  "newer onnx.shape_inference "
                                                  "writes it): ",
                                                  news_)));
  }

  absl::Status SetSize(OnnxTensor& tensor, int32_t type,
                       const std::vector<int64_t>& dims) const {
    const uint32_t bits = OnnxElementBits(type);
    if (bits == 0) {
      return TensorFault(
          tensor.name,
          absl::StrCat("has elements of no fixed size (type ", type, ")"));
    }
    tensor.elem_count = 1;
    for (const int64_t dim : dims) {
      if (dim < 0) {
        return TensorFault(tensor.name,
                           absl::StrCat("has a dimension of ", dim));
      }
      const auto product =
          CheckedMul(tensor.elem_count, static_cast<uint64_t>(dim));
      if (!product)
        return TensorFault(tensor.name, "has 2^64 elements or more");
      tensor.elem_count = *product;
    }
    tensor.elem_size = std::max<uint32_t>(1, bits / kBitsPerByte);
    if (bits < kBitsPerByte) {
      const uint64_t per_byte = kBitsPerByte / bits;
      tensor.elem_count = tensor.elem_count / per_byte +
                          (tensor.elem_count % per_byte == 0 ? 0 : 1);
    }
    return absl::OkStatus();
  }

  // From what the file and inference say.
  absl::Status SetKnownSize(OnnxTensor& tensor) const {
    const auto found = types_.find(tensor.name);
    if (found == types_.end()) return UnknownShape(tensor.name);
    const onnx::TypeProto& type = found->second->type();
    if (!type.has_tensor_type()) {
      return TensorFault(tensor.name, "is no dense tensor");
    }
    if (!type.tensor_type().has_shape()) return UnknownShape(tensor.name);
    const onnx::TensorShapeProto& shape = type.tensor_type().shape();
    std::vector<int64_t> dims;
    for (const auto& dim : shape.dim()) {
      if (!dim.has_dim_value()) {
        return UnknownShape(
            tensor.name,
            absl::StrCat(": ", ShapeText(shape),
                         symbols_.contains(dim.dim_param())
                             ? "; --dim NAME=N gives a dimension its size"
                             : ""));
      }
      dims.push_back(dim.dim_value());
    }
    return SetSize(tensor, type.tensor_type().elem_type(), dims);
  }

  absl::Status Add(OnnxTensor tensor, int32_t* index = nullptr) {
    const auto next = static_cast<int32_t>(graph_.tensors.size());
    if (!index_.emplace(tensor.name, next).second) {
      return TensorFault(tensor.name, "is made twice");
    }
    graph_.tensors.push_back(std::move(tensor));
    if (index != nullptr) *index = next;
    return absl::OkStatus();
  }

  absl::Status AddInputsAndWeights() {
    const onnx::GraphProto& graph = model_.graph();
    absl::flat_hash_set<absl::string_view> weights;
    for (const auto& weight : graph.initializer()) {
      weights.insert(weight.name());
    }
    // Before IR version 4 a weight is listed among the inputs too.
    for (const auto& input : graph.input()) {
      if (weights.contains(input.name())) continue;
      OnnxTensor tensor = {.name = input.name(), .role = Role::kInput};
      BERTH_RETURN_IF_ERROR(SetKnownSize(tensor));
      BERTH_RETURN_IF_ERROR(Add(std::move(tensor)));
    }
    for (const auto& weight : graph.initializer()) {
      BERTH_RETURN_IF_ERROR(AddData(weight.name(), Role::kWeight, weight));
    }
    return absl::OkStatus();
  }

  absl::Status AddData(const std::string& name, Role role,
                       const onnx::TensorProto& data) {
    OnnxTensor tensor = {.name = name, .role = role};
    BERTH_RETURN_IF_ERROR(SetSize(tensor, data.data_type(),
                                  {data.dims().begin(), data.dims().end()}));
    return Add(std::move(tensor));
  }

  absl::Status AddNode(const onnx::NodeProto& from) {
    if (from.op_type() == "Constant" && from.domain().empty() &&
        from.output_size() == 1) {
      OnnxTensor tensor = {.name = from.output(0), .role = Role::kConstant};
      BERTH_RETURN_IF_ERROR(SetKnownSize(tensor));
      return Add(std::move(tensor));
    }
    OnnxNode node;
    node.name = OnnxNodeName(from);
    absl::flat_hash_set<int32_t> seen;
    for (const std::string& name : from.input()) {
      if (name.empty()) continue;  // an optional input that is not given
      const int32_t input = index_.at(name);
      if (seen.insert(input).second) node.inputs.push_back(input);
    }
    for (const std::string& name : from.output()) {
      if (name.empty()) continue;
      OnnxTensor tensor = {.name = name};
      BERTH_RETURN_IF_ERROR(SetKnownSize(tensor));
      BERTH_RETURN_IF_ERROR(
          Add(std::move(tensor), &node.outputs.emplace_back()));
    }
    graph_.nodes.push_back(std::move(node));
    return absl::OkStatus();
  }

  void FindOutputs() {
    absl::flat_hash_set<int32_t> seen;
    for (const auto& output : model_.graph().output()) {
      const int32_t index = index_.at(output.name());
      if (!seen.insert(index).second) continue;
      graph_.outputs.push_back(index);
      Role& role = graph_.tensors[index].role;
      if (role == Role::kIntermediate) role = Role::kOutput;
    }
  }

  absl::string_view file_;
  const Dims& dims_;
  onnx::ModelProto model_;
  std::string news_;  // why shapes are not inferred; empty: they are
  absl::flat_hash_set<std::string> symbols_;  // named dimensions of the file
  absl::flat_hash_map<std::string, const onnx::ValueInfoProto*> types_;
  absl::flat_hash_map<std::string, int32_t> index_;
  OnnxGraph graph_;
};

}  // namespace

absl::StatusOr<OnnxGraph> ReadOnnxGraph(absl::string_view content,
                                        absl::string_view file,
                                        const Dims& dims) {
  return GraphReader(file, dims).Read(content);
}

}  // namespace berth::import
