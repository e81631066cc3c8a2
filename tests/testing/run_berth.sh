# Sourced by tests that run `berth` as its users do, before they change folder;
# their first argument is the program. Leaves them in a new folder, with
#   berth, corpus, work   the program, corpus/programs, that folder
#   expect, says, ...     below
#   failures              how many there were: the last line asks for none
# A test of one command names it in `subcommand`.
berth=$(realpath "$1")
corpus=$(realpath corpus/programs)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
subcommand=()

fail() {
  printf 'FAIL: %s\n' "$*"
  sed 's/^/  out: /' out 2>/dev/null | head -20
  sed 's/^/  err: /' err 2>/dev/null | head -20
  failures=$((failures + 1))
}

# expect CODE ARGS...: runs berth, keeps its output in out and err.
expect() {
  local want=$1 got
  shift
  "$berth" "${subcommand[@]}" "$@" >out 2>err </dev/null
  got=$?
  [[ $got -eq $want ]] ||
    fail "exit $got, expected $want: berth ${subcommand[*]} $*"
}
says() { grep -qF -- "$1" out || fail "no '$1' on standard output"; }
complains() { grep -qF -- "$1" err || fail "no '$1' on standard error"; }
