"""Filesystem events to index updates, and queries answered on a local socket.

Design notes
------------
- The watcher compares the tree with the index before it answers, as a search without it does; not where the
  kernel has reported no change since it last did (`tree_changes.py`).
"""
