"""forget: remove what belongs to a person, says a text, came from a source or is old, wherever it is.

Design notes: a file is cut record by record (`cut.py`), and the tree is read again until no further record
turns out to be derived from those that go. The files change in one commit; the journal, the indexes and the
other derived files are cleaned before and after it, so that a kill in between leaves words only in files that
a second run finds.
"""
