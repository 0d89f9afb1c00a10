"""doctor, status and stats.

Design notes
------------
- `doctor` only reads. Each check is a function from a workspace to one line; an error inside a check is its
  line; nothing is locked, indexed or written.
"""
