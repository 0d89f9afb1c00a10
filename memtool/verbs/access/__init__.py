"""Which memory a caller may read, and reading one file of it.

Design notes
------------
- No link under `groups/` leads out of a group's folder, whoever asks; a command that does not ask whose
  memory it reads is refused to a caller that acts for a group.
"""
