"""`memtool get`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.privacy.recalled import text_for_model
from memtool.errors import BadUsage
from memtool.verbs.access.get import get, path_of


@click.command(
    "get",
    cls=MemtoolCommand,
    epilog="""
memtool get MEMORY.md                       all of it
memtool get memory/2025-01-15.md -l 10:20   some lines
memtool get --role long-term                by what it is for
memtool get --group family MEMORY.md        of a group
""",
)
@click.argument("path", required=False)
@click.option(
    "-l", "--lines", metavar="A:B", help="Only these lines, counted from 1; either end may be left out."
)
@click.option("--role", metavar="ROLE", help="The file of this role, instead of a path.")
@click.option("--raw", is_flag=True, help="Print the exact bytes, for programs that write them back.")
@click.option("--group", metavar="GROUP", help="A file of this group, or of what is shared.")
@pass_session
def command(
    session: Session, path: str | None, lines: str | None, role: str | None, raw: bool, group: str | None
) -> int:
    """Print a memory file, or some lines of it.

    A path begins at the workspace's root. Only files that the layout lets an agent read are printed; anything
    outside, by whatever trick, is refused with exit code 13. Control, invisible and text-direction characters
    and tags of memory are taken out of what is printed, unless --raw is given. Exits 1 when the file is not
    there.
    """
    if (path is None) == (role is None):
        raise click.UsageError("give a path, or a role with --role")
    scope = session.decide_scope(group)
    name = path if path is not None else path_of(session.workspace, role or "")
    lines_read = get(session.workspace, name, scope, _parse_range(lines))
    if lines_read is None:
        session.notice(f"{name}: no such file")
        return 1
    if not lines_read.text and lines:
        session.notice(f"{name} has only {lines_read.last} lines")
        return 1
    text = lines_read.text if raw else text_for_model(lines_read.text)
    if session.json:
        first, last = lines_read.first, lines_read.last
        output.put_json({"path": str(lines_read.path), "line": first, "end_line": last, "text": text})
    else:
        output.put_raw(text)
    return 0


def _parse_range(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    first, colon, last = text.partition(":")
    if not colon:
        last = first
    for number in (first, last):
        if number and not (number.isascii() and number.isdecimal() and int(number) > 0):
            raise BadUsage(f"--lines: invalid range {text!r}; give one such as 10:20")
    if first and last and int(first) > int(last):
        raise BadUsage(f"--lines: range {text!r} begins after its end")
    return int(first) if first else None, int(last) if last else None
