"""The salience file: read leniently, counted up at each access, decayed once a night."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from msgspec import Struct, field

from memtool.core.facts.salience import Salience, accessed, decayed, salience
from memtool.core.records.plan import Create, Plan
from memtool.errors import Unreadable
from memtool.formats import salience as salience_format
from memtool.formats.salience import SalienceFile
from memtool.store.workspace import Workspace
from memtool.verbs.memory.editable_file import Opened
from memtool.verbs.memory.fact_files import every

NEW = Salience()
"""The salience of a fact that was never accessed."""


class Saliences(Struct, frozen=True):
    """The salience file as it was read; empty, with a notice that says why, where it cannot be read."""

    page: Opened
    file: SalienceFile = field(default_factory=SalienceFile)
    notice: str = ""
    is_out_of_reach: bool = False

    def of(self, name: str) -> Salience:
        """The salience of one fact."""
        return self.file.facts.get(name, NEW)

    def factors(self, now: datetime) -> dict[str, float]:
        """The factor by which each fact's relevance is multiplied; facts that are not listed have 1."""
        return {name: salience(record, now) for name, record in self.file.facts.items()}

    def accessed(self, workspace: Workspace, names: Iterable[str], now: datetime) -> Plan:
        """The plan that counts one access to each of these facts."""
        return self._update(workspace, {name: accessed(self.of(name), now) for name in names})

    def decayed(self, workspace: Workspace, names: Iterable[str]) -> Plan:
        """The plan that decays these facts, and all that the file lists, by one night."""
        all_names = dict.fromkeys([*self.file.facts, *names])
        return self._update(workspace, {name: decayed(self.of(name)) for name in all_names})

    def without(self, workspace: Workspace, names: Collection[str]) -> Plan:
        """The plan that removes the salience of these facts."""
        if not any(name in self.file.facts for name in names):
            return ()
        facts = {name: record for name, record in self.file.facts.items() if name not in names}
        more = {name: value for name, value in self.file.more.items() if name not in names}
        return self._write(workspace, SalienceFile(facts, more))

    def _update(self, workspace: Workspace, changed: Mapping[str, Salience]) -> Plan:
        if not changed:
            return ()
        return self._write(workspace, SalienceFile({**self.file.facts, **changed}, self.file.more))

    def _write(self, workspace: Workspace, file: SalienceFile) -> Plan:
        """The plan that writes the file; text that could not be read is first copied to a file beside it."""
        if self.is_out_of_reach:
            return ()
        plan = self.page.rewritten(salience_format.render(file))
        if not (self.notice and self.page.etag):
            return plan
        name = f"{self.page.path.name}.broken-{self.page.etag[-8:]}"
        copy = workspace.layout.path("cognition", rest=name)
        if workspace.disk.stat(copy) is not None:
            return plan
        return (Create(copy, self.page.text), *plan)


def load(workspace: Workspace) -> Saliences:
    """Read the salience file. A fault in it is a notice, never an error."""
    path = workspace.layout.path("salience")
    try:
        document = workspace.read(path)
    except Unreadable as error:
        return Saliences(Opened(path, "", None), notice=str(error), is_out_of_reach=True)
    if document is None:
        return Saliences(Opened(path, "", None))
    page = Opened(path, document.text, document.etag)
    try:
        return Saliences(page, salience_format.parse(document.text))
    except Unreadable as error:
        notice = f"{path}: {error}; every fact counts as one that was never asked for"
        return Saliences(page, notice=notice)


def decay(workspace: Workspace) -> tuple[int, Plan, list[str]]:
    """Decay every active fact by one night; return the number of facts, the plan and the notices.

    Meant for a nightly job. A second run after a crash may decay twice: the factor 0.95 affects only the
    order of results. Raises Locked, StaleWrite, Unwritable.
    """
    notices: list[str] = []
    with workspace.lock():
        table = load(workspace)
        names = [fact.name for fact in every(workspace, notices) if fact.record.superseded is None]
        plan = table.decayed(workspace, names)
        workspace.commit(plan)
    return len({*names, *table.file.facts}), plan, [*notices, *([table.notice] if table.notice else [])]
