"""Ten machines edit a tree for a week without each other, then merge in random order and grouping.

Prints what was edited and compared. Fails if the results of two orders differ in a byte, or if a record is
lost, doubled or, although a machine deleted it, there. Turns, of which all machines use the same numbers, are
also numbered again, as by `memtool merge --finish`, in a temporary tree.
`make merge-storm MACHINES=10 EDITS=100000 ORDERS=3 SEED=1`
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memtool.core.records.turn import Message, TextPart, Turn, format_moment, turn_id
from memtool.formats import turn as turn_format
from memtool.formats.three_way import merge_file
from memtool.verbs.merging.finish import finish_merges
from tests.trees import contents, make, opened

WEEK = 7 * 24 * 3600
START = datetime(2026, 1, 5, tzinfo=UTC)
BASE_RECORDS = 200

ROLES = ("semantic", "rules", "long-term", "session-state", "daily-note", "audit", "pending")
FORMATS = {"audit": "json", "pending": "candidates"}
HEADS = {
    "semantic": ["# Facts", ""],
    "rules": ["# Rules", ""],
    "long-term": ["# Memory", "", "Some words.", "", "## Auto-captured", ""],
    "session-state": ["# SESSION-STATE.md — Active Working Memory", ""],
    "daily-note": ["# Daily Notes — 2026-01-05", ""],
}


def record(role: str, name: str, second: int) -> str:
    """The text of a record with a name that no other record has."""
    at = START + timedelta(seconds=second)
    match role:
        case "semantic":
            return f"- [context] Statement {name} ^m-{name}"
        case "rules":
            return f"- [{at:%Y-%m-%dT%H:%M:%SZ}] Rule {name} ^r-{name}"
        case "long-term":
            return f"- **context**: Statement {name}"
        case "session-state":
            return f"- [{at.isoformat()}] **decision**: Statement {name}"
        case "daily-note":
            return f"## [{at:%H:%M:%S}]\n**User:** Question {name}\n**Agent:** Reply\n"
        case _:
            return f'{{"id": "{name}", "at": "{at.isoformat()}"}}'


def text_of(role: str, records: list[str]) -> str:
    return "".join(f"{line}\n" for line in (*HEADS.get(role, ()), *records))


def names_in(text: str) -> Counter[str]:
    words = text.replace('"', " ").replace(",", " ").split()
    return Counter(word for word in words if word.startswith(("base-", "machine-")))


def turns_of_machine(machine: int, count: int, chance: random.Random) -> dict[str, str]:
    """The turn files of one machine, numbered from 1."""
    files = {}
    for number, second in enumerate(sorted(chance.choices(range(WEEK), k=count)), 1):
        at = START + timedelta(seconds=second, milliseconds=chance.randrange(1000))
        said = (Message("user", (TextPart(f"machine-{machine}-{number}"),)),)
        turn = Turn(turn_id(number), number, format_moment(at), said)
        files[f"memory/history/turns/{at:%Y/%m/%d}/{number:020}.json"] = turn_format.render(turn)
    return files


def storm_of_turns(count: int, edits: int, orders: int, chance: random.Random) -> tuple[int, int, int]:
    """The numbers of turns, merges and faults."""
    versions = [turns_of_machine(machine, edits // count, chance) for machine in range(count)]
    expected = {text for version in versions for path in version for text in names_in(version[path])}
    trees, merges, faults = [], 0, 0
    for _ in range(orders):
        waiting = [*versions]
        while len(waiting) > 1:
            chance.shuffle(waiting)
            ours, theirs = waiting.pop(), waiting.pop()
            both = {
                path: merge_file("turn", "turn", path, "", ours[path], theirs[path]) or ""
                for path in ours.keys() & theirs.keys()
            }
            waiting.append(ours | theirs | both)
            merges += len(both)
        with tempfile.TemporaryDirectory() as folder:
            root = make(Path(folder), {"memtool.toml": 'layout = "native"\n', **waiting[0]})
            finish_merges(opened(root))
            trees.append(contents(root))
    found = names_in(" ".join(text.decode() for text in trees[0].values()))
    numbers = sorted(int(Path(path).stem) for path in trees[0] if "/turns/" in path)
    faults += len(expected ^ found.keys()) + sum(times > 1 for times in found.values())
    faults += sum(tree != trees[0] for tree in trees) + (numbers != [*range(1, len(numbers) + 1)])
    print(f"turns: {len(numbers)} turns; {faults} faults")
    return len(numbers), merges, faults


def main() -> int:
    count, edits, orders, seed = (
        int(os.environ.get(name) or default)
        for name, default in (("MACHINES", 10), ("EDITS", 100_000), ("ORDERS", 3), ("SEED", 1))
    )
    chance = random.Random(seed)
    faults = records = merges = 0
    for role in ROLES:
        base = {f"base-{n}": record(role, f"base-{n}", 0) for n in range(BASE_RECORDS)}
        expected, versions = {*base}, []
        for machine in range(count):
            own, deleted = dict(base), set[str]()
            for n in range(edits // count // (len(ROLES) + 1)):
                if n % 50 == 0 and len(deleted) < 10:
                    deleted.add(chance.choice(sorted(base)))
                if n % 50 == 1 and role == "semantic":
                    old = chance.choice(sorted(base))
                    own[old] = (
                        f"{record(role, old, 0).removesuffix(f' ^m-{old}')} [superseded: 2026-01-06] ^m-{old}"
                    )
                name = f"machine-{machine}-{n}"
                own[name] = record(role, name, chance.randrange(WEEK))
            own = {name: text for name, text in own.items() if name not in deleted}
            expected = (expected - deleted) | (own.keys() - base.keys())
            versions.append(text_of(role, [*own.values()]))
        base_text, results = text_of(role, [*base.values()]), set[str]()
        for _ in range(orders):
            waiting = [*versions]
            while len(waiting) > 1:
                chance.shuffle(waiting)
                ours, theirs = waiting.pop(), waiting.pop()
                name = f"{role}.jsonl"
                merged = merge_file(role, FORMATS.get(role, role), name, base_text, ours, theirs)
                waiting.append(merged or "")
                merges += 1
            results.add(waiting[0])
        found = names_in(next(iter(results)).replace("^m-", "").replace("^r-", ""))
        times = 2 if role in {"semantic", "rules"} else 1  # these name a record in its text and its id
        lost, back = expected - found.keys(), found.keys() - expected
        doubled = [name for name, number in found.items() if number != times]
        markers = sum(
            line.startswith(("<<<<<<<", "=======", ">>>>>>>"))
            for text in results
            for line in text.split("\n")
        )
        different = len(results) - 1
        records += len(found)
        faults += len(lost) + len(back) + len(doubled) + markers + different
        print(
            f"{role}: {len(found)} records; {different} other results, {len(lost)} lost, {len(back)} back,"
            f" {len(doubled)} doubled, {markers} markers"
        )
    turns, turn_merges, turn_faults = storm_of_turns(count, edits // (len(ROLES) + 1), orders, chance)
    records, merges, faults = records + turns, merges + turn_merges, faults + turn_faults
    print(
        f"seed {seed}: {count} machines, {edits} edits, {merges} merges in {orders} orders, {records} records"
    )
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
