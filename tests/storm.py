"""A storm: eight writers of mixed commands, a watcher, an editor, and random kill -9 (`make storm`).

One more writer keeps the lock longer than a hook waits for it, so that hooks queue what they should record.
The watcher is killed now and then, too, and started again.

Afterwards every acknowledged record is there exactly once, no line is torn, no temporary file is left after
the next write, and `doctor` finds nothing wrong. Each write carries a token of its own; it counts as
acknowledged if its command ended with 0 before it was killed.

After a fault the folder that is named stays: `w` is the tree, `commands` has a line for each command,
`operations` one for each operation on the disk (`tests/logged.py`). Of a command whose record is lost, its
lines, its last operations and what the workspace's own log said meanwhile are printed.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from memtool.store.files.queue import waiting_events
from memtool.store.lock import hold
from tests.trees import clean_environment, contents, in_another_process, memtool

WRITERS = 8
KINDS = ("scan", "hook", "daily", "turn", "buffer", "learn", "memory", "import")
_LONGEST_LIFE = 1.5
"""Seconds after which a command that is to be killed is killed at the latest; most end before."""
_LAST_SECONDS = 10
"""How long the last watcher lives at least: one that ends while it starts leaves files behind."""
_SHOWN_OPERATIONS = 20
"""How many operations are printed of a command whose record is lost, the last."""


class Command(NamedTuple):
    """A command that has ended: its process, start and end, and its exit code and errors, or `killed`."""

    token: str
    kind: str
    process: int
    begun: datetime
    ended: datetime
    outcome: str

    def __str__(self) -> str:
        times = f"{self.begun:%H:%M:%S.%f} to {self.ended:%H:%M:%S.%f}"
        return f"{times} {self.process} {self.kind} {self.token} {self.outcome}"


def command(kind: str, token: str) -> tuple[list[str], str]:
    """The arguments and the input of a command that writes a token."""
    match kind:
        case "scan":
            return ["scan", "-m", f"I prefer recipe {token}"], ""
        case "hook":
            record = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": "/"}
            return ["hook"], json.dumps({**record, "prompt": f"I prefer recipe {token}"})
        case "daily":
            return ["append-daily", "--full", "--user-text", f"q {token}", "--agent-text", "x" * 9000], ""
        case "turn":
            return ["append-turn"], json.dumps({"role": "user", "content": f"said {token}"})
        case "buffer":
            exchange = [{"role": "user", "content": f"b {token}"}, {"role": "assistant", "content": "noted"}]
            return ["buffer", "--used", "9", "--window", "10"], json.dumps(exchange)
        case "learn":
            return ["learn", "correction", f"It is {token}"], ""
        case "import":
            name = token.replace("tok", "s")
            head = {"sessionId": name, "timestamp": "2025-01-15T10:00:00Z", "cwd": "/x", "version": "2.0.0"}
            said = {"role": "user", "content": f"imported {token}"}
            reply = {"role": "assistant", "content": [{"type": "text", "text": "noted"}]}
            rows = [
                {**head, "type": "user", "uuid": f"{name}u", "parentUuid": None, "message": said},
                {**head, "type": "assistant", "uuid": f"{name}a", "parentUuid": f"{name}u", "message": reply},
            ]
            return ["import", "-"], "".join(f"{json.dumps(row)}\n" for row in rows)
        case _:
            return ["memories", "create", f"/memories/{token}.md", "--file-text", f"m {token}\n"], ""


class Storm:
    """One run on one workspace; `acknowledged` and `unknown` hold the kinds by token."""

    def __init__(self, home: Path, seconds: float, seed: int) -> None:
        self.home, self.root, self.until = home, home / "w", time.monotonic() + seconds
        self.chance = random.Random(seed)
        self.acknowledged: dict[str, str] = {}
        self.unknown: dict[str, str] = {}
        self.refused: Counter[int] = Counter()
        self.edits: list[str] = []
        self.commands: dict[str, Command] = {}
        self.killed = self.queued = self.killed_watchers = 0
        self._environment = clean_environment(home, MEMTOOL_LOCK_TIMEOUT="60")

    def write(self, worker: int) -> None:
        """Run commands until the time is over; every fourth is killed at a random moment."""
        chance = random.Random(f"{worker} {self.chance.random()}")
        number = 0
        while time.monotonic() < self.until:
            number += 1
            kind, token = chance.choice(KINDS), f"tok{worker}x{number}x"
            arguments, text = command(kind, token)
            begun = datetime.now(UTC)
            process = self._start(*arguments)
            life = chance.uniform(0.1, _LONGEST_LIFE) if chance.random() < 0.25 else 120
            try:
                _, errors = process.communicate(text.encode(), timeout=life)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                self.killed += 1
                self.unknown[token] = kind
                self._note(Command(token, kind, process.pid, begun, datetime.now(UTC), "killed"))
                continue
            outcome = f"{process.returncode} {errors.decode(errors='replace').strip()}"
            self._note(Command(token, kind, process.pid, begun, datetime.now(UTC), outcome))
            if process.returncode == 0:
                self.acknowledged[token] = kind
            else:
                self.refused[process.returncode] += 1
                if self.refused.total() <= 5:
                    print(kind, outcome, file=sys.stderr)

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command in the workspace."""
        log = str(self.home / "operations")
        return subprocess.Popen(
            [sys.executable, "-m", "tests.logged", log, "--root", str(self.root), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self._environment,
        )

    def _note(self, ended: Command) -> None:
        self.commands[ended.token] = ended
        with (self.home / "commands").open("a") as log:
            log.write(f"{ended}\n")

    def watch(self) -> None:
        """Run a watcher, and kill it now and then; the next takes its place."""
        while time.monotonic() < self.until:
            watcher = self._start("watch")
            life = time.monotonic() + self.chance.uniform(5, 20)
            is_last = self.until - life < _LAST_SECONDS
            while watcher.poll() is None and time.monotonic() < (self.until if is_last else life):
                time.sleep(0.05)
            watcher.send_signal(signal.SIGTERM if is_last else signal.SIGKILL)
            watcher.communicate()
            self.killed_watchers += not is_last

    def edit(self) -> None:
        """Save long-term memory as an editor does, and append to the session state as a shell does."""
        while time.monotonic() < self.until:
            time.sleep(self.chance.uniform(0.02, 0.2))
            line = f"- edited {len(self.edits)}e\n"
            if self.chance.random() < 0.5:
                page = self.root / "MEMORY.md"
                aside = page.with_name(".MEMORY.md.swp")
                before = page.stat()
                aside.write_text(page.read_text() + line)
                if page.stat()[:] != before[:]:  # a careful editor saves nothing over a change
                    aside.unlink()
                    continue
                aside.rename(page)
            else:
                with (self.root / "SESSION-STATE.md").open("a") as log:
                    log.write(line)
                self.edits.append(line)

    def keep_lock(self) -> None:
        """Hold the lock for longer than a hook waits, now and then."""
        while time.monotonic() < self.until:
            time.sleep(self.chance.uniform(4, 8))
            with in_another_process(lambda: hold(str(self.root), 60.0)):
                self.queued = max(self.queued, self._most_queued(3.0))

    def _most_queued(self, seconds: float) -> int:
        """The most events that wait in the queue within some seconds."""
        until, most = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            time.sleep(0.05)
            most = max(most, len(waiting_events(str(self.root))))
        return most

    def run(self) -> list[str]:
        """Run the storm and return what is wrong afterwards."""
        memtool("init", str(self.root), "--layout", "native", home=self.home)
        with (self.root / "memtool.toml").open("a") as settings:  # what is written grows it past a prompt
            settings.write('\n[lint.per_file]\n"MEMORY.md" = ["M314"]\n')
        threads = [threading.Thread(target=self.write, args=(worker,)) for worker in range(WRITERS)]
        threads += [threading.Thread(target=target) for target in (self.watch, self.edit, self.keep_lock)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        last = memtool("--root", str(self.root), "learn", "error", "the last write", home=self.home)
        memtool("--root", str(self.root), "search", "the last write", home=self.home)
        return [*([] if last.returncode == 0 else [last.stderr]), *self.faults()]

    def faults(self) -> list[str]:
        """What is wrong with the tree."""
        files = {path: content.decode() for path, content in contents(self.root).items()}
        place = {
            "scan": "SESSION-STATE.md",
            "hook": "SESSION-STATE.md",
            "daily": "memory/20",
            "turn": "memory/history/turns/",
            "import": "memory/history/turns/",
            "buffer": "memory/working-buffer.md",
            "learn": "learnings/",
            "memory": "memories/",
        }
        texts = {
            kind: "".join(text for path, text in files.items() if path.startswith(place[kind]))
            for kind in KINDS
        }
        counts = {kind: Counter(re.findall(r"tok\d+x\d+x", texts[kind])) for kind in KINDS}
        faults = []
        for token, kind in self.acknowledged.items():
            if counts[kind][token] != 1:
                faults.append(f"{kind} {token} is there {counts[kind][token]} times")
                faults += self._history(self.commands[token])
        for token, kind in self.unknown.items():
            if counts[kind][token] > 1:
                faults.append(f"{kind} {token}, which was killed, is there {counts[kind][token]} times")
        log = files["SESSION-STATE.md"]
        faults += [f"{line!r} is lost" for line in self.edits if line not in log]
        faults += [
            f"torn: {line[:60]!r}" for line in log.splitlines() if not re.fullmatch(r"#.*|- .*|", line)
        ]
        for path, text in files.items():
            if text and not text.endswith("\n") and not path.endswith(".json"):
                faults.append(f"{path} ends in the middle of a line")
            if path.endswith((".json", ".jsonl")):
                for line in [text] if path.endswith(".json") else text.splitlines():
                    json.loads(line)
        for folder in (".memtool/tmp", ".memtool/unfinished"):
            faults += [f"left: {path}" for path in (self.root / folder).glob("*")]
        faults += [f"queued: {name}" for name in waiting_events(str(self.root))]
        temporary = re.compile(r"memtool-tmp|\.new$|\.tmp$|\.\d{2,}$")
        faults += [f"left: {path}" for path in self.root.rglob("*") if temporary.search(path.name)]
        doctor = memtool("--root", str(self.root), "doctor", "-q", home=self.home)
        return faults + ([doctor.stdout] if doctor.returncode else [])

    def _history(self, command: Command) -> Iterator[str]:
        """What is known of a command: its line, its last operations, and the workspace's log meanwhile."""
        yield f"    {command}"
        with (self.home / "operations").open() as log:
            operations = [line.rstrip() for line in log if f" {command.process} " in line]
        yield from (f"    {line}" for line in operations[-_SHOWN_OPERATIONS:])
        begun = command.begun.replace(microsecond=0)
        for line in (self.root / ".memtool" / "log").read_text().splitlines():
            if begun <= datetime.fromisoformat(line.partition(" ")[0]) <= command.ended:
                yield f"    {line}"


def main() -> int:
    """Run a storm of $SECONDS seconds from $SEED; returns 1 if something is wrong afterwards."""
    seconds, seed = float(os.environ.get("SECONDS") or 300), int(os.environ.get("SEED") or 1)
    folder = Path(tempfile.mkdtemp(prefix="storm-"))
    storm = Storm(folder, seconds, seed)
    faults = storm.run()
    counts = Counter(storm.acknowledged.values())
    print(f"{len(storm.acknowledged)} writes acknowledged: {dict(counts)}")
    print(f"{storm.killed} killed, {dict(storm.refused)} refused; {len(storm.edits)} lines of others")
    print(f"at most {storm.queued} events queued at a time; {storm.killed_watchers} watchers killed")
    for fault in faults:
        print(fault)
    print(f"{sum(not fault.startswith(' ') for fault in faults)} faults")
    if faults:
        print(f"see {folder}")
    else:
        shutil.rmtree(folder)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
