"""What is wrong in a memory tree, as data: codes, problems, and the checks that need nothing but a text."""
