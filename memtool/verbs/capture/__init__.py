"""Record what a user says: the write-ahead log and the daily note."""
