"""hook install: an agent's own settings come to name memtool's hooks, or name them no more."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.hooks.hook import CLAUDE, CODEX, OPENCLAW
from memtool.core.hooks.wiring import advice, command_of, edits, removals, wanted
from memtool.errors import BadUsage, MemtoolError, Unreadable
from memtool.formats.syntax import json_edit, json_text
from memtool.layouts.load import text_of
from memtool.store.external import outside
from memtool.store.external.outside import Outer

USER, PROJECT = "user", "project"
_HOOK_FILES = ("HOOK.md", "handler.js")
_FOLDER = "openclaw-hook"
_EMPTY = "{}\n"


class Homes(Struct, frozen=True):
    """Where agents keep what is theirs: each one's folder, OpenClaw's file of settings, and the project."""

    claude: str
    codex: str
    openclaw: str
    openclaw_settings: str
    project: str


class Page(Struct, frozen=True):
    """A file of an agent's as it is, and as it is to be; None for a file that is not there."""

    before: Outer
    after: str | None
    own: str | None = None
    """What memtool itself writes there, of which no copy is kept."""

    @property
    def effect(self) -> str:
        """What happens to it: created, changed, removed, or unchanged."""
        if self.after == self.before.text:
            return "unchanged"
        if self.before.text is None:
            return "created"
        return "removed" if self.after is None else "changed"


class Wired(Struct, frozen=True):
    """The files of an agent that are concerned, and what a person must know or do besides."""

    pages: tuple[Page, ...]
    advice: tuple[str, ...] = ()


def install(agent: str, scope: str, homes: Homes, command: str, *, is_named: bool = False) -> Wired:
    """What is to be written for an agent to call the hooks, by a command that the user named or by ours.

    Raises BadUsage, Unreadable for a broken file.
    """
    page = outside.look(_settings_path(agent, scope, homes))
    settings = _read(agent, page)
    text = _with(agent, page, settings, command, is_named=is_named)
    pages = [Page(page, text, _own(agent, page, settings)), *_files(agent, homes, command)]
    said = advice(agent, settings, command, is_project=scope == PROJECT)
    return Wired(tuple(pages), (*said, *_elsewhere(agent, scope, homes)))


def uninstall(agent: str, scope: str, homes: Homes, command: str) -> Wired:
    """What is to be written so that an agent calls them no more. Raises BadUsage, Unreadable.

    Settings that hold what `install` makes of none, and nothing else, go as they came.
    """
    page = outside.look(_settings_path(agent, scope, homes))
    settings = _read(agent, page)
    own, text = _own(agent, page, settings), page.text
    for one in _removals(agent, page.path, settings):
        text = json_edit.remove(text or "", one.path)
    if text is not None and page.text == own and not os.path.islink(page.path):
        text = None
    files = [replace(one, after=None) for one in _files(agent, homes, command)]
    return Wired((Page(page, text, own), *files))


def printed(agent: str, scope: str, homes: Homes, command: str) -> list[tuple[str, str]]:
    """What `install` sees to, and nothing else: the path and the text of each file."""
    path = _settings_path(agent, scope, homes)
    text = json.dumps(wanted(agent, command), indent=2, ensure_ascii=False) + "\n"
    return [(path, text), *((one.before.path, one.after or "") for one in _files(agent, homes, command))]


def commit(pages: Sequence[Page], now: datetime) -> list[str | None]:
    """Write what changes, file by file; of each the copy of what was there before, if there was anything.

    Settings come last, so that they never name what is not there, unless they are to name it no more. Raises
    StaleWrite, Unwritable.
    """
    kept: dict[int, str | None] = {}
    numbers = range(len(pages))
    for number in numbers if any(page.after is None for page in pages) else reversed(numbers):
        page = pages[number]
        if page.effect != "unchanged":
            keeps = page.before.text != page.own
            kept[number] = outside.write(page.before, page.after, now, keeps=keeps)
    return [kept.get(number) for number in range(len(pages))]


