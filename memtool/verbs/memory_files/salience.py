"""The salience file: read leniently, counted up at each access, decayed once a night."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from msgspec import Struct, field

from memtool.core.facts.salience import Salience, add_access, decay_once, salience_factor
from memtool.core.records.plan import Create, Plan
from memtool.errors import UnreadableFile
from memtool.formats import salience as salience_format
from memtool.formats.salience import SalienceFile
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import EditableFile
from memtool.verbs.memory_files.retained_log import expiry_plan
from memtool.verbs.memory_files.semantic_files import all_facts

NEVER_ACCESSED = Salience()
"""The salience of a fact that was never accessed."""


class SalienceTable(Struct, frozen=True):
    """The salience file as it was read; empty, with a notice that says why, where it cannot be read."""

    source: EditableFile
    content: SalienceFile = field(default_factory=SalienceFile)
    notice: str = ""
    is_unreadable: bool = False

    def of(self, name: str) -> Salience:
        """The salience of one fact."""
        return self.content.facts.get(name, NEVER_ACCESSED)

    def factors(self, now: datetime) -> dict[str, float]:
        """Each fact's salience as one number; facts that are not listed have 1."""
        return {name: salience_factor(record, now) for name, record in self.content.facts.items()}

    def access_plan(self, workspace: Workspace, names: Iterable[str], now: datetime) -> Plan:
        """The plan that counts one access to each of these facts."""
        return self._update(workspace, {name: add_access(self.of(name), now) for name in names})

    def decay_plan(self, workspace: Workspace, names: Iterable[str], now: datetime) -> Plan:
        """The plan that decays these facts by one night."""
        return self._update(workspace, {name: decay_once(self.of(name), now) for name in names})

    def removal_plan(self, workspace: Workspace, names: Collection[str]) -> Plan:
        """The plan that removes the salience of these facts."""
        if not any(name in self.content.facts for name in names):
            return ()
        facts = {name: record for name, record in self.content.facts.items() if name not in names}
        more = {name: value for name, value in self.content.more.items() if name not in names}
        return self._write(workspace, SalienceFile(facts, more))

    def _update(self, workspace: Workspace, changed: Mapping[str, Salience]) -> Plan:
        if not changed:
            return ()
        return self._write(workspace, SalienceFile({**self.content.facts, **changed}, self.content.more))

    def _write(self, workspace: Workspace, file: SalienceFile) -> Plan:
        """The plan that writes the file; text that could not be read is first copied to a file beside it."""
        if self.is_unreadable:
            return ()
        plan = self.source.rewrite_plan(salience_format.render(file))
        if not (self.notice and self.source.etag):
            return plan
        name = f"{self.source.path.name}.broken-{self.source.etag[-8:]}"
        copy = workspace.layout.path("cognition", rest=name)
        if workspace.disk.stat(copy) is not None:
            return plan
        return (Create(copy, self.source.text), *plan)


def load_salience(workspace: Workspace) -> SalienceTable:
    """Read the salience file. A fault in it is a notice, never an error."""
    path = workspace.layout.path("salience")
    try:
        document = workspace.read(path)
    except UnreadableFile as error:
        return SalienceTable(EditableFile(path, "", None), notice=str(error), is_unreadable=True)
    if document is None:
        return SalienceTable(EditableFile(path, "", None))
    page = EditableFile(path, document.text, document.etag)
    try:
        return SalienceTable(page, salience_format.parse(document.text))
    except UnreadableFile as error:
        notice = f"{path}: {error}; access counts are ignored"
        return SalienceTable(page, notice=notice)


@retry_when_stale
def decay(
    workspace: Workspace, now: datetime, *, unless_since: datetime | None = None
) -> tuple[int, Plan, list[str]]:
    """Decay every fact by one night; return the number of active facts, the plan and the notices.

    Facts that were decayed between `unless_since` and `now` are left out; a later time is from a clock that
    was wrong, and does not count. Expired records of the audit log, the crisis log and of feedback are
    removed.

    Meant for a nightly job. Without `unless_since` a second run after a crash may decay twice: the factor
    0.95 affects only the order of results. Raises Locked, StaleWrite, Unwritable.
    """
    notices: list[str] = []
    with workspace.lock():
        table = load_salience(workspace)
        active = {fact.name: None for fact in all_facts(workspace, notices) if fact.record.superseded is None}
        due = [
            name
            for name in dict.fromkeys([*table.content.facts, *active])
            if unless_since is None
            or (last := table.of(name).last_decayed) is None
            or not unless_since <= last <= now
        ]
        plan = (*table.decay_plan(workspace, due, now), *expiry_plan(workspace, now))
        workspace.commit(plan)
    return sum(name in active for name in due), plan, [*notices, *([table.notice] if table.notice else [])]
