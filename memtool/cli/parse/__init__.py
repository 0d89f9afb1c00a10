"""Input that commands read: text, JSON Lines, paths."""
