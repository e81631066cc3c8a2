#!/bin/bash
# A trace of a real program, made here by ltrace, and a stored one, from log to
# placement. Usage: malloc_trace_test.sh BERTH TRACE
set -u
berth=$(realpath "$1")
stored=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
  printf 'FAIL: %s\n' "$*"
  cat err 2>/dev/null
  failures=$((failures + 1))
}

# placed LOG: as a CSV and as a program; at least 30 allocations.
placed() {
  "$berth" convert "$1" trace.csv 2>err || fail "convert $1"
  [[ $(grep -c '^a[0-9]' trace.csv) -ge 30 ]] || fail "$1: few allocations"
  "$berth" plan trace.csv -o placed.csv >/dev/null 2>err || fail "plan $1"
  "$berth" check placed.csv --full >/dev/null 2>err || fail "check $1"
  "$berth" convert "$1" trace.textproto 2>err || fail "convert $1 to a program"
  "$berth" plan trace.textproto >/dev/null 2>err || fail "plan program of $1"
}

placed "$stored"
if ltrace -o made.ltrace sh -c 'for i in 1 2 3; do a="$a $i"; set -- $a; done' \
  >/dev/null 2>&1 && grep -q malloc made.ltrace; then
  placed made.ltrace
else
  printf 'SKIPPED: ltrace is not there or may not trace; stored trace only\n'
fi

[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
