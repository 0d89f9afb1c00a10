"""The door: the only room that opens, writes, renames or removes a file of the tree."""
