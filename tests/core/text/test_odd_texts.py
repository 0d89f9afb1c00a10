"""No text, however odd, breaks what reads it. How long that takes is measured by `tests.bench.linear`."""

from __future__ import annotations

import contextlib

import pytest

from memtool.errors import MemtoolError
from tests.bench.odd_texts import PIECES, READERS, texts


@pytest.mark.parametrize("reader", READERS)
def test_a_text_is_read_or_refused(reader):
    for piece in PIECES:
        for text in texts(reader, piece, 100):
            with contextlib.suppress(MemtoolError, ValueError):
                READERS[reader](text)
