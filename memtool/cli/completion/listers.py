"""The completions of each option and argument."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memtool.cli.completion.complete import Foreign, Lister, Typed

if TYPE_CHECKING:
    from memtool.verbs.completion.completion import Offer


def files(_: Typed) -> Foreign:
    return Foreign()


def _folders(_: Typed) -> Foreign:
    return Foreign("dir")


def _layouts(_: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import layouts

    return layouts()


def _groups(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import groups

    session = typed.session
    session.group(None)
    actor = session.environment.get("MEMTOOL_GROUP") if session.acts_for_group else None
    return groups(session.workspace, actor)


def _roles(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import roles

    return roles(typed.workspace)


def _single_roles(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import roles

    return roles(typed.workspace, single=True)


def _users(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import owners

    return owners(typed.workspace, "user", typed.group)


def _sessions(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import owners

    return owners(typed.workspace, "session", typed.group)


def _categories(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import categories

    return categories(typed.workspace)


def _keys(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import keys

    return keys(typed.workspace, typed.mine)


def _facts(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import facts

    takes_id = typed.params.get("action") in {"show", "forget"}
    return facts(typed.workspace, typed.text, typed.mine) if takes_id else ()


def _rules(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import rules

    action = typed.params.get("action")
    takes_id = action in {"archive", "restore"}
    return rules(typed.workspace, archived=action == "restore") if takes_id else ()


def _candidates(typed: Typed) -> Iterable[Offer] | Foreign:
    from memtool.verbs.completion.completion import candidates

    action = typed.params.get("action")
    if action in {"add", "decide"}:
        return Foreign()
    return () if action == "list" else candidates(typed.workspace, typed.mine)


def _episodes(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import episodes

    return episodes(typed.workspace, typed.text) if typed.params.get("action") == "show" else ()


def _quarantined(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import quarantined
    from memtool.verbs.completion.completion_paths import turns

    action = typed.params.get("action")
    if action == "add":
        return turns(typed.workspace, typed.text)
    return () if action == "list" else quarantined(typed.workspace, typed.text)


def _readable(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion_paths import readable

    return readable(typed.workspace, typed.text, typed.group)


def _searched(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion_paths import searched

    return searched(typed.workspace, typed.text, typed.group)


def _query(typed: Typed) -> Iterable[Offer]:
    """The fields of a query and their values, as in `role:daily-note`; none for plain words."""
    from memtool.verbs.completion.completion import Offer

    field, colon, rest = typed.text.partition(":")
    if not colon:
        return [Offer(f"{name}:") for name in ("role", "path", "group", "tag", "date", "speaker") if field]
    values = {"role": _roles, "path": _searched, "group": _groups, "speaker": _speakers}.get(field)
    inner = Typed(rest, typed.params, typed.session)
    return [Offer(f"{field}:{offer.value}") for offer in (values(inner) if values else ())]


def _speakers(_: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import Offer

    return [Offer(name) for name in ("user", "assistant", "tool")]


def _agents(typed: Typed) -> Iterable[Offer] | Foreign:
    """Names of agents for the first word, if it is the start of one; else files."""
    from memtool.verbs.completion.completion import Offer
    from memtool.verbs.history.import_ import FORMATS

    first = not typed.params.get("given")
    names = [Offer(name) for name in FORMATS if first and typed.text and name.startswith(typed.text)]
    return names or Foreign()


def _hooks(typed: Typed) -> Iterable[Offer]:
    from memtool.core.hooks.hook import AGENTS
    from memtool.verbs.completion.completion import Offer

    words = typed.params.get("words") or ()
    return map(Offer, AGENTS if words else ("install", "uninstall", "print"))


def _memories(typed: Typed) -> Iterable[Offer]:
    from memtool.core.memories.memories import ROOT
    from memtool.verbs.completion.completion import Offer
    from memtool.verbs.completion.completion_paths import readable

    workspace = typed.workspace
    folder = f"{workspace.layout.folder('memories', group=typed.group or None)}/"
    text = folder + typed.text.removeprefix(f"{ROOT}/") if typed.text.startswith(f"{ROOT}/") else folder
    return [
        Offer(f"{ROOT}/{offer.value.removeprefix(folder)}")
        for offer in readable(workspace, text, typed.group)
    ]


def _notes(typed: Typed) -> Iterable[Offer]:
    """Notes by path; none for actions that take a title or a tag."""
    from memtool.verbs.completion.completion_paths import readable

    action = typed.params.get("action")
    takes_note = action in {"show", "mv", "links", "backlinks", None}
    return readable(typed.workspace, typed.text, typed.group) if takes_note else ()


def _migrations(_: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import Offer
    from memtool.verbs.layout.migration_table import MIGRATIONS

    return [Offer(migration.name, migration.why) for migration in MIGRATIONS]


def _entries(typed: Typed) -> Iterable[Offer]:
    from memtool.verbs.completion.completion import entries

    return entries(typed.workspace, typed.group or "")


def _traced(typed: Typed) -> Iterable[Offer]:
    """Ids of facts, and files with a colon for the line number; none for words of the line."""
    from msgspec.structs import replace

    from memtool.verbs.completion.completion import facts

    if typed.text[1:2] == "-":
        return facts(typed.workspace, typed.text, typed.mine)
    offers = _searched(typed) if typed.text else ()
    return [
        offer if offer.value.endswith("/") else replace(offer, value=f"{offer.value}:") for offer in offers
    ]


def _topics(_: Typed) -> Iterable[Offer]:
    from memtool.cli.reference import TOPICS
    from memtool.cli.table import COMMANDS
    from memtool.verbs.completion.completion import Offer

    pages = [Offer(name, about) for name, (_, about) in COMMANDS.items()]
    return [*pages, *(Offer(name) for name in TOPICS)]


LISTERS: dict[str, Lister] = {
    "--root": _folders,
    "--layout": _layouts,
    "--user": _users,
    "--session": _sessions,
    "--group": _groups,
    "--role": _roles,
    "--category": _categories,
    "--key": _keys,
    "--transcript": files,
    "--report": files,
    "--against": files,
    "init directory": _folders,
    "get path": _readable,
    "get role": _single_roles,
    "search query": _query,
    "search path": _searched,
    "facts names": _facts,
    "rules words": _rules,
    "candidates names": _candidates,
    "episodes which": _episodes,
    "quarantine paths": _quarantined,
    "import given": _agents,
    "migrate only": _migrations,
    "migrate to": _layouts,
    "note words": _notes,
    "note start": _notes,
    "undo which": _entries,
    "trace text": _traced,
    "help name": _topics,
    "hook words": _hooks,
    "memories paths": _memories,
}
"""What lists the values, by option for every command, or by command and parameter."""
