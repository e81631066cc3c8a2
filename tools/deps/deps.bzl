"""What Berth needs, by one call: berth_deps() in a WORKSPACE, Berth's own or that of a project that uses it."""

load("//tools:deps/debian.bzl", "debian_packages")
load("//tools:deps/pybind11.bzl", "debian_pybind11")
load("//tools:deps/rules_cc.bzl", "debian_rules_cc")

def _in_tree_impl(ctx):
    # The folder by way of a file that is in the package: tools/deps itself is not.
    folder = ctx.path(ctx.attr.anchor).dirname.get_child("deps").get_child(ctx.attr.folder)
    for entry in folder.readdir():
        ctx.symlink(entry, entry.basename)

# A folder of tools/deps as a repository. local_repository would look for it in the workspace that
# calls berth_deps(), which need not be Berth's.
_in_tree = repository_rule(
    implementation = _in_tree_impl,
    attrs = {
        "anchor": attr.label(default = Label("//tools:BUILD")),
        "folder": attr.string(mandatory = True),
    },
    local = True,
)

_IN_TREE = {
    "cli11": "cli11",
    "com_github_google_benchmark": "com_github_google_benchmark",
    "com_google_absl": "com_google_absl",
    "com_google_googletest": "com_google_googletest",
    "nlohmann_json": "nlohmann_json",
    "onnx": "onnx",
    "org_libpng": "org_libpng",
    "org_sqlite": "org_sqlite",
    # Debian's bazel-bootstrap 4.2.3 would download these two.
    "remote_coverage_tools": "coverage_tools",
    "rules_java": "rules_java",
}

_LIBRARY_PACKAGES = [
    "libabsl-dev",
    "libprotobuf-dev",
    "protobuf-compiler",
]

_TOOL_AND_TEST_PACKAGES = [
    "libbenchmark-dev",
    "libcli11-dev",
    "libgmock-dev",
    "libgtest-dev",
    "libpng-dev",
    "libsqlite3-dev",
    "nlohmann-json3-dev",
]

def berth_deps(everything = False):
    """Declares every repository that Berth's targets name; those that a workspace already has stay.

    Args:
      everything: ask for the packages of the tool and the tests too. A project that
        uses @berth//allocator needs only those of the library.
    """
    have = native.existing_rules()
    if "rules_cc" not in have:
        debian_rules_cc(name = "rules_cc")
    for name, folder in _IN_TREE.items():
        if name not in have:
            _in_tree(name = name, folder = folder)
    if "bazel_skylib" not in have:
        native.local_repository(name = "bazel_skylib", path = "/usr/share/bazel/tools/skylib")
    if "com_google_protobuf" not in have:
        native.new_local_repository(
            name = "com_google_protobuf",
            path = "/usr",
            build_file = "@berth//tools:deps/com_google_protobuf.BUILD",
        )
    if "debian" not in have:
        debian_packages(
            name = "debian",
            packages = sorted(_LIBRARY_PACKAGES + (_TOOL_AND_TEST_PACKAGES if everything else [])),
        )
    if "debian_onnx" not in have:
        debian_packages(name = "debian_onnx", packages = ["libonnx-dev"])
    if "pybind11" not in have:
        debian_pybind11(name = "pybind11")
    if "debian_python" not in have:
        debian_packages(name = "debian_python", packages = ["libpython3-dev", "pybind11-dev"])
