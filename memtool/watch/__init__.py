"""Filesystem events to index updates, and queries answered on a local socket."""
