"""Trigger tables: one module of data for each language."""
