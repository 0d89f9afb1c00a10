"""Capture: entries and facts from messages of the user."""
