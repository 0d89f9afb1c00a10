"""Files outside the workspace.

Design notes
------------
- Settings of other programs are edited as text: one value is set in its place and every other byte stays. A
  copy is made first, then the whole file is replaced at once, following links.
"""
