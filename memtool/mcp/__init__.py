"""The same verbs as tools, resources and prompts of the Model Context Protocol, over stdin and stdout."""
