"""What must not become memory: private requests, and text that came out of memory.

Design notes
------------
- "Don't remember that" applies everywhere: to a sentence in `scan`, to a proposal in the write policy, and
  to the turns it refers to at the end of a session and in `compact` (the previous one; with "any of that"
  all previous ones).
- What memory put into a prompt is recognised and removed before facts or summaries are made: text between
  `<memory-context>` tags, summaries left by a compaction, recovery sections, search hits, and lines in
  memory's own formats. Recalled text is never evidence for a new memory.
"""
