"""Values and decisions: no files, no clock, no environment."""
