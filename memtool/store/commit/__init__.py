"""What a plan will do, and the journal that can take it back.

Design notes
------------
- The journal is written in one place. Before the first change a commit writes one line: when, which command
  (name, action, flags; never what was given, which may be secret), for whom, and for each file the etags
  before and after and the bytes removed. A second line marks it done. Commits of one run are one entry.
- The journal is not fsynced. Undo is proven by etags, so a torn or lost line costs an undo and never
  restores the wrong content.
- What is purged leaves the journal before it leaves the tree, entries that hold its words elsewhere
  included. A purge that was interrupted is completed by the next run.
"""
