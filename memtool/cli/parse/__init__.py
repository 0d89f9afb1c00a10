"""Parsing of the input of commands: text, JSON Lines, paths."""
