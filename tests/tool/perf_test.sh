#!/bin/bash
# Runs `berth perf` as its users do: a history from figures that are made here,
# from a real bench and from placements; the exit codes of compare.
# Usage: perf_test.sh BERTH BENCH
set -u
bench=$(realpath "$2")
. tests/testing/run_berth.sh || exit 1
subcommand=(perf)

# figures FILE FACTOR VISITS: ten repetitions of two benchmarks; FACTOR slows
# the first one.
figures() {
  awk -v factor="$2" -v visits="$3" 'BEGIN {
    printf "{\"context\": {\"date\": \"2026-11-30T08:00:00+00:00\", "
    printf "\"host_name\": \"h\", \"num_cpus\": 2, \"mhz_per_cpu\": 1000, "
    printf "\"build_type\": \"release\"}, \"benchmarks\": ["
    for (i = 0; i < 20; ++i) {
      name = i % 2 ? "Steady" : "Slow"
      time = (100 + i % 7) * (i % 2 ? 1 : factor)
      printf "%s{\"name\": \"%s\", \"run_type\": \"iteration\", ", i ? "," : "", name
      printf "\"real_time\": %f, \"cpu_time\": %f, \"time_unit\": \"ns\", ", time, time
      printf "\"visits\": %d}", visits
    }
    printf "]}" }' >"$1"
}
figures same.json 1 7
figures slow.json 1.2 7
figures visits.json 1 8

# --- record and compare ---
expect 2 compare
complains "'berth perf record' makes one"
expect 2 record
complains 'needs --json FILE, --bench COMMAND or --plan INPUT'
(cd / && "$berth" perf record --json "$work/same.json" --db "$work/h.db") \
  >out 2>err && fail 'recorded without a commit'
complains '--commit'
expect 0 record --json same.json --commit aaaa --db h.db
says 'run 1: commit aaaa, 6 series'
expect 2 compare --db h.db
complains 'same machine, compiler and flags'
expect 0 record --json same.json --commit bbbb --db h.db
expect 0 compare --db h.db
says '2 benchmarks in both, 0 findings'
expect 0 record --json slow.json --commit cccc --db h.db
expect 1 compare --db h.db
says 'Slow       cpu_time'
says 'worse *'
says '1 of them regressions'
grep -q '^Steady' out && fail 'a steady benchmark is a finding'
expect 0 compare --db h.db --warn-times
expect 1 compare aaaa cccc --db h.db --json
says '"regression":true'
expect 0 compare cccc aaaa --db h.db
says 'better'
expect 0 compare --db h.db --min-effect 0.5
expect 0 record --json visits.json --commit dddd --db h.db
expect 1 compare bbbb latest --db h.db
says 'visits'
expect 1 compare bbbb latest --db h.db --warn-times
expect 2 compare nobody --db h.db
complains "no run is 'nobody'"
expect 2 compare 1 1 --db h.db
expect 2 compare --db h.db --alpha 7

# Debug builds, and files that are no figures, are refused.
sed 's/"release"/"debug"/' same.json >debug.json
expect 2 record --json debug.json --commit x --db h.db
complains 'debug build'
expect 2 record --json h.db --commit x --db h.db
complains 'no JSON of Google Benchmark'
expect 2 record --json nowhere.json --commit x --db h.db
complains 'nowhere.json'

# A file that is no history is refused and stays.
cp same.json text.db
expect 2 record --json same.json --commit x --db text.db
complains 'use another --db'
cmp -s same.json text.db || fail 'the foreign file was changed'
expect 2 report --db text.db -o r.html

# --- a real bench and placements, with another build in turns ---
small="$bench --families=short --sizes=64 --benchmark_min_time=0.0001"
small="$small --benchmark_filter=QueryAll"
expect 0 record --db real.db --commit new --repetitions 2 --best-of 2 \
  --bench "$small" --base-bench "$small" --base-commit old \
  --plan "$corpus/f16.csv" --base-program "$berth"
says 'run 1: commit old'
says 'run 2: commit new'
expect 0 compare --db real.db --all --warn-times
says 'base: run 1 of old'
says 'placement_hash'
says 'lower_bound'
says 'visits/query'
complains 'too few repetitions'
# Until 5 % would be found, but not longer than said.
expect 0 record --db few.db --commit new --at-most 3 --best-of 1 \
  --bench "$small" --base-bench "$small" --base-commit old
expect 0 compare --db few.db --warn-times
complains 'too few repetitions, for their noise, to show a change of 5 %'
expect 0 record --db late.db --commit new --find 0.000001 --time-limit 1e-9 \
  --best-of 1 --bench "$small" --base-bench "$small" --base-commit old
expect 0 export --db late.db --format github
says '10 repetitions'
expect 2 record --db few.db --commit new --find 0 \
  --bench "$small" --base-bench "$small" --base-commit old
complains '--find is a share above 0'
expect 2 record --db real.db --commit x --bench false
complains "failed (exit code 1)"
expect 2 record --db real.db --commit x --bench "$small" --base-commit y \
  --base-program "$berth"
complains 'give one --base-bench for each --bench'
expect 2 record --db real.db --commit x --bench "$small" --base-bench "$small"
complains '--base-commit'
expect 0 compare --db real.db --warn-times
says 'base: run 1 of old'

# --- report and export ---
expect 0 report --db h.db -o r.html
grep -q '</html>' r.html || fail 'no page'
for format in github bencher lnt lnt-berth lnt-schema; do
  expect 0 export --db h.db --format "$format"
  [[ $format == lnt-schema ]] || says 'Slow'
done
expect 0 export cccc --db h.db --format github -o g.json
grep -q '"unit": "ns"' g.json || fail 'no unit'
expect 2 export --db h.db --format xml
complains 'there are github, bencher, lnt'

[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
