"""A click parameter type that completes the word being typed: with values, or by file completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from memtool.cli.output import printable
from memtool.cli.session import Session

if TYPE_CHECKING:
    from memtool.store.workspace import Workspace
    from memtool.verbs.completion.completion import CompletionOffer

_MOST_DESCRIPTION = 72
"""Most characters of the description beside a completion."""


class TypedWord(NamedTuple):
    """A word that is being typed, the parameters parsed before it, and the session with its options."""

    text: str
    params: Mapping[str, Any]
    session: Session

    @property
    def group(self) -> str | None:
        """The group that the command would act on. Raises what a command would."""
        return self.session.group(self.params.get("group")) or None if "group" in self.params else None

    @property
    def workspace(self) -> Workspace:
        """The workspace that the line names, as its user sees it. Raises what a command would."""
        _ = self.group  # checks that the acting group may use the workspace
        return self.session.visible_workspace


class PathCompletion(NamedTuple):
    """A request to the shell to complete the path of any file, or of any folder (`dir`)."""

    kind: str = "file"


Lister = Callable[[TypedWord], "Iterable[CompletionOffer] | PathCompletion"]


class CompletedText(click.types.StringParamType):
    """A text parameter with completions. The value is neither checked nor opened."""

    def __init__(self, lister: Lister) -> None:
        self.lister = lister

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """The completions of the word; of a repeatable parameter, without values already on the line."""
        session = ctx.ensure_object(Session)
        session.given |= {"quiet": True, "incognito": True}  # completion neither prints notices nor writes
        offers = self.lister(TypedWord(incomplete, ctx.params, session))
        if isinstance(offers, PathCompletion):
            return [CompletionItem(incomplete, type=offers.kind)]
        used = ctx.params.get(param.name or "") or () if param.nargs == -1 or param.multiple else ()
        return [
            _completion_item(offer.value, offer.description)
            for offer in offers
            if offer.value not in used and (offer.replaces or offer.value.startswith(incomplete))
        ]


def _completion_item(value: str, about: str) -> CompletionItem[str]:
    """A completion; the type `open` marks one that continues, so that the shell adds no space."""
    about = printable(" ".join(about.split()))
    about = about if len(about) <= _MOST_DESCRIPTION else f"{about[: _MOST_DESCRIPTION - 1]}…"
    return CompletionItem(value, type="open" if value[-1:] in {"/", ":"} else "plain", help=about or None)


def attach_listers(command: click.Command, names: Sequence[str]) -> None:
    """Give the parameters of a command their completions; only called while a shell asks for them.

    `names` are the names of the command and of its action.
    """
    from memtool.cli.completion.listers import LISTERS, list_files

    for parameter in command.params:
        lister = LISTERS.get(" ".join([*names, str(parameter.name)]))
        for name in parameter.opts:
            lister = lister or LISTERS.get(name)
        if lister is None and isinstance(parameter.type, click.File):
            lister = list_files
        if lister is not None:
            parameter.type = CompletedText(lister)
