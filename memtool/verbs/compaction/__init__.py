"""Compaction of a conversation, the working buffer, and recovery.

Design notes
------------
- `compact` is a filter. Below the thresholds the messages pass through byte for byte with exit code 1, so
  that a pipe works either way.
- What is stored is stored before the first byte is printed. A second run on the same messages after a crash
  computes the same request id, and stores nothing twice.
"""
