"""Files of prose: core files, notes, working memory, and any other Markdown."""

import pytest

from memtool.formats import core_file, episode, markdown, note, working_memory
from memtool.formats.syntax.outline import outline
from memtool.formats.syntax.text_lines import line_beyond

CORE = """\
---
description: Who the agent is
limit: 2000
---
# Agent

You are {{agent_name}}, called {{ agent_name }} by all.
"""
NOTE = """\
---
id: 202501151030
title: Retries need a budget
created: 2025-01-15T10:30:00+00:00
tags: [reliability, "http", reliability]
aliases:
  - retry budget
---
# Another heading
"""
EPISODE = """\
---
session_id: s-1
owner: user:ann
ended_at: 2025-01-15T10:30:00Z
extractive: true
turn_count: 3
primary_themes: [kiln, mugs]
mood_arc: {opened: tense, closed: calm}
---
Ann settled on celadon.
"""
WORKING = """\
Opening words.

# Now
Moving the importer.

```sh
# not a heading
```
Next
----
Nothing yet.
"""


def test_a_core_file_says_how_long_it_may_be():
    assert core_file.limit(core_file.parse(CORE)) == 2000
    assert core_file.limit(core_file.parse("# Agent\n")) is None


@pytest.mark.parametrize("limit", ["many", "true", "-5", "0", "1.5", "[1"])
def test_a_limit_that_is_no_whole_number_is_no_limit(limit):
    assert core_file.limit(core_file.parse(f"---\nlimit: {limit}\n---\n")) is None


def test_the_name_is_substituted_in_what_is_injected_alone():
    core = core_file.parse(CORE)
    assert core_file.inject(core, "Ada") == "# Agent\n\nYou are Ada, called Ada by all.\n"
    assert core_file.inject(core, r"\1{{agent_name}}").count("{{agent_name}}") == 2
    assert core_file.render(core) == CORE


def test_a_note_reads():
    head = note.metadata(note.parse(NOTE), "stem")
    assert head.id == "202501151030"
    assert head.title == "Retries need a budget"
    assert head.created == "2025-01-15T10:30:00+00:00"
    assert head.tags == ("reliability", "http")
    assert head.aliases == ("retry budget",)
    assert head.meta.keys() == {"id", "title", "created", "tags", "aliases"}
    other = note.metadata(note.parse("---\nalias: One, Two\nAliases: [Three]\n---\n"), "stem")
    assert other.aliases == ("One", "Two", "Three")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Given\n---\n# Heading\n", "Given"),
        ("---\ntitle: 2025\n---\n", "2025"),
        ("## Second\n# First #\n", "First"),
        ("First\n=====\n", "First"),
        ("\n# First C# #\n# Second\n", "First C#"),
        ("    # code\n\n# First\r\n", "First"),
        ("---\ntitle: [broken\n---\n# Heading\n", "Heading"),
        ("```\n# code\n```\n", "stem"),
        ("", "stem"),
    ],
)
def test_a_title_is_given_or_the_first_top_heading_or_the_stem(text, title):
    assert note.metadata(note.parse(text), "stem").title == title


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("a, b c,", ("a", "b", "c")),
        ("a b  c", ("a", "b", "c")),
        ("'#a #b'", ("a", "b")),
        ("[1, true, [x], null, a]", ("1", "true", "a")),
        ("", ()),
        ("{a: 1}", ()),
    ],
)
def test_tags_are_a_list_or_a_text(tags, expected):
    assert note.metadata(note.parse(f"---\ntags: {tags}\n---\n"), "stem").tags == expected


def test_working_memory_reads_by_its_sections():
    parts = working_memory.sections(working_memory.parse(WORKING))
    assert [(part.line, part.level, part.heading) for part in parts] == [
        (1, 0, ""),
        (3, 1, "Now"),
        (9, 2, "Next"),
    ]
    assert parts[1].body == "Moving the importer.\n\n```sh\n# not a heading\n```"
    assert parts[2].body == "Nothing yet.\n"
    assert working_memory.sections(working_memory.parse("\n# Only\n"))[0].level == 1
    assert working_memory.sections(working_memory.parse("")) == ()


def test_the_first_line_that_a_bound_cuts_is_named():
    assert [line_beyond("abc\ndef\nghi", limit) for limit in (0, 3, 4, 7, 8, 11)] == [1, 1, 2, 2, 3, None]


def test_markdown_has_a_title_and_headings_with_their_lines():
    page = markdown.parse("---\nname: x\n---\n## Deploys\n\n### On Friday ###\n")
    assert markdown.title(page) == "Deploys"
    assert [(head.first, head.level, head.text) for head in markdown.headings(page)] == [
        (4, 2, "Deploys"),
        (6, 3, "On Friday"),
    ]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("#hash\n####### seven\n\t# code\n    # code\n", []),
        ("   # three spaces\n#\n", ["three spaces", ""]),
        ("# C#\n# Closed ##\n", ["C#", "Closed"]),
        ("- item\n---\n> quote\n---\n\n---\n| a |\n---\n", []),
        ("two lines\nof prose\n---\n", []),
        ("# One\nUnder it\n---\n", ["One", "Under it"]),
        ("~~~\n# in\n```\n# in\n~~~\n# out\n", ["out"]),
        ("````\n```\n# in\n````\n# out\n", ["out"]),
        ("  - ```\n# out\n", ["out"]),
        ("``` not`a fence\n# out\n```\n", ["out"]),
        ("```\n# shown\n", ["shown"]),
        ("\ufeff# Title\r\nUnder\r\n===\r\n", ["Title", "Under"]),
    ],
)
def test_headings_are_those_that_markdown_shows(text, headings):
    found = outline(text).headings
    assert [head.text for head in found] == headings
    lines = text.split("\n")
    assert [head.start for head in found] == [len("\n".join([*lines[: h.first - 1], ""])) for h in found]


def test_code_is_known_by_its_lines():
    assert outline("a\n```x\nb\n```\nc\n~~~\n~~~\n").code_spans == ((2, 4), (6, 7))


def test_an_episode_says_whose_session_it_was_and_what_it_was_about():
    arc = episode.metadata(episode.parse(EPISODE))
    assert (arc.session, arc.owner, arc.themes, arc.extractive) == ("s-1", "user:ann", ("kiln", "mugs"), True)
    assert episode.metadata(episode.parse("by hand\n")) == episode.EpisodeMetadata("", "", (), False)
    odd = episode.parse("---\nsession_id: [1\nprimary_themes: kiln\n---\n")
    assert episode.metadata(odd) == episode.EpisodeMetadata("", "", (), False)


def test_an_episode_that_is_made_reads_back():
    made = episode.create(
        {"session_id": "a: b", "primary_themes": ["#x", "yes"], "extractive": False}, "It went."
    )
    assert episode.parse(episode.render(made)) == made
    assert episode.metadata(made) == episode.EpisodeMetadata("a: b", "", ("#x", "yes"), False)
