"""`memtool import`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial

import click

from memtool.cli import output
from memtool.cli.options import REDACT_OPTION, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, MemtoolError
from memtool.store.external.transcript_files import OpenTranscript, find_transcripts, open_transcript, spool
from memtool.verbs.history.import_ import (
    TRANSCRIPT_FORMATS,
    ImportReport,
    TranscriptImporter,
    recognise_transcript,
)

_NAMED = 3
"""Files that are named where many are no transcripts."""


@click.command(
    "import",
    cls=MemtoolCommand,
    epilog="""
memtool import claude-code ~/.claude/projects/-home-me-pottery      all sessions of a project
memtool import ~/.codex/sessions                                    detect the agent
memtool import chatgpt conversations.json --no-redact               keep secrets in plain text
jq .messages request.json | memtool import openai -                 from a pipe
memtool import --dry-run session.jsonl                              show what would be written
""",
)
@click.argument("given", metavar="[AGENT] PATH...", nargs=-1, required=True)
@REDACT_OPTION
@click.option(
    "--group", metavar="GROUP", help="Import into the history of this group [default: MEMTOOL_GROUP]"
)
@pass_session
def command(session: Session, given: tuple[str, ...], redact: bool, group: str | None) -> int:
    """Import transcripts of other agents into the history

    AGENT is claude-code, codex, openclaw, pi, qwen, gemini, opencode, hermes, nano, openlegion, chatgpt,
    claude-ai, anthropic or openai. Without AGENT, the format of each file is detected. A PATH may be a
    folder, or - for stdin. Keeps the order, times and ids of the messages. Turns that were imported before
    and lines that cannot be read are skipped. If the last turn of a conversation has grown since it was
    imported, it is extended. Prints a line for each file: its path, its agent, and the numbers of new,
    extended and already imported turns, of recorded facts, of skipped lines, and of texts skipped because the
    user asked to forget them. Lists unrecognised files on stderr. Exits 1 when no turn was found.
    """
    from memtool.store.config.schemas import invalid_reason

    group = session.group(group, writes=True) or None
    agent, paths = (given[0], given[1:]) if given[0] in TRANSCRIPT_FORMATS else (None, given)
    if not paths:
        raise click.UsageError("no path given; give a file, a folder, or - for stdin")
    session.refuse_files([path for path in paths if path != "-"])
    _check_paths(paths)
    importer = TranscriptImporter(
        session.workspace,
        session.search_indexes().turns,
        session.now,
        group=group,
        owner=session.owner,
        more=session.owner_ids,
        redacts=redact,
        skipped=_report_skipped,
        invalid_reason=partial(invalid_reason, "turn"),
    )
    worst, turn_count = 0, 0
    unknown: list[str] = []
    for path in paths:
        try:
            names = ["-"] if path == "-" else find_transcripts(path)
            for name in names:
                source = (
                    spool(sys.stdin.buffer)
                    if name == "-"
                    else open_transcript(name, session.progress("reading"))
                )
                summary = _import_file(importer, source, agent, alone=names == [path])
                turn_count += summary.total if summary else 0
                worst = worst if summary or names != [path] else 2
                unknown += [] if summary or names == [path] else [name]
                if summary:
                    _show(session, summary)
        except MemtoolError as error:
            if len(paths) == 1:
                raise
            output.print_message(str(error))
            worst = error.exit_code
    if unknown:
        session.notice(_describe_unknown(unknown))
    if not (worst or turn_count):
        session.notice(
            "no turns found; if the format is not recognised, give the agent's name before the path"
        )
    return worst or int(not turn_count)


def _check_paths(paths: Sequence[str]) -> None:
    """Raise BadUsage for a path that does not exist, with the agent that it was probably meant to name."""
    for number, path in enumerate(paths):
        if path != "-" and not os.path.lexists(path):
            from difflib import get_close_matches

            near: list[str] = []
            if number == 0:
                near = [name for name in TRANSCRIPT_FORMATS if name.startswith(f"{path}-")]
                near = near or get_close_matches(path, TRANSCRIPT_FORMATS, n=1)
            names = " or ".join(map(repr, near))
            hint = f" (did you mean the agent {names}?)" if near else "; nothing was imported"
            raise BadUsage(f"no such file or directory: {path!r}{hint}")


def _import_file(
    importer: TranscriptImporter, source: OpenTranscript, agent: str | None, *, alone: bool
) -> ImportReport | None:
    """Import one file; None for a file that is not a transcript, with a message if it is the only one."""
    name = agent or recognise_transcript(source)
    if name is None:
        if alone:
            output.print_message(
                f"{source.name} is not in a known transcript format; if it is a transcript, give "
                "the agent's name before the path"
            )
        return None
    return importer.import_file(source, name)


def _describe_unknown(names: list[str]) -> str:
    """The sentence for files of a folder that are no transcripts, with the first names."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"skipped files that are not in a known transcript format: {', '.join(names[:_NAMED])}{more}"


def _report_skipped(name: str, line: int, why: str) -> None:
    output.print_message(f"{name}:{line}: {why}; skipped" if line else f"{name}: {why}; skipped")


def _show(session: Session, summary: ImportReport) -> None:
    counts = {
        key: getattr(summary, key) for key in ("imported", "grown", "known", "facts", "skipped", "forgotten")
    }
    if session.json:
        if not session.dry_run:
            output.put_json({"path": summary.name, "agent": summary.agent, **counts})
    else:
        text = ", ".join(f"{count} {key}" for key, count in counts.items() if count or key == "imported")
        session.report(summary.name, summary.agent, text)
    if session.dry_run:
        for plan in summary.plans:
            session.show_plan(plan)
    output.flush()
