"""Parsers of other agents' transcripts to turns: one module per format."""
