"""Values for the word that somebody types, told to click: names, or a request for files to the shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem
from msgspec import Struct

from memtool.cli.output import printable
from memtool.cli.session import Session

if TYPE_CHECKING:
    from memtool.store.workspace import Workspace
    from memtool.verbs.completion.completion import Offer

_LONGEST = 72
"""Characters of what is said beside a name."""


class Typed(Struct, frozen=True):
    """A word that is being typed, what stands before it on the line, and whose memory that is about."""

    text: str
    params: Mapping[str, Any]
    session: Session

    @property
    def group(self) -> str | None:
        """The group whose memory the command would be about. Raises what a command would."""
        return self.session.group(self.params.get("group")) or None if "group" in self.params else None

    @property
    def workspace(self) -> Workspace:
        """The workspace that the line names. Raises what a command would."""
        _ = self.group  # settles who acts, and is refused where that may not be
        return self.session.workspace

    @property
    def mine(self) -> list[str]:
        """The tags of the owners that the line names."""
        return [f"{kind}:{name}" for kind, name in self.session.owners.items()]


class Foreign(Struct, frozen=True):
    """A file, or a folder (`dir`), anywhere: the shell knows best."""

    kind: str = "file"


Lister = Callable[[Typed], "Iterable[Offer] | Foreign"]


class Named(click.types.StringParamType):
    """Text of which the shell is told what it may be. What is typed is neither checked nor opened."""

    def __init__(self, lister: Lister) -> None:
        self.lister = lister

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """What the word may become; of several of a kind, none that is on the line already."""
        session = ctx.ensure_object(Session)
        session.given |= {"quiet": True, "incognito": True}  # nothing is said or written while somebody types
        found = self.lister(Typed(incomplete, ctx.params, session))
        if isinstance(found, Foreign):
            return [CompletionItem(incomplete, type=found.kind)]
        there = ctx.params.get(param.name or "") or () if param.nargs == -1 or param.multiple else ()
        return [
            _item(one.value, one.about)
            for one in found
            if one.value not in there and (one.instead or one.value.startswith(incomplete))
        ]


def _item(value: str, about: str) -> CompletionItem[str]:
    """A name for the shell; of the type `open` is one that goes on, without a space."""
    about = printable(" ".join(about.split()))
    about = about if len(about) <= _LONGEST else f"{about[: _LONGEST - 1]}…"
    return CompletionItem(value, type="open" if value[-1:] in {"/", ":"} else "plain", help=about or None)


def attach(command: click.Command) -> None:
    """Tell the parameters of a command what they may be. Only a process that completes does this."""
    from memtool.cli.completion.listers import LISTERS, files

    for parameter in command.params:
        lister = LISTERS.get(f"{command.name} {parameter.name}")
        for name in parameter.opts:
            lister = lister or LISTERS.get(name)
        if lister is None and isinstance(parameter.type, click.File):
            lister = files
        if lister is not None:
            parameter.type = Named(lister)
