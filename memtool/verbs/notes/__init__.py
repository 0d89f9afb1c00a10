"""Notes, their links and the link graph.

Design notes
------------
- A moved note can be reached by both names until the last step: the new file is written, links and canvas
  cards are rewritten in the same commit, and the old file goes last. An interrupted move is completed by
  the same command. A canvas that cannot be read refuses the move.
"""
