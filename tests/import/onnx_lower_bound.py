#!/usr/bin/python3
"""The lower bound of an ONNX model's intermediates, from the file alone.

Usage: onnx_lower_bound.py MODEL [--io=external|placed] [--dim NAME=N]...

Shares nothing with Berth: python3-onnx reads the file and infers shapes, and
the load is added up step by step. A tensor lives from the node that makes it
to the last one that reads it, both included; sizes are rounded up to 4096.
Prints the greatest load.
"""

import argparse

import onnx
from onnx import shape_inference
from onnx.mapping import TENSOR_TYPE_TO_NP_TYPE

PAGE = 4096


def size_of(value, dims):
    tensor = value.type.tensor_type
    elements = 1
    for dim in tensor.shape.dim:
        if dim.HasField("dim_value"):
            elements *= dim.dim_value
        else:
            elements *= dims[dim.dim_param]
    size = elements * TENSOR_TYPE_TO_NP_TYPE[tensor.elem_type].itemsize
    return -(-size // PAGE) * PAGE


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--io", default="external")
    parser.add_argument("--dim", action="append", default=[])
    args = parser.parse_args()
    dims = {name: int(n) for name, n in (d.split("=") for d in args.dim)}

    graph = onnx.load(args.model, load_external_data=False)
    for value in list(graph.graph.input) + list(graph.graph.output):
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in dims:
                dim.dim_value = dims[dim.dim_param]
    graph = shape_inference.infer_shapes(graph, data_prop=True).graph
    values = {v.name: v for v in
              list(graph.value_info) + list(graph.output) + list(graph.input)}
    weights = {w.name for w in graph.initializer}
    inputs = [v.name for v in graph.input if v.name not in weights]
    outputs = {v.name for v in graph.output}
    nodes = [n for n in graph.node if n.op_type != "Constant"]

    # name -> [first step, last step]; step 0 is before the first node.
    lives = {}
    if args.io == "placed":
        lives.update({name: [0, 0] for name in inputs})
    for step, node in enumerate(nodes, start=1):
        for name in node.input:
            if name in lives:
                lives[name][1] = step
        for name in node.output:
            if name and (args.io == "placed" or name not in outputs):
                lives[name] = [step, step]
    if args.io == "placed":
        for name in outputs:
            if name in lives:
                lives[name][1] = len(nodes) + 1

    load = [0] * (len(nodes) + 2)
    for name, (first, last) in lives.items():
        for step in range(first, last + 1):
            load[step] += size_of(values[name], dims)
    print(max(load))


if __name__ == "__main__":
    main()
