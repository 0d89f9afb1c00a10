"""All access to the files of the tree: open, write, rename, remove.

Design notes
------------
- Logs are appended to; all other files are replaced as a whole. An append carries no etag: a record added at
  the end is correct whatever was added meanwhile, so nothing that `printf >>` or an editor adds is lost.
- Exit code 19 (a write failed) is separate from 14 (a file exists and cannot be read), because the remedies
  differ.
"""
