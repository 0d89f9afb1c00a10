# Completion of memtool for fish, as printed by: memtool completion fish

function _memtool_completion
    set -l program (string replace -r -- '^~/' "$HOME/" (commandline -opc)[1])
    set -l typed (string replace -r -- '^--[^=]*=' '' (commandline -ct))
    set -l before (string replace -r -- '^(--[^=]*=)?.*$' '$1' (commandline -ct))
    set -l answer (_MEMTOOL_COMPLETE=fish_complete COMP_LINE=(commandline -cp | string collect) \
        $program 2>/dev/null </dev/null)
    for item in $answer
        set -l kind (string split -m 1 , -- $item)
        switch $kind[1]
            case dir
                string replace -r -- '^' "$before" (__fish_complete_directories "$typed" '')
            case file
                string replace -r -- '^' "$before" (__fish_complete_path "$typed")
            case '*'
                echo -- $before$kind[2]
        end
    end
end

complete --command memtool --no-files --arguments '(_memtool_completion)'
