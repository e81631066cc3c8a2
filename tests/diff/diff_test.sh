#!/bin/bash
# berth diff and berth shrink as their users run them, and external planners:
# a right one, and one for each way of being wrong.
# Usage: diff_test.sh BERTH
set -u
peer=$(realpath tests/diff/peer_first_fit.py)
. tests/testing/run_berth.sh || exit 1

rows() { [[ $(grep -c . "$1") -eq $2 ]] || fail "$1: not $2 lines: $(cat "$1")"; }

# --- our own planners and oracles agree ---
expect 0 diff --programs 120 --seed 7
says '120 inputs, no difference between reference and briggs'
expect 0 diff "$corpus"/f16.csv "$corpus"/worked_example.textproto
expect 0 diff --programs 40 --a emission-tree --b window-lists
expect 0 diff --programs 40 --a red-black --b matrix
expect 0 diff --programs 40 --b greedy --features
expect 0 diff --programs 30 --link-mode=post --size-rounding=none

# --- a difference that is one: first fit by size is not the contract's order ---
expect 1 diff --programs 500 --b greedy --compare addresses -o d.textproto
says 'shrunk from'
[[ -s d.textproto || -s d.csv ]] || fail 'nothing written'
expect 1 diff "$corpus"/f16.csv --b greedy --compare peak -o peak.csv

# --- external planners ---
right="cmd:$peer {in} {out} {capacity}"
expect 0 diff --programs 12 --tries 150 --a briggs --b "$right"
expect 0 diff --programs 6 --a briggs --b "$right inclusive-end"
expect 3 diff --programs 12 --tries 150 --a briggs --b "$right exclusive-start" -o w.csv
says 'invalid'
rows w.csv 3
expect 1 diff --programs 12 --tries 150 --a briggs --b "$right forgets-last" -o f.csv
says 'missing ids'
rows f.csv 2
expect 1 diff --programs 12 --tries 150 --a briggs --b "$right crash" -o c.csv
says 'crashed: ended by signal 11'
rows c.csv 3
expect 1 diff --programs 12 --tries 150 --a briggs --b "$right garbage" -o g.csv
says 'garbage'
expect 1 diff --programs 2 --a briggs --b "$right slow" --time-limit 0.3 \
  --tries 3 -o s.csv
says 'timed out'
expect 2 diff "$corpus"/worked_example.textproto --b "$right"
complains 'berth convert'
# A capacity that is too small is no fault of anybody.
printf 'id,lower,upper,size\na,0,5,10\nb,4,9,10\n' >two.csv
expect 0 diff two.csv --a briggs --b "$right" --capacity 19
expect 0 diff two.csv --a briggs --b "$right" --capacity 20

# --- usage ---
expect 2 diff
expect 2 diff two.csv --b nonsense
complains 'window-lists'
expect 2 diff two.csv --b 'cmd:true'
expect 2 diff two.csv --a briggs --b matrix
expect 2 diff two.csv --compare luck
for command in diff shrink; do
  expect 0 "$command" --help
  says 'Exit codes:'
done

# --- shrink ---
expect 0 gen random --size 60 --live 8 -o r.csv
# Three buffers that cannot all lie within the first 5 MB.
expect 0 shrink r.csv --while "! '$berth' plan {} --no-validate --capacity 5000000" --tries 250 -o small.csv
says 'tries'
expect 1 plan small.csv --capacity 5000000
[[ $(grep -c . small.csv) -lt 12 ]] || fail "small.csv: $(cat small.csv)"
expect 0 gen loops --size 40 -o l.textproto
expect 0 shrink l.textproto --while "grep -q '\"entry\"' {}" --tries 300 -o e.textproto
expect 0 plan e.textproto
expect 2 shrink r.csv --while 'false {}' -o x.csv
complains 'does not exit 0'
expect 2 shrink r.csv --while true -o x.csv
complains '{}'

# --- a fuzzer's input can be read ---
printf '\1\2\3\4\5\6\7\10abcdefghijklmnop' >crash
expect 0 convert --fuzz-problem crash crash.csv
complains 'page'
rows crash.csv 3
expect 0 convert --fuzz-problem crash crash.textproto
expect 0 convert --fuzz-problem --byte-map crash crash.csv
complains 'has page 8,'

[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
