#!/bin/sh
# The main job on a copy of the sample workspace, each command shown with what it prints. Run it by `make demo`.
set -eu

folder=$(mktemp -d)
cleanup() { memtool -q --root "$folder/sample-workspace" watch stop >/dev/null 2>&1 || :; rm -rf "$folder"; }
trap cleanup EXIT INT TERM
cp -R "$(dirname "$0")/../sample-workspace" "$folder/"
cd "$folder/sample-workspace"

say() { printf "\n# %s" "$1"; shift; for line; do printf "\n# %s" "$line"; done; printf "\n"; }
show() { printf '$ %s\n' "$1"; sh -c "$1"; }

say "A copy of the sample workspace: an agent's memory, kept as plain files."
show "memtool status"

say "A watcher keeps the index fresh from now on."
show "memtool watch --daemon"

say "A user message is scanned before the agent answers: what matters goes to the write-ahead log," \
    "and what lasts to long-term memory, once."
show "memtool scan --message 'Actually, my name is Nilufar, not Nilofar. I prefer celadon over white glaze.'"
show "tail -n 3 SESSION-STATE.md"

say "The exchange goes to today's daily note."
show "memtool append-daily --user-text 'When is the kiln free?' --agent-text 'Thursday at 14:00, after the bisque.'"

say "Both are found at once, by the live watcher. Hits are path:line: text."
show "memtool search celadon over white -n 3"
show "memtool search 'when is the kiln free' -n 3"

say "What was said is kept too, a turn a file, and found with the rest."
show "echo '[{\"role\": \"user\", \"content\": \"Which cone for the new celadon?\"}, {\"role\": \"assistant\", \"content\": \"Cone 6, slowly.\"}]' | memtool append-turn"
show "memtool search 'which cone celadon' -n 2"

say "What belongs in the next prompt, and a conversation that fills its context: facts and a summary first, then it shrinks."
show "memtool context --retrieved --prompt 'When is the kiln free for the wholesale order?' --budget 500"
show "for n in 1 2 3 4 5; do printf '{\"role\": \"user\", \"content\": \"load %s?\"}\n{\"role\": \"assistant\", \"content\": \"Fired to 1060 C, see logs/load%s.csv.\"}\n' \$n \$n; done > chat.jsonl"
show "memtool compact --used 150000 --window 200000 chat.jsonl | cut -c1-100"

say "A fact is saved as a line that you can edit, and recalled by what it means; the index may be thrown away at any time."
show "memtool save \"My cat's name is Whiskerino\""
show "rm -rf .memtool/facts; memtool recall 'What is my cat called?' -n 1"
show "memtool search --mode hybrid 'who makes parcels ready' -n 2"

say "Files are the truth: what any other program writes is found just the same a moment later."
show "printf 'The spare key hangs behind the blue door.\n' >> memory/notes/inbox/keys.md"
show "memtool watch status"
show "memtool search 'spare key'"

say "Mistakes are found before the agent meets them, with the reason; and what a command did can be taken back."
show "printf -- '- [prefrence] User LIKES jasmine tea\n- See [[the blue vase]].\n' >> memory/semantic/preferences.md"
show "memtool lint memory/semantic || true"
show "memtool lint --explain M401 | head -n 3"
show "memtool note mv 'Cone 6' 'Cone six' && memtool log -n 1 && memtool undo"

printf '\nThat was memtool. The same commands work on the memory of your own agent: see README.md.\n'
