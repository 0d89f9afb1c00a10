"""Hooks: the events that agents report to memtool, and the settings that install memtool's hooks."""
