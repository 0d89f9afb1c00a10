"""`memtool search`."""

from __future__ import annotations

from typing import Any

import click

from memtool.cli import output
from memtool.cli.options import Command, Count
from memtool.cli.session import Session, pass_session

_MANY = 10_000
_IN_ONE = 50  # hits in one file, before another file is thought of


@click.command(
    "search",
    cls=Command,
    epilog="""
memtool search kiln schedule              ranked: more of the words first
memtool search '"cone 6" -white'          a phrase, and not a word
memtool search 'role:daily-note mug*'     in one role; words that begin so
memtool search 'speaker:user cone'        only what the user said, in turns
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
@click.option("--since", metavar="DAY", help="Only what is dated from this day on: 2025-01-15, 30d, 2w.")
@click.option("--until", metavar="DAY", help="Only what is dated up to this day.")
@click.option("--group", metavar="GROUP", help="Only this group and what is shared.")
@click.option(
    "-n",
    "--limit",
    metavar="N",
    type=Count(min=1),
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
@click.option("-C", "--context", metavar="N", type=Count(min=0), default=0, help="Lines around each hit.")
@click.option("--explain", is_flag=True, help="Say each hit's score and what was looked into.")
@click.option("--paths", is_flag=True, help="Print each path once instead of lines.")
@click.option("-0", "--null", is_flag=True, help="End each path with a NUL, for xargs -0.")
@pass_session
def command(session: Session, /, query: tuple[str, ...], **options: Any) -> int:
    """Find what the memory says about something.

    What is on disk when the command starts is what is searched: documents, and what was said in turns,
    message by message. Hits print as path:line: text. Exits 0 with hits, 1 when there are none, and 3 when
    there are none but something could not be read.
    """
    from memtool.cli.questions import ask

    if options["null"] and not options["paths"]:
        raise click.UsageError("-0 goes with --paths")
    most = options["limit"]
    if options["paths"]:  # several hits may lie in one file
        options["limit"] = _MANY if most is None else max(most, min(_MANY, most * _IN_ONE))
    answer = ask(session, {"text": " ".join(query), **options})
    for notice in answer["notices"]:
        session.notice(notice)
    if options["paths"]:
        for path in [*dict.fromkeys(hit["path"] for hit in answer["hits"])][:most]:
            if session.json:
                output.put_json({"path": path})
            else:
                output.put_raw(path, "\0" if options["null"] else "\n")
    elif session.json:
        for hit in answer["hits"]:
            output.put_json(hit)
    else:
        _print(answer["hits"])
    for line in answer["details"] if options["explain"] else answer["details"][:1]:
        (output.say if options["explain"] else session.detail)(line)
    return int(answer["exit"])


def _print(hits: list[dict[str, Any]]) -> None:
    colours = output.coloured()
    for number, hit in enumerate(hits):
        around = hit.get("context")
        if around and number:
            output.put("--")
        for line, text in around["before"] if around else ():
            output.put(_line(hit["path"], line, "-", output.printable(text), colours=colours))
        snippet = hit["snippet"]
        if colours:
            snippet = output.painted(snippet, [(start, end) for start, end in hit["spans"]], "match")
        output.put(_line(hit["path"], hit["line"], ":", snippet, colours=colours))
        for line, text in around["after"] if around else ():
            output.put(_line(hit["path"], line, "-", output.printable(text), colours=colours))


def _line(path: str, line: int, mark: str, text: str, *, colours: bool) -> str:
    path, number = output.printable(path), str(line)
    if colours:
        path, number = output.paint(path, "path"), output.paint(number, "line")
    return f"{path}{mark}{number}{mark} {text}".rstrip()
