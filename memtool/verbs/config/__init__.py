"""Settings: read them with their sources, and write them to a settings file."""
