"""What is wrong in a memory tree, as data: codes, problems, and the checks that need nothing but a text.

Design notes
------------
- Lint reports what is surely wrong, or nothing. A tree is rarely memtool's alone: an entry is broken only
  where its file has others that parse, a category is misspelt only near a known one, templates are not
  judged, and a link is broken only if its target exists nowhere, not even beside the memory files. What
  agents write every day is judged less strictly than what people maintain.
- A code means one kind of problem for ever. The tables of codes are the documentation: `--codes`,
  `--explain`, SARIF rules and the README are printed from them.
"""
