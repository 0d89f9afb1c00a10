"""Text that must not become memory: what the user asks not to keep, and text that memory itself printed.

Design notes
------------
- "Don't remember that" is obeyed everywhere: for a sentence in `scan`, for a candidate in the write policy,
  and, at the end of a session and in `compact`, for the turns that it refers to (the previous one; with "any
  of that" all previous ones).
- Text that memory put into a prompt is removed before facts or summaries are made from a conversation: text
  between `<memory-context>` tags, summaries of a compaction, recovery sections, search hits, and lines in
  memtool's own formats. Recalled text is never evidence for a new memory.
"""
