"""Names that a shell completes.

Design notes
------------
- Names come from listings and single lines that are read in a moment, through the session that a command
  would use. No index is opened, and every error is silent, because a message would land in the middle of
  what is being typed.
"""
