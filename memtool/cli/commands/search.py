"""`memtool search`."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.options import (
    EMBEDDER_OPTION,
    MODE_OPTION,
    LimitType,
    MemtoolCommand,
    check_separate,
    limit_option,
)
from memtool.cli.session import Session, pass_session
from memtool.errors import MemtoolError
from memtool.store.root import path_from_root

if TYPE_CHECKING:
    from memtool.core.records.hit import Hit

_MOST_HITS = 10_000
"""The most hits that are searched for -l and --count."""
_HITS_PER_PATH = 50
"""Hits to search for each path that -l prints, because one file may contain several."""


@click.command(
    "search",
    cls=MemtoolCommand,
    session_help="Search only messages of this session, and no documents [default: all sessions]",
    epilog="""
memtool search kiln schedule              ranked by words
memtool search '"cone 6" -white'          contains the phrase, but not the word
memtool search 'role:daily-note mug*'     in one role; words that begin with mug
memtool search --speaker user cone        only messages from the user
memtool search --session s1 cone          only messages of this session
memtool search --exact '48 mugs'          lines that contain this text
memtool search -n 3 --context 1 mugs      with one line before and after each hit
memtool search --mode hybrid 'who makes parcels ready'
memtool search -l mugs                    only paths of files; add -0 for xargs -0
memtool search --fleet kiln schedule      also in other trees of the fleet
memtool search --count mugs               each file with its number of hits
""",
)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--role",
    "roles",
    metavar="ROLE",
    multiple=True,
    help="Search only files of this role, such as note; repeatable [default: all]",
)
@click.option(
    "--path",
    metavar="GLOB",
    help="Search only paths that match GLOB, such as 'memory/notes/*' [default: all]",
)
@click.option(
    "--speaker",
    "speakers",
    metavar="NAME",
    multiple=True,
    help="Search only messages from this speaker; repeatable [default: all]",
)
@click.option(
    "--chat",
    "chats",
    metavar="ID",
    multiple=True,
    help="Search only messages of the chat with this id; repeatable [default: all]",
)
@click.option(
    "--since",
    metavar="DAY",
    help="Search only entries since DAY, such as 2025-01-15, 30d or 2w [default: all]",
)
@click.option("--until", metavar="DAY", help="Search only entries up to and including DAY [default: all]")
@click.option(
    "--group",
    metavar="GROUP",
    help="Search only the memory of GROUP and of groups/global [default: MEMTOOL_GROUP]",
)
@limit_option(of="the setting search.limit; all with -l or --count")
@click.option(
    "--exact",
    is_flag=True,
    help="Find lines that contain QUERY, ignoring case [default: ranked search]",
)
@click.option("--fleet", is_flag=True, help="Also search documents in other trees of the fleet")
@MODE_OPTION
@EMBEDDER_OPTION
@click.option(
    "-C",
    "--context",
    metavar="N",
    type=LimitType(min=0),
    default=0,
    help="Print N lines before and after each hit [default: 0]",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Print the score of each hit, and how many documents and turns were searched",
)
@click.option(
    "-l",
    "--files-with-matches",
    "--paths",
    "only_paths",
    is_flag=True,
    help="Print only the path of each file that has hits, best first",
)
@click.option(
    "--count", "only_counts", is_flag=True, help="Print the number of hits in each file, as path:count"
)
@click.option("-0", "--null", is_flag=True, help="With -l, end each path with NUL instead of a newline")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour the output; auto does so only on a terminal [default: auto]",
)
@pass_session
def command(
    session: Session,
    /,
    query: tuple[str, ...],
    roles: tuple[str, ...],
    path: str | None,
    speakers: tuple[str, ...],
    chats: tuple[str, ...],
    since: str | None,
    until: str | None,
    group: str | None,
    limit: int | None,
    exact: bool,
    fleet: bool,
    mode: str | None,
    embedder: str | None,
    context: int,
    explain: bool,
    only_paths: bool,
    only_counts: bool,
    null: bool,
    color: output.ColourMode,
) -> int:
    """Search documents and past messages

    Searches documents and the messages of past turns, as they are on disk when the command starts. A query
    may contain the fields role:, path:, group:, tag:, date:, speaker:, session: and chat:, for example
    role:turn. With --session, --speaker or --chat, only messages are searched (MEMTOOL_SESSION does not
    restrict a search). At most half of the hits come from any one file, unless no other file matches. Prints
    hits as path:line: text. If more than 4 MB of files have changed since the last update of the index, only
    some of them are searched: a notice says so, and all of them are then indexed in the background. To index
    everything immediately, run memtool reindex. With --fleet, a hit in another tree (another workspace of the
    fleet) is printed as tree:path:line: text, followed by the time of that tree's last push to the fleet.
    When nothing matches, exits 3 if a file was not searched, and 1 otherwise. Also exits 3 when the fleet
    could not be searched.
    """
    from memtool.cli.searching import search
    from memtool.core.records.search import SearchArguments

    if null and not only_paths:
        raise click.UsageError("-0 requires -l")
    if exact and fleet:
        raise click.UsageError("--exact and --fleet cannot be combined")
    if exact and mode not in {None, "lexical"}:
        raise click.UsageError(f"--exact and --mode {mode} cannot be combined")
    if exact and embedder:
        raise click.UsageError("--exact and --embedder cannot be combined")
    check_separate(roles, "--role")
    if only_paths and only_counts:
        raise click.UsageError("-l and --count cannot be combined")
    if context and (only_paths or only_counts):
        raise click.UsageError(f"-C and {'-l' if only_paths else '--count'} cannot be combined")
    lists_files = only_paths or only_counts
    most_hits = _MOST_HITS
    if only_paths and limit is not None:  # several hits may lie in one file
        most_hits = max(limit, min(_MOST_HITS, limit * _HITS_PER_PATH))
    arguments = SearchArguments(
        " ".join(query),
        roles=roles,
        path=path and path_from_root(path, session.root),
        since=since,
        until=until,
        group=group,
        limit=most_hits + 1 if lists_files else limit,
        context=context,
        exact=exact,
        mode=mode,
        embedder=embedder,
        sessions=(given,) if (given := session.given.get("session")) else (),
        speakers=speakers,
        chats=chats,
        lists_files=lists_files,
        fleet=fleet,
    )
    response = search(session, arguments)
    for notice in (*response.notices, *_paths_as_words(query)):
        session.notice(notice)
    colours = output.use_colours(color)
    if lists_files:
        counts = _counts(response.hits[:most_hits])
        if len(response.hits) > most_hits and (limit is None or len(counts) < limit):
            session.notice(
                f"more than {most_hits} hits were found; "
                f"only files with hits among the best {most_hits} are listed"
            )
        if only_paths:
            _print_paths([*counts][:limit], as_json=session.json, null=null, colours=colours)
        else:
            _print_counts([*counts.items()][:limit], as_json=session.json, colours=colours)
    elif session.json:
        for hit in response.hits:
            output.put_json(hit.to_record())
    else:
        _print(response.hits, colours=colours)
    for line in response.details if explain else response.details[:1]:
        (output.print_message if explain else session.detail)(line)
    if response.hits:
        return 3 if fleet and response.is_incomplete else 0
    if response.is_unknown:
        return 3
    is_everywhere = arguments == SearchArguments(arguments.text, limit=limit, context=context)
    is_hinted = is_everywhere and not (session.environment.get("MEMTOOL_GROUP") or session.given.get("quiet"))
    hint = f"; {_other_command(session, arguments.text)}" if is_hinted else ""
    return session.nothing(f"no match{hint}", *response.notices)


def _other_command(session: Session, text: str) -> str:
    """What to run where no text matches: `recall` if it finds a fact, which it also does by meaning."""
    from memtool.core.records.request import RecallRequest
    from memtool.verbs.facts.recall import recall

    try:
        request = RecallRequest(text, session.owner_scope, session.now, 1, None)
        index = session.fact_index(None)
        found = recall(session.workspace, request, index, is_counted=False).hits
        index.close()
    except MemtoolError as error:
        session.detail(f"facts were not searched by meaning: {error}")
        found = ()
    if found:
        return f"for facts that answer a question, run memtool recall {shlex.quote(text)}"
    return "to list all facts, preferences and rules, run memtool trace --all"


def _paths_as_words(words: Sequence[str]) -> list[str]:
    """A notice for each path of a file or folder among the words of a query, as grep takes it."""
    return [
        f"{word!r} was treated as part of the query; to search only that path, use --path {shlex.quote(word)}"
        for word in words[1:]
        if ("/" in word or word.endswith(".md")) and os.path.exists(word)
    ]


def _counts(hits: Sequence[Hit]) -> Mapping[str, int]:
    """The number of hits in each file, the file with the best hit first."""
    return Counter(hit.shown_path for hit in hits)


def _print_paths(paths: Sequence[str], *, as_json: bool, null: bool, colours: bool) -> None:
    for path in paths:
        if as_json:
            output.put_json({"path": path})
        elif null:
            output.put_raw(path, "\0")
        else:
            shown = output.printable(path) if output.on_terminal() else path
            output.put(output.paint(shown, "path") if colours else shown)


def _print_counts(counts: Sequence[tuple[str, int]], *, as_json: bool, colours: bool) -> None:
    for path, count in counts:
        if as_json:
            output.put_json({"path": path, "count": count})
        else:
            name, number = output.printable(path), str(count)
            if colours:
                name, number = output.paint(name, "path"), output.paint(number, "line")
            output.put(f"{name}:{number}")


def _print(hits: Sequence[Hit], *, colours: bool) -> None:
    for number, hit in enumerate(hits):
        if (hit.before or hit.after) and number:
            output.put("--")
        for line, text in hit.before:
            _print_line(hit.path, line, "-", output.printable(text), colours=colours)
        snippet = output.paint_spans(hit.snippet, hit.spans, "match") if colours else hit.snippet
        if hit.as_of is not None:
            snippet += f"  (as of {hit.as_of})"
        _print_line(hit.shown_path, hit.line, ":", snippet, colours=colours)
        for line, text in hit.after:
            _print_line(hit.path, line, "-", output.printable(text), colours=colours)


def _print_line(path: str, line: int, mark: str, text: str, *, colours: bool) -> None:
    path, number = output.printable(path), str(line)
    if colours:
        path, number = output.paint(path, "path"), output.paint(number, "line")
    output.put_wrapped(f"{path}{mark}{number}{mark} ", text)
