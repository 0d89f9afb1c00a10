"""What goes into the next prompt.

Design notes
------------
- Files of every prompt are within their shares first, then snippets fill the rest of the budget, then files
  that were cut have what is left. So neither a long file nor a long log takes the place of what is asked for.
- What stays of a file that is cut depends on its role: a log keeps its end, prose its beginning, long-term
  memory its newest facts. The notice of what is left out is part of the section, within its share.
- `context` scores the 200 chunks that the index returns. nano's formula needs the words of every chunk, and
  reading 10,000 chunks at each prompt would take half a second.
"""
