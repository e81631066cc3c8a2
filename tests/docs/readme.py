#!/usr/bin/python3
"""Runs what README.md shows and holds its output to what it says.

Usage: readme.py README BERTH

A block whose lines begin with "$ " is run in a new folder, line by line, with
`berth` on the path and the source tree's corpus/ and tests/ beside it, and /tmp a
folder of its own; what stands below a command is its standard output. "..." stands for the rest of an output; times
are not compared. A block below "`NAME`:..." is the content of that file.
Blocks that need what is not here (NEEDS) are left out, by their first command.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

NEEDS = ("tools/", "bazel ", "git ")


def blocks(text):
    """(the line above, the lines) of each fenced block without a language."""
    above, inside, lines = "", False, []
    for line in text.splitlines():
        if line.startswith("```"):
            if inside and lines is not None:
                yield above, lines
            inside = not inside
            lines = [] if line == "```" else None
        elif inside and lines is not None:
            lines.append(line)
        elif line and not inside:
            above = line


def commands(lines):
    """(command, expected output lines) of a block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def normal(line):
    """Without the seconds that `berth plan` prints."""
    return re.sub(r"\b\d+\.\d{3}  (yes|no)\b", r"TIME  \1", line)


def differs(expected, actual):
    if not expected:
        return False
    if expected[-1] == "...":
        expected = expected[:-1]
        actual = actual[:len(expected)]
    return [normal(line) for line in expected] != [normal(line) for line in actual]


def main():
    readme, berth = sys.argv[1], os.path.realpath(sys.argv[2])
    folder = tempfile.mkdtemp()
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(berth, os.path.join(folder, "bin", "berth"))
    for name in ("corpus", "tests"):
        os.symlink(os.path.realpath(name), os.path.join(folder, name))
    environment = dict(os.environ, PATH=os.path.join(folder, "bin") + ":" + os.environ["PATH"])
    ran, failed = 0, 0
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    for above, lines in blocks(text):
        name = re.match(r"`([^`/ ]+)`:", above)
        found = commands(lines)
        if name and not found:
            with open(os.path.join(folder, name.group(1)), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        if not found or found[0][0].startswith(NEEDS):
            continue
        for command, expected in found:
            done = subprocess.run(
                ["bash", "-c", command.replace("/tmp", folder)], cwd=folder, env=environment, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                check=False)
            ran += 1
            if done.returncode != 0 or differs(expected, done.stdout.splitlines()):
                failed += 1
                print("README: $ %s\nexit code %d\nshown:\n%s\nprinted:\n%s\n%s" % (
                    command, done.returncode, "\n".join(expected), done.stdout, done.stderr))
    shutil.rmtree(folder)
    print("%d commands of README run, %d failed" % (ran, failed))
    sys.exit(0 if ran >= 5 and failed == 0 else 1)


main()
