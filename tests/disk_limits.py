"""Real limits of the disk on every command that writes: full, read-only, short of descriptors (`make crash`).

Each command runs in its own process on a copy of the sample workspace: with RLIMIT_FSIZE, with RLIMIT_NOFILE,
on a small tmpfs with some kilobytes left, and with a folder or the tree mounted read-only (the last two where
mounting is permitted). Its exit code must agree with the disk: 0 means all was written, 20 a part, any other
code nothing; and once there is room, the command run again gives what it gives without a limit, or after a
part exits with 1, if nothing of what it was to find is left.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.commands import old_turns, sample, untidy, with_digest_key
from tests.hooks import claude_log, event, prompt
from tests.trees import NOW, SAMPLE, clean_environment, contents

LONG = "word " * 300
TALK = json.dumps(
    [
        {"role": role, "content": f"{text} {number}. " + "I prefer celadon on porcelain. " * 9}
        for number in range(12)
        for role, text in (("user", "I like glaze"), ("assistant", "Noted, glaze"))
    ]
)
CANDIDATE = json.dumps(
    {
        "lane": "semantic",
        "category": "trigger",
        "subject": "User",
        "predicate": "WORRIES_ABOUT",
        "object": "Event:fire",
        "evidence_quote": "I fear the fire",
        "turn": 0,
    }
)
COMMANDS: dict[str, tuple[Sequence[str], str]] = {
    "scan": (["scan", "-m", f"Remember that the ox is red. I prefer {LONG}"], ""),
    "append-daily": (["append-daily", "--full", "--user-text", LONG, "--agent-text", "so"], ""),
    "append-turn": (["append-turn"], json.dumps({"role": "user", "content": LONG})),
    "save": (["save", f"The kiln is {LONG}"], ""),
    "recall": (["recall", "which glaze"], ""),
    "learn": (["learn", "correction", LONG], ""),
    "feedback": (["feedback", "add", "up", "--note", LONG], ""),
    "rules add": (["rules", "add", "Keep answers short and plain"], ""),
    "note new": (["note", "new", "Ash glaze", "--body", LONG], ""),
    "note mv": (["note", "mv", "celadon", "--title", "Celadon two"], ""),
    "memories": (["memories", "create", "/memories/todo.md", "--file-text", LONG], ""),
    "memories --jsonl": (
        ["memories", "--jsonl"],
        "".join(
            json.dumps({"command": "create", "path": f"/memories/{number}.md", "file_text": LONG * number})
            + "\n"
            for number in range(4)
        ),
    ),
    "buffer": (
        ["buffer", "--user-text", LONG, "--agent-text", "so", "--used", "900", "--window", "1000"],
        "",
    ),
    "compact": (["compact", "--force", "--window", "400"], TALK),
    "candidates add": (["--user", "ann", "--session", "s5", "candidates", "add"], CANDIDATE),
    "session turn": (["--user", "ann", "--session", "s5", "session", "turn"], TALK),
    "session-end": (["--user", "ann", "--session", "s5", "session-end", "--transcript", "-"], TALK),
    "import": (["import", "claude-code", "{log}"], ""),
    "upgrade-history": (["upgrade-history"], ""),
    "migrate": (["migrate", "--to", "q15"], ""),
    "lint --fix": (["lint", "--fix"], ""),
    "decay": (["decay"], ""),
    "maintain": (["maintain", "--idle", "0s"], ""),
    "forget": (["forget", "--match", "celadon", "--yes"], ""),
    "facts edit": (["facts", "edit", "{fact}", "We have two kilns"], ""),
    "facts forget": (["facts", "forget", "{fact}", "--purge"], ""),
    "undo": (["undo"], ""),
    "reindex": (["reindex"], ""),
    "init": (["init", "{root}/new"], ""),
    "hook prompt": (["hook", "--agent", "claude-code"], json.dumps(prompt(f"I prefer {LONG}"))),
    "hook stop": (["hook", "--agent", "claude-code"], "{stop}"),
}
HOOKS = {"hook prompt", "hook stop"}
"""Commands that an agent waits for, which exit with 0; what they could not do is in a log, if that can be."""
ANSWERING = {"recall", *HOOKS}
"""Commands that answer and exit with 0 although they could not write, and say so."""
NOT_REPEATED = {"undo", "memories --jsonl"}
"""Commands that do another thing when they are run again."""
FILE_SIZES = (0, 64, 300, 1500, 6000, 30_000)
DESCRIPTORS = (4, 5, 6, 7, 8, 10, 12, 16, 24)
KILOBYTES = (0, 4, 8, 16, 32)
READ_ONLY = ("", "memory", ".memtool")
_WRITE_CODES = {0, 19, 20}
_READ_CODES = {0, 3, 11, 13, 14, 19, 20}
"""Without descriptors a file may be unreadable, too."""


def with_old_turns(root: Path) -> None:
    """The sample with turns of earlier versions."""
    sample(root)
    shutil.rmtree(root / "memory/history")
    old_turns(root)


PREPARED = {"lint --fix": untidy, "upgrade-history": with_old_turns, "forget": with_digest_key}
"""How the tree is prepared for a command; the others get the sample."""


class LimitLaw:
    """The agreement of exit code and disk for one command."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.home = folder / "home"
        self.home.mkdir(exist_ok=True)
        arguments, text = COMMANDS[name]
        log = claude_log(folder / "log.jsonl", [(f"question {LONG}", "answer")] * 3, "s-log")
        stop = event("Stop", session_id="s-log", transcript_path=str(log))
        fact = re.findall(r"\^(m-\w+)", (SAMPLE / "memory/semantic/facts.md").read_text())[0]
        slots = {"{log}": str(log), "{fact}": fact}
        self._arguments = [slots.get(argument, argument) for argument in arguments]
        self._text = text.replace("{stop}", json.dumps(stop))
        self.prepared = folder / "prepared"
        PREPARED.get(name, sample)(self.prepared)
        self._run(self.prepared, ["--layout", "native", "save", "The wheel turns"], "")
        self.before = contents(self.prepared)
        whole = folder / "whole"
        shutil.copytree(self.prepared, whole)
        code, said = self.run(whole)
        assert code == 0, (name, code, said)
        self.expected = contents(whole)
        assert self.expected != self.before or name == "reindex"
        shutil.rmtree(whole)

    def run(self, root: Path, limit: Callable[[], None] = lambda: None) -> tuple[int, str]:
        """Run the command on a tree in a new process; its exit code, and what it printed."""
        return self._run(
            root, [part.replace("{root}", str(root)) for part in self._arguments], self._text, limit
        )

    def _run(
        self, root: Path, arguments: Sequence[str], text: str, limit: Callable[[], None] = lambda: None
    ) -> tuple[int, str]:
        environment = clean_environment(self.home, MEMTOOL_NOW=NOW.isoformat(), MEMTOOL_ROOT=str(root))
        return run_forked(arguments, text, environment, limit)

    def check(self, kind: str, amount: object) -> tuple[int, str]:
        """Run the command under a limit; its exit code, and what violates the law, "" for nothing."""
        root = self.folder / "limited"
        with _tree(self.prepared, root, kind, amount) as limit:
            code, said = self.run(root, limit)
            left = contents(root)
        violation = self._violation(code, said, left, _READ_CODES if kind == "nofile" else _WRITE_CODES)
        if not violation and code and self.name not in NOT_REPEATED:
            again, said = self.run(root)
            after = contents(root)
            if again not in ({0, 1} if code == 20 else {0}) or after.keys() != self.expected.keys():
                violation = f"run again: {again}, {sorted(after.keys() ^ self.expected.keys())} {said}"
        shutil.rmtree(root)
        return code, violation

    def _violation(self, code: int, said: str, left: Mapping[str, bytes], allowed: set[int]) -> str:
        changed = sorted(
            path for path in left.keys() | self.before.keys() if left.get(path) != self.before.get(path)
        )
        if self.name in ANSWERING:
            is_silent = left != self.expected and not said.strip() and self.name not in HOOKS
            is_allowed = code == 0 or code in allowed - _WRITE_CODES
            return f"nothing said, {changed}" if is_silent else "" if is_allowed else f"exit {code}: {said}"
        if code not in allowed:
            return f"exit {code}: {said}"
        if code == 0 and left != self.expected:
            missing = [path for path in self.expected if left.get(path) != self.expected[path]]
            return f"exit 0, and not all was written: {missing}"
        if code not in {0, 20} and changed:
            return f"exit {code}, and something was written: {changed}"
        return ""


