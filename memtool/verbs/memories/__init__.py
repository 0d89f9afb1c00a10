"""Anthropic's memory tool on a workspace.

Design notes
------------
- The tool promises exact bytes; memtool promises that no secret reaches a file. Secrets are redacted, the
  reply says so in one extra line, and a later `str_replace` that looks for the secret is told what the file
  holds. Only what a command inserted or completed is changed. `--verbatim` turns this off.
- A folder is removed by one rename into `.memtool/`, so it disappears whole; what a crash leaves there goes
  with the next removal. A symbolic link is removed itself, never its target.
"""
