"""The indexes of document chunks: Whoosh and SQLite behind one contract (`document_index.py`)."""
