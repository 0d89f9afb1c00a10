"""`memtool truncate`."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.session import Session, pass_session
from memtool.core.text.truncate import TOOL_RESULT_LIMIT, truncate
from memtool.errors import BadUsage

_BLOCK = 1 << 16


@click.command(
    "truncate",
    cls=MemtoolCommand,
    epilog="""
cargo build 2>&1 | memtool truncate           at most 8,000 characters
memtool truncate --max 2000 build.log         at most 2,000 characters of a file
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option(
    "--max",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    default=TOOL_RESULT_LIMIT,
    help="Print at most N characters [default: 8000]",
)
@pass_session
def command(session: Session, source: BinaryIO | None, most: int) -> int:
    """Shorten a text to a limit, keeping its beginning and end

    Reads FILE or stdin. A text longer than the limit keeps its beginning (70% of the limit) and its end
    (20%), with a line between them that states how many characters were removed. A text within the limit is
    printed unchanged. Needs no workspace.
    """
    if source is None and (sys.stdin is None or sys.stdin.isatty()):
        raise BadUsage("no text given; name a file, or pipe the text to stdin")
    pieces = [*truncate(_pieces(source or sys.stdin.buffer), most)]
    if session.json:
        output.put_json({"text": "".join(pieces), "truncated": len(pieces) > 1})
    else:
        for piece in pieces:
            output.put_text(piece)
    return 0


def _pieces(source: BinaryIO) -> Iterator[str]:
    """The text in pieces; a byte that is not UTF-8 becomes a lone surrogate, and is printed unchanged."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    while block := source.read(_BLOCK):
        yield decoder.decode(block)
    yield decoder.decode(b"", final=True)
