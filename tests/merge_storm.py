"""Ten machines edit a tree for a week without each other, then merge in random order and grouping.

Prints what was edited and compared. Fails if the results of two orders differ in a byte, or if a record is
lost, doubled or, although a machine deleted it, there.
`make merge-storm MACHINES=10 EDITS=100000 ORDERS=3 SEED=1`
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta

from memtool.formats.three_way import merge_file

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
            for n in range(edits // count // len(ROLES)):
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
    print(
        f"seed {seed}: {count} machines, {edits} edits, {merges} merges in {orders} orders, {records} records"
    )
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
