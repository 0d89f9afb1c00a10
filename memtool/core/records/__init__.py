"""The values that the other packages exchange."""
