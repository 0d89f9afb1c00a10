"""What an editor asks about a document: what is at a position, completion, symbols, details of a fact.

Design notes
------------
- Positions are offsets in the text of a node of the link graph. The graph may hold unsaved texts, so nothing
  here reads a document from disk.
- The server translates offsets to the positions of its protocol, and nothing else.
"""
