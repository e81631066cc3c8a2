"""Text files as constants of a program."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def embed_texts(name, namespace, texts, **kwargs):
    """A cc_library whose header NAME.h declares each text as `extern const char SYMBOL[]`.

    Args:
      name: of the library, and of its header.
      namespace: in which the constants are.
      texts: {symbol: label of the file}. A file must not contain `)berth_text"`.
      **kwargs: for the cc_library.
    """
    header = ["#pragma once", "namespace %s {" % namespace]
    header += ["extern const char %s[];" % symbol for symbol in texts]
    header.append("}  // namespace %s" % namespace)
    commands = ["printf '%%s\\n' '%s' >> $(location %s.h)" % (line, name) for line in header]
    source = "$(location %s.cc)" % name
    commands.append("printf '#include \"%s/%s.h\"\\nnamespace %s {\\n' > %s" % (native.package_name(), name, namespace, source))
    for symbol, label in texts.items():
        commands.append("{ printf 'const char %s[] = R\"berth_text('; cat $(location %s); printf ')berth_text\";\\n'; } >> %s" % (symbol, label, source))
    commands.append("printf '}  // namespace %s\\n' >> %s" % (namespace, source))
    native.genrule(
        name = name + "_texts",
        srcs = texts.values(),
        outs = [name + ".h", name + ".cc"],
        cmd = " && ".join(commands),
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = [name + ".h"],
        **kwargs
    )
