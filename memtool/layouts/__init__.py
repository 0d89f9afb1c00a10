"""Layouts as data: one TOML file for each agent's tree with the place of each role, and initial contents."""
