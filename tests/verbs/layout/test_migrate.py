"""migrate: what is pending is seen and then gone, nothing is lost, and the way back leads back."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections import Counter
from itertools import islice
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtool.core.notes.link_parser import parse_links
from memtool.core.notes.link_resolver import ResolvedLink
from memtool.core.records.document import etag_of
from memtool.core.records.migration import pending_stages
from memtool.errors import BadUsage, ChangedSinceBackup, PartlyApplied
from memtool.formats import json_lines, note
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import split
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.layouts.seeds import initial_files
from memtool.store.config import schemas
from memtool.store.files.reader import MAX_READ_BYTES
from memtool.verbs.changes.planned_tree import PlannedTree
from memtool.verbs.facts.candidates import pending_candidates
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.journal.undo import undo
from memtool.verbs.layout.migrate import migrate, plan_pending, plan_stages, restore_backup
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from memtool.verbs.notes.link_graph import load_link_graph, path_exists
from memtool.verbs.notes.notes import broken_links
from tests.examples import examples
from tests.faulty import FaultyDisk, Stopped, each_stop
from tests.trees import NOW, SAMPLE, contents, make, memtool, opened

SECTION = "## Session Compaction 2025-01-0{0}T10:00:00+00:00\n\nwhat was said in {0}\n\n"
SOUL = f"# Soul\n\nkind\n\n{SECTION.format(1)}## Voice\n\ncalm\n\n{SECTION.format(2)}"
OLD_LINE = {
    "id": "x",
    "layer": "semantic",
    "candidate_type": "trigger",
    "evidence_quotes": ["I fear the exam"],
    "source_session_id": "s1",
    "source_turn_index": 4,
    "policy_recommendation": "require_repetition",
    "payload": {
        "subject": {"type": "User", "identifier": "user"},
        "predicate": "WORRIES_ABOUT",
        "object": {"type": "Event", "identifier": "exam"},
        "evidence_quote": "I fear the exam",
    },
    "mood": "tense",
}
OLD_BUFFER = {
    "session_id": "s2",
    "semantic_candidates": [{**OLD_LINE, "source_session_id": "s2"}],
    "procedural_candidates": [
        {
            "payload": {"rule": "Use lists."},
            "evidence_quotes": ["please use lists"],
            "explicitness": "explicit",
        },
        {"payload": {"rule": ""}},
    ],
    "approach_counts": {"none": 2},
}
OLD = {
    "memtool.toml": '# mine\nlayout = "nano"\n',
    "MEMORY.md": "# Memory\n\n- one\n",
    "memory.md": "- two\n",
    "CLAUDE.md": SOUL,
    "groups/family/CLAUDE.md": "# Family\n",
    "groups/family/SOUL.md": dict(initial_files(load_layout("nano"), day=NOW.date()))[
        PurePosixPath("SOUL.md")
    ],
    "groups/work/CLAUDE.md": "# Work\n",
    "groups/work/SOUL.md": "# Work, today\n",
    "groups/family/memory.md": "- three\n",
    "memory/2025-01-15.md": "# Daily Notes -- 2025-01-15\n\n## [10:00:00]\n**User:** hi\n**Agent:** ho\n",
    "memory/2025_01_15.md": "free text\n\n## [11:00:00]\n**User:** again\n",
    "memory/20250114.md": "the day before\n",
    "memory/13-01-2025.md": "before that",
    "memory/02-01-2025.md": "day first, as its neighbour\n",
    "memory/daily/2025-01-12.md": "in a folder\n",
    "memory/daily/2025/01/11.md": "in three\n",
    "memory/20250110.md": "---\nid: 20250110\n---\na zettel\n",
    "groups/family/memory/2025.01.09.md": "at home\n",
    "memory/cognition/sessions/s1/buffer.jsonl": json.dumps(OLD_LINE) + "\nnonsense\n",
    "memory/cognition/buffer.json": json.dumps(OLD_BUFFER, indent=1),
}
TEXT = {"json", "jsonl"}


def planned(root, to=None):
    tree = PlannedTree(opened(root))
    return plan_stages(tree, NOW, to=to), tree.unread


def encoded(files):
    return {path: text.encode() for path, text in files.items()}


def run(root, to=None, **more):
    return migrate(opened(root), NOW, to=to, **more)


def run_dry(root, to):
    workspace = opened(root)
    workspace.writes = False
    return migrate(workspace, NOW, to=to)


def lines(root):
    """How often each line that says something stands in the tree, its links with nothing for their targets.

    JSON, that may be written anew, apart.
    """
    found = Counter()
    for path, content in contents(root).items():
        if path.removesuffix(".group").rpartition(".")[2] not in TEXT and path != "memtool.toml":
            found.update(line.rstrip("\r") for line in skeleton(path, content).split("\n") if line.strip())
    return found


def without_required_keys(content):
    """A file without the frontmatter that a layout may have required of it, which stays on the way back."""
    meta, body, _ = split(content.decode("utf-8", "surrogateescape"))
    meta = re.sub(r"(?m)^(description|type): .*\n", "", meta)
    return ("" if meta == "---\n---\n" else meta) + body


def is_frontmatter(line):
    return re.fullmatch("---|(description|type): .*", line)


def targets(root):
    """How often each target is linked to in the tree, as it is written."""
    rows = contents(root).items()
    return Counter(text[at:upto] for path, content in rows for text, at, upto in spans(path, content))


def spans(path, content):
    text = content.decode("utf-8", "surrogateescape")
    if path.removesuffix(".group").endswith(".md"):
        body = len(note.parse(text).meta)
        yield from (
            (text, *span)
            for span in sorted({(one.target_start, one.target_end) for one in parse_links(text, body)})
        )


def skeleton(path, content):
    text, parts, done = content.decode("utf-8", "surrogateescape"), [], 0
    for _, at, upto in spans(path, content):
        parts += [text[done:at], "\0"]
        done = upto
    return "".join([*parts, text[done:]])


def test_every_migration_is_seen_made_once_and_then_gone(tmp_path):
    root = make(tmp_path / "w", OLD)
    found, unread = planned(root)
    assert pending_stages(found) == ("daily-notes", "soul", "long-term", "compactions", "candidates")
    assert unread == []
    before = contents(root)
    assert contents(root) == before
    run(root)
    assert pending_stages(planned(root)[0]) == ()
    after = contents(root)
    run(root)
    assert contents(root) == after


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """The files of OLD after the migration, as text."""
    root = make(tmp_path_factory.mktemp("migrated") / "w", OLD)
    run(root)
    return {path: content.decode() for path, content in contents(root).items()}


MIGRATED = {
    "groups/family/SOUL.md": "# Family\n",  # the file in its place was an unchanged seed
    "groups/work/CLAUDE.md": "# Work\n",  # nothing is overwritten
    "groups/work/SOUL.md": "# Work, today\n",
    "groups/family/MEMORY.md": "- three\n",
    "memory/2025-01-15.md": (
        "# Daily Notes -- 2025-01-15\n\n<!-- from memory/2025_01_15.md -->\nfree text\n\n"
        "## [10:00:00]\n**User:** hi\n**Agent:** ho\n## [11:00:00]\n**User:** again\n"
    ),
    "memory/2025-01-14.md": "the day before\n",
    "memory/2025-01-13.md": "before that",
    "memory/2025-01-02.md": "day first, as its neighbour\n",
    "memory/2025-01-12.md": "in a folder\n",
    "memory/2025-01-11.md": "in three\n",
    "memory/20250110.md": OLD["memory/20250110.md"],  # a note whose name is an id
    "groups/family/memory/2025-01-09.md": "at home\n",
}


@pytest.mark.parametrize("path", MIGRATED)
def test_a_file_is_migrated(path, migrated):
    assert migrated[path] == MIGRATED[path]


def test_old_places_are_empty_after_a_migration(migrated):
    assert not [path for path in migrated if path == "CLAUDE.md" or path.startswith("memory/daily/")]


def test_the_soul_keeps_its_text_and_says_where_its_compactions_are(migrated):
    assert migrated["SOUL.md"].startswith(
        "# Soul\n\nkind\n\n<!-- session compactions moved to MEMORY.md -->\n## Voice"
    )
    assert "Session Compaction" not in migrated["SOUL.md"]


def test_a_section_about_compactions_is_no_compaction(tmp_path):
    soul = "# Soul\n\n## Session Compactions: when I may run them\n\nOnly at night.\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "nano"\n', "SOUL.md": soul})
    assert not [stage for stage in planned(root)[0] if stage.steps]


def test_long_term_memory_gets_the_second_file_and_the_compactions_in_order(migrated):
    memory = migrated["MEMORY.md"]
    assert memory.startswith("# Memory\n\n- one\n<!-- from memory.md -->\n- two\n")
    assert 0 < memory.index("said in 1") < memory.index("said in 2")


def test_candidates_of_older_shapes_wait_as_before(tmp_path):
    root = make(tmp_path / "w", OLD)
    run(root)
    workspace = opened(root)
    waiting = {
        one.held.candidate.session: one.held
        for one in pending_candidates(workspace, load_policy(workspace.settings))
    }
    assert waiting.keys() == {"s1", "s2"}
    one = waiting["s1"]
    assert (one.action, one.candidate.turn, one.candidate.statement.object) == (
        "require_repetition",
        4,
        "Event:exam",
    )
    assert one.candidate.statement.subject == "User"
    lines = (root / "memory/cognition/sessions/s1/buffer.jsonl").read_text().splitlines()
    assert lines[1] == "nonsense"
    assert json.loads(lines[0])["was"] == OLD_LINE
    record = json_lines.record("candidates", json_lines.parse(lines[0] + "\n"))
    assert list(schemas.violations("candidates", record)) == []
    assert len((root / "memory/cognition/sessions/s2/buffer.jsonl").read_text().splitlines()) == 2
    assert json.loads((root / "memory/cognition/buffer.json.migrated").read_text()) == OLD_BUFFER


def test_a_name_that_can_mean_two_days_stays_where_nothing_tells_which(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "nano"', "memory/02-01-2025.md": "x\n"})
    (stage,) = [one for one in planned(root)[0] if one.name == "daily-notes"]
    assert [(step.result, step.why) for step in stage.steps] == [
        ("keep", "the date in the file name is ambiguous: 2025-01-02 or 2025-02-01")
    ]
    assert not stage.pending
    make(root, {"memory/02-01-2025.md": "# Daily Notes -- 2025-02-01\n"})
    run(root)
    assert (root / "memory/2025-02-01.md").exists()


def test_two_names_of_one_file_are_not_two_files(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "nano"', "memory.md": "- one\n"})
    os.symlink("memory.md", root / "MEMORY.md")
    run(root)
    assert (root / "memory.md").read_text() == "- one\n"
    (root / "MEMORY.md").unlink()
    os.link(root / "memory.md", root / "MEMORY.md")
    run(root)
    assert [path.name for path in root.glob("*.md")] == ["MEMORY.md"]
    assert (root / "MEMORY.md").read_text() == "- one\n"


@pytest.mark.parametrize("name", ["soul", "long-term", "compactions", "daily-notes", "candidates"])
def test_one_alone_does_what_it_says_and_nothing_else(name, tmp_path):
    root = make(tmp_path / "w", OLD)
    found = run(root, only=[name])
    assert [stage.name for stage in found.stages if stage.pending] in ([name], [])
    assert name not in pending_stages(planned(root)[0])


def test_a_backup_puts_everything_back_unless_it_was_written_since(tmp_path):
    root = make(tmp_path / "w", OLD)
    before = contents(root)
    done = run(root, to="q15", backup=True)
    copies = root / done.backup
    assert {path.stat().st_mode & 0o777 for path in copies.rglob("*") if path.is_file()} == {0o600}
    migrated = contents(root)
    memory = root / "semantic/captured.md"
    memory.write_text(memory.read_text() + "- new\n")
    with pytest.raises(ChangedSinceBackup, match="memtool migrate --to nano, or copy"):
        restore_backup(opened(root), None)
    memory.write_bytes(migrated["semantic/captured.md"])
    restore_backup(opened(root), None)
    assert contents(root) == before
    assert restore_backup(opened(root), None).plan == ()
    changed = next(path for path in before if (copies / "files" / path).exists())
    (root / changed).write_bytes(before[changed] + b"- new\n")
    with pytest.raises(ChangedSinceBackup, match="the layout is nano again, so no file has to be moved back"):
        restore_backup(opened(root), None)
    (root / changed).write_bytes(before[changed])
    with pytest.raises(BadUsage):
        restore_backup(opened(root), "20200101T000000Z")


def test_a_restored_tree_has_its_layout_again_whatever_was_written_since(tmp_path):
    files = dict.fromkeys(["AGENTS.md", "SOUL.md", "IDENTITY.md", "MEMORY.md"], "kind\n")
    root = make(tmp_path / "w", files)
    migrate(opened(root), NOW, to="native", backup=True)
    (root / "SESSION-STATE.md").write_text("- [2025-01-01T10:00:00+00:00] **fact**: I live in Lyon\n")
    assert restore_backup(opened(root), None).layout == "openclaw"
    assert opened(root).layout.name == "openclaw"
    assert restore_backup(opened(root), None).plan == ()
    (root / "SESSION-STATE.md").unlink()
    (root / "memtool.toml").unlink()
    migrate(opened(root), NOW, to="native", backup=True)
    assert restore_backup(opened(root), None).layout == ""
    assert contents(root) == dict.fromkeys(files, b"kind\n")


def test_the_layout_is_set_whatever_else_the_settings_contain(tmp_path):
    root = make(
        tmp_path / "w", {"memtool.toml": 'x = """\nlayout = "native"\n"""\n', "memory/core/SOUL.md": "x"}
    )
    shutil.copytree(root, tmp_path / "copy")
    workspace = opened(root, "native")
    found = migrate(workspace, NOW, to="q15")
    assert found.stages[-1].pending
    assert (root / "memtool.toml").read_text() == 'x = """\nlayout = "native"\n"""\nlayout = "q15"\n'
    make(root, {"memtool.toml": "'layout' = 'q15'\n"})
    run(root, to="native")
    assert tomllib.loads((root / "memtool.toml").read_text()) == {"layout": "native"}


PAIRS = [
    *((name, "native") for name in LAYOUT_NAMES),
    *(("native", name) for name in LAYOUT_NAMES),
    *zip(LAYOUT_NAMES, (*LAYOUT_NAMES[1:], LAYOUT_NAMES[0]), strict=True),
]
"""Each layout with the native one, both ways, and with another one."""


@pytest.mark.parametrize(("layout", "to"), PAIRS)
def test_no_layout_takes_a_line_from_the_sample_and_the_way_back_leads_back(layout, to, tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    run(root, to=layout)
    before, said = contents(root), lines(root)
    done = run(root, to=to)
    assert done.unread == ()
    assert said - lines(root) == Counter()
    assert all(map(is_frontmatter, lines(root) - said))
    assert planned(root, to)[0][-1].steps == ()
    run(root, to=layout)
    assert said - lines(root) == Counter()
    lasting = {str(step.path) for step in done.stages[-1].steps if step.is_irreversible}
    after = contents(root)
    assert {
        path
        for path in before
        if path in after and without_required_keys(before[path]) == without_required_keys(after[path])
    } >= before.keys() - lasting
    if (layout, to) == ("native", "q15"):
        assert after == contents(SAMPLE)


WORDS = [
    "kiln",
    "celadon",
    "2025-01-15",
    "2025_01_16",
    "working-buffer",
    "SOUL",
    "MEMORY",
    "USER",
    "a/b",
    "z/kiln",
]
names = st.sampled_from(WORDS)


@st.composite
def trees(draw):
    """A layout, and a tree in it: files of its roles, and others, with no two texts alike."""
    layout = draw(st.sampled_from(LAYOUT_NAMES))
    files = {}
    rows = load_layout(layout).places
    for number in range(draw(st.integers(1, 14))):
        if draw(st.integers(0, 5)):
            place = draw(st.sampled_from(rows))
            slots = {"day": NOW.date(), "seq": number, "name": draw(names).replace("/", "-"), "slug": "x"}
            slots |= {"rest": draw(names), "md": "MD"}
            path = place.template.fill({name: slots[name] for name in place.template.slots})
            if place.grouped and draw(st.booleans()):
                path = f"groups/family/{path}"
        else:
            path = f"{draw(st.sampled_from(['', 'memory/', 'memory/daily/', 'notes/']))}{draw(names)}.md"
        above = {str(one) for one in PurePosixPath(path).parents}
        if not above & files.keys() and not any(one.startswith(path + "/") for one in files):
            files[path] = f"{draw(st.sampled_from(['', '# A', '## [10:00:00]', '---']))}\n\nline {number}\n"
    wanted = st.sampled_from([*files, "gone.md", "img/p.png"])
    for path in files:
        if path.endswith(".md"):
            files[path] += "".join(draw(st.lists(links_to(path, wanted), max_size=3)))
    return layout, {"img/p.png": "p", **files}


@st.composite
def links_to(draw, path, wanted):
    """A line with a link from a file to another, or to none."""
    target = draw(wanted)
    near = os.path.relpath(target, os.path.dirname(path) or ".")
    bare = target.removesuffix(".md")
    name = bare.rpartition("/")[2]
    forms = [f"[x]({near})", f"[x](./{near})", f"[x][r{near}]\n\n[r{near}]: {near}", f"![x](<{near}> 't')"]
    forms += [f"[[{bare}]]", f"[[{name}|x]]", f"[[/{bare}]]", f"![[{bare}#h]]", f"`[x]({near})`"]
    return f"see {draw(st.sampled_from(forms))} there\n"


@settings(max_examples=examples(60))
@given(trees(), st.sampled_from(LAYOUT_NAMES))
@example(("native", {"groups/family/memory/kiln.md": "\nline 0\n", "kiln.md": "\nline 7\n"}), "obsidian")
@example(
    ("nano", {"notes/2025-01-15.md": "line 0\n", "MEMORY.md": "see [[2025-01-15|x]] there\n"}), "obsidian"
)
@example(
    (
        "native",
        {
            "groups/family/MEMORY.md": "see [x](../../MEMORY.md) there\n",
            "MEMORY.md": "see [x](groups/family/MEMORY.md) and [[groups/family/MEMORY]] there\n",
        },
    ),
    "letta",
)
@example(("claude-code", {"MEMORY.md": "\nline 0\n", "memory/MEMORY.md": "line 1\n"}), "nano")
@example(("native", {"groups/family/memory/history/quarantine/kiln.reason.json": "line 0\n"}), "q15")
@example(
    ("openlegion", {"z/kiln.md": "1\n", "memory/z/kiln.md": "2\n", "MEMORY.md": "see [[kiln|x]] there\n"}),
    "claude-code",
)
@example(
    (
        "nano",
        {"memory/a/b.md": "line 0\n", "groups/family/memory/a/b.md": "line 1\nsee [[b|x]] there\n"},
    ),
    "codex",
)
def test_nothing_is_lost_between_layouts_and_what_does_not_last_comes_back(tree, to):
    layout, files = tree
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder, "w"), {"memtool.toml": f'layout = "{layout}"\n', **files})
        run(root)
        said, there = lines(root), targets(root)
        before = contents(root)
        done = run(root, to=to, only=["layout"])
        steps = [step for stage in done.stages for step in stage.steps]
        dropped = sum(step.result == "drop" for step in steps)
        more = Counter({line: n for line, n in (lines(root) - said).items() if not is_frontmatter(line)})
        assert more.total() == sum(step.result == "merge" for step in steps)
        assert said - lines(root) == Counter() or dropped
        if not dropped:
            assert (there - targets(root)).total() <= sum(step.links for step in steps if step.shown)
            assert there.total() == targets(root).total()
        assert not {"layout"} & {*pending_stages(planned(root, to)[0])}
        run(root, to=layout, only=["layout"])
        assert said - lines(root) == Counter()
        lasting = {str(step.path) for stage in done.stages for step in stage.steps if step.is_irreversible}
        after = contents(root)
        for path, content in before.items():
            same = path in after and without_required_keys(after[path]) == without_required_keys(content)
            assert path in lasting or same, path
        assert not (root / ".memtool-moving").exists()


@settings(max_examples=examples(60))
@given(trees(), st.sampled_from(LAYOUT_NAMES))
@example(
    (
        "obsidian",
        {"kiln.md": "x\n", "memtool/MEMORY.md": "[x](../kiln.md) [[kiln]]\n", "memtool/cognition/kiln": "y"},
    ),
    "native",
)
def test_every_link_leads_to_the_file_that_it_led_to(tree, to):
    layout, files = tree
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder, "w"), {"memtool.toml": f'layout = "{layout}"\n', **files})
        run(root)
        before = load_link_graph(opened(root), [])
        steps = [step for stage in run(root, to=to, only=["layout"]).stages for step in stage.steps]
        goes = {str(step.path): str(step.target) for step in steps if step.plan and step.target is not None}
        mixed = {str(step.target) for step in steps if step.result in {"merge", "drop"}}
        after = load_link_graph(opened(root), [])
        for tie in before.edges:
            path = goes.get(tie.source.path, tie.source.path)
            if path not in after.nodes or path in mixed or not isinstance(tie.target, ResolvedLink):
                continue
            wanted = goes.get(tie.target.path, tie.target.path)
            then = after.links(path)[before.links(tie.source.path).index(tie)]
            if wanted in after.files:
                assert then.target_path == wanted, (tie.text, then.text)
            elif tie.target.matched_by == "path":
                assert not isinstance(then.target, ResolvedLink)
                assert wanted.removesuffix(".md") in {
                    one.removesuffix(".md") for one in then.target.tried_paths
                }
                assert path_exists(opened(root).disk.stat, wanted)


def test_links_are_counted_in_the_plan_and_nothing_but_their_targets_changes(tmp_path):
    files = {
        "memtool.toml": 'layout = "obsidian"\n',
        "Home.md": (
            "\ufeff---\r\nup: '[[Areas/Kiln]]'\r\n---\r\n"
            "[k](Areas/Kiln.md#top) [[/Areas/Kiln|k]] [[Kiln]]\r\n"
            "![](assets/p.png) [s](memtool/SESSION-STATE.md) [f](#own) `[k](Areas/Kiln.md)` [g](gone.md) end"
        ),
        "Areas/Kiln.md": "[up](../Home.md)\n\n[r]: <../assets/p.png> 'x'\n",
        "assets/p.png": "p",
        "memtool/SESSION-STATE.md": "# S\n\n- [h](../Home.md) [d](2025-01-15.md)\n",
        "memtool/2025-01-15.md": "[[Areas/Kiln]]\n",
    }
    root = make(tmp_path / "w", files)
    said, there = lines(root), targets(root)
    dry = memtool("migrate", "--to", "native", "--dry-run", home=tmp_path, cwd=root)
    assert "move  Home.md -> memory/notes/Home.md (5 lines, 3 links)" in dry.stdout
    assert "\n  updates 6 links in 3 files\n" in dry.stdout
    assert contents(root) == encoded(files)
    done = run(root, to="native")
    assert sum(step.links for step in done.stages[-1].steps if step.shown) == 6
    assert lines(root) == said
    assert (there - targets(root)).total() == (targets(root) - there).total() == 6
    assert (root / "memory/notes/Home.md").read_bytes().decode() == (
        "\ufeff---\r\nup: '[[Areas/Kiln]]'\r\n---\r\n"
        "[k](Areas/Kiln.md#top) [[/memory/notes/Areas/Kiln|k]] [[Kiln]]\r\n"
        "![](../../assets/p.png) [s](../../SESSION-STATE.md) [f](#own) `[k](Areas/Kiln.md)` [g](gone.md) end"
    )
    assert (root / "SESSION-STATE.md").read_text() == (
        "# S\n\n- [h](memory/notes/Home.md) [d](memory/2025-01-15.md)\n"
    )
    assert [tie.text for tie, _ in broken_links(load_link_graph(opened(root), []))] == [
        "[f](#own)",
        "[g](gone.md)",
    ]
    run(root, to="obsidian")
    assert contents(root) == encoded(files)


def test_a_file_that_changed_after_a_stop_keeps_its_links_and_that_is_said(tmp_path):
    files = {
        "memtool.toml": 'layout = "obsidian"\n',
        "a.md": "[b](memtool/SESSION-STATE.md)\n",
        "c.md": "[b](memtool/SESSION-STATE.md)\n",
        "memtool/SESSION-STATE.md": "# S\n",
    }
    root = make(tmp_path / "w", files)

    class Stopping(FaultyDisk):
        def step(self, operation, path):
            if (root / "memory/notes/a.md").exists() and not (root / "a.md").exists():
                raise Stopped
            super().step(operation, path)

    with pytest.raises(Stopped):
        migrate(opened(root, disk=Stopping), NOW, to="native")
    assert (root / ".memtool-moving/links").stat().st_mode & 0o777 == 0o600
    with (root / "memory/notes/a.md").open("a") as file:
        file.write("more\n")
    done = run(root)
    (kept,) = [step for step in done.stages[-1].steps if step.result == "keep"]
    assert (str(kept.path), kept.why.partition(";")[0]) == (
        "memory/notes/a.md",
        "the file changed during the migration",
    )
    assert (root / "memory/notes/a.md").read_text() == "[b](memtool/SESSION-STATE.md)\nmore\n"
    assert (root / "memory/notes/c.md").read_text() == "[b](../../SESSION-STATE.md)\n"
    assert not (root / ".memtool-moving").exists()


def test_what_was_kept_of_links_may_be_nonsense(tmp_path):
    for number, text in enumerate(
        ["", "{", "[1]", '[{"path": "../x", "was": "", "then": "", "edits": [[0]]}]', "[" * 9999]
    ):
        files = {
            ".memtool-moving/links": text,
            ".memtool-moving/to": "native\n",
            "memory/core/SOUL.md": "s\n",
        }
        root = make(tmp_path / str(number), {"memtool.toml": 'layout = "native"\n', **files})
        run(root)
        assert contents(root).keys() == {"memtool.toml", "memory/core/SOUL.md"}


@settings(max_examples=25)
@given(trees(), st.sampled_from(LAYOUT_NAMES), st.data())
def test_a_move_that_is_stopped_is_ended_by_the_next(tree, to, data):
    layout, files = tree
    with tempfile.TemporaryDirectory() as folder:
        files = {"memtool.toml": f'layout = "{layout}"\n', **files}
        expected, steps = whole(Path(folder, "whole"), files, to)
        for stop_at in data.draw(st.sets(st.integers(0, max(0, steps - 1)), max_size=4)) if steps else ():
            stopped(Path(folder, f"stop{stop_at}"), files, to, stop_at)
            assert contents(Path(folder, f"stop{stop_at}")) == expected


def test_a_link_to_a_note_that_an_earlier_migration_renamed_is_not_taken_for_one_that_works(tmp_path):
    files = {"USER.md": "[x](memory/daily/2025-01-15.md)\n", "memory/daily/2025-01-15.md": "line 1\n"}
    files["memtool.toml"] = 'layout = "nano"\n'  # which reads no links in USER.md
    expected, steps = whole(tmp_path / "whole", files, "native")
    assert expected["memory/2025-01-15.md"] == b"line 1\n"
    assert expected["memory/core/USER.md"] == files["USER.md"].encode()
    for stop_at in range(0, steps, 5):
        stopped(tmp_path / f"stop{stop_at}", files, "native", stop_at)
        assert contents(tmp_path / f"stop{stop_at}") == expected


def test_a_move_that_is_stopped_between_its_notes_adds_the_same_frontmatter(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', "memory/kiln.md": "line 1\n"}
    expected, steps = whole(tmp_path / "whole", files, "okf")
    assert b"type: note" in expected["kiln.md"]
    for stop_at in range(steps // 3):  # before the first file moves
        stopped(tmp_path / f"stop{stop_at}", files, "okf", stop_at)
        assert contents(tmp_path / f"stop{stop_at}") == expected


def whole(root, files, to):
    make(root, files)
    disk = FaultyDisk(str(root))
    migrate(opened(root, disk=lambda _: disk), NOW, to=to)
    return contents(root), len(disk.done)


def stopped(root, files, to, stop_at):
    make(root, files)
    with pytest.raises(Stopped):
        migrate(opened(root, disk=lambda folder: FaultyDisk(folder, stop_at)), NOW, to=to)
    assert_nothing_lost(root, files)
    migrate(opened(root), NOW, to=to)


def assert_nothing_lost(root, files):
    """Each line of the files is in the tree, whose migration was stopped."""
    others = {"groups/family/SOUL.md", "memory/cognition/sessions/s1/buffer.jsonl", "memory/notes/b.canvas"}
    mine = {path: content for path, content in files.items() if path not in others}
    said = {line for path, text in mine.items() for line in skeleton(path, text.encode()).split("\n")}
    there = {line for row in contents(root).items() for line in skeleton(*row).split("\n")}
    assert said - there <= set(files.get("memtool.toml", "").split("\n"))


LINKED = {
    "memtool.toml": 'layout = "native"\n',
    "memory.md": (
        "[d](memory/2025_01_14.md) [[2025_01_14]] [[2025-01-15|t]] [e](memory/daily/2025/01/11.md)\n"
    ),
    "memory/core/SOUL.md": f"[m](../../memory.md)\n\n{SECTION.format(1)}",
    "memory/2025_01_14.md": (
        "[[memory]] ![[11#x]] [s](core/SOUL.md) `[e](daily/2025/01/11.md)` [g](gone.md)\n"
    ),
    "memory/daily/2025/01/11.md": "\ufeff[d](../../../2025_01_14.md) [s](<../../../core/SOUL.md>)\r\n",
    "memory/2025-01-13.md": (
        "# Daily Notes -- 2025-01-13\n\n[before](daily/2025/01/11.md) [d][]\n\n[d]: 13-01-2025.md\n"
    ),
    "memory/13-01-2025.md": "[d](2025_01_14.md)\n",
    "memory/notes/kiln.md": "---\nup: '[[2025_01_14]]'\n---\n[m](../../memory.md) [[13-01-2025]] [[11]]\n",
    "memory/notes/plain.md": "[[kiln]] [[memory]]\n",
    "memory/notes/b.canvas": '{"nodes":[{"type":"file","file":"memory/2025_01_14.md"}]}',
}


RELINKED = {
    "MEMORY.md": "[d](memory/2025-01-14.md) [[2025-01-14]] [[2025-01-15|t]] [e](memory/2025-01-11.md)\n",
    "memory/core/SOUL.md": "[m](../../MEMORY.md)\n",
    "memory/2025-01-14.md": (
        "[[memory]] ![[2025-01-11#x]] [s](core/SOUL.md) `[e](daily/2025/01/11.md)` [g](gone.md)\n"
    ),
    "memory/2025-01-11.md": "\ufeff[d](2025-01-14.md) [s](<core/SOUL.md>)\r\n",
    "memory/2025-01-13.md": (
        "# Daily Notes -- 2025-01-13\n\n[before](2025-01-11.md) [d][]\n\n[d]: 2025-01-13.md\n"
        "<!-- from memory/13-01-2025.md -->\n[d](2025-01-14.md)\n"
    ),
    "memory/notes/kiln.md": (
        "---\nup: '[[2025-01-14]]'\n---\n[m](../../MEMORY.md) [[2025-01-13]] [[2025-01-11]]\n"
    ),
    "memory/notes/plain.md": LINKED["memory/notes/plain.md"],
}
"""How each Markdown file of LINKED begins after the migration; the compactions move between the first two."""


@pytest.fixture
def linked(tmp_path):
    return make(tmp_path / "w", LINKED)


@pytest.fixture(scope="module")
def relinked(tmp_path_factory):
    root = make(tmp_path_factory.mktemp("relinked") / "w", LINKED)
    run(root)
    return {path: content.decode() for path, content in contents(root).items()}


def test_a_dry_run_counts_the_links_that_follow_and_writes_nothing(linked, tmp_path):
    dry = memtool("migrate", "--dry-run", home=tmp_path, cwd=linked)
    assert "move  memory/2025_01_14.md -> memory/2025-01-14.md (1 line, 1 link)" in dry.stdout
    assert "\n  edit  memory/notes/kiln.md (3 links)\n" in dry.stdout
    assert "\n  updates 13 links in 6 files\n" in dry.stdout
    assert contents(linked) == encoded(LINKED)


def test_files_are_renamed_within_a_layout(relinked):
    assert relinked.keys() == {"memtool.toml", "memory/notes/b.canvas", *RELINKED}


@pytest.mark.parametrize("path", RELINKED)
def test_links_follow_what_is_renamed_within_a_layout(path, relinked):
    rest = relinked[path].removeprefix(RELINKED[path])
    assert relinked[path].startswith(RELINKED[path])
    assert not rest or path in {"MEMORY.md", "memory/core/SOUL.md"}


def test_a_second_migration_has_nothing_to_do(linked, tmp_path):
    run(linked)
    again = memtool("migrate", home=tmp_path, cwd=linked)
    assert (again.returncode, again.stdout) == (0, "")


@pytest.mark.parametrize("back", [("undo",), ("migrate", "--restore")], ids=" ".join)
def test_a_migration_with_links_is_taken_back(back, linked, tmp_path):
    assert memtool("migrate", "--backup", home=tmp_path, cwd=linked).returncode == 0
    assert contents(linked) != encoded(LINKED)
    assert memtool(*back, home=tmp_path, cwd=linked).returncode == 0
    assert contents(linked) == encoded(LINKED)


@pytest.mark.parametrize("to", [None, "obsidian"])
def test_cards_of_canvases_follow_what_is_renamed_or_moved(to, tmp_path):
    board = (
        '{"nodes":[{"type":"file","file":"memory/2025_01_14.md"},\n {"type":"file","file":"memory/x.md"},'
        '{"type":"text","text":"[d](../2025_01_14.md) [[2025_01_14]]"}]}'
    )
    files = {
        "memtool.toml": 'layout = "native"\n',
        "memory/2025_01_14.md": "d\n",
        "memory/notes/b.canvas": board,
        "memory/notes/broken.canvas": "{",
    }
    root = make(tmp_path / "w", files)
    done = run(root, to=to)
    assert sum(step.links for stage in done.stages for step in stage.steps) == (4 if to else 2)
    assert "memory/notes/broken.canvas is truncated" in done.unread[0]
    now = "memtool/2025-01-14.md" if to else "memory/2025-01-14.md"
    link = "../../memtool/2025-01-14.md" if to else "../2025-01-14.md"
    expected = board.replace("memory/2025_01_14.md", now).replace("../2025_01_14.md", link)
    assert (root / "memory/notes/b.canvas").read_text() == expected.replace("[[2025_01_14", "[[2025-01-14")
    assert (root / now).exists()
    assert undo(opened(root)).plan
    assert contents(root) == encoded(files)


def test_links_of_a_note_that_becomes_a_daily_note_follow_what_is_renamed_after_it(tmp_path):
    files = {
        "memtool.toml": 'layout = "nano"\n',
        "CLAUDE.md": "# Soul\n",
        "memory/daily/2025/01/11.md": "[s](<../../../../CLAUDE.md>)\r\n",
    }
    root = make(tmp_path / "w", files)
    run(root)
    assert (root / "memory/2025-01-11.md").read_bytes() == b"[s](<../SOUL.md>)\r\n"


def test_whoever_only_wants_to_know_reads_no_links_and_sees_those_that_were_left(tmp_path):
    root = make(tmp_path / "w", LINKED)
    assert not any(step.links for stage in pending_of(root) for step in stage.steps)

    class Stopping(FaultyDisk):
        def step(self, operation, path):
            if str(path).endswith("-links") and operation == "rename":
                raise Stopped
            super().step(operation, path)

    with pytest.raises(Stopped):
        migrate(opened(root, disk=Stopping), NOW, only=["daily-notes"])
    assert "daily-notes" in pending_stages(pending_of(root))
    migrate(opened(root), NOW)
    assert not pending_stages(pending_of(root))


def pending_of(root):
    return plan_pending(opened(root), NOW).stages


@pytest.mark.parametrize("path", [".git/config", "memtool.toml", "../out.md", ".memtool/x.md", "a/.git/h.md"])
def test_links_that_a_stranger_says_are_left_are_written_into_memory_alone(path, tmp_path):
    inside = {".git/config": "[core]\n", ".memtool/x.md": "x\n", "a/.git/h.md": "h\n", "a.md": "a\n"}
    make(tmp_path, {"out.md": "o\n"})
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **inside})
    content = (root / path).read_bytes()
    row = {"path": path, "was": etag_of(content), "then": "", "edits": [[0, 1, "forged"]]}
    make(root, {".memtool-moving/soul-links": json.dumps([row])})
    assert not run(root).stages[-1].pending
    assert (root / path).read_bytes() == content


CASES = {
    "everything old": (OLD, None),
    "everything linked": (LINKED, None),
    "everything linked, to q15": (LINKED, "q15"),
    "everything old, to q15": (OLD, "q15"),
    "everything old, to native": (OLD, "native"),
    "the index of Claude's memory": (
        {
            "memtool.toml": 'layout = "claude-code"\n',
            "MEMORY.md": "- [Kiln](kiln.md)\n",
            "auto-captured.md": "- a fact\n",
            "kiln.md": "k\n",
            "memtool/2025-01-15.md": "d\n",
        },
        "native",
    ),
    "without settings": (
        {"memory/core/SOUL.md": "s\n", "memory/working/x.md": "w\n", "MEMORY.md": "m\n"},
        "q15",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_wherever_it_stops_the_next_run_ends_it(name, tmp_path):
    files, to = CASES[name]
    expected, steps = whole(tmp_path / "whole", files, to)
    assert steps > 3
    root = make(tmp_path / "w", files)
    stops = 0
    every_stop = each_stop(root, lambda disk: migrate(opened(root, disk=disk), NOW, to=to))
    for stop_at in islice(every_stop, len(name) % 3, None, 3):  # all take ten seconds
        assert_nothing_lost(root, files)
        migrate(opened(root), NOW, to=to)
        assert contents(root) == expected, stop_at
        stops += 1
    assert stops > steps / 6


def test_a_quarantine_can_be_restored_in_another_layout(tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    run(root, to="q15")
    record = json.loads(next(root.rglob("*.reason.json")).read_text())
    assert record["from"] == "history/turns/2025/01/15/00000000000000000004.json"


def test_a_move_that_was_begun_is_seen_and_no_other_is_begun(tmp_path):
    root = make(tmp_path / "w", CASES["the index of Claude's memory"][0])
    with pytest.raises(Stopped):
        migrate(opened(root, disk=lambda folder: FaultyDisk(folder, 12)), NOW, to="native")
    assert pending_stages(planned(root)[0]) == ("layout",)
    with pytest.raises(BadUsage, match="finish it first"):
        planned(root, "qanot")


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_the_command_line_says_what_it_does(layout, tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": f'layout = "{layout}"\n'})
    assert memtool("migrate", "--list", home=tmp_path, cwd=root).returncode == 0
    home = load_layout(layout).folder("daily-note")
    make(root, {f"{home}/2025_01_15.md": "x\n"})
    listed = memtool("migrate", "--list", home=tmp_path, cwd=root)
    assert listed.returncode == 1
    assert "daily-notes     pending  1 file " in listed.stdout
    dry = memtool("migrate", "--dry-run", home=tmp_path, cwd=root)
    assert f"move  {home}/2025_01_15.md -> {home}/2025-01-15.md (1 line)" in dry.stdout
    assert (root / home / "2025_01_15.md").exists()
    assert memtool("--incognito", "migrate", home=tmp_path, cwd=root).returncode == 0
    assert (root / home / "2025_01_15.md").exists()
    assert memtool("migrate", home=tmp_path, cwd=root).returncode == 0
    assert (root / home / "2025-01-15.md").read_text() == "x\n"


HOSTILE = {
    "memtool.toml": 'layout = "native"\n',
    "memory/2025_01_13\x1b[31m.md": "x\n",
    "memory/daily/2025-01-1\n1.md": "nl\n",
    "memory/20250110.md": b"\xff\xfe\n",
    "memory/%2e%2e.md": "b\n",
    "memory/2025.01.09.md": "nul\0here\n",
    "memory/core/SOUL.md": "## Session Compaction x\n",
}


def test_a_hostile_tree_is_migrated_as_far_as_it_can_be(tmp_path):
    root = make(tmp_path / "w", HOSTILE)
    os.mkfifo(root / "memory.md")
    (root / "memory/2025_01_15.md").mkdir()
    os.symlink("/etc/passwd", root / "memory/2025_01_14.md")
    os.symlink("../..", root / "memory/daily/loop")
    os.symlink("memory/core/SOUL.md", root / "SESSION-STATE.md")
    for to in (None, "q15", "native"):
        done = run(root, to=to)
        assert all("%2e" in sentence for sentence in done.unread)
        assert os.readlink(root / "SESSION-STATE.md") == "memory/core/SOUL.md"
        assert os.readlink(root / "memory/2025_01_14.md") == "/etc/passwd"
        kept = {str(step.path): step.why for stage in done.stages for step in stage.steps}
        why = "the path is a symbolic link; only regular files are moved"
        assert to != "q15" or kept["SESSION-STATE.md"] == why
    assert (root / "memory/2025-01-10.md").read_bytes() == b"\xff\xfe\n"
    assert (root / "memory/%2e%2e.md").read_text() == "b\n"
    shown = memtool("migrate", "--to", "q15", "--dry-run", home=tmp_path, cwd=root)
    assert shown.returncode == 3
    assert "\x1b" not in shown.stdout


def test_a_folder_that_a_stranger_put_there_is_no_move_that_was_begun(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "qanot"\n', ".memtool-moving/to": "nonsense\n"})
    assert pending_stages(planned(root)[0]) == ()
    result = memtool("status", home=tmp_path, cwd=root)
    assert result.returncode == 0


def test_a_read_only_tree_can_be_looked_at(tmp_path):
    root = make(tmp_path / "w", OLD)
    tree = PlannedTree(opened(root).read_only())
    assert pending_stages(plan_stages(tree, NOW, to="q15"))[-1] == "layout"
    assert not (root / ".memtool").exists()


def test_a_file_that_changes_underway_ends_the_run_and_the_next_goes_on(tmp_path):
    root = make(tmp_path / "w", OLD)

    class Editor(FaultyDisk):
        def step(self, operation, path):
            super().step(operation, path)
            if sum(name.startswith("journal ") for name in self.done) == 2:
                (root / "memory/daily/2025-01-12.md").write_text("edited\n")

    with pytest.raises(PartlyApplied, match=r"steps completed\), because memory/daily/2025-01-12.md changed"):
        migrate(opened(root, disk=Editor), NOW)
    run(root)
    assert (root / "memory/2025-01-12.md").read_text() == "edited\n"


def test_who_acts_for_a_group_migrates_nothing(tmp_path):
    root = make(tmp_path / "w", OLD)
    for arguments in (["migrate"], ["migrate", "--list"], ["doctor"], ["stats"]):
        result = memtool(*arguments, home=tmp_path, cwd=root, environment={"MEMTOOL_GROUP": "family"})
        assert result.returncode == 13
    assert "memory.md" in contents(root)


UNGROUPED = [name for name in LAYOUT_NAMES if load_layout(name).groups is None]


def grouped_tree(root):
    shutil.copytree(SAMPLE, root)
    prices = "# Prices\n\n- Shops get 40 % off.\n"
    of_no_role = ("prices.md", "old/2024/x.md", "CLAUDE.md", "memory/deep/x.md")
    make(root, {f"groups/wholesale/{name}": prices for name in of_no_role})
    return {path: text for path, text in contents(root).items() if path.startswith("groups/")}


def assert_withheld(root):
    """No file with words of the group is indexed, readable or Markdown."""
    layout = opened(root).layout
    withheld = [path for path, text in contents(root).items() if b"40 %" in text]
    assert withheld
    for path in withheld:
        place = layout.locate(path).place
        assert (place.role, place.indexed, place.readable, path.endswith(".md")) == (
            "group-file",
            False,
            False,
            False,
        )


@pytest.mark.parametrize("to", UNGROUPED)
def test_memory_of_groups_is_withheld_where_the_layout_has_none_and_comes_back(to, tmp_path):
    root = tmp_path / "w"
    before = grouped_tree(root)
    [summary] = [row for row in run(root, to=to).summary if "no groups" in row]
    assert "of 2 groups (global, wholesale) were moved to " in summary
    assert_withheld(root)
    run(root, to="native")
    assert {path: text for path, text in contents(root).items() if path.startswith("groups/")} == before


def test_memory_of_groups_is_withheld_by_every_layout_that_follows(tmp_path):
    root = tmp_path / "w"
    before = grouped_tree(root)
    run(root, to="q15")
    for to in ("letta", "obsidian", "okf"):
        assert not any("no groups" in row for row in run(root, to=to).summary)
        assert_withheld(root)
    run(root, to="nano")
    assert {path for path in contents(root) if path.startswith("groups/")} == before.keys()


def test_groups_of_a_tree_whose_layout_never_had_any_are_withheld_from_its_notes(tmp_path):
    files = {"memtool.toml": 'layout = "q15"\n', "groups/wholesale/MEMORY.md": "- Shops get 40 % off.\n"}
    root = make(tmp_path / "w", files)
    run(root, to="letta")
    assert_withheld(root)


def test_a_folder_of_notes_that_is_called_groups_stays_one(tmp_path):
    files = {"memtool.toml": 'layout = "obsidian"\n', "groups/bands/MEMORY.md": "- The Beatles\n"}
    root = make(tmp_path / "w", files)
    run(root, to="okf")
    assert "groups/bands/MEMORY.md" in contents(root)


def test_a_file_of_a_group_that_cannot_be_moved_is_never_left_to_others(tmp_path):
    root = tmp_path / "w"
    grouped_tree(root)
    os.truncate(root / "groups/wholesale/prices.md", MAX_READ_BYTES + 1)
    before = [path for path in root.rglob("*") if ".memtool" not in path.parts]
    with pytest.raises(BadUsage, match=r"too large .*readable by everyone; move it out"):
        run(root, to="letta")
    assert [path for path in root.rglob("*") if ".memtool" not in path.parts] == before


@pytest.mark.parametrize("to", ["obsidian", "claude-code", "openclaw"])
def test_a_link_to_a_sibling_is_none_to_a_file_of_that_name_elsewhere(to, tmp_path):
    text = "see [s](SECURITY.md) and [[SECURITY]]\n"
    files = {"docs/CONTRIBUTING.md": text, "docs/SECURITY.md": "s\n", "memory/notes/z/security.md": "other\n"}
    root = make(tmp_path, {"memtool.toml": 'layout = "native"\n', **files})
    run(root, to=to, only=["layout"])
    assert (root / "docs/CONTRIBUTING.md").read_text() == text


@pytest.mark.parametrize("to", ["native", "q15", "openclaw", "nano"])
def test_the_index_of_claude_code_comes_back_and_core_files_keep_it_in_prompts(to, tmp_path):
    files = {
        "MEMORY.md": "- [Tea](tea.md)\n",
        "tea.md": "Likes tea.\n",
        "auto-captured.md": "## Auto-captured\n",
    }
    root = make(tmp_path, {"memtool.toml": 'layout = "claude-code"\n', **files})
    run(root, to=to, only=["layout"])
    index = next(path for path, text in contents(root).items() if text.startswith(b"- [Tea]("))
    is_core = to in {"native", "q15"}
    assert is_core == (load_layout(to).locate(index).place.inject == "always")
    run(root, to="claude-code", only=["layout"])
    assert contents(root) == {path: text.encode() for path, text in files.items()} | {
        "memtool.toml": b'layout = "claude-code"\n'
    }


def test_the_instructions_of_openclaw_stay_first_in_the_prompt(tmp_path):
    root = make(tmp_path, {"SOUL.md": "Calm.\n", "AGENTS.md": "Be kind.\n", "TOOLS.md": "A saw.\n"})
    command = "--layout", "openclaw", "migrate", "--to", "native"
    assert memtool(*command, home=tmp_path, cwd=root).returncode == 0
    context = memtool("context", home=tmp_path, cwd=root).stdout
    assert context.startswith("<memory-context>\n## AGENTS.md\n")


def test_a_label_of_a_link_is_no_mention_of_a_moved_file(tmp_path):
    files = {"SOUL.md": "# Soul\n\nCalm.\n", "AGENTS.md": "# A\n\nRead [SOUL.md](SOUL.md) and [[SOUL]].\n"}
    root = make(tmp_path, {**files, "memory/2025-01-15.md": "# D\n"})
    result = memtool("--layout", "openclaw", "migrate", "--to", "native", home=tmp_path, cwd=root)
    assert "still mentions" not in result.stderr
    assert "[SOUL.md](memory/core/SOUL.md)" in (root / "AGENTS.md").read_text()


def test_the_comment_that_says_where_merged_text_came_from_is_no_mention(tmp_path):
    root = make(tmp_path, {"MEMORY.md": "# M\n\n- a cat\n", "memory.md": "- a dog\n"})
    result = memtool("--layout", "openclaw", "migrate", "--to", "native", home=tmp_path, cwd=root)
    assert "<!-- from memory.md -->" in (root / "MEMORY.md").read_text()
    assert "still mentions" not in result.stderr


def test_a_mention_of_a_moved_file_is_reported_with_its_line(tmp_path):
    root = make(tmp_path, {"SOUL.md": "# Soul\n\nCalm.\n", "AGENTS.md": "# A\n\nRead SOUL.md.\n"})
    result = memtool("--layout", "openclaw", "migrate", "--to", "native", home=tmp_path, cwd=root)
    assert (
        "AGENTS.md:3 still mentions SOUL.md, which was moved to memory/core/SOUL.md; correct the path by hand"
        in (result.stderr)
    )
    (root / "AGENTS.md").write_text("# A\n\nRead memory/core/SOUL.md.\n")
    result = memtool("migrate", "--to", "openclaw", home=tmp_path, cwd=root)
    assert (
        "AGENTS.md:3 still mentions memory/core/SOUL.md, which was moved to SOUL.md; correct the path by hand"
        in (result.stderr)
    )


def test_a_link_from_the_root_stays_one_also_in_a_file_at_the_root(tmp_path):
    files = {"log.md": "Added [Orders](/tables/orders.md).\n", "tables/orders.md": "One row per order.\n"}
    root = make(tmp_path, {"memtool.toml": 'layout = "obsidian"\n', **files})
    run(root, to="native", only=["layout"])
    assert "(/memory/notes/tables/orders.md)" in (root / "memory/notes/log.md").read_text()
    run(root, to="obsidian", only=["layout"])
    assert (root / "log.md").read_text() == files["log.md"]


@pytest.mark.parametrize("to", ["gemini", "codex", "letta", "obsidian", "basic-memory", "okf"])
def test_the_way_from_native_and_back_loses_no_file_and_no_role(to, tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    shutil.rmtree(root / "groups")  # only native and nano have groups
    before = contents(root)
    run(root, to=to)
    there = [load_layout(to).locate(path) for path in contents(root) if path != "memtool.toml"]
    roles = Counter(load_layout("native").locate(path).role for path in before if path != "memtool.toml")
    assert Counter(located.role for located in there) == roles
    run(root, to="native")
    after = contents(root)
    assert after.keys() == before.keys()
    for path, content in before.items():
        assert after[path] == content or without_required_keys(after[path]) == content.decode(), path


@pytest.mark.parametrize(("to", "key"), [("letta", "description"), ("okf", "type")])
def test_a_move_adds_the_frontmatter_that_the_layout_requires(to, key, tmp_path):
    root = make(tmp_path / "w", {"README.md": "# Project\n", "memory/core/BARE.md": "no frontmatter\n"})
    shutil.copytree(SAMPLE, root, dirs_exist_ok=True)
    run(root, to=to)
    layout, files = load_layout(to), contents(root)
    assert files["README.md"] == b"# Project\n"  # it was no part of memory
    required = {
        path: frontmatter.load_keys(text.decode())
        for path, text in files.items()
        if path != "README.md" and (place := layout.locate(path)) and place.place.required_keys(path)
    }
    assert len(required) > 8
    assert all(keys[key] for keys in required.values())
    problems = lint(opened(root), LintRequest()).problems
    assert {problem.path for problem in problems if problem.code == "M220"} == {"README.md"}


@pytest.mark.parametrize(
    ("line", "filled"),
    [
        ('type: ""', "type: note"),
        ("type:   # unknown yet", "type: note   # unknown yet"),
        ("type: ' '  # which?", "type: note  # which?"),
        ("type: []", "type: note"),
        ("type: null", "type: note"),
        ("'type': ~", "'type': note"),
    ],
)
def test_an_empty_type_is_filled_and_all_around_it_stays(tmp_path, line, filled):
    text = "---\ntitle: Kiln  # ours\n{}\n# next\ntags: [a,  b]\nzeta: 1\n---\nText\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "obsidian"\n', "a.md": text.format(line)})
    run(root, to="okf")
    assert (root / "a.md").read_text() == text.format(filled)


@pytest.mark.parametrize("line", ["type: Concept", "type: false", "type: 0", 'type: "{{kind}}"', "type: [x]"])
def test_a_type_that_is_not_empty_stays(tmp_path, line):
    text = f"---\n{line}\n---\nText\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "obsidian"\n', "a.md": text})
    run(root, to="okf")
    assert (root / "a.md").read_text() == text


def test_frontmatter_that_cannot_be_edited_stays_and_is_reported(tmp_path):
    text = "---\ntitle: a: b\n---\nText\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "obsidian"\n', "broken.md": text})
    steps = run(root, to="okf").stages[-1].steps
    [kept] = [step for step in steps if str(step.path) == "broken.md"]
    assert kept.result == "keep"
    assert "invalid frontmatter on line 2" in kept.why
    assert (root / "broken.md").read_text() == text


def test_a_stranger_cannot_have_frontmatter_added_outside_of_memory(tmp_path):
    files = {".memtool-moving/to": "okf\n", ".memtool-moving/frontmatter": "../other.md\n.git/x.md\n"}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "okf"\n', ".git/x.md": "x\n", **files})
    make(tmp_path, {"other.md": "y\n"})
    run(root)
    assert (tmp_path / "other.md").read_text() == "y\n"
    assert (root / ".git/x.md").read_text() == "x\n"


@pytest.mark.parametrize("to", ["claude-code", "q15"])
def test_the_summary_names_what_leaves_every_prompt(to, tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns("groups"))
    [total, lost] = run_dry(root, to).summary
    assert total.startswith("would move 3")
    assert lost.startswith("would no longer be in every prompt: ")
    assert "SESSION-STATE.md" not in lost  # there is nothing in it that a prompt must always have
    assert run(root, to=to).summary == (
        total.replace("would move", "moved"),
        lost.replace("would no longer be", "no longer"),
    )


def test_the_summary_names_what_the_agent_of_the_old_layout_no_longer_finds(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "gemini"\n', "GEMINI.md": "- tea\n"})
    assert run(root, to="native").summary == (
        "moved 1 of 1 memory file; the native layout treats 1 file as memory",
        "no longer found by Gemini CLI: GEMINI.md",
    )


@pytest.mark.parametrize(
    ("layout", "files", "found"),
    [
        (
            "letta",
            {
                "system/human.md": "---\ndescription: x\n---\n# Human\n",
                "projects/kiln.md": "---\ndescription: y\n---\n# Kiln\n",
                "memtool/SESSION-STATE.md": "# S\n",
                "memtool/2025-01-15.md": "# D\n",
                "memtool/semantic/facts.md": "# Facts\n",
                "memtool/learnings/errors.md": "# Errors\n",
            },
            "Letta: system/human.md, projects/kiln.md",
        ),
        (
            "openclaw",
            {"SOUL.md": "# Soul\n", "memory/SESSION-STATE.md": "# S\n", "learnings/errors.md": "# E\n"},
            "OpenClaw: SOUL.md",
        ),
        ("qanot", {"SESSION-STATE.md": "# S\n", "SOUL.md": "# Soul\n"}, "Qanot: SESSION-STATE.md, SOUL.md"),
        ("codex", {"memtool/MEMORY.md": "- x\n", "memtool/core/USER.md": "# User\n"}, ""),
    ],
)
def test_the_summary_names_only_files_that_the_agent_reads_itself(layout, files, found, tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": f'layout = "{layout}"\n', **files})
    to = "letta" if layout == "qanot" else "native"
    lost = [sentence for sentence in run_dry(root, to).summary if "found by" in sentence]
    assert lost == [f"would no longer be found by {found}"] * bool(found)


def test_a_move_that_keeps_all_prompts_has_a_summary_without_losses(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/core/AGENT.md": "x\n"})
    assert len(run(root, to="okf").summary) == 1


def test_a_dry_run_says_that_a_mentioned_file_would_be_moved(tmp_path):
    files = {"SESSION-STATE.md": "x\n", "AGENTS.md": "See SESSION-STATE.md.\n"}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})
    [mention] = run_dry(root, "okf").mentions
    assert "SESSION-STATE.md, which would be moved to memtool/SESSION-STATE.md" in mention


@pytest.mark.parametrize("layout", ["openclaw", "nano", "qanot"])
@pytest.mark.parametrize("to", ["native", "q15", "letta"])
def test_a_file_of_every_prompt_stays_one_under_another_role_and_comes_back(layout, to, tmp_path):
    files = {"TOOLS.md": "- use rg\n", "HEARTBEAT.md": "each hour\n"}
    root = make(tmp_path, {"memtool.toml": f'layout = "{layout}"\n', **files})
    run(root, to=to, only=["layout"])
    tools, beat = (
        next(path for path, text in contents(root).items() if word in text) for word in (b"- use rg", b"each")
    )
    assert load_layout(to).locate(tools).place.inject == "always"
    assert beat == "HEARTBEAT.md"
    run(root, to=layout, only=["layout"])
    assert contents(root)["TOOLS.md"].endswith(b"- use rg\n")


def test_a_file_of_every_prompt_that_others_read_stays_and_the_summary_says_where_to(tmp_path):
    root = make(tmp_path, {"memtool.toml": 'layout = "codex"\n', "AGENTS.override.md": "Use uv.\n"})
    result = memtool("migrate", "--to", "native", home=tmp_path, cwd=root)
    assert (
        "AGENTS.override.md; to keep it in prompts, move it to memory/core/AGENTS.override.md"
        in result.stderr
    )
    assert (root / "AGENTS.override.md").exists()
