#include "tools/import/onnx_shapes.h"

#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "tools/import/rehearse.h"

namespace berth::import {
namespace {

constexpr int kInferenceSeconds = 60;

// "" if the operators of `opset` are known, or if nothing of its domain is.
std::string NewsOf(const onnx::OperatorSetIdProto& opset) {
  const auto& known =
      onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto found =
      known.find(opset.domain() == "ai.onnx" ? "" : opset.domain());
  if (found == known.end() || opset.version() <= found->second.second) {
    return "";
  }
  return absl::StrCat("opset ", opset.version(),
                      " is newer than the installed ONNX, which knows ",
                      found->second.second);
}

std::string NewsOf(const std::string& tensor, int32_t type) {
  if (onnx::TensorProto::DataType_IsValid(type)) return "";
  return absl::StrCat("the element type ", type, " of ", QuotedName(tensor),
                      " is newer than the installed ONNX");
}

void Infer(onnx::ModelProto& model) {
  onnx::shape_inference::InferShapes(
      model, onnx::OpSchemaRegistry::Instance(),
      onnx::ShapeInferenceOptions(/*check_type=*/true,
                                  /*strict_mode=*/1, /*data_prop=*/true));
}

// The signal that inference of the first nodes dies of; 0: it does not. `model`
// stays as it is here: what changes is the child's.
int SignalOfPrefix(onnx::ModelProto& model, int num_nodes) {
  return SignalOf(
      [&] {
        auto& nodes = *model.mutable_graph()->mutable_node();
        nodes.DeleteSubrange(num_nodes, nodes.size() - num_nodes);
        Infer(model);
      },
      kInferenceSeconds);
}

absl::Status Rehearse(absl::string_view file, onnx::ModelProto& model) {
  const auto& nodes = model.graph().node();
  const int signal = SignalOfPrefix(model, nodes.size());
  if (signal == 0) return absl::OkStatus();
  int survived = 0;
  int killed = nodes.size();
  while (killed - survived > 1) {
    const int middle = survived + (killed - survived) / 2;
    (SignalOfPrefix(model, middle) == 0 ? survived : killed) = middle;
  }
  const std::string what =
      absl::StrCat("ONNX's shape inference dies (", strsignal(signal), ")");
  if (nodes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(file, ": ", what));
  }
  const onnx::NodeProto& node = nodes.Get(killed - 1);
  return absl::InvalidArgumentError(
      absl::StrCat(file, ": node ", QuotedName(OnnxNodeName(node)), " (",
                   node.op_type(), "): ", what));
}

}  // namespace

std::string NewerThanInference(const onnx::ModelProto& model) {
  std::string news;
  const auto note = [&news](std::string more) {
    if (news.empty()) news = std::move(more);
  };
  for (const auto& opset : model.opset_import()) note(NewsOf(opset));
  for (const auto& function : model.functions()) {
    for (const auto& opset : function.opset_import()) note(NewsOf(opset));
  }
  const onnx::GraphProto& graph = model.graph();
  for (const auto* values :
       {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const auto& value : *values) {
      note(NewsOf(value.name(), value.type().tensor_type().elem_type()));
    }
  }
  for (const auto& weight : graph.initializer()) {
    note(NewsOf(weight.name(), weight.data_type()));
  }
  return news;
}

absl::Status InferOnnxShapes(absl::string_view file, onnx::ModelProto& model) {
  BERTH_RETURN_IF_ERROR(Rehearse(file, model));
  // ONNX throws what it finds: types that do not fit, unknown domains.
  try {
    Infer(model);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": ", absl::StripAsciiWhitespace(error.what())));
  }
  return absl::OkStatus();
}

std::string OnnxNodeName(const onnx::NodeProto& node) {
  return node.name().empty() ? node.op_type() : node.name();
}

}  // namespace berth::import
