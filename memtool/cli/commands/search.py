"""`memtool search`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session

if TYPE_CHECKING:
    from memtool.core.records.hit import Hit

_MAX_PATHS = 10_000
_HITS_PER_PATH = 50
"""Hits that are searched for each path that --paths prints: several may be in one file."""


@click.command(
    "search",
    cls=MemtoolCommand,
    epilog="""
memtool search kiln schedule              ranked by words
memtool search '"cone 6" -white'          a phrase, and without a word
memtool search 'role:daily-note mug*'     in one role; words with this beginning
memtool search --speaker user cone        only messages of the user
memtool search --session s1 cone          only messages of this session
memtool search --exact '48 mugs'          lines that contain this text
memtool search -n 3 --context 1 mugs      with one line around each hit
memtool search --mode hybrid 'who makes parcels ready'
memtool search mugs --paths -0 | xargs -0 ls
""",
)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--role",
    "roles",
    metavar="ROLE",
    multiple=True,
    help="Search only files of this role; repeatable [default: all]",
)
@click.option(
    "--path", metavar="GLOB", help="Search only paths that match, such as 'memory/notes/*' [default: all]"
)
@click.option(
    "--speaker",
    "speakers",
    metavar="NAME",
    multiple=True,
    help="Search only messages of user, assistant, tool or NAME; repeatable [default: all]",
)
@click.option(
    "--chat",
    "chats",
    metavar="ID",
    multiple=True,
    help="Search only messages of this chat id; repeatable [default: all]",
)
@click.option(
    "--since", metavar="DAY", help="Search only from this day on: 2025-01-15, 30d, 2w [default: all]"
)
@click.option("--until", metavar="DAY", help="Search only up to this day [default: all]")
@click.option(
    "--group", metavar="GROUP", help="Search only this group and shared files [default: MEMTOOL_GROUP]"
)
@click.option(
    "-n",
    "--limit",
    metavar="N",
    type=LimitType(min=1),
    help="Print at most N hits [default: search.limit, 10]",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Find lines that contain the text, ignoring case, without the index [default: rank]",
)
@click.option(
    "--mode",
    type=click.Choice(["lexical", "semantic", "hybrid"]),
    help="Rank by words, by meaning, or by both [default: search.mode, lexical]",
)
@click.option(
    "--embedder",
    metavar="CMD",
    help="Command that computes vectors [default: setting embedder, else a local model]",
)
@click.option(
    "-C",
    "--context",
    metavar="N",
    type=LimitType(min=0),
    default=0,
    help="Print N lines around each hit [default: 0]",
)
@click.option("--explain", is_flag=True, help="Print the score of each hit and what was searched")
@click.option("--paths", "only_paths", is_flag=True, help="Print each path once instead of lines")
@click.option("-0", "--null", is_flag=True, help="With --paths, end each path with NUL instead of a newline")
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
    mode: str | None,
    embedder: str | None,
    context: int,
    explain: bool,
    only_paths: bool,
    null: bool,
) -> int:
    """Search documents and past messages

    Searches the files as they are when the command starts: documents, and each message of past turns. A query
    may hold role:, path:, group:, tag:, date:, speaker:, session: and chat: with a value, as role:turn. With
    --session, --speaker or --chat only messages are searched (MEMTOOL_SESSION does not restrict a search).
    At most half of the hits come from one file, unless no other file matches. Prints hits as path:line: text.
    Exits 1 when nothing matches, and 3 when nothing matches but a file could not be read.
    """
    from memtool.cli.searching import search
    from memtool.core.records.search import SearchArguments

    if null and not only_paths:
        raise click.UsageError("-0 goes with --paths")
    most_hits = limit
    if only_paths:  # several hits may lie in one file
        most_hits = _MAX_PATHS if limit is None else max(limit, min(_MAX_PATHS, limit * _HITS_PER_PATH))
    arguments = SearchArguments(
        " ".join(query),
        roles=roles,
        path=path,
        since=since,
        until=until,
        group=group,
        limit=most_hits,
        context=context,
        exact=exact,
        mode=mode,
        embedder=embedder,
        sessions=(given,) if (given := session.given.get("session")) else (),
        speakers=speakers,
        chats=chats,
    )
    response = search(session, arguments)
    for notice in response.notices:
        session.notice(notice)
    if only_paths:
        for hit_path in [*dict.fromkeys(hit.path for hit in response.hits)][:limit]:
            if session.json:
                output.put_json({"path": hit_path})
            else:
                output.put_raw(hit_path, "\0" if null else "\n")
    elif session.json:
        for hit in response.hits:
            output.put_json(hit.to_record())
    else:
        _print(response.hits)
    for line in response.details if explain else response.details[:1]:
        (output.print_message if explain else session.detail)(line)
    return 0 if response.hits else 3 if response.is_unknown else 1


def _print(hits: Sequence[Hit]) -> None:
    colours = output.use_colours()
    for number, hit in enumerate(hits):
        if (hit.before or hit.after) and number:
            output.put("--")
        for line, text in hit.before:
            output.put(_line(hit.path, line, "-", output.printable(text), colours=colours))
        snippet = output.paint_spans(hit.snippet, hit.spans, "match") if colours else hit.snippet
        output.put(_line(hit.path, hit.line, ":", snippet, colours=colours))
        for line, text in hit.after:
            output.put(_line(hit.path, line, "-", output.printable(text), colours=colours))


def _line(path: str, line: int, mark: str, text: str, *, colours: bool) -> str:
    path, number = output.printable(path), str(line)
    if colours:
        path, number = output.paint(path, "path"), output.paint(number, "line")
    return f"{path}{mark}{number}{mark} {text}".rstrip()
