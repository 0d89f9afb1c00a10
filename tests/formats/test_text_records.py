"""The records of Markdown files, and the removal of some of them."""

from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.text_records import says_nothing, text_records, without_lines
from tests.formats.texts import texts

NOTE = """---
title: A note
---
# Title

- one
  goes on
  - inner
    and on
- [2025-01-15T10:30:00Z] [user:ann] **name**: two ^m-1

A paragraph
in two lines.

## Part

text of the part

### Deeper

| a | b |
| c | d |

```
code
```

## Other
last"""


def found(text: str, **more: bool) -> list[tuple[int, int]]:
    return [(record.first, record.end) for record in text_records(text, **more)]


def test_records_are_items_paragraphs_rows_lines_of_code_and_sections():
    assert found(NOTE) == [
        (3, 4),
        (5, 9),
        (7, 9),
        (9, 10),
        (11, 13),
        (14, 26),
        (16, 17),
        (18, 26),
        (20, 21),
        (21, 22),
        (24, 25),
        (27, 29),
        (28, 29),
    ]


def test_a_single_line_is_a_record_with_the_indented_lines_below_it():
    lines = [
        "user: The PIN of the boat is",
        "  5566 and the alarm is off.",
        "user: So it is",
        "- Notes on my ex",
        "  - she left the ring",
        "  and the key",
        "",
        "  She lives in Kiel.",
        "",
        "user: What of her cat?",
        "\u3000\u3000猫は元気です。",
        "agent: Fine",
    ]
    for end in ("\n", "\r\n"):
        text = end.join(lines)
        assert found(text, single_lines=True) == [(0, 2), (2, 3), (3, 8), (4, 6), (7, 8), (9, 11), (11, 12)]
        said = [record.text.split() for record in text_records(text, single_lines=True)]
        assert said[0] == f"{lines[0]}{lines[1]}".split()
        assert said[2] == ["-", "Notes", "on", "my", "ex"]


def test_a_record_knows_its_owner_day_and_id():
    record = [*text_records(NOTE)][3]
    assert (record.owner, record.day, record.id) == ("user:ann", "2025-01-15", "m-1")


def test_an_exchange_is_one_record_up_to_the_next():
    text = "# Day\n\n## [10:30:00] [user:ann]\n**User:** a\n\n**Agent:** b\n\n## [10:31:00]\nc\n"
    owners = [(record.first, record.end, record.owner) for record in text_records(text, blocks=True)]
    assert owners == [(0, 1, ""), (2, 6, "user:ann"), (7, 9, "")]


def test_a_file_of_titles_says_nothing():
    assert says_nothing("---\na: b\n---\n# T\n\n## Auto\n", lambda line: line == "## Auto")
    assert not says_nothing("# T\n\nx\n", lambda _: False)


@given(texts, st.sets(st.integers(0, 20)))
def test_every_line_that_stays_is_the_same_byte_for_byte(text, chosen):
    removed = {
        number
        for index, record in enumerate(text_records(text, blocks=True))
        if index in chosen
        for number in range(record.first, record.end)
    }
    lines = text.split("\n")
    kept = [line for number, line in enumerate(lines) if number not in removed and line.strip()]
    assert [line for line in without_lines(text, removed).split("\n") if line.strip()] == kept
