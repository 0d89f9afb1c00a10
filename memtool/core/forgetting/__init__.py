"""Decide what a request to forget removes, and recognise it when it comes back.

Design notes: a record is what a file's format removes as a whole (`formats/text_records.py`). What was
forgotten is recognised by keyed digests of normalised texts and ids, so that no file says what it was.
"""
