"""Handlers of the hook events of agents.

Design notes
------------
- A hook injects a piece of memory once per conversation, because it stays in the conversation. A file that
  grew is injected from where it ended, a changed one again, and a compaction resets the record. The record
  is in `.memtool/`; losing it costs a repetition. With nothing to inject a hook prints nothing.
- The watcher answers a prompt's hook and records what the prompt says with the same verb under the same
  lock. An error there is part of its answer.
- A prompt does not wait for an index. Small differences are indexed in memory for that prompt; the end of
  the turn or the watcher stores them. A tree that was never indexed is indexed by the first prompt if that
  takes seconds.
- A hook never infers the user: facts belong to `MEMTOOL_USER` if it is set, else to everybody. Facts of a
  session would be hidden from the next one.
- A statement is compared by its words, wherever it stands, with what hooks injected and what was said. A
  conversation without a record, resumed under another id, begins with what its transcript says.
- Turns come from the agent's transcript, or if that cannot be read, from the prompts and answers of the
  hooks, through the same import that people use, so they are recognised by origin however often they arrive.
  Exchanges older than a day get no note.
"""
