"""Debian's pybind11 with the headers of Debian's Python, whose folder is named after its version."""

_ASK = "import sysconfig; print(sysconfig.get_paths()['include'])"

def _debian_pybind11_impl(ctx):
    res = ctx.execute(["/usr/bin/python3", "-c", _ASK])
    headers = ctx.path(res.stdout.strip() or "/nowhere")
    if res.return_code != 0 or not headers.get_child("Python.h").exists:
        fail("no headers of /usr/bin/python3; apt-get install --no-install-recommends libpython3-dev\n%s" % res.stderr)
    ctx.symlink(headers, "include")

    # The interpreter that loads the module brings Python's symbols.
    ctx.file("BUILD", """cc_library(
    name = "pybind11",
    hdrs = glob(["include/**/*.h"]),
    includes = ["include"],
    visibility = ["//visibility:public"],
    deps = ["@debian_python//:versions"],
)
""")

debian_pybind11 = repository_rule(implementation = _debian_pybind11_impl, local = True)
