"""Open and ended sessions, and their episodes.

Design notes
------------
- At session end the buffer is removed last: facts, archive, rules, evidence, episode, audit log, ledger,
  buffer. Each id follows from its candidate, so an interrupted end is completed by the next one. Evidence
  is written after the line it supports, so evidence without a line means that a person deleted the line.
"""
