"""Rendering of results that more than one command prints, or that take more than a few lines."""
