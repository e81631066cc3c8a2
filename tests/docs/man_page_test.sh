#!/bin/bash
# The man page has every command and every option of the program's own help, and
# is well-formed. Usage: man_page_test.sh BERTH MAN_PAGE
set -u
berth=$1 page=$2
failures=0
fail() { printf 'FAIL: %s\n' "$*"; failures=$((failures + 1)); }

plain=$(sed 's/\\-/-/g' "$page")
has() { grep -qF -- "$1" <<<"$plain" || fail "the man page lacks '$1'"; }

# commands PATH...: those below it, by its help.
commands() {
  "$berth" "$@" --help | awk '/^Subcommands:/ { inside = 1; next }
                              /^[^ ]/ { inside = 0 } inside && NF { print $1 }'
}
checked=0
check() {
  has ".SS berth $*"
  local option
  for option in $("$berth" "$@" --help | grep -oE '^  -\S+' | tr ',' '\n' |
                  grep -oE -- '--[a-z-]+' | grep -vx -- --help); do
    has "$option"
    checked=$((checked + 1))
  done
  local below
  for below in $(commands "$@"); do check "$@" "$below"; done
}
for command in $(commands); do check "$command"; done
[[ $checked -gt 40 ]] || fail "only $checked options were looked at"
has '.SH EXIT STATUS'
has 'an invariant is broken'
if command -v groff >/dev/null; then
  warnings=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
  [[ -z $warnings ]] || fail "groff: $warnings"
fi
[[ $failures -eq 0 ]] && printf '%s options are in the man page\n' "$checked"
exit $((failures > 0))
