"""The user's own commands: summarizers, extractors, embedders.

Design notes
------------
- A command is a shell line or a list. It is looked up outside the workspace. The variable
  `MEMTOOL_IN_SUMMARIZER` keeps a memtool that it calls from starting further commands. It is killed with its
  process group when it exits, times out, or memtool is terminated.
"""
