"""The scope of a caller, and the memory files that it may read.

Design notes
------------
- A front decides the scope of a request once, with `scope.py`; verbs take it and work out no groups again.
- No link under `groups/` leads out of a group's folder, whoever asks; a command that does not ask for a
  group is refused to a caller that acts for one.
"""
