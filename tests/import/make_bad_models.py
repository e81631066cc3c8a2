#!/usr/bin/python3
"""Writes small ONNX models, each with one thing that is refused.

Usage: make_bad_models.py FOLDER
"""

import os
import sys

from onnx import TensorProto, helper

FLOAT = TensorProto.FLOAT


def save(folder, name, nodes, inputs, outputs, weights=(), sparse=()):
    graph = helper.make_graph(nodes, name, inputs, outputs, list(weights),
                              sparse_initializer=list(sparse))
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 13),
                              helper.make_opsetid("com.example", 1)])
    with open(os.path.join(folder, name + ".onnx"), "wb") as file:
        file.write(model.SerializeToString())


def value(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs, outputs, **attributes)


def main():
    folder = sys.argv[1]
    x, y = value("x", [2, 3]), value("y", [2, 3])
    # An operator that nobody knows the shape of.
    save(folder, "unknown_shape",
         [node("Secret", ["x"], ["hidden"], domain="com.example"),
          node("Relu", ["hidden"], ["y"])], [x], [y])
    save(folder, "symbolic", [node("Relu", ["x"], ["y"])],
         [value("x", ["batch", 3])], [value("y", None)])
    save(folder, "unsorted",
         [node("Relu", ["a"], ["y"]), node("Relu", ["x"], ["a"])], [x], [y])
    save(folder, "twice",
         [node("Relu", ["x"], ["a"]), node("Abs", ["x"], ["a"]),
          node("Relu", ["a"], ["y"])], [x], [y])
    save(folder, "nobody", [node("Relu", ["x"], ["a"])], [x], [y])
    save(folder, "huge", [node("Relu", ["x"], ["y"])],
         [value("x", [1 << 40, 1 << 40])], [value("y", None)])
    save(folder, "strings", [node("Identity", ["x"], ["y"])],
         [value("x", [2], TensorProto.STRING)],
         [value("y", [2], TensorProto.STRING)])
    save(folder, "mismatch", [node("MatMul", ["x", "x"], ["y"])], [x],
         [value("y", None)])
    branch = helper.make_graph([node("Relu", ["x"], ["z"])], "branch", [],
                               [value("z", [2, 3])])
    save(folder, "control_flow",
         [node("If", ["c"], ["y"], name="choose", then_branch=branch,
               else_branch=branch)],
         [x, value("c", [], TensorProto.BOOL)], [y])
    # Fine: a weight that is an input too, a constant, an unused optional, an
    # output that is an input.
    save(folder, "oddities",
         [node("Constant", [], ["k"],
               value=helper.make_tensor("kv", FLOAT, [3], [1, 2, 3])),
          node("Clip", ["x", "", "top"], ["a"]),
          node("Add", ["a", "k"], ["y"]), node("Add", ["y", "y"], ["z"])],
         [x, value("top", [])], [value("z", [2, 3]), x],
         [helper.make_tensor("top", FLOAT, [], [6.0])])


if __name__ == "__main__":
    main()
