"""The user's own commands: summarizers, extractors, embedders, write hooks.

Design notes
------------
- A command is a shell line or a list. It is looked up outside the workspace. The variable
  `MEMTOOL_IN_SUMMARIZER` keeps a memtool that it calls from starting further commands. It is killed with its
  process group when it exits, times out, or memtool is terminated.
- A write hook runs after the commit, outside the workspace's lock, so that it can call memtool and cannot
  fail the commit. It runs in `/`: many programs obey files of the folder that they are started in, and the
  tree may be somebody else's. Each commit is passed on by itself, also by commands that commit often.
"""
