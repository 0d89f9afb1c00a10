"""One module per command: parse, call the verb, show the result."""
