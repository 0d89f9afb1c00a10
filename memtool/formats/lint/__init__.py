"""Checks of a text against its file format: pure functions, one module for each family of formats."""
