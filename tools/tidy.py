#!/usr/bin/python3
"""Runs clang-tidy over the C++ files of folders: one translation unit a folder.

Usage: tidy.py FOLDER...

Most of the time of clang-tidy goes into headers of the system, which a unit of
all files of a folder reads once. Where names of two files clash in such a unit,
the folder's files are looked at one by one. Needs compile_commands.json
(tools/compile_commands.py) and generated headers (a build).
"""

import json
import os
import subprocess
import sys

OUT = ".cache/tidy"
HEADERS = r"(allocator|bench|examples|fuzz|python|tools)/[a-z0-9_/]*\.(h|cc)$"


def flags_of(entry):
    """The compile flags without what names the input and the output."""
    flags, words = [], iter(entry["arguments"][1:])
    for word in words:
        if word in ("-c", "-o", "-MF"):
            next(words)
        elif word.startswith("external/"):  # beside bazel-out, not here
            flags.append("bazel-out/../" + word)
        elif word != "-MD":
            flags.append(word)
    return flags


def tidy(name, files, entry):
    """Exit code and output of clang-tidy over one unit of `files`."""
    unit = os.path.abspath(os.path.join(OUT, name + ".cc"))
    with open(unit, "w", encoding="utf-8") as text:
        text.writelines('#include "%s"\n' % file for file in files)
    command = ["clang-tidy", "--quiet", "--config-file=.clang-tidy",
               "--checks=-bugprone-suspicious-include",
               "--warnings-as-errors=*", "--header-filter=" + HEADERS,
               unit, "--"] + flags_of(entry)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


def main():
    with open("compile_commands.json", encoding="utf-8") as file:
        entries = {entry["file"]: entry for entry in json.load(file)}
    os.makedirs(OUT, exist_ok=True)
    failed = False
    for folder in sys.argv[1:]:
        files = subprocess.check_output(
            ["git", "ls-files", folder + "/*.cc"], text=True).split()
        files = [file for file in files
                 if os.path.dirname(file) == folder and file in entries]
        if not files:
            continue
        name = folder.replace("/", "_")
        code, output = tidy(name, files, entries[files[0]])
        if "clang-diagnostic-error" in output:
            results = [tidy(name, [file], entries[file]) for file in files]
            code = max(result[0] for result in results)
            output = "".join(result[1] for result in results if result[0])
        print("tidy: %s, %d files: %s" % (folder, len(files), "clean" if code == 0 else "not clean"),
              flush=True)
        if code:
            failed = True
            print(output, flush=True)
    sys.exit(1 if failed else 0)


main()
