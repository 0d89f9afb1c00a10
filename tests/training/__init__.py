"""Training of the model that recognises statements about the user and standing instructions."""
