"""The SQLite FTS5 index of facts and their vectors."""
