"""Anthropic's memory tool on a workspace.

Design notes
------------
- The tool promises exact bytes; memtool promises that no secret reaches a file. Secrets are redacted, the
  reply says so in one extra line, and the error of a later `str_replace` of the secret shows what the file
  holds. Only text that a command inserted or completed is redacted. `--verbatim` turns this off.
- A folder is removed by one rename into `.memtool/`, so it disappears whole; what a crash leaves there is
  deleted by the next removal. A symbolic link is removed itself, never its target.
"""
