"""Queries, chunks, scoring and snippets."""
