"""lint: every mistake in a memory tree, told before the agent meets it, and mended where that is safe."""
