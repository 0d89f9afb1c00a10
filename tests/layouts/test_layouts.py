"""Layouts: role to path and back, trees told apart, and every seed in its place."""

from __future__ import annotations

import time
from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.errors import BadUsage
from memtool.layouts.load import NAMES, load, recognise
from memtool.layouts.seeds import seed_text, seeds
from memtool.store.root import sees
from tests.trees import make

DAY = date(2025, 1, 15)

names = st.text(
    st.characters(exclude_characters="/\0\n\r", exclude_categories=["Cs"]), min_size=1, max_size=12
)
names = names.filter(lambda name: not name.startswith("."))
SLOTS = {
    "name": names,
    "slug": names,
    "rest": st.lists(names, min_size=1, max_size=3).map("/".join),
    "day": st.dates(min_value=date(1000, 1, 1)),
    "seq": st.integers(min_value=0, max_value=10**25),
}
places = st.sampled_from([(name, place) for name in NAMES for place in load(name).places])


@given(places, st.data())
def test_path_and_role_are_inverse(chosen, data):
    layout_name, place = chosen
    layout = load(layout_name)
    slots = {slot: data.draw(SLOTS[slot], slot) for slot in place.template.slots}
    group = data.draw(names) if place.grouped and data.draw(st.booleans()) else None
    path = place.template.fill(slots)
    path = path if group is None else f"{layout.groups}/{group}/{path}"
    located = layout.role_of(path)
    assert located is not None
    if located.place is place:
        assert (located.slots, located.group) == (slots, group)
    else:  # an earlier row takes precedence, and says the same of the same path
        inner = PurePosixPath(*PurePosixPath(path).parts[2:]) if located.group else path
        assert located.place.template.fill(located.slots) == str(inner)
        assert layout.places.index(located.place) < layout.places.index(place) or located.group
    if layout.place(place.role) is place and located.place is place:
        assert str(layout.path(place.role, group=group, **slots)) == path


@given(places, st.data())
def test_no_folder_that_holds_a_located_file_is_passed_by(chosen, data):
    layout = load(chosen[0])
    path = chosen[1].template.fill({slot: data.draw(SLOTS[slot]) for slot in chosen[1].template.slots})
    group = data.draw(names) if chosen[1].grouped and data.draw(st.booleans()) else None
    parts = PurePosixPath(path if group is None else f"{layout.groups}/{group}/{path}").parts[:-1]
    for depth in range(1, len(parts) + 1):
        assert layout.enters("/".join(parts[:depth]))


@pytest.mark.parametrize("name", NAMES)
def test_a_new_tree_is_recognised_without_its_settings(name, tmp_path):
    files = {str(path): text for path, text in seeds(load(name), day=DAY) if str(path) != "memtool.toml"}
    root = tmp_path / ".claude" / "projects" / "-home-me" / "memory" if name == "claude-code" else tmp_path
    assert recognise(sees(str(make(root, files)))) == name


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (["memory/core/AGENT.md", "memory/working/WORKING_MEMORY.md"], "native"),
        (["core/SOUL.md", "working/WORKING_MEMORY.md", "history/state/head.json"], "q15"),
        (["SESSION-STATE.md"], "qanot"),
        (["MEMORY.md", "memory/2025-01-15.md", "SOUL.md"], "qanot"),
        (["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md"], "openclaw"),
        (["groups/main/MEMORY.md", "groups/global/MEMORY.md", "src/index.ts"], "nano"),
        (["AGENTS.md", "MEMORY.md", "learnings/errors.md", "memory/2025-01-15.md"], "openlegion"),
        (["MEMORY.md", "SESSION-STATE.md", "SOUL.md", "TOOLS.md", "AGENTS.md", "IDENTITY.md"], "qanot"),
        (["MEMORY.md", "user_role.md", "to-do.md"], None),
        (["README.md", "AGENTS.md", "src/main.py"], None),
        (["README.md", "CLAUDE.md", ".git/HEAD"], None),
        (["README.md", "MEMORY.md", "docs-old.md"], None),
        (["groups/readme.txt"], None),
        (["core/main.c", "Makefile"], None),
        ([], None),
    ],
)  # fmt: skip
def test_a_tree_is_taken_for_what_it_is(files, name, tmp_path):
    assert recognise(sees(str(make(tmp_path, dict.fromkeys(files, "x\n"))))) == name


@pytest.mark.parametrize("name", NAMES)
def test_every_layout_can_be_scanned_noted_and_searched(name):
    layout = load(name)
    for role in ("session-state", "session-state-archive", "long-term", "daily-note"):
        assert layout.place(role).indexed
        assert layout.place(role).readable
        assert layout.place(role).seed
    assert seed_text(layout, "daily-note", day=DAY).startswith("# Daily Notes -- 2025-01-15\n")
    assert seed_text(layout, "session-state").startswith("# SESSION-STATE.md -- Active Working Memory\n")


@pytest.mark.parametrize("name", NAMES)
def test_what_init_makes_has_a_role_and_no_slot_left_open(name):
    layout = load(name)
    made = dict(seeds(layout, day=DAY))
    assert f'layout = "{name}"' in made.pop(PurePosixPath("memtool.toml"))
    for path, text in made.items():
        assert layout.role_of(path) is not None, path
        assert "{day}" not in text
        assert "{layout}" not in text
        assert text.endswith("\n")


@pytest.mark.parametrize("name", NAMES)
def test_a_later_row_is_not_hidden_by_an_earlier_one(name):
    layout = load(name)
    for place in layout.places:
        if not place.template.slots:
            assert layout.role_of(place.template.pattern).place is place


def test_what_is_no_day_is_no_daily_note():
    layout = load("native")
    for name in ("2025-02-30", "2025-13-01", "0000-01-01", "2025-1-5", "20250115"):
        located = layout.role_of(f"memory/{name}.md")
        assert located is None or located.role != "daily-note"


@pytest.mark.parametrize(
    "path", ["memory/.hidden.md", ".memtool/index/x.md", "groups/.x/MEMORY.md", "x/../MEMORY.md", ""]
)
def test_a_hidden_or_odd_path_has_no_role(path):
    assert load("native").role_of(path) is None


def test_a_slot_that_cannot_stand_there_is_refused():
    layout = load("native")
    for name in ("a/b", "", ".", "..", ".x", "a\0b"):
        with pytest.raises(BadUsage):
            layout.path("core", name=name)
        with pytest.raises(BadUsage):
            layout.path("long-term", group=name)
    with pytest.raises(BadUsage, match="needs a name"):
        layout.path("core")
    with pytest.raises(BadUsage, match="no place for"):
        layout.path("nope")
    with pytest.raises(BadUsage, match="the layouts are"):
        load("nope")


def test_looking_up_a_role_is_fast():
    layout = load("native")
    paths = [f"memory/history/turns/2025/01/15/{number:020d}.json" for number in range(20_000)]
    begun = time.perf_counter()
    assert all(layout.role_of(path) for path in paths)
    assert time.perf_counter() - begun < 2
