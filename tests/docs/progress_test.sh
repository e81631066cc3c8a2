#!/bin/bash
# Progress is shown on a terminal, and never in a pipe or a file.
# Usage: progress_test.sh BERTH
set -u
berth=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf 'id,lower,upper,size\na,0,5,10\n' >a.csv
failures=0
fail() { printf 'FAIL: %s\n' "$*"; failures=$((failures + 1)); }

"$berth" plan a.csv a.csv >out 2>err </dev/null || fail 'plan'
[[ ! -s err ]] || fail "something on standard error: $(cat -v err)"
grep -q $'\x1b' out && fail 'an escape sequence in a file'
# script(1) gives the command a terminal, where the system has any to give: a bare
# chroot has no /dev/pts.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
  script -qec "$berth plan a.csv a.csv" /dev/null >terminal </dev/null ||
    fail 'script'
  grep -q 'planning a.csv (1/2)' terminal || fail 'no progress on a terminal'
  grep -q $'\x1b\[K' terminal || fail 'the progress line is not taken away'
  grep -q 'lower bound' terminal || fail 'no table on a terminal'
else
  printf 'SKIPPED: no pseudo-terminal here; looked at pipes and files only\n'
fi
[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
