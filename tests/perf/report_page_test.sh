#!/bin/bash
# Draws a history with `berth perf report` and looks at it in Chromium, if there
# is one. Usage: report_page_test.sh BERTH REPORT_PAGE.PY BROWSER.PY
set -euo pipefail
if ! command -v chromium >/dev/null; then
  printf 'SKIPPED: no chromium; tools/setup --browser installs it\n'
  exit 0
fi
berth=$(realpath "$1")
script=$(realpath "$2")
browser=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Twelve runs of thirty benchmarks; the ninth makes one of them slow.
for run in $(seq 1 12); do
  awk -v run="$run" 'BEGIN {
    printf "{\"context\": {\"host_name\": \"h\", \"num_cpus\": 2, "
    printf "\"mhz_per_cpu\": 1000, \"build_type\": \"release\"}, \"benchmarks\": ["
    for (i = 0; i < 300; ++i) {
      b = i % 30
      time = (b + 1) * 1000 * (1 + (i * 7919 + run * 104729) % 97 / 2000)
      if (b == 7 && run >= 9) time *= 1.4
      printf "%s{\"name\": \"Plan/<family>/%d\", ", i ? "," : "", b
      printf "\"run_type\": \"iteration\", \"real_time\": %f, ", time
      printf "\"cpu_time\": %f, \"time_unit\": \"ns\", \"visits\": %d}", time, b * 10
    }
    printf "]}" }' >figures.json
  "$berth" perf record --json figures.json --commit "c0ffee$run" --db h.db >/dev/null
done
"$berth" perf report --db h.db -o report.html
PYTHONPATH=$(dirname "$browser") /usr/bin/python3 "$script" report.html
