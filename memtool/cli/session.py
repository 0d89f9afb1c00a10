"""One run of the command line: its options, and the workspace, clock, scope and owner that follow."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memtool.cli import output
from memtool.cli.variables import named_owner, naming_variable
from memtool.errors import BadUsage, MemtoolError, NotFound, NoWorkspace, OutsideWorkspace

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from memtool.core.history.journal import CommitAuthor
    from memtool.core.records.entries import Owner
    from memtool.core.records.plan import Plan
    from memtool.core.records.scope import Scope
    from memtool.core.search.embedder import Embedder
    from memtool.store.workspace import Workspace
    from memtool.verbs.delegates.delegate import Delegate
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.facts import FactSync
    from memtool.verbs.indexing.indexes import SearchIndexes


class Session:
    """The common options of one run, and what follows from them, each worked out on first use."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}
        self.environment: Mapping[str, str] = os.environ
        self._workspace: Workspace | None = None
        self._is_scope_decided = False
        self.command = ""
        self.agent: Mapping[str, str] = {}  # the agent and its session, for the journal
        self.schedule: Callable[[Callable[[], None]], None] = lambda work: work()
        """Called with a function that runs the write hooks of a commit; servers and agent hooks defer it."""

    @property
    def json(self) -> bool:
        """Whether records are printed as JSON Lines."""
        return bool(self.given.get("json"))

    @property
    def incognito(self) -> bool:
        """Whether nothing may be written: by the option or by MEMTOOL_MODE. Raises BadUsage."""
        mode = self.environment.get("MEMTOOL_MODE", "")
        if mode not in {"", "incognito", "persistent"}:
            raise BadUsage(f"MEMTOOL_MODE must be incognito or persistent, not {mode!r}")
        return bool(self.given.get("incognito")) or mode == "incognito"

    @property
    def has_written(self) -> bool:
        """Whether this run has changed files of the workspace."""
        return self._workspace is not None and self._workspace.journal.has_commits

    @property
    def dry_run(self) -> bool:
        """Whether the plan is shown instead of committed."""
        return bool(self.given.get("dry_run"))

    @property
    def root(self) -> str:
        """The real path of the workspace's root. Raises NoWorkspace."""
        from memtool.store.root import find_root

        option, variable = self.given.get("root"), self.environment.get("MEMTOOL_ROOT")
        with naming_variable("MEMTOOL_ROOT", applies=bool(variable) and not option):
            return find_root(os.getcwd(), option or variable, self.given.get("layout"), self.command)

    @property
    def workspace(self) -> Workspace:
        """The workspace, opened once. Raises NoWorkspace, BadUsage.

        Raises OutsideWorkspace for a caller that acts for a group, where no scope was decided.
        """
        workspace = self._open()
        if not self._is_scope_decided:
            self.check_no_group()
        return workspace

    def check_no_group(self) -> None:
        """Raise OutsideWorkspace for a caller that acts for a group: facts, for example, belong to none."""
        if self.acts_for_group:
            reason = f"MEMTOOL_GROUP limits you to the group {self.environment.get('MEMTOOL_GROUP')!r}"
            raise OutsideWorkspace(f"this command needs access to the whole workspace, but {reason}")

    @property
    def acts_for_group(self) -> bool:
        """Whether MEMTOOL_GROUP names a group that is not the main one."""
        actor = self.environment.get("MEMTOOL_GROUP")
        return bool(actor) and actor != self._open().settings["groups.main"]

    def refuse_files(self, names: Iterable[str]) -> None:
        """Raise OutsideWorkspace for files of the workspace outside the group that the caller acts for."""
        actor = self.environment.get("MEMTOOL_GROUP")
        paths = [os.path.realpath(name) for name in names] if actor else []
        try:
            if not paths or not self.acts_for_group:
                return
        except NoWorkspace:
            return
        root = self.root
        own_folder = os.path.join(root, self._open().layout.groups or "", actor or "", "")
        for path in paths:
            is_related = f"{path}/".startswith(f"{root}/") or f"{root}/".startswith(f"{path}/")
            if is_related and not f"{path}/".startswith(own_folder):
                fault = f"outside the folder of group {actor!r}, to which MEMTOOL_GROUP limits you"
                raise OutsideWorkspace(f"{os.path.relpath(path, root)} is {fault}")

    def decide_scope(self, asked: str | None, *, writes: bool = False) -> Scope:
        """What a request about a group may read; without one, about the group of MEMTOOL_GROUP.

        Raises OutsideWorkspace where the caller may not touch that group's memory, BadUsage for a group that
        does not exist.
        """
        actor = self.environment.get("MEMTOOL_GROUP") or None
        self._is_scope_decided = True
        if asked is None and actor is None:
            return self.owner_scope
        from memtool.verbs.access.scope import decide_scope

        workspace, owner_tags = self._open(), self.owner_tags
        with naming_variable("MEMTOOL_GROUP", applies=asked is None):
            return decide_scope(workspace, asked, actor, owner_tags, writes=writes)

    def decide_prompt_scope(self, asked: str | None, *, writes: bool = False) -> Scope:
        """What may go into a prompt of a group, for this run's user; raises what `decide_scope` does."""
        from memtool.verbs.access.scope import decide_prompt_scope

        actor = self.environment.get("MEMTOOL_GROUP") or None
        self._is_scope_decided = True
        workspace, owner_tags = self._open(), self.owner_tags
        with naming_variable("MEMTOOL_GROUP", applies=bool(actor) and asked is None):
            return decide_prompt_scope(workspace, asked, actor, owner_tags, writes=writes)

    @property
    def visible_workspace(self) -> Workspace:
        """The workspace as this run's user may read it, for what is printed; raises as `workspace`."""
        return self.workspace.seen_by(self.owner_tags)

    @property
    def owner_scope(self) -> Scope:
        """The scope of a command on facts, which belong to users and to no group. Raises BadUsage."""
        from memtool.core.records.scope import Scope

        return Scope(owners=self.owner_tags)

    def group(self, asked: str | None, *, writes: bool = False) -> str | None:
        """The group of `decide_scope`: ROOT for the main group by name, None where no group is named."""
        return self.decide_scope(asked, writes=writes).group

    def _open(self) -> Workspace:
        return self._workspace or self._open_for(writes=not (self.incognito or self.dry_run))

    def open_read_only(self) -> Workspace:
        """Open the workspace to look at it as it is: nothing is written, not even to mend it."""
        return self._open_for(writes=False)

    def warn_of_root(self) -> None:
        """Say on stderr why the root that is named, if one is, cannot be opened as a workspace."""
        if self.given.get("root") or self.environment.get("MEMTOOL_ROOT"):
            try:
                self.open_read_only()
            except MemtoolError as error:
                self.notice(f"warning: {error}")

    def _open_for(self, *, writes: bool) -> Workspace:
        from memtool.store.workspace import open_workspace

        workspace = open_workspace(self.root, self.environment, self.given.get("layout"), writes=writes)
        for notice in workspace.notices:
            self.notice(notice)
        self.adopt_workspace(workspace)
        return workspace

    def adopt(self, directory: str | None) -> None:
        """Use a folder as the workspace of this run, whether or not it is one yet.

        Its layout is the one of the option, else its own or the one that its files look like, else native.
        Raises BadUsage, Unwritable.
        """
        from memtool.store.root import make_root
        from memtool.store.workspace import open_workspace

        root = directory or self.given.get("root") or self.environment.get("MEMTOOL_ROOT") or os.getcwd()
        writes = not (self.incognito or self.dry_run)
        layout = self.given.get("layout")
        if writes:
            make_root(root, layout)
        workspace = open_workspace(root, self.environment, layout, writes=writes, fallback_layout="native")
        self.adopt_workspace(workspace)
        workspace.refuse_unrecognised(layout)
        current = workspace.settings["layout"]
        if layout and current and layout != current:
            raise BadUsage(
                f"{root} is already a workspace in the {current} layout, not {layout}; "
                f"convert it with memtool migrate --to {layout}"
            )

    def adopt_workspace(self, workspace: Workspace) -> None:
        """Use a workspace that is open already; the journal names this session for later commits."""
        self._workspace = workspace
        if self.given.get("root"):
            from memtool.store.root import command_in

            workspace.program = lambda: command_in(os.getcwd(), workspace.root, self.given.get("layout"))
        _sign(self, workspace)

    def search_indexes(self, wait: float | None = None) -> SearchIndexes:
        """The search indexes of the workspace; `wait` is the seconds to wait for another writer."""
        from memtool.verbs.indexing.indexes import SearchIndexes

        return SearchIndexes(self.workspace, **self._indexing(wait))

    def document_index(self, wait: float | None = None) -> DocumentSync:
        """The index of the workspace's documents alone; `wait` as in `search_indexes`."""
        from memtool.verbs.indexing.documents import DocumentSync

        return DocumentSync(self.workspace, **self._indexing(wait))

    def fact_index(self, embedder: str | None = None) -> FactSync:
        """The index of the workspace's facts, with an embedder if there is one."""
        from memtool.store.config.sources import integrity_key
        from memtool.verbs.indexing.facts import FactSync

        workspace = self.workspace
        key = integrity_key(self.environment, make=workspace.writes)
        wait = workspace.settings["lock_timeout"]
        return FactSync(workspace, key, wait=wait, embedder=self.embedder(embedder, of_facts=True))

    def _indexing(self, wait: float | None) -> dict[str, Any]:
        from memtool.store.config.sources import integrity_key

        key = integrity_key(self.environment, make=self.workspace.writes)
        wait = self.workspace.settings["lock_timeout"] if wait is None else wait
        return {"key": key, "wait": wait, "progress": self.progress("indexing")}

    def delegate(self, option: str | None, name: str) -> Delegate | None:
        """The command for a task such as `embedder`: of the option, else of the user's configuration."""
        workspace = self.workspace
        if option and self.acts_for_group:
            raise OutsideWorkspace(
                f"--{name} cannot be used while MEMTOOL_GROUP is set; "
                f"set {name} in your own config.toml instead"
            )
        if not (command := option or workspace.settings[name]):
            return None
        from memtool.verbs.delegates.delegate import Delegate

        seconds, max_bytes = workspace.settings["delegate.seconds"], workspace.settings["delegate.max_bytes"]
        return Delegate(name, command, self.environment, workspace.root, seconds, max_bytes)

    def embedder(self, option: str | None = None, *, of_facts: bool = False) -> Embedder | None:
        """The command of the option or of the user's configuration, else the embedded model (of facts)."""
        from msgspec.structs import replace

        from memtool.verbs.delegates.embedding import MOST_BYTES, make_embedder

        delegate = self.delegate(option, "embedder")
        delegate = delegate and replace(delegate, max_bytes=MOST_BYTES)
        return make_embedder(delegate, is_required=bool(option), of_facts=of_facts)

    @property
    def now(self) -> datetime:
        """The current time, in UTC; MEMTOOL_NOW fixes it."""
        from datetime import UTC, datetime

        fixed = self.environment.get("MEMTOOL_NOW")
        return self.time(fixed, "MEMTOOL_NOW").astimezone(UTC) if fixed else datetime.now(UTC)

    @property
    def zone(self) -> tzinfo:
        """The time zone of the workspace's calendar days. Raises BadUsage for an invalid name."""
        from memtool.cli.times import parse_zone

        return parse_zone(self.workspace.settings["timezone"])

    def time(self, text: str, source: str) -> datetime:
        """The time of an RFC 3339 text; without an offset it is in the workspace's zone. Raises BadUsage."""
        from datetime import UTC

        from memtool.cli.times import parse_time

        moment = parse_time(text, source)
        zone = moment.tzinfo or (UTC if source == "MEMTOOL_NOW" else self.zone)
        return moment.replace(tzinfo=zone)

    @property
    def owner(self) -> Owner | None:
        """The owner of what is stored: the user if one is named, else the session. Raises BadUsage."""
        for kind, named in self._owners().items():
            if self.given.get(kind) or named:
                return named_owner(kind, self.given.get(kind), named)
        return None

    @property
    def owner_ids(self) -> dict[str, str]:
        """The ids of the user and the session of this run, as far as they are named. Raises BadUsage."""
        given = self.given
        named = [(kind, name) for kind, name in self._owners().items() if given.get(kind) or name]
        return {kind: named_owner(kind, given.get(kind), name).id for kind, name in named}

    @property
    def owner_tags(self) -> frozenset[str]:
        """The tag of this run's user, `user:ann`, without which it may read everything. Raises BadUsage."""
        from memtool.core.records.scope import owner_tags

        return owner_tags(self.owner_ids)

    def _owners(self) -> dict[str, str | None]:
        return {kind: self.environment.get(f"MEMTOOL_{kind.upper()}") for kind in ("user", "session")}

    def notice(self, text: str) -> None:
        """Print a message on stderr that is no error; not with -q."""
        if not self.given.get("quiet"):
            output.print_message(text)

    def has_said(self, text: str) -> bool:
        """Whether this is a notice of the workspace that was printed when it was opened."""
        return bool(self._workspace and text in self._workspace.notices and not self.given.get("quiet"))

    def nothing(self, text: str, *notices: str) -> int:
        """Say why a list or a search has nothing to print, unless notices say it already; the exit code."""
        if not notices:
            self.notice(text)
        return NotFound.exit_code

    def report(self, *columns: str) -> None:
        """Print a row that says what the command did; with -q only in a dry run, which asks for it."""
        if self.dry_run or not self.given.get("quiet"):
            output.put_row(*columns)

    def progress(self, label: str) -> Callable[[int, int], None] | None:
        """A callback that draws a progress bar; None with -q or where stderr is no terminal."""
        if self.given.get("quiet"):
            return None
        from memtool.cli.progress import progress_bar

        return progress_bar(label)

    def detail(self, text: str) -> None:
        """Print a message on stderr only with -v."""
        if self.given.get("verbose"):
            output.print_message(text)

    def show_plan(self, plan: Plan) -> None:
        """In a dry run, print the changes that were not made; else, with -v, the paths that were written."""
        if self.dry_run:
            from memtool.cli.plan_output import print_plan

            print_plan(plan, self.visible_workspace, as_json=self.json)
        elif plan and self.incognito:
            self.notice("incognito: nothing was written")
        elif plan:
            self.detail(f"changed {', '.join(dict.fromkeys(str(change.path) for change in plan))}")


def pass_session(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command to receive the Session of its run, as `click.make_pass_decorator` does.

    click is imported when the command is called: not every user of a Session needs click.
    """

    @functools.wraps(command)
    def with_session(*arguments: Any, **options: Any) -> Any:
        import click

        context = click.get_current_context()
        return context.invoke(command, context.ensure_object(Session), *arguments, **options)

    return with_session


def _sign(session: Session, workspace: Workspace) -> None:
    """Make a workspace sign its journal as this run, and print its notices as notices of this run."""

    def author() -> CommitAuthor:
        from memtool.core.history.journal import CommitAuthor

        try:
            return CommitAuthor(session.command, **{**session.agent, **session.owner_ids})
        except BadUsage:  # an invalid name is refused by the command that needs it
            return CommitAuthor(session.command)

    def finish_pending(locked: Workspace) -> None:
        from memtool.verbs.pending import do_pending  # most commands find nothing to do

        do_pending(locked)

    workspace.say = session.notice
    workspace.journal.set_author(author, lambda: session.now)
    workspace.do_pending = finish_pending
    if workspace.settings["write_hook"]:
        from memtool.verbs.delegates.write_hooks import add_write_hooks

        add_write_hooks(workspace, session.environment, session.schedule, output.print_message)
