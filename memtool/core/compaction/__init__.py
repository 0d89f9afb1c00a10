"""Compaction of a conversation: what is removed, and its summary.

Design notes
------------
- Position and pairing alone decide what stays: the first and last messages, system messages, and every call
  or result whose partner stays. Ids are matched with the nearest earlier call, because agents reuse them.
  This is the smallest set that keeps a conversation valid, so the limit is met whenever it can be.
- The built-in summary selects sentences and writes none: greedy coverage of key terms (names, numbers,
  paths), cues (decisions, problems, open questions) and recurring words, per character.
- A compaction's section is not injected into every prompt. Search and `context` find it when a prompt asks
  for it; otherwise each compaction would fill the context that it was meant to free.
"""
