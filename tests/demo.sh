#!/bin/sh
# Runs the main commands on a copy of the sample workspace and shows what they print. Started by `make demo`.
set -eu

folder=$(mktemp -d)
cleanup() { memtool -q --root "$folder/sample-workspace" watch stop >/dev/null 2>&1 || :; rm -rf "$folder"; }
trap cleanup EXIT INT TERM
cp -R "$(dirname "$0")/../sample-workspace" "$folder/"
cd "$folder/sample-workspace"

say() { printf "\n# %s" "$1"; shift; for line; do printf "\n# %s" "$line"; done; printf "\n"; }
show() { printf '$ %s\n' "$1"; sh -c "$1"; }

say "This is a copy of the sample workspace, an agent's memory kept as plain files."
show "memtool status"

say "Start a watcher, which keeps the search index up to date."
show "memtool watch --daemon"

say "Scan the user's message before the agent answers: every match is recorded in the session state," \
    "and those that hold beyond this session also in long-term memory."
show "memtool scan --message 'Actually, my name is Nilufar, not Nilofar. I prefer celadon over white glaze.'"
show "tail -n 3 SESSION-STATE.md"

say "Add the exchange to the daily note."
show "memtool append-daily --user-text 'When is the kiln free?' --agent-text 'Thursday at 14:00, after the bisque.'"

say "Search finds both immediately. It prints each hit as path:line: text."
show "memtool search celadon over white -n 3"
show "memtool search 'when is the kiln free' -n 3"

say "Store a whole exchange, one file per turn (append-turn prints its number), and find it with the rest."
show "echo '[{\"role\": \"user\", \"content\": \"Which cone for the new celadon?\"}, {\"role\": \"assistant\", \"content\": \"Cone 6, slowly.\"}]' | memtool append-turn"
show "memtool search 'which cone celadon' -n 2"

say "Print the passages of memory that belong in the next prompt."
show "memtool context --retrieved --prompt 'When is the kiln free for the wholesale order?' --budget 500"
say "Compact a conversation that fills the model's context window: first store its facts and a summary, then shorten it."
show "for n in 1 2 3 4 5; do printf '{\"role\": \"user\", \"content\": \"load %s?\"}\n{\"role\": \"assistant\", \"content\": \"Fired to 1060 C, see logs/load%s.csv.\"}\n' \$n \$n; done > chat.jsonl"
show "memtool compact --used 150000 --window 200000 chat.jsonl | cut -c1-100"

say "Save a fact as a line that you can edit, and recall it. The index of facts is rebuilt if it is deleted."
show "memtool save \"My cat's name is Whiskerino\""
show "rm -rf .memtool/facts; memtool recall 'What is my cat called?' -n 1"

say "Search by meaning as well as by words (extra: semantic)."
show "memtool search --mode hybrid 'who makes parcels ready' -n 2"

say "Text that another program writes is found, too."
show "printf 'The spare key hangs behind the blue door.\n' >> memory/notes/inbox/keys.md"
show "memtool watch status"
show "memtool search 'spare key'"

say "Check the files for mistakes, and ask what a code means."
show "printf -- '- [prefrence] User LIKES jasmine tea\n- See [[the blue vase]].\n' >> memory/semantic/preferences.md"
show "memtool lint memory/semantic || true"
show "memtool lint --explain M401 | head -n 3"

say "Rename a note together with the links to it, then undo that."
show "memtool note mv 'Cone 6' 'Cone six' && memtool log -n 1 && memtool undo"

printf '\nThis is the end of the demo. The same commands work on the memory of your own agent: see README.md.\n'
