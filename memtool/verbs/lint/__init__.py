"""lint: find problems in a memory tree, and fix those with one right answer.

Design notes
------------
- Results are cached per file under its stamp, and results across files under a hash of all; the cache is
  authenticated, and one edit costs one file and the links. Modification times within two seconds are not
  trusted. The cache holds no secret, as no message does.
- `--fix` inserts and removes bytes; it never rewrites a text. Edits come with the problems, are applied
  until none is left, and are committed file by file with an etag.
- `.memignore` applies to lint only. Its patterns are read by `pathspec`, as Git reads them. Search still
  covers such files, and links to them count.
- Each agent's limits are rows of its layout, so the first line that the agent does not see can be named.
"""
