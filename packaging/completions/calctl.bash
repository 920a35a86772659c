# Completions of calctl for bash. What is offered comes from calctl itself; without an offer bash completes files.
# Source: bash(1), "Programmable Completion".
_calctl() {
  local word help quote="'\\''" current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS=$'\t' read -r word help; do
    # Titles come from strangers: what a shell would run is quoted.
    case $current in
      \"*) COMPREPLY+=("$(sed 's/[\\"$`]/\\&/g' <<<"$word")") ;;
      \'*) COMPREPLY+=("${word//\'/"$quote"}") ;;
      *) COMPREPLY+=("$(printf %q "$word")") ;;
    esac
  done < <(calctl --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _calctl calctl
