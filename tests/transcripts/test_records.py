import json

import pytest

from memtool.transcripts.records import parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord
from tests.transcripts.in_memory import InMemory

A, B = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}


def found(content):
    return [
        one if isinstance(one, SkippedRecord) else (one.line, one.value)
        for one in parse_records(InMemory(content))
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'[{"a": 1},\n{"b": 2}\n]', [(0, {"a": 1}), (0, {"b": 2})]),
        (b'\xef\xbb\xbf{"a": 1}\r\n\r\n{"b": 2}\r\n', [(1, {"a": 1}), (3, {"b": 2})]),
        (b'{"a": 1}', [(1, {"a": 1})]),
        (b'{\n "a": [\n{"role": "user"}\n]}', [(0, {"a": [{"role": "user"}]})]),
        (b'{"a": [\n{"role": "user"}\n]}', [(0, {"a": [{"role": "user"}]})]),
        (b'{\n"a": 1\n}\n{\n"a": 2\n}\n', [(0, {"a": 1}), (0, {"a": 2})]),
        (b"[1, 2]\n[3]\n", [(1, [1, 2]), (2, [3])]),
        (b"[1, 2]\n", [(0, 1), (0, 2)]),
        (b"", []),
        (b" \n\n", []),
    ],
)
def test_records_are_read_from_whatever_holds_them(content, expected):
    assert found(content) == expected


def test_a_bad_line_costs_that_line_wherever_it_is():
    good = json.dumps(A).encode()
    first, second, third, fourth = found(b'{"role": "user", "content": "cut of\n' + good + b"\n\xff\n" + good)
    assert isinstance(first, SkippedRecord)
    assert first.line == 1
    assert first.reason.startswith("the line is not JSON: ")
    assert (second, fourth) == ((2, A), (4, A))
    assert third == SkippedRecord(3, "the line is not UTF-8")


def test_a_broken_array_gives_what_came_before():
    assert found(b"[1, 2, x, 4]") == [
        (0, 1),
        (0, 2),
        SkippedRecord(0, "record 3 and all later records cannot be read: expecting value at character 8"),
    ]


def test_a_sample_is_taken_of_the_beginning_alone():
    class Endless(InMemory):
        def blocks(self):
            yield b"["
            while True:
                yield json.dumps(A).encode() + b","

    assert sample_records(Endless(b""))[:2] == [A, A]


def test_a_sample_of_one_huge_record_is_what_there_is_of_it():
    huge = {"title": "t", "mapping": {"a": {"message": None}, "b": {"text": "x" * 2_000_000}}}
    for content in ([huge], huge):
        (one,) = sample_records(InMemory(content, block=1 << 18))
        assert one["title"] == "t"
        assert one["mapping"]["a"] == {"message": None}
