"""learn: record an error or a correction as a dated line of learnings (five-layer memory)."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.dedup import Said
from memtool.core.records.entry import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import spell
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.quote import one_line
from memtool.errors import BadUsage
from memtool.formats.learnings import added, line, rotated, said, split
from memtool.store.workspace import Workspace
from memtool.verbs.memory.editable_file import Opened, appended

KINDS = {"error": "errors", "correction": "corrections"}
"""The kinds of learnings, and the name of each kind's file."""
MOST = 50_000
"""Characters of a file of learnings above which its older half is archived."""
LONGEST = 1_000
"""Characters of a learning; longer ones are clipped at a word."""


class Learnt(Struct, frozen=True):
    """The line, its file, whether it is new, the number of archived lines, and the plan."""

    path: PurePosixPath
    line: str
    plan: Plan = ()
    archived: int = 0
    is_new: bool = False


def learn(
    workspace: Workspace, kind: str, text: str, now: datetime, owner: Owner | None, tool: str | None = None
) -> Learnt:
    """Record a learning of a kind in KINDS, unless the owner has it already.

    Raises BadUsage for an empty text, and the errors of writing.
    """
    words = one_line(redact(clean(text)), LONGEST)
    if not words:
        raise BadUsage("there is nothing to learn from an empty text")
    if tool is not None and (tool_name := one_line(redact(clean(tool)), 100)):
        words = f"{tool_name}: {words}"
    name = KINDS[kind]
    with workspace.lock():
        path = workspace.layout.path("learnings", name=name)
        document = workspace.read_text(path)
        text = document.text if document else f"# {name.title()}\n"
        file = Opened(path, text, document.etag if document else None)
        index = Said([fact for entry in split(text).entries if (fact := said(entry))])
        if index.says(Fact("learning", words, owner)):
            return Learnt(path, words)
        entry = line(spell(now.replace(microsecond=0)), words, owner)
        recent, old = rotated(added(text, entry), MOST)
        archive = workspace.layout.path("learnings-archive", name=name)
        plan = appended(workspace, archive, "".join(old), f"# {name.title()}\n\n") + file.rewritten(recent)
        workspace.commit(plan)
    return Learnt(path, entry, plan, len(old), is_new=True)
