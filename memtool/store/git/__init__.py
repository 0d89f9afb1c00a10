"""Git commits of memtool's changes.

Design notes
------------
- Only git's plumbing commands are called, with a separate index and fixed settings, without filters or
  transports, and only in a repository whose folder belongs to the user. A copied tree can neither run a
  command nor redirect a commit. Files with a filter are not committed, since the filter may encrypt them.
"""
