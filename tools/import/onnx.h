// ONNX models as programs. Liveness follows the order of the graph's nodes,
// which ONNX asks to be topological: node i is instruction i of the one block.
//
//   graph input                -> INPUT       node output  -> INTERMEDIATE
//   initializer                -> WEIGHT      graph output -> OUTPUT
//   output of a Constant node  -> CONSTANT, and no instruction
//
// Shapes are those that the file states and that ONNX's own inference adds; a
// tensor whose size they do not tell is an error that names it. So are control
// flow (a node with a subgraph), sequences, maps and strings. A model whose
// opset or element types are newer than the installed ONNX must state all
// shapes: old inference would get them wrong. A node that kills inference is
// named, too.
#ifndef BERTH_TOOLS_IMPORT_ONNX_H_
#define BERTH_TOOLS_IMPORT_ONNX_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/import/imported.h"
#include "tools/import/onnx_graph.h"

namespace berth::import {

// ReadOnnxGraph and ToProgram.
absl::StatusOr<Imported> FromOnnx(absl::string_view content,
                                  absl::string_view file,
                                  const Options& options);

// One core, function "main", block "entry". With Io::kPlaced inputs and outputs
// are INTERMEDIATE; an instruction "inputs" before all others writes the ones,
// "outputs" behind all reads the others. kInvalidArgument: a tensor that is
// used before it is made, or what CheckProgram() finds.
absl::StatusOr<Imported> FromOnnxGraph(const OnnxGraph& graph,
                                       absl::string_view file,
                                       const Options& options);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_ONNX_H_
