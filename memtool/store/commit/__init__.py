"""Simulation of plans, and the journal that can undo them.

Design notes
------------
- Before the first change a commit writes one line: the time, the command (name, action, flags; never its
  arguments, which may be secret), the owner, and for each file the etags before and after and the removed
  bytes. A second line marks the commit as complete. Commits of one run form one entry.
- The journal is not fsynced. Undo verifies etags, so a torn or lost line prevents an undo but never restores
  wrong content.
- A purge removes content from the journal before the tree, including entries of other files that contain
  it. The next run completes an interrupted purge.
"""
