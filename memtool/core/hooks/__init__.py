"""The hook events of agents and the settings that name memtool's hooks."""
