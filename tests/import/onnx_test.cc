// ONNX graphs as programs, apart from ONNX's own format (onnx_test.sh).
#include "tools/import/onnx.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"
#include "tools/import/imported.h"
#include "tools/import/onnx_graph.h"

namespace berth::import {
namespace {

using ::berth::testing::FindLocation;
using Role = OnnxTensor::Role;

// y = relu(x * w) + k; x goes out too.
OnnxGraph Sample() {
  OnnxGraph graph;
  graph.name = "g";
  graph.tensors = {
      {"x", Role::kInput, 1000, 4},        {"w", Role::kWeight, 5000, 4},
      {"k", Role::kConstant, 1, 4},        {"a", Role::kIntermediate, 1000, 4},
      {"b", Role::kIntermediate, 1000, 4}, {"y", Role::kOutput, 1000, 4}};
  graph.nodes = {
      {"MatMul", {0, 1}, {3}}, {"Relu", {3}, {4}}, {"Add", {4, 2}, {5}}};
  graph.outputs = {5, 0};
  return graph;
}

Program Make(const OnnxGraph& graph, const Options& options) {
  auto imported = FromOnnxGraph(graph, "f", options);
  EXPECT_TRUE(imported.ok()) << imported.status();
  return imported.ok() ? std::get<Program>(imported->content) : Program();
}

TEST(OnnxTest, NodesAreInstructionsOfOneBlock) {
  const Program program = Make(Sample(), Options());
  const Function& function = program.modules.at(0).functions.at(0);
  ASSERT_EQ(function.blocks.size(), 1u);
  const auto& instructions = function.blocks[0].instructions;
  ASSERT_EQ(instructions.size(), 3u);
  EXPECT_EQ(instructions[0].name, "MatMul");
  EXPECT_EQ(instructions[0].uses,
            (std::vector<Access>{{.location = 0}, {.location = 1}}));
  EXPECT_EQ(instructions[0].defs, (std::vector<Access>{{.location = 3}}));
  EXPECT_EQ(FindLocation(program, "x").usage, Usage::kInput);
  EXPECT_EQ(FindLocation(program, "w").usage, Usage::kWeight);
  EXPECT_EQ(FindLocation(program, "k").usage, Usage::kConstant);
  EXPECT_EQ(FindLocation(program, "a").usage, Usage::kIntermediate);
  EXPECT_EQ(FindLocation(program, "y").usage, Usage::kOutput);
  EXPECT_EQ(FindLocation(program, "w").byte_size(), 20000u);
  for (const Location& location : function.locations) {
    EXPECT_FALSE(location.address.has_value()) << location.name;
  }
}

TEST(OnnxTest, PinsInFileOrderOnPages) {
  const Program io = Make(Sample(), {.io = Io::kPinned, .dims = {}});
  EXPECT_EQ(FindLocation(io, "x").address, 0u);
  EXPECT_EQ(FindLocation(io, "y").address, 4096u);
  EXPECT_TRUE(FindLocation(io, "y").pinned());
  EXPECT_FALSE(FindLocation(io, "w").address.has_value());
  const Program all =
      Make(Sample(), {.io = Io::kPinned, .pin_weights = true, .dims = {}});
  EXPECT_EQ(FindLocation(all, "w").address, 4096u);
  EXPECT_EQ(FindLocation(all, "k").address, 24576u);
  EXPECT_EQ(FindLocation(all, "y").address, 28672u);
  EXPECT_FALSE(FindLocation(all, "a").address.has_value());
}

TEST(OnnxTest, PlacesInputsAndOutputsAsIntermediates) {
  const Program program = Make(Sample(), {.io = Io::kPlaced, .dims = {}});
  EXPECT_TRUE(FindLocation(program, "x").placeable());
  EXPECT_TRUE(FindLocation(program, "y").placeable());
  EXPECT_FALSE(FindLocation(program, "w").placeable());
  const auto& instructions =
      program.modules[0].functions[0].blocks[0].instructions;
  ASSERT_EQ(instructions.size(), 5u);
  EXPECT_EQ(instructions.front().defs, (std::vector<Access>{{.location = 0}}));
  EXPECT_EQ(instructions.back().uses,
            (std::vector<Access>{{.location = 5}, {.location = 0}}));
}

TEST(OnnxTest, SizesThatOverflowNameTheTensor) {
  OnnxGraph graph = Sample();
  graph.tensors[3].elem_count = std::numeric_limits<uint64_t>::max() / 2;
  const auto product = FromOnnxGraph(graph, "f", Options());
  EXPECT_NE(product.status().message().find("'a'"), std::string::npos)
      << product.status();
  graph = Sample();
  graph.tensors[5].elem_count = std::numeric_limits<uint64_t>::max() / 4 - 1;
  const auto pinned =
      FromOnnxGraph(graph, "f", {.io = Io::kPinned, .dims = {}});
  EXPECT_NE(pinned.status().message().find("'y'"), std::string::npos)
      << pinned.status();
}

}  // namespace
}  // namespace berth::import
