"""The fast path of `memtool hook`."""
