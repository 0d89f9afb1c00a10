"""Search of documents, turns and exact text.

Design notes
------------
- Every hit is checked against its file before it is shown.
- Document hits and message hits are fused by reciprocal rank.
"""
