"""Commands that a client sends: what they write, and when they write nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.client import LspClient, LspError, run_memtool
from tests.trees import SAMPLE, contents, make

PENDING = "memory/cognition/pending.jsonl"
EVIDENCE = "memory/cognition/evidence.jsonl"
FACTS = "memory/semantic/facts.md"
PREFERENCES = "memory/semantic/preferences.md"
RULES = "memory/procedural/rules.md"
WORRY, ORDERS = "c-9c881f672c72", "c-f6ddcbe6d2c2"
CLASS = "m-9d20c4"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[LspClient]:
    shutil.copytree(SAMPLE, root := tmp_path / "w")
    evidence = {"id": CLASS, "candidate": "c-1", "quotes": ["on Wednesdays"], "session": "s-1", "turn": 3}
    at = {"at": "2025-01-10T08:00:00Z", "policy": "stated"}
    make(root, {EVIDENCE: json.dumps(evidence | at) + "\n"})
    with LspClient(root, tmp_path) as client:
        yield client


def texts(client: LspClient) -> dict[str, bytes]:
    """The files of memory, without what only memtool reads."""
    return {path: data for path, data in contents(client.root).items() if not path.startswith(".memtool/")}


def changed(client: LspClient, before: dict[str, bytes]) -> set[str]:
    after = texts(client)
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def line_of(client: LspClient, path: str, word: str) -> int:
    lines = (client.root / path).read_text().split("\n")
    return next(number for number, line in enumerate(lines) if word in line)


def run(client: LspClient, path: str, word: str, title: str, last: int | None = None) -> str:
    """Run the code action with a title that is offered on the line of a word; what the command says."""
    client.open(path)
    line = line_of(client, path, word)
    actions = client.actions(client.uri(path), line, line if last is None else last)
    action = next(action for name, action in actions.items() if name.startswith(title))
    return send(client, action["command"])


def send(client: LspClient, command: dict[str, object]) -> str:
    return client.request("workspace/executeCommand", {key: command[key] for key in ("command", "arguments")})


def test_approved_candidates_become_a_fact_and_a_rule(client):
    before = texts(client)
    done = run(client, PENDING, WORRY, f"Approve {WORRY}")
    assert done.startswith(f"{WORRY} was approved (effect: written; file: memory/semantic/")
    assert done.endswith(f"; reload {PENDING} in the editor before you save")
    assert WORRY not in (client.root / PENDING).read_text()
    path = next(path for path in changed(client, before) if path.startswith("memory/semantic/"))
    assert "[user:marta]" in (client.root / path).read_text()
    assert "WORRIES_ABOUT Event:market" in (client.root / path).read_text()
    client.close(client.uri(PENDING))
    assert RULES in run(client, PENDING, ORDERS, f"Approve {ORDERS}")
    assert "Ask before you order material." in (client.root / RULES).read_text()
    for _ in range(2):
        assert run_memtool(client.root.parent, client.root, "undo")[0] == 0
    assert {name: (client.root / name).read_bytes() for name in (path, RULES, PENDING) if name in before} == {
        name: before[name] for name in (path, RULES, PENDING) if name in before
    }


def test_a_dropped_candidate_is_in_no_file_but_the_record_of_decisions(client):
    before = texts(client)
    assert run(client, PENDING, ORDERS, f"Drop {ORDERS}").startswith(f"{ORDERS} was dropped")
    assert [json.loads(line)["id"] for line in (client.root / PENDING).read_text().splitlines()] == [WORRY]
    assert {path for path in changed(client, before) if not path.startswith("memory/cognition/")} == set()


def test_a_candidate_that_is_gone_is_said_to_be_gone(client):
    client.open(PENDING)
    line = line_of(client, PENDING, ORDERS)
    actions = client.actions(client.uri(PENDING), line, line)
    assert run_memtool(client.root.parent, client.root, "candidates", "drop", ORDERS)[0] == 0
    before = texts(client)
    for title in (f"Approve {ORDERS}", f"Drop {ORDERS}"):
        with pytest.raises(LspError, match=ORDERS):
            send(client, actions[title]["command"])
    assert changed(client, before) == set()


def test_a_fact_supersedes_another_one(client):
    lines = (client.root / PREFERENCES).read_text().splitlines()
    done = run(client, PREFERENCES, "m-51e8b0", "Supersede m-51e8b0 with m-c80f12", last=3)
    assert done.startswith("m-51e8b0 was superseded by m-c80f12")
    lines[2] = lines[2].replace(" ^m-51e8b0", " [superseded: 2025-01-15 by m-c80f12] ^m-51e8b0")
    assert (client.root / PREFERENCES).read_text().splitlines() == lines


def test_a_forgotten_fact_is_deleted_with_its_evidence(client):
    lines = (client.root / FACTS).read_text().splitlines()
    done = run(client, FACTS, CLASS, f"Forget {CLASS}")
    assert "memtool forget --match 'The evening class fires on Wednesdays' --dry-run" in done
    assert (client.root / FACTS).read_text().splitlines() == [line for line in lines if CLASS not in line]
    assert json.loads((client.root / EVIDENCE).read_text())["quotes"] == []


@pytest.mark.parametrize(
    ("path", "word", "title"),
    [(PENDING, WORRY, "Approve"), (PENDING, WORRY, "Drop"), (FACTS, CLASS, "Forget"), (FACTS, CLASS, "Mark")],
)
def test_a_command_on_an_unsaved_or_outdated_document_writes_nothing(client, path, word, title):
    uri = client.open(path)
    line = line_of(client, path, word)
    actions = client.actions(uri, line, line)
    command = next(action["command"] for name, action in actions.items() if name.startswith(title))
    saved = (client.root / path).read_text()
    before = texts(client)
    client.change(uri, 2, f"{saved}\n")
    with pytest.raises(LspError, match=f"{path} has unsaved changes; save it and run the command again"):
        send(client, command)
    (client.root / path).write_text(f"\n{saved}")
    with pytest.raises(LspError, match=f"{path} has changed on disk; reload it in the editor"):
        send(client, command)
    (client.root / path).write_text(saved)
    assert changed(client, before) == set()
    client.change(uri, 3, saved)
    assert word in send(client, command)
    assert path in changed(client, before)
