"""Settings, the workspace root and the schemas."""
