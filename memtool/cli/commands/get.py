"""`memtool get`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.privacy.recalled import text_for_model
from memtool.errors import BadUsage
from memtool.store.root import path_from_root
from memtool.verbs.access.get import get, parse_hit, path_of, similar_files


@click.command(
    "get",
    cls=MemtoolCommand,
    epilog="""
memtool get MEMORY.md                       the whole file
memtool get memory/2025-01-15.md -l 10:20   lines 10 to 20
memtool get MEMORY.md:7                     one line, as search prints it
memtool get --role long-term                the file of a role
memtool get --group family MEMORY.md        a file of a group
""",
)
@click.argument("path", required=False)
@click.option(
    "-l",
    "--lines",
    metavar="A:B",
    help="Print only lines A to B, counted from 1; either may be omitted [default: all]",
)
@click.option("--role", metavar="ROLE", help="Print the file of this role, instead of the file at PATH")
@click.option("--raw", is_flag=True, help="Print the exact bytes; do not remove or replace characters")
@click.option(
    "--group", metavar="GROUP", help="Read files of GROUP and of groups/global [default: MEMTOOL_GROUP]"
)
@pass_session
def command(
    session: Session, path: str | None, lines: str | None, role: str | None, raw: bool, group: str | None
) -> int:
    """Print a memory file, or some lines of it

    PATH is relative to the root of the workspace, and may end with a line number, as in the hits that search
    prints: MEMORY.md:12 selects line 12. Prints only files that the layout allows agents to read. For a
    stored turn (a JSON file), prints an error that names the memtool replay command to use instead. Unless
    --raw is given, removes control and invisible characters, and replaces the "<" of memtool's own tag
    <memory-context> with "[". Exits 1 when the file does not exist, and 13 when PATH is outside the workspace
    or must not be printed.
    """
    wanted = _parse_range(lines)
    if (path is None) == (role is None):
        raise click.UsageError(
            "give either a path or --role ROLE; to print a fact, run memtool facts show ID; to search for "
            "text, run memtool search TEXT"
        )
    scope = session.decide_scope(group)
    path = path and path_from_root(path, session.root)
    name = path if path is not None else path_of(session.workspace, role or "")
    if path is not None and lines is None:
        name, line = parse_hit(session.workspace, path)
        wanted = (line, line)
    lines_read = get(session.workspace, name, scope, wanted)
    if lines_read is None:
        file, colon, number = name.rpartition(":")
        if colon and get(session.workspace, file, scope, (None, None)) is not None:
            if lines is not None:
                raise BadUsage(f"{name!r} already names a line, so it cannot be combined with --lines")
            raise BadUsage(f"{file}: {number!r} is not a line number")
        from memtool.cli.other_names import call_for_id

        near = similar_files(session.workspace, name, scope)
        hint = (
            f" (did you mean {' or '.join(near)}?)" if near else "; memtool search finds files by their text"
        )
        if not near and (call := call_for_id(name)):
            hint = f"; if this is an id, run: memtool {call}"
        output.print_message(f"{name}: no such file{hint}")
        return 1
    if not lines_read.text and wanted != (None, None):
        output.print_message(f"{name} has only {output.plural(lines_read.last, 'line')}")
        return 1
    text = lines_read.text if raw else text_for_model(lines_read.text)
    if session.json:
        first, last = lines_read.first, lines_read.last
        output.put_json({"path": str(lines_read.path), "line": first, "end_line": last, "text": text})
    else:
        output.put_text(text)
    return 0


def _parse_range(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    first, colon, last = text.partition(":")
    if not colon:
        last = first
    for number in (first, last):
        if number and not (number.isascii() and number.isdecimal() and int(number) > 0):
            raise BadUsage(f"--lines: invalid range {text!r}; use a form such as 10:20")
    if first and last and int(first) > int(last):
        raise BadUsage(f"--lines: invalid range {text!r}; the start is after the end")
    return int(first) if first else None, int(last) if last else None
