"""Foreign transcripts, read as turns: one module per agent's format."""
