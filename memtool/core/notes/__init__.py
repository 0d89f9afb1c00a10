"""Notes, links between them, and the link graph.

Design notes
------------
- A link is resolved in one fixed order: a path, then a file name or the end of a path anywhere, near the
  link before far from it, then id, title and alias. If several files match, the link resolves to the first
  and reports the others. An unclosed fence or comment hides nothing after it.
- A rewritten link by file name stays one, because only memtool resolves titles and ids and the same notes
  must work in Obsidian. A relative Markdown path stays one, because most viewers resolve nothing else.
"""
