"""rules: the rules of conduct in every prompt, as a person adds, archives and restores them (CoALA)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b

from msgspec.structs import replace

from memtool.core.facts.policy import Policy
from memtool.core.facts.rule import Retired, Rule
from memtool.core.facts.rule import add as add_rule
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Plan
from memtool.core.secrets.redact import redact
from memtool.core.text.quote import one_line
from memtool.errors import BadUsage
from memtool.formats import rules as rules_format
from memtool.layouts.seeds import seed_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory.editable_file import Opened, appended, opened

_LONGEST = 280


def active(workspace: Workspace, owner: Owner | None = None) -> tuple[Rule, ...]:
    """The active rules, in their order; those that hold for one owner, if one is named."""
    found = rules_format.rules(rules_format.parse(opened(workspace, "rules").text))
    return tuple(one for one in found if owner is None or one.owner in {None, owner})


def archived(workspace: Workspace) -> tuple[Rule, ...]:
    """The rules that were archived and not restored since, the oldest first."""
    found = rules_format.rules(rules_format.parse(opened(workspace, "rules-archive").text))
    now = {one.id for one in active(workspace)}
    return tuple({one.id: one for one in found if one.id not in now}.values())


def add(
    workspace: Workspace, text: str, by: Policy, owner: Owner | None, now: datetime, *, pinned: bool = False
) -> tuple[Rule, bool, tuple[Retired, ...], Plan]:
    """A rule of a person's; whether it is new, and what it retires.

    Raises BadUsage for an empty or endless one, and where all rules are pinned.
    """
    said = one_line(redact(text), _LONGEST + 1)
    if not said or len(said) > _LONGEST:
        raise BadUsage(f"a rule has 1 to {_LONGEST} characters")
    key = f"{owner}\0{said}".encode("utf-8", "surrogatepass")
    digest = blake2b(key, digest_size=4).hexdigest()
    with workspace.lock():
        page = opened(workspace, "rules")
        known = rules_format.rules(rules_format.parse(page.text))
        rule = Rule(now, said, f"r-{digest}", pinned, owner)
        done = add_rule(known, rule, by.markers)
        plan = _plan(workspace, page, done.active, done.retired, now)
        workspace.commit(plan)
    return rule, done.added, done.retired, plan


def loose(workspace: Workspace) -> int:
    """How many list items of the rules file are in every prompt and yet no rules: they have no time."""
    lines = rules_format.parse(opened(workspace, "rules").text).lines
    return sum(one.rule is None and one.raw[:2] in {"- ", "* ", "+ "} for one in lines)


def archive(
    workspace: Workspace, names: Sequence[str], now: datetime, owner: Owner | None = None
) -> tuple[tuple[Rule, ...], Plan]:
    """Take rules out of every prompt; they stay readable. Where an owner is named, no one else's.

    Raises BadUsage for an id that no active rule has.
    """
    with workspace.lock():
        page = opened(workspace, "rules")
        known = rules_format.rules(rules_format.parse(page.text))
        mine = [one for one in known if owner is None or one.owner in {None, owner}]
        gone = _chosen(mine, names, "active")
        left = [one for one in known if one not in gone]
        plan = _plan(workspace, page, left, [Retired(one, "by hand") for one in gone], now)
        workspace.commit(plan)
    return gone, plan


def restore(
    workspace: Workspace, names: Sequence[str], by: Policy, now: datetime
) -> tuple[tuple[Rule, ...], Plan]:
    """Make archived rules active again, as of now; those that an active one does not say already.

    Raises BadUsage for an id that no archived rule has.
    """
    with workspace.lock():
        page = opened(workspace, "rules")
        rules: tuple[Rule, ...] = rules_format.rules(rules_format.parse(page.text))
        back: list[Rule] = []
        retired: list[Retired] = []
        for one in _chosen(archived(workspace), names, "archived"):
            done = add_rule(rules, replace(one, at=now), by.markers)
            rules, retired = done.active, [*retired, *done.retired]
            back += [one] if done.added else []
        plan = _plan(workspace, page, rules, retired, now)
        workspace.commit(plan)
    return tuple(back), plan


def _chosen(rules: Sequence[Rule], names: Sequence[str], what: str) -> tuple[Rule, ...]:
    known = {one.id: one for one in rules}
    for name in names:
        if name not in known:
            raise BadUsage(f"no {what} rule has the id {name!r}; memtool rules list says which there are")
    return tuple(known[name] for name in dict.fromkeys(names))


def _plan(
    workspace: Workspace, page: Opened, active: Sequence[Rule], retired: Sequence[Retired], now: datetime
) -> Plan:
    """The archive first, then the rules: what is retired is never nowhere, and no line is there twice."""
    path = workspace.layout.path("rules-archive")
    document = workspace.read(path)
    there = set(document.text.splitlines(keepends=True)) if document else set()
    lines = [rules_format.archived(one, now.date().isoformat()) for one in retired]
    text = "".join(one for one in lines if one not in there)
    kept = appended(workspace, path, text, seed_text(workspace.layout, "rules-archive"))
    return kept + page.rewritten(rules_format.update(page.text, active))
