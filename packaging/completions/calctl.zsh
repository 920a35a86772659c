#compdef calctl
# Completions of calctl for zsh. What is offered comes from calctl itself; without an offer zsh completes files.
# Source: zshcompwid(1), "compadd".
local -a offered shown
local line
for line in "${(@f)$(calctl --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
  [[ -n $line ]] || continue
  offered+=("${line%%$'\t'*}")
  shown+=("${line/$'\t'/  -- }")
done
if (( $#offered )); then
  compadd -l -d shown -a offered
else
  _files
fi
