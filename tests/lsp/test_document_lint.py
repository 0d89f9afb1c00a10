"""Lint of an editor's document: the same problems as of the command, and the line where an agent stops."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.verbs.lint.document_lint import LintSnapshot, check_text, cut_agent, fixed_text, problem_spans
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from tests.trees import SAMPLE, make, opened

KEY = b"k" * 32
ADDED = (
    "\n[[nowhere]] [x](gone.md) \u200b\n- [preference] Timur packs and ships for me\n[[celadon#nothing]]\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    return root


def test_a_document_has_the_problems_that_the_command_finds_in_its_text(root):
    workspace = opened(root)
    snapshot = LintSnapshot(workspace, LintRequest(key=KEY))
    snapshot.prepare()
    snapshot.find_linked()
    snapshot.use_linked()
    paths = [path for path in snapshot.files.listing.files if snapshot.is_checked(path)]
    assert len(paths) > 30
    for path in paths:
        text = (root / path).read_text() + (ADDED if path.endswith(".md") else "\n{")
        snapshot.set_document(path, text)
        request = LintRequest(paths=(path,), overrides={path: text.encode()}, key=KEY)
        assert snapshot.problems(path) == lint(workspace, request).problems, path
        snapshot.close_document(path)


FACTS = [
    "- [context] User LIVES_IN Bergen ^m-1\n",
    "- [context] User LIVES_IN Porto ^m-2\n",
    "- [context] The kiln fires on Wednesdays ^m-1\n",
    "- [context] [user:ann] The kiln fires on Wednesdays ^k-kiln\n",
    "- [prefrence] x [superseded: 2025-13-01] ^a_b\n",
    "- [Context] X\n",
    "password: hunter2x [[nowhere]]\n",
    "kind: Secret\n",
    "# A heading\n",
    "---\n",
    "```\n",
    "| \u200b \u202e\r\n",
    "\n",
]


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(FACTS), max_size=8),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.lists(st.sampled_from(FACTS), max_size=2))),
)
def test_a_document_that_is_edited_has_the_problems_that_its_text_has_from_scratch(lines, edits):
    path, other = "memory/semantic/m.md", "memory/semantic/{}.md"
    with tempfile.TemporaryDirectory() as folder:
        files = {other.format(name): "# Facts\n\n" + "".join(FACTS[:3]) for name in "az"}
        root = make(Path(folder, "w"), {"memtool.toml": 'layout = "native"\n', **files})
        edited, fresh = (LintSnapshot(opened(root), LintRequest()) for _ in range(2))
        for at, removed, added in ((0, 0, ()), *edits):
            lines[at : at + removed] = added
            edited.set_document(path, "".join(lines))
            fresh.close_document(path)
            fresh.set_document(path, "".join(lines))
            assert edited.problems(path) == fresh.problems(path)
            assert edited.problems(other.format("z")) == fresh.problems(other.format("z"))
        request = LintRequest(paths=(path,), overrides={path: "".join(lines).encode()})
        assert edited.problems(path) == lint(opened(root), request).problems


def test_a_closed_document_has_the_problems_of_its_file(root):
    path = "memory/notes/zettel/celadon.md"
    snapshot = LintSnapshot(opened(root), LintRequest(key=KEY))
    before = snapshot.problems(path)
    snapshot.set_document(path, "[[nowhere]]")
    assert snapshot.problems(path) != before
    snapshot.close_document(path)
    assert snapshot.problems(path) == before


def test_a_new_title_in_one_document_mends_a_link_in_another(root):
    one, other = "memory/notes/inbox/one.md", "memory/notes/inbox/other.md"
    snapshot = LintSnapshot(opened(root), LintRequest())
    snapshot.set_document(one, "# One\n\n[[Other title]]\n")
    assert "M401" in {problem.code for problem in snapshot.problems(one)}
    snapshot.set_document(other, "# Other title\n")
    assert "M401" not in {problem.code for problem in snapshot.problems(one)}


def test_the_problems_of_a_text_alone_need_no_snapshot(root):
    workspace = opened(root)
    found = check_text(workspace, LintRequest(), "memory/notes/a.md", "x\u200b [[nowhere]]\n")
    assert [problem.code for problem in found] == ["M110"]


def test_all_fixes_are_applied_at_once(root):
    text = "\ufeffa\r\nb\nc\ufeff\n"
    fixed = fixed_text(opened(root), LintRequest(), "memory/notes/a.md", text)
    assert fixed == "a\nb\nc\n"


def test_the_span_of_a_problem_is_its_link(root):
    text = "---\ntitle: a\n---\nSee [b](gone.md), [[nowhere|x]] and ![[no#where]]].\n"
    path = "memory/notes/inbox/a.md"
    snapshot = LintSnapshot(opened(root), LintRequest())
    snapshot.set_document(path, text)
    problems = [problem for problem in snapshot.problems(path) if problem.code == "M401"]
    spans = problem_spans(text, problems)
    assert [text[start:end] for start, end in spans] == ["[b](gone.md)", "[[nowhere|x]]", "![[no#where]]"]


def test_the_span_of_a_secret_is_the_secret(root):
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    key = "\n".join("MIIEpAIBAAKCAQEA0123456789abcdefghijklmnop" + "QRSTUVWXYZabcdef" for _ in range(4))
    pem = f"-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----"
    text = f"# A\n\nUse {token} here, with password: hunt3rTwo9x for it.\r\n{pem}\n"
    problems = check_text(opened(root), LintRequest(), "memory/notes/inbox/a.md", text)
    found = [problem for problem in problems if problem.code in {"M501", "M502"}]
    spans = problem_spans(text, found)
    assert [text[start:end] for start, end in spans] == [token, "hunt3rTwo9x", pem]


@pytest.mark.parametrize(
    ("layout", "path", "agent", "limit", "line"),
    [
        ("claude-code", "MEMORY.md", "Claude Code", "200 lines or 25,000 bytes", 201),
        ("openclaw", "SOUL.md", "OpenClaw", "20,000", 2143),
        ("native", "AGENTS.md", "Codex", "32,768", 4682),
    ],
)
def test_the_agent_of_the_layout_stops_reading_at_its_limit(tmp_path, layout, path, agent, limit, line):
    text = "# Index\n" + "- line\n" * 6000
    root = make(tmp_path / "w", {"memtool.toml": f'layout = "{layout}"\n', path: text})
    workspace = opened(root)
    snapshot = LintSnapshot(workspace, LintRequest())
    snapshot.set_document(path, text)
    cuts = [problem for problem in snapshot.problems(path) if cut_agent(workspace, problem)]
    assert {cut_agent(workspace, problem) for problem in cuts} == {agent}
    assert any(limit in problem.message and problem.line == line for problem in cuts)


ONE, TWO, THREE = (f"memory/notes/zettel/{name}.md" for name in ("one", "two", "three"))
FACTS_FILE = "memory/semantic/facts.md"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two notes that link to each other, one without links to it, and facts."""
    files = {
        ONE: "# One\n\n[[Two]]\n",
        TWO: "# Two\n\n[[One]]\n",
        THREE: "# Three\n\n[[One]]\n",
        FACTS_FILE: "# Facts\n\n- [context] The kiln is hot ^m-1\n",
    }
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})


