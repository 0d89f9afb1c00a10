"""The working buffer: blocks that are appended, and the newest part of it."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.records.entries import BufferEntry
from memtool.formats import working_buffer
from tests.formats.texts import phrases, texts

SPECIMEN = """\
# Working Buffer (Danger Zone Log)
**Status:** ACTIVE
**Started:** 2025-01-15T14:30:00+00:00
---

## [2025-01-15 14:30:00] Human
Can you refactor the database module?

## [2025-01-15 14:30:09] Agent (summary)
Refactored it.

It uses connection pooling now.
"""
AT = datetime(2025, 1, 15, 14, 30, tzinfo=UTC)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(
    lambda at: at.replace(microsecond=0, tzinfo=UTC)
)
entries = st.builds(BufferEntry, moments, st.booleans(), phrases)


def read(text):
    return [block.entry for block in working_buffer.parse(text).blocks]


def as_read(entry):
    text = entry.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return BufferEntry(entry.at, entry.human, text)


def test_the_specimen_reads_and_is_written_so():
    first, second = read(SPECIMEN)
    assert first == BufferEntry(AT, True, "Can you refactor the database module?")
    assert (second.human, second.text) == (False, "Refactored it.\n\nIt uses connection pooling now.")
    assert (
        working_buffer.render_head(AT)
        + working_buffer.render_block(first)
        + working_buffer.render_block(second)
        == SPECIMEN
    )
    assert working_buffer.record(working_buffer.parse(SPECIMEN))["status"] == "ACTIVE"


@given(texts.filter(lambda text: not text or text.endswith("\n")), st.lists(entries, max_size=4))
def test_what_is_appended_is_read_back_behind_what_was_there(before, said):
    text = before + "".join(map(working_buffer.render_block, said))
    found = read(text)
    assert found[len(found) - len(said) :] == [as_read(entry) for entry in said]
    assert text.startswith(before)


@given(st.lists(entries, min_size=1, max_size=6), st.integers(10, 400))
def test_the_newest_part_survives_a_bound(said, most):
    text = working_buffer.render_head(AT) + "".join(map(working_buffer.render_block, said))
    short = working_buffer.keep_newest(text, most)
    assert len(short) <= most
    kept = [entry for entry in read(short) if entry is not None]
    if len(text) <= most:
        assert short == text
    elif kept:
        assert kept == [as_read(entry) for entry in said][-len(kept) :]
    else:
        assert text.endswith(short)
