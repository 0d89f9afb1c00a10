"""The files of long-term memory: facts, rules, salience, audit log."""
