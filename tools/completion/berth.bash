# Completion of `berth` in bash; source it, or put it into
# /usr/share/bash-completion/completions/berth. It asks the program itself
# (--help), so that it knows what that very build knows.

# _berth_section HEADING: the first words of that section of a help text.
_berth_section() {
  awk -v heading="$1:" '
    $0 == heading { inside = 1; next }
    /^[^ ]/ { inside = 0 }
    inside && /^  [^ ]/ { print $1 }'
}

_berth() {
  local berth=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]}
  local previous=${COMP_WORDS[COMP_CWORD-1]} before=''
  # bash splits at '=': --planner=gr are three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  [[ ${COMP_WORDS[COMP_CWORD]} == '=' ]] || before=$previous

  local help commands word path=()
  help=$("$berth" --help 2>/dev/null) || return
  commands=$(_berth_section Subcommands <<<"$help")
  local i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    grep -qxF -- "$word" <<<"$commands" || continue
    path+=("$word")
    help=$("$berth" "${path[@]}" --help 2>/dev/null) || return
    commands=$(_berth_section Subcommands <<<"$help")
  done

  # The value of an option that says its choices: "--planner a|b|c".
  local choices
  choices=$(awk -v option="${before:-$previous}" '
    { n = split($1, names, ",")
      for (k = 1; k <= n; ++k)
        if (names[k] == option && $2 ~ /[|]/) { gsub("[|]", " ", $2); print $2; exit } }' \
    <<<"$help")
  if [[ -n $choices ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
    return
  fi
  if [[ $current == -* ]]; then
    local options
    options=$(awk '/^  -/ { print $1 }' <<<"$help" | tr ',' '\n')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ -n $commands ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  elif [[ ${path[*]} == gen && $previous == gen ]]; then
    mapfile -t COMPREPLY < <(compgen -W \
      "$("$berth" gen --list 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -F _berth berth
