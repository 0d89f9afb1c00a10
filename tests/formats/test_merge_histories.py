"""Histories of several machines: edits, and merges in any order, with the bases that git would choose."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.three_way import merge_file

RECORDS = {
    "semantic": "- [place] Statement {0} é 粘土 ^m-{0}",
    "rules": "- [2026-01-{1:02}T10:00:00Z] Rule {0} ^r-{0}",
    "long-term": "- **place**: Statement {0} Чайник",
    "learnings": "- [2026-01-{1:02}T10:00:00Z] Learnt {0}",
    "session-state": "- [2026-01-{1:02}T10:00:00+00:00] **decision**: Statement {0}",
    "daily-note": "## [{1:02}:00:00]\n**User:** Question {0}\n\n```\n# code\n```\n",
    "feedback": '{{"at": "2026-01-{1:02}T10:00:00Z", "id": "{0}"}}',
    "pending": '{{"at": "2026-01-{1:02}T10:00:00Z", "id": "{0}"}}',
}
SORTED = {"session-state", "daily-note", "feedback", "pending"}
HEADED = {"semantic", "long-term", "learnings"}
NAMES = {"feedback": "f.jsonl", "pending": "p.jsonl"}
EDITS = ("add", "add", "insert", "delete", "supersede", "reorder", "heading", "blank", "crlf", "bare", "mark")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 3), st.sampled_from(EDITS), st.integers(0, 20)),
        st.tuples(st.integers(0, 3), st.just("merge"), st.integers(0, 3)),
    ),
    max_size=25,
)


def hour(name):
    return min(name, 22) + 1


class Commit(NamedTuple):
    text: str
    ancestors: frozenset[int]


class Repository:
    """The commits of one file; each commit counts as its own ancestor."""

    def __init__(self, role, text):
        self.role = role
        self.commits = [Commit(text, frozenset({0}))]
        self.merges = 0

    def commit(self, text, *parents):
        ancestors = frozenset().union(*(self.commits[parent].ancestors for parent in parents))
        self.commits.append(Commit(text, ancestors | {len(self.commits)}))
        return len(self.commits) - 1

    def merge(self, ours, theirs):
        """As git does it: the later of two where one contains the other; several bases are merged."""
        ours_in, theirs_in = self.commits[ours].ancestors, self.commits[theirs].ancestors
        if theirs in ours_in or ours in theirs_in:
            return ours if theirs in ours_in else theirs
        common = ours_in & theirs_in
        bases = sorted(
            one for one in common if not any(one in self.commits[c].ancestors - {c} for c in common)
        )
        base = bases[0]
        for other in bases[1:]:
            base = self.merge(base, other)
        texts = [self.commits[number].text for number in (base, ours, theirs)]
        merged = merge_file(self.role, self.role, NAMES.get(self.role, "file.md"), *texts)
        assert merged is not None
        self.merges += 1
        return self.commit(merged, ours, theirs)


class Machines:
    """Four clones; what was ever recorded and deleted."""

    def __init__(self, role):
        self.role = role
        self.made = 3
        rows = [RECORDS[role].format(number, hour(number)) for number in range(3)]
        self.repository = Repository(role, "".join(f"{row}\n" for row in ["# Memory", "", *rows]))
        if role in NAMES:
            self.repository = Repository(role, "".join(f"{row}\n" for row in rows))
        self.heads = [0] * 4
        self.deleted = set()
        self.superseded = set()

    def text(self, machine):
        return self.repository.commits[self.heads[machine]].text

    def step(self, machine, action, number):
        if action == "merge":
            self.heads[machine] = self.repository.merge(self.heads[machine], self.heads[number])
        else:
            text = self.edited(self.text(machine), action, number)
            if text != self.text(machine):
                self.heads[machine] = self.repository.commit(text, self.heads[machine])

    def edited(self, text, action, number):
        record = RECORDS[self.role]
        names = [name for name in range(self.made) if ("\n" + record.format(name, hour(name))) in plain(text)]
        name = names[number % len(names)] if names else None
        own = record.format(name, hour(name or 0))
        if action == "insert" and self.role in SORTED:  # its programs only append
            action = "add"
        match action:
            case "add" | "insert":
                new = record.format(self.made, hour(self.made))
                self.made += 1
                if action == "add" or not names:
                    return plain(text) + new + "\n"
                return plain(text).replace(own, f"{new}\n{own}", 1)
            case "delete" if name is not None:
                self.deleted.add(name)
                rows = plain(text).replace(f"{own} [superseded: 2026-01-02]", own).replace(own, "", 1)
                return rows.replace(f" [superseded: 2026-01-02] ^m-{name}\n", "")
            case "supersede" if self.role == "long-term" and name is not None:
                self.superseded.add(name)
                return plain(text).replace(f"{own}\n", f"{own} [superseded: 2026-01-02]\n")
            case "reorder" if self.role in HEADED:
                rows = plain(text).rstrip("\n").split("\n")
                return "\n".join([*rows[:2], *rows[2:][::-1]]) + "\n"
            case "heading" if self.role in HEADED:
                return plain(text).replace(own, f"\n## Part {number}\n\n{own}", 1)
            case "blank":
                return plain(text) + "\n\n"
            case "crlf":
                return plain(text).replace("\n", "\r\n")
            case "bare":
                return plain(text).rstrip("\n")
            case "mark":
                return "\ufeff" + plain(text)
        return text


def plain(text):
    """A text with LF alone, and without a mark; it ends with LF."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return text if text.endswith("\n") else text + "\n"


def names_in(text, machines):
    """The numbers of the records that a text has, each as often as it is there."""
    text = plain(text)
    found = []
    for name in range(machines.made):
        record = RECORDS[machines.role].format(name, hour(name))
        found += [name] * sum(
            text.count(f"\n{record.rstrip()}{end}") for end in ("\n", " [superseded: 2026-01-02]\n")
        )
        found += [name] if text.startswith(record.rstrip() + "\n") else []
    return found


@pytest.mark.parametrize("role", RECORDS)
@given(steps=STEPS, orders=st.tuples(st.permutations(range(4)), st.permutations(range(4))))
def test_no_history_loses_doubles_or_revives_a_record(role, steps, orders):
    machines = Machines(role)
    for step in steps:
        machines.step(*step)
    repository = machines.repository
    results = []
    for order in orders:
        head = machines.heads[order[0]]
        for machine in order[1:]:
            head = repository.merge(head, machines.heads[machine])
        results.append(head)
    wanted = sorted({*range(machines.made)} - machines.deleted)
    for head in results:
        assert sorted(names_in(repository.commits[head].text, machines)) == wanted
    if role in SORTED:
        first, second = (plain(repository.commits[head].text).split() for head in results)
        assert first == second
    first, second = repository.merge(*results), repository.merge(*results[::-1])
    assert repository.commits[first].text == repository.commits[second].text
    assert sorted(names_in(repository.commits[first].text, machines)) == wanted
    final = plain(repository.commits[first].text)
    for name in machines.superseded & {*wanted}:
        assert RECORDS[role].format(name, 0) + " [superseded: 2026-01-02]" in final
