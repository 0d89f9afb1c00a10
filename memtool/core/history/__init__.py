"""Turns of any version, and the journal of changes."""
