"""The chunks that may become snippets of a prompt, and their text there."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.context.context import PromptSnippet
from memtool.core.context.filled import filled_text
from memtool.core.records.request import ContextRequest
from memtool.core.records.scope import ROOT
from memtool.core.search.query import FieldFilter, QueryFilter
from memtool.core.text.regex import regex
from memtool.errors import MemtoolError
from memtool.formats import compaction_section, core_file
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.owner_tag import TAG_PATTERN
from memtool.index.engine import ChunkHit
from memtool.layouts.layout import LocatedFile
from memtool.layouts.seeds import unfilled_text
from memtool.store.workspace import Workspace
from memtool.verbs.context.visible import excerpt_text, excerpt_with_title, visible_text
from memtool.verbs.sessions.episodes import ended_since

LEARNINGS = "learnings"
"""In `ContextRequest.shown`, stands for all files of learnings, whose entries are one section."""
_FACTS = "semantic"
_TITLE = r"\A#[ \t][^\n]*\n"
_RECENT = timedelta(days=30)
"""Episodes older than this answer no prompt; the latest is injected where a session starts (CoALA)."""


class _Chunk(Struct, frozen=True):
    """A chunk of a file, and the place of the file in the layout."""

    path: str
    located: LocatedFile
    first: int
    last: int
    trail: Sequence[str]
    text: str
    score: float = 0.0


class SnippetSource:
    """The memory from which a request's snippets come: the group's own and what is shared, if not shown."""

    def __init__(self, workspace: Workspace, request: ContextRequest) -> None:
        self._workspace = workspace
        self._scope = request.scope
        self._group = request.scope.group or ROOT
        self._owners = request.scope.owners
        self._named = self._owners
        self._shown = request.shown
        self._since = request.today - _RECENT
        self._end_of_day = datetime.combine(request.today, time.max, UTC)
        self._agent = str(workspace.settings["agent_name"])
        self._factors: dict[str, float] | None = None
        self._roles = [place.role for place in workspace.layout.places]
        groups = workspace.layout.groups
        self._has_groups = groups is not None and os.path.isdir(os.path.join(workspace.root, groups))
        self._seeds: dict[tuple[str, str], str] = {}
        self._body_lines: dict[str, int] = {}

    def filters(self) -> list[QueryFilter]:
        """What the index leaves out by itself."""
        filters: list[QueryFilter] = []
        if self._workspace.layout.groups is not None and self._scope.groups is not None:
            filters.append(FieldFilter("group", self._scope.groups))
        if self._owners:
            filters.append(FieldFilter("owner", self._scope.owner_values))
        return filters

    def snippets(self, hits: Sequence[ChunkHit]) -> list[PromptSnippet]:
        """The hits that may be shown, in their order, each with its place among all of them."""
        admitted: list[_Chunk] = []
        for hit in hits:
            located = self._workspace.role_of(hit.path)
            if located is None or not self._admits(hit.path, located, hit.trail):
                continue
            if _is_title(hit.text, hit.first) or self._is_frontmatter(hit):
                continue
            if not self._is_unfilled(hit, located.role):
                admitted.append(
                    _Chunk(hit.path, located, hit.first, hit.last, hit.trail, hit.text, hit.score)
                )
        self._named = self._owners or _sole_owner(admitted)
        by_file = sorted(admitted, key=lambda chunk: (*self._rank(chunk.path, chunk.located), chunk.first))
        order = {id(chunk): number for number, chunk in enumerate(by_file)}
        return [
            self._snippet(chunk, text, order[id(chunk)], self._salience(chunk.located, chunk.text))
            for chunk in admitted
            if (text := self._filled(chunk).strip("\n"))
        ]

    def _is_frontmatter(self, hit: ChunkHit) -> bool:
        """Whether a chunk is a part of its file's frontmatter, which may be too long for one chunk."""
        if hit.trail or (hit.first == 1 and not hit.text.startswith("---")):
            return False
        if hit.path not in self._body_lines:
            text = ""
            with contextlib.suppress(MemtoolError):  # a file that cannot be read was one a moment ago
                content = self._workspace.disk.read_bytes(PurePosixPath(hit.path)) or b""
                text = content.decode("utf-8", "replace")
            self._body_lines[hit.path] = frontmatter.split(text)[2]
        return hit.last < self._body_lines[hit.path]

    def _filled(self, chunk: _Chunk) -> str:
        """What a chunk says that the scope may see, without the lines of its file's seed."""
        is_fact = chunk.located.role == _FACTS
        text = visible_text(chunk.text, chunk.located.role, self._named if is_fact else self._owners)
        text = excerpt_text(text, chunk.located.role)
        seed = self._seed(chunk.path, chunk.located.role)
        if not seed:
            return text
        page = core_file.parse(seed)
        return filled_text(filled_text(text, page.body), core_file.inject(page, self._agent))

    def _admits(self, path: str, located: LocatedFile, trail: Sequence[str] = ()) -> bool:
        place = located.place
        if not place.indexed or not place.readable or not self._scope.admits(located.group):
            return False
        if place.inject in {"never", "recovery"}:
            return False
        if self._is_shown(path, located) and not any(map(compaction_section.is_section_heading, trail)):
            return False
        if located.role == "episode" and located.day is not None and located.day < self._since:
            return ended_since(self._workspace, PurePosixPath(path), self._since)
        return True

    def _is_unfilled(self, hit: ChunkHit, role: str) -> bool:
        """Whether a chunk has only what its file was created with, by memtool or by the agent's host."""
        if not filled_text(hit.text, self._seed(hit.path, role)):
            return True
        unfilled = self._workspace.layout.unfilled
        body = regex(_TITLE).sub("", hit.text).strip() if unfilled else ""
        return bool(body) and hashlib.sha256(body.encode()).hexdigest()[:16] in unfilled

    def _seed(self, path: str, role: str) -> str:
        """What a file of this path and role is created with."""
        key = (path.rpartition("/")[2], role)
        if key not in self._seeds:
            self._seeds[key] = unfilled_text(self._workspace.layout, PurePosixPath(key[0]), role)
        return self._seeds[key]

    def _is_shown(self, path: str, located: LocatedFile) -> bool:
        return path in self._shown or (located.role == "learnings" and LEARNINGS in self._shown)

    def _is_own(self, located: LocatedFile) -> bool:
        return (located.group or ROOT) == self._group

    def _rank(self, path: str, located: LocatedFile) -> tuple[bool, int, int, str]:
        newest_first = -(located.day or date.min).toordinal()
        return not self._is_own(located), self._roles.index(located.role), newest_first, path

    def _salience(self, located: LocatedFile, text: str) -> float:
        """The salience of the most salient fact in a text; 1 where there is none."""
        if located.role != _FACTS:
            return 1.0
        factors = self._salience_factors()
        if not factors:
            return 1.0
        from memtool.core.facts.identity import record_id
        from memtool.formats import semantic

        records = semantic.records(semantic.parse(text))
        names = [record_id(record) for record in records if record.superseded is None]
        return max((factors.get(name, 1.0) for name in names), default=1.0)

    def _salience_factors(self) -> dict[str, float]:
        if self._factors is None:
            self._factors = _load_factors(self._workspace, self._end_of_day)
        return self._factors

    def _snippet(self, chunk: _Chunk, text: str, order: int, salience: float = 1.0) -> PromptSnippet:
        located = chunk.located
        source = "group" if self._is_own(located) else "global"
        bonuses = dict(located.place.bonuses)
        if located.role == _FACTS and "\n" not in text:
            text = text.lstrip().removeprefix("- ")
        top = f"{self._workspace.layout.groups}/{located.group}/" if located.group else ""
        return PromptSnippet(
            source,
            chunk.path,
            chunk.path.removeprefix(top),
            located.role,
            chunk.first,
            chunk.last,
            excerpt_with_title(text, located.role, chunk.trail),
            order,
            chunk.score,
            salience,
            bonuses.get(located.slots.get("name", ""), bonuses[""]) if bonuses else None,
            has_groups=self._has_groups,
        )


def _sole_owner(chunks: Iterable[_Chunk]) -> frozenset[str]:
    """The tag of the only user who owns facts in these chunks; empty if several do."""
    texts = (chunk.text for chunk in chunks if chunk.located.role == _FACTS and "[user:" in chunk.text)
    found = (tag for text in texts for tag in regex(TAG_PATTERN).findall(text))
    tags = {f"{kind}:{name}" for kind, name in found if kind == "user"}
    return frozenset(tags if len(tags) == 1 else ())


def _load_factors(workspace: Workspace, now: datetime) -> dict[str, float]:
    """The salience of each fact that has any, by its name."""
    path = workspace.layout.path("salience")
    if not os.path.lexists(os.path.join(workspace.root, str(path))):
        return {}  # facts were never recalled here, so what follows is not imported
    from memtool.verbs.memory_files.salience import load_salience

    return load_salience(workspace).factors(now)


def _is_title(text: str, first: int) -> bool:
    """Whether a chunk is a heading alone, or the frontmatter of its file."""
    if regex(r"#{1,6}\s[^\n]*").fullmatch(text):
        return True
    return first == 1 and not frontmatter.split(text)[1].strip()
