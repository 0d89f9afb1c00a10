"""Adapters that implement the interfaces of other libraries on memtool's verbs."""
