"""`memtool memories`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.memories.memory_replies import STYLES, CommandRefused, refusal_reply
from memtool.core.text.json_fault import value_fault
from memtool.errors import BadUsage, MemtoolError, PartlyApplied
from memtool.verbs.memories.memories import MemoryToolAnswer, MemoryToolOptions, answer_command

_STYLE = click.option(
    "--style",
    type=click.Choice([*STYLES]),
    default="sdk",
    help="Word the replies as in Anthropic's SDK or as in Anthropic's documentation [default: sdk]",
)
_VERBATIM = click.option("--verbatim", is_flag=True, help="Store secrets unchanged [default: redact them]")
_GROUP = click.option(
    "--group", metavar="GROUP", help="Use the memory of this group [default: MEMTOOL_GROUP]"
)
_PATH = click.argument("path", metavar="PATH")


@click.command(
    "answer",
    cls=MemtoolCommand,
    epilog="""
echo '{"command": "view", "path": "/memories"}' | memtool memories
memtool memories --jsonl --json < commands.jsonl
""",
)
@click.argument("source", metavar="[-]", type=click.Choice(["-"]), required=False, expose_value=False)
@click.option(
    "--jsonl", is_flag=True, help="Read one command per line from stdin [default: a single command]"
)
@_STYLE
@_VERBATIM
@_GROUP
@pass_session
def _answer(session: Session, /, jsonl: bool, **options: Any) -> int:
    """Execute JSON commands from stdin

    A command is a JSON object with the fields of Anthropic's `memory_20250818` tool: `command`, `path` and
    so on. With --jsonl, prints a reply for each line, even for an invalid one.
    """
    return _execute(session, _records(jsonl=jsonl), **options)


@click.command(
    "view",
    cls=MemtoolCommand,
    epilog="""
memtool memories view /memories
memtool memories view /memories/customers.md --view-range 1 5
""",
)
@_PATH
@click.option(
    "--view-range",
    metavar="A B",
    type=int,
    nargs=2,
    help="Print only lines A to B; -1 is the last line [default: all lines]",
)
@_STYLE
@_GROUP
@pass_session
def _view(session: Session, /, path: str, view_range: tuple[int, int] | None, **options: Any) -> int:
    """Print a file with line numbers, or list a folder"""
    fields = {} if view_range is None else {"view_range": view_range}
    return _execute(session, [{"command": "view", "path": path, **fields}], **options)


@click.command(
    "create",
    cls=MemtoolCommand,
    epilog="""
memtool memories create /memories/todo.md --file-text "call Timur"
memtool memories create /memories/todo.md --file-text - < todo.md
""",
)
@_PATH
@click.option(
    "--file-text", metavar="TEXT|-", required=True, help="Content of the file, or - to read it from stdin"
)
@_STYLE
@_VERBATIM
@_GROUP
@pass_session
def _create(session: Session, /, path: str, file_text: str, **options: Any) -> int:
    """Create a file"""
    fields = _with_stdin(file_text=file_text)
    return _execute(session, [{"command": "create", "path": path, **fields}], **options)


@click.command(
    "str_replace",
    cls=MemtoolCommand,
    epilog="""
memtool memories str_replace /memories/customers.md --old-str Lindau --new-str Bregenz
memtool memories str_replace /memories/customers.md --old-str " (old)" --new-str ""
""",
)
@_PATH
@click.option(
    "--old-str",
    metavar="TEXT|-",
    required=True,
    help="Text to replace (must occur exactly once), or - to read it from stdin",
)
@click.option(
    "--new-str", metavar="TEXT|-", required=True, help="Replacement text, or - to read it from stdin"
)
@_STYLE
@_VERBATIM
@_GROUP
@pass_session
def _str_replace(session: Session, /, path: str, old_str: str, new_str: str, **options: Any) -> int:
    """Replace text that occurs exactly once in a file"""
    fields = _with_stdin(old_str=old_str, new_str=new_str)
    return _execute(session, [{"command": "str_replace", "path": path, **fields}], **options)


@click.command(
    "insert",
    cls=MemtoolCommand,
    epilog="""
