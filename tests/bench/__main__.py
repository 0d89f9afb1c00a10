"""Start-up, search, freshness, histories and growth, measured and printed as one table: `make bench`.

Start-up is whole processes, as a ratio to `python -c "import click"` in the same rounds, so that a slow or
busy machine slows both alike. The promises beside them are those of the project; a miss is printed as one.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memtool.index.documents.terms import stem
from tests.bench import turns as turns_of
from tests.bench.chats import write_chats
from tests.bench.corpus import kept_by_hand, tree
from tests.bench.first_index import first_index
from tests.bench.linear import measure
from tests.bench.summary import figures
from tests.bench.table import Table
from tests.bench.talk import talk
from tests.trees import clean_environment

ROUNDS = 15
CHANGES = 40
ADDED = 15
TURNS = 100_000
CHAT_TURNS = 5_000


def timed(command: list[str], root: Path, environment: dict[str, str], stdin: bytes = b"") -> float:
    begun = time.perf_counter()
    result = subprocess.run(command, cwd=root, env=environment, input=stdin, capture_output=True, check=False)
    spent = time.perf_counter() - begun
    if result.returncode not in {0, 1}:
        raise SystemExit(f"{command}: {result.stderr.decode()}")
    return spent


def ratios(
    commands: dict[str, list[str]],
    base: list[str],
    root: Path,
    environment: dict[str, str],
    stdin: bytes = b"I prefer tea without sugar",
) -> dict[str, float]:
    """The median over the rounds of each command's time over the base's in the same round."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(ROUNDS + 1):
        unit = timed(base, root, environment)
        for name, command in commands.items():
            spent = timed(command, root, environment, stdin)
            if number:  # the first round warms the disk cache
                found[name].append(spent / unit)
    return {name: statistics.median(values) for name, values in found.items()}


def hooks(words: list[str], asked: str) -> dict[str, bytes]:
    """Prompts as an agent hands them over: two that ask, one that states something, too, and one for nothing.

    `words` are of a document, and `asked` is a question about the chats. None names a session, so each is
    given everything that stands in every prompt.
    """
    asks = f"What about {' '.join(words)}, and when?"
    prompts = {
        "asks": asks,
        "asks and tells": f"{asks} I prefer tea without sugar.",
        "asks about a chat": asked,
        "asks nothing": "Thanks, that looks good",
    }
    record = {"hook_event_name": "UserPromptSubmit"}
    return {name: json.dumps({**record, "prompt": text}).encode() for name, text in prompts.items()}


@contextmanager
def watched(memtool: list[str], root: Path, environment: dict[str, str]) -> Iterator[None]:
    subprocess.run(
        [*memtool, "watch", "--daemon"], cwd=root, env=environment, check=True, capture_output=True
    )
    try:
        yield
    finally:
        subprocess.run(
            [*memtool, "watch", "stop"], cwd=root, env=environment, check=True, capture_output=True
        )


def changes(root: Path) -> dict[str, Callable[[int], None]]:
    """Ways a file changes, each given a number that makes its words its own."""
    notes = root / "memory" / "notes"

    def append(number: int) -> None:
        with (notes / "inbox" / "growing.md").open("a") as file:
            file.write(f"\nappended zebra{number}\n")

    def rename_over(number: int) -> None:
        temporary = notes / "inbox" / ".saved.md~"
        temporary.write_text(f"# Saved\n\nrenamed zebra{number}\n")
        temporary.replace(notes / "inbox" / "saved.md")

    def move_folder(number: int) -> None:
        outside = root / f".elsewhere{number}"
        outside.mkdir()
        (outside / "inside.md").write_text(f"# Moved\n\nmoved zebra{number}\n")
        outside.rename(notes / "zettel" / f"folder{number}")

    def delete(number: int) -> None:
        shutil.rmtree(notes / "zettel" / f"folder{number}")

    return {"printf >>": append, "rename over": rename_over, "move a folder": move_folder, "delete": delete}


