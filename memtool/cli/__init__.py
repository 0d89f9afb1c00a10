"""One click command per verb: parse, call the verb, show the result."""
