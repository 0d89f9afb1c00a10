"""Commits of what memtool changed, through git.

Design notes
------------
- Only git's plumbing is called, with its own index and settings, no filters and no transport, and only in a
  repository whose folder belongs to the user. A tree from elsewhere can neither run a command nor redirect
  a commit. Files with a filter are not committed, since unfiltered they may be what the filter encrypts.
"""
