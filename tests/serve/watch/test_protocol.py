"""Messages to a watcher are read strictly: a field that is unknown, missing or of another type is refused."""

from __future__ import annotations

import json
from datetime import date

import msgspec
import pytest

from memtool.core.records.hit import Hit
from memtool.core.records.search import SearchArguments, SearchResponse, read_response
from memtool.serve.watch.protocol import HookMessage, SearchMessage, StatusMessage, read_message

SEARCH = {"ask": "search", "version": "1", "arguments": ["kiln"], "environment": {}}
HOOK = {
    "ask": "hook",
    "version": "1",
    "event_id": "a" * 32,
    "record": {"prompt": "x"},
    "given": {},
    "environment": {},
}


def test_each_message_becomes_its_record():
    assert read_message(SEARCH) == SearchMessage("1", SearchArguments("kiln"), {})
    assert read_message(HOOK) == HookMessage("1", "a" * 32, {"prompt": "x"}, {}, {})
    assert read_message({"ask": "status", "version": "1"}) == StatusMessage("1")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"ask": "forget", "version": "1"},
        {"ask": "status"},
        {"ask": "status", "version": "1", "more": 1},
        {**SEARCH, "arguments": []},
        {**SEARCH, "arguments": ["kiln", "note"]},
        {**SEARCH, "arguments": [*SearchArguments("kiln"), "more"]},
        {**SEARCH, "environment": {"MEMTOOL_USER": 1}},
        {**HOOK, "record": "x"},
        {**HOOK, "event_id": "../x"},
    ],
)
def test_anything_else_is_refused(record):
    with pytest.raises(ValueError, match=r"."):
        read_message(record)


def test_a_response_is_the_same_after_its_way_through_the_socket():
    hit = Hit("a\udcff.md", 3, 4, "note", "document", 0.5, "kiln", ((0, 4),), "the kiln")
    hit = hit._replace(date=date(2025, 1, 15), before=((2, "x"),))
    response = SearchResponse((hit,), ("a notice",), ("looked into 1 documents",), is_incomplete=True)
    line = json.dumps(msgspec.to_builtins(response))
    assert read_response(json.loads(line)) == response
