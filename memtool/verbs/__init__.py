"""One operation a module: read, decide, commit, report."""