def freshness(table: Table, memtool: list[str], root: Path, environment: dict[str, str]) -> None:
    """How long after a change the watcher has indexed it by itself, and what a search at once finds."""
    (root / "memory" / "notes" / "inbox").mkdir(parents=True, exist_ok=True)
    seal = root / ".memtool" / "index" / "seal"
    for name, change in changes(root).items():
        waits: list[float] = []
        for number in range(CHANGES):
            before = seal.stat().st_mtime_ns
            change(number)
            begun = time.perf_counter()
            while seal.stat().st_mtime_ns == before:
                if time.perf_counter() - begun > 5:
                    raise SystemExit(f"{name}: the watcher did not see change {number}")
                time.sleep(0.002)
            waits.append((time.perf_counter() - begun) * 1000)
        table.add(
            f"indexed by the watcher after {name}, p95", statistics.quantiles(waits, n=20)[-1], 250, " ms"
        )
    for mode in ("with", "without"):
        missed = 0
        if mode == "without":
            subprocess.run(
                [*memtool, "watch", "stop"], cwd=root, env=environment, capture_output=True, check=True
            )
        for name, change in changes(root).items():
            for number in range(1000, 1005) if mode == "with" else range(2000, 2005):
                change(number)
                found = subprocess.run(
                    [*memtool, "search", f"zebra{number}", "--path", "*inside*" if name == "delete" else "*"],
                    cwd=root, env=environment, capture_output=True, check=False,
                ).returncode  # fmt: skip
                missed += found != (1 if name == "delete" else 0)
        table.add(f"changes that a search at once did not see, {mode} the watcher", missed, 0)
    subprocess.run(
        [*memtool, "watch", "--daemon"], cwd=root, env=environment, capture_output=True, check=True
    )


def completion(table: Table, memtool: list[str], root: Path, environment: dict[str, str]) -> None:
    """What somebody waits after pressing the tabulator."""
    base = [sys.executable, "-c", "import click"]
    for line, promise in (("memtool sea", 1.6), ("memtool get memory/", 3), ("memtool facts show m", 4)):
        asked = {**environment, "_MEMTOOL_COMPLETE": "bash_complete", "COMP_LINE": line}
        found = ratios({line: memtool}, base, root, asked)[line]
        table.add(f"completion of `{line}`, times import click", found, promise)


def weighed(
    command: list[str], root: Path, environment: dict[str, str], stdin: bytes = b""
) -> tuple[float, float]:
    """Seconds and peak megabytes of one run."""
    meter = (
        "import resource, subprocess, sys;"
        "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode;"
        "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)); sys.exit(code)"
    )
    begun = time.perf_counter()
    result = subprocess.run(
        [sys.executable, "-c", meter, *command],
        cwd=root, env=environment, input=stdin, capture_output=True, check=False,
    )  # fmt: skip
    spent = time.perf_counter() - begun
    if result.returncode not in {0, 1}:
        raise SystemExit(f"{command}: {result.stderr.decode()}")
    return spent, int(result.stderr.split()[-1].rpartition(b"\n")[2]) / 1024


def conversation(table: Table, memtool: list[str], folder: Path, environment: dict[str, str]) -> None:
    """A conversation of 200,000 tokens compacted, and what of its like survives in the summary."""
    said = json.dumps(talk()).encode()
    spent = []
    for number in range(5):
        root = folder / f"talk{number}"
        timed([*memtool, "init", str(root)], folder, environment)
        spent.append(timed([*memtool, "compact"], root, environment, said) * 1000)
    table.add("memtool compact, 200,000 tokens", statistics.median(spent), 1000, " ms")
    shares = figures()
    for way in ("built-in", "first sentences", "random"):
        share = shares["held out", way, 6000]
        table.add(f"what matters that survives in 6,000 characters, {way}", share * 100, None, " %")


