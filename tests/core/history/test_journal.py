"""The journal's values: where two contents differ, and the lines that records are kept in."""

from __future__ import annotations

import base64
import json
import zlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.history.journal import (
    Appended,
    CommitAuthor,
    CommitRecord,
    Created,
    LineMark,
    Moved,
    Permitted,
    Removed,
    Replaced,
    WrittenLines,
    changed_lines,
    content_difference,
    line_counts,
    line_digest,
    line_sources,
)
from memtool.core.records.document import etag_of
from memtool.formats import journal_line

pieces = st.lists(st.sampled_from([b"a", b"bb\n", b"\n", b"- one\n", b"\xff", b"x" * 70_000]), max_size=6)
contents = pieces.map(b"".join)


@given(contents, contents)
def test_a_splice_makes_the_old_content_of_the_new_one(before, after):
    start, removed, length = content_difference(before, after)
    assert after[:start] + removed + after[start + length :] == before
    assert len(removed) + len(after) - length == len(before)


@given(contents, contents, contents, contents)
def test_a_splice_is_no_wider_than_what_was_put_there(head, old, new, tail):
    _, removed, length = content_difference(head + old + tail, head + new + tail)
    assert len(removed) <= len(old)
    assert length <= len(new)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"", b"a\n", (0, 1)),
        (b"- a\n- c\n", b"- a\n- b\n- c\n", (0, 1)),
        (b"- a\n- b\n- c\n", b"- a\n- c\n", (1, 0)),
        (b"- a\n- c\n", b"- a\n- b\n- bb\n- c\n", (0, 2)),
        (b"one two\nx\n", b"one 2 two\nx\n", (1, 1)),
        (b"one\ntwo", b"one\ntwo\nthree", (1, 2)),
        (b"one\ntwo\n", b"one\n", (1, 0)),
        (b"a\n", b"b\nc\n", (1, 2)),
        (b"a", b"", (1, 0)),
        (b"- a\n- b\n- c\n", b"- A\n- b\n- c\n- d\n", (1, 2)),
    ],
)
def test_changes_are_counted_in_whole_lines(before, after, lines):
    start, removed, length = content_difference(before, after)
    line, old, new = changed_lines(before, after, start, len(removed), length)
    assert before[:line] + after[line : line + new] + before[line + old :] == after
    old_lines, new_lines = before[line : line + old], after[line : line + new]
    assert line_counts(old_lines, new_lines, line_sources(old_lines, new_lines)) == lines


names = st.text(min_size=1, max_size=20)
sizes = st.integers(0, 2**40)
etags = st.binary(max_size=9).map(etag_of)
kept = st.none() | st.binary(max_size=40) | st.just(b"long " * 2_000)
digests = st.binary(max_size=9).map(line_digest)
marks = st.builds(LineMark, digests, st.just("") | digests, st.booleans())
sources = st.lists(st.tuples(sizes, sizes) | marks, max_size=4).map(tuple)
written = st.none() | st.builds(WrittenLines, sources, digests, digests, st.just("") | digests)
steps = st.one_of(
    st.builds(Created, names, etags, sizes, written),
    st.builds(Appended, names, sizes, sizes, etags, sizes, written),
    st.builds(Replaced, names, etags, etags, sizes, sizes, kept, st.tuples(sizes, sizes), written),
    st.builds(Moved, names, names, etags),
    st.builds(Removed, names, etags, kept, sizes, st.integers(0, 0o777)),
    st.builds(Permitted, names, st.integers(0, 0o777), st.integers(0, 0o777)),
)
records = st.builds(
    CommitRecord,
    names,
    st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)),
    st.builds(CommitAuthor, names, *[st.none() | names] * 3),
    names,
    st.lists(steps, max_size=5).map(tuple),
    st.lists(names, max_size=2).map(tuple),
    st.just(value=False),
)


@given(records)
def test_a_record_is_read_as_it_was_written(record):
    written = journal_line.render_line(record)
    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    assert journal_line.parse(written) == record


@given(records)
def test_a_line_is_in_ascii_with_the_blanks_and_escapes_of_the_json_module(record):
    written = journal_line.render_line(record)
    assert written.replace(b"\x7f", rb"\u007f") == json.dumps(json.loads(written)).encode() + b"\n"


def test_a_file_name_that_is_not_unicode_is_recorded():
    step = Moved("caf\udce9.md", "cafe.md", etag_of(b""))
    record = CommitRecord("j-1", datetime(2025, 1, 15, tzinfo=UTC), CommitAuthor("note"), "j-1", (step,))
    assert journal_line.parse(journal_line.render_line(record)) == record


@given(records, st.integers(0, 200))
def test_a_torn_line_is_no_record(record, cut):
    written = journal_line.render_line(record)
    with pytest.raises(journal_line.InvalidJournalLine):
        journal_line.parse(written[: min(cut, len(written) - 2)])


@given(
    st.binary(max_size=60)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(
        lambda value: json.dumps({"v": 1, "id": value, "at": value, "by": value, "steps": value}).encode()
    )
)
def test_any_bytes_are_a_record_or_refused(raw):
    try:
        journal_line.parse(raw)
    except journal_line.InvalidJournalLine:
        return


def test_a_bomb_is_refused():
    packed = base64.b64encode(zlib.compress(b"[" + b" " * (1 << 27) + b"]")).decode()
    line = {"v": 1, "id": "j-1", "at": "2025-01-15T10:30:00Z", "by": "x", "packed": packed}
    with pytest.raises(journal_line.InvalidJournalLine):
        journal_line.parse(json.dumps(line).encode())
