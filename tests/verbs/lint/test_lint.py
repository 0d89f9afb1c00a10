"""One run of lint over whole trees: what is between files, what the agent does not see, and what was kept."""

from __future__ import annotations

import grp
import json
import os
import pwd
import shutil
from datetime import date

import pytest

from memtool.core.lint.baseline import baseline_of
from memtool.core.lint.codes.all_codes import CODES_BY_NAME, select_codes
from memtool.core.lint.problem import Problem
from memtool.core.records.request import ContextRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.errors import BadUsage
from memtool.store.workspace import Workspace
from memtool.verbs.context.context import context
from memtool.verbs.context.sections import standing_sections
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from tests.bench.corpus import kept_by_hand
from tests.shared_folder import folder_for_all
from tests.trees import SAMPLE, contents, make, opened

KEY = b"k" * 32
TURNS = "memory/history/turns/2025/01/15"
HOME_TREE = {"memory/core/AGENT.md": "# Agent\n", "memory/working/WORKING_MEMORY.md": "# Now\n"}
"""What makes a folder a workspace in the native layout."""


def native(root, files):
    return make(root, {**HOME_TREE, **files})


def run(root, layout=None, *, key=None, settings=None, **wanted):
    workspace = root if isinstance(root, Workspace) else opened(root, layout, **(settings or {}))
    wanted.setdefault("codes", frozenset(CODES_BY_NAME) - {"M503", "M504"})
    return lint(workspace, LintRequest(key=key, **wanted))


def told(root, layout=None, **more):
    return [(one.code, one.path, one.line) for one in run(root, layout, **more).problems]


def turn(seq, created="2025-01-15T10:30:00Z"):
    return json.dumps(
        {"schema_version": 2, "id": f"t{seq}", "seq": seq, "created_at": created, "messages": []}
    )


