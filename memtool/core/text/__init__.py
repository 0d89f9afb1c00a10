"""Words, sentences and characters of a text."""
