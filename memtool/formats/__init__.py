"""Text to value and back: one module per on-disk format; `formats.table` lists them all."""
