"""Long-running fronts: the watcher, the MCP server, and adapters for other libraries."""
