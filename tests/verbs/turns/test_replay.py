"""replay: the last turns of the history, or of one session."""

from __future__ import annotations

import json

from memtool.verbs.turns.replay import replay
from tests.trees import make, opened


def turn(seq, session):
    messages = [{"role": "user", "parts": [{"type": "text", "text": f"message {seq}"}]}]
    created = f"2025-01-14T10:{seq:02}:00Z"
    record = {"schema_version": 2, "id": f"t{seq}", "seq": seq, "created_at": created, "messages": messages}
    return json.dumps({**record, "session": session}) + "\n"


def test_with_a_session_only_its_last_turns_are_read(tmp_path):
    sessions = ["old", "old", "new", "old", "new", "new"]
    folder = "memory/history/turns/2025/01/14"
    files = {f"{folder}/{seq:020}.json": turn(seq, session) for seq, session in enumerate(sessions, 1)}
    workspace = opened(make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files}), "native")

    def numbers(count, session):
        return [found.seq for _, found in replay(workspace, count, [], session=session)]

    assert numbers(2, "new") == [5, 6]
    assert numbers(None, "old") == [1, 2, 4]
    assert numbers(6, "next") == []
