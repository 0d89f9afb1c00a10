"""What goes into the next prompt.

Design notes
------------
- `context` scores the 200 chunks that the index returns. nano's formula needs the words of every chunk, and
  reading 10,000 chunks at each prompt would take half a second.
"""
