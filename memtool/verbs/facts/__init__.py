"""Save, recall and manage facts, rules and candidates."""
