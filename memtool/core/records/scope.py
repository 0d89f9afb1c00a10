"""Scope: the groups and owners whose memory a request may read, decided once at the edge."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from memtool.errors import OutsideWorkspace

ROOT = ""
"""The group of files outside the groups' folders: the workspace itself, the main group's memory."""


class Scope(Struct, frozen=True):
    """What a request may read. Without arguments it is the whole workspace.

    `group` is the group that the request is about: ROOT for the main group where that was asked for by name,
    None where no group was named. `groups` are those whose files may be read, None for all of them. `owners`
    are tags such as `user:ann`: memory that is tagged as another user's is left out. Empty: no user is named,
    the caller is the workspace's keeper, and nothing is left out.
    """

    group: str | None = None
    groups: tuple[str, ...] | None = None
    owners: frozenset[str] = frozenset()

    @property
    def owner_values(self) -> tuple[str, ...]:
        """The owners whose memory may be read, as an index stores them, "" for nobody; empty for all."""
        return ("", *sorted(self.owners)) if self.owners else ()

    def admits(self, group: str | None) -> bool:
        """Whether files of a group may be read; None for those that lie in no group's folder."""
        return self.groups is None or (group or ROOT) in self.groups


WHOLE_WORKSPACE = Scope()
"""Everything: for a caller that acts for no group and names no owner."""


def owner_tags(owners: Mapping[str, str]) -> frozenset[str]:
    """The tags of the users among these owners, given as ids by kind: `user:ann`.

    A session says where memory is from and restricts nothing, so it has no tag here.
    """
    return frozenset(f"{kind}:{name}" for kind, name in owners.items() if kind == "user")


def sees(owners: Collection[str], owner: str) -> bool:
    """Whether a caller with the tags `owners` may see memory of `owner`: tags with blanks between, or "".

    Everybody may see what is no user's, and who names no user sees everything.
    """
    return not owners or all(tag in owners or not tag.startswith("user:") for tag in owner.split(" "))


def check_access(actor: str | None, target: str | None, shared: str | None, *, writes: bool) -> None:
    """Raise OutsideWorkspace unless `actor` may read, or with `writes` write, the memory of `target` (nano).

    None is the main group, whose memory is the workspace itself: it may do everything. Another group reads
    itself and the shared group, and writes itself alone.
    """
    if actor is None or target == actor or (target == shared and not writes):
        return
    refused = "the workspace" if target is None else f"group {target!r}"
    if target == shared:
        raise OutsideWorkspace(
            f"group {actor!r} may read the memory of group {shared!r}, but only the main group "
            "may write to it"
        )
    rest = f" and that of group {shared!r}" if shared is not None else ""
    raise OutsideWorkspace(
        f"group {actor!r} may not {'write to' if writes else 'read'} the memory of {refused}: "
        f"a group may read only its own memory{rest}, and may write only to its own memory"
    )
