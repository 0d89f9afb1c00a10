"""What is wrong with a text as a file of its format: pure checks, one module for each family of formats."""
