"""Lint: the codes, the problems as data, and the checks that need only the text of a file.

Design notes
------------
- Lint reports only what is certainly wrong. Other programs share most trees: an entry is reported as broken
  only if others in its file parse, a category as misspelt only if it is close to a known one, a link as
  broken only if its target exists nowhere, not even next to the memory files. Templates are not checked.
  Files that agents write every day are checked less strictly than files that people maintain.
- A code never changes its meaning. The tables of codes are the documentation: `--codes`, `--explain`, SARIF
  rules and the README are generated from them.
"""
