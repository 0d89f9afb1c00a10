#compdef memtool
# Completion of memtool for zsh, as printed by: memtool completion zsh

_memtool_completion() {
    local program=${words[1]/#\~\//$HOME/} line=${(j: :)words[1,CURRENT]} kind value about
    local -a answer plain open described
    local -a force=(-U) # a name may stand for what was typed; behind an option and = zsh would cut that off
    compset -P '--*=' && force=()
    answer=("${(@f)$(_MEMTOOL_COMPLETE=zsh_complete COMP_LINE=$line ${(Q)program} 2>/dev/null </dev/null)}")
    for kind value about in $answer; do
        case $kind in
            plain) if [[ $about == _ ]]; then plain+=("$value"); else described+=("$value:$about"); fi ;;
            open) open+=("$value") ;;
            file) _path_files -f ;;
            dir) _path_files -/ ;;
        esac
    done
    (( $#described )) && _describe -V unsorted described $force
    (( $#plain )) && compadd $force -V unsorted -a plain
    (( $#open )) && compadd $force -S '' -V unsorted -a open
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _memtool_completion "$@"
else
    compdef _memtool_completion memtool
fi
