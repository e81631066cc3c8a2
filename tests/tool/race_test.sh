#!/bin/bash
# `berth race` with planners of every kind, most of them bad ones.
# Usage: race_test.sh BERTH
set -u
. tests/testing/run_berth.sh || exit 1

# row PLANNER WORDS: the line of that planner has these words, in this order.
row() { grep -E -- "(^| )$1 .*$2" out >/dev/null || fail "no '$1 ... $2'"; }

mkdir -p in/sub
cat >in/a.csv <<'CSV'
id,lower,upper,size
a,0,3,4
b,3,9,4
c,0,9,4
d,9,21,4
e,0,21,4
CSV
# F16: decreasing size gives 8, the bound is 6.
printf 'id,lower,upper,size\na,0,3,2\nb,2,5,2\nc,0,2,3\nd,3,5,3\ne,1,4,1\n' >in/sub/f16.csv

# One above the other, whatever the times.
cat >stack.sh <<'SH'
awk -F, 'NR == 1 { print "id,offset"; next } { print $1 "," at + 0; at += $4 }' "$1" >"$2"
SH
cat >zero.sh <<'SH'
awk -F, 'NR == 1 { print "id,offset"; next } { print $1 ",0" }' "$1" >"$2"
SH
cat >half.sh <<'SH'
awk -F, 'NR == 1 { print "id,offset"; next } NR < 4 { print $1 "," NR * 100 }' "$1" >"$2"
SH

# --- every outcome is a row, and the race goes on ---
expect 0 race in --time-limit 2 \
  --with stack='sh stack.sh {in} {out}' \
  --with zero='sh zero.sh {in} {out}' \
  --with half='sh half.sh {in} {out}' \
  --with noise='head -c 100 /dev/urandom > {out}; : {in}' \
  --with silent='true {in} {out}' \
  --with refuses='echo too much >&2; exit 1 {in} {out}' \
  --with crash='kill -SEGV $$ {in} {out}' \
  --with slow='sleep 30; : {in} {out}' \
  --planner=briggs --planner=tight
row briggs 'valid +12 +12 +1.0000 +yes'
row tight 'valid +6 +6 +1.0000 +yes'
row stack 'valid +12 +20 +1.6667 +no'
row stack 'valid +6 +11 +1.8333 +no'
row zero 'invalid'
row half "missing ids .*has no offset; 3 of 5"
row noise 'garbage'
row silent 'no output'
row refuses 'failed .*too much'
row crash 'crashed .*signal 11'
row slow 'timed out .*not done after 2 s'
[[ $(grep -c ' slow ' out) -eq 2 ]] || fail 'a run of slow is missing'
# The summary.
row stack '2/2 +0 +1.7480'
row tight '2/2 +2 +1.0000'
row slow '0/2 +0 +-'

# --- JSON: one object a run ---
expect 0 race in/a.csv --json --planner greedy --with bad='false {in} {out}'
[[ $(wc -l <out) -eq 2 ]] || fail 'two runs are two lines'
grep -qF '"planner":"greedy","outcome":"valid","message":null,"locations":5,"lower_bound":12,"peak":12,"ratio":1.0,"proved_optimal":true' out ||
  fail 'greedy as JSON'
grep -qF '"planner":"bad","outcome":"failed","message":"exit code 1","locations":5,"lower_bound":12,"peak":null' out ||
  fail 'bad as JSON'

# {capacity} and {lower_bound} are told; cmd: names an external planner.
expect 0 race in/a.csv --capacity 1KiB \
  --planner 'cmd:test {capacity} = 1024 && test {lower_bound} = 12 && sh stack.sh {in} {out}'
row 'cmd:test' 'valid +12 +20'
# What does not fit is a row too, whoever says it.
expect 0 race in/a.csv --capacity 11 --planner=tight --planner=briggs
row tight 'failed .*cannot fit'
row briggs 'failed .*does not fit'
# An answer above the capacity is invalid.
expect 0 race in/a.csv --capacity 13 --with stack='sh stack.sh {in} {out}'
row stack 'invalid'

# --- programs: ours place them, others cannot ---
expect 0 race "$corpus/worked_example.textproto" --planner=briggs \
  --with stack='sh stack.sh {in} {out}'
row briggs 'valid +20480 +36864 +1.0000'
row stack 'not a CSV'

# --- a bad input is a row and exit 2; bad usage is exit 2 ---
printf 'id,lower\n1,2\n' >bad.csv
expect 2 race bad.csv in/a.csv --planner=briggs
row briggs 'unreadable'
row briggs 'valid'
expect 2 race nowhere --planner=briggs
complains 'no such file'
mkdir empty
expect 2 race empty
complains 'no .csv'
expect 2 race in/a.csv --with stack='sh stack.sh {in}'
complains '{out}'
expect 2 race in/a.csv --with 'no equals sign'
expect 2 race in/a.csv --planner=best
complains "'best' is no planner"
expect 2 race in/a.csv --with a='true {in} {out}' --with a='true {in} {out}'
complains "two planners are called 'a'"
expect 2 race in/a.csv --time-limit=-1
expect 2 race

# --- an interrupt ends the race, what it started, and leaves no folder ---
mkdir temporary
TMPDIR=$PWD/temporary "$berth" race in/a.csv --time-limit 600 \
  --with hangs=": {in} {out}; echo \$\$ > pid; mv pid started; exec sleep 600" \
  >out 2>err </dev/null &
race=$!
for ((i = 0; i < 600; ++i)); do
  [[ -e started ]] && break
  sleep 0.1
done
[[ -n $(ls temporary) ]] || fail 'no temporary folder while it races'
kill -TERM "$race"
wait "$race"
code=$?
[[ $code -eq 143 ]] || fail "an interrupted race exits with $code, not 143"
kill -0 "$(cat started)" 2>/dev/null && fail 'what it started goes on'
[[ -z $(ls temporary) ]] || fail 'its folder stays'

[[ $failures -eq 0 ]] && echo PASSED
exit "$((failures != 0))"
