"""undo and log: what commands did comes back byte for byte, and nothing else is ever touched."""

from __future__ import annotations

import json
import os
import re
import shutil
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.history.journal import CommitAuthor, line_digest
from memtool.core.records.document import etag_of
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Append, Create, Move, Remove, Replace, Secure
from memtool.errors import BadUsage, CannotUndo, OutsideWorkspace, UnreadableFile
from memtool.store.files.staging import TEMPORARY_SUFFIX
from memtool.verbs.capture.scan import scan
from memtool.verbs.facts.facts import forget_facts
from memtool.verbs.facts.save import save
from memtool.verbs.history import quarantine
from memtool.verbs.journal.log import LogRequest, log
from memtool.verbs.journal.undo import undo
from memtool.verbs.layout.migrate import migrate
from memtool.verbs.memories.memories import answer_command, clear_memories
from tests import commands
from tests.faulty import Stopped, each_stop
from tests.trees import NOW, contents, make, memtool, opened

STOPPED = ["scan in the sample", "save in the sample", "learn with a full file", "upgrade-history"]
PURGES = {"forget", "facts forget"}
RUNS = {name: run for name, run in commands.ON_SAMPLE.items() if name not in PURGES}
RUNS |= {"append-turn": commands.run_append_turn, "session turn": commands.run_session_turn}


def commit(root, *plan, **more):
    workspace = opened(root)
    with workspace.lock():
        workspace.commit(plan, **more)


def etag(path):
    return etag_of(path.read_bytes())


def ids(root, **asked):
    return [one.entry.id for one in log(opened(root, "native"), LogRequest(marks=True, **asked))]


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n"})


@pytest.mark.parametrize("name", sorted(commands.COMMANDS.keys() - PURGES))
def test_every_verb_can_be_taken_back_and_done_again(name, tmp_path):
    prepare, run = commands.COMMANDS[name]
    root = tmp_path / "w"
    prepare(root)
    before = contents(root)
    known = set(ids(root))
    run(opened(root, "native"))
    after = contents(root)
    new = [one for one in ids(root) if one not in known]
    assert undo(opened(root, "native"), new).plan
    assert contents(root) == before
    undo(opened(root, "native"), ids(root)[:1])
    assert contents(root) == after


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(sorted(RUNS)), min_size=1, max_size=6), st.data())
def test_any_sequence_of_verbs_is_taken_back_byte_for_byte(tmp_path_factory, names, data):
    root = tmp_path_factory.mktemp("any") / "w"
    commands.sample(root)
    states = [contents(root)]
    for name in names:
        RUNS[name](opened(root))
        if contents(root) != states[-1]:
            states.append(contents(root))
    done = ids(root)
    assert len(done) == len(states) - 1
    if not done:
        return
    for number, one in enumerate(done, 2):
        undo(opened(root), [one])
        assert contents(root) == states[-number]
    undone = ids(root)[: len(done)]
    for one, state in zip(undone, states[1:], strict=True):
        undo(opened(root), [one])
        assert contents(root) == state
    some = data.draw(st.integers(1, len(done)))
    undo(opened(root), done[:some])
    assert contents(root) == states[len(states) - 1 - some]


def test_undo_goes_back_step_by_step_and_one_undo_of_it_goes_forth(root):
    for text in ("one\n", "two\n", "three\n"):
        commit(root, Append(Path("MEMORY.md"), text))
    first, second = undo(opened(root)), undo(opened(root))
    assert (root / "MEMORY.md").read_text() == "# Memory\none\n"
    assert first.entries[0].id != second.entries[0].id
    undo(opened(root), [ids(root)[0]])
    assert (root / "MEMORY.md").read_text() == "# Memory\none\ntwo\n"
    undo(opened(root), count=2)
    assert (root / "MEMORY.md").read_text() == "# Memory\n"
    assert undo(opened(root)).entries == ()


def test_a_file_that_has_changed_since_stops_it_with_what_to_do(root):
    page = root / "MEMORY.md"
    commit(root, Create(Path("AGENTS.md"), "hello\n"), Append(Path("MEMORY.md"), "one\n"))
    page.write_text("# Memory\none by hand\n")
    before = contents(root)
    with pytest.raises(
        CannotUndo, match=r"^MEMORY.md:2 has changed since the command \(j-\w+\), so nothing was"
    ):
        undo(opened(root))
    assert contents(root) == before


def test_other_lines_may_be_edited_by_hand_before_an_undo_and_before_its_redo(root):
    page = root / "MEMORY.md"
    page.write_text("# Memory\n\n- a\n- b\n\n## More\n\n- z\n")
    edited = page.read_text().replace("- a\n", "- a, superseded\n").replace("- z\n", "- z\n- new\n")
    commit(root, Replace(Path("MEMORY.md"), edited, etag(page)))
    page.write_text(page.read_text().replace("- b\n", "- b, by hand\n").replace("# Memory", "# My memory"))
    undo(opened(root))
    assert page.read_text() == "# My memory\n\n- a\n- b, by hand\n\n## More\n\n- z\n"
    page.write_text(page.read_text().replace("- b, by hand\n", "- b, again by hand\n"))
    undo(opened(root), ids(root)[:1])
    assert page.read_text() == (
        "# My memory\n\n- a, superseded\n- b, again by hand\n\n## More\n\n- z\n- new\n"
    )
    undo(opened(root), ids(root)[:1])
    assert page.read_text() == "# My memory\n\n- a\n- b, again by hand\n\n## More\n\n- z\n"


def test_a_line_that_was_removed_comes_back_beside_its_neighbour(root):
    page = root / "MEMORY.md"
    page.write_text("# Memory\n- a\n- b\n- c\n")
    commit(root, Replace(Path("MEMORY.md"), "# Memory\n- a\n- c\n", etag(page)))
    page.write_text("# Memory\n- a by hand\n- c\n")
    undo(opened(root))
    assert page.read_text() == "# Memory\n- a by hand\n- b\n- c\n"
    undo(opened(root), ids(root)[:1])
    page.write_text("# Memory\n- A\n- C\n")
    with pytest.raises(CannotUndo, match=r"MEMORY\.md has changed since"):
        undo(opened(root))
    assert page.read_text() == "# Memory\n- A\n- C\n"


@pytest.mark.parametrize("kept", ["- yes\n", "- yes\n\n", "\n- yes\n"])
def test_an_equal_line_elsewhere_is_not_taken_for_the_one_that_was_edited(root, kept):
    page = root / "MEMORY.md"
    page.write_text(f"# Memory\n{kept}## More\n- no\n")
    commit(root, Append(Path("MEMORY.md"), "- yes\n"))
    page.write_text(page.read_text().removesuffix("- yes\n") + "- yes!\n")
    before = contents(root)
    with pytest.raises(CannotUndo, match=r"MEMORY\.md:\d has changed since"):
        undo(opened(root))
    assert contents(root) == before


def test_forgotten_text_does_not_come_back_into_a_file_that_was_edited_by_hand(root, tmp_path):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    for text in ("The hen is white", "The ox is red", "The ox is brown"):
        run("save", text, "--key", text.split()[1])
    first, *_ = ids(root)
    run("forget", "--match", "ox is red", "--yes")
    page = root / "memory/semantic/facts.md"
    assert "ox is red" not in page.read_text()
    page.write_text(page.read_text().replace("hen is white", "hen is black"))
    run("undo", first)
    run("undo")
    assert "ox is red" not in "".join(path.read_text() for path in root.rglob("*.md"))
    assert b"ox is red" not in b"".join(whole(root / ".memtool/journal/00000001.jsonl"))


