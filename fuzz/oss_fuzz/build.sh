#!/bin/bash -eu
# OSS-Fuzz's and ClusterFuzzLite's build: every fuzz target with the compiler,
# flags and engine of the environment (CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE); TARGET, TARGET_seed_corpus.zip, TARGET.dict and
# TARGET.options go to OUT. tools/oss_fuzz_contract plays their part.
# Usage: build.sh [TARGET...]   (default: all)
set -o pipefail
: "${CC:?}" "${CXX:?}" "${OUT:?}" "${LIB_FUZZING_ENGINE:?}"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

startup=()
[[ -z ${BAZEL_OUTPUT_BASE:-} ]] || startup+=("--output_base=$BAZEL_OUTPUT_BASE")
flags=(--config=oss_fuzz --noshow_progress
  --experimental_convenience_symlinks=ignore
  "--repo_env=CC=$CC" "--repo_env=CXX=$CXX"
  "--define=LIB_FUZZING_ENGINE=$LIB_FUZZING_ENGINE")
for flag in ${CFLAGS:-}; do flags+=("--conlyopt=$flag"); done
for flag in ${CXXFLAGS:-}; do
  # Abseil and protobuf are the distribution's, built with libstdc++.
  [[ $flag != -stdlib=libc++ ]] || continue
  flags+=("--cxxopt=$flag" "--linkopt=$flag")
done
# The driver that links is the C one: UBSan's C++ part has to be asked for.
case " ${CXXFLAGS:-} " in
  *undefined* | *vptr* | *function*)
    flags+=(--linkopt=-fsanitize-link-c++-runtime)
    ;;
esac

mapfile -t packages < <(bazel "${startup[@]}" query --noshow_progress \
  'attr(tags, fuzz_package, //fuzz/...)' 2>/dev/null)
if [[ $# -gt 0 ]]; then
  packages=("${@/%/_package}")
  packages=("${packages[@]/#/\/\/fuzz:}")
fi
[[ ${#packages[@]} -gt 0 ]]
bazel "${startup[@]}" build "${flags[@]}" "${packages[@]}"
bin=$(bazel "${startup[@]}" info --noshow_progress "${flags[@]}" bazel-bin \
  2>/dev/null)

mkdir -p "$OUT"
for package in "${packages[@]}"; do
  name=${package##*:}
  name=${name%_package}
  install -m 755 "$bin/fuzz/$name" "$OUT/$name"
  for file in "${name}_seed_corpus.zip" "$name.dict" "$name.options"; do
    [[ ! -e $bin/fuzz/$file ]] || install -m 644 "$bin/fuzz/$file" "$OUT/$file"
  done
done
