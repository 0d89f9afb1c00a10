"""Remaining texts: the lines that still contain what was removed from elsewhere in memory."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.forgetting.phrases import Phrases, words_of
from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.text.enumeration import enumeration
from memtool.store.workspace import Workspace
from memtool.verbs.forgetting.forget import forget
from memtool.verbs.forgetting.report import readable_line

_MOST_PLACES = 4
"""The most lines that a notice names."""


class RemainingText(Struct, frozen=True):
    """A text, the lines that contain it, each as `path:line`, and the user whose memory was searched."""

    text: str
    places: tuple[str, ...]
    user: str = ""

    @property
    def notice(self) -> str:
        """A sentence that names the lines, and the commands that list and remove them."""
        more = len(self.places) - _MOST_PLACES
        named = [*self.places[:_MOST_PLACES], *([f"{more} more"] if more > 0 else [])]
        verb = "contain" if len(self.places) > 1 else "contains"
        whose = f"MEMTOOL_USER={shlex.quote(self.user)} " if self.user else ""
        return (
            f"{enumeration(named)} still {verb} the text, and prompts may quote it from there; to list what "
            f"would be removed there, run: {whose}memtool forget --match {shlex.quote(self.text)} --dry-run; "
            "to remove it for good, run this command with --yes instead of --dry-run"
        )


def remaining_texts(
    workspace: Workspace,
    texts: Sequence[str],
    now: datetime,
    *,
    user: str = "",
    without: Collection[str] = (),
) -> Iterator[RemainingText]:
    """Yield the texts that files still contain, with their lines: what `forget --match` would remove.

    Texts that contain another one are left out, and so are the lines in `without`, given as `path:line`. With
    `user`, only memory of that user is searched. Nothing is written. Raises as `forget` does.
    """
    phrases = {" ".join(words_of(text)): " ".join(text.split()).rstrip(".!?…") for text in texts}
    for words, phrase in phrases.items():
        if not words or any(other in words for other in phrases if other and other != words):
            continue
        report = forget(workspace.read_only(), ForgetRequest(match=phrase, caller=user), now)
        contains = Phrases([phrase]).are_in
        places = dict.fromkeys(
            f"{cut.document.path}:{line.number}"
            for cut in report.cuts
            for line in cut.lines
            if contains(readable_line(str(cut.document.path), line.text))
        )
        if left := tuple(place for place in places if place not in without):
            yield RemainingText(phrase, left, user)
