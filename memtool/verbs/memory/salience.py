"""The salience of facts in its file: read with patience, counted up, and faded by a night."""

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
from memtool.verbs.memory.fact_files import every
from memtool.verbs.memory.remember import Opened

NEW = Salience()
"""That of a fact that nobody asked for."""


class Saliences(Struct, frozen=True):
    """The salience file as it was read: empty, with a notice that says why, where it cannot be."""

    page: Opened
    file: SalienceFile = field(default_factory=SalienceFile)
    notice: str = ""
    is_out_of_reach: bool = False

    def of(self, name: str) -> Salience:
        """That of a fact."""
        return self.file.facts.get(name, NEW)

    def factors(self, now: datetime) -> dict[str, float]:
        """What the relevance of each fact is multiplied by; 1 for one that is not in it."""
        return {name: salience(one, now) for name, one in self.file.facts.items()}

    def accessed(self, workspace: Workspace, names: Iterable[str], now: datetime) -> Plan:
        """The plan that counts one access to each of these facts."""
        return self._rewritten(workspace, {name: accessed(self.of(name), now) for name in names})

    def decayed(self, workspace: Workspace, names: Iterable[str]) -> Plan:
        """The plan that fades these facts, and all that the file knows, by one night."""
        every = dict.fromkeys([*self.file.facts, *names])
        return self._rewritten(workspace, {name: decayed(self.of(name)) for name in every})

    def without(self, workspace: Workspace, names: Collection[str]) -> Plan:
        """The plan that forgets the salience of these facts."""
        if not any(name in self.file.facts for name in names):
            return ()
        facts = {one: held for one, held in self.file.facts.items() if one not in names}
        more = {one: held for one, held in self.file.more.items() if one not in names}
        return self._written(workspace, SalienceFile(facts, more))

    def _rewritten(self, workspace: Workspace, changed: Mapping[str, Salience]) -> Plan:
        if not changed:
            return ()
        return self._written(workspace, SalienceFile({**self.file.facts, **changed}, self.file.more))

    def _written(self, workspace: Workspace, file: SalienceFile) -> Plan:
        """The file anew; what could not be read of it is put beside it first."""
        if self.is_out_of_reach:
            return ()
        plan = self.page.rewritten(salience_format.render(file))
        if not (self.notice and self.page.etag):
            return plan
        name = f"{self.page.path.name}.broken-{self.page.etag[-8:]}"
        beside = workspace.layout.path("cognition", rest=name)
        if workspace.disk.stat(beside) is not None:
            return plan
        return (Create(beside, self.page.text), *plan)


def load(workspace: Workspace) -> Saliences:
    """The salience file. What is wrong with it is a notice, never an error."""
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
        why = f"{path}: {error}; every fact counts as one that was never asked for"
        return Saliences(page, notice=why)


def decay(workspace: Workspace) -> tuple[int, Plan, list[str]]:
    """Fade every active fact by one night; how many there are, what was written, and what to say.

    Meant for a nightly job. Run again after a crash it may fade twice: 0.95 of a factor that only orders.
    Raises Locked, StaleWrite, Unwritable.
    """
    notices: list[str] = []
    with workspace.lock():
        known = load(workspace)
        names = [one.name for one in every(workspace, notices) if one.record.superseded is None]
        plan = known.decayed(workspace, names)
        workspace.commit(plan)
    return len({*names, *known.file.facts}), plan, [*notices, *([known.notice] if known.notice else [])]
