"""The context that the language server gives to each request."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memtool.cli.background import in_background
from memtool.cli.parse.lint_inputs import BaselineFile, selected_codes
from memtool.cli.session import Session
from memtool.errors import MemtoolError, NoWorkspace
from memtool.store.root import find_root
from memtool.verbs.lint.request import LintRequest

if TYPE_CHECKING:
    from memtool.core.records.scope import Scope


class LspSession(Session):
    """The context of one request: the workspace with its current settings, owner and group."""

    def __init__(self, start: Session) -> None:
        super().__init__()
        self.given, self.environment, self.command = start.given, start.environment, start.command
        self.schedule = start.schedule
        self.adopt_workspace(start.workspace.with_current_settings(start.environment))
        self.scope: Scope = self.decide_scope(None)

    def sign(self, action: str, client: str) -> None:
        """Record commits under this action and the name of the client in the journal."""
        self.command = action
        self.agent = {"agent": client} if client else {}

    @cached_property
    def lint_request(self) -> LintRequest:
        """The codes, the baseline and the group of lint. Raises BadUsage for unknown codes.

        All problems are shown if the baseline cannot be read; `memtool lint` says why.
        """
        key = None
        if not self.owner_tags:  # the cache is for a workspace without a filter by owner
            from memtool.store.config.sources import integrity_key

            key = integrity_key(self.environment, make=self.workspace.writes)
        codes = selected_codes(self, (), ())
        try:
            baseline = BaselineFile(self, None).read()
        except MemtoolError:
            baseline = None
        return LintRequest(codes=codes, baseline=baseline, group=self.scope.group, key=key)


def lsp_session_factory(start: Session) -> Callable[[], LspSession]:
    """A factory of the context of each request. Raises NoWorkspace, BadUsage and OutsideWorkspace at once."""
    start.decide_scope(None)
    _ = start.workspace
    start.schedule = in_background()
    return lambda: LspSession(start)


def lsp_opener(start: Session) -> Callable[[Sequence[str]], tuple[Callable[[], LspSession], str]]:
    """A function that opens a workspace for the folders that an editor names, the most important first.

    It is the workspace of --root or MEMTOOL_ROOT, opened at once; without these, the first one at or above a
    folder of the editor, else at or above the current folder. The function returns the factory of contexts,
    and a notice if the folders belong to several workspaces; it raises what `lsp_session_factory` does.
    """
    if start.given.get("root") or start.environment.get("MEMTOOL_ROOT"):
        factory = lsp_session_factory(start)
        return lambda _: (factory, "")

    def open_first(folders: Sequence[str]) -> tuple[Callable[[], LspSession], str]:
        layout, here = start.given.get("layout"), os.getcwd()
        roots = [*dict.fromkeys(_roots(folders, layout))] or [*_roots([here], layout)]
        root = roots[0] if roots else find_root([*folders, here][0], None, layout)
        start.given = {**start.given, "root": root}
        others = " or ".join(roots[1:])
        notice = f"memtool uses the workspace {root}, not {others}; open each workspace in its own window"
        return lsp_session_factory(start), notice if others else ""

    return open_first


def _roots(folders: Sequence[str], layout: str | None) -> Iterator[str]:
    """The roots of the workspaces that contain folders."""
    for folder in folders:
        try:
            yield find_root(folder, None, layout)
        except NoWorkspace:
            continue
