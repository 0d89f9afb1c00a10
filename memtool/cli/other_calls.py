"""Calls of other programs' commands, with the rest of the line; imported only for error messages."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence

import click

from memtool.cli.misplaced_words import takes_words
from memtool.cli.other_names import call_for_id

_PLACE = re.compile(r".+:\d+")
"""A line of a file, as `search` prints it."""
_RULE_ID = re.compile(r"r-[0-9a-f]+")
_ENTRY = re.compile(r"j-[0-9a-f]+|\d{1,6}")


def call_with_rest(context: click.Context, call: str, rest: Sequence[str]) -> str:
    """The call that is meant by another name of `call`, with what follows the name as far as it applies.

    `context` is the one of memtool itself.
    """
    words, text = call.split(), " ".join(rest)
    has_options = any(word[:1] == "-" for word in rest)
    if call == "get" and not has_options:
        return _call_to_show(text)
    if call == "forget" and rest and not has_options:
        return _call_to_forget(text)
    if not rest or call.startswith("-") or " -" in call:
        return call
    if call == "undo":
        return f"{call} {rest[0]}" if len(rest) == 1 and _ENTRY.fullmatch(rest[0]) else call
    group = context.command
    command = group.get_command(context, words[0]) if isinstance(group, click.Group) else None
    is_action = len(words) > 1
    if isinstance(command, click.Group):
        action = words[1] if is_action else rest[0]
        if action not in command.commands:
            return call
        command = command.commands[action]
        is_action = (
            any(isinstance(parameter, click.Argument) for parameter in command.params) or not is_action
        )
    if command is None or not (is_action or takes_words(command)):
        return call
    is_text = takes_words(command, first=True) and not has_options
    return f"{call} {shlex.quote(text) if is_text else shlex.join(rest)}"


def _call_to_show(text: str) -> str:
    """The call that prints what a text names: a file, a fact, a rule, or else what contains the text."""
    if not text or _is_path(text):
        return f"get {shlex.quote(text) if text else 'PATH'}"
    if _RULE_ID.fullmatch(text):
        return "rules list"
    return call_for_id(text) or f"search {shlex.quote(text)}"


def _call_to_forget(text: str) -> str:
    """The call that removes what a text names: a line, a file, or else every record with the text."""
    if _PLACE.fullmatch(text):
        return f"facts forget {shlex.quote(text)}"
    return f"forget {'--source' if _is_path(text) else '--match'} {shlex.quote(text)}"


def _is_path(text: str) -> bool:
    return os.path.isfile(text) or (" " not in text and bool(re.search(r"/|\.\w{1,5}(?::\d+)?$", text)))


def redo_advice(context: click.Context) -> str:
    """How to redo what the last undo undid, if memory can be read and has an undo."""
    from memtool.core.history.undo import journal_entries, last_undo
    from memtool.core.records.scope import sees
    from memtool.errors import MemtoolError
    from memtool.verbs.journal.undo import owner_of
    from memtool.verbs.journal.undo_plan import undo_command

    try:
        owners = context.obj.owner_tags
        entries = journal_entries(context.obj.open_read_only().journal.newest_first())
        found = last_undo(entry for entry in entries if sees(owners, owner_of(entry)))
    except MemtoolError:
        return "to redo a change, undo the undo: find its id with memtool log, then run memtool undo ID"
    if found is None:
        return "nothing has been undone, so nothing can be redone"
    return f"to redo what the last undo reverted, run: {undo_command(owners, found.id)}"
