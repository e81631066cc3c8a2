#!/usr/bin/python3
"""Prints the man page of `berth`, made from what `berth --help` says.

Usage: man_page.py BERTH > berth.1
"""

import re
import subprocess
import sys


def help_of(berth, path):
    done = subprocess.run(
        [berth, *path, "--help"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def parse(text):
    """(summary, usage, [(heading, [(item, description)])], footer lines)."""
    summary, usage, sections, footer = [], "", [], []
    for line in text.splitlines():
        if line.startswith("Usage: "):
            usage = line[len("Usage: "):]
        elif footer or line == "Exit codes:":
            footer.append(line)
        elif re.match(r"\S.*:$", line) and usage:
            sections.append((line[:-1], []))
        elif line.startswith("   ") and sections and sections[-1][1]:
            name, described = sections[-1][1][-1]
            sections[-1][1][-1] = (name, (described + " " + line.strip()).strip())
        elif line.startswith("  ") and sections:
            parts = re.split(r"\s{2,}", line.strip(), maxsplit=1)
            sections[-1][1].append((parts[0], parts[1] if len(parts) > 1 else ""))
        elif line and not usage:
            summary.append(line)
    return " ".join(summary), usage, sections, footer


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def items(entries):
    lines = []
    for item, description in entries:
        lines += [".TP", "\\fB%s\\fR" % roff(item), roff(description)]
    return lines


def command(berth, path):
    """The section of one command, and of those below it."""
    summary, usage, sections, _ = parse(help_of(berth, path))
    lines = [".SS %s" % roff("berth " + " ".join(path)), roff(summary) + ".", ".PP",
             "\\fB%s\\fR" % roff(usage)]
    below = []
    for heading, entries in sections:
        if heading == "Subcommands":
            below = [name for name, _ in entries]
            continue
        if heading not in ("Options", "Positionals"):
            lines += [".PP", "\\fI%s\\fR" % roff(heading)]
        lines += items(e for e in entries if not e[0].startswith("-h,"))
    for name in below:
        lines += command(berth, path + [name])
    return lines


def main():
    berth = sys.argv[1]
    summary, usage, sections, footer = parse(help_of(berth, []))
    named = dict(sections)
    page = [
        '.TH BERTH 1 "" "Berth" "User Commands"',
        ".SH NAME", "berth \\- " + roff(summary[0].lower() + summary[1:].rstrip(".")),
        ".SH SYNOPSIS", "\\fB%s\\fR" % roff(usage),
        ".SH DESCRIPTION",
        roff("Berth reads compiled programs or CSV problems, gives every tensor an "
             "address so that tensors that are live at the same time share no bytes, "
             "validates the result and says how close it comes to the lower bound."),
        ".SH OPTIONS"]
    page += items(named["Options"])
    page.append(".SH COMMANDS")
    for name, _ in named["Subcommands"]:
        page += command(berth, [name])
    page.append(".SH EXIT STATUS")
    codes, rest = [], []
    for line in footer[1:]:
        code = re.match(r"  (\d)  (.*)", line)
        if code:
            codes.append([code.group(1), code.group(2)])
        elif line.startswith("  "):
            codes[-1][1] += " " + line.strip()
        elif line:
            rest.append(line)
    page += items(tuple(code) for code in codes)
    page += [".SH NOTES"] + [roff(line) for line in rest]
    page += [".SH SEE ALSO", roff("README.md and DESIGN.md of the source tree.")]
    print("\n".join(page))


main()
