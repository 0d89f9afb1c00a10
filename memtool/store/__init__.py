"""Everything that opens, writes, renames or removes a file of the tree.

Design notes
------------
- Logs are appended to; everything else is replaced whole. An append carries no etag: a record added at the
  end is right whatever else was added meanwhile, so `printf >>` and an editor lose nothing. The price is
  that a log may hold a record twice after a crash.
- Exit code 19 (the disk refused a write) is separate from 14 (something exists and cannot be read), because
  the remedies differ.
"""
