"""learn: what went wrong or was corrected becomes a dated line of learnings (five-layer memory)."""

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
"""What can be learnt, and the name of its file in the place of learnings."""
MOST = 50_000
"""Characters of a file of learnings, past which its older half is archived."""
LONGEST = 1_000
"""Characters of a learning; what is longer is clipped at a word."""


class Learnt(Struct, frozen=True):
    """The line, its file, whether it is new, how many older ones were archived, and what was written."""

    path: PurePosixPath
    line: str
    plan: Plan = ()
    archived: int = 0
    is_new: bool = False


def learn(
    workspace: Workspace, kind: str, text: str, now: datetime, owner: Owner | None, tool: str | None = None
) -> Learnt:
    """Put down a learning of a kind of KINDS, unless its owner's lines say it already.

    Raises BadUsage for an empty text, and what writing raises.
    """
    words = one_line(redact(clean(text)), LONGEST)
    if not words:
        raise BadUsage("there is nothing to learn from an empty text")
    if tool is not None and (named := one_line(redact(clean(tool)), 100)):
        words = f"{named}: {words}"
    name = KINDS[kind]
    with workspace.lock():
        path = workspace.layout.path("learnings", name=name)
        document = workspace.read_text(path)
        opened = Opened(
            path, document.text if document else f"# {name.title()}\n", document.etag if document else None
        )
        known = Said([one for entry in split(opened.text).entries if (one := said(entry))])
        if known.says(Fact("learning", words, owner)):
            return Learnt(path, words)
        entry = line(spell(now.replace(microsecond=0)), words, owner)
        kept, old = rotated(added(opened.text, entry), MOST)
        archive = workspace.layout.path("learnings-archive", name=name)
        plan = appended(workspace, archive, "".join(old), f"# {name.title()}\n\n") + opened.rewritten(kept)
        workspace.commit(plan)
    return Learnt(path, entry, plan, len(old), is_new=True)
