"""Adapters: memtool's verbs in the shape that a library of somebody else's asks for."""
