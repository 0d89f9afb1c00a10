"""The fleet, as a tree takes part in it: join, push, search, state."""
