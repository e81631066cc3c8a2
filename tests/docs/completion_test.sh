#!/bin/bash
# What bash offers after some words. Usage: completion_test.sh BERTH COMPLETION
set -u
berth=$(realpath "$1")
# shellcheck source=/dev/null
source "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
touch input.csv
failures=0

# offers 'WORDS' WANTED...: completing the last of WORDS gives exactly WANTED.
offers() {
  # The words as readline splits them: '=' is a word of its own.
  read -ra COMP_WORDS <<<"${1//=/ = }"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_WORDS[0]=$berth
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _berth
  local got wanted
  got=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
  wanted=$(printf '%s\n' "${@:2}" | sort)
  if [[ $got != "$wanted" ]]; then
    printf "FAIL: after '%s':\n%s\ninstead of\n%s\n" "$1" "$got" "$wanted"
    failures=$((failures + 1))
  fi
}
offers 'berth pl' plan
offers 'berth co' convert
offers 'berth perf ' record compare report export
offers 'berth perf re' record report
offers 'berth plan --si' --size-rounding
offers 'berth plan --planner ' reference briggs greedy tight
offers 'berth plan --planner=' reference briggs greedy tight
offers 'berth plan --planner=br' briggs
offers 'berth gen tr' transformer
offers 'berth plan in' input.csv
offers 'berth plan input.csv -o in' input.csv
offers 'berth perf compare --min' --min-effect
[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
