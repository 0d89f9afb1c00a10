"""doctor, status and stats.

Design notes
------------
- `doctor` only reads. Each check is a function from a workspace to one line of the report; an error inside a
  check becomes its line. Nothing is locked, indexed or written.
"""
