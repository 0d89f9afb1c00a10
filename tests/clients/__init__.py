"""Real agents and the MCP inspector (see `install.py`) run against memtool, with a scripted model.

They are looked for in the folder that MEMTOOL_TEST_CLIENTS names, else in `.venv/clients`, where
`make clients` puts them; a test of a client that is not there is skipped, and says so.
"""
