"""Notes, their links and the link graph.

Design notes
------------
- A move is one commit that writes the new file, rewrites links and canvas cards, and removes the old file
  last, so both names resolve until then. The same command completes an interrupted move. An unreadable
  canvas prevents the move.
"""
