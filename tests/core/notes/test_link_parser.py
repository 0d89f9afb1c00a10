"""Links: found where Obsidian and CommonMark see one, nowhere else, and in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.notes.anchors import NoteAnchors, block_ids, explicit_anchors, heading_slug
from memtool.core.notes.link_parser import parse_links, parse_markup
from memtool.core.notes.tags import TagTable, inline_tags, is_under


def found(text: str, body: int = 0) -> list[tuple[str, str, str, str]]:
    return [(link.kind, link.target, link.anchor, link.label) for link in parse_links(text, body)]


@pytest.mark.parametrize(
    ("text", "target", "anchor", "label"),
    [
        ("[[x]]", "x", "", ""),
        ("[[x|shown [a] b]]", "x", "", "shown [a] b"),
        ("[[a/b c.md#Head|s]]", "a/b c.md", "Head", "s"),
        ("[[x#A#B]]", "x", "A#B", ""),
        ("[[x#^block-1]]", "x", "^block-1", ""),
        ("[[#Head]]", "", "Head", ""),
        ("[[ x ]]", "x", "", ""),
        ("| [[x\\|s]] |", "x", "", "s"),
        ("[[[x]]]", "x", "", ""),
        ("[[A$B]]", "A$B", "", ""),
        ("**[[漢字 🔥]]**", "漢字 🔥", "", ""),
        ("- [ ] [[x]]", "x", "", ""),
        ("> > [[x]]", "x", "", ""),
        ("# Head [[x]]", "x", "", ""),
        ("$5 for [[x]] and $6", "x", "", ""),
        ("100 %% of [[x]]", "x", "", ""),
        ("an `open tick [[x]]", "x", "", ""),
        ("<!-- open [[x]]", "x", "", ""),
        ("```\n[[x]]", "x", "", ""),
        ("- item\n\n    [[x]]", "x", "", ""),
        ("[^1]: note [[x]]", "x", "", ""),
    ],
)
def test_a_wikilink_is_read(text, target, anchor, label):
    assert found(text) == [("wiki", target, anchor, label)]


@pytest.mark.parametrize(
    ("text", "kind", "target", "anchor"),
    [
        ("[t](a%20b.md)", "inline", "a b.md", ""),
        ("[t](<a b.md>)", "inline", "a b.md", ""),
        ("[t](a.md#fr%20ag 'title')", "inline", "a.md", "fr ag"),
        ('[t](a.md "ti(t)le")', "inline", "a.md", ""),
        ("[t](a(b)c.md)", "inline", "a(b)c.md", ""),
        ("[t](a\\)b.md)", "inline", "a)b.md", ""),
        ("[t](a&amp;b.md)", "inline", "a&b.md", ""),
        ("[t](C%23.md)", "inline", "C#.md", ""),
        ("[t](#frag)", "inline", "", "frag"),
        ("[t][ref]\n\n[ref]: a.md", "reference", "a.md", ""),
        ("[Ref][]\n\n[ref]: <a b.md> 'title'", "reference", "a b.md", ""),
        ("[ReF]\n\n[ref]: a.md", "reference", "a.md", ""),
        ("[ref]: a.md#x", "definition", "a.md", "x"),
        ("[a [b](c.md) d](e.md)", "inline", "c.md", ""),
    ],
)
def test_a_markdown_link_is_read(text, kind, target, anchor):
    assert [(link.kind, link.target, link.anchor) for link in parse_links(text)] == [(kind, target, anchor)]


@pytest.mark.parametrize(
    "text",
    [
        "`[[x]]`", "``a ` [[x]]``", "```\n[[x]]\n```", "~~~~ sh\n[[x]]\n~~~~", "> ```\n> [[x]]\n> ```",
        "- ```\n  [[x]]\n  ```", "text\n\n    [[x]]\n", "$[[x]]$", "$$\n[[x]]\n$$", "<!-- [[x]]\n [[y]] -->",
        "%% [[x]] %%", "%%\n[[x]]\n%%", "<% tp.x('[[x]]') %>", "<pre>\n[[x]]\n</pre>", "<style>[[x]]</style>",
        "\\[[x]]", "[[]]", "[[x\ny]]", "[[{{date}}]]", "[[<% tp.date.now() %>]]", "[t](https://x.org/a)",
        "[t](mailto:a@b.c)", "[t](//x.org)", "[t](www.x.org)", "[t]()", "[t](a b.md)", "[t] (a.md)",
        "[^1]: a.md", "[x]", "a](b.md)", "[t](<https://x.org>)", "![](data:image/png;base64,AA)", "if [[ a ]",
        "[[0, 0], [1, 1]]", "[[a]b]]", "[[|x]]",
    ],
)  # fmt: skip
def test_what_is_no_link_is_none(text):
    assert found(text) == []


def test_an_embed_is_one_with_its_size_and_an_image_in_a_link_is_another():
    text = "![[a.png|200]] ![[b.pdf#page=3]] [![i](c.png)](d.md) \\![[e]]"
    seen = [(link.embed, link.target, link.anchor, link.label) for link in parse_links(text)]
    assert seen == [
        (True, "a.png", "", "200"),
        (True, "b.pdf", "page=3", ""),
        (False, "d.md", "", "![i](c.png)"),
        (True, "c.png", "", "i"),
        (False, "e", "", ""),
    ]


def test_a_place_is_told_in_lines_and_characters_and_by_its_span():
    text = "a\r\nüü ![[x|y]]\n\n[t][r] 漢 [u](<v w.md#z>)\n\n[r]: ../q.md\n"
    one, two, three = parse_links(text)
    assert (one.line, one.column, text[one.start : one.end], text[one.target_start : one.target_end]) == (
        2,
        4,
        "![[x|y]]",
        "x",
    )
    assert (two.line, two.column, text[two.start : two.end], text[two.target_start : two.target_end]) == (
        4,
        1,
        "[t][r]",
        "../q.md",
    )
    assert (three.line, three.column, text[three.target_start : three.target_end]) == (4, 10, "v w.md")


def test_values_of_the_frontmatter_hold_links_and_its_comments_and_lists_do_not():
    meta = (
        '---\nup: "[[Up|u]]"\nmany:\n  - [[bare]]\n  - "[t](x.md)"\nnested: [[1, 2]]\n# [[no]]\n'
        "said: see [[there]] too\n---\n"
    )
    seen = parse_links(f"{meta}[[b]]", len(meta))
    assert [(link.target, link.in_frontmatter, link.line) for link in seen] == [
        ("Up", True, 2),
        ("bare", True, 4),
        ("x.md", True, 5),
        ("there", True, 8),
        ("b", False, 10),
    ]


SIGNS = [*"[]()<>|#^!`$%~-\\\n\" '.ax/:&", "[[", "]]", "](", "```", "\n\n", "    ", "<!--", "-->", "é"]
MARKDOWN = st.lists(st.sampled_from(SIGNS)).map("".join)


@given(MARKDOWN)
def test_links_are_in_order_and_lie_where_they_say(text):
    seen = parse_markup(text)
    assert [link.start for link in seen.links] == sorted(link.start for link in seen.links)
    for link in seen.links:
        assert 0 <= link.start < link.end <= len(text)
        assert link.target_start <= link.target_end
        assert text[: link.start].count("\n") + 1 == link.line
        assert link.start - (text.rfind("\n", 0, link.start) + 1) + 1 == link.column
        if link.is_wiki:
            assert link.start <= link.target_start <= link.target_end <= link.end
            assert text[link.target_start : link.target_end] == link.target
    ends = [end for span in seen.literal for end in span]
    assert ends == sorted(ends)


@given(st.text(max_size=40), st.lists(st.sampled_from(["[[x]]", "[t](y.md)", "`[[z]]`"]), max_size=3))
def test_a_link_is_found_whatever_paragraph_stands_before(before, written):
    text = (
        f"{before}\n\n".replace("`", "").replace("~", "").replace("<", "").replace("%", "").replace("$", "")
    )
    text = text.replace("[", "").replace("\\", "") + "\n\nend " + " ".join(written)
    assert len(parse_links(text)) == sum(not one.startswith("`") for one in written)


@pytest.mark.parametrize(
    ("anchor", "there"),
    [
        ("Start", True), ("start", True), ("End: of (it)?", True), ("End of it", True), ("Start#Deep", True),
        ("End of it#Deep", False), ("Nope", False), ("^b-1", True), ("^B-1", True), ("^nope", False),
        ("", True),
        ("end-of-it", True), ("deep-1", True), ("deep-2", False), ("See x y", True), ("set-here", True),
        ("Set_Here", False), ("top", True), ("L12", True), ("L1-L3", True), ("Long", False),
    ],
)  # fmt: skip
def test_an_anchor_is_compared_as_obsidian_and_renderers_do(anchor, there):
    heads = ((1, "Title"), (2, "Start"), (3, "Deep"), (2, "End: of *it*"), (2, "See [[x|y]]"), (2, "Deep"))
    assert NoteAnchors(heads, frozenset({"b-1"}), frozenset({"set-here"})).has(anchor) is there


def test_the_ids_of_blocks_stand_at_the_ends_of_lines_and_not_in_code():
    text = "para ^a1\n\n- item ^b\n^c\nx^no y ^no z\n```\ncode ^d\n```\n| t | ^E\r\n"
    assert block_ids(text, parse_markup(text).literal) == {"a1", "b", "c", "e"}
    assert heading_slug("How it *works*, 2 & 3") == "how-it-works-2--3"
    assert heading_slug("The _new_ `api_x` of [it](u.md) <b>!</b> {#id}") == "the-new-api_x-of-it-"
    assert heading_slug("People [![a](b.svg)](c) [![d](e)](f)") == "people--"
    text = '<a name="One"></a>\n<h2 class=x\n id=two>\n## Three {#three-3}\n{#no} x <a href="name=no">'
    assert explicit_anchors(text) == {"one", "two", "three-3"}


def test_tags_are_those_that_obsidian_sees():
    text = (
        "# Head #one\n#two/three, #é_ü-漢 (#no) x#no #123 #y2024 `#no` [[x #no]] #emoji🔥/ ##no # no\n"
        "[t](#no) https://x.org/#no <span style='color: #fff'>\n```\n#no\n```\n#last"
    )
    seen = parse_markup(text)
    spans = sorted([*seen.literal, *((link.start, link.end) for link in seen.links)])
    names = [tag.name for tag in inline_tags(text, 0, spans)]
    assert names == ["one", "two/three", "é_ü-漢", "y2024", "emoji🔥", "last"]
    assert inline_tags(text, 0, spans)[-1].line == text.count("\n") + 1


def test_tags_are_counted_once_a_note_and_nested_ones_for_their_parents():
    table = TagTable([("1.md", ["a/b", "A/B", "c"]), ("2.md", ["a"]), ("3.md", ["a/d/e", "c"])])
    rows = table.counts()
    assert [(one.name, one.notes, one.nested) for one in rows] == [
        ("a", 1, 3), ("c", 2, 2), ("a/b", 1, 1), ("a/d", 0, 1), ("a/d/e", 1, 1),
    ]  # fmt: skip
    assert table.notes_with("A") == {"1.md", "2.md", "3.md"}
    assert table.notes_with("a/d") == {"3.md"}
    assert not table.notes_with("a/")
    assert is_under("Glaze/Celadon", "glaze")
    assert not is_under("glazes", "glaze")


def test_a_note_that_is_edited_keeps_the_place_of_its_spelling():
    table = TagTable([("1.md", ["Foo"]), ("2.md", ["foo"])])
    table.remove("1.md", ["Foo"])
    assert [count.name for count in table.counts()] == ["foo"]
    table.add("1.md", ["Foo", "bar"])
    assert [count.name for count in table.counts()] == ["Foo", "bar"]
