"""Which hits of a search show the same statement, and which of them are shown."""

from __future__ import annotations

from memtool.core.context.distinct_hits import distinct_hits
from memtool.core.records.hit import Hit


def hit(path, line, snippet):
    return Hit(path, line, line, "note", "document", 1.0, snippet, (), snippet)


def places(hits):
    return [(f"{hit.path}:{hit.line}", *hit.also) for hit in hits]


def test_a_statement_of_several_files_is_one_hit_with_the_other_places():
    found = [
        hit("MEMORY.md", 3, "- **preference**: I prefer short answers at noon"),
        hit("notes/tea.md", 1, "The tea house opens in the morning"),
        hit(
            "SESSION-STATE.md",
            8,
            "- [2025-01-14T08:12:40+00:00] **preference**: I prefer short answers at noon",
        ),
        hit("memory/2025-01-14.md", 4, "**User:** I prefer short answers at noon."),
        hit("memory/facts.md", 7, "- [preference] I prefer short answers at noon ^m-a9f49d3d3ab1"),
    ]
    assert places(distinct_hits(found, 10)) == [
        ("MEMORY.md:3", "SESSION-STATE.md:8", "memory/2025-01-14.md:4", "memory/facts.md:7"),
        ("notes/tea.md:1",),
    ]


def test_a_line_that_states_more_is_a_hit_of_its_own():
    found = [
        hit("a.md", 1, "The kiln is free on Thursdays."),
        hit("b.md", 2, "The kiln is free on Thursdays. It needs ten hours to cool."),
        hit("c.md", 3, "It needs ten hours to cool."),
        hit("d.md", 4, "The kiln was free on Thursdays."),
    ]
    assert places(distinct_hits(found, 10)) == [("a.md:1",), ("b.md:2", "c.md:3"), ("d.md:4",)]


def test_short_replies_are_distinct_and_the_limit_counts_distinct_hits():
    found = [
        hit("a.md", 1, "Yes, do."),
        hit("b.md", 1, "Yes, do."),
        hit("c.md", 1, "Celadon needs iron oxide"),
    ]
    assert places(distinct_hits(found, 3)) == [("a.md:1",), ("b.md:1",), ("c.md:1",)]
    same = [hit(f"{name}.md", 1, "Celadon needs iron oxide") for name in "abc"]
    assert places(distinct_hits([*same, found[0]], 2)) == [("a.md:1", "b.md:1", "c.md:1"), ("a.md:1",)]
