"""Three-way merges of files of memory that several machines changed."""
