"""memtool keeps an AI agent's memory as plain files and provides small commands over them."""

__version__ = "0.2.0"
