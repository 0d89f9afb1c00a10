"""`memtool import`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from functools import partial

import click

from memtool.cli import output
from memtool.cli.options import REDACT_OPTION, MemtoolCommand
from memtool.cli.parse.input_file import open_stdin
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, MemtoolError, PartlyApplied, UnreadableFile
from memtool.store.external.transcript_files import OpenTranscript, find_transcripts, open_transcript, spool
from memtool.verbs.history.import_ import (
    TRANSCRIPT_FORMATS,
    ImportReport,
    TranscriptImporter,
    recognise_transcript,
)
from memtool.verbs.turns.history import last_seq

_NAMED = 3
"""The most files that the message on files that are not transcripts names."""
_MOST_HELD = 10_000
"""The most skipped lines that are held back."""
_NO_JSON = ("is not JSON", "is truncated")
"""How the reason for skipping a line that is not JSON begins."""


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

    AGENT is one of: claude-code, codex, openclaw, pi, qwen, gemini, opencode, cline, hermes, nano,
    openlegion, chatgpt, claude-ai, anthropic or openai. Without AGENT, the format of each file is detected. A
    PATH may be a folder, or - for stdin. Keeps the order, times and ids of the messages. Turns that have
    already been imported, and lines that cannot be read, are skipped. If the last turn of a conversation has
    grown since it was imported, the stored turn is extended. Prints a line for each file: its path, its
    agent, and the numbers of new, extended and already imported turns, of stored facts, of skipped lines, and
    of texts skipped because the user has asked for them to be forgotten. Only the memories that ChatGPT had
    saved are stored as facts; to record the facts that the user states in the messages, run the command that
    is printed at the end. Lists unrecognised files on stderr. Exits 1 when no turn was found, and 20 when
    only some of the PATHs could be imported.
    """
    from memtool.store.config.schemas import invalid_reason

    group = session.group(group, writes=True) or None
    agent, paths = (given[0], given[1:]) if given[0] in TRANSCRIPT_FORMATS else (None, given)
    if not paths:
        raise click.UsageError("no path given; give a file, a folder, or - for stdin")
    session.refuse_files([path for path in paths if path != "-"])
    _check_paths(paths, has_agent=agent is not None)
    skipped = _SkippedLines()
    importer = TranscriptImporter(
        session.workspace,
        session.search_indexes().turns,
        session.now,
        group=group,
        owner=session.owner,
        more=session.owner_ids,
        redacts=redact,
        skipped=skipped.add,
        invalid_reason=partial(invalid_reason, "turn"),
    )
    worst, turn_count, imported, written = 0, 0, 0, 0
    last = last_seq(session.workspace, group)
    unknown: list[str] = []
    for path in paths:
        try:
            names = ["-"] if path == "-" else find_transcripts(path)
            for name in names:
                source = (
                    spool(open_stdin()) if name == "-" else open_transcript(name, session.progress("reading"))
                )
                try:
                    summary = _import_file(importer, source, agent, alone=names == [path])
                except MemtoolError:
                    skipped.print()
                    raise
                if summary:
                    skipped.print_for(summary, source)
                turn_count += summary.total if summary else 0
                imported += summary.imported if summary else 0
                if summary and session.workspace.writes:
                    written += summary.imported + summary.grown
                worst = worst if summary or names != [path] else 2
                unknown += [] if summary or names == [path] else [name]
                if summary:
                    _show(session, summary)
        except MemtoolError as error:
            if len(paths) == 1 and (not written or error.exit_code == PartlyApplied.exit_code):
                raise
            if len(paths) == 1:
                raise PartlyApplied(error, f"{output.plural(written, 'turn')} imported") from error
            output.print_message(str(error))
            worst = error.exit_code
    if unknown:
        session.notice(_describe_unknown(unknown))
    if imported and session.workspace.writes:
        of = f" --group {shlex.quote(group)}" if group else ""
        of += f" --user {shlex.quote(session.owner_ids['user'])}" if "user" in session.owner_ids else ""
        session.notice(
            "the messages are stored and searchable; to record the facts in them as well, run: "
            f"memtool replay --json --since-seq {last}{of} | memtool scan --jsonl{of}"
        )
    if not (worst or turn_count):
        known = f" in any {agent} format that memtool reads" if agent else ""
        hint = "" if agent else "; if the format is not recognised, give the agent's name before the path"
        session.notice(f"no turns found{known}{hint}")
    if worst and written:
        return PartlyApplied.exit_code
    return worst or int(not turn_count)


