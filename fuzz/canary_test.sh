#!/bin/bash
# The canary target must fail, and say why; an oracle that cannot fail would
# pass here. Usage: canary_test.sh CANARY_FUZZER
set -u
out=$("$1" -runs=100000 -seed=1 2>&1)
code=$?
if [[ $code -eq 0 ]]; then
  printf 'FAIL: the canary target found nothing\n'
  exit 1
fi
if ! grep -q 'the canary sings' <<<"$out"; then
  printf 'FAIL: it failed otherwise (exit %s):\n%s\n' "$code" "$out"
  exit 1
fi
printf 'the canary sings, as it must\n'
