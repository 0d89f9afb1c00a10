"""The SQLite FTS5 index of messages."""
