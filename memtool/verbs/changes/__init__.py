"""A tree with planned changes, and backups of what they touch."""
