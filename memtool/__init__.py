"""memtool keeps an AI agent's memory as plain files and gives every shell the same small verbs over them."""

__version__ = "0.2.0"
