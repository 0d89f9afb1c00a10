"""Notes, links between them, and the link graph.

Design notes
------------
- A link is resolved in one fixed order: a path, then a file name or the end of a path anywhere, near the
  link before far from it, then id, title and alias. If several files match, the first wins and the others
  are named. An unclosed fence or comment hides nothing after it.
- A link by file name stays one, because titles and ids are memtool's and the same vault must still work in
  Obsidian. A relative Markdown path stays one, because most readers know nothing else.
"""
