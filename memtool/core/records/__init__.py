"""Records: the values that the other packages exchange."""
