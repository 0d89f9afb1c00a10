"""The fast path of `memtool hook`, without click."""
