"""Where each role lives, as data: one TOML file per agent's tree, and the first contents of new files."""