def run_forked(
    arguments: Sequence[str], text: str, environment: Mapping[str, str], limit: Callable[[], None]
) -> tuple[int, str]:
    """Run the command line in a child of this process, which has its modules; exit code and output."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told:
        given.write(text.encode())
        given.seek(0)
        child = os.fork()
        if child == 0:
            _become(arguments, given.fileno(), told.fileno(), environment, limit)
        _, status = os.waitpid(child, 0)
        told.seek(0)
        return os.waitstatus_to_exitcode(status), told.read().decode("utf-8", "replace")


def _become(
    arguments: Sequence[str], given: int, told: int, environment: Mapping[str, str], limit: Callable[[], None]
) -> None:
    code = 99
    try:
        reading, writing = os.pipe()
        if os.fork() == 0:  # what is said goes through a pipe, which has no limit
            os.close(writing)
            while part := os.read(reading, 65_536):
                os.write(told, part)
            os._exit(0)
        for source, target in ((given, 0), (writing, 1), (writing, 2)):
            os.dup2(source, target)
        os.closerange(3, 256)
        os.environ.clear()
        os.environ.update(environment)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        from memtool.cli.main import run

        limit()
        code = run(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException as error:
        os.write(2, repr(error).encode())
    finally:
        os._exit(code)


@contextlib.contextmanager
def _tree(prepared: Path, root: Path, kind: str, amount: object) -> Iterator[Callable[[], None]]:
    """A copy of a tree at `root` under a limit; what the command's process must call."""
    if kind == "tmpfs":
        size = sum(-(-path.stat().st_size // 4096) * 4096 for path in prepared.rglob("*") if path.is_file())
        mounted = root.with_name("mounted")
        root.mkdir()
        with _mount("-t", "tmpfs", "-o", f"size={size // 1024 + 4 * int(str(amount))}k", "tmpfs", str(root)):
            shutil.copytree(prepared, root, dirs_exist_ok=True)
            yield lambda: None
            shutil.copytree(root, mounted)
        shutil.copytree(mounted, root, dirs_exist_ok=True)
        shutil.rmtree(mounted)
        return
    shutil.copytree(prepared, root)
    if kind == "read-only":
        folder = root / str(amount)
        with _mount("--bind", str(folder), str(folder)):
            subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True, capture_output=True)
            yield lambda: None
        return
    name = resource.RLIMIT_FSIZE if kind == "fsize" else resource.RLIMIT_NOFILE

    def limit() -> None:
        sys.dont_write_bytecode = True  # Python would leave a module of this checkout compiled in part
        resource.setrlimit(name, (int(str(amount)),) * 2)

    yield limit


@contextlib.contextmanager
def _mount(*arguments: str) -> Iterator[None]:
    """Mount something. Raises PermissionError where that is not permitted."""
    if subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode:
        raise PermissionError(errno.EPERM, "mounting is not permitted here")
    try:
        yield
    finally:
        subprocess.run(["umount", arguments[-1]], check=True)


CASES: list[tuple[str, object]] = [
    *(("fsize", size) for size in FILE_SIZES),
    *(("nofile", count) for count in DESCRIPTORS),
    *(("tmpfs", free) for free in KILOBYTES),
    *(("read-only", folder) for folder in READ_ONLY),
]


def main(names: Sequence[str]) -> int:
    """Print a table of exit codes, a command a line; returns 1 where a code and the disk disagree."""
    violations: list[str] = []
    skipped = Counter[str]()
    runs = 0
    for name in names or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            law = LimitLaw(name, Path(folder))
            rows: dict[str, list[str]] = {}
            for kind, amount in CASES:
                try:
                    code, violation = law.check(kind, amount)
                except PermissionError:
                    skipped[kind] += 1
                    continue
                runs += 1
                rows.setdefault(kind, []).append(f"{code}{'!' * bool(violation)}")
                if violation:
                    violations.append(f"{name}, {kind} {amount}: {violation.strip()}")
        cells = "  ".join(f"{kind}: {' '.join(codes)}" for kind, codes in rows.items())
        print(f"{name:<17}{cells}", flush=True)
    for violation in violations:
        print(violation)
    print(f"{runs:6}  runs under limits of the disk, {len(violations)} violations")
    for kind, count in skipped.items():
        print(f"{count:6}  runs of {kind} not made: mounting is not permitted here")
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
