"""rules: list, add, edit, archive and restore the rules that are in every prompt (CoALA)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from msgspec.structs import replace

from memtool.core.digest import blake2b
from memtool.core.facts.duplicates import comparison_key
from memtool.core.facts.policy import WritePolicy
from memtool.core.facts.rules import ConductRule, RetiredRule, add_rule
from memtool.core.records.entries import Owner, is_same_user
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.core.records.unknown_id import id_hint
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, NotFound
from memtool.formats import rules as rules_format
from memtool.layouts.seeds import seed_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import EditableFile, append_plan, open_role_file

_MAX_RULE_CHARS = 280
_LEAST_ID = 6
"""Characters of the beginning of an id that may stand for it, its prefix `r-` included."""


def active_rules(workspace: Workspace) -> tuple[ConductRule, ...]:
    """The active rules in the order of the file."""
    return tuple(rules_format.rules(rules_format.parse(open_role_file(workspace, "rules").text)))


def rules_with_text(workspace: Workspace, text: str, owner: Owner | None) -> list[ConductRule]:
    """The active rules of an owner that say just this text."""
    key = comparison_key(text)
    return [
        rule
        for rule in active_rules(workspace)
        if is_same_user(rule.owner, owner) and comparison_key(rule.text) == key
    ]


def archived_rules(workspace: Workspace) -> tuple[ConductRule, ...]:
    """The archived rules that are not active again, oldest first."""
    rules = rules_format.rules(rules_format.parse(open_role_file(workspace, "rules-archive").text))
    active_ids = {rule.id for rule in active_rules(workspace)}
    return tuple({rule.id: rule for rule in rules if rule.id not in active_ids}.values())


@retry_when_stale
def add_user_rule(
    workspace: Workspace,
    text: str,
    policy: WritePolicy,
    owner: Owner | None,
    now: datetime,
    *,
    pinned: bool = False,
) -> tuple[ConductRule, bool, tuple[RetiredRule, ...], Plan]:
    """Add a person's rule; return it, whether it is new, the rules that it retires, and the plan.

    Raises BadUsage for an empty or too long rule, and where all rules are pinned.
    """
    rule = _rule(text, owner, now, pinned=pinned)
    with workspace.lock():
        file = open_role_file(workspace, "rules")
        current = rules_format.rules(rules_format.parse(file.text))
        result = add_rule(current, rule, policy.phrases)
        plan = _plan(workspace, file, result.active, result.retired, now)
        workspace.commit(plan)
    return rule, result.added, result.retired, plan


@retry_when_stale
def edit_rule(
    workspace: Workspace,
    name: str,
    text: str,
    policy: WritePolicy,
    now: datetime,
    owners: Collection[str] = (),
) -> tuple[ConductRule, bool, tuple[RetiredRule, ...], Plan]:
    """Replace an active rule by one with this text, and archive it; return what `add_user_rule` does.

    The new rule is pinned and owned as the old one. Nothing changes if an active rule says the same. With
    `owners`, edits only a rule that a caller with these tags sees. Raises NotFound for an id that no active
    rule has, and BadUsage for an empty or too long rule.
    """
    with workspace.lock():
        file = open_role_file(workspace, "rules")
        current = rules_format.rules(rules_format.parse(file.text))
        (old,) = _chosen([rule for rule in current if sees(owners, str(rule.owner or ""))], [name], "active")
        rule = _rule(text, old.owner, now, pinned=old.pinned)
        if rule.text == old.text:
            return old, False, (), ()
        result = add_rule([other for other in current if other != old], rule, policy.phrases)
        if not result.added:
            return rule, False, (), ()
        retired = (RetiredRule(old, rule.id), *result.retired)
        plan = _plan(workspace, file, result.active, retired, now)
        workspace.commit(plan)
    return rule, True, retired, plan


def _rule(text: str, owner: Owner | None, now: datetime, *, pinned: bool) -> ConductRule:
    """A person's rule. Raises BadUsage for an empty or too long one."""
    words = one_line(redact(clean(text)), _MAX_RULE_CHARS + 1)
    if not words or len(words) > _MAX_RULE_CHARS:
        raise BadUsage(f"a rule must be 1 to {_MAX_RULE_CHARS} characters long")
    key = f"{owner}\0{words}".encode("utf-8", "surrogatepass")
    return ConductRule(now, words, f"r-{blake2b(key, digest_size=4).hexdigest()}", pinned, owner)