def test_what_is_suggested_instead_works(root):
    page = root / "MEMORY.md"
    for text in ("one\n", "two\n"):
        commit(root, Append(Path("MEMORY.md"), text))
    commit(root, Replace(Path("MEMORY.md"), "# Memory\none, or 1\ntwo\n", etag(page)))
    page.write_text(page.read_text().replace("one, or 1", "by hand"))
    for names in ([], [ids(root)[2]]):
        with pytest.raises(CannotUndo, match=r"MEMORY\.md:2 has changed since") as refused:
            undo(opened(root), names)
        suggested = re.findall(r"memtool undo (j-\w+)", str(refused.value))
        assert suggested == ([] if names else [ids(root)[1]])
    undo(opened(root), [ids(root)[1]])
    assert page.read_text() == "# Memory\nby hand\n"


def test_the_parts_of_long_lines_that_differ_are_shown(root):
    start = "The kiln is free on every Thursday of the month, and its key hangs where it always did, "
    page = root / "memory/semantic/facts.md"

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=root.parent)

    run("save", f"{start}behind the blue door")
    name = re.search(r"blue door \^(\S+)", page.read_text())[1]
    run("facts", "edit", name, f"{start}behind the green door")
    done = run("undo").stderr
    assert "the green door" in done.partition("restored")[0]
    assert "the blue door" in done.partition("restored")[2]


def test_settings_that_were_edited_by_hand_stay_valid_when_one_is_undone(root):
    page = root / "memtool.toml"
    commit(root, Append(Path("memtool.toml"), "\n[daily]\nclip = 100\n"))
    page.write_text("# mine\n" + page.read_text())
    undo(opened(root))
    assert page.read_text() == '# mine\nlayout = "native"\n'
    undo(opened(root), ids(root)[:1])
    page.write_text(page.read_text().replace("clip = 100\n", "clip = 100\nmore = 1\n"))
    before = contents(root)
    with pytest.raises(CannotUndo):
        undo(opened(root))  # the new setting would no longer be in the table
    assert contents(root) == before


def test_later_changes_of_the_same_lines_are_named_and_undone_together(root):
    page = root / "MEMORY.md"
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    commit(root, Replace(Path("MEMORY.md"), "# Memory\none, or two\n", etag(page)))
    later, first = ids(root)
    before = contents(root)
    with pytest.raises(CannotUndo, match=f"memtool undo {later} {first}"):
        undo(opened(root), [first])
    assert contents(root) == before
    undo(opened(root), [first, later])
    assert page.read_text() == "# Memory\n"


def test_later_changes_of_other_lines_are_kept(root):
    page = root / "MEMORY.md"
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    commit(root, Append(Path("MEMORY.md"), "two\n"), Create(Path("memory/log.jsonl"), '{"a": 2}\n'))
    commit(root, Append(Path("MEMORY.md"), "three\n"), Append(Path("memory/log.jsonl"), '{"a": 3}\n'))
    commit(root, Replace(Path("MEMORY.md"), "# My memory\none\ntwo\nthree\n", etag(page)))
    _, _, second, first = ids(root)
    undo(opened(root), [second])
    assert page.read_text() == "# My memory\none\nthree\n"
    assert (root / "memory/log.jsonl").read_text() == '{"a": 3}\n'
    undo(opened(root), [first])
    assert page.read_text() == "# My memory\nthree\n"
    undo(opened(root), [ids(root)[1]])
    assert page.read_text() == "# My memory\ntwo\nthree\n"
    assert (root / "memory/log.jsonl").read_text() == '{"a": 2}\n{"a": 3}\n'


def test_a_new_file_that_has_grown_keeps_its_title(root):
    commit(root, Create(Path("memory/2026-07-01.md"), "# 2026-07-01\n\n- one\n"))
    commit(root, Append(Path("memory/2026-07-01.md"), "- two\n"))
    _, first = ids(root)
    undo(opened(root), [first])
    assert (root / "memory/2026-07-01.md").read_text() == "# 2026-07-01\n\n- two\n"


def test_several_commands_around_a_kept_one_are_undone_together(root):
    for text in ("one\n", "two\n", "three\n", "four\n"):
        commit(root, Append(Path("MEMORY.md"), text))
    _, third, _, first = ids(root)
    undo(opened(root), [first, third])
    assert (root / "MEMORY.md").read_text() == "# Memory\ntwo\nfour\n"
    undo(opened(root))
    assert (root / "MEMORY.md").read_text() == "# Memory\ntwo\n"


def test_a_change_by_hand_between_commands_stays(root):
    page = root / "MEMORY.md"
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    page.write_text("# Memory\none\nby hand\n")
    commit(root, Append(Path("MEMORY.md"), "two\n"))
    undo(opened(root), [ids(root)[1]])
    assert page.read_text() == "# Memory\nby hand\ntwo\n"


def test_an_edit_elsewhere_in_a_log_does_not_stop_the_undo_of_what_was_added_to_it(root):
    page = root / "MEMORY.md"
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    page.write_text(page.read_text().replace("# Memory", "# MEMORY"))
    undo(opened(root))
    assert page.read_text() == "# MEMORY\n"


def test_moves_creations_and_removals_come_back(root):
    make(root, {"memory/a.md": b"a\xff\r\n", "memory/b.md": "b\n"})
    before = contents(root)
    a, b = root / "memory/a.md", root / "memory/b.md"
    commit(
        root,
        Create(Path("memory/c.md"), "c\n"),
        Move(Path("memory/a.md"), Path("memory/d.md"), etag(a)),
        Replace(Path("memory/d.md"), "other\n", etag(a)),
        Append(Path("memory/c.md"), "more"),
        Remove(Path("memory/b.md"), etag(b)),
    )
    after = contents(root)
    assert after["memory/d.md"] == b"other\n"
    assert after["memory/c.md"] == b"c\nmore"
    undo(opened(root))
    assert contents(root) == before
    undo(opened(root), ids(root)[:1])
    assert contents(root) == after


def test_a_move_is_taken_back_as_a_move(root):
    page = make(root, {"memory/a.md": "a\n"}) / "memory/a.md"
    inode = page.stat().st_ino
    commit(root, Move(Path("memory/a.md"), Path("memory/b.md"), etag(page)))
    undo(opened(root))
    assert page.stat().st_ino == inode


def test_a_recall_is_no_step_and_stands_in_nobodys_way(tmp_path):
    root = tmp_path / "w"
    commands.sample(root)
    commands.run_save(opened(root))
    commands.run_recall(opened(root))
    assert [one.entry.records[0].author.command for one in log(opened(root), LogRequest())] == [""]
    assert len(ids(root)) == 2
    assert len(undo(opened(root)).plan) == 2
    assert "Whiskerino" not in (root / "memory/semantic/facts.md").read_text()
    assert undo(opened(root)).entries == ()


@pytest.mark.parametrize("name", STOPPED)
def test_a_verb_that_was_stopped_and_run_again_is_taken_back_whole(name, tmp_path):
    prepare, run = commands.COMMANDS[name]
    root = tmp_path / "w"
    prepare(root)
    before = contents(root)
    for stop_at in each_stop(root, lambda disk: run(opened(root, "native", disk=disk)), after_sync=True):
        if stop_at % 2:
            commands.run_on(root, run, None)
        if done := ids(root):
            undo(opened(root, "native"), done)
        left = {
            path: content for path, content in contents(root).items() if not path.endswith(TEMPORARY_SUFFIX)
        }
        assert left == before, stop_at


