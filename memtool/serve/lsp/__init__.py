"""A server of the Language Server Protocol over stdin and stdout, for editors of memory files.

Design notes
------------
- The server decides nothing about memory: it calls verbs, and translates their offsets and values to the
  positions and types of the protocol.
- Open documents are the editor's. Their texts replace files for diagnostics, completion and navigation, in
  memory only; searches of other programs never see them.
- The server changes files in two ways: by edits that it returns to the editor, and by commands that the user
  asked for, which are the verbs of the command line with their lock, journal and undo.
- A snapshot of lint, then the link graph are loaded in a thread, so that the first document has its own
  problems at once, and requests about one file are answered meanwhile. A change of a document updates both.
  When files change, the next snapshot takes over the results for all others.
- A change is checked for what other documents depend on (names, targets, facts). Only these are checked
  again, after a pause and one at a time, so that the next keystroke waits for one document at most.
- Messages are handled one after another. Diagnostics are computed when no message waits, so that outdated
  ones are skipped, however fast changes arrive.
- pygls describes the protocol; its text documents are not used, because they end lines at characters where
  editors and memtool do not (U+2028, form feed), and copy the whole text at each change.
"""
