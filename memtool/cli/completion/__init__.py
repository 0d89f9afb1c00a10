"""Shell completion.

Design notes
------------
- click parses the command line; the shell scripts are memtool's own, because they pass the line as it was
  typed, and the completions come back quoted for the shell.
"""
