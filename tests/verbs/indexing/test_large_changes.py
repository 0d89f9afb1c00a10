"""Where more is changed than a caller has the time to index: what is searched, and what comes later."""

from __future__ import annotations

import os

import pytest

from memtool.core.search.query import parse_query
from memtool.verbs.hooks import hook_context
from memtool.verbs.hooks.hook import handle_event
from memtool.verbs.hooks.hook_call import HookOutcome
from memtool.verbs.indexing.documents import DocumentSync
from tests.hooks import claude_log, context_of, desk, event, hook, log_of, prompt  # noqa: F401
from tests.trees import held_elsewhere, make, memtool, opened

KEY = b"k" * 32
NOTES = {f"memory/notes/inbox/{name}.md": f"the {name} is red\n" for name in ("anchor", "bilge", "cleat")}
SIZE = len("the bilge is red\n")


def found(index, query):
    view = index.sync()
    return [hit.path.rpartition("/")[2] for hit in view.index.query(parse_query(query), 9)], view.notices


def test_the_changed_files_with_most_of_the_words_are_searched(tmp_path):
    make(tmp_path, NOTES)
    index = DocumentSync(opened(tmp_path, "native"), KEY, wait=5.0, most=SIZE, aside=SIZE)
    index.words = frozenset({"bilge", "red"})
    hits, notices = found(index, "red")
    assert hits == ["bilge.md"]
    [notice] = notices
    searched = "only the file that contains the most words of the query was searched"
    assert notice.startswith(f"3 new or changed files are not indexed yet; of these, {searched}; ")
    assert index.is_behind
    index.words = frozenset()
    assert found(index, "red")[0] == []
    index.close()


def test_a_file_that_is_left_out_is_not_found_with_its_old_text(tmp_path):
    make(tmp_path, NOTES)
    index = DocumentSync(opened(tmp_path, "native"), KEY, wait=5.0)
    index.update()
    assert (found(index, "red")[0], index.is_behind) == (["anchor.md", "bilge.md", "cleat.md"], False)
    make(tmp_path, {path: text.replace("red", "blue") for path, text in NOTES.items() if "cleat" not in path})
    index.most, index.aside, index.words = SIZE, 2 * SIZE, frozenset({"anchor"})
    assert found(index, "red")[0] == ["cleat.md"]
    assert found(index, "blue")[0] == ["anchor.md"]
    index.update()
    assert found(index, "blue")[0] == ["anchor.md"]  # still too much to index
    index.most = None
    index.update()
    assert found(index, "blue")[0] == ["anchor.md", "bilge.md"]
    index.close()


def test_a_hook_answers_and_a_process_in_the_background_updates_the_index(tmp_path, hook, monkeypatch):  # noqa: F811
    root = make(tmp_path / "w", {**NOTES, "memory/notes/inbox/boat.md": "Okon painted the bilge pump red.\n"})
    monkeypatch.setattr(hook_context, "_INDEXED_BYTES", SIZE)
    asked = prompt("Who painted the bilge pump?", session_id=None)
    assert "Okon painted" in context_of(hook(asked))
    assert "are not indexed yet" in log_of(root)
    _, status = os.waitpid(-1, 0)
    assert status == 0
    (root / ".memtool/log").unlink()
    assert "Okon painted" in context_of(hook(asked))
    assert log_of(root) == ""


def large_tree(folder):
    big = "# Kiln\n\n" + f"{'-' * 79}\n" * 6750  # many bytes with few words are indexed in little time
    notes = {f"memory/notes/big{number}.md": big for number in range(9)}
    return make(folder, {**notes, **NOTES, "memtool.toml": 'layout = "native"\n'})


@pytest.mark.parametrize(
    ("word", "code", "printed", "searched"),
    [
        (
            "bilge",
            0,
            "memory/notes/inbox/bilge.md:1: the bilge is red\n",
            "; of these, only the file that contains the most words of the query was searched",
        ),
        ("capstan", 3, "", " and were not searched"),
    ],
)
def test_a_search_answers_and_a_process_in_the_background_indexes(tmp_path, word, code, printed, searched):
    root = large_tree(tmp_path / "w")
    found = memtool("--root", str(root), "search", word, home=tmp_path)
    assert (found.returncode, found.stdout) == (code, printed)
    assert f"12 new or changed files are not indexed yet{searched}; indexing" in found.stderr
    patient = {"MEMTOOL_LOCK_TIMEOUT": "60"}  # the other process may have the lock
    assert memtool("--root", str(root), "reindex", home=tmp_path, environment=patient).returncode == 0
    done = memtool("--root", str(root), "search", "kiln", home=tmp_path, environment=patient)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_search_looks_only_where_it_was_told_to(tmp_path):
    root = large_tree(tmp_path / "w")
    make(root, {"MEMORY.md": "# Memory\n\n- the kiln is red\n"})
    for option in (["--path", "MEMORY.md"], ["--role", "long-term"]):
        found = memtool("--root", str(root), "search", *option, "kiln", "red", home=tmp_path)
        assert (found.returncode, found.stdout, found.stderr) == (0, "MEMORY.md:3: - the kiln is red\n", "")


def test_one_large_file_is_indexed_before_the_answer(tmp_path):
    root = make(tmp_path / "w", {**NOTES, "memtool.toml": 'layout = "native"\n'})
    log = f"the anchor's long log\n{'-' * 79}\n" * 44_000
    make(root, {"memory/notes/inbox/log.md": f"{log}\n- the capstan\n"})
    found = memtool("--root", str(root), "search", "capstan", home=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.endswith("the capstan\n")


def test_the_end_of_a_turn_is_recorded_while_another_process_writes_the_index(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = make(tmp_path / "w", NOTES)
    index = DocumentSync(opened(root, "native"), bytes(32), wait=5.0)
    index.update()
    index.close()
    make(root, {path: text.replace("red", "blue") for path, text in NOTES.items()})
    ended = event("Stop", transcript_path=str(claude_log(tmp_path / "t.jsonl", [("How hot?", "Very.")])))
    reply = HookOutcome()
    with held_elsewhere(root / ".memtool/index"):
        handle_event(desk(opened(root, "native"), ended), reply)
    assert len([*root.rglob("history/turns/**/*.json")]) == 1
    assert reply.missed is None
    assert reply.errors == []
    assert not [*(root / ".memtool").glob("queue/*")]
