"""Checks: what `memtool doctor` looks at, each of which changes nothing."""
