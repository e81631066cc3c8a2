#!/bin/bash
# tools/bench-report from made-up runs whose report is known.
set -euo pipefail
report=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
has() { grep -qF -- "$1" "$dir/REPORT.md" || fail "no '$1' in the report"; }
has_not() { ! grep -qF -- "$1" "$dir/REPORT.md" || fail "'$1' in the report"; }

# entry NAME FAMILY_INDEX CPU_TIME UNIT
entry() {
  printf '{"name":"%s","run_name":"%s","run_type":"iteration","repetitions":3,
    "family_index":%s,"per_family_instance_index":0,"cpu_time":%s,
    "time_unit":"%s"}' "$1" "$1" "$2" "$3" "$4"
}
{
  printf '{"context":{"num_cpus":2,"compiler":"12.2.0","seed":"1",
    "load_avg":[0.5]},"benchmarks":['
  # Medians of WindowLists: 100 at V=100, 200 at V=10000. Of LinearScan, which
  # is registered second though it ended first: 50, then 5 us.
  entry QueryAll/liv/LinearScan/100 1 50 ns; printf ','
  entry QueryAll/liv/LinearScan/10000 1 5 us; printf ','
  entry QueryAll/liv/WindowLists/100 0 90 ns; printf ','
  entry QueryAll/liv/WindowLists/100 0 100 ns; printf ','
  entry QueryAll/liv/WindowLists/100 0 900 ns; printf ','
  entry QueryAll/liv/WindowLists/10000 0 200 ns; printf ','
  # Within 5 %: no loss.
  entry Count/liv/WindowLists/100 2 104 ns; printf ','
  entry Count/liv/LinearScan/100 3 100 ns; printf ','
  printf '{"name":"m","run_name":"QueryAll/liv/Matrix/100000",
    "run_type":"iteration","family_index":4,"error_occurred":true,
    "error_message":"skipped: too large","cpu_time":0,"time_unit":"ns"}'
  printf ']}'
} > "$dir/run.json"
"$report" --json "$dir/run.json" --out "$dir" > /dev/null 2> "$dir/err" ||
  fail "exit code: $(cat "$dir/err")"
has 'QueryAll, liv, 100: 2.00x of LinearScan'
has_not 'QueryAll, liv, 10,000:'
has_not 'Count, liv, 100:'
has '| input | WindowLists | LinearScan | Matrix |'
has '| liv, 100 | 100 ns | **50 ns** |'
has '| liv, 10,000 | **200 ns** | 5 us |'
has '(1) skipped: too large'
# log-log between (100, 1/2) and (10000, 25): 100 * 100^(ln 2 / ln 50).
has '| QueryAll | liv | WindowLists | LinearScan | V = 226 |'
has 'median of 3'

printf '{"no":1}' > "$dir/bad.json"
if "$report" --json "$dir/bad.json" --out "$dir" 2> "$dir/err"; then
  fail 'a file that is no bench result was taken'
fi
grep -qF 'bad.json: not a Google Benchmark JSON' "$dir/err" || fail 'no reason'
printf 'passed\n'