def count_undated_items(workspace: Workspace) -> int:
    """The number of list items in the rules file that are no rules, because they have no time."""
    lines = rules_format.parse(open_role_file(workspace, "rules").text).lines
    return sum(line.rule is None and line.raw[:2] in {"- ", "* ", "+ "} for line in lines)


@retry_when_stale
def archive_rules(
    workspace: Workspace, ids: Sequence[str], now: datetime, owners: Collection[str] = ()
) -> tuple[tuple[ConductRule, ...], Plan]:
    """Move active rules to the archive; with `owners`, only those that a caller with these tags sees.

    Raises NotFound for an id that no active rule has.
    """
    with workspace.lock():
        file = open_role_file(workspace, "rules")
        rules = rules_format.rules(rules_format.parse(file.text))
        mine = [rule for rule in rules if sees(owners, str(rule.owner or ""))]
        chosen = _chosen(mine, ids, "active")
        left = [rule for rule in rules if rule not in chosen]
        plan = _plan(workspace, file, left, [RetiredRule(rule, "by hand") for rule in chosen], now)
        workspace.commit(plan)
    return chosen, plan


@retry_when_stale
def restore_rules(
    workspace: Workspace,
    ids: Sequence[str],
    policy: WritePolicy,
    now: datetime,
    owners: Collection[str] = (),
) -> tuple[tuple[ConductRule, ...], Plan]:
    """Make archived rules active again, dated now, except those that an active rule duplicates.

    With `owners`, only rules that a caller with these tags sees.

    Raises NotFound for an id that no archived rule has.
    """
    with workspace.lock():
        file = open_role_file(workspace, "rules")
        rules: tuple[ConductRule, ...] = rules_format.rules(rules_format.parse(file.text))
        restored: list[ConductRule] = []
        retired: list[RetiredRule] = []
        mine = [rule for rule in archived_rules(workspace) if sees(owners, str(rule.owner or ""))]
        for rule in _chosen(mine, ids, "archived"):
            result = add_rule(rules, replace(rule, at=now), policy.phrases)
            rules, retired = result.active, [*retired, *result.retired]
            restored += [rule] if result.added else []
        plan = _plan(workspace, file, rules, retired, now)
        workspace.commit(plan)
    return tuple(restored), plan


def _chosen(rules: Sequence[ConductRule], ids: Sequence[str], state: str) -> tuple[ConductRule, ...]:
    """The rules with these ids, each once. The beginning of an id is enough if no other id begins with it.

    Raises NotFound for an unknown id, BadUsage for one of several.
    """
    by_id = {rule.id: rule for rule in rules}
    ids = [_whole_id(name, by_id) for name in ids]
    for name in ids:
        if name not in by_id:
            listing = "memtool rules list" + (" --archived" if state == "archived" else "")
            hint = id_hint(name, {rule.id: rule.text for rule in rules}, listing)
            raise NotFound(f"no {state} rule with the id {name!r}{hint}")
        if any(rule.id == name and rule != by_id[name] for rule in rules):
            raise BadUsage(
                f"several {state} rules have the id {name}; give each rule an id of its own and try again"
            )
    return tuple(by_id[name] for name in dict.fromkeys(ids))


def _whole_id(name: str, known: Collection[str]) -> str:
    """The only known id that begins with a name, which has some letters of it; else the name."""
    longer = [each for each in known if each.startswith(name) and len(name) >= _LEAST_ID]
    return longer[0] if len(longer) == 1 and name not in known else name


def _plan(
    workspace: Workspace,
    file: EditableFile,
    rules: Sequence[ConductRule],
    retired: Sequence[RetiredRule],
    now: datetime,
) -> Plan:
    """The plan that archives the retired rules, then rewrites the file; in this order none can be lost."""
    path = workspace.layout.path("rules-archive")
    document = workspace.read(path)
    existing = set(document.text.splitlines(keepends=True)) if document else set()
    lines = [rules_format.render_archived_line(rule, now.date().isoformat()) for rule in retired]
    text = "".join(line for line in lines if line not in existing)
    archive_plan = append_plan(workspace, path, text, seed_text(workspace.layout, "rules-archive"))
    return archive_plan + file.rewrite_plan(rules_format.update(file.text, rules))
