"""The files of the tree: path guard, reading, listing, writing."""