@pytest.mark.parametrize(
    ("path", "old", "new", "changes", "dependent"),
    [
        (ONE, "\n\n", "\n\nmore text ", set(), set()),
        (ONE, "# One", "# Another", {"names"}, {TWO, THREE}),
        (ONE, "[[Two]]", "[[Two]]\n\n## Part", {"names"}, {TWO, THREE}),
        (ONE, "[[Two]]", "[[Three]]", {"links"}, {TWO, THREE}),
        (FACTS_FILE, "hot", "cold", {"data"}, set()),
    ],
)
def test_only_some_changes_of_a_document_matter_to_others(small, path, old, new, changes, dependent):
    snapshot = LintSnapshot(opened(small), LintRequest())
    text = (small / path).read_text()
    snapshot.set_document(path, text)
    assert snapshot.take_changes() == set()
    snapshot.set_document(path, text.replace(old, new, 1))
    found = snapshot.take_changes()
    assert found == changes
    assert {other for other in (TWO, THREE) if snapshot.depends_on(other, found)} == dependent
    assert snapshot.take_changes() == set()


def loaded(root: Path, before: LintSnapshot | None = None) -> LintSnapshot:
    """A snapshot as the server loads it."""
    snapshot = LintSnapshot(opened(root), LintRequest(), before)
    snapshot.find_linked(before)
    if before is not None:
        snapshot.take_documents(before)
    snapshot.use_linked()
    return snapshot


