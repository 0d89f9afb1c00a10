"""learn: record an error, a correction or a win as a dated line of learnings (five-layer memory)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.capture.withheld import has_private_sentences
from memtool.core.facts.duplicates import DuplicateIndex
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage
from memtool.formats.learnings import (
    LearningsFile,
    add,
    count_of,
    parse,
    parse_entry,
    render_entry,
    rotate,
)
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import EditableFile, append_plan
from memtool.verbs.memory_files.forgotten import is_forgotten

KINDS = {"error": "errors", "correction": "corrections", "win": "wins"}
"""The kinds of learnings, and the name of each kind's file."""
MAX_FILE_CHARS = 50_000
"""Characters of a file of learnings above which its older half is archived."""
MAX_LEARNING_CHARS = 1_000
"""Characters of a learning; longer ones are clipped at a word."""


class LearnReport(Struct, frozen=True):
    """The line, its file, whether it is new or was forgotten, the number of archived lines, and the plan."""

    path: PurePosixPath
    line: str
    plan: Plan = ()
    archived: int = 0
    is_new: bool = False
    is_forgotten: bool = False


@retry_when_stale
def learn(
    workspace: Workspace, kind: str, text: str, now: datetime, owner: Owner | None, tool: str | None = None
) -> LearnReport:
    """Record a learning of a kind in KINDS, unless the owner has it already or it was forgotten.

    Raises BadUsage for an empty text and for one that asks not to be kept, and the errors of writing.
    """
    if has_private_sentences(text):
        raise BadUsage("the text contains a request not to store it; nothing was recorded")
    with workspace.lock():
        if is_forgotten(workspace, text, owner):
            return LearnReport(workspace.layout.path("learnings", name=KINDS[kind]), "", is_forgotten=True)
        report = learn_plan(workspace, kind, text, now, owner, tool)
        workspace.commit(report.plan)
    return report


def failures_plan(workspace: Workspace, texts: Sequence[str], now: datetime, owner: Owner | None) -> Plan:
    """The plan that records failures of tools; one that its owner has already counts, and becomes the newest.

    What was forgotten is left out. Call it under the lock.
    """
    words = [line for text in texts if (line := one_line(redact(clean(text)), MAX_LEARNING_CHARS))]
    words = [line for line in words if not is_forgotten(workspace, line, owner)]
    if not words:
        return ()
    file = _open(workspace, "error")
    text, at = file.text, format_moment(now.replace(microsecond=0))
    for line in words:
        parsed, known = parse(text), Fact("learning", line, owner)
        same = [entry for entry in parsed.entries if parse_entry(entry) == known]
        others = tuple(entry for entry in parsed.entries if entry not in same)
        count = 1 + sum(map(count_of, same))
        text = add(LearningsFile(parsed.head, others).text, render_entry(at, line, owner, count))
    return _rotated_plan(workspace, "error", file, text)[0]


def learn_plan(
    workspace: Workspace, kind: str, text: str, now: datetime, owner: Owner | None, tool: str | None = None
) -> LearnReport:
    """The report of `learn`, whose plan is not committed yet. Call it under the lock. Raises BadUsage."""
    words = one_line(redact(clean(text)), MAX_LEARNING_CHARS)
    if not words:
        raise BadUsage("the text is empty; nothing was recorded")
    if tool is not None and (tool_name := one_line(redact(clean(tool)), 100)):
        words = f"{tool_name}: {words}"
    file = _open(workspace, kind)
    index = DuplicateIndex([fact for entry in parse(file.text).entries if (fact := parse_entry(entry))])
    if index.contains(Fact("learning", words, owner)):
        return LearnReport(file.path, words)
    entry = render_entry(format_moment(now.replace(microsecond=0)), words, owner)
    plan, archived = _rotated_plan(workspace, kind, file, add(file.text, entry))
    return LearnReport(file.path, entry, plan, archived, is_new=True)


def _open(workspace: Workspace, kind: str) -> EditableFile:
    """The file of a kind of learnings; a new one begins with a heading."""
    path = workspace.layout.path("learnings", name=KINDS[kind])
    document = workspace.read_text(path)
    text = document.text if document else f"# {KINDS[kind].title()}\n"
    return EditableFile(path, text, document.etag if document else None)


def _rotated_plan(workspace: Workspace, kind: str, file: EditableFile, text: str) -> tuple[Plan, int]:
    """The plan that writes a text, its older half archived if it is too long, and the archived entries."""
    recent, old = rotate(text, MAX_FILE_CHARS)
    archive = workspace.layout.path("learnings-archive", name=KINDS[kind])
    heading = f"# {KINDS[kind].title()}\n\n"
    return append_plan(workspace, archive, "".join(old), heading) + file.rewrite_plan(recent), len(old)
