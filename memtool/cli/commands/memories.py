"""`memtool memories`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.memories.memory_commands import COMMANDS
from memtool.core.memories.memory_replies import STYLES, CommandRefused, refusal_reply
from memtool.errors import BadUsage, MemtoolError, PartlyApplied
from memtool.verbs.memories.memories import MemoryToolAnswer, MemoryToolOptions, answer_command

_FIELDS = ("view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text")


@click.command(
    "memories",
    cls=MemtoolCommand,
    epilog="""
echo '{"command": "view", "path": "/memories"}' | memtool memories
memtool memories --jsonl --json < commands.jsonl     a command a line, a reply a line
memtool memories view /memories/customers.md --view-range 1 5
memtool memories create /memories/todo.md --file-text - < todo.md
memtool memories rename /memories/todo.md /memories/done.md
""",
)
@click.argument("name", metavar="[COMMAND|-]", type=click.Choice([*COMMANDS, "-"]), required=False)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--jsonl", is_flag=True, help="A command a line; a line that is none is a reply, too.")
@click.option("--style", type=click.Choice([*STYLES]), default="sdk", help="Whose wording. [default: sdk]")
@click.option("--verbatim", is_flag=True, help="Store secrets as they are.")
@click.option("--group", metavar="GROUP", help="In the memory of this group.")
@click.option(
    "--view-range", metavar="A B", type=int, nargs=2, help="Of view: only these lines; -1 is the end."
)
@click.option("--file-text", metavar="TEXT|-", help="Of create: what the file holds.")
@click.option("--old-str", metavar="TEXT|-", help="Of str_replace: what stands there once.")
@click.option("--new-str", metavar="TEXT|-", help="Of str_replace: what shall stand there.")
@click.option("--insert-line", metavar="N", type=int, help="Of insert: behind which line; 0 is the top.")
@click.option("--insert-text", metavar="TEXT|-", help="Of insert: the lines.")
@pass_session
def command(
    session: Session,
    /,
    name: str | None,
    paths: tuple[str, ...],
    jsonl: bool,
    style: str,
    verbatim: bool,
    group: str | None,
    **fields: Any,
) -> int:
    """Answer a command of Anthropic's memory tool, on the files under /memories.

    Reads one JSON command from stdin (view, create, str_replace, insert, delete, rename: the fields of
    memory_20250818), or takes it as options. Prints the reply with the wording that the model was trained on;
    with --json it is {"is_error", "content"}. Exits 1 when the reply, or one of them, is an error; 11 or 19
    when the lock or the disk refused a command, and 20 when it carried out others of --jsonl.
    """
    given = {key: fields[key] for key in _FIELDS if fields[key] is not None}
    as_options = name is not None and name != "-"
    if (paths or given) and not as_options:
        raise click.UsageError("these options need a command, such as view /memories")
    if as_options and jsonl:
        raise click.UsageError("--jsonl reads commands from stdin; remove the command")
    how = MemoryToolOptions(style, verbatim, session.group(group, writes=True) or None, session.owner)
    workspace, failed, is_written = session.workspace, False, False
    failure: MemtoolError | None = None
    records = [_record(str(name), paths, given)] if as_options else _records(jsonl=jsonl)
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
        output.put_text(content)
    session.show_plan(answered.plan)
    output.flush()


def _record(name: str, paths: tuple[str, ...], given: dict[str, Any]) -> dict[str, Any]:
    """The command that the options describe. Raises UsageError for too many or too few paths."""
    names = ("old_path", "new_path") if name == "rename" else ("path",)
    if len(paths) != len(names):
        raise click.UsageError(f"{name} takes {'two paths' if len(names) > 1 else 'one path'}")
    if list(given.values()).count("-") > 1:
        raise click.UsageError("only one option can read stdin")
    read = {key: _read_stdin() for key, value in given.items() if value == "-"}
    return {"command": name, **dict(zip(names, paths, strict=True)), **given, **read}


def _records(*, jsonl: bool) -> Iterable[object]:
    """The JSON values on stdin, each parsed as soon as it is read; a Refused for invalid JSON."""
    if sys.stdin is None or sys.stdin.isatty():
        raise BadUsage(
            "no command given; pipe its JSON to stdin, or give it: memtool memories view /memories"
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
        return CommandRefused("json", reason=str(error))


def _read_stdin() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise BadUsage("no text given; pipe it to stdin")
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
