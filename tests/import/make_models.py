#!/usr/bin/python3
"""Writes ONNX models of real networks: their graphs, not their weights.

Usage: make_models.py FOLDER

Weights are declared as external data, as exporters do for large models, so
that a file stays small. Shapes of intermediate tensors are left to inference.
"""

import os
import sys

import onnx
from onnx import TensorProto, helper


class Graph:
    """Nodes and weights as they are added; every tensor is float32."""

    def __init__(self, name):
        self.name = name
        self.nodes = []
        self.weights = []

    def weight(self, name, shape):
        weight = TensorProto(
            name=name, data_type=TensorProto.FLOAT, dims=shape,
            data_location=TensorProto.EXTERNAL)
        entry = weight.external_data.add()
        entry.key, entry.value = "location", name + ".bin"
        self.weights.append(weight)
        return name

    def shape(self, name, values):
        self.weights.append(
            helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def op(self, kind, inputs, **attributes):
        output = "%s_%d" % (kind.lower(), len(self.nodes))
        self.nodes.append(helper.make_node(
            kind, inputs, [output], name=output + "_node", **attributes))
        return output

    def conv(self, x, channels_in, channels_out, kernel, stride=1, pad=0,
             relu=True):
        n = len(self.nodes)
        y = self.op(
            "Conv",
            [x, self.weight("w%d" % n, [channels_out, channels_in, kernel,
                                        kernel]),
             self.weight("b%d" % n, [channels_out])],
            kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)
        return self.op("Relu", [y]) if relu else y

    def linear(self, x, features_in, features_out):
        n = len(self.nodes)
        y = self.op("MatMul",
                    [x, self.weight("w%d" % n, [features_in, features_out])])
        return self.op("Add", [y, self.weight("b%d" % n, [features_out])])

    def save(self, path, inputs, output):
        graph = helper.make_graph(
            self.nodes, self.name,
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
             for name, shape in inputs],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
            self.weights)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 13)])
        with open(path, "wb") as file:
            file.write(model.SerializeToString())


def squeezenet(path):
    """SqueezeNet 1.1 for 224 by 224 images."""
    g = Graph("squeezenet1.1")
    pool = dict(kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    x = g.op("MaxPool", [g.conv("image", 3, 64, 3, stride=2)], **pool)
    channels = 64
    for i, (squeeze, expand) in enumerate(
            [(16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192),
             (64, 256), (64, 256)]):
        s = g.conv(x, channels, squeeze, 1)
        x = g.op("Concat", [g.conv(s, squeeze, expand, 1),
                            g.conv(s, squeeze, expand, 3, pad=1)], axis=1)
        channels = 2 * expand
        if i in (1, 3):
            x = g.op("MaxPool", [x], **pool)
    x = g.op("GlobalAveragePool", [g.conv(x, channels, 1000, 1)])
    y = g.op("Flatten", [x])
    g.save(path, [("image", [1, 3, 224, 224])], y)


def resnet50(path):
    """ResNet-50, batch norm folded into the convolutions."""
    g = Graph("resnet50")
    x = g.op("MaxPool", [g.conv("image", 3, 64, 7, stride=2, pad=3)],
             kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for stage, blocks in enumerate([3, 4, 6, 3]):
        width = 64 << stage
        for block in range(blocks):
            stride = 2 if stage > 0 and block == 0 else 1
            y = g.conv(x, channels, width, 1)
            y = g.conv(y, width, width, 3, stride=stride, pad=1)
            y = g.conv(y, width, 4 * width, 1, relu=False)
            if block == 0:
                x = g.conv(x, channels, 4 * width, 1, stride=stride,
                           relu=False)
            x = g.op("Relu", [g.op("Add", [y, x])])
            channels = 4 * width
    x = g.op("Flatten", [g.op("GlobalAveragePool", [x])])
    g.save(path, [("image", [1, 3, 224, 224])], g.linear(x, 2048, 1000))


def encoder(path):
    """A BERT-like encoder of four layers with symbolic batch and length."""
    hidden, heads = 256, 4
    g = Graph("encoder")
    split = g.shape("split", [0, 0, heads, hidden // heads])
    join = g.shape("join", [0, 0, hidden])
    x = "embedded"
    for _ in range(4):
        q, k, v = [
            g.op("Transpose",
                 [g.op("Reshape", [g.linear(x, hidden, hidden), split])],
                 perm=perm)
            for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])]
        scores = g.op("Softmax", [g.op("MatMul", [q, k])], axis=-1)
        mixed = g.op("Transpose", [g.op("MatMul", [scores, v])],
                     perm=[0, 2, 1, 3])
        attended = g.linear(g.op("Reshape", [mixed, join]), hidden, hidden)
        x = g.op("Add", [x, attended])
        inner = g.op("Relu", [g.linear(x, hidden, 4 * hidden)])
        x = g.op("Add", [x, g.linear(inner, 4 * hidden, hidden)])
    g.save(path, [("embedded", ["batch", "length", hidden])], x)


def main():
    folder = sys.argv[1]
    for network in (squeezenet, resnet50, encoder):
        network(os.path.join(folder, network.__name__ + ".onnx"))


if __name__ == "__main__":
    main()
