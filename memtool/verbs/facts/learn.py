"""learn: record an error, a correction or a win as a dated line of learnings (five-layer memory)."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.duplicates import DuplicateIndex
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage
from memtool.formats.learnings import add, parse, parse_entry, render_entry, rotate
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

    Raises BadUsage for an empty text, and the errors of writing.
    """
    with workspace.lock():
        if is_forgotten(workspace, text, owner):
            return LearnReport(workspace.layout.path("learnings", name=KINDS[kind]), "", is_forgotten=True)
        report = learn_plan(workspace, kind, text, now, owner, tool)
        workspace.commit(report.plan)
    return report


def learn_plan(
    workspace: Workspace, kind: str, text: str, now: datetime, owner: Owner | None, tool: str | None = None
) -> LearnReport:
    """The report of `learn`, whose plan is not committed yet. Call it under the lock. Raises BadUsage."""
    words = one_line(redact(clean(text)), MAX_LEARNING_CHARS)
    if not words:
        raise BadUsage("there is nothing to learn from an empty text")
    if tool is not None and (tool_name := one_line(redact(clean(tool)), 100)):
        words = f"{tool_name}: {words}"
    name = KINDS[kind]
    path = workspace.layout.path("learnings", name=name)
    document = workspace.read_text(path)
    text = document.text if document else f"# {name.title()}\n"
    file = EditableFile(path, text, document.etag if document else None)
    index = DuplicateIndex([fact for entry in parse(text).entries if (fact := parse_entry(entry))])
    if index.contains(Fact("learning", words, owner)):
        return LearnReport(path, words)
    entry = render_entry(format_moment(now.replace(microsecond=0)), words, owner)
    recent, old = rotate(add(text, entry), MAX_FILE_CHARS)
    archive = workspace.layout.path("learnings-archive", name=name)
    plan = append_plan(workspace, archive, "".join(old), f"# {name.title()}\n\n") + file.rewrite_plan(recent)
    return LearnReport(path, entry, plan, len(old), is_new=True)
