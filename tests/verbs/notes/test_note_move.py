"""note mv: every link leads where it led, no other byte changes, and a stop halfway is mended."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from memtool.core.notes.link_resolver import ResolvedLink, join_path
from memtool.errors import BadUsage
from memtool.verbs.notes.link_graph import LinkGraph, load_link_graph
from memtool.verbs.notes.note_move import move_note
from tests.examples import examples
from tests.faulty import FaultyDisk, Stopped
from tests.trees import contents, make, opened

FOLDERS = ["", "a", "a/b", "c"]
STEMS = ["x", "y", "X y", "ü", "x.y", "z (1)", "a", "100%", "it's", "R&D", "漢字"]
paths = st.builds(
    lambda folder, stem: f"{folder}/{stem}.md" if folder else f"{stem}.md",
    st.sampled_from(FOLDERS),
    st.sampled_from(STEMS),
)
targets = st.builds(
    lambda up, folder, stem, ending: up + (f"{folder}/{stem}" if folder else stem) + ending,
    st.sampled_from(["", "", "", "./", "../", "../../", "/"]),
    st.sampled_from([*FOLDERS, "b"]),
    st.sampled_from([*STEMS, "Title", "Other", "one", "20250115-1030", "nothing"]),
    st.sampled_from(["", "", ".md", ".MD"]),
)
WRITTEN = [
    "[[{}]]", "[[{}|shown]]", "[[{}#Head]]", "![[{}#^block|200]]", "| [[{}\\|shown]] |", "[[ {} ]]",
    "[t](<{}>)", "[t](<{}#Head> \"title\")", "![t]({enc})", "[t]({enc}#head)", "[t]({all})",
    "[t][r]\n\n[r]: {enc} 'title'\n", "`[[{}]]`", "```\n[[{}]]\n```", "<!-- [[{}]] -->", "$[[{}]]$",
]  # fmt: skip
links = st.tuples(targets, st.sampled_from(WRITTEN))
fields = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["Title", "Other", "x"]),
        "aliases": st.lists(st.sampled_from(["one", "x", "two"]), max_size=2),
        "id": st.sampled_from(["20250115-1030", "7"]),
        "up": targets,
    },
)


def encoded(target: str, *, all_of_it: bool) -> str:
    from urllib.parse import quote

    return quote(target, safe="/" if all_of_it else "/()'ü漢字&")


@st.composite
def notes(draw):
    meta = draw(fields)
    head = ""
    if meta:
        rows = [f"{key}: {value}" for key, value in meta.items() if key in {"title", "aliases"}]
        rows += [f'id: "{meta["id"]}"'] if "id" in meta else []
        rows += [f'up: "[[{meta["up"]}]]"  # above'] if "up" in meta else []
        head = "---\n" + "\n".join(rows) + "\n---\n"
    body = [
        form.format(target, enc=encoded(target, all_of_it=False), all=encoded(target, all_of_it=True))
        for target, form in draw(st.lists(links, max_size=4))
    ]
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return (head + "# Head\n\n" + "\n\nwords ".join(body) + " ^block\n").replace("\n", end)


trees = st.dictionaries(paths, notes(), min_size=1, max_size=6)
OFTEN = settings(max_examples=examples(120), database=None, suppress_health_check=[HealthCheck.too_slow])


def loaded(root: Path, disk=None) -> LinkGraph:
    return load_link_graph(opened(root, "obsidian", **({"disk": disk} if disk else {})), [])


def skeleton(known: LinkGraph, path: str) -> str:
    """A file's text without what its links name."""
    sheet = known.nodes[path]
    parts, done = [], 0
    for at, upto in sorted({(link.target_start, link.target_end) for link in sheet.markup.links}):
        parts += [sheet.text[done:at], "\0"]
        done = upto
    return "".join([*parts, sheet.text[done:]])


def leads(known: LinkGraph, path: str) -> list[str | None]:
    return [tie.target.path if isinstance(tie.target, ResolvedLink) else None for tie in known.links(path)]


def is_plain(tie) -> bool:
    """Whether a link leads somewhere in any reader of Markdown: by a path from its folder."""
    if tie.link.is_wiki or not tie.link.target or tie.target_path is None:
        return False
    if tie.link.target.startswith("/"):  # from the root of the site
        return False
    path = join_path(str(Path(tie.source.path).parent), tie.link.target) or ""
    return path.lower().removesuffix(".md") == tie.target_path.lower().removesuffix(".md")


def folders(known: LinkGraph) -> set[str]:
    return {str(parent) for path in known.nodes for parent in Path(path).parents}


@OFTEN
@given(trees, st.data())
def test_every_link_leads_where_it_led_and_no_other_byte_changes(tree, data):
    old = data.draw(st.sampled_from(sorted(tree)))
    to = data.draw(paths)
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder), tree)
        before = loaded(root)
        bytes_before = contents(root)
        try:
            moved = move_note(before.workspace, old, to, None, [])
        except BadUsage:
            assert to != old
            assert contents(root) == bytes_before
            return
        after = loaded(root)

    def there(path: str | None) -> str | None:
        return moved.new if path == moved.old else path

    assert {there(path) for path in before.nodes} == after.nodes.keys()
    changed = 0
    for path in before.nodes:
        assert skeleton(before, path) == skeleton(after, there(path))
        for tie, was, now in zip(
            before.links(path), leads(before, path), leads(after, there(path)), strict=True
        ):
            if was is not None and (was in before.nodes or was in folders(after)):
                assert there(was) == now, tie.text
        for old_tie, new_tie in zip(before.links(path), after.links(there(path)), strict=True):
            if is_plain(old_tie):
                assert is_plain(new_tie), (old_tie.text, new_tie.text)
        changed += path != moved.old and before.nodes[path].text != after.nodes[path].text
    assert changed == len(moved.files)


@settings(OFTEN, max_examples=25)
@given(trees, st.data())
def test_a_stop_anywhere_is_mended_by_the_same_call(tree, data):
    old = data.draw(st.sampled_from(sorted(tree)))
    to = data.draw(paths)
    title = data.draw(st.sampled_from([None, None, "New title"]))
    with tempfile.TemporaryDirectory() as folder:
        whole = make(Path(folder) / "whole", tree)
        disk = FaultyDisk(str(whole))
        try:
            moved = move_note(opened(whole, "obsidian", disk=lambda _: disk), old, to, title, [])
        except BadUsage:
            assume(False)
        expected = contents(whole)
        for stop_at in range(len(disk.done)):
            root = make(Path(folder) / str(stop_at), tree)
            stopping = FaultyDisk(str(root), stop_at)
            with pytest.raises(Stopped):
                move_note(opened(root, "obsidian", disk=lambda _, one=stopping: one), old, to, title, [])
            assert_nothing_lost(root, tree, expected)
            move_note(opened(root, "obsidian"), old, to, title, [])
            assert contents(root) == expected, (stop_at, disk.done[stop_at], moved)
            shutil.rmtree(root)


def assert_nothing_lost(root: Path, tree: dict[str, str], expected: dict[str, bytes]) -> None:
    """Between two steps each file is old or new, and the note is somewhere."""
    found = {path: text for path, text in contents(root).items() if not path.endswith(".memtool-tmp")}
    for path, content in found.items():
        assert content in {tree.get(path, "").encode(), expected.get(path)}
    assert found.keys() >= tree.keys() & expected.keys()
