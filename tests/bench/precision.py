"""PrecisionMemBench: whether recall returns exactly the facts that answer, and nothing else.

`python -m tests.bench.precision REPOSITORY [--cases]` reads `fixtures/` of a checkout or a git directory of
`tenurehq/precisionMemBench` (MIT), prints one table, and with `--cases` each case that is not exact. It
measures through the verbs `save`, `facts forget` and `recall`, by words and, with the extra `semantic`, by
vectors.

What is measured is what the benchmark's own evaluator (`src/retrieval.external.eval.test.ts`) does: a belief
is a fact of its user and domain, the beliefs of a chain of supersession are saved under one key, the oldest
first, and a resolved one is forgotten. A case is *active* if it expects beliefs in `relevantBeliefs`, and
exact if precisely these are returned. Pinned beliefs are part of every prompt and open questions have a list
of their own, so neither counts as returned. The other cases, which expect nothing, are the *empty* ones.

A belief is saved in three forms: `content` is its sentence under its name as key, `named` is the sentence
after its aliases ("Redis, cache: ..."), and `joined` is one text of name, aliases, sentence and reason, which
is what the evaluator sends to every provider.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memtool.core.records.entries import Owner
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import Scope
from memtool.core.search.embedder import Embedder
from memtool.index.sentence_embedder import for_facts
from memtool.store.workspace import Workspace, open_workspace
from memtool.verbs.facts.facts import forget_facts
from memtool.verbs.facts.recall import recall
from memtool.verbs.facts.save import save
from memtool.verbs.indexing.facts import FactSync
from tests.trees import NONEXISTENT, make

USER = "test-user"
LIMIT = 20
"""The `maxBeliefs` of a case that names none."""
FORMS = ("content", "named", "joined")
NOW = datetime(2026, 10, 15, 10, 30, tzinfo=UTC)
Belief = dict[str, Any]
Case = dict[str, Any]


def fixture(repository: Path, name: str) -> list[dict[str, Any]]:
    """A fixture of the benchmark, out of a checkout or a git directory."""
    path = repository / "fixtures" / name
    if path.exists():
        text = path.read_text(encoding="utf-8")
    else:
        command = ["git", "--git-dir", str(repository), "show", f"HEAD:fixtures/{name}"]
        text = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def text_of(belief: Belief, form: str) -> str:
    """A belief as the text of a fact."""
    names = [belief["canonical_name"], *belief["aliases"]]
    match form:
        case "content":
            return str(belief["content"])
        case "named":
            return f"{', '.join(belief['aliases'] or names)}: {belief['content']}"
        case _:
            return " ".join([*names, belief["content"], belief["why_it_matters"]])


def owner_of(user: str, scope: str) -> Owner:
    """The owner of a user's facts of one domain."""
    return Owner("user", f"{user}-{scope.replace(':', '-')}")


def load(workspace: Workspace, index: FactSync, beliefs: list[Belief], form: str) -> dict[str, str]:
    """Save the beliefs, and return the belief of each fact's id."""
    by_id = {belief["_id"]: belief for belief in beliefs}
    names: dict[str, str] = {}
    for belief in sorted(beliefs, key=lambda belief: str(belief["created_at"])):
        last = belief
        while last["superseded_by"]:
            last = by_id[last["superseded_by"]]
        for scope in belief["scope"]:
            owner = owner_of(belief["user_id"], scope)
            saved = save(
                workspace,
                text_of(belief, form),
                index,
                at=NOW,
                owner=owner,
                category=belief["type"],
                key=last["canonical_name"],
            )
            names[saved.id] = belief["_id"]
            if belief["resolved_at"] and not belief["superseded_by"]:
                forget_facts(workspace, [saved.id], NOW.date(), {str(owner)}, purge=False)
    return names


class Outcome:
    """The cases of one form."""

    def __init__(self) -> None:
        self.active = self.exact = self.empty = self.silent = 0
        self.precisions: list[float] = []
        self.recalls: list[float] = []
        self.wrong: list[str] = []

    def add(self, case: Case, found: list[str], expected: set[str]) -> None:
        """Count one case."""
        right = len(expected.intersection(found))
        if not expected:
            self.empty += 1
            self.silent += not found
        else:
            self.active += 1
            self.exact += {*found} == expected
            self.precisions.append(right / len(found) if found else 0.0)
            self.recalls.append(right / len(expected))
        if {*found} != expected:
            extra = [one for one in found if one not in expected]
            missing = sorted(expected.difference(found))
            self.wrong.append(f"{case['caseId']}: {case['query']!r}\n    extra {extra}, missing {missing}")

    def row(self, name: str) -> str:
        """One line of the table."""
        precision = sum(self.precisions) / len(self.precisions)
        share = sum(self.recalls) / len(self.recalls)
        return (
            f"{name:<22}{self.exact:>3} of {self.active}{precision:>12.3f}{share:>9.3f}"
            f"{self.silent:>7} of {self.empty}\n"
        )


def measure(beliefs: list[Belief], cases: list[Case], form: str, embedder: Embedder | None) -> Outcome:
    """Ask every case of a new workspace with the beliefs in one form."""
    pinned = {belief["_id"] for belief in beliefs if belief["pinned"] and belief["user_id"] == USER}
    questions = {belief["_id"] for belief in beliefs if belief["type"] == "open_question"}
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder) / "w", {})
        workspace = open_workspace(str(root), {"XDG_CONFIG_HOME": NONEXISTENT}, "native")
        index = FactSync(workspace, b"k" * 32, wait=5, embedder=embedder)
        names = load(workspace, index, beliefs, form)
        for case in cases:
            wanted = case["expect"].get("relevantBeliefs")
            most = case.get("budget", {}).get("maxBeliefs", LIMIT)
            if wanted is None or "shouldOnlyInclude" not in wanted or not case["query"].strip() or not most:
                continue
            owners = frozenset(str(owner_of(case.get("userId", USER), scope)) for scope in case["scope"])
            request = RecallRequest(case["query"], Scope(owners=owners), NOW, most)
            hits = [names[hit.name] for hit in recall(workspace, request, index).hits]
            room = most - len([belief for belief in beliefs if is_pinned(belief, case)])
            found = [one for one in hits if one not in pinned and one not in questions]
            outcome.add(case, found[: max(0, room)], {*wanted["shouldOnlyInclude"]})
        index.close()
    return outcome


def is_pinned(belief: Belief, case: Case) -> bool:
    """Whether a belief is in the prompt of a case unasked, and takes a place of its budget."""
    return (
        belief["pinned"]
        and belief["type"] != "open_question"
        and not (belief["superseded_by"] or belief["resolved_at"])
        and belief["user_id"] == case.get("userId", USER)
        and not {*belief["scope"]}.isdisjoint(case["scope"])
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure recall on PrecisionMemBench.")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--cases", action="store_true", help="print each case that is not exact")
    arguments = parser.parse_args()
    beliefs = fixture(arguments.repository, "beliefs.seed.json")
    cases = fixture(arguments.repository, "retrieval.cases.json")
    sys.stdout.write(f"{'':<22}{'exact':>8}{'precision':>13}{'recall':>9}{'empty':>12}\n")
    for name, embedder in {"words": None, "vectors": for_facts()}.items():
        for form in FORMS if embedder or name == "words" else ():
            outcome = measure(beliefs, cases, form, embedder)
            sys.stdout.write(outcome.row(f"{name}, {form}"))
            if arguments.cases:
                sys.stdout.write("".join(f"  {line}\n" for line in outcome.wrong))


if __name__ == "__main__":
    main()
