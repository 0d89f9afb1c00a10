"""Layouts: role to path and back, trees told apart, and every seed in its place."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path, PurePosixPath
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.context.section import Keep
from memtool.errors import BadUsage
from memtool.formats.table import JSON_FORMATS, JSON_LINES_FORMATS
from memtool.layouts import seeds as seeds_module
from memtool.layouts.load import LAYOUT_NAMES, load_layout, recognise_layout
from memtool.layouts.resources import resource_text
from memtool.layouts.seeds import initial_files, seed_text
from memtool.store.config.validation import from_tables
from memtool.store.root import marker_test
from tests.trees import make

DAY = date(2025, 1, 15)
LAYOUT_KEYS = {"summary", "memory", "markers", "hints", "retrieval", "snippets", "unfilled", "agent", "reads"}
SEEDS = {path.name for path in Path(seeds_module.__file__).with_name("seeds").iterdir()}

OWN_FOLDERS = {
    "claude-code": ".claude/projects/-home-me/memory",
    "gemini": ".gemini",
    "codex": ".codex",
    "letta": ".letta/agents/agent-1/memory",
}
"""The folders in which an agent keeps its memory, without which its files prove nothing."""
UNMARKED = {"basic-memory", "okf"}
"""Layouts of trees that no file marks; memtool.toml names them."""

names = st.text(
    st.characters(exclude_characters="/\0\n\r", exclude_categories=["Cs"]), min_size=1, max_size=12
)
names = names.filter(lambda name: not name.startswith("."))
SLOTS = {
    "name": names,
    "slug": names,
    "md": st.sampled_from(["md", "MD", "Md"]),
    "rest": st.lists(names, min_size=1, max_size=3).map("/".join),
    "day": st.dates(),
    "seq": st.integers(min_value=0, max_value=10**25),
}
places = st.sampled_from([(name, place) for name in LAYOUT_NAMES for place in load_layout(name).places])


@given(places, st.data())
def test_path_and_role_are_inverse(chosen, data):
    layout_name, place = chosen
    layout = load_layout(layout_name)
    slots = {slot: data.draw(SLOTS[slot], slot) for slot in place.template.slots}
    group = data.draw(names) if place.grouped and data.draw(st.booleans()) else None
    path = place.template.fill(slots)
    path = path if group is None else f"{layout.groups}/{group}/{path}"
    located = layout.locate(path)
    assert located is not None
    if located.place is place:
        assert (located.slots, located.group) == (slots, group)
    else:  # an earlier row takes precedence, and says the same of the same path
        inner = PurePosixPath(*PurePosixPath(path).parts[2:]) if located.group else path
        assert located.place.template.fill(located.slots) == str(inner)
        assert layout.places.index(located.place) < layout.places.index(place) or located.group
    if slots or layout.place(place.role) is place:  # of several fixed places of a role the first is meant
        assert str(layout.path(located.role, group=located.group, **located.slots)) == path


components = st.one_of(
    st.sampled_from(
        [
            part
            for layout_name in LAYOUT_NAMES
            for place in load_layout(layout_name).places
            for part in place.template.pattern.split("/")
            if "{" not in part
        ]
    ),
    st.sampled_from(["groups", "2025-01-15.md", "2025-13-40.md", "2025-01-15-kiln.md", "2025", "01", ""]),
    st.sampled_from([f"{1:020}.json", "x.md", "x.MD", ".md", ".hidden", "x.reason.json", "x\n.md"]),
    names,
)


def place_by_trying_all(layout, path):
    """The place of a path and its group: the first whose template matches, notes in any folder last."""
    ordered = sorted(layout.places, key=lambda place: place.template.pattern.startswith("{rest}"))
    parts = path.split("/", 2)
    if len(parts) == 3 and parts[0] == layout.groups and parts[1] and not parts[1].startswith("."):
        for place in ordered:
            if place.grouped and (slots := place.template.match(parts[2])) is not None:
                return place, slots, parts[1]
    for place in ordered:
        if (slots := place.template.match(path)) is not None:
            return place, slots, None
    return None


@given(st.sampled_from(LAYOUT_NAMES), st.lists(components, min_size=1, max_size=7).map("/".join))
def test_a_path_has_the_first_place_whose_template_matches(name, path):
    layout = load_layout(name)
    located = layout.locate(path)
    found = None if located is None else (located.place, located.slots, located.group)
    assert found == place_by_trying_all(layout, path)


@given(places, st.data())
def test_no_folder_that_holds_a_located_file_is_passed_by(chosen, data):
    layout = load_layout(chosen[0])
    path = chosen[1].template.fill({slot: data.draw(SLOTS[slot]) for slot in chosen[1].template.slots})
    group = data.draw(names) if chosen[1].grouped and data.draw(st.booleans()) else None
    parts = PurePosixPath(path if group is None else f"{layout.groups}/{group}/{path}").parts[:-1]
    for depth in range(1, len(parts) + 1):
        assert layout.can_contain_roles("/".join(parts[:depth]))


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_new_tree_is_recognised_without_its_settings(name, tmp_path):
    files = {
        str(path): text
        for path, text in initial_files(load_layout(name), day=DAY)
        if str(path) != "memtool.toml"
    }
    root = make(tmp_path / OWN_FOLDERS.get(name, "tree"), files)
    assert recognise_layout(marker_test(str(root))) == (None if name in UNMARKED else name)


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (["memory/core/AGENT.md", "memory/working/WORKING_MEMORY.md"], "native"),
        (["core/SOUL.md", "working/WORKING_MEMORY.md", "history/state/head.json"], "q15"),
        (["SESSION-STATE.md"], "qanot"),
        (["MEMORY.md", "memory/2025-01-15.md", "SOUL.md"], "qanot"),
        (["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md"], "openclaw"),
        (["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md", "memory/2026-01-01.md"], "openclaw"),
        (["AGENTS.md", "SOUL.md", "memory/2026-01-01.md"], "openclaw"),
        (["AGENTS.md", "SOUL.md", "MEMORY.md", "SESSION-STATE.md"], "qanot"),
        (["AGENTS.md", "SOUL.md", "MEMORY.md", "memory/working-buffer.md"], "qanot"),
        (["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md", "HEARTBEAT.md"], "openlegion"),
        (["AGENTS.md", "SOUL.md", "README.md"], None),
        (["groups/main/MEMORY.md", "groups/global/MEMORY.md", "src/index.ts"], "nano"),
        (["AGENTS.md", "MEMORY.md", "learnings/errors.md", "memory/2025-01-15.md"], "openlegion"),
        (["MEMORY.md", "SESSION-STATE.md", "SOUL.md", "TOOLS.md", "AGENTS.md", "IDENTITY.md"], "qanot"),
        (["MEMORY.md", "user_role.md", "to-do.md"], None),
        (["README.md", "AGENTS.md", "src/main.py"], None),
        (["README.md", "CLAUDE.md", ".git/HEAD"], None),
        (["README.md", "MEMORY.md", "docs-old.md"], None),
        (["groups/readme.txt"], None),
        (["NANO.md", "SOUL.md", "MEMORY.md", "canonical/_hot.md", "memory/2026-01-15.md"], "nano"),
        (["INSTRUCTIONS.md", "SOUL.md", "USER.md", "MEMORY.md", "memory/2026-01-15.md"], "openlegion"),
        (["INSTRUCTIONS.md", "SOUL.md", "USER.md", "MEMORY.md", "SESSION-STATE.md"], "qanot"),
        (["groups/main/CLAUDE.md", "src/index.ts"], "nano"),
        (["groups/family/memory/2025-01-15.md"], "nano"),
        (["groups/team/CLAUDE.md", "groups/team/memory/alloc.c", "README.md"], None),
        (["core/main.c", "Makefile"], None),
        ([".obsidian/app.json", "Projects/Kiln.md"], "obsidian"),
        ([".obsidian/app.json", "memory/core/AGENT.md", "MEMORY.md"], "native"),
        ([".zk/config.toml", "tea.md"], "obsidian"),
        ([".obsidian", "tea.md"], None),
        (["GEMINI.md", "README.md", "src/main.py"], None),
        (["AGENTS.md", "memories/MEMORY.md", "memories/memory_summary.md"], None),
        (["system/persona.md", "system/human.md", "skills/x/SKILL.md"], "letta"),
        (["system/persona.md", "system/prompts.md"], None),
        (["index.md", "log.md", "tables/orders.md"], None),
        (["memtool/captured.md", "Coffee.md"], None),
        ([], None),
    ],
)  # fmt: skip
def test_a_tree_is_taken_for_what_it_is(files, name, tmp_path):
    assert recognise_layout(marker_test(str(make(tmp_path, dict.fromkeys(files, "x\n"))))) == name


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_every_layout_can_be_scanned_noted_and_searched(name):
    layout = load_layout(name)
    for role in ("session-state", "session-state-archive", "long-term", "daily-note"):
        assert layout.place(role).indexed
        assert layout.place(role).readable
        assert layout.place(role).seed
    assert seed_text(layout, "daily-note", day=DAY).startswith("# Daily Notes -- 2025-01-15\n")
    assert seed_text(layout, "session-state").startswith("# SESSION-STATE.md -- Active Working Memory\n")


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_what_init_makes_has_a_role_and_no_slot_left_open(name):
    layout = load_layout(name)
    made = dict(initial_files(layout, day=DAY))
    assert f'layout = "{name}"' in made.pop(PurePosixPath("memtool.toml"))
    for path, text in made.items():
        assert layout.locate(path) is not None, path
        assert "{day}" not in text
        assert "{layout}" not in text
        assert text.endswith("\n")


ROW = {
    "role",
    "bonus",
    "path",
    "format",
    "inject",
    "indexed",
    "readable",
    "seed",
    "grouped",
    "limit",
    "old",
    "read_by",
    "replaced_by",
    "required",
    "exempt",
}


@pytest.mark.parametrize("name", [*LAYOUT_NAMES, "common"])
def test_a_row_is_spelt_as_it_is_read(name):
    table = tomllib.loads(resource_text(f"{name}.toml"))
    tables = {"layout", "groups", "init", "file", "target", "categories", "notes", "shares", "limits"}
    tables |= {"cut", "compiled"}
    assert table.keys() <= tables
    layout = table.get("layout", {})
    assert layout.keys() <= LAYOUT_KEYS
    assert bool(layout.get("agent")) == bool(layout.get("reads"))
    if name != "common":
        assert {*layout.get("reads", ())} <= {place.role for place in load_layout(name).places}
    for share in table.get("shares", {}).values():
        assert share.keys() == {"percent", "roles"}
        assert {*share["roles"].values()} <= {*get_args(Keep)}
    known = {"places", "naming", "keys", "unwritten", "private", "linked", "forgiving", "plain_tags"}
    assert table.get("notes", {}).keys() <= known
    for row in table["file"]:
        assert {"role", "path", "format"} <= row.keys() <= ROW
        assert row.get("inject", "never") in {"always", "profile", "on-demand", "recovery", "never"}
    used = {row["seed"] for row in table["file"] if "seed" in row} | {*table.get("init", {}).values()}
    assert used <= SEEDS


def test_every_seed_is_used():
    used = {seed for name in LAYOUT_NAMES for _, seed in load_layout(name).initial}
    assert used | {place.seed for name in LAYOUT_NAMES for place in load_layout(name).places} >= SEEDS


def test_the_settings_that_init_proposes_are_known():
    proposed = resource_text("seeds/memtool.toml").replace("{layout}", "native").split("\n\n", 1)[1]
    tables = tomllib.loads("\n".join(line.removeprefix("# ") for line in proposed.splitlines()))
    values, notices = from_tables(tables, "memtool.toml", is_user_file=False)
    assert {"layout", "timezone", "scan.phrases"} <= values.keys()
    assert notices == []


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_only_what_is_meant_to_be_read_is_indexed_and_given(name):
    for place in load_layout(name).places:
        json_formats = {format_.name for format_ in (*JSON_FORMATS, *JSON_LINES_FORMATS)}
        machinery = place.format in {"json", *json_formats}
        assert machinery == (not place.indexed), place.template.pattern
        assert not (machinery and place.readable), place.template.pattern
    for path in ("memtool.toml", ".memtool/index/documents.json", ".memtool/lock"):
        assert load_layout(name).locate(path) is None


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_what_a_verb_writes_has_a_place(name):
    layout = load_layout(name)
    assert layout.targets.keys() == {"scan", "append-daily", "compact", "save"}
    for roles in layout.targets.values():
        for role in roles.values():
            assert layout.place(role).indexed
    assert layout.targets["compact"].keys() == {"summary", "facts"}
    assert layout.limits["buffer"] < layout.limits["flush"] <= layout.limits["compact"] < 1
    assert {"keep_first", "keep_last", "working_memory", "learnings"} <= layout.limits.keys()


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_common_roles_lie_where_no_own_row_takes_them(name):
    layout = load_layout(name)
    own = tomllib.loads(resource_text(f"{name}.toml"))["file"]
    for place in layout.places[len(own) :]:
        slots = {"name": "x", "slug": "x-y", "rest": "x/y", "md": "MD", "day": DAY, "seq": 7}
        path = place.template.fill(slots)
        assert layout.locate(path).place is place, path
    common = {row["role"] for row in tomllib.loads(resource_text("common.toml"))["file"]}
    assert all(layout.has_role(role) for role in common)


def test_nothing_is_ever_added_to_the_index_that_claude_reads():
    layout = load_layout("claude-code")
    for roles in layout.targets.values():
        for role in roles.values():
            assert "MEMORY.md" not in [p.template.pattern for p in layout.places if p.role == role]


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_new_note_has_a_place_and_a_name_in_every_layout(name):
    layout = load_layout(name)
    for folder in layout.notes.places.values():
        assert layout.locate(f"{folder}/x.md").role == "note"
    assert layout.locate(str(layout.folder("note") / "x.md")).role == "note"
    assert layout.notes.naming in {"slug", "title"}
    assert set(layout.notes.keys) <= {"id", "title", "created", "tags", "name", "description", "type"}


def test_a_folder_of_notes_takes_what_no_other_role_has():
    layout = load_layout("obsidian")
    for path in ("Kiln.md", "Projects/2025/Kiln schedule.md", "memory/2025-01-15.md", "memtool/odd/x.md"):
        assert layout.locate(path).role == "note"
    assert layout.locate("memtool/2025-01-15.md").role == "daily-note"
    assert layout.locate("memtool/episodic/2025-01-15-x.md").role == "episode"
    for path in (".obsidian/x.md", "a/.trash/x.md", "photo.png", ".md"):
        assert layout.locate(path) is None


@pytest.mark.parametrize("name", ["native", "nano"])
def test_a_groups_notes_are_found_by_role_and_slots(name):
    layout = load_layout(name)
    assert str(layout.path("note", group="family", name="trip")) == "groups/family/memory/trip.md"
    located = layout.locate("groups/family/memory/2025-01-15.md")
    assert (located.role, located.group, located.day) == ("daily-note", "family", DAY)
    assert layout.readable_by("family") == ("family", "global")
    with pytest.raises(BadUsage, match="for group"):
        layout.path("cognition", group="family", rest="x")


def test_slots_choose_among_the_places_of_a_role():
    layout = load_layout("native")
    assert str(layout.path("daily-note", day=DAY)) == "memory/2025-01-15.md"
    assert str(layout.path("daily-note", day=DAY, slug="tea")) == "memory/2025-01-15-tea.md"
    assert str(layout.path("note", rest="zettel/tea")) == "memory/notes/zettel/tea.md"
    assert str(layout.path("note", name="tea")) == "memory/tea.md"


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("memory/２０２５-01-15.md", "note"),
        (f"memory/history/turns/2025/01/15/{7:021}.json", None),
        ("memory/history/turns/2025/01/15/" + "1" * 5000 + ".json", None),
        (f"memory/history/turns/2025/01/15/{10**20}.json", "turn"),
    ],
    ids=["digits of another script", "a zero too many", "endless digits", "past twenty digits"],
)
def test_a_number_is_read_only_as_it_would_be_written(path, role):
    located = load_layout("native").locate(path)
    assert (located and located.role) == role


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_later_row_is_not_hidden_by_an_earlier_one(name):
    layout = load_layout(name)
    for place in layout.places:
        if not place.template.slots:
            assert layout.locate(place.template.pattern).place is place


def test_what_is_no_day_is_no_daily_note():
    layout = load_layout("native")
    for name in ("2025-02-30", "2025-13-01", "0000-01-01", "2025-1-5", "20250115"):
        located = layout.locate(f"memory/{name}.md")
        assert located is None or located.role != "daily-note"


@pytest.mark.parametrize(
    "path", ["memory/.hidden.md", ".memtool/index/x.md", "groups/.x/MEMORY.md", "x/../MEMORY.md", ""]
)
def test_a_hidden_or_odd_path_has_no_role(path):
    assert load_layout("native").locate(path) is None


def test_a_slot_that_cannot_stand_there_is_refused():
    layout = load_layout("native")
    for name in ("a/b", "", ".", "..", ".x", "a\0b"):
        with pytest.raises(BadUsage):
            layout.path("core", name=name)
        with pytest.raises(BadUsage):
            layout.path("long-term", group=name)
    with pytest.raises(BadUsage, match="no value for name in the path"):
        layout.path("core")
    with pytest.raises(BadUsage, match="has no role 'nope'"):
        layout.path("nope")
    with pytest.raises(BadUsage, match="the layouts are"):
        load_layout("nope")


def test_notes_of_openclaw_lie_in_folders_of_any_depth_and_take_nothing_of_others():
    layout = load_layout("openclaw")
    roles = {
        "memory/projects/2025/kiln.md": "note",
        "memory/kiln.md": "note",
        "memory/2025-01-15.md": "daily-note",
        "memory/semantic/captured.md": "semantic",
        "memory/procedural/rules.md": "rules",
        "memory/working-buffer.md": "working-buffer",
    }
    assert {path: layout.locate(path).role for path in roles} == roles


@pytest.mark.parametrize(("name", "memory"), [("openclaw", "memory"), ("obsidian", "memtool"), ("q15", ".")])
def test_a_search_of_documents_does_not_walk_through_histories(name, memory):
    layout = load_layout(name)
    for folder in ("history/turns", "history/turns/2025/01", "history/quarantine", "cognition/sessions/s1"):
        assert layout.can_contain_roles(f"{memory}/{folder}".removeprefix("./"))
        assert not layout.can_contain_indexed(f"{memory}/{folder}".removeprefix("./"))
    assert layout.can_contain_indexed(layout.folder("note").as_posix() + "/projects/kiln")


def test_notes_of_claude_lie_in_folders_too_and_take_nothing_of_others():
    layout = load_layout("claude-code")
    roles = {
        "fact.md": "note",
        "team/fact.md": "note",
        "logs/2025/01/2025-01-15.md": "note",
        "MEMORY.md": "workspace",
        "auto-captured.md": "long-term",
        "memtool/2025-01-15.md": "daily-note",
        "memtool/SESSION-STATE.md": "session-state",
        "memtool/learnings/LEARNINGS.md": "learnings",
    }
    for path, role in roles.items():
        located = layout.locate(path)
        assert located is not None, path
        assert located.role == role, path


@pytest.mark.parametrize(
    ("name", "path", "role", "bonus"),
    [
        ("nano", "canonical/_hot.md", "canonical", 0.5),
        ("nano", "canonical/people/marta.md", "canonical", 0.18),
        ("nano", "canonical/PEOPLE.MD", "canonical", 0.18),
        ("nano", "memory/glazes.md", "note", 0.08),
        ("nano", "memory/projects/cafe.Md", "note", 0.08),
        ("nano", "IDENTITY.md", "workspace", None),
        ("openlegion", "SYSTEM.md", "workspace", None),
        ("openlegion", "team.md", "workspace", None),
        ("openlegion", "artifacts/report.md", "note", None),
        ("openlegion", "learnings/errors.md", "learnings", None),
        ("openlegion", "memory/semantic/facts.md", "semantic", None),
    ],
)
def test_a_hosts_files_have_the_roles_and_bonuses_that_it_gives_them(name, path, role, bonus):
    located = load_layout(name).locate(path)
    assert located.role == role
    bonuses = dict(located.place.bonuses)
    assert bonuses.get(located.slots.get("name", ""), bonuses.get("")) == bonus
