"""Files outside the workspace.

Design notes
------------
- Settings of other programs are edited as text: one value is set and every other byte is unchanged. The file
  is backed up first and then replaced atomically, following links.
"""
