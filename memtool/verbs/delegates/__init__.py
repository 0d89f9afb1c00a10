"""The user's own commands: summarizers, extractors, embedders.

Design notes
------------
- A command is a shell line or a list. It is looked up outside the workspace, told through
  `MEMTOOL_IN_SUMMARIZER` not to start commands of its own, and ended with its process group, also when
  memtool is told to end.
"""
