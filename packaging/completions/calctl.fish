# Completions of calctl for fish. What is offered comes from calctl itself; without an offer fish completes files.
# Source: complete(1) of fish.
function __calctl_complete
    set -l words (commandline -opc)
    set -l found (calctl --complete $words[2..] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c calctl -f -a '(__calctl_complete)'
