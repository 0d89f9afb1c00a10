"""log, undo and trace.

Design notes
------------
- `undo` alone skips what was undone already, other undos, and bookkeeping such as access counts. An undo is
  a plan like any other, so undoing it is a redo. For logs the lines at the end are cut off whatever was
  edited above; every other file must be as the undone command left it.
- An undone turn returns its number; the tree is as if the turn had never been.
"""
