#!/usr/bin/python3
"""A planner that is nobody's: first fit by decreasing size, or one of its faults.

Usage: peer_first_fit.py IN OUT CAPACITY [FAULT]
FAULT: inclusive-end (right, wasteful), exclusive-start (loses the first time of
each lifetime), forgets-last, slow, crash, garbage.
"""
import csv
import os
import signal
import sys
import time

source, target, capacity = sys.argv[1], sys.argv[2], int(sys.argv[3])
fault = sys.argv[4] if len(sys.argv) > 4 else ""
with open(source) as f:
    rows = list(csv.DictReader(f))
if fault == "slow":
    time.sleep(60)
if fault == "crash" and len(rows) >= 2:
    os.kill(os.getpid(), signal.SIGSEGV)
live = {}
for r in rows:
    lower, upper = int(r["lower"]), int(r["upper"])
    lower += fault == "exclusive-start"
    upper += fault == "inclusive-end"
    live[r["id"]] = (lower, upper)
placed = []
for r in sorted(rows, key=lambda r: -int(r["size"])):
    size, (lower, upper) = int(r["size"]), live[r["id"]]
    taken = sorted((o, o + s) for o, s, (a, b) in placed if a < upper and lower < b)
    at = 0
    for begin, end in taken:
        if begin - at >= size:
            break
        at = max(at, end)
    if at + size > capacity:
        sys.exit("does not fit")
    r["offset"] = at
    placed.append((at, size, (lower, upper)))
with open(target, "w") as f:
    if fault == "garbage":
        f.write("no placement today\n")
        sys.exit(0)
    out = csv.writer(f)
    out.writerow(["id", "lower", "upper", "size", "offset"])
    kept = rows[:-1] if fault == "forgets-last" else rows
    for r in kept:
        out.writerow([r["id"], r["lower"], r["upper"], r["size"], r["offset"]])
