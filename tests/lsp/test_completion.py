"""What a completion makes of the line in which the cursor stands, in the middle of a link or name too."""

from __future__ import annotations

import pytest

from tests.lsp.editor import Editor
from tests.trees import make

NOTES = "memory/notes/zettel"
DRAFT = f"{NOTES}/draft.md"
FACTS = "memory/semantic/facts.md"
FILES = {
    "memtool.toml": 'layout = "native"\n',
    f"{NOTES}/test-tiles.md": "---\ntitle: Test tiles\naliases: [probes]\ntags: [glaze, kiln/raku]\n---\n"
    "# Test tiles\n\n## Part\n",
    f"{NOTES}/C# notes.md": "# C# notes\n",
    f"{NOTES}/pipe|t.md": "# Pipe | title\n",
    f"{NOTES}/br[1].md": "---\ntitle: 'br[1]'\n---\n",
    f"{NOTES}/F#.md": "---\ntitle: F sharp\n---\n# F sharp\n",
    f"{NOTES}/my note.md": "# My note\n\n## Log\n\n### Day\n\n## Plan\n\n### Day\n\n## Dup\n\n## Dup\n",
    FACTS: "# Facts\n\n- [context] The kiln is new ^m-000001\n",
}


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    home = tmp_path_factory.mktemp("completion")
    return Editor(make(home / "w", FILES), home)


@pytest.mark.parametrize(
    ("text", "label", "line"),
    [
        ("see [[Test▮|my tiles]] end", "Test tiles", "see [[Test tiles|my tiles]] end"),
        ("see [[Test▮ tiles]] end", "Test tiles", "see [[Test tiles]] end"),
        ("see [[Te▮st#Part]] end", "Test tiles", "see [[Test tiles#Part]] end"),
        ("see [[▮x#Part|y]] end", "My note", "see [[My note|y]] end"),
        ("see [[pro▮b|my tiles]] end", "probes", "see [[test-tiles|my tiles]] end"),
        ("see [[pro▮b]] end", "probes", "see [[test-tiles|probes]] end"),
        ("| [[Te▮st\\|tiles]] |", "Test tiles", "| [[Test tiles\\|tiles]] |"),
        ("see [[Te▮", "Test tiles", "see [[Test tiles]]"),
        ("see [[Te▮]", "Test tiles", "see [[Test tiles]]"),
        ("see [[Te▮ and [[My note]]", "Test tiles", "see [[Test tiles]] and [[My note]]"),
        ("see [[test-tiles#P▮ art|x]]", "Part", "see [[test-tiles#Part|x]]"),
        ("see [[test-tiles#P▮", "Part", "see [[test-tiles#Part]]"),
        ("see [x](te▮st-tiles.md) end", "test-tiles.md", "see [x](test-tiles.md) end"),
        ("see [x](te▮s.md#part 'title') end", "test-tiles.md", "see [x](test-tiles.md#part 'title') end"),
        ("see [x](m▮y.md#part) end", "my note.md", "see [x](my%20note.md) end"),
        ("see [x](<te▮st tiles.md>) end", "test-tiles.md", "see [x](<test-tiles.md>) end"),
        ("see [x](<te▮", "test-tiles.md", "see [x](<test-tiles.md>)"),
        ("see [x](test-tiles.md#p▮xx) end", "part", "see [x](test-tiles.md#part) end"),
        ("see [x](my%20note.md#d▮)", "day-1", "see [x](my%20note.md#day-1)"),
        ("see #gl▮aze, and", "glaze", "see #glaze, and"),
        ("see #kiln/▮raku.", "kiln/raku", "see #kiln/raku."),
    ],
)
def test_the_link_or_tag_around_the_cursor_is_replaced(editor, text, label, line):
    assert editor.completed(DRAFT, f"# Draft\n\n{text}\n")[label] == line


@pytest.mark.parametrize(
    ("text", "label", "line"),
    [
        ("- [con▮]", "context", "- [context]"),
        ("- [con▮text] The", "context", "- [context] The"),
        ("- [con▮", "context", "- [context]"),
        ("- [context] Old [superseded: 2025-01-01 by m-0▮99]", "m-000001",
         "- [context] Old [superseded: 2025-01-01 by m-000001]"),
    ],
)  # fmt: skip
def test_the_category_or_id_around_the_cursor_is_replaced(editor, text, label, line):
    assert editor.completed(FACTS, f"{FILES[FACTS]}{text}\n")[label] == line


def test_the_fact_of_the_line_itself_does_not_follow(editor):
    text = FILES[FACTS] + "- [context] Old [superseded: 2025-01-01 by ^m▮"
    assert [*editor.completed(FACTS, text)] == ["m-000001"]


@pytest.mark.parametrize(
    ("text", "label", "line"),
    [
        ("---\n▮", "title", "title: "),
        ("---\nti▮", "title", "title: "),
        ("---\nti▮\n\n# Draft\n", "title", "title: "),
        ("---\n▮\n---\n# Draft\n", "title", "title: "),
        ("---\naliases: [x]\nti▮\n# Draft\n", "title", "title: "),
        ("---\nti▮tle: x\n---\n# Draft\n", "title", "title: x"),
        ("---\ntags: [gl▮ue, x]\n---\n# Draft\n", "glaze", "tags: [glaze, x]"),
        ("---\ntags:\n  - gl▮", "glaze", "  - glaze"),
    ],
)
def test_keys_and_tags_follow_in_frontmatter_that_is_empty_or_not_closed(editor, text, label, line):
    assert editor.completed(DRAFT, text)[label] == line


@pytest.mark.parametrize("text", ["---\ntitle: x\n---\nti▮", "---\n\nti▮", "# Draft\nti▮"])
def test_no_key_follows_outside_frontmatter(editor, text):
    assert editor.completed(DRAFT, text) == {}


@pytest.mark.parametrize(
    "text",
    ["```\n[[Te▮\n```\n", "```text\n#gl▮\n```\n", "`[[Te▮` x\n", "<!-- [[Te▮ -->\n", "\n\t[x](te▮\n"],
)
def test_nothing_follows_in_code_and_comments(editor, text):
    assert editor.completed(DRAFT, f"# Draft\n\n{text}") == {}


def test_no_completed_link_is_broken(editor):
    lines = [*editor.completed(DRAFT, "[[▮\n").items()]
    assert ("F sharp", "[[F sharp]]") in lines
    for text in ("[[my note#▮\n", "[[my note#Plan#▮\n", "[x](▮\n", "[x](my%20note.md#▮\n"):
        lines += editor.completed(DRAFT, text).items()
    assert not {"C# notes", "pipe|t", "Pipe | title", "br[1]"} & {label for label, _ in lines}
    assert {"C# notes.md", "pipe|t.md", "br[1].md"} <= {label for label, _ in lines}
    editor.open(DRAFT, "".join(f"{line}\n" for _, line in lines))
    links = editor.state.graph.links(DRAFT)
    assert len(links) == len(lines)
    assert [editor.state.graph.fault(edge) for edge in links] == [""] * len(lines)


def test_a_heading_that_is_not_the_first_with_its_text_follows_that_above_it(editor):
    found = editor.completed(DRAFT, "[[my note#▮\n")
    assert {*found.values()} >= {"[[my note#Plan#Day]]", "[[my note#Log]]", "[[my note#My note#Dup]]"}
    assert editor.completed(DRAFT, "[[my note#Plan#▮\n") == {"Day": "[[my note#Plan#Day]]"}
