"""Create a workspace, and migrate one.

Design notes
------------
- Migrations are recognised in the tree and not recorded: each looks at the files and has nothing to do
  where it was made. All are planned on the tree as it will be, which is what `--dry-run` prints. When two
  files become one, a comment between them names the second, so that a later run recognises what an earlier
  one added.
- A migration to another layout joins the two layouts on role. Most files are renamed at once. A file whose
  new path the old layout would take for something else waits in `.memtool-moving/` until memtool.toml names
  the new layout, so the paths alone always say what was done.
- Links of the whole tree are decided before the first file moves and written after the last one. Pending
  link edits lie in `.memtool-moving/links` with etags before and after, so no link is read in a tree that
  is half of each layout.
"""