@pytest.mark.parametrize(
    "files",
    [
        {},
        {TWO: "# Two\n\n[[Three]] [[nowhere]]\n"},
        {TWO: "# Other\n\n[[One]]\n"},
        {"memory/notes/zettel/four.md": "# Four\n\n[[Three]]\n"},
        {FACTS_FILE: "# Facts\n\n- [context] The kiln is hot ^m-1\n- [context] Timur is here ^m-1\n"},
        {"memtool.toml": 'layout = "obsidian"\n'},
    ],
)
def test_a_snapshot_that_reuses_another_equals_a_new_one(small, files):
    before = loaded(small)
    before.set_document(ONE, "# One\n\n[[Two]] [[Other]]\n")
    make(small, files)
    again, fresh = loaded(small, before), loaded(small)
    fresh.set_document(ONE, "# One\n\n[[Two]] [[Other]]\n")
    again.set_document(ONE, "# One\n\n[[Two]] [[Other]]\n")
    for path in fresh.files.listing.files:
        assert again.problems(path) == fresh.problems(path), path


def test_a_snapshot_that_reuses_another_checks_no_unchanged_file_again(small):
    before = loaded(small)
    make(small, {TWO: "# Two\n"})
    old, new = before.files.checks, loaded(small, before).files.checks
    assert [path for path in sorted(old) if new[path].record is not old[path].record] == [TWO]


def test_the_cache_that_a_snapshot_saves_has_its_links(small):
    first = LintSnapshot(opened(small), LintRequest(key=KEY))
    first.save_cache()
    again = LintSnapshot(opened(small), LintRequest(key=KEY))
    assert (again.links, again.files.checks.keys()) == (first.links, first.files.checks.keys())
    assert [again.problems(path) for path in again.links] == [first.problems(path) for path in again.links]


@pytest.mark.parametrize("path", ["memory/working/WORKING_MEMORY.md", "MEMORY.md"])
def test_no_agent_is_named_where_memtool_leaves_out_text(tmp_path, path):
    text = "# Index\n\n" + "- a line of text\n" * 2000
    workspace = opened(make(tmp_path / "w", {path: text, "memory/core/USER.md": "# User\n"}), "native")
    snapshot = LintSnapshot(workspace, LintRequest())
    snapshot.set_document(path, text)
    cuts = [problem for problem in snapshot.problems(path) if problem.code in {"M302", "M306"}]
    assert cuts
    for problem in cuts:
        assert "memtool" in problem.message
        assert cut_agent(workspace, problem) == ""


def test_one_size_of_a_file_is_stated_by_all_its_problems(tmp_path):
    text = "- line\n" * 9000 + "\n"
    workspace = opened(make(tmp_path / "w", {"SOUL.md": text}), "openclaw")
    snapshot = LintSnapshot(workspace, LintRequest())
    messages = {problem.code: problem.message for problem in snapshot.problems("SOUL.md")}
    assert "62,999 characters" in messages["M304"]
    assert "62,999 characters" in messages["M314"]