def test_the_sample_workspace_has_nothing_wrong_with_it(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    found = run(tmp_path / "w")
    assert found.problems == ()
    assert found.files == found.files_read == len(contents(tmp_path / "w"))


@pytest.mark.parametrize(
    "layout", ["native", "q15", "qanot", "openclaw", "nano", "openlegion", "claude-code", "obsidian"]
)
def test_what_init_makes_has_nothing_wrong_with_it(tmp_path, layout):
    from memtool.verbs.layout.init import init

    (tmp_path / "w").mkdir()
    init(opened(tmp_path / "w", layout), date(2025, 1, 15))
    assert told(tmp_path / "w", layout) == []


def test_facts_and_ids_are_compared_between_files(tmp_path):
    native(
        tmp_path,
        {
            "memory/semantic/a.md": (
                "- [goal] a bigger kiln ^m-1\n- [goal] Tea.\n- [goal] old [superseded: 2025-01-01]\n"
            ),
            "memory/semantic/b.md": (
                "- [goal] another ^m-1\n- [goal] tea\n- [goal] old\n- [goal] [user:x] tea\n"
            ),
            "memory/notes/inbox/a.md": "---\nid: 7\n---\n",
            "memory/notes/inbox/b.md": "---\ntitle: b\nid: '7'\n---\n",
            "groups/x/memory/c.md": "---\nid: 7\n---\n",
        },
    )
    assert told(tmp_path) == [
        ("M210", "memory/notes/inbox/b.md", 3),
        ("M210", "memory/semantic/b.md", 1),
        ("M212", "memory/semantic/b.md", 2),
    ]


def test_a_history_is_compared_with_its_head(tmp_path):
    head = "memory/history/state/head.json"
    native(
        tmp_path,
        {
            f"{TURNS}/{1:020}.json": turn(1),
            f"{TURNS}/{7:020}.json": turn(7),
            f"{TURNS}/odd.json": turn(7),
            "memory/history/turns/2025/01/14/notes.txt": "no turn",
            head: '{\n  "last_seq": 3,\n  "updated_at": "2025-01-15T10:30:00Z"\n}',
            "groups/x/memory/history/state/head.json": (
                '{"last_seq": 1, "updated_at": "2025-01-15T10:30:00Z"}'
            ),
        },
    )
    assert told(tmp_path) == [
        ("M214", head, 2),
        ("M308", "memory/history/turns/2025/01/14/notes.txt", 1),
        ("M218", f"{TURNS}/odd.json", 1),
    ]
    (tmp_path / head).write_text('{"last_seq": 9, "updated_at": "2025-01-15T10:30:00Z"}')
    assert "M214" not in {code for code, _, _ in told(tmp_path)}


def test_each_limit_names_the_first_line_that_the_agent_does_not_see(tmp_path):
    row = "0123456789" * 9 + "\n"  # 91 characters
    native(tmp_path / "native", {"memory/working/WORKING_MEMORY.md": row * 100})
    found = told(tmp_path / "native", settings={"MEMTOOL_HOOK_BUDGET": "10000"})
    assert found == [("M302", "memory/working/WORKING_MEMORY.md", 8000 // 91 + 1)]

    make(tmp_path / "claude", {"MEMORY.md": "- x\n" * 250, "memtool.toml": 'layout = "claude-code"\n'})
    assert told(tmp_path / "claude") == [("M303", "MEMORY.md", 201)]
    (tmp_path / "claude/MEMORY.md").write_text(("x" * 199 + "\n") * 150)
    assert told(tmp_path / "claude") == [("M303", "MEMORY.md", 25_000 // 200 + 1)]

    make(tmp_path / "claw", {"AGENTS.md": "a\n", "SOUL.md": row * 300, "IDENTITY.md": "i\n"})
    assert told(tmp_path / "claw", "openclaw") == [("M304", "SOUL.md", int(20_000 * 0.75) // 91 + 1)]
    four = dict.fromkeys(("AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"), row * 200)
    make(tmp_path / "claw4", {**four, "IDENTITY.md": "i\n"})
    ((code, path, line),) = told(tmp_path / "claw4", "openclaw")
    assert (code, path) == ("M305", "MEMORY.md")
    left = 60_000 - 3 * len((row * 200).rstrip()) - 1
    assert line == left // 91 + 1

    own = {**dict.fromkeys(("AGENTS.md", "SOUL.md", "TOOLS.md", "USER.md"), row * 200), "IDENTITY.md": "i\n"}
    make(tmp_path / "claw5", own)  # the host begins with its own rules, and comes to the user last
    ((code, path, line),) = told(tmp_path / "claw5", "openclaw")
    assert (code, path, line) == ("M305", "USER.md", (left - 1) // 91 + 1)

    make(tmp_path / "legion", {"SOUL.md": row * 50, "learnings/errors.md": "", "MEMORY.md": "m\n"})
    assert told(tmp_path / "legion", "openlegion") == [("M304", "SOUL.md", 4000 // 91 + 1)]


def test_of_a_compiled_memory_the_head_alone_can_be_too_long(tmp_path):
    head, log = "- I like tea\n" * 100, "\n## Monday\n\n- the kiln is warm\n" * 1200
    marked = "# Long-Term Memory\n\n<!-- compiled:begin -->\n{}<!-- compiled:end -->\n{}"
    make(tmp_path, {"learnings/errors.md": "", "MEMORY.md": marked.format(head, log)})
    assert not [row for row in told(tmp_path, "openlegion") if row[0] in {"M304", "M305", "M314"}]
    (tmp_path / "MEMORY.md").write_text(marked.format(head * 10, log))
    found = [row for row in told(tmp_path, "openlegion") if row[0] in {"M304", "M305", "M314"}]
    assert found == [("M304", "MEMORY.md", 4 + 10_968 // 13)]


def test_settings_say_what_the_agents_host_allows(tmp_path):
    make(tmp_path, {"AGENTS.md": "a\n", "SOUL.md": "x\n" * 11_000, "IDENTITY.md": "i\n"})
    assert [code for code, _, _ in told(tmp_path, "openclaw")] == ["M304"]
    assert told(tmp_path, "openclaw", settings={"MEMTOOL_LINT_BOOTSTRAP": "30000"}) == []
    total = {"MEMTOOL_LINT_BOOTSTRAP": "30000", "MEMTOOL_LINT_BOOTSTRAP_TOTAL": "100"}
    assert [code for code, _, _ in told(tmp_path, "openclaw", settings=total)] == ["M305"]


def test_what_a_hook_cannot_hand_over_is_told_at_its_line(tmp_path):
    lines = [f"- fact number {n} is as long as any other line of it\n" for n in range(300)]
    native(tmp_path, {"MEMORY.md": "# Memory\n\n" + "".join(lines), "AGENTS.md": "# A\n"})
    ((code, path, line),) = told(tmp_path)
    assert (code, path) == ("M306", "MEMORY.md")
    request = ContextRequest("x", WHOLE_WORKSPACE, date(2025, 1, 15), budget=8000, retrieval=False)
    shown = context(opened(tmp_path), request, lambda: None).text
    assert lines[line - 4] in shown  # the line above it is the last that fits
    assert lines[line - 3] not in shown
    settings = {"MEMTOOL_HOOK_BUDGET": "4000"}
    ((_, _, earlier),) = told(tmp_path, settings=settings)
    assert earlier < line


def test_text_of_every_prompt_that_only_the_budget_of_hooks_cuts_off_is_reported(tmp_path):
    lines = [f"- fact number {n} is as long as any other line of it\n" for n in range(160)]
    native(tmp_path, {"MEMORY.md": "# Memory\n\n" + "".join(lines), "AGENTS.md": "# A\n"})
    assert [code for code, _, _ in told(tmp_path)] == ["M306"]
    assert told(tmp_path, settings={"MEMTOOL_HOOK_BUDGET": "10000"}) == []


@pytest.mark.parametrize(
    ("layout", "path", "codes"),
    [
        ("gemini", "GEMINI.md", []),
        ("codex", "AGENTS.md", ["M316"]),
        ("letta", "system/human.md", ["M220"]),
        ("qanot", "MEMORY.md", []),
    ],
)
def test_the_limit_of_hooks_does_not_hold_for_a_file_that_the_agent_reads_itself(
    tmp_path, layout, path, codes
):
    make(tmp_path, {path: "- word\n" * 9000})
    assert [code for code, _, _ in told(tmp_path, layout)] == codes


def test_of_a_log_that_is_too_long_the_oldest_entry_is_told(tmp_path):
    lines = [f"- [2025-01-15T10:00:00+00:00] **decision**: {n} is as long as any other\n" for n in range(400)]
    native(tmp_path, {"SESSION-STATE.md": "# SESSION-STATE.md\n\n" + "".join(lines), "AGENTS.md": "# A\n"})
    assert told(tmp_path) == [("M306", "SESSION-STATE.md", 3)]
    request = ContextRequest("x", WHOLE_WORKSPACE, date(2025, 1, 15), budget=8000, retrieval=False)
    shown = context(opened(tmp_path), request, lambda: None).text
    assert lines[0] not in shown
    assert lines[-1] in shown


def test_lessons_without_room_are_told_from_the_newest_on(tmp_path):
    new = [f"- [2025-01-{day:02}T10:00:00Z] lesson {day} " + "x" * 200 for day in range(28, 0, -1)]
    native(tmp_path, {"learnings/errors.md": "# Errors\n\n" + "\n".join(new) + "\n"})
    ((code, path, line),) = told(tmp_path)
    assert (code, path) == ("M307", "learnings/errors.md")
    sections = standing_sections(opened(tmp_path), "A", [], [])
    (section,) = [section for section in sections if section.role == "learnings"]
    assert new[line - 4] in section.text
    assert new[line - 3] not in section.text


def test_files_that_nobody_finds_are_told(tmp_path):
    native(
        tmp_path,
        {
            "memory/archive/old.md": "x",
            "memory/archive/deep/older.txt": "x",
            "memory/archive/picture.png": b"\x89PNG\0",
            "memory/state.json": "{}",
            "memory/episodic/undated.md": "x",
            "Memory.md": "x",
            "memory/Working/notes.md": "x",
            "src/main.md": "project code is none of memory's",
            "README.md": "x",
            "memory/2025-1-5.md": "2025-1-5",
            "memory/20250106.md": "20250106",
            "memory/2025-02-30.md": "2025-02-30",
            "memory/2025-02-30-plan.md": "2025-02-30-plan",
            "memory/20250115103000.md": "a zettel's id is no day",
            "memory/notes/2025.01.05.md": "notes are named as one likes",
        },
    )
    (tmp_path / "memory/linked.md").symlink_to("2025-1-5.md")
    (tmp_path / "memory/notes/vault").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "memory/pipe.md")
    assert sorted(told(tmp_path)) == [
        ("M206", "memory/2025-02-30-plan.md", 1),
        ("M206", "memory/2025-02-30.md", 1),
        ("M308", "memory/Working", 1),
        ("M308", "memory/archive", 1),
        ("M308", "memory/episodic/undated.md", 1),
        ("M309", "Memory.md", 1),
        ("M310", "memory/linked.md", 1),
        ("M310", "memory/notes/vault", 1),
        ("M310", "memory/pipe.md", 1),
        ("M311", "memory/2025-1-5.md", 1),
        ("M311", "memory/20250106.md", 1),
    ]


def test_memignore_and_settings_pass_over_files(tmp_path):
    native(
        tmp_path,
        {
            "memory/notes/templates/day.md": "---\na: [\n---\n",
            "memory/notes/a.md": "---\na: [\n---\n",
            "memory/notes/keep.md": "\ufeffx",
            "memory/archive/x.md": "x",
            ".memignore": "# comment\n\ntemplates/\n/memory/archive\n*.md\n!keep.md\n",
        },
    )
    assert told(tmp_path) == [("M102", "memory/notes/keep.md", 1)]
    (tmp_path / ".memignore").write_text("templates/\n")
    assert told(tmp_path) == [
        ("M308", "memory/archive", 1),
        ("M203", "memory/notes/a.md", 2),
        ("M102", "memory/notes/keep.md", 1),
    ]
    per_file = '[lint.per_file]\n"memory/notes/" = ["M1"]\n"archive/" = ["M3"]\n'
    (tmp_path / "memtool.toml").write_text(per_file)
    assert told(tmp_path) == [("M203", "memory/notes/a.md", 2)]


@pytest.mark.parametrize(
    ("file", "content"),
    [(".memignore", "!\n"), (".memignore", "a[z-a]\n"), ("memtool.toml", '[lint.per_file]\n"a" = ["M9"]\n')],
)
def test_what_settings_cannot_mean_is_refused(tmp_path, file, content):
    native(tmp_path, {file: content})
    with pytest.raises(BadUsage):
        run(tmp_path)


def test_paths_and_codes_narrow_what_is_told_and_files_without_a_role_are_text(tmp_path):
    native(
        tmp_path,
        {
            "memory/notes/a.md": "\ufeff---\na: [\n---\n",
            "memory/notes/b.md": "\ufeffx",
            "memory/notesx.md": "\ufeffx",
            "docs/x.md": "\ufeffx",
        },
    )
    assert told(tmp_path, paths=("memory/notes/a.md",)) == [
        ("M102", "memory/notes/a.md", 1),
        ("M203", "memory/notes/a.md", 2),
    ]
    assert {path for _, path, _ in told(tmp_path, paths=("memory/notes",))} == {
        "memory/notes/a.md",
        "memory/notes/b.md",
    }
    assert told(tmp_path, paths=("docs/x.md",)) == [("M102", "docs/x.md", 1)]
    assert told(tmp_path, paths=("memory/notes",), codes=select_codes(["M2"], "x")) == [
        ("M203", "memory/notes/a.md", 2)
    ]
    assert run(tmp_path, paths=("memory/notes",)).files == 2


def test_a_comment_excuses_what_is_between_files_too(tmp_path):
    native(
        tmp_path,
        {
            "memory/semantic/a.md": "- [goal] tea ^m-1\n",
            "memory/semantic/b.md": "<!-- memtool: ignore M210 -->\n- [goal] milk ^m-1\n",
            "memory/semantic/c.md": (
                "<!-- memtool: ignore-file M210 the list of another agent -->\n- [goal] x ^m-1\n"
            ),
            "memory/semantic/d.md": "- [goal] y ^m-1\n",
        },
    )
    assert told(tmp_path) == [("M210", "memory/semantic/d.md", 1)]


def test_a_baseline_hides_what_is_known_only(tmp_path):
    native(tmp_path, {"memory/notes/a.md": "---\na: [\n---\n", "memory/notes/b.md": "\ufeffx"})
    known = baseline_of(run(tmp_path).problems)
    assert run(tmp_path, baseline=known).problems == ()
    assert run(tmp_path, baseline=known).suppressed == 2
    (tmp_path / "memory/notes/b.md").write_text("x")
    (tmp_path / "memory/notes/c.md").write_text("\ufeffx")
    found = run(tmp_path, baseline=known)
    assert [one.path for one in found.problems] == ["memory/notes/c.md"]
    assert (found.suppressed, found.stale) == (1, 1)


def test_a_baseline_misses_nothing_that_nobody_looked_for(tmp_path):
    native(
        tmp_path, {"memory/notes/a.md": "---\na: [\n---\n", "memory/notes/b.md": "\ufeff[[no]]\n", "c.md": ""}
    )
    known = baseline_of([*run(tmp_path).problems, Problem("memory/notes/b.md", 1, 1, "M504", "others write")])
    assert {code for _, code, _ in known.counts} == {"M102", "M203", "M401", "M504"}
    for part in (
        {"paths": ("memory/notes/a.md",)},
        {"codes": select_codes(["M2"], "")},
        {"paths": ("memory/notes/b.md",), "overrides": {"memory/notes/b.md": b"\xef\xbb\xbf[[no]]\n"}},
    ):
        found = run(tmp_path, baseline=known, **part)
        assert (found.problems, found.stale) == ((), 0)


def test_an_unsaved_text_stands_in_for_its_file(tmp_path):
    native(tmp_path, {"memory/semantic/a.md": "- [goal] tea ^m-1\n", "memory/semantic/b.md": "\ufeffold\n"})
    given = {"memory/semantic/b.md": b"- [goal] Tea ^m-1\n"}
    found = run(tmp_path, overrides=given, paths=tuple(given), key=KEY)
    assert [(one.code, one.line) for one in found.problems] == [("M210", 1), ("M212", 1)]
    assert told(tmp_path, key=KEY) == [("M102", "memory/semantic/b.md", 1)]
    given = {"memory/notes/new/deep/x.md": b"---\na: [\n---\n"}
    assert told(tmp_path, overrides=given, paths=tuple(given)) == [("M203", "memory/notes/new/deep/x.md", 2)]
    assert told(tmp_path, overrides={"-": b"\xff"}, paths=("-",)) == [("M101", "-", 1)]


# what was kept ----------------------------------------------------------------------------------------------


def test_what_has_not_changed_is_not_read_again(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    old = 1_700_000_000
    for path in (tmp_path / "w").rglob("*"):
        os.utime(path, (old, old))
    workspace = opened(tmp_path / "w")
    assert run(workspace, key=KEY).files_read == 42
    aged(tmp_path / "w")
    assert run(workspace, key=KEY).files_read == 0
    note = tmp_path / "w/memory/notes/inbox/oxidation-celadon.md"
    note.write_text(f"\ufeff{note.read_text()}")
    found = run(workspace, key=KEY)
    assert found.files_read == 1
    assert [one.code for one in found.problems] == ["M102"]
    aged(tmp_path / "w")
    assert [one.code for one in run(workspace, key=KEY).problems] == ["M102"]
    note.unlink()
    found = run(workspace, key=KEY)
    assert found.files_read == 0
    assert [(one.code, one.path) for one in found.problems] == [("M401", "memory/notes/maps/glazes.md")]


def test_many_files_that_have_not_changed_have_the_same_problems_and_are_not_read_again(tmp_path):
    native(tmp_path, dict(kept_by_hand(40, 100)))
    first = run(tmp_path, key=KEY)
    assert {one.code for one in first.problems} >= {"M212", "M401"}
    aged(tmp_path)
    again = run(tmp_path, key=KEY)
    assert (again.problems, again.files_read) == (first.problems, 0)


def aged(root):
    """Make what was kept believe that it looked at the files long after their last change."""
    from memtool.store.files import derived

    first, ties = derived.load(str(root), "lint/kept", KEY).split(b"\n", 1)
    found = json.loads(first)
    for row in found["files"].values():
        row[0][4] += 10_000_000_000
    assert derived.save(str(root), "lint/kept", json.dumps(found).encode() + b"\n" + ties, KEY)


def test_an_edit_in_the_same_second_with_the_same_size_is_seen(tmp_path):
    native(tmp_path, {"memory/notes/a.md": "abc"})
    path = tmp_path / "memory/notes/a.md"
    info = path.stat()
    assert told(tmp_path, key=KEY) == []
    path.write_bytes(b"a\0c")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert told(tmp_path, key=KEY) == [("M105", "memory/notes/a.md", 1)]


@pytest.mark.parametrize("what", ["settings", "layout", "forged", "broken", "link", "older"])
def test_what_was_kept_counts_for_the_same_question_and_user_only(tmp_path, what):
    entry = "- [2025-01-15T10:30:00Z] **x**: y\n"
    native(tmp_path / "w", {"memory/notes/a.md": "---\na: [\n---\n", "SESSION-STATE.md": entry})
    root = tmp_path / "w"
    assert {code for code, _, _ in told(root, key=KEY)} == {"M203", "M209"}
    kept = root / ".memtool/lint/kept"
    layout, settings, key = None, {}, KEY
    match what:
        case "settings":
            (root / "memtool.toml").write_text('[scan.phrases]\nx = ["xyz"]\n')
        case "layout":
            layout = "qanot"
        case "forged":
            kept.write_bytes(kept.read_bytes().replace(b"M203", b"M204"))
        case "broken":
            kept.write_bytes(b"nonsense")
        case "link":
            kept.rename(tmp_path / "elsewhere")
            kept.symlink_to(tmp_path / "elsewhere")
        case "older":
            key = b"x" * 32
    found = run(root, layout, key=key, settings=settings)
    assert found.files_read == found.files
    assert ("M209" in {one.code for one in found.problems}) == (what != "settings")


def test_nothing_is_written_where_nothing_may_be(tmp_path):
    native(tmp_path, {"memory/notes/a.md": "\ufeff"})
    before = sorted(tmp_path.rglob("*"))
    workspace = opened(tmp_path)
    workspace.writes = False
    assert [one.code for one in run(workspace, key=KEY).problems] == ["M102"]
    assert [one.code for one in run(tmp_path).problems] == ["M102"]
    assert sorted(tmp_path.rglob("*")) == before


# who else sees it -------------------------------------------------------------------------------------------


@pytest.fixture
def shared():
    """A folder that everybody of the machine gets into, which those of tests are not."""
    with folder_for_all() as folder:
        yield folder


ALL = frozenset(CODES_BY_NAME)


def test_permissions_count_where_somebody_can_use_them(shared, tmp_path):
    for root, open_to_others in ((shared / "w", True), (tmp_path / "w", False)):
        native(root, {"memory/notes/a.md": "x", "memory/notes/b.md": "y"})
        for path in (root, *root.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o600)
        (root / "memory/notes/a.md").chmod(0o644)
        assert told(root, codes=ALL) == ([("M503", "memory/notes/a.md", 1)] if open_to_others else [])
    root = shared / "w"
    (root / "memory/notes").chmod(0o700)
    assert told(root, codes=ALL) == []
    (root / "memory/notes").chmod(0o777)
    (root / "memory/notes/b.md").chmod(0o666)
    assert told(root, codes=ALL) == [
        ("M504", "memory/notes", 1),
        ("M503", "memory/notes/a.md", 1),
        ("M504", "memory/notes/b.md", 1),
    ]
    (root / "memory/core/AGENT.md").chmod(0o644)
    assert told(root, codes=ALL)[0] == ("M503", ".", 1)
    assert told(root, codes=ALL, paths=("memory/core",)) == [("M503", "memory/core/AGENT.md", 1)]
    (root / "memory/notes").chmod(0o1777)
    assert ("M504", "memory/notes", 1) not in told(root, codes=ALL)


def test_notes_of_a_vault_are_not_private_and_its_memory_is(shared):
    files = {".obsidian/app.json": "{}", "Plan.md": "# Plan\n"}
    root = make(shared / "w", files)
    for path in (root, *root.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert told(root, "obsidian", codes={"M503", "M504"}) == []
    make(root, {"memtool/MEMORY.md": "# Memory\n"})
    (root / "memtool/MEMORY.md").chmod(0o644)
    (root / "memtool").chmod(0o755)
    assert told(root, "obsidian", codes={"M503", "M504"}) == [("M503", "memtool/MEMORY.md", 1)]


def test_a_group_of_ones_own_is_nobody_else(shared):
    root = native(shared / "w", {})
    for path in (root, *root.rglob("*")):
        path.chmod(0o750 if path.is_dir() else 0o640)
    shared.chmod(0o755)
    name, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid())
    own = (group.gr_name, group.gr_mem) in ((name, []), (name, [name]))
    assert (told(root, codes=ALL) == []) == own
    other = 64_123
    if os.geteuid() == 0:
        os.chown(root / "memory/core/AGENT.md", 0, other)
        assert (
            told(root, codes=ALL) == []
        )  # its members do not get into the folder, which is of another group
        for folder in (root, root / "memory", root / "memory/core"):
            os.chown(folder, 0, other)
        assert told(root, codes=ALL) == [("M503", "memory/core/AGENT.md", 1)]


# groups -----------------------------------------------------------------------------------------------------


def test_of_a_group_only_its_own_memory_is_read_and_told(tmp_path):
    native(
        tmp_path,
        {
            "MEMORY.md": "\ufeffx",
            "groups/a/MEMORY.md": "\ufeffx",
            "groups/b/MEMORY.md": "\ufeffx",
            "groups/a/memory/deep/x.md": "no role",
        },
    )
    assert told(tmp_path, group="a") == [
        ("M102", "groups/a/MEMORY.md", 1),
        ("M308", "groups/a/memory/deep", 1),
    ]
    assert run(tmp_path, group="a").files_read == 1
    assert told(tmp_path, group="") == [("M102", "MEMORY.md", 1)]
    assert len(told(tmp_path)) == 4


# trees as they are ------------------------------------------------------------------------------------------


def test_an_agents_own_way_of_writing_is_not_told(tmp_path):
    make(
        tmp_path,
        {
            "AGENTS.md": "# AGENTS.md\n\n```bash\nexport API_KEY=your-key-here\n```\n",
            "SOUL.md": "# SOUL\n_You're not a chatbot._ 🦞\n",
            "IDENTITY.md": "- **Name:** Pinch\n- **Emoji:** 🦀\n",
            "USER.md": "# USER.md\n- **Timezone:** Asia/Taipei (GMT+8)\n",
            "TOOLS.md": "### SSH\n- home → 192.168.1.100, user: admin\n",
            "MEMORY.md": (
                "# MEMORY.md - 長期記憶\r\n\r\n> 最後更新：2026-02-21\r\n\r\n- **4/21**: 開始\r\n---\r\n"
            ),
            "memory/2026-02-10.md": "# Daily Log - 2026-02-10\n\n## 17:28 - Disk\n- **Status:** 83%\n\n---\n",
            "memory/2026-02-10-1953.md": (
                "# Session: 2026-02-10 19:53:01 UTC\n\n## Conversation Summary\n\nuser: hi\n"
            ),
            "memory/2026-02-10-summary.md": "# Summary of 2026-02-09\n",
            "memory/working-buffer.md": (
                "# Working Buffer\n**Status:** INACTIVE\n**Started:** \n\n## [timestamp] Human\n"
            ),
            "memory/heartbeat-state.json": '{"lastChecks": {}}',
            "memory/SESSION-STATE.md": "# SESSION-STATE\n\n- [2026-02-06] wants reports\n",
            "memory/people.md": (
                "---\nname: people\ntags: [a]\n---\n# 人\n\n- **David** — 引薦人\n- [2026-02-31] as an idea\n"
            ),
            "skills/x/SKILL.md": "---\nname: [broken\n---\n",
        },
    )
    assert told(tmp_path, "openclaw") == []


def test_a_vault_as_people_keep_them_gives_true_findings_only(tmp_path):
    deep = "memory/notes/" + "/".join(f"{n}. 📁 Ebene" for n in range(10))
    native(
        tmp_path,
        {
            f"{deep}/🧠 Zettel (2).md": "---\r\ntags:\r\n  - a\r\n---\r\n# 🧠\r\n![[Bild 1.png|300]]\r\n",
            "memory/notes/Templates/Daily.md": (
                "---\ncreated: <% tp.file.creation_date() %>\ntags: daily\n---\n<%* await tp.x() -%>\n"
                "[[<% tp.date.now() %>]]\n"
            ),
            "memory/notes/Templates/Core.md": "---\ntitle: {{title}}\ndate: {{date}}\n---\n",
            "memory/notes/old.md": "---\r\ntitle: caf\xe9\r\n---\r\ntext\r\n".encode("latin-1"),
            "memory/notes/bom.md": "\ufeff---\ntitle: x\n---\n",
            "memory/notes/Datei mit #raute & %20.md": "x\n",
            "memory/notes/dataview.md": (
                '```dataview\nTABLE file.ctime FROM ""\n```\n`= this.status`\n$$\\frac{1}{2}$$\n'
            ),
            "memory/notes/cal.md": (
                "> [!info] Callout\n> text ==mark== %%comment%% ^block-id\n- [x] done ✅ 2025-02-30\n"
            ),
            "memory/notes/empty.md": "",
            "memory/notes/Bild 1.png": b"\x89PNG\r\n\x1a\n\0",
            "memory/notes/x.canvas": "{}",
            "memory/notes/nbsp.md": "a\u00a0b … — “quotes” ½ ﬁ\u3000全角\n",
            "memory/notes/.obsidian/app.json": "{nonsense",
        },
    )
    assert told(tmp_path) == [
        ("M102", "memory/notes/bom.md", 1),
        ("M101", "memory/notes/old.md", 2),
    ]


def test_hostile_names_and_contents_never_stop_it(tmp_path):
    names = ["~x.md", "a\nb.md", "%2e%2e.md", "C:x.md", "-rf.md", "x" * 250 + ".md", " .md", "é\u0301.md"]
    native(tmp_path, {f"memory/notes/{name}": "\ufeffx" for name in names})
    (tmp_path / os.fsdecode(b"memory/notes/\xff.md")).write_text("\ufeffx")
    (tmp_path / "memory/notes/huge.md").write_text("- [goal] x\n" * 50_000)
    (tmp_path / "memory/notes/nul.md").write_bytes(b"\0" * 100_000)
    (tmp_path / "memory/notes/nested.md").write_text("---\na: " + "[" * 100_000 + "\n---\n")
    found = run(tmp_path, key=KEY)
    assert sum(one.code == "M102" for one in found.problems) == len(names) + 1
    assert run(tmp_path, key=KEY).problems == found.problems


def test_what_cannot_be_read_is_a_problem_and_nothing_is_lost(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("file modes do not bind root")
    native(tmp_path, {"memory/notes/a.md": "x", "memory/notes/sub/b.md": "x"})
    (tmp_path / "memory/notes/a.md").chmod(0)
    (tmp_path / "memory/notes/sub").chmod(0)
    try:
        assert told(tmp_path) == [("M100", "memory/notes/a.md", 1), ("M100", "memory/notes/sub", 1)]
    finally:
        (tmp_path / "memory/notes/sub").chmod(0o700)


LONG_AGO, LATER = "[2024-03-01T08:00:00Z]", "[2024-09-01T08:00:00Z]"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["[context] User LIVES_IN Bergen ^m-1", "[context] User LIVES_IN Porto ^m-2"], [2]),
        (["[context] User SPEAKS Tamil ^m-1", "[context] User SPEAKS Dutch ^m-2"], []),
        (["[goal] User OF_AGE 41", "[goal] user OF_AGE 42", "[goal] User OF_AGE 42 years"], [2, 3]),
        (["[context] User LIVES_IN Bergen", "[context] User LIVES_IN Bergen, Norway"], []),
        (["[context] [user:ida] User LIVES_IN Bergen", "[context] [user:per] User LIVES_IN Porto"], []),
        (["[context] User LIVES_IN Oslo [superseded: 2024-05-01]", "[context] User LIVES_IN Porto"], []),
        (["[goal] User LIVES_IN Porto", '[goal] User LIVES_IN Oslo — "I used to live in Oslo"'], []),
        (["[goal] User HAS_FAMILY two sons", "[goal] User HAS_FAMILY 3 sons"], [2]),
        (["[goal] User HAS_FAMILY two sons", "[goal] User HAS_FAMILY a daughter"], []),
        (['[relationship] User\'s aunt IS deaf — "x"', '[relationship] User\'s aunt IS a welder — "x"'], []),
        (['[goal] User\'s deadline IS 4 June — "x"', '[goal] User\'s deadline IS 9 June — "x"'], [2]),
        (["[context] The van is in row C ^k-van", "[context] The van is in row F ^k-van"], [2]),
        (["[context] The van is in row C", "[context] The van is in row F"], []),
        (["[context] User WAS_BORN 12 May 1990", "[context] User WAS_BORN 1990-05-12"], []),
        (["[context] User WAS_BORN 12 May 1990", "[context] User WAS_BORN Lagos"], []),
        (["[context] User WAKES_AT 7", "[context] User WAKES_AT 7:00 am"], []),
        (["[context] User WAKES_AT 7:00 am", "[context] User WAKES_AT 19:00"], [2]),
        (["[goal] User DOES 5 km a day", "[goal] User DOES 5 kilometres a day"], []),
        (["[context] The walk is 5 km ^k-walk", "[context] The walk is 5 kilometres ^k-walk"], []),
        (["[context] User LIVES_IN York", "[context] User LIVES_IN New York"], [2]),
    ],
)
def test_two_values_of_what_has_one_at_a_time_contradict_each_other(tmp_path, lines, expected):
    native(tmp_path, {"memory/semantic/a.md": "".join(f"- {line}\n" for line in lines)})
    found = run(tmp_path, codes=frozenset({"M219"})).problems
    assert [one.line for one in found] == expected


def test_a_contradiction_is_found_across_files_and_from_the_cache(tmp_path):
    facts = "- [context] User WORKS_AT {} ^{}\n"
    native(
        tmp_path,
        {
            "memory/semantic/a.md": facts.format("the ferry office", "m-1"),
            "memory/semantic/b.md": "# B\n\n" + facts.format("a brickyard", "m-2"),
        },
    )
    message = "contradicts memory/semantic/a.md:1: two values for User WORKS_AT"
    for _ in range(2):
        found = run(tmp_path).problems
        assert [(one.code, one.path, one.line, one.message) for one in found] == [
            ("M219", "memory/semantic/b.md", 3, message)
        ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([f"{LONG_AGO} Always use emojis ^r-1", f"{LATER} Never use emojis ^r-2"], [2]),
        ([f"{LATER} Always use emojis ^r-1", f"{LONG_AGO} Never use emojis ^r-2"], [1]),
        ([f"{LONG_AGO} Always use emojis (pinned) ^r-1", f"{LATER} Never use emojis ^r-2"], []),
        ([f"{LONG_AGO} [user:ida] Always use emojis ^r-1", f"{LATER} Never use emojis ^r-2"], []),
        ([f"{LONG_AGO} Always use emojis ^r-1", f"{LATER} Cite sources ^r-2"], []),
    ],
)
def test_a_rule_that_is_contrary_to_an_older_one_is_found(tmp_path, rules, expected):
    native(tmp_path, {"memory/procedural/rules.md": "".join(f"- {rule}\n" for rule in rules)})
    found = run(tmp_path, codes=frozenset({"M219"})).problems
    assert [one.line for one in found] == expected