def _check_paths(paths: Sequence[str], *, has_agent: bool) -> None:
    """Check that each path exists.

    Raises BadUsage for one that does not, with the agent that the first one was probably meant to name, and
    UnreadableFile for one in a folder that may not be entered.
    """
    for number, path in enumerate(paths):
        if path == "-":
            continue
        try:
            os.lstat(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            is_agent = number == 0 and not has_agent and "/" not in path
            raise BadUsage(_missing_path(path, is_agent=is_agent and len(paths) > 1)) from error
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UnreadableFile(f"{path} cannot be read: {reason.lower()}; nothing was imported") from error


def _missing_path(path: str, *, is_agent: bool) -> str:
    """The sentence for a path that does not exist; `is_agent` where an agent's name may stand there."""
    from difflib import get_close_matches

    from memtool.cli.wrong_usage import similar_path
    from memtool.store.root import unexpanded

    if fault := unexpanded(path):
        return f"no such file or directory; {fault}; nothing was imported"
    near = [name for name in TRANSCRIPT_FORMATS if name.startswith(f"{path}-")]
    if near := near or get_close_matches(path, TRANSCRIPT_FORMATS, n=1):
        names = " or ".join(map(repr, near))
        return f"no such file or directory: {path!r} (did you mean the agent {names}?)"
    if is_agent:
        return f"{path!r} is neither an agent nor a file; the agents are {', '.join(TRANSCRIPT_FORMATS)}"
    return f"no such file or directory: {path!r}{similar_path(path)}; nothing was imported"


class _SkippedLines:
    """The skipped lines of one file, held back until it is known whether the file is a transcript at all."""

    def __init__(self) -> None:
        self._held: list[tuple[str, int, str]] = []

    def add(self, name: str, line: int, reason: str) -> None:
        """Note a skipped line, or a skipped turn as line 0."""
        self._held.append((name, line, reason))
        if len(self._held) >= _MOST_HELD:
            self.print()

    def print(self) -> None:
        """Print a message for each line that is held back."""
        for name, line, reason in self._held:
            output.print_message(
                f"{name}:{line}: {reason}; skipped" if line else f"{name}: {reason}; skipped"
            )
        self._held.clear()

    def print_for(self, summary: ImportReport, source: OpenTranscript) -> None:
        """Print what was skipped of a file; one message if no line of the file is JSON."""
        reasons = [reason for _, _, reason in self._held]
        if reasons and len(reasons) == summary.skipped and all(why.startswith(_NO_JSON) for why in reasons):
            lines = sum(bool(line.strip()) for _, line in source.lines())
            if lines == len(reasons):
                which = "its only line is not" if lines == 1 else f"none of its {lines} lines is"
                output.print_message(f"{summary.name} is not a transcript of {summary.agent}: {which} JSON")
                self._held.clear()
        self.print()


def _import_file(
    importer: TranscriptImporter, source: OpenTranscript, agent: str | None, *, alone: bool
) -> ImportReport | None:
    """Import one file; None for a file that is not a transcript, with a message if it is the only one."""
    name = agent or recognise_transcript(source)
    if name is None:
        if alone:
            output.print_message(
                f"{source.name} is not in a known transcript format; if it is a transcript, give "
                f"the name of its agent ({', '.join(TRANSCRIPT_FORMATS)}) before the path"
            )
        return None
    return importer.import_file(source, name)


def _describe_unknown(names: list[str]) -> str:
    """The sentence for files of a folder that are not transcripts; it names the first of them."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"skipped files that are not in a known transcript format: {', '.join(names[:_NAMED])}{more}"


def _show(session: Session, summary: ImportReport) -> None:
    counts = {
        key: getattr(summary, key) for key in ("imported", "grown", "known", "facts", "skipped", "forgotten")
    }
    if session.json:
        if not session.dry_run:
            output.put_json({"path": summary.name, "agent": summary.agent, **counts})
    else:
        text = output.counted({key: count for key, count in counts.items() if count or key == "imported"})
        session.report(summary.name, summary.agent, text)
    if session.dry_run:
        for plan in summary.plans:
            session.show_plan(plan)
    output.flush()
