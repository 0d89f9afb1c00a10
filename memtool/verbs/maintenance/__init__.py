"""Nightly maintenance: the steps of other verbs, in order."""
