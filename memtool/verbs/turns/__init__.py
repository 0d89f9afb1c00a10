"""The turns of a history: append, read, replay.

Design notes
------------
- A turn number is never used twice. The next one is past the head, past every turn in a folder newer than
  the head (a writer may have died between the two), and past the quarantined turns; the head is a
  shortcut, not the truth.
"""
