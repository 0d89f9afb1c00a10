"""Names that a shell completes.

Design notes
------------
- Names come from folder listings and single lines, which are fast to read, through the session that a command
  would use. No index is opened, and errors are silent, because a message would appear in the middle of the
  command line.
"""
