"""Create a workspace, and migrate one.

Design notes
------------
- Whether a migration is pending is derived from the files and not recorded, so a completed one has no steps.
  Each is planned on the tree as the ones before it will leave it, which is what `--dry-run` prints. When two
  files are merged, a comment between them names the second, so that a later run recognises what an earlier
  one added.
- A migration to another layout joins the two layouts on role. Most files are renamed at once. A file whose
  new path has another role in the old layout waits in `.memtool-moving/` until memtool.toml names the new
  layout, so the paths alone always show what was done.
- Links of the whole tree are decided before the first file moves and written after the last one. Pending
  link edits lie in `.memtool-moving/links` with etags before and after, so no link is resolved in a tree
  that is half migrated.
"""
