"""History: turn records of any schema version, and the journal of changes with undo."""
