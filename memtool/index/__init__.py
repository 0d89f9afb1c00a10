"""The shadow: search indexes that can be thrown away and rebuilt from the tree at any time."""
