"""Help pages, man pages and the generated tables of the documentation.

Design notes
------------
- A build hook makes the man pages from the help and puts them into the wheel, so they cannot be stale. They
  carry no date: the same source builds the same wheel.
"""
