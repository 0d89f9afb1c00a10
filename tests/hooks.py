"""Hooks for tests: events and logs in the formats of agents, and a hook run in this process."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from memtool.cli.hooks.fast_path import run_fast
from memtool.core.hooks.hook_event import parse_hook_event
from memtool.store.lock import hold
from memtool.store.workspace import Workspace
from memtool.verbs.hooks.hook_call import HookCall
from memtool.verbs.indexing.documents import DocumentSync
from memtool.verbs.indexing.turns import TurnSync
from tests.trees import NOW, in_another_process, make, prompt_scope_of

PAGES = {
    "memtool.toml": 'layout = "native"\n',
    "MEMORY.md": "# Long-term memory\n\n- The kiln is fired to 1240 degrees\n",
    "memory/core/USER.md": "# User\n\nDilnoza, a potter.\n",
    "memory/notes/zettel/glaze.md": "# Glaze\n\nCeladon needs three percent of iron oxide.\n",
}
"""A small workspace: core and long-term memory, which are in every prompt, and a note."""


def event(name: str, **fields: Any) -> dict[str, Any]:
    """The JSON that Claude Code passes to a hook; `session_id` is s1 by default, None leaves it out."""
    record = {"session_id": "s1", "hook_event_name": name, "permission_mode": "default", **fields}
    return {key: value for key, value in record.items() if value is not None}


def prompt(text: str, **fields: Any) -> dict[str, Any]:
    """The event of a user's message on its way to the model."""
    return event("UserPromptSubmit", prompt=text, **fields)


def context_of(answer: bytes) -> str:
    """The context in an answer to Claude Code or Codex."""
    return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"])


def claude_log(path: Path, turns: Sequence[tuple[str, str]], session: str = "s1", at: str = "10:3") -> Path:
    """Write a session log as Claude Code does, with one text as the answer to each message."""
    lines, parent = [], None
    for number, (message, answer) in enumerate(turns):
        for role, text in (("user", message), ("assistant", answer)):
            if not text:
                continue
            uuid = f"{number:08}-0000-4000-8000-{0 if role == 'user' else 1:012}"
            content: Any = text if role == "user" else [{"type": "text", "text": text}]
            line = {"parentUuid": parent, "isSidechain": False, "type": role, "uuid": uuid}
            line |= {"sessionId": session, "timestamp": f"2025-01-15T{at}{number}:00.000Z"}
            line["message"] = {"role": role, "content": content}
            if role == "assistant":
                line["message"]["id"] = f"msg_{number}"
            lines.append(json.dumps(line))
            parent = uuid
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def codex_log(path: Path, turns: Sequence[tuple[str, str]], thread: str = "t1") -> Path:
    """Write a rollout as Codex does."""
    when = "2025-01-15T10:30:00.000Z"
    rows: list[tuple[str, Any]] = [("session_meta", {"id": thread, "cwd": "/x"})]
    for message, answer in turns:
        for role, kind, text in (("user", "input_text", message), ("assistant", "output_text", answer)):
            item = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
            rows.append(("response_item", item))
    lines = [json.dumps({"timestamp": when, "type": kind, "payload": payload}) for kind, payload in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


Hook = Callable[..., bytes]


@pytest.fixture
def hook(tmp_path, monkeypatch, capfdbinary) -> Hook:
    """A function that runs a hook in the workspace at `tmp_path / "w"` and returns what it prints.

    It asserts that the exit code is 0 and that there is no traceback.
    """
    home = tmp_path / "home"
    home.mkdir()
    for name in [
        variable for variable in os.environ if variable.startswith(("MEMTOOL", "XDG", "CLAUDE", "CODEX"))
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MEMTOOL_NOW", NOW.isoformat())
    monkeypatch.chdir(home)
    root = make(tmp_path / "w", PAGES)

    def run(record: Any, *options: str, **environment: str) -> bytes:
        if isinstance(record, dict):
            record.setdefault("cwd", str(root))
        raw = record if isinstance(record, bytes) else json.dumps(record).encode()
        with monkeypatch.context() as patched:
            for name, value in environment.items():
                patched.setenv(name, value)
            patched.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
            assert run_fast([*options, "hook"]) == 0
        printed = capfdbinary.readouterr()
        assert b"Traceback" not in printed.err
        return printed.out

    os.umask(0o077)
    return run


def locked_elsewhere(root: Path) -> AbstractContextManager[None]:
    """Hold the workspace's lock in another process."""
    return in_another_process(lambda: hold(str(root), 1.0))


def log_of(root: Path) -> str:
    """The text of the workspace's log; empty without one."""
    path = root / ".memtool" / "log"
    return path.read_text() if path.exists() else ""


def desk(workspace: Workspace, record: dict[str, Any], **more: Any) -> HookCall:
    """The context of a hook for an open workspace."""
    heard_event = parse_hook_event(record)
    assert heard_event is not None
    return HookCall(
        **{
            "workspace": workspace,
            "event": heard_event,
            "event_id": os.urandom(16).hex(),
            "now": NOW,
            "zone": NOW.tzinfo,
            "owner": None,
            "record_owners": {"session": heard_event.session},
            "scope": prompt_scope_of(workspace, None),
            "acts_for_group": False,
            "budget": 8000,
            "document_index": lambda most, aside: DocumentSync(
                workspace, bytes(32), wait=2.0, most=most, aside=aside
            ),
            "turn_index": lambda: TurnSync(workspace, bytes(32), wait=2.0),
            "extractor": lambda: None,
            **more,
        }
    )
