"""Compaction: which messages of a conversation are removed, and the summary of them.

Design notes
------------
- Only position and pairing decide what is kept: the first and last messages, system messages, and every
  tool call or result whose partner is kept. A result is matched with the nearest earlier call of its id,
  because agents reuse ids. This is the smallest set that keeps a conversation valid.
- The built-in summary is extractive: greedy coverage of key terms (names, numbers,
  paths), cues (decisions, problems, open questions) and recurring words, per character.
- A compaction's section is not injected into every prompt. Search and `context` find it when a prompt is
  about it; otherwise each compaction would fill the context that it has just freed.
"""
