"""Filters of a search leave the order of messages alone, however few of the best they admit."""

from __future__ import annotations

import pytest

from memtool.core.search.query import FieldFilter, parse_query
from memtool.index.engine import FileStamp
from memtool.index.transcripts.transcript_search import POOL, TranscriptSearch
from memtool.index.transcripts.transcripts import Speech, Transcripts, TurnRecord

MANY = 7 * POOL


def record(number, text, session):
    stamp = FileStamp(1, number, number, number, number, "etag")
    speeches = (Speech("user", text),)
    return TurnRecord(
        "turns", f"{number}.json", stamp, seq=number, day="2025-01-15", session=session, speeches=speeches
    )


@pytest.fixture(scope="module")
def index():
    best = [record(number, "the kiln", "crowd") for number in range(MANY)]
    long = "the kiln stands in the yard behind the shed, and nobody has fired it since spring"
    others = [record(MANY + number, long, "few") for number in range(3)]
    index = Transcripts.in_memory()
    index.write([*best, *others])
    yield index
    index.close()


@pytest.mark.parametrize("session", ["few", "crowd"])
def test_a_filter_that_admits_few_of_the_best_messages_finds_all_it_admits(index, session):
    rules = [FieldFilter("session", (session,))]
    hits = TranscriptSearch(index, parse_query("kiln"), rules, ()).run(MANY + 3)
    assert len(hits) == (3 if session == "few" else MANY)
    unfiltered = TranscriptSearch(index, parse_query("kiln"), (), ()).run(MANY + 3)
    expected = [hit.name for hit in unfiltered if (int(hit.name[:-5]) >= MANY) == (session == "few")]
    assert sorted(hit.name for hit in hits) == sorted(expected)
