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
memtool search kiln schedule              ranked: more of the words first
memtool search '"cone 6" -white'          a phrase, and not a word
memtool search 'role:daily-note mug*'     in one role; words that begin so
memtool search --speaker user cone        only what the user said; also speaker:user in the query
memtool search --session s1 cone          only what was said in this session
memtool search --exact '48 mugs'          lines with exactly this text
memtool search -n 3 --context 1 mugs      with a line around each hit
memtool search --mode hybrid 'who makes parcels ready'
memtool search mugs --paths -0 | xargs -0 ls
""",
)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--role", "roles", metavar="ROLE", multiple=True, help="Only files of this role; repeat for more."
)
@click.option("--path", metavar="GLOB", help="Only files whose path matches: 'memory/notes/*'.")
@click.option(
    "--speaker",
    "speakers",
    metavar="NAME",
    multiple=True,
    help="Only messages of user, assistant, tool or a name; repeat for more.",
)
@click.option(
    "--chat",
    "chats",
    metavar="ID",
    multiple=True,
    help="Only messages of this chat, as its program names it; repeat for more.",
)
@click.option("--since", metavar="DAY", help="Only what is dated from this day on: 2025-01-15, 30d, 2w.")
@click.option("--until", metavar="DAY", help="Only what is dated up to this day.")
@click.option("--group", metavar="GROUP", help="Only this group and what is shared.")
@click.option(
    "-n",
    "--limit",
    metavar="N",
    type=LimitType(min=1),
    help="Hits at most. [default: 10, or search.limit]",
)
@click.option(
    "--exact", is_flag=True, help="Lines that contain the text, upper and lower case alike; no index."
)
@click.option(
    "--mode",
    type=click.Choice(["lexical", "semantic", "hybrid"]),
    help="By words, by what they mean, or by both. [default: lexical, or search.mode]",
)
@click.option("--embedder", metavar="CMD", help="A command that makes vectors, for semantic and hybrid.")
@click.option("-C", "--context", metavar="N", type=LimitType(min=0), default=0, help="Lines around each hit.")
@click.option("--explain", is_flag=True, help="Say each hit's score and what was looked into.")
@click.option("--paths", "only_paths", is_flag=True, help="Print each path once instead of lines.")
@click.option("-0", "--null", is_flag=True, help="End each path with a NUL, for xargs -0.")
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
    """Find what the memory says about something.

    What is on disk when the command starts is what is searched: documents, and what was said in turns,
    message by message. With --session, --speaker or --chat only messages are searched; MEMTOOL_SESSION
    narrows nothing. One file has at most half of the hits, unless no other document has any; --path
    searches one alone. Hits print as path:line: text. Exits 0 with hits, 1 when there are none, and 3 when
    there are none but something could not be read.
    """
    from memtool.cli.searching import search
    from memtool.core.records.search import SearchArguments

    if null and not only_paths:
        raise click.UsageError("-0 needs --paths")
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
