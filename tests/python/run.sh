#!/bin/bash
# Runs a test of the Python module under Debian's Python, which it is made for.
# Usage: run.sh BERTH.SO TEST.PY
set -euo pipefail
PYTHONPATH=$(dirname "$(realpath "$1")") exec /usr/bin/python3 "$2"
