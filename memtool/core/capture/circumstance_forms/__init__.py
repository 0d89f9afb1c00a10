"""Statements of the user's circumstances in languages other than English, a module of rows for each."""
