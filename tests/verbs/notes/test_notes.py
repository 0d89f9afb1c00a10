"""Notes: made once, found by any name, in every layout; what links say of them; and whose they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtool.errors import BadUsage, OutsideWorkspace, UnreadableFile
from memtool.layouts.load import LAYOUT_NAMES
from memtool.store.files.disk import Disk
from memtool.verbs.notes import notes
from memtool.verbs.notes.link_graph import LinkGraph, load_link_graph
from memtool.verbs.notes.note_graph import build_graph
from memtool.verbs.notes.note_move import move_note
from memtool.verbs.notes.note_new import create_note
from tests.trees import NOW, contents, make, memtool, opened, scope_of

HEAD = "---\nid: {}\ntitle: {}\n---\n# {}\n\n"


def loaded(root: Path, layout: str = "obsidian", group: str | None = None) -> LinkGraph:
    workspace = opened(root, layout)
    return load_link_graph(workspace, [], scope_of(workspace, group))


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_note_is_made_shown_linked_and_moved_in_every_layout(name, tmp_path):
    workspace = opened(make(tmp_path, {}), name)
    one = create_note(workspace, "Kiln schedule", NOW, [], body="Slow. See [[Cone 6]].")
    two = create_note(workspace, "Cone 6", NOW, [], tags=["firing"], body=f"Not [[{Path(one.path).stem}]]?")
    known = load_link_graph(workspace, [])
    assert [sheet.path for sheet in known.notes()] == sorted([one.path, two.path])
    assert [tie.source.path for tie in known.backlinks(one.path)] == [two.path]
    assert oct((tmp_path / one.path).stat().st_mode)[-3:] == "600"
    assert notes.find_note(known, Path(two.path).stem).node.path == two.path
    assert known.nodes[two.path].tags == ("firing",)
    moved = move_note(workspace, one.path, "Program", None, [])
    assert Path(moved.new).name == "Program.md"
    after = load_link_graph(workspace, [])
    assert [tie.source.path for tie in after.backlinks(moved.new)] == [two.path]
    assert "[[Program]]" in after.nodes[two.path].text


def test_a_note_has_an_id_that_no_other_has_and_its_title_as_a_heading(tmp_path):
    workspace = opened(make(tmp_path, {}), "native")
    made = [create_note(workspace, title, NOW, []) for title in ("One", "Two", "one?!")]
    assert [one.id for one in made] == ["20250115-1030", "20250115-1030-2", "20250115-1030-3"]
    assert [Path(one.path).name for one in made] == ["one.md", "two.md", "one-2.md"]
    assert (tmp_path / made[0].path).read_text() == (
        "---\nid: 20250115-1030\ntitle: One\ncreated: 2025-01-15T10:30:00Z\ntags: []\n---\n# One\n"
    )


def test_the_same_note_is_made_once_and_another_of_its_title_is_refused(tmp_path):
    workspace = opened(make(tmp_path, {}), "native")
    first = create_note(workspace, "Tea", NOW, [], tags=["a"], body="hot\r\n")
    assert create_note(workspace, "Tea", NOW, [], tags=["#a"], body="hot").path == first.path
    with pytest.raises(BadUsage, match=r"inbox/tea\.md already has this title"):
        create_note(workspace, "tea", NOW, [], body="cold")
    assert len(contents(tmp_path)) == 1


@pytest.mark.parametrize(
    ("title", "slug", "name"),
    [
        ("C++ & Rust", "c-rust.md", "C++ & Rust.md"),
        ("../../etc/passwd", "etc-passwd.md", "etc passwd.md"),
        ("Ünï 漢字 हिन्दी", "ünï-漢字-हिन्दी.md", "Ünï 漢字 हिन्दी.md"),
        ("🔥", "20250115-1030.md", "🔥.md"),
        ("a|b#c^[d]: \"e\"?", "a-b-c-d-e.md", "a b c d e.md"),
        ("x" * 200, "x" * 150 + ".md", "x" * 150 + ".md"),
        ("\x1b[31mred\x07\u202e", "red.md", "red.md"),
        (".hidden", "hidden.md", "hidden.md"),
    ],
)  # fmt: skip
def test_a_title_becomes_a_file_name_that_every_system_takes(title, slug, name, tmp_path):
    for layout, expected in (("native", slug), ("obsidian", name)):
        made = create_note(opened(make(tmp_path / layout, {}), layout), title, NOW, [])
        assert Path(made.path).name == expected
        assert notes.find_note(loaded(tmp_path / layout, layout), made.title).node.path == made.path


@pytest.mark.parametrize("bad", ["", "  \n", "x" * 201])
def test_what_is_no_title_is_refused(bad, tmp_path):
    with pytest.raises(BadUsage, match=r"title is empty|at most 200"):
        create_note(opened(make(tmp_path, {}), "native"), bad, NOW, [])


@pytest.mark.parametrize("bad", ["two words", "123", "", "#", "a,b", "[x]", "a:b"])
def test_what_is_no_tag_is_refused(bad, tmp_path):
    with pytest.raises(BadUsage, match=r"^invalid tag "):
        create_note(opened(make(tmp_path, {}), "native"), "T", NOW, [], tags=[bad])


@pytest.mark.parametrize("to", ["/etc", "../x", "memory/core", ".obsidian", "memory/../x", "a\0b"])
def test_a_note_goes_nowhere_but_among_notes(to, tmp_path):
    files = {"memory/core/AGENT.md": "x", "memory/notes/t.md": "# T\n"}
    workspace = opened(make(tmp_path / "w", files), "native")
    with pytest.raises((BadUsage, OutsideWorkspace)):
        create_note(workspace, "T2", NOW, [], to=to)
    with pytest.raises((BadUsage, OutsideWorkspace)):
        move_note(workspace, "memory/notes/t.md", f"{to}/t.md", None, [])
    assert {path.name for path in tmp_path.iterdir()} == {"w"}


def test_secrets_and_controls_reach_no_note(tmp_path):
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    made = create_note(
        opened(make(tmp_path, {}), "native"), f"Key {key}", NOW, [], body=f"{key}\x1b[2J \u202eabc"
    )
    assert key not in made.path
    text = (tmp_path / made.path).read_text()
    assert key not in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_note_is_found_by_path_id_title_name_and_alias_and_what_is_unclear_is_said(tmp_path):
    known = loaded(
        make(
            tmp_path,
            {
                "a/kiln.md": HEAD.format("7", "The kiln", "The kiln"),
                "b/kiln.md": "---\naliases: oven, stove\nname: heat\n---\n",
                "202501151030 Cone.md": "x\n",
            },
        )
    )
    for name in ("a/kiln.md", "7", "the KILN"):
        assert notes.find_note(known, name).node.path == "a/kiln.md"
    assert notes.find_note(known, "stove").node.path == "b/kiln.md"
    assert notes.find_note(known, "heat").node.path == "b/kiln.md"
    assert notes.find_note(known, "202501151030").node.path == "202501151030 Cone.md"
    assert notes.find_note(known, "kiln").others == ("b/kiln.md",)
    assert notes.find_note(known, "nothing") is None
    assert notes.similar_titles(known, "the klin") == ("The kiln",)


def test_links_that_lead_nowhere_are_told_with_the_reason_and_others_are_not(tmp_path):
    text = (
        "[[gone]] [[b#Head]] [[b#Nope]] [[b#^id]] [[b#^no]] [[#Own]] ![[p.png]] ![[q.png]]\n"
        "[x](sub/) [x](y.md) [o](../../outside.md) [d](.hidden/z.txt) [w](https://x.org) `[[gone]]`\n"
        "[[doc.pdf#page=3]]\n\n# Own\n"
    )
    known = loaded(
        make(
            tmp_path,
            {
                "a.md": text,
                "b.md": "# Head\n\npara ^id\n",
                "p.png": b"\x89PNG",
                "sub/c.md": "[[a]]",
                ".hidden/z.txt": "x",
                "doc.pdf": b"%PDF",
            },
        )
    )
    assert [(tie.link.target, tie.link.anchor, fault) for tie, fault in notes.broken_links(known)] == [
        ("gone", "", "unwritten"),
        ("b", "Nope", "heading"),
        ("b", "^no", "block"),
        ("q.png", "", "missing"),
        ("y.md", "", "missing"),
    ]


def test_what_a_wikilink_calls_by_name_may_lie_beside_memory(tmp_path):
    files = {
        "memory/notes/zettel/a.md": "![[p.png]] [[Plan]] ![[q.png]] [p](p.png)\n",
        "assets/deep/P.png": b"\x89PNG",
        "docs/plan.md": "x",
    }
    known = loaded(make(tmp_path, files), "native")
    assert [tie.text for tie, _ in notes.broken_links(known)] == ["![[q.png]]", "[p](p.png)"]


def test_in_claudes_memory_a_link_to_what_is_not_written_yet_is_no_fault(tmp_path):
    files = {
        "MEMORY.md": "- [Role](user_role.md) — what\n",
        "user_role.md": "---\nname: user-role\n---\nSee [[other-fact]] and [[user-role]].\n",
        "more.md": "---\nname: more\n---\n[[user-role]] ![[nope]]\n",
    }
    known = loaded(make(tmp_path, files), "claude-code")
    assert [(tie.link.target, fault) for tie, fault in notes.broken_links(known)] == [
        ("nope", "missing"),
        ("other-fact", "unwritten"),
    ]
    assert [tie.source.path for tie in known.backlinks("user_role.md")] == ["MEMORY.md", "more.md"]
    assert [sheet.path for sheet in notes.find_orphans(known)] == ["more.md"]


def test_an_orphan_is_a_note_that_nothing_links_to_but_a_map_that_leads_on_is_none(tmp_path):
    files = {
        "memory/notes/maps/m.md": "[[a]]",
        "memory/notes/maps/empty.md": "nothing",
        "memory/notes/zettel/a.md": "[[a]] [[m.png]]",
        "memory/notes/zettel/b.md": "[[a]]",
        "memory/notes/zettel/c.md": "x",
        "MEMORY.md": "- see [[c]]\n",
    }
    known = loaded(make(tmp_path, files), "native")
    assert [sheet.path for sheet in notes.find_orphans(known)] == [
        "memory/notes/maps/empty.md",
        "memory/notes/zettel/b.md",
    ]


def test_the_words_around_a_link_are_shown(tmp_path):
    long = "word " * 40
    files = {"a.md": f"- {long}[[b]] {long}\n\n  short [[b]]  \n", "b.md": "x"}
    first, second = [notes.link_context(tie) for tie in loaded(make(tmp_path, files)).backlinks("b.md")]
    assert "[[b]]" in first
    assert first.startswith("…")
    assert first.endswith("…")
    assert len(first) <= 162
    assert second == "short [[b]]"


def test_tags_of_the_frontmatter_and_the_text_are_one_list(tmp_path):
    files = {
        "a.md": "---\ntags: [Glaze/Celadon, kiln]\n---\ntext #glaze and #kiln\n",
        "b.md": "---\ntags: kiln glaze\n---\n",
        "c.md": "\n\n#kiln/electric `#no`\n",
        "d.md": "---\nTag: one, two three\nalias: Dee\n---\n[[dee]]\n",
        "e.md": "---\ntags: [four]\nTAG: five\nAliases:\n  - Eee\nalias: Ee\n---\n",
    }
    known = loaded(make(tmp_path, files))
    assert [(one.name, one.notes, one.nested) for one in notes.workspace_tags(known)] == [
        ("kiln", 2, 3),
        ("Glaze", 2, 2),
        ("five", 1, 1),
        ("four", 1, 1),
        ("Glaze/Celadon", 1, 1),
        ("kiln/electric", 1, 1),
        ("one", 1, 1),
        ("three", 1, 1),
        ("two", 1, 1),
    ]
    assert known.nodes["e.md"].head.aliases == ("Eee", "Ee")
    assert known.links("d.md")[0].target_path == "d.md"
    assert [(sheet.path, line) for sheet, line in notes.find_tagged(known, "KILN")] == [
        ("a.md", 2),
        ("b.md", 2),
        ("c.md", 3),
    ]
    assert list(notes.find_tagged(known, "five")) == [(known.nodes["e.md"], 3)]


def test_a_new_title_goes_to_the_frontmatter_the_heading_the_file_and_every_link(tmp_path):
    kiln = "---\nid: 7\ntitle: Old kiln  # mine\ntags: [x]\n---\n# Old kiln\n\n[[#Old kiln]] [s](#old-kiln)\n"
    files = {
        "memory/notes/zettel/old-kiln.md": kiln,
        "memory/notes/zettel/b.md": (
            "[[Old kiln]] [[old-kiln|k]] [[7]] [[Old kiln#Old kiln]] [m](old-kiln.md#old-kiln)\n"
        ),
    }
    workspace = opened(make(tmp_path, files), "native")
    moved = move_note(workspace, "old kiln", None, "New: kiln", [])
    assert moved.new == "memory/notes/zettel/new-kiln.md"
    assert (tmp_path / moved.new).read_text() == (
        '---\nid: 7\ntitle: "New: kiln"  # mine\ntags: [x]\n---\n# New: kiln\n\n'
        "[[#New: kiln]] [s](#new-kiln)\n"
    )
    assert (tmp_path / "memory/notes/zettel/b.md").read_text() == (
        "[[New: kiln]] [[new-kiln|k]] [[7]] [[New: kiln#New: kiln]] [m](new-kiln.md#new-kiln)\n"
    )
    assert not list(notes.broken_links(load_link_graph(workspace, [])))


def test_a_moved_note_keeps_its_mode_and_what_lay_outside_is_still_reached(tmp_path):
    files = {
        "vault/.obsidian/app.json": "{}",
        "vault/a/n.md": "[o](../../out.txt) [h](../.obsidian/app.json) [g](gone.md) [[x]] [[./b]]\n",
        "vault/a/b/p.png": "p",
        "vault/x.md": "x",
        "out.txt": "o",
    }
    make(tmp_path, files)
    root = tmp_path / "vault"
    (root / "a/n.md").chmod(0o644)
    moved = move_note(opened(root), "a/n.md", "a/b/c/n.md", None, [])
    text = (root / moved.new).read_text()
    assert text == (
        "[o](../../../../out.txt) [h](../../../.obsidian/app.json) [g](gone.md) [[x]] [[../../b]]\n"
    )
    moved = move_note(opened(root), moved.new, "a/b/n.md", None, [])
    assert (root / moved.new).read_text().endswith("[[x]] [[../b]]\n")
    assert oct((root / moved.new).stat().st_mode)[-3:] == "644"
    assert not (root / "a/n.md").exists()


@pytest.mark.parametrize(
    "name", ["a#b", "a^b", "a[b", "a]b", "a|b", "a\\b", "a\x1bb", "a\u202eb", "  ", " a", "a ", "b / a"]
)
def test_a_name_that_links_cannot_hold_is_refused(name, tmp_path):
    root = make(tmp_path, {"n.md": "x", "m.md": "[[n]]"})
    with pytest.raises(BadUsage):
        move_note(opened(root, "obsidian"), "n.md", name, None, [])
    assert contents(root) == {"n.md": b"x", "m.md": b"[[n]]"}


def test_a_path_from_a_folder_stays_one_for_readers_that_know_no_names(tmp_path):
    text = "[n](n.md) [n](./n.md#h) ![n](<n.md>) [r] [[n]] [[n.md]]\n\n[r]: n 't'\n"
    root = make(
        tmp_path, {"n.md": "[m](m.md) [p](p.png)", "m.md": text, "a/b.md": "[n](../n.md)", "p.png": "p"}
    )
    move_note(opened(root, "obsidian"), "n.md", "a/", None, [])
    assert contents(root) == {
        "a/n.md": b"[m](../m.md) [p](../p.png)",
        "m.md": b"[n](a/n.md) [n](./a/n.md#h) ![n](<a/n.md>) [r] [[n]] [[n.md]]\n\n[r]: a/n 't'\n",
        "a/b.md": b"[n](n.md)",
        "p.png": b"p",
    }


def test_a_colon_in_a_name_makes_no_web_address_of_a_link(tmp_path):
    root = make(tmp_path, {"n.md": "x", "m.md": "[[n]] [n](n.md) [n](<n.md>) [r]\n\n[r]: n.md#top\n"})
    move_note(opened(root, "obsidian"), "n.md", "note: 12:30?", None, [])
    assert len(loaded(root).backlinks("note: 12:30?.md")) == 4
    assert (
        (root / "m.md").read_text().startswith("[[note: 12:30?]] [n](note%3A%2012%3A30%3F.md) [n](<note%3A")
    )


def test_what_is_taken_unclear_or_no_note_is_not_moved(tmp_path):
    files = {
        "MEMORY.md": "# M\n",
        "memory/notes/a/x.md": "---\ntitle: T\n---\n",
        "memory/notes/b/x.md": "---\ntitle: U\n---\n",
        "memory/notes/b/Y.md": "y",
    }
    workspace = opened(make(tmp_path, files), "native")
    before = contents(tmp_path)
    for name, to, title, said in [
        ("x", "z", None, r"^'x' is ambiguous \(memory/notes/a/x.md, memory/notes/b/x.md\)"),
        ("memory/notes/a/x.md", "memory/notes/b/x.md", None, "already exists; nothing was moved"),
        ("memory/notes/b/x.md", "y", None, "already exists; nothing was moved"),
        ("MEMORY.md", "memory/notes/m", None, "has the role long-term, whose paths are fixed by the layout"),
        ("memory/notes/a/x.md", "./MEMORY2.md", None, "not a path for notes"),
        ("memory/notes/a/x.md", "/", None, "^/x.md is outside the workspace"),
        ("memory/notes/a/x.md", None, "u", "already has this title"),
        ("memory/notes/a/x.md", None, " ", "the title is empty"),
    ]:
        with pytest.raises((BadUsage, OutsideWorkspace), match=said):
            move_note(workspace, name, to, title, [])
    assert move_note(workspace, "nothing", "x", None, []) is None
    assert move_note(workspace, "memory/notes/a/x.md", "memory/notes/a/", None, []).plan == ()
    assert contents(tmp_path) == before


def test_bytes_that_are_not_utf8_and_crlf_survive_a_move(tmp_path):
    content = b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\nl\xe9gende [[n]]\r\n\xff [x](n.md)"
    root = make(tmp_path, {"a.md": content, "n.md": b"\xfe [[a]]\r\n"})
    move_note(opened(root, "obsidian"), "n.md", "sub/m.md", None, [])
    assert contents(root) == {
        "a.md": content.replace(b"[[n]]", b"[[m]]").replace(b"(n.md)", b"(sub/m.md)"),
        "sub/m.md": b"\xfe [[a]]\r\n",
    }


def test_a_value_of_the_frontmatter_stays_valid_yaml(tmp_path):
    text = '---\none: "[[n]]"\ntwo: \'[[n|x]]\'\nthree: [[n]]\nfour:\n  - "[[n]] and [[n]]"\n---\n'
    root = make(tmp_path, {"a.md": text, "n.md": "x"})
    move_note(opened(root, "obsidian"), "n.md", 'It\'s "n"', None, [])
    after = loaded(root)
    assert len(after.backlinks('It\'s "n".md')) == 5
    assert after.nodes["a.md"].head.meta["one"] == '[[It\'s "n"]]'
    assert after.nodes["a.md"].head.meta["two"] == '[[It\'s "n"|x]]'


def test_a_move_is_decided_anew_on_a_file_that_changed_meanwhile(tmp_path):
    class ChangingDisk(Disk):
        """Another writer changes b.md before the first write."""

        def check(self, path, expect):
            if (root / "b.md").read_text() == "[[n]]":
                (root / "b.md").write_text("changed [[n]]")
            return super().check(path, expect)

    root = make(tmp_path, {"a.md": "[[n]]", "b.md": "[[n]]", "n.md": "x"})
    move_note(opened(root, "obsidian", disk=ChangingDisk), "n.md", "m", None, [])
    assert contents(root) == {"a.md": b"[[m]]", "b.md": b"changed [[m]]", "m.md": b"x"}


def test_a_group_sees_links_and_moves_its_own_alone(tmp_path):
    files = {
        "MEMORY.md": "# M\n[[trip]] [[secret]]\n",
        "memory/secret.md": "the root's\n",
        "groups/family/MEMORY.md": "[[trip]] [[secret]]\n",
        "groups/family/memory/trip.md": "[[plan]]\n",
        "groups/work/memory/plan.md": "work's\n",
        "groups/global/MEMORY.md": "[[trip]]\n",
    }
    root = make(tmp_path, files)
    known = loaded(root, "nano", group="family")
    assert set(known.nodes) == {
        "groups/family/MEMORY.md",
        "groups/family/memory/trip.md",
        "groups/global/MEMORY.md",
    }
    assert notes.find_note(known, "secret") is None
    assert [tie.link.target for tie, _ in notes.broken_links(known)] == ["secret", "plan"]
    workspace = opened(root, "nano")
    scope = scope_of(workspace, "family")
    moved = move_note(workspace, "trip", "journey", None, [], scope=scope)
    assert moved.files == ("groups/family/MEMORY.md",)
    assert (root / "MEMORY.md").read_text() == "# M\n[[trip]] [[secret]]\n"
    made = create_note(opened(root, "nano"), "Packing", NOW, [], scope=scope)
    assert made.path == "groups/family/memory/packing.md"
    acting = {"MEMTOOL_GROUP": "family", "MEMTOOL_LAYOUT": "nano"}
    refused = memtool("note", "show", "secret", home=tmp_path, cwd=root, environment=acting)
    assert refused.returncode == 1
    assert refused.stdout == ""


def test_a_graph_has_notes_what_is_linked_and_what_is_missing(tmp_path):
    files = {
        "memory/notes/a.md": "[[b]] [[b]] [[Gone.v2]] ![[gone.png]] [[a]] [x](https://x.org)",
        "memory/notes/b.md": "#tea [[MEMORY]]",
        "memory/notes/alone.md": "x",
        "MEMORY.md": "# M\n",
        "AGENTS.md": "unlinked\n",
    }
    known = loaded(make(tmp_path, files), "native")
    whole = build_graph(known, tags=True)
    assert [(node.id, node.kind) for node in whole.nodes] == [
        ("#tea", "tag"),
        ("?gone.v2", "missing"),
        ("MEMORY.md", "page"),
        ("memory/notes/a.md", "note"),
        ("memory/notes/alone.md", "note"),
        ("memory/notes/b.md", "note"),
    ]
    named = [(whole.nodes[e.source].id, whole.nodes[e.target].id, e.count) for e in whole.edges]
    assert named == [
        ("memory/notes/a.md", "?gone.v2", 1),
        ("memory/notes/a.md", "memory/notes/b.md", 2),
        ("memory/notes/b.md", "#tea", 1),
        ("memory/notes/b.md", "MEMORY.md", 1),
    ]
    start = known.nodes["memory/notes/a.md"]
    near = build_graph(known, start=start, depth=1)
    assert [node.id for node in near.nodes] == ["?gone.v2", "memory/notes/a.md", "memory/notes/b.md"]
    assert [node.id for node in build_graph(known, start=start, depth=0).nodes] == ["memory/notes/a.md"]
    assert len(build_graph(known, start=start, depth=9).nodes) == 4


def test_what_is_not_read_is_said(tmp_path):
    root = make(tmp_path, {"a.md": "[[b]]", "b.md": "x" * 50})
    notices: list[str] = []
    known = load_link_graph(opened(root, "obsidian", MEMTOOL_SEARCH_MAX_FILE_BYTES="20"), notices)
    assert notices == ["b.md is too large (50 bytes); its links were not read"]
    assert [known.fault(tie) for tie in known.links("a.md")] == [""]
    for action, code in (("orphans", 1), ("broken", 0)):
        result = memtool(
            "--root", str(root), "--layout", "obsidian", "note", action, home=tmp_path.parent,
            environment={"MEMTOOL_SEARCH_MAX_FILE_BYTES": "60"},
        )  # fmt: skip
        assert result.returncode == code
    result = memtool(
        "--root", str(root), "--layout", "obsidian", "note", "broken", home=tmp_path.parent,
        environment={"MEMTOOL_SEARCH_MAX_FILE_BYTES": "20"},
    )  # fmt: skip
    assert result.returncode == 3
    assert "too large" in result.stderr


@pytest.mark.parametrize("content", ["# Kiln\n".encode("utf-16"), b"# Kiln\n\0"])
def test_a_note_that_does_not_read_is_called_unreadable_and_not_missing(content, tmp_path):
    root = make(tmp_path, {"kiln.md": content})
    why = "contains NUL bytes, as UTF-16 text does; save the file as UTF-8"
    for name, said in (("kiln", f"'kiln' refers to kiln.md, which {why}"), ("kiln.md", f"kiln.md {why}")):
        for arguments in (["show", name], ["links", name], ["mv", name, "oven"], ["graph", "--from", name]):
            result = memtool(
                "--root", str(root), "--layout", "obsidian", "note", *arguments, home=tmp_path.parent
            )
            assert (result.returncode, result.stderr) == (14, f"memtool: {said}\n")
    assert contents(root)["kiln.md"] == content


@pytest.mark.parametrize("form", ["svg", "html"])
def test_a_picture_is_the_same_in_every_process(form, tmp_path):
    files = {f"{n}.md": f"# Note {n}\n[[{n // 2}]] [[{n * 7 % 20}]]\n" for n in range(20)}
    root = make(tmp_path / "notes", files)
    pictures = [
        memtool(
            *("--root", str(root), "--layout", "obsidian", "note", "graph", "--format", form),
            home=tmp_path,
            cwd=root,
            environment={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert pictures[0] == pictures[1] != ""


def test_a_picture_without_the_library_names_the_extra_and_the_other_formats_need_none(tmp_path):
    root = make(tmp_path / "notes", {"a.md": "# A\n[[b]]\n", "b.md": "# B\n"})
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['igraph'] = None\n")
    without = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[3]}"}

    def drawn(form: str) -> tuple[int, str, str]:
        arguments = ("--root", str(root), "--layout", "obsidian", "note", "graph", "--format", form)
        result = memtool(*arguments, home=tmp_path, cwd=root, environment=without)
        return result.returncode, result.stdout, result.stderr

    for form in ("svg", "html"):
        code, out, err = drawn(form)
        assert (code, out) == (18, "")
        assert "pip install '.[graph]'" in err
    assert [drawn(form)[0] for form in ("dot", "mermaid", "json")] == [0, 0, 0]


def test_a_note_that_is_too_large_is_said_to_be(tmp_path):
    known = load_link_graph(
        opened(make(tmp_path, {"b.md": "x" * 50}), "obsidian", MEMTOOL_SEARCH_MAX_FILE_BYTES="20"), []
    )
    with pytest.raises(UnreadableFile, match=r"'b' refers to b\.md, which is too large"):
        notes.find_note(known, "b")


def test_odd_files_are_passed_by_and_never_fatal(tmp_path):
    root = make(
        tmp_path,
        {
            "nul.md": b"a\0[[x]]",
            "broken.md": "---\ntitle: [oops\n---\n[[fine]]\n",
            "fine.md": "x",
            "deep/" * 10 + "x.md": "[[fine]]",
            "huge.md": "[[fine]] " * 20_000,
            "%2e%2e.md": "[[fine]]",
            "tem.md": "<%* tR += '[[x]]' %>\n[[<% tp.file.title %>]] [[fine]]",
        },
    )
    (root / "link.md").symlink_to("/etc/passwd")
    os.mkfifo(root / "pipe.md")
    known = loaded(root)
    assert "link.md" not in known.nodes
    assert len(known.backlinks("fine.md")) == 20_003  # a name that is refused as a path is left out
    assert not list(notes.broken_links(known))


def test_a_secret_given_as_a_tag_is_not_repeated(tmp_path):
    with pytest.raises(BadUsage, match="REDACTED") as refused:
        create_note(opened(make(tmp_path, {}), "native"), "T", NOW, [], tags=["password: hunter2x9"])
    assert "hunter2x9" not in str(refused.value)


def test_a_note_of_a_vault_is_called_as_its_file_whatever_its_heading(tmp_path):
    files = {"Rust.md": "# Actionable goals\n", "a/One.md": "# References\n\n[[Rust]] [[Actionable goals]]\n"}
    root = make(
        tmp_path, {**files, "a/Two.md": "# References\n", "b.md": "---\ntitle: Bee\n---\n# References\n"}
    )
    graph = loaded(root)
    assert [note.head.title for note in graph.notes()] == ["Rust", "One", "Two", "Bee"]
    assert [edge.target_path for edge in graph.links("a/One.md")] == ["Rust.md", None]
    moved = move_note(graph.workspace, "Rust", None, "Iron oxide", [])
    assert (moved.new, moved.links) == ("Iron oxide.md", 1)
    assert (root / "Iron oxide.md").read_text() == files["Rust.md"]
    assert (root / "a/One.md").read_text() == files["a/One.md"].replace("[[Rust]]", "[[Iron oxide]]")


def test_a_link_whose_new_anchor_has_no_space_does_not_become_a_url(tmp_path):
    note, other = "memory/notes/maps/kiln:12.md", "memory/notes/maps/a.md"
    files = {
        note: "# Kiln notes\n",
        other: "[x](<kiln:12.md#Kiln notes>)\n",
        "memtool.toml": 'layout = "native"\n',
    }
    root = make(tmp_path / "w", files)
    assert memtool("note", "mv", note, "--title", "kiln", home=tmp_path, cwd=root).returncode == 0
    assert (root / other).read_text() == "[x](<kiln%3A12.md#kiln>)\n"


@pytest.mark.parametrize(
    ("text", "target", "reason"),
    [
        ("---\nup: [[kiln]]\n---\n", "@oven", "path in its links, the frontmatter would not be valid YAML"),
        (
            "See `[[kiln]] and [[kiln]]\n",
            "a`b",
            "path, a link such as '[[kiln]]' would no longer be read as a link",
        ),
    ],
)
def test_a_link_that_cannot_be_updated_is_refused_with_the_reason(tmp_path, text, target, reason):
    root = make(tmp_path / "w", {"kiln.md": "# Kiln\n", "a.md": text, ".obsidian/app.json": "{}"})
    before = contents(root)
    result = memtool("note", "mv", "kiln", f"{target}.md", home=tmp_path, cwd=root)
    assert (result.returncode, result.stdout) == (14, "")
    assert f"a.md: with the new {reason}" in result.stderr
    assert contents(root) == before
