"""Migrations: each brings one thing of a tree that is older than its layout to where it belongs today."""
