"""What a prompt wants of memory, and how the settings of a workspace fill in what nobody asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from msgspec import Struct

from memtool.errors import BadUsage
from memtool.store.workspace import Workspace

WORDS, LEXICAL = "words", "lexical"


class Wanted(Struct, frozen=True):
    """What is asked for. `budget` is in what `cost` counts of a text: characters, or tokens.

    `mode` is how snippets are ranked: by the words of the prompt's end, or by the full search. `mine` are the
    tags of whom the prompt is for, `user:ann`; lines of others are left out. Empty: nobody is named.

    `shown` are the paths whose whole text the conversation is told anyway. Where that is said, any other file
    may answer, and what says nothing of the prompt does not; else snippets are what nano makes them: never
    of files that stand in every prompt, and the first chunks of all where nothing answers.
    """

    prompt: str
    today: date
    budget: int | None = None
    cost: Callable[[str], int] = len
    mode: str = WORDS
    group: str | None = None
    standing: bool = True
    retrieval: bool = True
    latest_episode: bool = False
    mine: frozenset[str] = frozenset()
    shown: frozenset[str] | None = None


def wanted(
    workspace: Workspace,
    prompt: str,
    today: date,
    *,
    budget: int | None = None,
    cost: Callable[[str], int] = len,
    mode: str | None = None,
    group: str | None = None,
    standing: bool = True,
    latest_episode: bool = False,
    mine: Collection[str] = (),
) -> Wanted:
    """What is asked for, with the workspace's settings for the rest. Raises BadUsage for one that is none."""
    retrieval = workspace.settings["retrieval"]
    if retrieval not in {"on", "off"}:
        raise BadUsage(f"the setting retrieval is on or off, not {retrieval!r}")
    mode = mode or workspace.settings["context.mode"]
    if mode not in {WORDS, LEXICAL}:
        raise BadUsage(f"context.mode is {WORDS} or {LEXICAL}, not {mode!r}")
    return Wanted(
        prompt,
        today,
        budget=budget,
        cost=cost,
        mode=mode,
        group=group or None,
        standing=standing,
        retrieval=retrieval == "on",
        latest_episode=latest_episode,
        mine=frozenset(mine),
    )
