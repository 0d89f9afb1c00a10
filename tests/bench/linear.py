"""Work that takes time in proportion to its input: `python -m tests.bench.linear [WORD]...`.

Each piece of work is done on an input and on one four times as large. The figure is the processor time of the
larger over that of the smaller: about 4 where time grows as the input, 16 where it grows by the square. For
what reads text, the figure is the worst of all the odd texts. Words choose the rows whose names hold them.
The exit code is 1 if a promise is missed.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from memtool.core.facts.duplicates import DuplicateIndex
from memtool.core.facts.policy import build_policy
from memtool.core.facts.promotion import HeldCandidate, SessionEvidence, promote
from memtool.core.facts.reconcile import ActiveFacts
from memtool.core.history.file_effects import net_effects
from memtool.core.history.journal import Appended
from memtool.core.lint.codes.all_codes import CODES_BY_NAME
from memtool.core.records.candidate import Candidate, Claim, Instruction, candidate_id
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.turn import Message, TextPart
from memtool.core.secrets.redact import redact
from memtool.core.text.diff import unified_diff
from memtool.errors import MemtoolError
from memtool.layouts.load import load_layout
from memtool.layouts.policy import policy_tables
from memtool.transcripts.json_stream import parse_values
from memtool.verbs.facts.candidates import add_proposals
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from memtool.verbs.sessions.session_end import session_end
from tests.bench.odd_texts import PIECES, READERS, texts
from tests.bench.table import Table
from tests.trees import NOW, make, opened

LARGER = 4
PROMISE = 8.0
"""Between proportional (4) and square (16)."""
SURE = 5.0
"""A ratio over this is measured again, up to `ROUNDS` times: a busy machine makes ratios greater."""
FLOOR = 0.02
"""Seconds of the larger input below which time is not compared: it is too short to be measured."""
ROUNDS = 5
CHARACTERS = 4_000

Task = Callable[[], object]
Prepare = Callable[[int], Task]


@dataclass(frozen=True, slots=True)
class Work:
    """Work by the size of its smaller input, prepared outside of the measured time."""

    name: str
    size: int
    prepare: Prepare


def seconds(task: Task) -> float:
    """The processor time of a task; a refusal of what it is given counts as done."""
    begun = time.process_time()
    with contextlib.suppress(MemtoolError, ValueError):
        task()
    return time.process_time() - begun


def growth(work: Work) -> tuple[float, float]:
    """The seconds for the larger input, and their ratio to those for the smaller.

    The ratio is 0 where the seconds are too few to be compared.
    """
    larger = seconds(work.prepare(work.size * LARGER))
    if larger < FLOOR:
        return larger, 0.0
    smaller = seconds(work.prepare(work.size))
    for _ in range(ROUNDS):
        if larger / smaller <= SURE:
            break
        smaller = max(smaller, seconds(work.prepare(work.size)))
        larger = min(larger, seconds(work.prepare(work.size * LARGER)))
    return larger, larger / smaller


def reading(reader: str) -> Iterator[Work]:
    """Each odd text, read by one reader."""
    read = READERS[reader]
    for piece in PIECES:
        for number, _ in enumerate(texts(reader, piece, 100)):

            def prepare(size: int, piece: str = piece, number: int = number) -> Task:
                text = [*texts(reader, piece, size)][number]
                return lambda: read(text)

            yield Work(repr(piece), CHARACTERS, prepare)


POLICY = build_policy(policy_tables())
ANN = Owner("user", "ann")
DAY = date(2025, 1, 15)


def _candidate(number: int, name: str, quote: str) -> Candidate:
    claim = Claim("relationship", "User", "KNOWS", name)
    return Candidate(candidate_id(ANN, "s1", number, claim, (quote,)), ANN, "s1", claim, (quote,), number)


def _claim(number: int) -> Candidate:
    return _candidate(number, f"thing{number}", f"subject{number} is hard")


def _rule(number: int) -> Candidate:
    rule, quote = f"Mention subject{number} and matter{number}", f"on subject{number} and matter{number}"
    instruction = Instruction(rule)
    return Candidate(
        candidate_id(ANN, "s1", number, instruction, (quote,)), ANN, "s1", instruction, (quote,), number
    )


def _reconciled(size: int) -> Task:
    memory = ActiveFacts([], POLICY.phrases)
    known = [_candidate(n, f"Person:P{n}", f"P{n} is a friend of mine") for n in range(size)]
    for number, candidate in enumerate(known):
        memory.add(candidate, candidate.statement, f"m-{number}", DAY)
    new = [_candidate(n, f"Person:P{n * 2}", f"actually P{n} moved to town {n}") for n in range(size)]
    return lambda: [memory.add(one, one.statement, f"n-{number}", DAY) for number, one in enumerate(new)]


def _alike(name: str) -> Prepare:
    def prepare(size: int) -> Task:
        memory = ActiveFacts([], POLICY.phrases)
        names = [name.format(number % (size * 4 // 5)) for number in range(size)]
        new = [_candidate(n, name, f"actually {n} is our {name}") for n, name in enumerate(names)]
        return lambda: [memory.add(one, one.statement, f"m-{number}", DAY) for number, one in enumerate(new)]

    return prepare


def _promoted(size: int) -> Task:
    holds = [HeldCandidate(_claim(n) if n % 2 else _rule(n), "commit_at_session_end") for n in range(size)]
    turns = tuple((n, f"turn {n} was about subject{n} and matter{n * 7}") for n in range(500))
    return lambda: promote(holds, SessionEvidence("s1", turns))


def _diffed(change: Callable[[int], str]) -> Prepare:
    def prepare(size: int) -> Task:
        before = [f"line {number}\r" if number % 2 else f"line {number}" for number in range(size)]
        after = [change(number) for number in range(size)]
        return lambda: [*unified_diff(before, after, "a", "b")]

    return prepare


def _remembered(size: int) -> Task:
    lines = [
        Fact("preference", f"I prefer option {n} of the long list, for reason {n * 7}") for n in range(size)
    ]
    new = [Fact("preference", f"I prefer dark mode in editor {n} that I use") for n in range(size)]

    def ask() -> None:
        said = DuplicateIndex(lines)
        for fact in new:
            said.contains(fact)

    return ask


def _touched(size: int) -> Task:
    steps = [Appended("a", 0, 2, "x", 1)] * size
    return lambda: net_effects(steps)


def _looked_up(size: int) -> Task:
    layout = load_layout("native")
    paths = [f"memory/history/turns/2025/01/15/{number:020d}.json" for number in range(size)]
    return lambda: [layout.locate(path) for path in paths]


def _mentioned(size: int) -> Task:
    """A text that mentions a key now and then, which is no secret."""
    plain = "The kiln is free on Thursdays; on Wednesdays the evening class fires. " * 30
    text = f"{plain}Where is the key? " * size
    return lambda: redact(text)


def _streamed(size: int) -> Task:
    """An array with one long element, in blocks that are short."""
    text = json.dumps([{"text": "long " * size}, 1]).encode()
    blocks = [text[at : at + 64] for at in range(0, len(text), 64)]
    return lambda: [*parse_values(blocks)]


@contextlib.contextmanager
def _trees() -> Iterator[Callable[[dict[str, str]], Path]]:
    """Makes native workspaces of files, each in a folder of its own, that last as long as the context."""
    with tempfile.TemporaryDirectory() as folder:
        count = 0

        def tree(files: dict[str, str]) -> Path:
            nonlocal count
            count += 1
            return make(Path(folder) / str(count), {"memtool.toml": 'layout = "native"\n', **files})

        yield tree


Tree = Callable[[dict[str, str]], Path]


def _relationship(name: str, quote: str, number: int) -> dict[str, Any]:
    says = {"category": "relationship", "subject": "User", "predicate": "KNOWS", "object": name}
    return {"lane": "semantic", **says, "evidence_quote": quote, "turn": number}


def _proposed(tree: Tree) -> Prepare:
    def prepare(size: int) -> Task:
        lines = [
            f'- [relationship] [user:ann] User KNOWS Person:P{n} — "P{n} is here" ^m-{n}' for n in range(size)
        ]
        root = tree({"memory/semantic/facts.md": "# Facts\n\n" + "\n".join(lines) + "\n"})
        records = [_relationship(f"Person:P{n * 2}", f"actually P{n} came", 0) for n in range(size)]
        workspace = opened(root)
        by = load_policy(workspace.settings)
        return lambda: add_proposals(workspace, records, by, ANN, "s1", NOW)

    return prepare


def _ended(tree: Tree) -> Prepare:
    def prepare(size: int) -> Task:
        workspace = opened(tree({}))
        by = load_policy(workspace.settings)
        says = {"category": "trigger", "subject": "User", "predicate": "WORRIES_ABOUT"}
        holds = [
            {
                "lane": "semantic",
                **says,
                "object": f"thing {n}",
                "evidence_quote": f"I fear thing {n}",
                "turn": n,
            }
            for n in range(size)
        ]
        add_proposals(workspace, holds, by, ANN, "s1", NOW)
        messages = [Message("user", (TextPart(f"we talked about another matter {n}"),)) for n in range(1000)]
        return lambda: session_end(
            workspace, messages, by, owner=ANN, session="s1", now=NOW, today=NOW.date()
        )

    return prepare


def _linted(tree: Tree) -> Prepare:
    def prepare(size: int) -> Task:
        text = "".join(f"# Part {n}\n[[#Part {n}]] [[#No {n}]]\n" for n in range(size))
        workspace = opened(tree({"memory/notes/inbox/a.md": text}))
        return lambda: lint(workspace, LintRequest(codes=frozenset(CODES_BY_NAME) - {"M503", "M504"}))

    return prepare


def works(tree: Tree) -> Iterator[Work]:
    """Work on records, files and graphs."""
    yield Work("new facts reconciled with as many", 2_500, _reconciled)
    for name in ("Person:P{} Smith", "w{} project", "Event:the {} weekly planning project"):
        yield Work(f"facts reconciled whose names are like {name!r}", 1_250, _alike(name))
    yield Work("held candidates settled by 500 turns", 750, _promoted)
    yield Work("facts compared with as many lines of memory", 2_500, _remembered)
    yield Work("lines compared with others", 10_000, _diffed(lambda number: f"other {number}"))
    yield Work("lines compared without their line ends", 10_000, _diffed(lambda number: f"line {number}"))
    yield Work("changes of one file summed up", 25_000, _touched)
    yield Work("paths looked up in a layout", 25_000, _looked_up)
    yield Work("a text that mentions keys redacted", 25, _mentioned)
    yield Work("a long element of a stream of JSON", 20_000, _streamed)
    yield Work("candidates proposed to as many facts of a file", 2_500, _proposed(tree))
    yield Work("held candidates that no turn supports, at the end of a session", 375, _ended(tree))
    yield Work("headings linked to in one note, checked", 1_000, _linted(tree))


def measure(table: Table, words: tuple[str, ...] = ()) -> None:
    """Add a row for each piece of work whose name holds one of the words; for all if there are none."""

    def is_asked(name: str) -> bool:
        return not words or any(word in name for word in words)

    for reader in READERS:
        if is_asked(f"reading: {reader}"):
            measured = [(*growth(work)[::-1], work.name) for work in reading(reader)]
            ratio, _, worst = max(measured)
            _, longest, slowest = max(measured, key=lambda row: row[1])
            compared = f"worst for {worst}" if ratio else "too quick to compare"
            what = f"{LARGER * CHARACTERS:,} characters of {slowest} in {longest * 1000:.0f} ms"
            table.add(f"growth of reading: {reader}, {compared} ({what})", ratio, PROMISE)
    with _trees() as tree:
        for work in works(tree):
            if is_asked(work.name):
                larger, ratio = growth(work)
                what = f"{LARGER * work.size:,} in {larger * 1000:.0f} ms"
                table.add(f"growth of {work.name} ({what})", ratio, PROMISE)


def main(words: tuple[str, ...]) -> int:
    table = Table()
    measure(table, words)
    table.show()
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