def linting(table: Table, memtool: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Memory that is kept by hand, looked over for mistakes: for the first time, again, after one edit."""
    root = folder / "by-hand"
    timed([*memtool, "init", str(root)], folder, environment)
    for path, text in kept_by_hand():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    time.sleep(2.1)  # what changed within two seconds is looked at again, as in life
    spent: dict[str, list[tuple[float, float]]] = {
        "for the first time": [],
        "again": [],
        "after one edit": [],
    }

    def lint(what: str) -> None:
        before = os.times()
        wall = timed([*memtool, "-q", "lint"], root, environment)
        after = os.times()
        busy = after.children_user + after.children_system - before.children_user - before.children_system
        spent[what].append((wall * 1000, busy * 1000))

    for number in range(5):
        shutil.rmtree(root / ".memtool" / "lint", ignore_errors=True)
        lint("for the first time")
        for _ in range(3):
            lint("again")
        (root / "memory" / "notes" / "zettel" / "new.md").write_text(f"[[new]] {number}\n")
        lint("after one edit")
    for what, promise in (("for the first time", 3000), ("again", 500), ("after one edit", None)):
        row = f"memtool lint, 2,000 notes and 5,000 other files, {what}"
        walls, busies = zip(*spent[what], strict=True)
        table.add(row, statistics.median(walls), promise, " ms")
        table.add(f"{row}, of processor time", statistics.median(busies), None, " ms")


def history(table: Table, memtool: list[str], folder: Path, environment: dict[str, str], turns: int) -> None:
    """A history of many turns: upgraded, indexed, searched, added to."""
    root = folder / "history"
    timed([*memtool, "init", str(root)], folder, environment)
    messages = turns_of.write(root, turns)
    time.sleep(2.1)  # what changed within two seconds is looked at again, as in life
    what = f"{turns:,} turns"
    spent, most = weighed([*memtool, "-q", "upgrade-history"], root, environment)
    table.least(f"{what}: upgrade-history with nothing to do", turns / spent, 4_000, " files/s")
    spent, size = weighed([*memtool, "-q", "search", "--role", "turn", "nothinglikeit"], root, environment)
    table.least(
        f"{what}: first index of transcripts, {messages:,} messages", messages / spent, 8_000, " messages/s"
    )
    most = max(most, size)
    words = next(text for _, text in tree()).split()[-3:]
    base = [sys.executable, "-c", "import click"]
    for name, query in (("three words", words), ("a word in a third of all messages", ["deldeltisve"])):
        found = ratios({"search": [*memtool, "search", *query]}, base, root, environment)["search"]
        table.add(f"{what}: search for {name}, cold, times import click", found, 6)
    waits: list[float] = []
    for number in range(ADDED):
        said = json.dumps({"role": "user", "content": f"zebra{number}"}).encode()
        timed([*memtool, "append-turn"], root, environment, said)
        spent, size = weighed([*memtool, "search", f"zebra{number}"], root, environment)
        most = max(most, size)
        waits.append(spent * 1000)
    table.add(f"{what}: one more turn found, by a cold search, median", statistics.median(waits), 250, " ms")
    spent, size = weighed([*memtool, "append-turn"], root, environment, b'{"role": "user", "content": "x"}')
    table.add(f"{what}: append-turn", spent * 1000, None, " ms")
    with watched(memtool, root, environment):
        seal = root / ".memtool" / "transcripts" / "seal"
        waits = []
        for number in range(ADDED):
            before = seal.stat().st_mtime_ns
            timed([*memtool, "append-turn"], root, environment, b'{"role": "user", "content": "more"}')
            begun = time.perf_counter()
            while seal.stat().st_mtime_ns == before:
                if time.perf_counter() - begun > 5:
                    raise SystemExit(f"the watcher did not see turn {number}")
                time.sleep(0.002)
            waits.append((time.perf_counter() - begun) * 1000)
        pid = (root / ".memtool" / "watch.pid").read_text().strip()
        peak = next(line for line in Path(f"/proc/{pid}/status").read_text().split("\n") if "VmHWM" in line)
        most = max(most, int(peak.split()[1]) / 1024)
    table.add(
        f"{what}: indexed by the watcher after append-turn, p95",
        statistics.quantiles(waits, n=20)[-1],
        250,
        " ms",
    )
    table.add(f"{what}: peak memory of all of these", max(most, size), 250, " MB")


def memories(
    table: Table, memtool: list[str], root: Path, base: list[str], environment: dict[str, str]
) -> None:
    """A command of the memory tool in a process of its own, and a thousand in one."""
    view = [*memtool, "memories", "view", "/memories"]
    edit = [*memtool, "memories", "insert", "/memories/log.md", "--insert-line", "0", "--insert-text", "x"]
    timed([*memtool, "memories", "create", "/memories/log.md", "--file-text", ""], root, environment)
    for name, command, promise in (("view", view, 2), ("insert", edit, 2.5)):
        found = ratios({name: command}, base, root, environment)[name]
        table.add(f"memtool memories {name}, times import click", found, promise)
    path = "/memories/log.md"
    asked = {
        "views": [{"command": "view", "path": path}],
        "inserts": [{"command": "insert", "path": path, "insert_line": 0, "insert_text": "a line"}],
        "creates and deletes": [
            {"command": "create", "path": "/memories/new.md", "file_text": "x\n"},
            {"command": "delete", "path": "/memories/new.md"},
        ],
    }
    for name, commands in asked.items():
        lines = "\n".join(json.dumps(commands[number % len(commands)]) for number in range(1000)).encode()
        spent = timed([*memtool, "memories", "--jsonl", "--json"], root, environment, lines)
        table.add(f"memtool memories --jsonl, 1,000 {name}", spent * 1000, None, " ms")


def stems(table: Table) -> None:
    """What stays in memory of words that come once: a watcher meets ever new ones."""
    tracemalloc.start()
    for number in range(400_000):
        stem(f"word{number}")
    table.add(
        "memory held after 400,000 different words", tracemalloc.get_traced_memory()[0] / 1e6, 25, " MB"
    )
    tracemalloc.stop()


def main() -> None:
    from tests.bench.editor import editing  # its notes are timed by this module

    script = Path(sys.executable).with_name("memtool")
    memtool = [str(script)] if script.exists() else [sys.executable, "-m", "memtool"]
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        environment = clean_environment(Path(folder))
        timed([*memtool, "init", str(root)], Path(folder), environment)
        for path, text in tree():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        begun = time.perf_counter()
        timed([*memtool, "reindex"], root, environment)
        built = time.perf_counter() - begun
        table.add("first index of 10,000 chunks in 1,500 files", built * 1000, None, " ms")
        base = [sys.executable, "-c", "import click"]
        words = next(text for _, text in tree()).split()[-3:]
        # files indexed within two seconds of their change are read again, as they would be in life
        time.sleep(2.1)
        timed([*memtool, "search", *words], root, environment)
        for name, command, promise in (
            ("memtool search, cold, 10,000 chunks", [*memtool, "search", *words], 4.5),
            ("memtool --help", [*memtool, "--help"], 1.2),
            ("memtool scan, one message", [*memtool, "scan"], 1.7),
        ):
            found = ratios({name: command}, base, root, environment)
            table.add(f"{name}, times import click", found[name], promise)
        memories(table, memtool, root, base, environment)
        completion(table, memtool, root, environment)
        asked = write_chats(root, CHAT_TURNS)[CHAT_TURNS // 50]
        time.sleep(2.1)
        begun = time.perf_counter()
        timed([*memtool, "search", "--role", "turn", *words], root, environment)
        table.add(f"first index of {CHAT_TURNS:,} turns", (time.perf_counter() - begun) * 1000, None, " ms")
        for what, prompt in (("a note", f"What about {' '.join(words)}, and when?"), ("a chat", asked)):
            command = {"context": [*memtool, "context", "--prompt", prompt]}
            found = ratios(command, base, root, environment)
            table.add(f"memtool context about {what}, cold, times import click", found["context"], 5)
        hook = {"hook": [*memtool, "hook"]}
        for what, record in hooks(words, asked).items():
            found = ratios(hook, base, root, environment, record)
            table.add(f"memtool hook, a prompt that {what}, cold, times import click", found["hook"], 5)
        with watched(memtool, root, environment):
            for what, record in hooks(words, asked).items():
                found = ratios(hook, base, root, environment, record)
                table.add(f"memtool hook, a prompt that {what}, by the watcher", found["hook"], 1.5)
            answered = {"watched": [*memtool, "search", *words]}
            ratio = ratios(answered, base, root, environment)["watched"]
            table.add("memtool search, answered by the watcher, times import click", ratio, 1.6)
            freshness(table, memtool, root, environment)
        for files in (1_000, 10_000):
            first_index(table, memtool, Path(folder), environment, files)
        linting(table, memtool, Path(folder), environment)
        editing(table, Path(folder) / "editor")
        conversation(table, memtool, Path(folder), environment)
        history(table, memtool, Path(folder), environment, TURNS)
    measure(table)
    stems(table)
    sys.stdout.write(f"{os.uname().sysname} {os.uname().machine}, {os.cpu_count()} processors, Python ")
    sys.stdout.write(f"{sys.version.split()[0]}, medians of {ROUNDS} rounds\n\n")
    table.show()


if __name__ == "__main__":
    main()
