"""undo of lines that a later command moved to another file: they are removed there, and nothing else is."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtool.core.records.document import etag_of
from memtool.core.records.plan import Append, Create, Move, Replace
from memtool.errors import CannotUndo, OutsideWorkspace
from memtool.store.files.staging import TEMPORARY_SUFFIX
from memtool.verbs.journal.log import LogRequest, log
from memtool.verbs.journal.undo import undo
from tests import commands
from tests.faulty import Stopped
from tests.trees import contents, make, memtool, opened

STATE, ARCHIVE = Path("SESSION-STATE.md"), Path("SESSION-STATE.archive.md")
TITLE = "# State\n\n"


def commit(root, *plan):
    workspace = opened(root)
    with workspace.lock():
        workspace.commit(plan)
    return ids(root)[0]


def ids(root):
    return [one.entry.id for one in log(opened(root), LogRequest(marks=True))]


def tree(root):
    return make(root, {"memtool.toml": 'layout = "native"\n', str(STATE): TITLE, str(ARCHIVE): TITLE})


def say(root, *lines):
    return commit(root, Append(STATE, "".join(lines)))


def move(root, *lines):
    """Move these lines to the archive, as the end of a session does."""
    text = (root / STATE).read_text()
    remaining = "".join(line for line in text.splitlines(keepends=True) if line not in lines)
    return commit(root, Append(ARCHIVE, "".join(lines)), Replace(STATE, remaining, etag_of(text.encode())))


def all_lines(root):
    return Counter(line for path in (STATE, ARCHIVE) for line in (root / path).read_text().splitlines())


def by_hand(path, old, new):
    path.write_text(path.read_text().replace(old, new))


@pytest.fixture
def root(tmp_path):
    return tree(tmp_path / "w")


_messages = st.lists(
    st.lists(st.sampled_from(["- a\n", "- b\n", "- c\n", "- d\n", "- e\n", "- f\n"]), min_size=1, max_size=2),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(_messages, _messages, st.data())
def test_an_undo_takes_its_own_lines_or_nothing(tmp_path_factory, before, after, data):
    root = tree(tmp_path_factory.mktemp("moved") / "w")
    said = {say(root, *lines): lines for lines in before}
    moved = [line for lines in before for line in lines if data.draw(st.booleans())]
    if moved:
        move(root, *moved)
    said |= {say(root, *lines): lines for lines in after}
    whole, files = all_lines(root), contents(root)
    chosen = data.draw(st.lists(st.sampled_from(sorted(said)), min_size=1, max_size=2, unique=True))
    try:
        undo(opened(root), chosen)
    except CannotUndo:
        assert contents(root) == files
        lines = [line for lines in (*before, *after) for line in lines]
        assert len(set(lines)) < len(lines) or any(
            0 < len({*moved} & {*said[each]}) < len({*said[each]}) for each in chosen
        )
    else:
        undone = Counter(line.rstrip() for each in chosen for line in said[each])
        assert all_lines(root) == whole - undone
        undo(opened(root), ids(root)[:1])
        assert contents(root) == files


@pytest.mark.parametrize("edits", [False, True])
def test_a_correction_before_the_end_of_its_session_is_taken_back_alone(tmp_path, edits):
    root, run = tmp_path / "w", {"home": tmp_path, "cwd": tmp_path}
    memtool("init", "w", **run)
    run["cwd"] = root
    for text in ("My daughter Lily turns 6 in March", "Actually, Lily turns 7 in March, not 6"):
        memtool("scan", "-m", text, "--session", "s1", **run)
    correction = ids(root)[0]
    if edits:
        by_hand(root / STATE, "# SESSION", "<!-- mine -->\n# SESSION")
    memtool("session-end", "--session", "s1", **run)
    before = contents(root)
    memtool("scan", "-m", "We live in Bonn now", "--session", "s2", **run)
    assert memtool("undo", correction, **run).returncode == 0
    facts = (root / "memory/semantic/facts.md").read_text()
    assert "turns 7" not in facts + (root / ARCHIVE).read_text()
    assert "turns 6" in facts
    assert "superseded" not in facts
    assert "turns 6" in (root / ARCHIVE).read_text()
    assert "in Bonn" in facts
    assert "in Bonn" in (root / STATE).read_text()
    memtool("undo", ids(root)[0], **run)
    assert (root / ARCHIVE).read_bytes() == before[str(ARCHIVE)]


def test_lines_are_followed_when_their_new_file_is_moved(root):
    first = say(root, "- a\n")
    say(root, "- b\n")
    move(root, "- a\n", "- b\n")
    commit(root, Move(ARCHIVE, Path("memory/old.md"), etag_of((root / ARCHIVE).read_bytes())))
    undo(opened(root), [first])
    assert (root / "memory/old.md").read_text() == f"{TITLE}- b\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (ARCHIVE, "- a\n", "- a, by hand\n"),
        (ARCHIVE, "- a\n", "- a\n- a\n"),
        (STATE, TITLE, f"{TITLE}- z\n- a\n"),
    ],
)
def test_a_line_that_is_not_in_one_place_stays(root, path, old, new):
    first = say(root, "- a\n")
    move(root, "- a\n")
    by_hand(root / path, old, new)
    before = contents(root)
    with pytest.raises(CannotUndo, match=r"has changed since"):
        undo(opened(root), [first])
    assert contents(root) == before


def test_a_line_that_took_the_place_of_another_is_not_cut_where_it_was_moved(root):
    say(root, "- a\n")
    text = (root / STATE).read_text()
    second = commit(root, Replace(STATE, text.replace("- a", "- b"), etag_of(text.encode())))
    end = move(root, "- b\n")
    with pytest.raises(CannotUndo, match=f"memtool undo {end} {second}"):
        undo(opened(root), [second])


def test_a_file_that_a_command_made_keeps_its_title(root):
    (root / STATE).unlink()
    first = commit(root, Create(STATE, f"{TITLE}- a\n"))
    say(root, "- b\n")
    move(root, "- a\n")
    undo(opened(root), [first])
    assert (root / STATE).read_text() == f"{TITLE}- b\n"
    assert (root / ARCHIVE).read_text() == TITLE


def test_a_journal_from_elsewhere_cuts_no_line_of_a_hidden_file(root):
    first = say(root, "- a\n")
    move(root, "- a\n")
    (root / ".git").mkdir()
    (root / ARCHIVE).rename(root / ".git/config.md")
    journal = root / ".memtool/journal/00000001.jsonl"
    journal.write_text(journal.read_text().replace(json.dumps(str(ARCHIVE)), '".git/config.md"'))
    with pytest.raises(OutsideWorkspace, match=re.escape(".git/config.md is not a memory file")):
        undo(opened(root), [first])
    assert (root / ".git/config.md").read_text() == f"{TITLE}- a\n"


def test_an_undo_that_was_stopped_is_finished_where_the_lines_are_now(tmp_path):
    def prepare(root):
        tree(root)
        make(root, {"MEMORY.md": "# Memory\n"})
        first = commit(root, Append(STATE, "- a\n"), Append(Path("MEMORY.md"), "- a\n"))
        say(root, "- b\n")
        move(root, "- a\n", "- b\n")
        return first

    def run(workspace, first):
        workspace.key = lambda: None  # without a key nothing is recorded, and a stop leaves a part
        undo(workspace, [first])

    whole = tmp_path / "whole"
    first = prepare(whole)
    steps = len(commands.run_on(whole, partial(run, first=first), None).done)
    assert "- a" not in (whole / ARCHIVE).read_text() + (whole / "MEMORY.md").read_text()
    stopped = 0
    for stop_at in range(steps):
        root = tmp_path / f"stop{stop_at}"
        first = prepare(root)
        before = contents(root)
        with pytest.raises(Stopped):
            commands.run_on(root, partial(run, first=first), stop_at)
        if contents(root) not in (before, contents(whole)):
            stopped += 1
            assert undo(opened(root)).completes_interrupted
            left = {
                path: text for path, text in contents(root).items() if not path.endswith(TEMPORARY_SUFFIX)
            }
            assert left == contents(whole), stop_at
    assert stopped
