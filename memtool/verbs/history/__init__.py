"""Import, upgrade and quarantine of turns.

Design notes
------------
- An imported turn records its origin: agent, session, and message id or a digest of everything up to it.
  Importing again, after a crash, from a copy, or from a log that has grown, adds only what is new. The last
  turn of a grown log is completed if the stored turn is its beginning; otherwise it is left as it is.
"""
