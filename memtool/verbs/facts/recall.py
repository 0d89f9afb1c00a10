"""recall: the facts that answer a question; each of them counts as accessed (five-layer memory)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.identity import shown_sentence
from memtool.core.facts.question_subject import asks_name, asks_who, question_subject
from memtool.core.privacy.recalled import text_for_model
from memtool.core.records.plan import Plan
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import sees
from memtool.errors import Locked, OtherLayout, StaleWrite, Unwritable
from memtool.formats.semantic import SemanticLine
from memtool.index.engine import FileStamp
from memtool.index.facts.fact_search import FactHit
from memtool.index.facts.facts import stems
from memtool.index.freshness import content_differences
from memtool.index.sync import SyncView
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory_files.evidence import days_said
from memtool.verbs.memory_files.salience import load_salience
from memtool.verbs.memory_files.semantic_files import requested_category


class RecallResponse(Struct, frozen=True):
    """The facts, best first, the plan that counted their accesses, and notices.

    `is_unknown` says that no fact was found and something could not be read.
    """

    hits: tuple[FactHit, ...]
    plan: Plan
    notices: tuple[str, ...]
    is_unknown: bool
    hint: str = ""
    """How more facts could be found, where none was."""


def recall(
    workspace: Workspace, request: RecallRequest, index: FactSync, *, is_counted: bool = True
) -> RecallResponse:
    """Search the facts, and count an access for each that answers, if `is_counted`; no other fact is a hit.

    Lines of long-term memory and of the file about the user that hold clearly more of the question come
    first; their ids are `path:line`. Where the user asks who they are, the facts are those of the profile.
    Where the accesses cannot be written, that is a notice. Raises BadUsage for an invalid category.
    """
    category = requested_category(request.category)
    asides: list[str] = []
    if _may_name_user(request.text):
        from memtool.verbs.facts.recalled_lines import as_user_asks  # few questions need it

        request = as_user_asks(workspace, request, asides)
    index.embed_query(request.text)
    salience = load_salience(workspace)
    factors = salience.factors(request.now)

    def ask(view: SyncView) -> tuple[list[FactHit], list[str]]:
        owners = None
        if request.scope.owners:
            owners = frozenset(owner for owner in index.owners() if sees(request.scope.owners, owner))
        stamps = index.stamps()  # before the hits: another process may write the index in between
        found = index.recall(request.text, request.limit, category=category, owners=owners, salience=factors)
        return found, [] if view.is_final else _changed_paths(workspace, found, stamps)

    view, hits, stale = index.search(ask)
    hits = [hit for hit in hits if hit.path not in stale]
    notices = [*index.notices, *([salience.notice] if salience.notice else [])]
    notices += [f"{path} was skipped, because it kept changing while it was being read" for path in stale]
    hits = _with_lines(workspace, request, category, hits, notices)
    notices += [notice for notice in asides if notice not in notices]
    facts = [hit for hit in hits if not hit.name.startswith(f"{hit.path}:")]
    counts = is_counted and workspace.writes and bool(facts)
    plan = count_accesses(workspace, facts, request.now, notices) if counts else ()
    shown = tuple(replace(hit, text=text_for_model(hit.text)) for hit in hits)
    hint = index.hint if not hits and index.hint not in notices else ""
    return RecallResponse(shown, plan, tuple(notices), not hits and bool(view.unread or stale), hint)


def _with_lines(
    workspace: Workspace,
    request: RecallRequest,
    category: str | None,
    hits: list[FactHit],
    notices: list[str],
) -> list[FactHit]:
    if any(hit.words >= 1 for hit in hits) and len(stems(request.text)) > 1:
        return hits  # a question of one word may ask for the user's name
    from memtool.verbs.facts.recalled_lines import about_user, with_lines  # few questions need it

    if asks_who(request.text) and category is None:
        return about_user(workspace, request, notices)
    return with_lines(workspace, request, category, hits, notices)


def _may_name_user(question: str) -> bool:
    """Whether a question may ask for the user's name, or for something of a user whom it names."""
    return bool(question_subject(question).names) or asks_name(question)


def _changed_paths(
    workspace: Workspace, hits: Sequence[FactHit], stamps: Mapping[str, FileStamp]
) -> list[str]:
    """The files of hits that are not the text that was searched; one that cannot be read counts as it was."""
    paths = dict.fromkeys(hit.path for hit in hits)
    searched = {path: stamps[path] for path in paths if path in stamps}
    return [path for path, _ in content_differences(paths, searched, workspace.etag, [])]


def count_accesses(workspace: Workspace, hits: Sequence[FactHit], now: datetime, notices: list[str]) -> Plan:
    """The plan that counted an access of each fact; where it cannot be written, that is a notice."""
    try:
        return _count(workspace, [hit.name for hit in hits], now)
    except (Locked, OtherLayout, StaleWrite, Unwritable) as error:
        notices.append(f"{error}; the access counts of the printed facts were not updated")
        return ()


@retry_when_stale
def _count(workspace: Workspace, names: Sequence[str], now: datetime) -> Plan:
    with workspace.lock():
        plan = load_salience(workspace).access_plan(workspace, names, now)
        workspace.commit(plan)
    return plan


def shown_facts(workspace: Workspace, hits: Sequence[FactHit]) -> list[str]:
    """The texts of hits as people and agents read them, with the day on which each was said last."""
    days = days_said(workspace, {hit.name for hit in hits})
    shown = [(hit.name, shown_fact(hit.category, hit.text)) for hit in hits]
    return [f"{text} (said on {days[name]})" if name in days else text for name, text in shown]


def shown_fact(category: str, text: str) -> str:
    """The text of a hit as lists of facts show it: a whole sentence once, not as `User STATES`."""
    record = SemanticLine(f"- [{category}] {text}").record
    return shown_sentence(record.fact) if record else text
