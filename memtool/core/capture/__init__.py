"""What a message says that is worth keeping."""
