"""Shell completion.

Design notes
------------
- click resolves the command line; the shell scripts are ours, because they pass the line as it was typed,
  and names come back quoted for the shell.
"""
