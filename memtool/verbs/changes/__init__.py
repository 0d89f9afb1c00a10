"""A tree with planned changes, and backups of the files that they change."""
