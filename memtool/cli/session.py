"""One run of the command line: what was asked for, and the workspace, clock and owner it is about."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memtool.cli import output
from memtool.errors import BadUsage, NoWorkspace, OutsideWorkspace

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from memtool.core.history.journal import Author
    from memtool.core.records.entry import Owner
    from memtool.core.records.plan import Plan
    from memtool.store.workspace import Workspace
    from memtool.verbs.delegates.delegate import Delegate
    from memtool.verbs.delegates.embedding import Embedder
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.facts import FactSync
    from memtool.verbs.indexing.indexes import SearchIndexes


class Session:
    """The common options of one run, and what follows from them, each found when it is first needed."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}
        self.environment: Mapping[str, str] = os.environ
        self._workspace: Workspace | None = None
        self._is_settled = False
        self.command = ""
        self.within: Mapping[str, str] = {}  # the agent's session, for the journal

    @property
    def json(self) -> bool:
        """Whether records are printed as JSON Lines."""
        return bool(self.given.get("json"))

    @property
    def incognito(self) -> bool:
        """Whether nothing at all may be written; either side saying so is enough."""
        mode = self.environment.get("MEMTOOL_MODE", "")
        if mode not in {"", "incognito", "persistent"}:
            raise BadUsage(f"MEMTOOL_MODE is incognito or persistent, not {mode!r}")
        return bool(self.given.get("incognito")) or mode == "incognito"

    @property
    def dry_run(self) -> bool:
        """Whether the plan is shown instead of committed."""
        return bool(self.given.get("dry_run"))

    @property
    def root(self) -> str:
        """The real path of the workspace's root. Raises NoWorkspace."""
        from memtool.store.root import find_root

        return find_root(os.getcwd(), self.given.get("root") or self.environment.get("MEMTOOL_ROOT"))

    @property
    def workspace(self) -> Workspace:
        """The workspace, opened once. Raises NoWorkspace, BadUsage.

        Raises OutsideWorkspace for who acts for a group, in a command that has not asked for which one.
        """
        workspace = self._opened()
        if self.acts_for_group and not self._is_settled:
            why = f"by MEMTOOL_GROUP you act for {self.environment.get('MEMTOOL_GROUP')!r}"
            raise OutsideWorkspace(f"this command touches the whole workspace, and {why}")
        return workspace

    @property
    def acts_for_group(self) -> bool:
        """Whether MEMTOOL_GROUP names a group that is not the main one."""
        actor = self.environment.get("MEMTOOL_GROUP")
        return bool(actor) and actor != self._opened().settings["groups.main"]

    def refuse_files(self, names: Iterable[str]) -> None:
        """Raise OutsideWorkspace where who acts for a group hands in what is not its own."""
        actor = self.environment.get("MEMTOOL_GROUP")
        named = [os.path.realpath(name) for name in names] if actor else []
        try:
            if not named or not self.acts_for_group:
                return
        except NoWorkspace:
            return
        root = self.root
        own = os.path.join(root, self._opened().layout.groups or "", actor or "", "")
        for name in named:
            inside = f"{name}/".startswith(f"{root}/") or f"{root}/".startswith(f"{name}/")
            if inside and not f"{name}/".startswith(own):
                short = os.path.relpath(name, root)
                raise OutsideWorkspace(
                    f"{short} is not of group {actor!r}, for which you act by MEMTOOL_GROUP"
                )

    def group(self, asked: str | None, *, writes: bool = False) -> str | None:
        """The group whose memory this command is about: as asked, else the one of MEMTOOL_GROUP.

        The empty name is the workspace itself, asked for by the main group's name. Raises OutsideWorkspace
        where whoever acts may not touch it, BadUsage for a group that there is not.
        """
        actor = self.environment.get("MEMTOOL_GROUP") or None
        self._is_settled = True
        if asked is None and actor is None:
            return None
        from memtool.verbs.access.groups import settled

        return settled(self._opened(), asked, actor, writes=writes)

    def _opened(self) -> Workspace:
        if self._workspace is None:
            from memtool.store.workspace import open_workspace

            writes = not (self.incognito or self.dry_run)
            opened = open_workspace(self.root, self.environment, self.given.get("layout"), writes=writes)
            for notice in opened.settings.notices:
                self.notice(notice)
            self.adopt_workspace(opened)
            return opened
        return self._workspace

    def adopt(self, directory: str | None) -> None:
        """Make a folder the workspace of this run, whether or not it is one yet. Raises BadUsage, Unwritable.

        Its layout is the one asked for, else the one it says or looks like, else native.
        """
        from memtool.store.root import make_root
        from memtool.store.workspace import open_workspace

        root = directory or self.given.get("root") or self.environment.get("MEMTOOL_ROOT") or os.getcwd()
        writes = not (self.incognito or self.dry_run)
        if writes:
            make_root(root)
        asked = self.given.get("layout")
        opened = open_workspace(root, self.environment, asked, writes=writes, otherwise="native")
        self.adopt_workspace(opened)
        opened.refuse_strangers(asked)
        settled = opened.settings["layout"]
        if asked and settled and asked != settled:
            raise BadUsage(
                f"{root} is a workspace in the {settled} layout already, and {asked} was asked for"
            )

    def adopt_workspace(self, workspace: Workspace) -> None:
        """Use a workspace that is open already; what is committed from here on is this session's."""
        self._workspace = workspace
        _sign(self, workspace)

    def close(self) -> None:
        """Let the workspace finish what it put off."""
        if self._workspace is not None:
            self._workspace.close()

    def shelves(self, wait: float | None = None) -> SearchIndexes:
        """The search indexes of the workspace; `wait` is how long to wait for another writer, in seconds."""
        from memtool.verbs.indexing.indexes import SearchIndexes

        return SearchIndexes(self.workspace, **self._indexing(wait))

    def shelf(self) -> DocumentSync:
        """The index of the workspace's documents alone."""
        from memtool.verbs.indexing.documents import DocumentSync

        return DocumentSync(self.workspace, **self._indexing(None))

    def fact_shelf(self, embedder: str | None = None) -> FactSync:
        """The index of the workspace's facts, with what makes vectors if there is anything."""
        from memtool.store.config.config import seal_key
        from memtool.verbs.indexing.facts import FactSync

        workspace = self.workspace
        key = seal_key(self.environment, make=workspace.writes)
        wait = workspace.settings["lock_timeout"]
        return FactSync(workspace, key, wait=wait, embedder=self.embedder(embedder))

    def _indexing(self, wait: float | None) -> dict[str, Any]:
        from memtool.cli.progress import progress
        from memtool.store.config.config import seal_key

        return {
            "key": seal_key(self.environment, make=self.workspace.writes),
            "wait": self.workspace.settings["lock_timeout"] if wait is None else wait,
            "progress": None if self.given.get("quiet") else progress("indexing"),
        }

    def delegate(self, given: str | None, name: str) -> Delegate | None:
        """The command that plays a part: from the option, else from the user's own configuration."""
        workspace = self.workspace
        if given and self.acts_for_group:
            raise OutsideWorkspace(
                f"who acts for a group names no {name} command; the host's configuration does"
            )
        if not (command := given or workspace.settings[name]):
            return None
        from memtool.verbs.delegates.delegate import Delegate

        seconds, most = workspace.settings["delegate.seconds"], workspace.settings["delegate.max_bytes"]
        return Delegate(name, command, self.environment, workspace.root, seconds, most)

    def embedder(self, given: str | None = None) -> Embedder | None:
        """What makes vectors: the command of the option or the user's configuration, else the model."""
        from msgspec.structs import replace

        from memtool.verbs.delegates.embedding import MOST_BYTES, embedder

        delegate = self.delegate(given, "embedder")
        return embedder(delegate and replace(delegate, most=MOST_BYTES), is_asked=bool(given))

    @property
    def now(self) -> datetime:
        """The time it is, in UTC; MEMTOOL_NOW fixes it."""
        from datetime import UTC, datetime

        fixed = self.environment.get("MEMTOOL_NOW")
        return self.time(fixed, "MEMTOOL_NOW").astimezone(UTC) if fixed else datetime.now(UTC)

    @property
    def zone(self) -> tzinfo:
        """The zone whose calendar days daily notes belong to. Raises BadUsage for a name that is none."""
        from memtool.cli.times import zone_named

        return zone_named(self.workspace.settings["timezone"])

    def time(self, text: str, source: str) -> datetime:
        """A time that was given as RFC 3339; without an offset it is in the workspace's zone."""
        from datetime import UTC

        from memtool.cli.times import parse_time

        moment = parse_time(text, source)
        zone = moment.tzinfo or (UTC if source == "MEMTOOL_NOW" else self.zone)
        return moment.replace(tzinfo=zone)

    @property
    def owner(self) -> Owner | None:
        """Whom what is stored belongs to: the user if one is named, else the session. Raises BadUsage."""
        from memtool.core.records.entry import Owner

        for source in (self.given, self._owners()):
            for kind in ("user", "session"):
                if name := source.get(kind):
                    return Owner(kind, name)
        return None

    @property
    def owners(self) -> dict[str, str]:
        """The user and the session of this run, as far as they are named. Raises BadUsage."""
        from memtool.core.records.entry import Owner

        named = {kind: self.given.get(kind) or name for kind, name in self._owners().items()}
        return {kind: Owner(kind, name).id for kind, name in named.items() if name}

    @property
    def mine(self) -> frozenset[str]:
        """The tags that lines of this run's owners bear, `user:ann`; empty where nobody is named."""
        return frozenset(f"{kind}:{name}" for kind, name in self.owners.items())

    def _owners(self) -> dict[str, str | None]:
        return {kind: self.environment.get(f"MEMTOOL_{kind.upper()}") for kind in ("user", "session")}

    def notice(self, text: str) -> None:
        """Something worth knowing that is no error."""
        if not self.given.get("quiet"):
            output.say(text)

    def detail(self, text: str) -> None:
        """Something that is said only with -v."""
        if self.given.get("verbose"):
            output.say(text)

    def show_plan(self, plan: Plan) -> None:
        """In a dry run, print each change that was not made; else, with -v, say what was written."""
        if self.dry_run:
            from memtool.cli.plans import show

            show(plan, self.workspace, as_json=self.json)
        elif plan and self.incognito:
            self.notice("incognito: none of this was written")
        elif plan:
            self.detail(f"wrote {', '.join(dict.fromkeys(str(change.path) for change in plan))}")


def pass_session(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that is handed the Session of its run, as `click.make_pass_decorator` would do it.

    click is imported when the command is called, for not everything that needs a Session needs click.
    """

    @functools.wraps(command)
    def handed(*arguments: Any, **options: Any) -> Any:
        import click

        context = click.get_current_context()
        return context.invoke(command, context.ensure_object(Session), *arguments, **options)

    return handed


def _sign(session: Session, workspace: Workspace) -> None:
    """Let the journal of a workspace know who commits, and this run hear where it could not be written."""

    def author() -> Author:
        from memtool.core.history.journal import Author

        try:
            return Author(session.command, **{**session.within, **session.owners})
        except BadUsage:  # a name that is none is for the command to refuse, where it asks for one
            return Author(session.command)

    workspace.say = session.notice
    workspace.journal.sign(author, lambda: session.now)
