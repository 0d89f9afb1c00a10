"""Layout: the table of roles and places, for lookup in both directions."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.digest import blake2b
from memtool.errors import BadUsage
from memtool.layouts.template import PathTemplate

_FOLDER = PathTemplate("{name}")
_MAX_FOLDERS = 4096
"""Folders whose candidate places are remembered; some kilobytes each at most."""
_MIN_SIMILARITY = 0.5
"""Similarity of an unknown role to the one that is suggested: 'dialy' has 0.53 to 'daily-note'."""
_OTHER_ROLE_NAMES = {"fact": "semantic", "facts": "semantic", "memory": "long-term", "messages": "turn"}


class Place(Struct, frozen=True):
    """Where the files of a role are, and how they are treated.

    `inject` is always, on-demand, recovery, never, or profile: what its facts say of the user is in every
    prompt. `readable` files may be read by an agent; `seed` names the initial contents of a new file; a
    `grouped` place exists in every group's folder too. `limit` is how many characters of such a file the
    agent's host puts into the prompt, if known. An `old` place is the one of earlier versions: it is read,
    but never written. `read_by` are the agents that put the file into the prompt themselves where they find
    it at the root of the project. Where the file `replaced_by` has text, the agent reads that one alone.
    `required` are the frontmatter keys that such a file must have, each with
    the value that a file without it gets (`{title}` is its title); files with the names in `exempt` need
    none. `bonuses` are what such files are worth in nano's formula, by the slot `name` ("" for all others);
    without any, it is that of the role.
    """

    role: str
    template: PathTemplate
    format: str
    inject: str
    limit: int | None
    indexed: bool
    readable: bool
    seed: str | None
    grouped: bool
    old: bool = False
    read_by: tuple[str, ...] = ()
    bonuses: tuple[tuple[str, float], ...] = ()
    replaced_by: str = ""
    required: tuple[tuple[str, str], ...] = ()
    exempt: tuple[str, ...] = ()

    def required_keys(self, path: str) -> tuple[tuple[str, str], ...]:
        """The frontmatter keys that the file of this path must have, with their values."""
        return () if path.rpartition("/")[2] in self.exempt else self.required


class RoleShare(Struct, frozen=True):
    """The share of a prompt's budget that the files of a role have together with those of other roles.

    `need` is its place among all shares, 0 for what is needed most. `keep` names what stays of a file that
    is longer: newest, first, facts or beginning.
    """

    name: str
    percent: int
    need: int
    keep: str


class NoteSettings(Struct, frozen=True):
    """How the notes of a tree are written; `places` are their folders by name, the first is the default.

    `naming` is the style of file names: `slug` (kiln-schedule) or `title` (Kiln schedule). `keys` are those
    of a new note's frontmatter. If `unwritten` is true, a wikilink to a missing note marks a note to be
    written and not a problem. `private` is true if they are memory, which other users of the machine must
    not read, and not the user's own documents. `linked` is true if the notes are a collection that people
    navigate by links; `forgiving`, if the agent accepts frontmatter that lacks only quotes; `plain_tags`, if
    a tag is a word with at least one character that is no digit, in any case.
    """

    places: Mapping[str, str]
    naming: str
    keys: tuple[str, ...]
    unwritten: bool
    private: bool
    linked: bool
    forgiving: bool
    plain_tags: bool

    @property
    def titled_by_heading(self) -> bool:
        """Whether the first heading of a note is its title, where its frontmatter has none.

        Where files are named by title, it is not: links and the agent's own program know a note by its file.
        """
        return self.naming != "title"

    def folder(self, name: str) -> str:
        """The path of a folder whose first component may be the name of a place (`zettel/glazes`)."""
        first, slash, rest = name.partition("/")
        place = self.places.get(first)
        return name if place is None else f"{place}{slash}{rest}"


class LocatedFile(Struct, frozen=True):
    """The role of a path, the values of its slots, and its group (None for the workspace itself)."""

    role: str
    place: Place
    slots: Mapping[str, Any]
    group: str | None = None

    @property
    def day(self) -> date | None:
        """The date in the path, if it has one."""
        found: date | None = self.slots.get("day")
        return found


class FolderCandidates(Struct, frozen=True):
    """The places that files directly in a folder can have, each with a group and where the path in it starts.

    `every` has all of them in order of precedence, `slotted` only those with slots; `names` are the file
    names of the others.
    """

    every: list[tuple[Place, str | None, int]]
    slotted: list[tuple[Place, str | None, int]]
    names: frozenset[str]


class CompiledRole(Struct, frozen=True):
    """The role whose file the agent's host compiles: a head between `begin` and `end`, and a log after it.

    A prompt has the head, and under `heading` the newest `recent` characters of the log; `around` characters
    are reserved for that heading. `title` may stand above the head.
    """

    role: str
    title: str
    begin: str
    end: str
    heading: str
    recent: int
    around: int


class Layout(Struct, frozen=True, dict=True):
    """One agent's tree: its places in order of precedence, its limits, and what `init` creates.

    `targets` maps each verb to the roles that it writes, `categories` each category of facts to its semantic
    file ("" for all other categories). `shares` are the parts of a prompt's budget, by role. `retrieval` is
    on or off: whether prompts are given what they ask for, where no setting says. `snippets` says in the same
    way how the chunks for a prompt are ranked: lexical, as search does, or words, by nano's formula.
    `unfilled` are digests of the texts below the titles of files that the agent's host creates (the first 16
    hexadecimal digits of SHA-256, of the text without blanks around it).
    `cut_notice` is what the agent's host writes where it cuts a file at the `limit` of its place, within that
    limit if `cut_counted`. `compiled` says how the host compiles a file, if it does. `agent` is the name of
    the program whose agent reads the tree; empty where any agent may. It reads the files of `agent_roles`
    without memtool; all others are memtool's own.
    """

    name: str
    summary: str
    places: tuple[Place, ...]
    targets: Mapping[str, Mapping[str, str]]
    shares: Mapping[str, RoleShare]
    categories: Mapping[str, str]
    limits: Mapping[str, float]
    initial: tuple[tuple[str, str], ...]
    notes: NoteSettings
    groups: str | None = None
    shared_group: str | None = None
    retrieval: str = "on"
    snippets: str = "lexical"
    unfilled: frozenset[str] = frozenset()
    cut_notice: str = ""
    cut_counted: bool = False
    compiled: CompiledRole | None = None
    agent: str = ""
    agent_roles: frozenset[str] = frozenset()

    @property
    def host(self) -> str:
        """The name of the program whose limits the layout states."""
        return self.agent or self.name

    def has_role(self, role: str) -> bool:
        """Whether the layout has a place for a role."""
        return role in self._by_role

    def reads_itself(self, agent: str, path: str) -> bool:
        """Whether an agent, or with `:memory` one in its own memory, puts this file into its prompt."""
        return any(agent in place.read_by and place.template.pattern == path for place in self.places)

    def is_read_by_agent(self, path: str) -> bool:
        """Whether the agent of this layout puts a file into its prompt itself, so that no hook has to."""
        return bool(self.agent) and any(
            self.reads_itself(name, path) for name in (self.name, f"{self.name}:memory")
        )

    def place(self, role: str) -> Place:
        """The first place of a role. Raises BadUsage if the layout has none."""
        return self._places_of(role)[0]

    def path(self, role: str, *, group: str | None = None, **slots: Any) -> PurePosixPath:
        """The path of a role's file: its first place with exactly these slots, in the group's folder.

        Raises BadUsage for a role, a slot or a group that the layout does not allow.
        """
        places = self._places_for(role, group)
        place = next((place for place in places if slots.keys() == {*place.template.slots}), places[0])
        path = place.template.fill(slots)
        return PurePosixPath(path) if group is None else PurePosixPath(self.groups or "", group, path)

    def folder(self, role: str, *, group: str | None = None) -> PurePosixPath:
        """The deepest folder that contains all files of a role: its path up to the first slot.

        Raises BadUsage for a role or a group that the layout does not allow.
        """
        places = self._places_for(role, group)
        fixed = places[0].template.pattern.partition("{")[0].rpartition("/")[0]
        return PurePosixPath(fixed) if group is None else PurePosixPath(self.groups or "", group, fixed)

    def locate(self, path: PurePosixPath | str) -> LocatedFile | None:
        """The role of a path, None if it has none; the inverse of `path`.

        For a role with several fixed places, such as an old one, `path` gives only the first.
        """
        text = str(path)
        folder, _, name = text.rpartition("/")
        candidates = self._candidates.get(folder)
        if candidates is None:
            if len(self._candidates) >= _MAX_FOLDERS:
                self._candidates.clear()
            candidates = self._candidates[folder] = self._candidates_in(folder)
        for place, group, start in candidates.every if name in candidates.names else candidates.slotted:
            slots = place.template.match(text[start:])
            if slots is not None:
                return LocatedFile(place.role, place, slots, group)
        return None

    @functools.cached_property
    def index_rules(self) -> str:
        """A digest of what decides which files are indexed as documents, and with which role and title."""
        places = [(place.template.pattern, place.role, place.indexed, place.grouped) for place in self.places]
        rules = repr((places, self.groups, self.notes.titled_by_heading))
        return blake2b(rules.encode(), digest_size=8).hexdigest()

    def readable_by(self, group: str) -> tuple[str, ...]:
        """The groups whose memory a group may read: its own, and the shared one."""
        return (group,) if self.shared_group in {None, group} else (group, self.shared_group or "")

    def can_contain_roles(self, folder: str) -> bool:
        """Whether a folder can contain, at any depth, a file that has a role."""
        return any(_can_match_in(pattern, folder) for pattern in self._folders)

    def claims_folder(self, folder: str) -> bool:
        """Whether a folder has a place by its name, and not only because any folder may contain notes."""
        return any(pattern[0] != "**" and _can_match_in(pattern, folder) for pattern in self._folders)

    def can_contain_indexed(self, folder: str) -> bool:
        """Whether a folder can contain, at any depth, a file that is indexed as a document."""
        is_reserved = any(f"{folder}/".startswith(prefix) for prefix in self._unindexed_folders)
        return any(
            _can_match_in(pattern, folder, is_reserved=is_reserved) for pattern in self._indexed_folders
        )

    def can_contain_readable(self, folder: str) -> bool:
        """Whether a folder can contain, at any depth, a file that an agent may read."""
        return any(_can_match_in(pattern, folder) for pattern in self._readable_folders)

    def is_memory_folder(self, folder: str) -> bool:
        """Whether a folder is in a top-level folder of the layout, even if no place is in it."""
        tops = {pattern[0] for pattern in self._folders}
        return folder.partition("/")[0] in tops or not tops.isdisjoint({"*", "**"})

    def fixed_paths(self) -> dict[str, str]:
        """The paths of all places without slots, by their lower-case form."""
        patterns = [place.template.pattern for place in self.places if not place.template.slots]
        return {pattern.casefold(): pattern for pattern in reversed(patterns)}

    def _candidates_in(self, folder: str) -> FolderCandidates:
        """The places that files directly in a folder can have: those of its group, then those of the root."""
        every: list[tuple[Place, str | None, int]] = []
        top, _, rest = folder.partition("/")
        group, _, inner = rest.partition("/")
        if top == self.groups and group and not group.startswith("."):
            start = len(f"{top}/{group}/")
            every += [(place, group, start) for place in self._matching_in(inner) if place.grouped]
        every += [(place, None, 0) for place in self._matching_in(folder)]
        slotted = [row for row in every if row[0].template.slots]
        fixed = [row[0].template.pattern for row in every if not row[0].template.slots]
        return FolderCandidates(every, slotted, frozenset(path.rpartition("/")[2] for path in fixed))

    def _matching_in(self, folder: str) -> list[Place]:
        top = folder.partition("/")[0]
        places = self._by_first_component.get(top, self._catch_all_places)
        return [place for place in places if place.template.can_match_in(folder)]

    def _places_for(self, role: str, group: str | None) -> list[Place]:
        places = [place for place in self._places_of(role) if group is None or place.grouped]
        if group is not None and (not places or self.groups is None or _FOLDER.match(group) is None):
            raise BadUsage(f"the {self.name} layout has no {role} file for group {group!r}")
        return places

    def _places_of(self, role: str) -> list[Place]:
        if role not in self._by_role:
            from difflib import get_close_matches

            name = _OTHER_ROLE_NAMES.get(role, role)
            similar = get_close_matches(name, self._by_role, n=1, cutoff=_MIN_SIMILARITY)
            meant = f" (did you mean {similar[0]!r}?)" if similar else ""
            raise BadUsage(
                f"the {self.name} layout has no role {role!r}{meant}; memtool help layouts {self.name} lists "
                "its roles"
            )
        return self._by_role[role]

    @functools.cached_property
    def _by_role(self) -> dict[str, list[Place]]:
        rows: dict[str, list[Place]] = {}
        for place in self.places:
            rows.setdefault(place.role, []).append(place)
        return rows

    @functools.cached_property
    def _candidates(self) -> dict[str, FolderCandidates]:
        """The candidates of the folders seen so far; it is emptied when it is full."""
        return {}

    @functools.cached_property
    def _catch_all_places(self) -> list[Place]:
        """The places for files in any folder that no other place matches."""
        return [place for place in self.places if place.template.pattern.startswith("{rest}")]

    @functools.cached_property
    def _by_first_component(self) -> dict[str, list[Place]]:
        """The places by the first component of their paths; the key of files directly in the root is ""."""
        rows: dict[str, list[Place]] = {}
        for place in self.places:
            if not place.template.pattern.startswith("{rest}"):
                top, slash, _ = place.template.pattern.partition("/")
                rows.setdefault(top if slash else "", []).append(place)
        return {top: [*places, *self._catch_all_places] for top, places in rows.items()}

    @functools.cached_property
    def _folders(self) -> list[tuple[str, ...]]:
        """The folder patterns of all places, by component; `**` matches any number of components."""
        return self._folders_of(self.places)

    @functools.cached_property
    def _indexed_folders(self) -> list[tuple[str, ...]]:
        return self._folders_of([place for place in self.places if place.indexed])

    @functools.cached_property
    def _unindexed_folders(self) -> list[str]:
        """The folders, with a final slash, of files that are not indexed, such as the history."""
        places = (place for place in self.places if not place.indexed and place.template.slots)
        fixed_parts = (place.template.pattern.partition("{")[0] for place in places)
        return [fixed_part.rpartition("/")[0] + "/" for fixed_part in fixed_parts if fixed_part]

    @functools.cached_property
    def _readable_folders(self) -> list[tuple[str, ...]]:
        return self._folders_of([place for place in self.places if place.readable])

    def _folders_of(self, places: Iterable[Place]) -> list[tuple[str, ...]]:
        patterns = [tuple(_folder_pattern(place.template.pattern)) for place in places]
        if self.groups is not None:
            patterns += [
                (self.groups, "*", *_folder_pattern(place.template.pattern))
                for place in places
                if place.grouped
            ]
        return [pattern for pattern in dict.fromkeys(patterns) if pattern]


def _folder_pattern(pattern: str) -> Iterator[str]:
    import re

    plain = re.sub(r"\{day:([^}]*)\}", lambda match: re.sub(r"%.", "*", match[1]), pattern)
    *folders, name = plain.split("/")
    yield from ("*" if "{" in folder or "*" in folder else folder for folder in folders)
    if "{rest}" in name:
        yield "**"


def _can_match_in(pattern: tuple[str, ...], folder: str, *, is_reserved: bool = False) -> bool:
    """Whether a pattern can match files in a folder; `**` does not match a reserved folder."""
    for expected, component in zip(pattern, folder.split("/"), strict=False):
        if expected == "**":
            return not is_reserved
        if expected not in {"*", component}:
            return False
    return folder.count("/") < len(pattern)
