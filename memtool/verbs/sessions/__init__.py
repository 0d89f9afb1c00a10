"""Open and ended sessions, and their episodes.

Design notes
------------
- At session end files are written in this order: facts, rules archive, rules, evidence, episode, audit
  log, pending file; then the buffer is removed. Each id follows from its candidate, so an interrupted end
  is completed by the next one. Evidence is written after the line it supports, so evidence without a line
  means that a person deleted the line.
- Entries of the session state name no session. What is older than any other open session moves to the
  archive when a session ends; an entry that the archive has already is not appended again.
"""
