"""The indexes of a workspace, described to `IndexSync`: what each covers, and how it differs from its files.

Design notes
------------
- Before every query the tree is compared with the index, with or without the watcher; the watcher caches
  work, never truth.
- Every file's stat is taken before every query: 100,000 take 7 C (C: the processor time of `import click`).
  What they are compared with is the packed listing that the last command found in line (`known_files.py`);
  by the stamps in the index the comparison took another 15 C. A directory's own stamp says nothing of writes
  to its files, and two threads, or `statx` through ctypes, took as long as `os.scandir`.
- If the index cannot be written (read-only tree, incognito, locked or broken index), the files that
  differ are searched beside it for that one query: documents with the same ranking, turns in batches, and
  facts in an index that is wholly in memory.
- Folders of turns are compared by their modification times: a turn enters its day's folder by a link or
  rename, which changes them. An edit in place does not, so up to 2,000 files are all checked, and of more
  the next 500 at each search; `reindex --verify` checks all. Hits are always checked against their files.
"""