def _with(agent: str, page: Outer, settings: Any, command: str, *, is_named: bool = False) -> str:
    """The settings with the hooks in them."""
    text = _EMPTY if _is_blank(page) else page.text or ""
    for one in _edits(agent, page.path, settings, command, is_named):
        text = _edited(page.path, text, one.path, one.what)
    return text


def _own(agent: str, page: Outer, settings: Any) -> str | None:
    """What memtool itself makes where there are no settings, with the command that is in these."""
    command = "" if agent == OPENCLAW else command_of(settings)
    return None if command is None else _with(agent, Outer(page.path, None), {}, command)


def _settings_path(agent: str, scope: str, homes: Homes) -> str:
    places = {
        (CLAUDE, USER): (homes.claude, "settings.json"),
        (CLAUDE, PROJECT): (homes.project, ".claude", "settings.json"),
        (CODEX, USER): (homes.codex, "hooks.json"),
        (CODEX, PROJECT): (homes.project, ".codex", "hooks.json"),
        (OPENCLAW, USER): (homes.openclaw_settings,),
    }
    if (agent, scope) not in places:
        raise BadUsage(f"{agent} has no hooks of a {scope}; leave --scope away")
    return os.path.join(*places[agent, scope])


def _elsewhere(agent: str, scope: str, homes: Homes) -> list[str]:
    """What there is to say of the other settings that this agent reads."""
    if agent == OPENCLAW:
        return []
    path = _settings_path(agent, PROJECT if scope == USER else USER, homes)
    if os.path.realpath(path) == os.path.realpath(_settings_path(agent, scope, homes)):
        return []
    try:
        page = outside.look(path)
        there = bool(removals(agent, _read(agent, page)))
    except MemtoolError:
        return []
    return [f"{path} names the hooks, too, and then they run twice; take one of them away"] if there else []


def _files(agent: str, homes: Homes, command: str) -> list[Page]:
    """The files that are memtool's own among an agent's."""
    if agent != OPENCLAW:
        return []
    folder = os.path.join(homes.openclaw, "hooks", "memtool")
    said = json.dumps(f"{command} --agent openclaw")
    pages: list[Page] = []
    for name in _HOOK_FILES:
        before, form = outside.look(os.path.join(folder, name)), text_of(f"{_FOLDER}/{name}")
        pages.append(Page(before, form.replace("{command}", said), _filled(form, before.text)))
    return pages


def _filled(form: str, text: str | None) -> str | None:
    """The text if it is the form, with whatever command."""
    start, _, end = form.partition("{command}")
    if text is None or not (text.startswith(start) and text.endswith(end)):
        return None
    command = text[len(start) : len(text) - len(end)]
    return text if "\n" not in command and text == form.replace("{command}", command) else None


def _read(agent: str, page: Outer) -> Any:
    """What settings say; those that are not there say nothing. Raises Unreadable for broken ones."""
    if _is_blank(page):
        return {}
    try:
        return json_edit.value(page.text or "", json5=agent == OPENCLAW)
    except json_text.NotJson as error:
        raise Unreadable(f"{page.path} {error}; mend it first, nothing was written") from error


def _is_blank(page: Outer) -> bool:
    return page.text is None or not page.text.strip("\ufeff \t\r\n")


def _edits(agent: str, path: str, settings: Any, command: str, is_named: bool) -> list[Any]:
    try:
        return edits(agent, settings, command, is_named=is_named)
    except BadUsage as error:
        raise Unreadable(f"{path}: {error}; nothing was written") from error


def _removals(agent: str, path: str, settings: Any) -> list[Any]:
    try:
        return removals(agent, settings)
    except BadUsage as error:
        raise Unreadable(f"{path}: {error}; nothing was written") from error


def _edited(path: str, text: str, place: Sequence[str | int], what: Any) -> str:
    try:
        return json_edit.put(text, place, what)
    except json_text.NotJson as error:
        raise Unreadable(f"{path} {error}; nothing was written") from error
