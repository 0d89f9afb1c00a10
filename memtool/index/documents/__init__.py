"""The Whoosh index of document chunks."""
