#!/bin/bash
# Runs PROGRAM and compares its output. Usage: compare.sh PROGRAM EXPECTED
set -euo pipefail
"$1" | diff "$2" -