memtool memories insert /memories/todo.md --insert-line 0 --insert-text "call Timur"
memtool memories insert /memories/todo.md --insert-line 3 --insert-text - < lines.txt
""",
)
@_PATH
@click.option(
    "--insert-line",
    metavar="N",
    type=int,
    required=True,
    help="Insert the text after line N; 0 inserts it at the top",
)
@click.option(
    "--insert-text", metavar="TEXT|-", required=True, help="Lines to insert, or - to read them from stdin"
)
@_STYLE
@_VERBATIM
@_GROUP
@pass_session
def _insert(session: Session, /, path: str, insert_line: int, insert_text: str, **options: Any) -> int:
    """Insert lines into a file"""
    fields = {"insert_line": insert_line, **_with_stdin(insert_text=insert_text)}
    return _execute(session, [{"command": "insert", "path": path, **fields}], **options)


@click.command(
    "delete",
    cls=MemtoolCommand,
    epilog="""
memtool memories delete /memories/todo.md
memtool memories delete --dry-run /memories/projects
""",
)
@_PATH
@_STYLE
@_GROUP
@pass_session
def _delete(session: Session, /, path: str, **options: Any) -> int:
    """Delete a file or a folder"""
    return _execute(session, [{"command": "delete", "path": path}], **options)


@click.command(
    "rename",
    cls=MemtoolCommand,
    epilog="""
memtool memories rename /memories/todo.md /memories/done.md
memtool memories rename --dry-run /memories/projects /memories/past
""",
)
@click.argument("old_path", metavar="OLD")
@click.argument("new_path", metavar="NEW")
@_STYLE
@_GROUP
@pass_session
def _rename(session: Session, /, old_path: str, new_path: str, **options: Any) -> int:
    """Rename or move a file or a folder"""
    record = {"command": "rename", "old_path": old_path, "new_path": new_path}
    return _execute(session, [record], **options)


command = ActionGroup(
    "memories",
    [_answer, _view, _create, _str_replace, _insert, _delete, _rename],
    default=_answer,
    help="""Execute a command of Anthropic's memory tool

    Without an action, reads a JSON command from stdin. Prints the reply in the wording of Anthropic's memory
    tool; with --json, prints an object with `is_error` and `content`. Exits 1 if a reply is an error. Exits
    11 if a command could not acquire the lock, and 19 if it could not write. With --jsonl, exits 20 instead
    of 11 or 19 if any other command in the input has written something.
    """,
    epilog="""
echo '{"command": "view", "path": "/memories"}' | memtool memories
memtool memories --jsonl --json < commands.jsonl
memtool memories view /memories/customers.md --view-range 1 5
memtool memories create /memories/todo.md --file-text - < todo.md
""",
)


def _execute(
    session: Session,
    records: Iterable[object],
    *,
    style: str,
    group: str | None,
    verbatim: bool = False,
) -> int:
    """Execute commands and print their replies; the exit code."""
    how = MemoryToolOptions(style, verbatim, session.group(group, writes=True) or None, session.owner)
    workspace, failed, is_written = session.workspace, False, False
    failure: MemtoolError | None = None
    for record in records:
        if isinstance(record, CommandRefused):
            answered = MemoryToolAnswer(refusal_reply(style, record))
        else:
            answered = answer_command(workspace, record, how)
        failed |= answered.reply.is_error
        is_written |= bool(answered.plan)
        failure = failure or answered.error
        _show(session, answered)
    if failure is not None:
        return PartlyApplied.exit_code if is_written else failure.exit_code
    return int(failed)


def _show(session: Session, answered: MemoryToolAnswer) -> None:
    content, is_error = answered.reply.content, answered.reply.is_error
    if session.json:
        output.put_json({"is_error": is_error, "content": content})
    else:
        output.put_text(content, "\n")
    session.show_plan(answered.plan)
    output.flush()


def _with_stdin(**texts: str) -> dict[str, str]:
    """The texts that were given, with stdin for `-`. Raises UsageError for more than one `-`."""
    if list(texts.values()).count("-") > 1:
        raise click.UsageError("only one option can read stdin")
    return {key: _read_stdin() if text == "-" else text for key, text in texts.items()}


def _records(*, jsonl: bool) -> Iterable[object]:
    """The JSON values on stdin, each parsed as soon as it is read; a Refused for invalid JSON."""
    if sys.stdin is None or sys.stdin.isatty():
        raise BadUsage(
            "no command given; pipe JSON to stdin, or name a command: memtool memories view /memories"
        )
    if not jsonl:
        yield _parse(sys.stdin.buffer.read())
        return
    for line in sys.stdin.buffer:
        if line.strip():
            yield _parse(line)


def _parse(raw: bytes) -> object:
    try:
        return json.loads(raw.decode("utf-8-sig"), strict=False)  # some shells' echo turns \\n into line ends
    except (ValueError, RecursionError) as error:
        return CommandRefused("json", reason=value_fault(error))


def _read_stdin() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise BadUsage("no text given; pipe the text to stdin")
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
