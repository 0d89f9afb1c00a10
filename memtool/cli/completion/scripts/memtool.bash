# Completion of memtool for bash 3.2 and newer, as printed by: memtool completion bash

_memtool_completion() {
    local program=${1:-memtool} line=${COMP_LINE-} answer item kind value
    [[ ${program:0:2} == \~/ ]] && program=$HOME/${program:2}
    [[ -n $line ]] && line=${line:0:${COMP_POINT:-${#line}}}
    local IFS=$'\n'
    answer=$(env _MEMTOOL_COMPLETE=bash_complete COMP_LINE="$line" ${2+"COMP_REPLACED=$2"} \
        COMP_WORDS="${COMP_WORDS[*]-}" COMP_CWORD="${COMP_CWORD-}" "$program" 2>/dev/null </dev/null)
    COMPREPLY=()
    while IFS= read -r item; do
        kind=${item%%,*} value=${item#*,}
        case $kind in
            plain) COMPREPLY+=("$value") ;;
            open) COMPREPLY+=("$value"); compopt -o nospace 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
            dir) compopt -o dirnames 2>/dev/null ;;
        esac
    done <<<"$answer"
    return 0
}

complete -o nosort -F _memtool_completion memtool 2>/dev/null || complete -F _memtool_completion memtool
