#!/bin/bash
# Makes pages with `berth show` and looks at them in Chromium, if there is one.
# Usage: page_test.sh BERTH PAGE_TEST.PY
set -euo pipefail
if ! command -v chromium >/dev/null; then
  printf 'SKIPPED: no chromium; tools/setup --browser installs it\n'
  exit 0
fi
berth=$(realpath "$1")
script=$(realpath "$2")
corpus=$(realpath corpus/programs)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$berth" show "$corpus/worked_example.textproto" -o worked.html
"$berth" gen transformer --size 300 -o step.textproto
"$berth" show step.textproto -o step.html
"$berth" show step.textproto --beside greedy -o beside.html
"$berth" gen random --size 100000 --live 100 -o large.csv
"$berth" show large.csv -o large.html
"$berth" gen transformer --size 120 --cores 2 -o cores.textproto
"$berth" show cores.textproto --shared-mb-per-core 1024 -o cores.html
printf 'id,lower,upper,size\n' >empty.csv
"$berth" show empty.csv -o empty.html
printf 'id,lower,upper,size,offset\n' >edges.csv
printf 'early,-9000000000000000000,-8999999999999999990,0,5\n' >>edges.csv
printf 'late,8999999999999999990,9000000000000000000,1,9\n' >>edges.csv
printf 'high,-5,5,9007199254740993,9000000000000000000\n' >>edges.csv
"$berth" show edges.csv -o edges.html
/usr/bin/python3 "$script" "$work"
