"""Names: a link leads to the file that Obsidian would open, or to the one of that id, title or alias."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.notes.link_resolver import (
    LinkResolver,
    MissingTarget,
    NoteNames,
    OutsideTarget,
    ResolvedLink,
    join_path,
    link_key,
    link_keys,
)

FILES = [
    "a.md", "x/a.md", "x/y/b.md", "z/b.md", "img/p.png", "x/Ünï.md", "202411030900 Celadon.md", "Case.md",
    "q/case.md", "v1.2.md", "note", "d/readme.txt",
]  # fmt: skip
NAMES = LinkResolver(
    FILES,
    [
        NoteNames("x/y/b.md", id="20241103-0900", title="Bee Title", aliases=("Bee", "a")),
        NoteNames("z/b.md", title="Bee title"),
        NoteNames("202411030900 Celadon.md"),
    ],
)


@pytest.mark.parametrize(
    ("target", "source", "path", "by"),
    [
        ("a", "x/q.md", "a.md", "path"),
        ("x/a", "z/b.md", "x/a.md", "path"),
        ("y/b", "a.md", "x/y/b.md", "name"),
        ("y/b", "x/a.md", "x/y/b.md", "path"),
        ("b", "z/q.md", "z/b.md", "path"),
        ("b", "x/q.md", "x/y/b.md", "name"),
        ("B.MD", "z/q.md", "z/b.md", "path"),
        ("../a", "x/q.md", "a.md", "path"),
        ("./a", "x/q.md", "x/a.md", "path"),
        ("/x/a", "z/b.md", "x/a.md", "path"),
        ("p.png", "z/b.md", "img/p.png", "name"),
        ("v1.2", "x/q.md", "v1.2.md", "path"),
        ("note", "x/q.md", "note", "path"),
        ("Ünï", "z/b.md", "x/Ünï.md", "name"),
        (unicodedata.normalize("NFD", "ünï"), "z/b.md", "x/Ünï.md", "name"),
        ("202411030900", "z/b.md", "202411030900 Celadon.md", "id"),
        ("20241103-0900", "z/b.md", "x/y/b.md", "id"),
        ("bee", "z/b.md", "x/y/b.md", "alias"),
        ("Case", "q/z.md", "Case.md", "path"),
        ("case", "x/z.md", "Case.md", "path"),
        ("case", "q/z.md", "Case.md", "path"),
        ("q/case", "x/z.md", "q/case.md", "path"),
    ],
)
def test_a_wikilink_leads_where_obsidian_would_go(target, source, path, by):
    found = NAMES.resolve_target(target, source)
    assert isinstance(found, ResolvedLink)
    assert (found.path, found.matched_by) == (path, by)


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("a.md", "x/q.md", "x/a.md"),
        ("a.md", "z/b.md", "a.md"),
        ("../z/b.md", "x/a.md", "z/b.md"),
        ("y/b.md", "z/b.md", "x/y/b.md"),
        ("x/y", "a.md", "x/y"),
        ("../x/", "z/b.md", "x"),
    ],
)
def test_a_markdown_link_is_looked_for_from_its_folder_first(target, source, path):
    found = NAMES.resolve_target(target, source, wiki=False)
    assert isinstance(found, ResolvedLink)
    assert found.path == path


def test_what_could_be_several_files_is_said():
    assert NAMES.resolve_target("b", "a.md") == ResolvedLink("z/b.md", "name", ("x/y/b.md",))
    assert NAMES.resolve_target("bee title", "a.md") == ResolvedLink("z/b.md", "title", ("x/y/b.md",))
    assert NAMES.resolve_target("z/b", "a.md").others == ()


NEAR = LinkResolver(
    ["a/note.md", "b/Note.md", "img/p.png", "a/p.png.md", "p.png.md", "c/Note.md", "c/note.md"]
)


@pytest.mark.parametrize(
    ("target", "source", "path", "others"),
    [
        ("Note", "a/q.md", "a/note.md", ()),
        ("Note", "z/q.md", "b/Note.md", ("c/Note.md", "a/note.md", "c/note.md")),
        ("Note", "c/q.md", "c/Note.md", ()),
        ("note", "c/q.md", "c/note.md", ()),
        ("p.png", "a/q.md", "img/p.png", ()),
        ("p.png", "q.md", "img/p.png", ()),
        ("p.png.md", "a/q.md", "p.png.md", ()),
    ],
)
def test_what_is_near_counts_for_more_than_how_it_is_spelled_and_a_picture_for_more_than_a_note_about_it(
    target, source, path, others
):
    found = NEAR.resolve_target(target, source)
    assert isinstance(found, ResolvedLink)
    assert (found.path, found.others) == (path, others)


def test_what_is_nowhere_says_where_it_was_looked_for_and_what_is_outside_that_nothing_is_known():
    assert NAMES.resolve_target("nope", "x/q.md") == MissingTarget(("nope", "x/nope"))
    assert NAMES.resolve_target("nope.md", "x/q.md", wiki=False) == MissingTarget(("x/nope.md", "nope.md"))
    assert NAMES.resolve_target("/a/b", "x/q.md") == MissingTarget(("a/b",))
    assert NAMES.resolve_target("../../a", "x/q.md") == OutsideTarget("../../a")
    assert NAMES.resolve_target("bee", "x/q.md", wiki=False) == MissingTarget(("x/bee", "bee"))
    assert NAMES.resolve_target("x", "a.md") == MissingTarget(("x",))


steps = st.sampled_from(["a", "b", "c d", "é", ".", "..", ""])
paths = st.lists(steps, min_size=1, max_size=4).map("/".join)


@given(st.lists(st.sampled_from("abc"), max_size=3).map("/".join), paths)
def test_a_joined_path_never_leaves_the_root(folder, path):
    found = join_path(folder, path)
    depth = len([step for step in folder.split("/") if step])
    for step in path.split("/"):
        depth += -1 if step == ".." else step not in {"", "."}
        if depth < 0:
            assert found is None
            return
    assert found is not None
    assert not {"..", "."} & {*found.split("/")}


names = st.text(st.sampled_from("abAB. é\u0301ü-"), min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.lists(st.tuples(st.sampled_from(["", "x/", "x/y/"]), names), min_size=1, max_size=8), st.data())
def test_every_file_is_found_by_its_path_and_the_answer_does_not_depend_on_the_order(rows, data):
    files = [f"{folder}{name}.md" for folder, name in rows]
    wanted = data.draw(st.sampled_from(files))
    source = data.draw(st.sampled_from(files))
    found = LinkResolver(files).resolve_target(f"/{wanted}", source)
    assert isinstance(found, ResolvedLink)
    assert found.path == wanted
    short = wanted.rpartition("/")[2].removesuffix(".md")
    assert LinkResolver(files).resolve_target(short, source) == LinkResolver(files[::-1]).resolve_target(
        short, source
    )


labels = st.sampled_from(["Kiln", "kiln", "cone 6", "Glaze"])
notes = st.builds(
    NoteNames,
    st.sampled_from(["a.md", "x/b.md", "x/202411030900 c.md"]),
    st.none() | labels,
    st.none() | labels,
    st.lists(labels, max_size=2).map(tuple),
)


@given(st.lists(notes, max_size=3, unique_by=lambda note: note.path), notes, labels)
def test_a_note_with_other_names_is_found_as_if_it_had_had_them_from_the_start(before, renamed, wanted):
    paths = ["a.md", "x/b.md", "x/202411030900 c.md"]
    resolver = LinkResolver(paths, before)
    earlier = next((note for note in before if note.path == renamed.path), None)
    resolver.replace_note(earlier, renamed)
    others = [note for note in before if note.path != renamed.path]
    for target in (wanted, "202411030900"):
        assert resolver.resolve_target(target, "a.md") == LinkResolver(
            paths, [*others, renamed]
        ).resolve_target(target, "a.md")


steps = st.text(st.sampled_from("ab. /A\u0301é_"), max_size=7)


@given(
    st.lists(
        st.builds(NoteNames, steps.map(lambda path: f"{path.strip('/')}.md"), steps, steps, st.tuples(steps)),
        min_size=1,
        max_size=5,
    ),
    st.data(),
)
def test_a_link_leads_to_a_file_that_has_a_name_with_its_key(notes, data):
    resolver = LinkResolver([note.path for note in notes], notes)
    names = [name for note in notes for name in (note.path, note.id, note.title, *note.aliases)]
    target = data.draw(steps | st.sampled_from(names))
    found = resolver.resolve_target(
        target, data.draw(st.sampled_from(notes)).path, wiki=data.draw(st.booleans())
    )
    if target and isinstance(found, ResolvedLink) and found.matched_by != "folder":
        keys = frozenset[str]().union(*(link_keys(note) for note in notes if note.path == found.path))
        assert link_key(target) in keys | {""} or "" in keys
