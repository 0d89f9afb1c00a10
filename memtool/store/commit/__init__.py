"""Transactions: plans are simulated, applied as a whole or rolled back, and recorded in the journal.

Design notes
------------
- A plan is rolled back and never completed after a kill: its command has acknowledged nothing, and will be
  run again. All new contents are staged and synced first, so that what follows are renames, which need no
  space, and appends, which are cut back. A plan of one rename needs no record; an append does, because a kill
  can tear it. A rename of a file that is compared afterwards has one that is not synced (0.1 ms): a kill
  before the comparison would leave what another program wrote at the last moment in a temporary file.
- The intent is no entry of the journal: it must be synced, signed and complete, and the journal, which may be
  off, too small or redacted, is none of these. It holds the journal's end, so that a rollback removes the
  entry.
- The record costs one fsync; the folders of a plan are synced once each, at its end. Its removal is not
  synced: after a restart, a record whose every change is on the disk belongs to a completed commit.
- Before the first change a commit writes one line: the time, the command (name, action, flags; never its
  arguments, which may be secret), the owner, and for each file the etags before and after and the removed
  bytes. A second line marks the commit as complete. Commits of one run form one entry.
- The journal is not fsynced. Undo verifies etags, so a torn or lost line prevents an undo but never restores
  wrong content.
- A purge removes content from the journal before the tree, including entries of other files that contain
  it. The next run completes an interrupted purge.
"""
