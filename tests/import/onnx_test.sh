#!/bin/bash
# ONNX models from python3-onnx and Debian's libonnx-testdata through
# `berth convert`: the lower bound is what an independent script computes.
# Usage: onnx_test.sh BERTH SCRIPTS...
set -u
berth=$(realpath "$1")
make_models=$(realpath "$2")
make_bad_models=$(realpath "$3")
lower_bound=$(realpath "$4")
testdata=/usr/share/libonnx-testdata/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  printf 'FAIL: %s\n' "$*"
  sed 's/^/  err: /' err 2>/dev/null | head -20
  failures=$((failures + 1))
}

# One copy of protobuf: the shared one that libonnx uses (tools/deps/onnx).
readelf -d "$berth" | grep -q 'NEEDED.*libprotobuf.so' ||
  fail 'libprotobuf.so is not linked'
nm -C --defined-only "$berth" | grep -q ' T google::protobuf::' &&
  fail 'a second protobuf is linked, from its archive'

# same_bound MODEL [FLAGS OF BOTH]: plans the model and compares.
same_bound() {
  local model=$1 want got
  shift
  want=$("$lower_bound" "$model" "$@") || fail "$lower_bound $model $*"
  "$berth" convert "$model" p.textproto "$@" 2>err || fail "convert $model $*"
  "$berth" plan p.textproto --full --json >json 2>err || fail "plan $model $*"
  got=$(grep -o '"lower_bound":[0-9]*' json | head -1)
  [[ $got == "\"lower_bound\":$want" ]] ||
    fail "$model $*: $got, and the script says $want"
}

"$make_models" . || fail "$make_models"
same_bound squeezenet.onnx
same_bound squeezenet.onnx --io=placed
same_bound resnet50.onnx
same_bound resnet50.onnx --io=placed
same_bound encoder.onnx --dim batch=1 --dim length=128
same_bound encoder.onnx --dim batch=8 --dim length=77 --io=placed

# Debian's: operators spelt out as graphs, and models from PyTorch.
for name in node/test_layer_normalization_4d_axis1_expanded \
  node/test_dynamicquantizelinear_expanded \
  node/test_nllloss_NCd1d2_with_weight_reduction_mean_expanded \
  pytorch-operator/test_operator_conv \
  pytorch-converted/test_AvgPool2d; do
  same_bound "$testdata/$name/model.onnx"
  same_bound "$testdata/$name/model.onnx" --io=placed
done

# Pre-placed inputs and outputs: the same bound above a floor.
"$berth" convert squeezenet.onnx pinned.textproto --io=pinned --pin-weights \
  2>err || fail 'convert --io=pinned'
"$berth" plan pinned.textproto --json >json 2>err || fail 'plan pinned'
want=$("$lower_bound" squeezenet.onnx)
grep -q "\"lower_bound\":$want" json || fail 'pinned: another bound'
grep -q '"floor":0,' json && fail 'pinned: no floor'

# The picture is drawn.
"$berth" show p.textproto -o p.png 2>err || fail show
[[ $(head -c 4 p.png | tail -c 3) == PNG ]] || fail 'no PNG'

# refuses MODEL MESSAGE [FLAGS]
refuses() {
  local model=$1 message=$2
  shift 2
  "$berth" convert "$model.onnx" x.textproto "$@" 2>err
  [[ $? -eq 2 ]] || fail "$model is not refused"
  grep -qF -- "$model.onnx: $message" err || fail "$model: not '$message'"
  [[ $(wc -l <err) -eq 1 ]] || fail "$model: more than one line"
}
"$make_bad_models" . || fail "$make_bad_models"
refuses unknown_shape "tensor 'hidden' has no known shape"
refuses symbolic "tensor 'x' has no known shape: [batch, 3]; --dim NAME=N"
refuses symbolic "no tensor has a dimension 'b' to be set to 3" --dim b=3
refuses unsorted "tensor 'a' is used by node 'Relu' before anything makes it"
refuses twice "tensor 'a' is made twice"
refuses nobody "tensor 'y' is an output that nothing makes"
refuses huge "tensor 'x' has 2^64 elements or more"
refuses strings "tensor 'x' has elements of no fixed size (type 8)"
refuses mismatch '[ShapeInferenceError]'
refuses control_flow "node 'choose' (If) has a subgraph"
refuses zero_stride "node 'pool' (MaxPool): ONNX's shape inference dies (Floating point exception)"
refuses recursion "node 'Again' (Again): ONNX's shape inference dies ("
refuses newer "tensor 'a' has no known shape; the file must state it (a newer onnx.shape_inference writes it): opset 18 is newer than the installed ONNX, which knows 17"
# All shapes stated: f and r are live at once, two pages each.
"$berth" convert newer_stated.onnx n.textproto 2>err || fail 'convert newer_stated'
"$berth" plan n.textproto --json >json 2>err || fail 'plan newer_stated'
grep -q '"lower_bound":16384,' json || fail "newer_stated: $(cat json)"
grep -A 4 'name: "q"' n.textproto | grep -q 'elem_count: 2500' ||
  fail 'newer_stated: 5000 elements of 4 bits are not 2500 bytes'
head -c 300 resnet50.onnx >cut.onnx
refuses cut 'is no valid ONNX model'
same_bound oddities.onnx
same_bound oddities.onnx --io=placed
"$berth" convert --dim batch=3 symbolic.onnx x.textproto 2>err ||
  fail '--dim does not help'
"$berth" convert symbolic.onnx x.textproto --dim batch 2>err
[[ $? -eq 2 ]] || fail '--dim without a size'
"$berth" plan resnet50.onnx 2>err
[[ $? -eq 2 ]] && grep -q 'is an ONNX model; berth convert' err ||
  fail 'plan does not name convert'

[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