def test_ids_are_told_by_their_beginning(root):
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    (name,) = ids(root)
    with pytest.raises(BadUsage, match="no journal entry 'j-zzz'"):
        undo(opened(root), ["j-zzz"])
    undo(opened(root), [name[:6]])
    with pytest.raises(BadUsage, match="has already been undone; redo it with memtool undo j-"):
        undo(opened(root), [name])


def test_what_was_too_large_to_keep_is_not_taken_back(root):
    page = root / "MEMORY.md"
    page.write_text("x" * 4_000)
    workspace = opened(root, MEMTOOL_JOURNAL_MAX_BYTES="30000")
    with workspace.lock():
        workspace.commit((Remove(Path("MEMORY.md"), etag(page)),))
    with pytest.raises(CannotUndo, match=r"removed from MEMORY\.md is no longer stored"):
        undo(opened(root))


def test_a_journal_from_elsewhere_writes_no_hook(root):
    make(root, {".memtool/journal/00000001.jsonl": b""})
    name = ".git/hooks/pre-commit"
    text = "#!/bin/sh\ntouch /tmp/owned\n"
    step = {"remove": name, "etag": etag_of(text.encode()), "lines": 2, "text": text}
    line = {"v": 1, "id": "j-1", "at": "2025-01-15T10:30:00Z", "by": "scan", "steps": [step]}
    rows = [line, {"v": 1, "done": "j-1"}]
    (root / ".memtool/journal/00000001.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(OutsideWorkspace):
        undo(opened(root))
    assert not (root / ".git").exists()


def test_a_purge_takes_its_words_out_of_the_journal(tmp_path):
    root = tmp_path / "w"
    commands.sample(root)
    said = b"The evening class fires"
    forget_facts(opened(root), ["m-9d20c4"], NOW.date(), purge=False)
    undo(opened(root))
    commands.run_save(opened(root))
    page = root / "memory/semantic/facts.md"
    commit(root, Replace(Path("memory/semantic/facts.md"), "# Facts\n", etag(page)))
    undo(opened(root))
    journal = root / ".memtool/journal/00000001.jsonl"
    assert said in b"".join(whole(journal))
    forget_facts(opened(root), ["m-9d20c4"], NOW.date(), purge=True)
    assert said not in b"".join(whole(journal))
    assert oct(journal.stat().st_mode)[-3:] == "600"
    with pytest.raises(CannotUndo, match="is no longer stored"):
        undo(opened(root))
    assert said not in page.read_bytes()


def whole(journal):
    """What the lines of a journal say, unpacked."""
    for raw in journal.read_bytes().splitlines():
        said = json.loads(raw)
        if "packed" in said:
            import binascii
            import zlib

            yield zlib.decompress(binascii.a2b_base64(said["packed"]))
        yield raw


@pytest.mark.parametrize("how", [["facts", "forget", "--purge"], ["undo", "--forget"]])
def test_what_is_forgotten_is_in_no_index(how, tmp_path):
    root = tmp_path / "w"
    commands.sample(root)

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("save", "--category", "goal", "The vault code is QUOKKA")
    for asking in (["search", "vault"], ["recall", "vault"]):
        assert "QUOKKA" in run(*asking).stdout
    assert holding(root) >= {"index", "facts"}
    names = (
        [] if "undo" in how else [json.loads(run("--json", "recall", "vault").stdout.splitlines()[0])["id"]]
    )
    done = run(*how, *names)
    assert done.returncode == 0, done.stderr
    for _ in range(2):
        assert holding(root) == set()
        assert "QUOKKA" not in run("-q", "recall", "vault").stdout  # with -q, it indexes no daily note


def holding(root):
    """The folders below .memtool in which a file has the word."""
    files = [path for path in (root / ".memtool").rglob("*") if path.is_file()]
    return {path.parent.name for path in files if b"quokka" in path.read_bytes().lower()}


def test_a_backup_that_still_holds_what_is_forgotten_is_named(root):
    make(root, {"memory/MEMORY.md": "x\n"})
    commit(root, Append(Path("MEMORY.md"), "my secret\n"))
    make(root, {".memtool/backups/20250101T000000Z/backup.json": "{}"})
    make(root, {".memtool/backups/20250101T000000Z/files/MEMORY.md": "# Memory\nmy secret\n"})
    heard = []
    workspace = opened(root)
    workspace.say = heard.append
    undo(workspace, forget=True)
    assert [one.split()[0] for one in heard] == [".memtool/backups/20250101T000000Z"]


def test_a_purge_reaches_what_was_moved_before(root):
    make(root, {"memory/history/turns/2025/01/15/00000000000000000001.json": '{"my secret": 1}'})
    name = "memory/history/turns/2025/01/15/00000000000000000001.json"
    commit(root, Replace(Path(name), "[my secret", etag(root / name)))
    moved = quarantine.add_to_quarantine(opened(root), name, "it is torn", NOW)
    undone = undo(opened(root), count=1)
    undo(opened(root), ids(root)[:1])
    assert undone.entries
    journal = root / ".memtool/journal/00000001.jsonl"
    assert b"my secret" in journal.read_bytes()
    quarantine.purge_quarantined(opened(root), moved.target)
    assert b"my secret" not in journal.read_bytes()


def test_a_purge_reaches_what_undos_keep_of_it_elsewhere(root):
    shelf = commands.fact_index(opened(root))
    save(opened(root), "The cat is grey", shelf, at=NOW, owner=None, category="preference")
    undo(opened(root))
    saved = save(opened(root), "The cat is grey", shelf, at=NOW, owner=None, category="goal")
    journal = root / ".memtool/journal/00000001.jsonl"
    assert b"The cat is grey" in b"".join(whole(journal))
    forget_facts(opened(root), [saved.id], NOW.date(), purge=True)
    assert b"The cat is grey" not in b"".join(whole(journal))


def test_a_secret_that_is_redacted_is_not_kept(root):
    page = root / "MEMORY.md"
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "abcdef"
    page.write_text(f"# Memory\n- {secret}\n")
    commit(root, Replace(Path("MEMORY.md"), "# Memory\n- [REDACTED:github-token]\n", etag(page)))
    assert secret[4:] not in (root / ".memtool/journal/00000001.jsonl").read_text()
    with pytest.raises(CannotUndo, match="is no longer stored"):
        undo(opened(root))


def test_a_call_of_a_server_is_an_entry_of_its_own(root):
    server = opened(root)
    for number in range(3):
        call = server.with_current_settings({})
        with call.lock():
            call.commit((Append(Path("MEMORY.md"), f"{number}\n"),))
    assert len(ids(root)) == 3


def test_undo_with_forget_leaves_what_came_before_to_be_undone(root):
    page = root / "MEMORY.md"
    commit(root, Replace(Path("MEMORY.md"), "one\n", etag(page)))
    commit(root, Replace(Path("MEMORY.md"), "my secret\n", etag(page)))
    last = ids(root)[0]
    undo(opened(root), [last])
    undo(opened(root), ids(root)[:1])
    assert b"my secret" in (root / ".memtool/journal/00000001.jsonl").read_bytes()
    undo(opened(root), [last], forget=True)
    assert b"my secret" not in (root / ".memtool/journal/00000001.jsonl").read_bytes()
    undo(opened(root))
    assert page.read_text() == "# Memory\n"


def test_undo_with_forget_leaves_no_word(root):
    commit(root, Append(Path("MEMORY.md"), "my secret\n"))
    undo(opened(root), forget=True)
    assert (root / "MEMORY.md").read_text() == "# Memory\n"
    assert b"secret" not in (root / ".memtool/journal/00000001.jsonl").read_bytes()
    with pytest.raises(CannotUndo):
        undo(opened(root), ids(root)[:1])


def test_a_group_takes_back_what_is_its_own(root):
    make(root, {"groups/family/MEMORY.md": "# Memory\n"})
    more = {"now": NOW, "owner": Owner("user", "ann"), "triggers": DEFAULT_TRIGGERS}
    scan(opened(root), "I prefer tea", group="family", **more)
    scan(opened(root), "I prefer plov", **more)
    assert len(log(opened(root), LogRequest(group="family"))) == 1
    done = undo(opened(root), group="family")
    assert {str(change.path).partition("/")[0] for change in done.plan} == {"groups"}
    assert undo(opened(root), group="family").entries == ()
    assert "plov" in (root / "MEMORY.md").read_text()


def test_who_acts_for_a_group_sees_and_takes_back_nothing_else(tmp_path):
    root = tmp_path / "w"
    commands.sample(root)
    memtool("--root", str(root), "scan", "-m", "I prefer tea", home=tmp_path)
    acting = {"MEMTOOL_GROUP": "wholesale"}
    assert memtool("--root", str(root), "log", home=tmp_path, environment=acting).returncode == 1
    assert memtool("--root", str(root), "undo", home=tmp_path, environment=acting).returncode == 1
    asked = memtool("--root", str(root), "undo", "--group", "main", home=tmp_path, environment=acting)
    assert asked.returncode == 13
    assert "tea" in (root / "MEMORY.md").read_text()


def test_a_user_takes_back_nothing_that_another_user_did(root, tmp_path):
    def run(*arguments, user=""):
        return memtool("--root", str(root), *arguments, home=tmp_path, environment={"MEMTOOL_USER": user})

    run("save", "the ox is red", user="ann")
    run("save", "the bin is out", user="bob")
    of_bob, of_ann = ids(root)
    refused = run("undo", of_ann, user="bob")
    assert refused.returncode == 1
    assert f"no journal entry {of_ann!r}" in refused.stderr
    assert of_bob in run("undo", user="bob").stdout
    assert run("undo", user="bob").returncode == 1
    text = "".join(path.read_text() for path in root.rglob("*.md"))
    assert "the ox is red" in text
    assert "the bin is out" not in text
    assert of_ann in run("undo").stdout


def test_the_journal_holds_nothing_that_a_command_was_given(root):
    secret = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    said = f"I prefer {secret} to my password: hunter2"
    done = memtool("--root", str(root), "--user", "ann", "scan", "-m", said, home=root.parent)
    assert done.returncode == 0, done.stderr
    written = (root / ".memtool/journal/00000001.jsonl").read_text()
    assert secret not in written
    assert "hunter2" not in written
    assert '"by": "scan"' in written
    assert '"user": "ann"' in written


def statements(root, **asked):
    return [one.statements.text for one in log(opened(root, "native"), LogRequest(**asked))]


def test_the_log_says_that_it_lists_the_newest_changes_only_unless_their_number_is_given(root):
    run = partial(memtool, home=root.parent, cwd=root)
    page = root / "MEMORY.md"
    for number in range(21):
        commit(root, Replace(Path("MEMORY.md"), f"# Memory\n\n- {number}\n", etag(page)))
    listed = run("log")
    assert listed.stdout.count("\n") == 20
    assert listed.stderr == (
        "memtool: only the newest 20 changes are listed; to list more, use -n 1000, for example\n"
    )
    for options in (("-n", "20"), ("-n", "1000"), ("--json",), ("-q",)):
        assert run("log", *options).stderr == ""
    assert run("log", "--json").stdout.count("\n") == 20
    run("undo")
    run("undo")
    assert run("log", "--path", "*.toml").stderr.startswith("memtool: no change matches")


def test_the_log_says_what_was_recorded_superseded_and_removed(root, tmp_path):
    def run(*arguments, user=""):
        done = memtool("--root", str(root), *arguments, home=tmp_path, environment={"MEMTOOL_USER": user})
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("scan", "-m", "I live in Oslo.")
    run("scan", "-m", "Actually, I moved to Bergen, not Oslo anymore.")
    run("append-turn", "--session", "s1", "--user-text", "Hi", "--agent-text", "Hello.")
    run("session-end", "--session", "s1")
    recorded = ['recorded "I live in Bergen.", superseded "I live in Oslo."', 'recorded "I live in Oslo."']
    assert [text for text in statements(root) if text] == recorded
    name = run("facts", "list").split()[0]
    run("facts", "edit", name, "I live in Tromsø.")
    assert statements(root, limit=1) == ['recorded "I live in Tromsø.", superseded "I live in Bergen."']
    run("undo")
    assert statements(root, limit=1) == ['recorded "I live in Bergen.", removed "I live in Tromsø."']


def test_the_log_keeps_the_other_statements_of_the_files_that_forget_changed(root, tmp_path):
    def run(*arguments):
        done = memtool("--root", str(root), *arguments, home=tmp_path)
        assert done.returncode == 0, done.stderr

    run("scan", "-m", "I live in Bergen. I prefer tea.")
    run("scan", "-m", "My sister Dina plays the cello. I hate fog.")
    written = (root / ".memtool/journal/00000001.jsonl").read_bytes()
    lines = (root / "memory/semantic/facts.md").read_bytes().splitlines(keepends=True)
    dina = line_digest(next(line for line in lines if b"Dina" in line)).encode()
    assert dina in written
    run("forget", "--match", "Dina", "--yes")
    assert dina not in (root / ".memtool/journal/00000001.jsonl").read_bytes()
    recorded = ['recorded "I hate fog."', 'recorded "I prefer tea.", "I live in Bergen."']
    assert [text for text in statements(root) if text] == recorded
    with pytest.raises(CannotUndo):
        undo(opened(root), ids(root)[1:2])


@pytest.mark.parametrize("command", [("forget", "--match", "Derek", "--yes"), ("facts", "forget", "--purge")])
def test_what_is_forgotten_leaves_the_changes_of_other_lines_undoable(root, tmp_path, command):
    def run(*arguments):
        done = memtool("--root", str(root), *arguments, home=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def facts():
        return [line.split("\t")[3] for line in run("facts", "list").splitlines()]

    derek = run("save", "Derek owes me forty quid").split("\t")[0]
    run("save", "--key", "car", "The car is red")
    run("save", "--key", "car", "The car is blue")
    edit = ids(root)[0]
    derek = run("facts", "edit", derek, "Derek owes me fifty quid").split("\t")[0]
    run("save", "The window is open")
    window = ids(root)[0]
    run(*command, *([derek] if "facts" in command else []))
    assert facts() == ["The car is blue", "The window is open"]
    derek_line = line_digest(f"- [context] Derek owes me fifty quid ^{derek}\n".encode()).encode()
    assert derek_line not in (root / ".memtool/journal/00000001.jsonl").read_bytes()
    run("undo", window)
    run("undo", edit)
    assert facts() == ["The car is red"]


def test_an_undo_of_what_a_loop_logged_names_the_last_statement(root, tmp_path):
    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("scan", "-m", "I live in Oslo.")
    run("append-turn", "--session", "s1", "--user-text", "Hi", "--agent-text", "Hello.")
    run("session-end", "--session", "s1")
    scanned = ids(root)[-1]
    named = (
        'the last change to one was made by scan (recorded "I live in Oslo."); '
        f"to undo it, run: memtool undo {scanned}"
    )
    for command in ("session-end", "append-turn"):
        undone = run("undo")
        assert command in undone.stdout
        assert named in undone.stderr
    undone = run("undo")
    assert scanned in undone.stdout
    assert "the last statement" not in undone.stderr


def test_the_log_shows_no_statement_of_another_user_and_no_secret(root, tmp_path):
    def run(*arguments, user=""):
        done = memtool("--root", str(root), *arguments, home=tmp_path, environment={"MEMTOOL_USER": user})
        assert done.returncode == 0, done.stderr
        return done.stdout

    secret = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    run("save", "the ox is red", user="ann")
    run("save", "the bin is out", user="bob")
    commit(root, Append(Path("MEMORY.md"), f"the key is {secret}\n"))
    assert '"the ox is red"' in run("log", user="ann")
    assert "the bin is out" not in run("log", user="ann")
    assert "the key is [REDACTED" in run("log")
    assert secret not in run("log") + run("log", "--json")


@pytest.mark.parametrize("more", [["--incognito"], ["--dry-run"]])
def test_nothing_is_put_down_where_nothing_is_written(root, more):
    before = {str(path) for path in root.rglob("*")}
    memtool("--root", str(root), *more, "scan", "-m", "I prefer tea", home=root.parent)
    memtool("--root", str(root), *more, "undo", home=root.parent)
    memtool("--root", str(root), *more, "log", home=root.parent)
    assert {str(path) for path in root.rglob("*")} == before


def test_a_dry_run_of_undo_changes_nothing(root):
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    before = contents(root)
    done = memtool("--root", str(root), "--dry-run", "undo", home=root.parent)
    assert "-one" in done.stdout
    assert contents(root) == before
    assert len(ids(root)) == 1


def test_a_torn_line_is_passed_by_and_the_next_begins_anew(root):
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    journal = root / ".memtool/journal/00000001.jsonl"
    with journal.open("ab") as file:
        file.write(b'{"v": 1, "id": "j-torn", "at": "2025')
    commit(root, Append(Path("MEMORY.md"), "two\n"))
    assert len(ids(root)) == 2
    undo(opened(root), count=2)
    assert (root / "MEMORY.md").read_text() == "# Memory\n"


def test_a_damaged_journal_never_restores_the_wrong_thing(root):
    page = root / "MEMORY.md"
    page.write_text("the truth\n")
    commit(root, Replace(Path("MEMORY.md"), "news\n", etag(page)))
    journal = root / ".memtool/journal/00000001.jsonl"
    journal.write_text(journal.read_text().replace("the truth", "the lie!!"))
    with pytest.raises(CannotUndo):
        undo(opened(root))
    assert page.read_text() == "news\n"


def test_old_and_large_journals_are_let_go(root):
    settings = {"MEMTOOL_JOURNAL_MAX_BYTES": "40000"}
    folder = root / ".memtool/journal"
    for number in range(200):
        workspace = opened(root, **settings)
        with workspace.lock():
            workspace.commit((Append(Path("MEMORY.md"), f"{number}\n"),))
    assert 20_000 < sum(path.stat().st_size for path in folder.iterdir()) <= 42_000
    undo(opened(root), count=20)
    assert (root / "MEMORY.md").read_text().endswith("179\n")
    for path in folder.iterdir():
        os.utime(path, (0, 0))
    commit(root, Append(Path("MEMORY.md"), "new\n"))
    assert len(ids(root)) < 10 + 40


def test_no_journal_is_kept_where_it_is_turned_off(root):
    workspace = opened(root, MEMTOOL_JOURNAL_DAYS="0")
    with workspace.lock():
        workspace.commit((Append(Path("MEMORY.md"), "one\n"),))
    assert not (root / ".memtool/journal").exists()
    assert undo(opened(root)).entries == ()


@pytest.mark.parametrize("what", ["file", "link", "link to a file", "folder"])
def test_what_stands_in_the_journals_way_stops_no_command(root, tmp_path, what):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / ".memtool").mkdir()
    place = root / ".memtool/journal"
    if what == "file":
        place.write_text("x")
    elif what == "link":
        place.symlink_to(elsewhere)
    else:
        place.mkdir()
        if what == "folder":
            (place / "00000001.jsonl").mkdir()
        else:
            (place / "00000001.jsonl").symlink_to(elsewhere / "x")
    done = memtool("--root", str(root), "scan", "-m", "I prefer tea", home=tmp_path)
    assert done.returncode == 0
    assert "cannot write to .memtool/journal: " in done.stderr
    assert done.stderr.endswith("; this change cannot be undone\n")
    assert [*elsewhere.iterdir()] == []
    assert memtool("--root", str(root), "undo", home=tmp_path).returncode in {1, 13, 14}
    if what == "link":
        purged = memtool("--root", str(root), "facts", "forget", "--purge", "m-1", home=tmp_path)
        assert purged.returncode in {1, 19}


def test_runs_of_one_process_are_one_entry_until_it_pauses(root):
    workspace = opened(root)
    moments = iter([NOW, NOW + timedelta(seconds=59), NOW + timedelta(seconds=200)])
    workspace.journal.set_author(lambda: CommitAuthor("scan"), lambda: next(moments))
    for number in range(3):
        with workspace.lock():
            workspace.commit((Append(Path("MEMORY.md"), f"{number}\n"),))
    assert [len(one.entry.records) for one in log(opened(root), LogRequest())] == [1, 2]
    undo(opened(root), count=2)
    assert (root / "MEMORY.md").read_text() == "# Memory\n"


def test_the_diff_shows_what_came_and_went_as_far_as_it_is_known(root):
    page = root / "MEMORY.md"
    page.write_text("one\ntwo\n")
    commit(root, Replace(Path("MEMORY.md"), "one\n2\n", etag(page)))
    commit(root, Append(Path("MEMORY.md"), "three\n"))
    last, first = log(opened(root), LogRequest(), diff=True)
    assert last.diff == ("--- MEMORY.md", "+++ MEMORY.md", "@@ at the end @@", "+three")
    assert first.diff[-3:] == (" one", "-two", "+2")
    page.write_text("by hand\n")
    last, first = log(opened(root), LogRequest(), diff=True)
    assert last.diff[-1] == (
        "@@ the file was changed again later; this change added 1 line (no longer stored) @@"
    )
    assert first.diff[-1] == "-two"


def test_entries_are_found_by_path_role_and_day(root):
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    commit(root, Create(Path("memory/2025-01-15.md"), "note\n"))
    assert len(ids(root, path="memory/*")) == 1
    assert len(ids(root, role="long-term")) == 1
    assert len(ids(root, limit=1)) == 1
    assert ids(root, since=NOW + timedelta(days=200_000)) == []


def test_a_tree_that_may_not_be_written_is_left_alone_by_undo(root):
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    shutil.rmtree(root / ".memtool/journal")
    assert undo(opened(root)).entries == ()


def tool_folder(root):
    make(root, {"memories/a/one.md": "One.\n", "memories/a/b/two.bin": "Two", "memories/three.md": "3\n"})
    return root


def asked(root, **command):
    reply = answer_command(opened(root), command).reply
    assert not reply.is_error, reply.text


TREES = [
    {"command": "delete", "path": "/memories/a"},
    {"command": "delete", "path": "/memories/three.md"},
    {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/c/d"},
    {"command": "rename", "old_path": "/memories/three.md", "new_path": "/memories/a/three.md"},
]


@pytest.mark.parametrize("command", TREES)
def test_what_the_memory_tool_deletes_and_renames_can_be_taken_back(root, command):
    before = contents(tool_folder(root))
    asked(root, **command)
    after = contents(root)
    assert after != before
    undo(opened(root))
    assert contents(root) == before
    assert not (root / "memories" / "c").exists()
    undo(opened(root), ids(root)[:1])
    assert contents(root) == after


def test_all_that_the_memory_tool_keeps_can_come_back(root):
    before = contents(tool_folder(root))
    clear_memories(opened(root))
    assert not list((root / "memories").iterdir())
    undo(opened(root))
    assert contents(root) == before


def test_an_empty_folder_is_removed_and_is_no_entry(root):
    (tool_folder(root) / "memories" / "empty").mkdir()
    asked(root, command="delete", path="/memories/empty")
    assert not (root / "memories" / "empty").exists()
    assert ids(root) == []


def test_a_tree_that_is_too_large_for_the_journal_goes_and_cannot_come_back(root):
    (root / "memtool.toml").write_text('layout = "native"\n[journal]\nmax_bytes = 800\n')
    make(root, {"memories/big/one.md": "x" * 200, "memories/big/two.md": "Two.\n"})
    asked(root, command="delete", path="/memories/big")
    assert not (root / "memories" / "big").exists()
    with pytest.raises(CannotUndo, match="is no longer stored"):
        undo(opened(root))
    assert not (root / "memories" / "big").exists()


@pytest.mark.parametrize("command", [TREES[0], TREES[2]])
def test_a_link_in_a_tree_cannot_come_back_and_that_is_said(root, command):
    (tool_folder(root) / "memories" / "a" / "link.md").symlink_to("one.md")
    asked(root, **command)
    after = contents(root)
    with pytest.raises(CannotUndo, match=r"link\.md is no longer stored"):
        undo(opened(root))
    assert contents(root) == after


@pytest.mark.parametrize("to", ["openclaw", "obsidian", "qanot"])
def test_a_move_to_another_layout_is_taken_back_whole(to, tmp_path):
    root = tmp_path / "w"
    commands.sample(root)
    before, folders = contents(root), {path for path in root.rglob("*") if path.is_dir()}
    migrate(opened(root), NOW, to=to)
    after = contents(root)
    make(root, {".memtool/index/old": ""})
    undo(opened(root))
    assert contents(root) == before
    assert {path for path in root.rglob("*") if path.is_dir() and ".memtool" not in path.parts} == folders
    assert opened(root).layout.name == "native"
    assert not (root / ".memtool/index/old").exists()
    undo(opened(root), ids(root)[:1])
    assert contents(root) == after
    assert opened(root).layout.name == to


def test_a_moved_file_that_has_changed_since_is_named_by_its_path(tmp_path):
    root = make(tmp_path / "w", dict.fromkeys(["AGENTS.md", "SOUL.md", "IDENTITY.md"], "kind\n"))
    make(root, {"memory/notes/alpha.md": "# Alpha\n"})
    migrate(opened(root), NOW, to="native")
    with (root / "memory/core/SOUL.md").open("a") as file:
        file.write("bold\n")
    with pytest.raises(CannotUndo, match=r"^memory/core/SOUL\.md has changed.*back to SOUL\.md") as refused:
        undo(opened(root))
    assert ".memtool-moving" not in str(refused.value)


def test_a_move_that_was_stopped_is_taken_back(tmp_path):
    whole = tmp_path / "whole"
    commands.sample(whole)

    def run(workspace):
        migrate(workspace, NOW, to="qanot")

    steps = len(commands.run_on(whole, run, None).done)
    for stop_at in range(2, steps, 5):
        root = tmp_path / f"stop{stop_at}"
        commands.sample(root)
        before = contents(root)
        with pytest.raises(Stopped):
            commands.run_on(root, run, stop_at)
        undo(opened(root))
        left = {
            path: content for path, content in contents(root).items() if not path.endswith(TEMPORARY_SUFFIX)
        }
        assert left == before, stop_at


def test_what_cannot_be_taken_back_names_what_can(tmp_path):
    root = tmp_path / "w"
    commands.sample(root)
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    (name,) = ids(root)
    commit(root, Append(Path("memory/semantic/facts.md"), "- [context] two ^m-abcdef\n"))
    (root / "memory/semantic/facts.md").write_text(
        (root / "memory/semantic/facts.md").read_text().replace("two", "three")
    )
    forget_facts(opened(root), ["m-9d20c4"], NOW.date(), purge=True)
    with pytest.raises(CannotUndo, match=f"to undo an earlier command instead, run memtool undo {name}"):
        undo(opened(root))


def test_an_undo_leaves_no_folder_that_a_command_made(root):
    commit(root, Create(Path("memory/notes/inbox/a.md"), "a\n"))
    undo(opened(root))
    assert sorted(path.name for path in root.iterdir()) == [".memtool", "MEMORY.md", "memtool.toml"]


def test_the_last_entries_are_read_and_no_more(root):
    for number in range(40):
        commit(root, Append(Path("MEMORY.md"), f"{number}\n"))
    journal = root / ".memtool/journal/00000001.jsonl"
    journal.rename(journal.with_name("00000002.jsonl"))
    make(root, {".memtool/journal/00000001.jsonl/is": "no file, and whoever reads it says so"})
    assert len(log(opened(root), LogRequest(limit=10))) == 10
    assert len(log(opened(root), LogRequest(limit=10), diff=True)[9].diff) == 4
    assert len(undo(opened(root), count=9).entries) == 9
    undo(opened(root), ids(root, limit=1))
    with pytest.raises(UnreadableFile):
        log(opened(root), LogRequest(limit=99))


def test_runs_that_were_committed_at_one_time_are_told_apart(root):
    make(root, {"a.md": "", "b.md": ""})
    one, other = opened(root), opened(root)
    for number in range(3):
        for workspace, name in ((one, "a.md"), (other, "b.md")):
            with workspace.lock():
                workspace.commit((Append(Path(name), f"{number}\n"),))
    assert [one.entry.paths for one in log(opened(root), LogRequest())] == [("b.md",), ("a.md",)]
    undo(opened(root), count=2)
    assert contents(root)["a.md"] == contents(root)["b.md"] == b""


def test_the_diff_of_what_was_changed_since_says_what_was_taken_out(root):
    page = make(root, {"MEMORY.md": "# Memory\n- one\n- two\n- end\n"}) / "MEMORY.md"
    commit(root, Replace(Path("MEMORY.md"), "# Memory\n- three\n- end\n", etag(page)))
    page.write_text(page.read_text().replace("three", "3"))
    with pytest.raises(CannotUndo, match="print the change with memtool log --diff"):
        undo(opened(root))
    diff = log(opened(root), LogRequest(), diff=True)[0].diff
    assert diff[2].startswith(
        "@@ the file was changed again later; this change added 1 line (no longer stored) and "
        "removed these lines @@"
    )
    assert diff[3:] == ("-- one", "-- two")


def test_permissions_come_back_as_they_were(root):
    make(root, {"memory/a.md": "a  \n", "memory/b.md": "b\n", "MEMORY.md": "# Memory\n"})
    modes = {".": 0o777, "memory": 0o770, "memory/a.md": 0o664, "memory/b.md": 0o640, "MEMORY.md": 0o600}
    for path, mode in modes.items():
        (root / path).chmod(mode)

    def seen():
        return {path: (root / path).stat().st_mode & 0o777 for path in modes if (root / path).exists()}

    before = contents(root)
    wanted = (Secure(Path(path)) for path in modes)
    commit(root, Replace(Path("memory/a.md"), "a\n", etag(root / "memory/a.md")), *wanted)
    tight = {".": 0o755, "memory": 0o750, "memory/a.md": 0o600, "memory/b.md": 0o600, "MEMORY.md": 0o600}
    assert seen() == tight
    (shown,) = log(opened(root), LogRequest())
    assert [one["change"] for one in shown.as_json()["changes"]] == ["replace", *["permit"] * 4]
    undo(opened(root))
    assert (seen(), contents(root)) == (modes, before)
    undo(opened(root), ids(root)[:1])
    assert seen() == tight
    (root / "memory/b.md").chmod(0o644)
    undo(opened(root), ids(root)[:1])
    assert seen() == {**modes, "memory/b.md": 0o644}


def test_a_file_that_was_removed_comes_back_with_its_mode(root):
    page = make(root, {"memory/a.md": "a\n"}) / "memory/a.md"
    page.chmod(0o644)
    commit(root, Remove(Path("memory/a.md"), etag(page)))
    undo(opened(root))
    assert page.stat().st_mode & 0o777 == 0o644
    undo(opened(root), ids(root)[:1])
    assert not page.exists()
    undo(opened(root), ids(root)[:1])
    assert page.stat().st_mode & 0o777 == 0o644


def test_what_only_takes_permissions_is_an_entry_of_its_own(root):
    page = root / "MEMORY.md"
    commit(root, Append(Path("MEMORY.md"), "one\n"))
    page.chmod(0o644)
    commit(root, Secure(Path("MEMORY.md")))
    assert len(ids(root)) == 2
    done = memtool("--root", str(root), "--dry-run", "undo", home=root.parent)
    assert done.stdout.splitlines()[1:] == ["change mode 0600 to 0644: MEMORY.md"]
    undo(opened(root))
    assert page.stat().st_mode & 0o777 == 0o644
    assert page.read_text() == "# Memory\none\n"
    commit(root, Secure(Path("MEMORY.md")), Secure(Path("MEMORY.md")))
    commit(root, Secure(Path("MEMORY.md")))
    assert len(ids(root)) == 4


@pytest.mark.parametrize("forget", [False, True])
def test_one_that_was_to_be_forgotten_is_finished_too(forget, tmp_path):
    def run(workspace):
        undo(workspace, forget=forget)

    def prepare(root):
        make(root, {"memtool.toml": 'layout = "native"\n', "a.md": "a\n", "b.md": "b\n"})
        commit(root, *(Replace(Path(name), "new\n", etag(root / name)) for name in ("a.md", "b.md")))

    prepare(tmp_path / "whole")
    before = contents(tmp_path / "whole")
    for stop_at in range(len(commands.run_on(tmp_path / "whole", run, None).done)):
        root = tmp_path / f"stop{stop_at}"
        prepare(root)
        with pytest.raises(Stopped):
            commands.run_on(root, run, stop_at)
        undo(opened(root))
        left = {path: found for path, found in contents(root).items() if not path.endswith(TEMPORARY_SUFFIX)}
        assert left == contents(tmp_path / "whole"), stop_at
        assert left != before


@pytest.mark.parametrize("redo", [False, True])
def test_an_undo_that_was_stopped_is_finished_by_the_next(redo, tmp_path):
    def prepare(root):
        make(root, {"memtool.toml": 'layout = "native"\n', "a.md": "a\n", "MEMORY.md": "# Memory\n"})
        commit(root, Append(Path("a.md"), "before\n"))
        for number in range(3):
            page = root / "MEMORY.md"
            commit(root, Replace(Path("MEMORY.md"), f"{number}\n", etag(page)), Append(Path("a.md"), "x\n"))
        if redo:
            undo(opened(root), count=3)

    def run(workspace):
        workspace.key = lambda: None  # without a key nothing is recorded, and a stop leaves a part
        undo(workspace, ids(Path(workspace.root))[:1] if redo else (), count=3)

    prepare(tmp_path / "whole")
    steps = len(commands.run_on(tmp_path / "whole", run, None).done)
    wanted = contents(tmp_path / "whole")
    stopped = 0
    for stop_at in range(steps):
        root = tmp_path / f"stop{stop_at}"
        prepare(root)
        before = contents(root)
        with pytest.raises(Stopped):
            commands.run_on(root, run, stop_at)
        if contents(root) not in (before, wanted):
            stopped += 1
            assert undo(opened(root)).completes_interrupted
            left = {
                path: found for path, found in contents(root).items() if not path.endswith(TEMPORARY_SUFFIX)
            }
            assert left == wanted, stop_at
    assert stopped


def test_a_change_by_hand_is_not_put_on_what_was_taken_back(root):
    page = root / "MEMORY.md"
    commit(root, Replace(Path("MEMORY.md"), "one\n", etag(page)))
    commit(root, Replace(Path("MEMORY.md"), "two\n", etag(page)))
    undo(opened(root))
    page.write_text("by hand\n")
    with pytest.raises(CannotUndo, match="print the change with memtool log --diff"):
        undo(opened(root))


def test_a_move_to_another_layout_is_told_and_taken_back_file_by_file(tmp_path):
    make(
        tmp_path,
        {
            "Home.md": "# Home\n\n[paper](Files/paper.pdf) [[Twin]]\n",
            "Twin.md": "the same\n",
            "other/Twin.md": "the same\n",
            "Files/paper.pdf": "%PDF\n",
            ".obsidian/app.json": "{}\n",
        },
    )
    for name in ("Home.md", "Twin.md"):
        (tmp_path / name).chmod(0o640)
    before, modes_before = contents(tmp_path), modes_of(tmp_path)
    migrate(opened(tmp_path), NOW, to="native")
    (moved,) = log(opened(tmp_path), LogRequest(), diff=True)
    assert [[row.get(key) for key in ("change", "path", "target", "removed", "added")] for row in
            moved.as_json()["changes"]] == [
        ["create", "memtool.toml", None, 0, 8],
        ["move", "Home.md", "memory/notes/Home.md", 1, 1],
        ["move", "Twin.md", "memory/notes/Twin.md", 0, 0],
        ["move", "other/Twin.md", "memory/notes/other/Twin.md", 0, 0],
    ]  # fmt: skip
    assert not any("memtool-moving" in line for line in moved.diff)
    assert "-[paper](Files/paper.pdf) [[Twin]]" in moved.diff
    undo(opened(tmp_path))
    assert (contents(tmp_path), modes_of(tmp_path)) == (before, modes_before)
    undo(opened(tmp_path), ids(tmp_path)[:1])
    assert (tmp_path / "memory/notes/Home.md").stat().st_mode & 0o777 == 0o640


def test_an_undo_of_a_move_to_another_layout_says_what_moved_back(tmp_path):
    names = ["IDENTITY.md", "SOUL.md", "USER.md", "memory/a.md"]
    root = make(tmp_path / "w", {name: f"# {name}\n" for name in names})
    run = partial(memtool, home=tmp_path, cwd=root)
    run("init", "--layout", "openclaw")
    run("migrate", "--to", "native")
    done = run("undo")
    assert "memtool: moved 4 files back: " in done.stderr
    assert "memory/core/TOOLS.md to TOOLS.md" in done.stderr


def modes_of(root):
    """The mode of each file of a tree but for what is memtool's own."""
    return {
        str(path.relative_to(root)): path.stat().st_mode & 0o777
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".memtool" not in path.parts
    }


def test_undo_of_init_leaves_none_of_its_folders_and_all_that_were_there(tmp_path):
    root = make(tmp_path / "w", {"a.md": "mine\n", "memory/notes/maps/m.md": "mine\n"})
    before = {str(path.relative_to(root)) for path in root.rglob("*")}
    assert memtool("init", "--layout", "native", home=tmp_path, cwd=root).returncode == 0
    assert (root / "memory/notes/inbox").is_dir()
    assert memtool("undo", *ids(root), home=tmp_path, cwd=root).returncode == 0
    left = {str(path.relative_to(root)) for path in root.rglob("*") if ".memtool" not in path.parts}
    assert left == before


def test_more_commands_than_there_are_undo_nothing_and_init_is_undone_by_itself(tmp_path):
    run = partial(memtool, home=tmp_path, cwd=tmp_path / "w")
    assert memtool("init", str(tmp_path / "w"), home=tmp_path).returncode == 0
    assert run("save", "The kiln is blue").returncode == 0
    assert run("save", "The shed is red").returncode == 0
    before = contents(tmp_path / "w")
    for count in ("3", "99"):
        refused = run("undo", count)
        assert refused.returncode == 2
        assert "only 2 commands can be undone (init must be undone separately" in refused.stderr
        assert f"not {count}; nothing was undone" in refused.stderr
        assert contents(tmp_path / "w") == before
    assert run("undo", "2").returncode == 0
    for _ in range(2):
        refused = run("undo")
        assert refused.returncode == 1
        assert "nothing to undo except init" in refused.stderr
        assert (tmp_path / "w/memtool.toml").exists()
    assert run("undo", refused.stderr.split()[-1]).returncode == 0
    assert not (tmp_path / "w/memtool.toml").exists()


def test_an_undo_reports_the_lines_that_it_removes_and_restores(root):
    page = root / "MEMORY.md"
    commit(root, Replace(Path("MEMORY.md"), "# Memory\n\n- new\n- more\n", etag(page)))
    commit(root, Replace(Path("MEMORY.md"), "# Memory\n\n- other\n- more\n", etag(page)))
    assert [(each.removed, each.restored) for each in undo(opened(root)).lines] == [
        (("- other",), ("- new",))
    ]
    assert [(each.removed, each.restored) for each in undo(opened(root)).lines] == [(("- new", "- more"), ())]


def test_an_undo_reports_no_lines_of_another_user(root):
    page = root / "MEMORY.md"
    text = "# Memory\n\n## Auto-captured\n\n- **preference**: [user:ann] I like tea\n"
    commit(root, Replace(Path("MEMORY.md"), text, etag(page)))
    assert [each.removed for each in undo(opened(root), owners={"user:bob"}).lines] == [("## Auto-captured",)]


def test_undo_names_the_episodes_that_still_say_what_it_removed(tmp_path):
    root = tmp_path / "w"

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    run("scan", "-m", "I live in Bremen")
    run("scan", "-m", "Actually, I live in Kiel, not Bremen")
    assert "episode" not in run("undo").stderr
    run("scan", "-m", "Actually, I live in Kiel, not Bremen")
    episode = root / "memory/episodic/2025-01-15-s1.md"
    episode.parent.mkdir(parents=True, exist_ok=True)
    episode.write_text(
        '---\nsession_id: s1\nended_at: "2100-01-01T00:00:00Z"\n---\n'
        "user: I live in Bremen.\nuser: Actually, I live in Kiel, not Bremen.\n"
    )
    assert run("undo").stderr.endswith(
        "memtool: the episode memory/episodic/2025-01-15-s1.md:6 still contains the text that undo removed, "
        "so prompts may contain it; to remove it there, too, edit the episode by hand, or run, "
        "first with --dry-run: "
        "memtool forget --match 'I live in Kiel, not Bremen'\n"
    )


def test_undo_names_the_daily_notes_of_other_commands_that_still_say_what_it_removed(tmp_path):
    root, said = tmp_path / "w", "I live in Berlin and have two cats."

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    note = root / run("append-daily", "-m", said).stdout.strip()
    run("scan", "-m", said)
    line = note.read_text().split("\n").index(said) + 1
    assert run("undo").stderr.endswith(
        f"memtool: the daily note {note.relative_to(root)}:{line} still contains the text that undo removed, "
        "so prompts may contain it; to remove it there, too, edit the daily note by hand, or run, "
        "first with --dry-run: "
        f"memtool forget --match '{said}'\n"
    )
    run("forget", "--match", said, "--yes")
    assert said not in note.read_text()
    run("scan", "-m", said)
    assert "still contains" not in run("undo").stderr


def test_undo_names_the_daily_note_and_the_episode_that_both_say_what_it_removed(tmp_path):
    root, said = tmp_path / "w", "I live in Berlin and have two cats."

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    run("scan", "-m", said)
    notes = [root / run("append-daily", "--user-text", said).stdout.strip()]
    for number in (1, 2):
        notes.append(root / f"memory/episodic/2025-01-15-s{number}.md")
        notes[-1].parent.mkdir(parents=True, exist_ok=True)
        head = f'---\nsession_id: s{number}\nended_at: "2100-01-0{number}T00:00:00Z"\n---\n'
        notes[-1].write_text(f"{head}user: {said}\nassistant: So: {said}\n")
    line = next(n for n, row in enumerate(notes[0].read_text().split("\n"), 1) if said in row)
    scan = next(row for row in run("log").stdout.splitlines() if "\tscan\t" in row)
    assert run("undo", scan.split("\t")[0]).stderr.endswith(
        f"memtool: the daily note {notes[0].relative_to(root)}:{line}, the episode "
        "memory/episodic/2025-01-15-s2.md:5, the episode memory/episodic/2025-01-15-s2.md:6 "
        "and 2 other lines still contain the text that undo removed, so prompts may contain it; "
        "to remove it there, too, edit these files by hand, or run, first with --dry-run: "
        f"memtool forget --match '{said}'\n"
    )


def test_undo_names_no_file_with_what_memory_still_says(tmp_path):
    root, said = tmp_path / "w", "I live in Berlin and have two cats."

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    run("append-daily", "-m", said)
    run("scan", "-m", said)
    run("--session", "s2", "scan", "-m", said)
    assert "evidence.jsonl" in run("log", "-n", "1").stdout
    assert run("undo").stderr == ""
    assert f"- {said}\n" in run("context", "--prompt", "Where do I live?").stdout


def test_undo_names_the_turn_and_the_log_that_still_say_what_it_removed(tmp_path):
    root, said = tmp_path / "w", "I live in Berlin and have two cats."

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    run("append-turn", "--user-text", said)
    run("scan", "-m", said)
    archive = root / "SESSION-STATE.archive.md"
    archive.write_text(f"# Archive\n\n- [2025-01-14T10:30:00+00:00] **fact**: {said}\n")
    turn = next(root.glob("memory/history/turns/**/*.json"))
    line = next(n for n, row in enumerate(turn.read_text().split("\n"), 1) if said in row)
    assert (
        "memtool: the session state archive SESSION-STATE.archive.md:3 and the turn "
        f"{turn.relative_to(root)}:{line} still contain the text that undo removed, " in run("undo").stderr
    )
    run("scan", "-m", said)
    run("forget", "--match", said, "--yes")
    run("scan", "-m", said)
    assert "still contain" not in run("undo").stderr


def test_an_undo_that_removes_an_episode_names_no_episode_with_the_same_titles(tmp_path):
    root = tmp_path / "w"

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    for session in ("s1", "s2"):
        for text in ("We decided on celadon", "Please order the glaze", f"The kiln of {session} is hot"):
            run("append-turn", "--session", session, "--user-text", text)
        assert run("--session", session, "session-end").returncode == 0
    assert len([*root.glob("memory/episodic/*.md")]) == 2
    undone = run("undo")
    assert "session-end" in undone.stdout
    assert len([*root.glob("memory/episodic/*.md")]) == 1
    assert "the episode" not in undone.stderr


def test_the_command_to_repeat_undo_is_for_the_same_user(root):
    for user in ("ann", "bob"):
        memtool("--user", user, "save", "the kiln is free", home=root.parent, cwd=root)
    too_many = memtool("--user", "ann", "undo", "3", home=root.parent, cwd=root).stderr
    assert too_many.endswith("nothing was undone; run memtool --user ann undo\n")
