"""Help pages, man pages and the generated tables of the documentation.

Design notes
------------
- Man pages are made from the help by a build hook and put into the wheel, so they cannot be stale. They
  carry no date: the same source builds the same wheel.
"""
