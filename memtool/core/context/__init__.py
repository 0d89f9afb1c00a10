"""What goes into the next prompt."""
