"""import: each turn once, grown ones made whole, and nothing lost wherever it stopped."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memtool.errors import UnreadableFile
from memtool.formats import head, turn
from memtool.store.external.transcript_files import find_transcripts
from memtool.store.external.transcript_files import open_transcript as opened_source
from memtool.verbs.history.import_ import TranscriptImporter, recognise_transcript
from memtool.verbs.indexing.turns import TurnSync
from tests.faulty import FaultyDisk, Stopped
from tests.transcripts.sources import CLAUDE, lines
from tests.transcripts.test_chats import EXPORT, OPENAI
from tests.transcripts.test_openclaw import OPENCLAW
from tests.trees import NOW, contents, make, memtool, opened

KEY = b"k" * 32
TURNS = "memory/history/turns"


def bring(
    root: Path, *files: Path, stop_at: int | None = None, writes: bool = True, key: bytes | None = KEY, **more
):
    """Import these files in one run; the sums as tuples of imported, grown, known, facts and skipped."""
    workspace = opened(root, "native", disk=lambda folder: FaultyDisk(folder, stop_at))
    workspace.writes = writes
    shelf = TurnSync(workspace, key, wait=5.0)
    problems: list = []
    importer = TranscriptImporter(
        workspace, shelf, NOW, skipped=lambda name, line, why: problems.append((line, why)), **more
    )
    sums = []
    for file in files:
        source = opened_source(str(file))
        sums.append(importer.import_file(source, recognise_transcript(source)))
    shelf.close()
    told = [(one.imported, one.grown, one.known, one.facts, one.skipped) for one in sums]
    return told, problems, workspace.disk


def turns(root: Path) -> list:
    paths = sorted((root / TURNS).rglob("*.json"), key=lambda path: path.name)
    return [turn.parse(path.read_text()) for path in paths]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(*CLAUDE).content)
    return path


@pytest.fixture
def root(tmp_path):
    (tmp_path / "w").mkdir()
    return tmp_path / "w"


@pytest.mark.parametrize("key", [KEY, None], ids=["indexed", "read through"])
def test_importing_again_adds_nothing(root, log, key):
    assert bring(root, log, key=key)[0] == [(2, 0, 0, 0, 0)]
    before = contents(root)
    assert bring(root, log, key=key)[0] == [(0, 0, 2, 0, 0)]
    renamed = log.with_name("other.jsonl")
    log.rename(renamed)
    assert bring(root, renamed, renamed, key=key)[0] == [(0, 0, 2, 0, 0)] * 2
    assert contents(root) == before


@pytest.mark.parametrize("first", range(3, len(CLAUDE)))
def test_a_log_that_has_grown_adds_only_what_is_new(tmp_path, log, first):
    whole, root = tmp_path / "whole", tmp_path / "grown"
    for folder in (whole, root):
        folder.mkdir()
    bring(whole, log)
    part = tmp_path / "part.jsonl"
    part.write_bytes(lines(*CLAUDE[:first]).content)
    bring(root, part)
    told, _, _ = bring(root, log)
    assert [one.messages for one in turns(root)] == [one.messages for one in turns(whole)]
    assert [one.seq for one in turns(root)] == [1, 2]
    assert sum(told[0][:3]) == 2


def test_a_turn_that_somebody_edited_is_left_alone(root, log):
    bring(root, log)
    path = next((root / TURNS).rglob(f"{1:020}.json"))
    edited = path.read_text().replace("On Thursday.", "On Friday.")
    path.write_text(edited)
    log.write_bytes(lines(*CLAUDE[:-2], {**CLAUDE[-3], "uuid": "a9", "parentUuid": "a4"}).content)
    bring(root, log)
    assert path.read_text() == edited


def test_what_it_was_is_kept(root, log):
    bring(root, log, more={"user": "sardor"})
    first = turns(root)[0]
    assert (first.created_at, first.seq, first.id) == ("2025-01-15T10:30:00.123Z", 1, f"turn-{1:020}")
    assert first.more == {"user": "sardor", "source": {"agent": "claude-code", "session": "s1", "id": "u1"}}
    assert first.messages[0].more == {"id": "u1", "at": "2025-01-15T10:30:00.123Z"}
    assert head.parse((root / "memory/history/state/head.json").read_text()).last_seq == 2


def test_a_corrupted_line_is_named_and_costs_that_line(root, log):
    log.write_bytes(lines(*CLAUDE[:5], b'{"type": "us', *CLAUDE[5:]).content)
    told, problems, _ = bring(root, log)
    assert told == [(2, 0, 0, 0, 1)]
    assert problems == [(6, "is truncated")]


def test_secrets_can_be_kept_out(root, tmp_path):
    secret = "sk-ant-api03-" + "abcdefghijKLMNOPQRST" * 4
    chat = tmp_path / "chat.json"
    arguments = json.dumps({"key": secret})
    chat.write_text(
        json.dumps(
            [
                {"role": "user", "content": f"key {secret}"},
                {"role": "assistant", "content": "x", "tool_calls": [
                    {"id": "c", "function": {"name": "f", "arguments": arguments}}]},
                {"role": "tool", "tool_call_id": "c", "content": secret},
            ]
        )
    )  # fmt: skip
    bring(root, chat, redacts=True)
    assert not any(secret.encode() in content for content in contents(root).values())
    assert bring(root, chat, redacts=True)[0] == [(0, 0, 1, 0, 0)]


def test_what_chatgpt_remembered_goes_to_long_term_memory_once(root, tmp_path):
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([EXPORT]))
    assert bring(root, export)[0] == [(2, 0, 0, 1, 0)]
    assert "User has a kiln" in (root / "MEMORY.md").read_text()
    before = contents(root)
    assert bring(root, export)[0] == [(0, 0, 3, 0, 0)]
    assert contents(root) == before


def test_the_printed_counts_agree_with_their_nouns(tmp_path):
    tree = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    (tmp_path / "conversations.json").write_text(json.dumps([EXPORT]))
    printed = memtool("import", str(tmp_path / "conversations.json"), home=tmp_path, cwd=tree).stdout
    assert printed.endswith("\tchatgpt\t2 imported, 1 fact\n")


def test_a_dry_run_writes_nothing_and_counts_the_same(root, log, tmp_path):
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps(OPENAI))
    assert bring(root, log, log, chat, writes=False)[0] == [(2, 0, 0, 0, 0), (0, 0, 0, 0, 0), (2, 0, 0, 0, 0)]
    assert contents(root) == {}


def test_openclaw_s_database_is_read_as_its_lines_are(root, tmp_path):
    import apsw

    path = tmp_path / "openclaw-agent.sqlite"
    with apsw.Connection(str(path)) as database:
        database.execute("CREATE TABLE transcript_events(session_id, seq, event_json)")
        rows = [("s1", number, json.dumps(one)) for number, one in enumerate(OPENCLAW)]
        database.executemany("INSERT INTO transcript_events VALUES (?, ?, ?)", rows[::-1])
    log = tmp_path / "session.jsonl"
    log.write_bytes(lines(*OPENCLAW).content)
    assert bring(root, path, log)[0] == [(2, 0, 0, 0, 0), (0, 0, 2, 0, 0)]
    (tmp_path / "other.sqlite").write_bytes(path.read_bytes()[:4000])
    with pytest.raises(UnreadableFile, match="cannot be read as the database of a known agent"):
        bring(root, tmp_path / "other.sqlite")


def test_the_crash_law_holds_for_an_import(tmp_path, log):
    whole = tmp_path / "whole"
    whole.mkdir()
    steps = len(bring(whole, log)[2].done)
    expected = contents(whole)
    for stop_at in range(steps):
        root = tmp_path / f"stop{stop_at}"
        root.mkdir()
        with pytest.raises(Stopped):
            bring(root, log, stop_at=stop_at)
        bring(root, log)
        assert contents(root) == expected, stop_at
        shutil.rmtree(root)


def test_a_folder_means_every_transcript_below_it(tmp_path, log):
    (tmp_path / "project" / "s1" / "subagents").mkdir(parents=True)
    for name in ("b.jsonl", "a.jsonl", "s1/subagents/agent-x.jsonl", "notes.md"):
        (tmp_path / "project" / name).write_text("{}\n")
    found = find_transcripts(str(tmp_path / "project"))
    assert [Path(one).name for one in found] == ["a.jsonl", "b.jsonl", "agent-x.jsonl"]
    with pytest.raises(UnreadableFile, match="no such file"):
        find_transcripts(str(tmp_path / "nowhere"))


def test_a_line_of_several_megabytes_is_one_line(root, log):
    big = {
        **CLAUDE[2],
        "uuid": "u9",
        "parentUuid": "a5",
        "message": {"role": "user", "content": "x" * 5_000_000},
    }
    log.write_bytes(lines(*CLAUDE, big).content)
    assert bring(root, log)[0] == [(3, 0, 0, 0, 0)]
    assert len(turns(root)[2].messages[0].parts[0].text) == 5_000_000
