"""The completions of each option and argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memtool.cli.completion.parameter_type import Lister, PathCompletion, TypedWord

if TYPE_CHECKING:
    from memtool.verbs.completion.completion import CompletionOffer


def list_files(_: TypedWord) -> PathCompletion:
    return PathCompletion()


def _list_folders(_: TypedWord) -> PathCompletion:
    return PathCompletion("dir")


def _layouts(_: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import layouts

    return layouts()


def _groups(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import groups

    session = typed.session
    session.group(None)
    actor = session.environment.get("MEMTOOL_GROUP") if session.acts_for_group else None
    return groups(session.workspace, actor)


def _roles(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import roles

    return roles(typed.workspace)


def _single_roles(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import roles

    return roles(typed.workspace, single=True)


def _users(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import owners

    return owners(typed.workspace, "user", typed.group)


def _sessions(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import owners

    return owners(typed.workspace, "session", typed.group)


def _categories(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import categories

    return categories(typed.workspace)


def _keys(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import keys

    return keys(typed.workspace)


def _facts(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import facts

    return facts(typed.workspace, typed.text)


def _rules(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import rules

    return rules(typed.workspace, archived=False)


def _archived_rules(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import rules

    return rules(typed.workspace, archived=True)


def _candidates(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import candidates

    return candidates(typed.workspace)


def _episodes(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import episodes

    return episodes(typed.workspace, typed.text)


def _quarantined_files(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import quarantined

    return quarantined(typed.workspace, typed.text)


def _turn_paths(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion_paths import turn_paths

    return turn_paths(typed.workspace, typed.text)


def _readable_paths(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion_paths import readable_paths

    return readable_paths(typed.workspace, typed.text, typed.group)


def _searchable_paths(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion_paths import searchable_paths

    return searchable_paths(typed.workspace, typed.text, typed.group)


def _query(typed: TypedWord) -> Iterable[CompletionOffer]:
    """The fields of a query and their values, as in `role:daily-note`; none for plain words."""
    from memtool.verbs.completion.completion import CompletionOffer

    field, colon, rest = typed.text.partition(":")
    if not colon:
        return [
            CompletionOffer(f"{name}:")
            for name in ("role", "path", "group", "tag", "date", "speaker", "session", "chat")
            if field
        ]
    values = _FIELD_LISTERS.get(field)
    inner = TypedWord(rest, typed.params, typed.session)
    return [CompletionOffer(f"{field}:{offer.value}") for offer in (values(inner) if values else ())]


def _speakers(_: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import CompletionOffer

    return [CompletionOffer(name) for name in ("user", "assistant", "tool")]


def _chats(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import chats

    return chats(typed.workspace, typed.group)


_FIELD_LISTERS: dict[str, Callable[[TypedWord], Iterable[CompletionOffer]]] = {
    "role": _roles,
    "path": _searchable_paths,
    "group": _groups,
    "speaker": _speakers,
    "session": _sessions,
    "chat": _chats,
}
"""The functions that list the values of a query's fields."""


def _agents(typed: TypedWord) -> Iterable[CompletionOffer] | PathCompletion:
    """Names of agents for the first word, if it is the start of one; else files."""
    from memtool.verbs.completion.completion import CompletionOffer
    from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS

    first = not typed.params.get("given")
    names = [
        CompletionOffer(name)
        for name in TRANSCRIPT_FORMATS
        if first and typed.text and name.startswith(typed.text)
    ]
    return names or PathCompletion()


def _memories(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.core.memories.memory_commands import ROOT
    from memtool.verbs.completion.completion import CompletionOffer
    from memtool.verbs.completion.completion_paths import readable_paths

    workspace = typed.workspace
    folder = f"{workspace.layout.folder('memories', group=typed.group or None)}/"
    text = folder + typed.text.removeprefix(f"{ROOT}/") if typed.text.startswith(f"{ROOT}/") else folder
    return [
        CompletionOffer(f"{ROOT}/{offer.value.removeprefix(folder)}")
        for offer in readable_paths(workspace, text, typed.group)
    ]


def _migrations(_: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import CompletionOffer
    from memtool.verbs.layout.migrations import MIGRATIONS

    return [CompletionOffer(migration.name, migration.why) for migration in MIGRATIONS]


def _entries(typed: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.verbs.completion.completion import journal_entries

    return journal_entries(typed.workspace, typed.group or "")


def _trace_targets(typed: TypedWord) -> Iterable[CompletionOffer]:
    """Ids of facts, and files with a colon for the line number; none for words of the line."""
    from msgspec.structs import replace

    from memtool.verbs.completion.completion import facts

    if typed.text[1:2] == "-":
        return facts(typed.workspace, typed.text)
    offers = _searchable_paths(typed) if typed.text else ()
    return [
        offer if offer.value.endswith("/") else replace(offer, value=f"{offer.value}:") for offer in offers
    ]


def _settings(_: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.store.config.settings import SETTINGS
    from memtool.verbs.completion.completion import CompletionOffer

    return [CompletionOffer(setting.name, setting.meaning) for setting in SETTINGS]


def _topics(_: TypedWord) -> Iterable[CompletionOffer]:
    from memtool.cli.reference import TOPIC_SUMMARIES
    from memtool.cli.table import COMMANDS
    from memtool.cli.topics import topic_names
    from memtool.verbs.completion.completion import CompletionOffer

    pages = [CompletionOffer(name, row.summary) for name, row in COMMANDS.items()]
    topics = sorted({*topic_names(), *TOPIC_SUMMARIES, "topics"})
    return [*pages, *(CompletionOffer(name) for name in topics)]


LISTERS: dict[str, Lister] = {
    "--root": _list_folders,
    "--layout": _layouts,
    "--user": _users,
    "--session": _sessions,
    "--group": _groups,
    "--role": _roles,
    "--category": _categories,
    "--key": _keys,
    "--transcript": list_files,
    "--report": list_files,
    "--against": list_files,
    "init directory": _list_folders,
    "get path": _readable_paths,
    "get role": _single_roles,
    "search query": _query,
    "search path": _searchable_paths,
    "search speakers": _speakers,
    "search chats": _chats,
    "config get name": _settings,
    "config set name": _settings,
    "facts show ids": _facts,
    "facts edit name": _facts,
    "facts forget ids": _facts,
    "rules archive ids": _rules,
    "rules edit name": _rules,
    "rules restore ids": _archived_rules,
    **{f"candidates {action} ids": _candidates for action in ("show", "approve", "drop", "explain")},
    "episodes show name": _episodes,
    **{f"quarantine {action} paths": _quarantined_files for action in ("show", "restore", "purge")},
    "quarantine add paths": _turn_paths,
    "import given": _agents,
    "migrate only": _migrations,
    "migrate to": _layouts,
    **{f"note {action} name": _readable_paths for action in ("show", "mv", "links", "backlinks")},
    "note mv to": _readable_paths,
    "note graph start": _readable_paths,
    "undo which": _entries,
    "trace text": _trace_targets,
    "help name": _topics,
    **{
        f"memories {action} path": _memories
        for action in ("view", "create", "str_replace", "insert", "delete")
    },
    "memories rename old_path": _memories,
    "memories rename new_path": _memories,
}
"""The functions that list values, by option for every command, or by command, action and parameter."""
