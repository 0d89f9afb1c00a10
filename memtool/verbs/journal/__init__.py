"""log, undo and trace.

Design notes
------------
- `undo` without an id skips entries that are undone already, other undos, and bookkeeping such as access
  counts. An undo is a plan like any other, so undoing it is a redo. Appended lines are cut off the end of a
  log, even if it was edited above; every other file must be as the undone command left it.
- Undoing a turn frees its sequence number; the tree is as it was before the turn.
"""
