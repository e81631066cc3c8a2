"""Fuzz targets: one macro for the engines, the tests and OSS-Fuzz's packages."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

def fuzz_target(name, deps, corpus = True, smoke_runs = 2000, dictionary = None, options = None, tags = []):
    """A target of fuzz/targets/NAME.cc, which registers itself (engine/target.h).

    NAME: a libFuzzer binary under --config=fuzz or --config=oss_fuzz, else a
    replayer and seeded smoke runner (engine/driver.cc).
    Manual: `//...` builds NAME_test only, which is the same program.
    NAME_test: replays corpus/NAME, then smoke_runs seeded runs, in any
    configuration. NAME_package: NAME, NAME_seed_corpus.zip, NAME.dict and
    NAME.options, as OSS-Fuzz's $OUT wants them.
    """
    cc_library(
        name = name + "_harness",
        testonly = True,
        srcs = ["targets/%s.cc" % name],
        deps = deps + ["//fuzz/engine:target", "@com_google_absl//absl/strings"],
        alwayslink = True,
    )
    cc_binary(
        name = name,
        testonly = True,
        tags = ["fuzz_target", "manual"] + tags,
        deps = [name + "_harness", "//fuzz/engine"],
    )
    if not corpus:
        return
    files = "//corpus:" + name
    cc_test(
        name = name + "_test",
        size = "medium",  # under sanitizers, on a busy machine
        args = ["-runs=%d" % smoke_runs, "-seed=1", "corpus/" + name],
        data = [files],
        tags = ["fuzz_replay", "fuzz_smoke"] + tags,
        deps = [name + "_harness", "//fuzz/engine"],
    )
    native.genrule(
        name = name + "_seed_corpus",
        testonly = True,
        srcs = [files],
        outs = [name + "_seed_corpus.zip"],
        tags = ["manual"],
        cmd = "$(location @bazel_tools//tools/zip:zipper) cC $@ $(SRCS)",
        tools = ["@bazel_tools//tools/zip:zipper"],
    )
    package = [name, name + "_seed_corpus.zip"]
    for source, suffix in [(dictionary, ".dict"), (options, ".options")]:
        if source:
            native.genrule(
                name = name + suffix.replace(".", "_"),
                srcs = [source],
                outs = [name + suffix],
                cmd = "cp $< $@",
                tags = ["manual"],
            )
            package.append(name + suffix)
    native.filegroup(
        name = name + "_package",
        testonly = True,
        srcs = package,
        tags = ["fuzz_package", "manual"],
    )
