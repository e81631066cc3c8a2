#!/usr/bin/python3
"""Writes small ONNX models, each with one thing that is refused.

Usage: make_bad_models.py FOLDER
"""

import os
import sys

from onnx import TensorProto, helper

FLOAT = TensorProto.FLOAT


# Younger than Debian's python3-onnx.
INT4, FLOAT8 = 22, 17


def save(folder, name, nodes, inputs, outputs, weights=(), sparse=(),
         functions=(), stated=(), opset=13):
    graph = helper.make_graph(nodes, name, inputs, outputs, list(weights),
                              value_info=list(stated),
                              sparse_initializer=list(sparse))
    model = helper.make_model(
        graph, functions=list(functions),
        opset_imports=[helper.make_opsetid("", opset),
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
    # Inference of ONNX 1.12 divides by 0, and recurses without end.
    save(folder, "zero_stride",
         [node("Relu", ["i"], ["a"]),
          node("MaxPool", ["a"], ["b"], name="pool", kernel_shape=[2, 2],
               strides=[0, 0]),
          node("Relu", ["b"], ["y"])],
         [value("i", [1, 1, 8, 8])], [value("y", None)])
    loop = helper.make_function(
        "com.example", "Again", ["a"], ["b"],
        [node("Again", ["a"], ["b"], domain="com.example")],
        [helper.make_opsetid("com.example", 1)])
    save(folder, "recursion",
         [node("Again", ["x"], ["a"], domain="com.example"),
          node("Relu", ["a"], ["y"])], [x], [value("y", None)],
         functions=[loop])
    # In opset 18 ReduceMean and others take axes as an input, which inference of
    # opset 17 does not see. Fine only where the file states all shapes.
    reduce = [node("ReduceMean", ["x", "axes"], ["a"], keepdims=0),
              node("Relu", ["a"], ["y"])]
    axes = [helper.make_tensor("axes", TensorProto.INT64, [1], [1])]
    save(folder, "newer", reduce, [x], [value("y", None)], axes, opset=18)
    # 5000 numbers of 4 bits are 2500 bytes; 5000 of 8 bits are two pages.
    save(folder, "newer_stated",
         [node("Cast", ["v"], ["q"], to=INT4), node("Cast", ["q"], ["f"], to=FLOAT8),
          node("Relu", ["f"], ["r"]), node("Cast", ["r"], ["w"], to=FLOAT)],
         [value("v", [5000])], [value("w", [5000])],
         stated=[value("q", [5000], INT4), value("f", [5000], FLOAT8),
                 value("r", [5000], FLOAT8)], opset=23)
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
