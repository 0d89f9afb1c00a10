"""Synchronising the indexes with the tree.

Design notes
------------
- Before every query the tree is compared with the index, with or without the watcher; the watcher caches
  work, never truth.
- If the index cannot be written (read-only tree, incognito, locked or broken index), the documents that
  differ are indexed in memory for that one query, with the same ranking.
- Folders of turns are compared by their modification times: a turn enters its day's folder by a link or
  rename, which changes them. An edit in place does not, so up to 2,000 files are all checked, and of more
  the next 1,000 at each search; `reindex --verify` checks all. Hits are always checked against their files.
"""
