"""Link resolution: the file that a link names, by Obsidian's rules, then by id, title and alias."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from memtool.core.notes.link import NoteLink
from memtool.core.text.regex import regex

_EQUIVALENT_CHARACTERS = {0xA0: " ", 0x202F: " ", 0xFE0F: None}
_DATED = r"\d{8,14}(?:-\d{2,6})?(?=\D|\Z)"


class NoteNames(Struct, frozen=True):
    """The path of a note and the other names that a link may use: its id, title and aliases."""

    path: str
    id: str | None = None
    title: str | None = None
    aliases: tuple[str, ...] = ()


class ResolvedLink(Struct, frozen=True):
    """The file that a link resolves to, how it was found, and other files that match.

    If `others` is not empty the link is ambiguous: `path` is the first match in a fixed order.
    """

    path: str
    matched_by: str
    """`self`, `path`, `folder`, `name` (without its folder), `id`, `title` or `alias`."""
    others: tuple[str, ...] = ()


class MissingTarget(Struct, frozen=True):
    """A link that matches no known file; `tried_paths` are the paths that were looked up."""

    tried_paths: tuple[str, ...]


class OutsideTarget(Struct, frozen=True):
    """A link to a path outside the tree, which is not checked."""

    path: str


LinkResolution = ResolvedLink | MissingTarget | OutsideTarget


class LinkResolver:
    """Resolves links against the names of all files of a tree.

    A wikilink is looked up as a path from the root, then as a path from its own folder, then as a file name
    or the end of a path anywhere: below the link's folder before elsewhere, shorter paths before longer ones.
    All of this is tried as written, then with `.md`. Markdown links are looked up from their folder first.
    Ids, titles and aliases of notes come last. Case and Unicode composition are ignored, unless two paths
    differ in nothing else.
    """

    def __init__(self, files: Iterable[str], notes: Iterable[NoteNames] = ()) -> None:
        self._paths: dict[str, list[str]] = {}
        self._bases: dict[str, list[str]] = {}
        self._folders: set[str] = set()
        self._by_label: dict[str, dict[str, list[str]]] = {"id": {}, "title": {}, "alias": {}}
        for path in files:
            folded = name_key(path)
            self._paths.setdefault(folded, []).append(path)
            self._bases.setdefault(folded.rpartition("/")[2], []).append(path)
            while (folded := folded.rpartition("/")[0]) and folded not in self._folders:
                self._folders.add(folded)
        for note in notes:
            self._add_note(note)

    def replace_note(self, before: NoteNames | None, after: NoteNames | None) -> None:
        """Take other names of a note in place of its earlier ones; its path stays as it is."""
        for by, label in _labels(before) if before is not None else ():
            paths = self._by_label[by].get(label, [])
            if before is not None and before.path in paths:
                paths.remove(before.path)
        if after is not None:
            self._add_note(after)

    def with_note(self, before: NoteNames | None, after: NoteNames) -> LinkResolver:
        """A resolver with other names of a note in place of its earlier ones; this one stays as it is."""
        resolver = LinkResolver(())
        resolver._paths, resolver._bases, resolver._folders = self._paths, self._bases, self._folders
        resolver._by_label = {by: dict(labels) for by, labels in self._by_label.items()}
        for note in (before, after):  # their lists are changed
            for by, label in _labels(note) if note is not None else ():
                if label in resolver._by_label[by]:
                    resolver._by_label[by][label] = [*resolver._by_label[by][label]]
        resolver.replace_note(before, after)
        return resolver

    def _add_note(self, note: NoteNames) -> None:
        for by, label in _labels(note):
            paths = self._by_label[by].setdefault(label, [])
            if note.path not in paths:
                paths.append(note.path)

    def resolve(self, link: NoteLink, source: str) -> LinkResolution:
        """Resolve a link in the file `source`."""
        if not link.target:
            return ResolvedLink(source, "self")
        return self.resolve_target(link.target, source, wiki=link.is_wiki)

    def resolve_target(self, target: str, source: str = "", *, wiki: bool = True) -> LinkResolution:
        """Resolve the target of a wikilink or Markdown link in the file `source`."""
        folder = source.rpartition("/")[0]
        tried: list[str] = []
        is_outside = False
        for start in _base_folders(target, folder, wiki=wiki):
            path = join_path(start, target.lstrip("/") if target.startswith("/") else target)
            if path is None:
                is_outside = True
                break
            tried.append(path)
        for ending in ("", ".md"):  # [[kiln.png]] is the image even if there is a note kiln.png.md
            for path in tried:
                if (found := self._by_path(f"{path}{ending}")) is not None:
                    return found
            name = f"{target.rstrip('/')}{ending}"
            is_path = target.startswith(("/", "./", "../"))
            if not is_path and (found := self._by_name(name, folder)) is not None:
                return found
        if wiki:
            for by, table in self._by_label.items():
                if paths := table.get(name_key(target)):
                    first, *others = sorted(paths, key=lambda path: _match_order(path, target, folder))
                    return ResolvedLink(first, by, tuple(others))
        for path in () if wiki and not target.endswith("/") else tried:
            if not (bare := name_key(path).rstrip("/")) or bare in self._folders:
                return ResolvedLink(path.rstrip("/"), "folder")
        return OutsideTarget(target) if is_outside else MissingTarget(tuple(dict.fromkeys(tried)))

    def _by_path(self, path: str) -> ResolvedLink | None:
        """The file at a path."""
        paths = self._paths.get(name_key(path))
        return ResolvedLink(path if path in paths else min(paths), "path") if paths else None

    def _by_name(self, name: str, folder: str) -> ResolvedLink | None:
        """The file in any folder that has this name, or whose path ends with it."""
        folded = name_key(name)
        base = folded.rpartition("/")[2]
        paths = [
            path for path in self._bases.get(base, ()) if base == folded or _ends_with(name_key(path), folded)
        ]
        if not paths:
            return None
        first, *others = sorted(paths, key=lambda path: _match_order(path, name, folder))
        spelled = name_key(first)
        return ResolvedLink(first, "name", tuple(other for other in others if name_key(other) != spelled))


def _labels(note: NoteNames) -> Iterator[tuple[str, str]]:
    """The names of a note other than its path, normalized, each with its kind."""
    names: tuple[tuple[str, str | None], ...] = (
        ("id", note.id or zettel_id(note.path)),
        ("title", note.title),
        *(("alias", alias) for alias in (*note.aliases, namespace_name(note.path))),
    )
    for kind, name in names:
        if name and (folded := name_key(name)):
            yield kind, folded


def link_key(name: str) -> str:
    """What the target of a link has in common with each path and name that it may mean.

    It is the last component without `.md`, normalized; "" for a target, such as `..`, that may mean any path.
    """
    return _last_component(name_key(name))


def link_keys(note: NoteNames) -> frozenset[str]:
    """The link keys of all names of a note."""
    labels = (_last_component(label) for _, label in _labels(note))
    return frozenset({link_key(note.path), *labels})


def may_mean(target: str, keys: Collection[str]) -> bool:
    """Whether the target of a link may mean a file with these link keys; False only where it cannot."""
    key = link_key(target)
    return key in keys or not key or "" in keys


def _last_component(folded: str) -> str:
    last = folded.rstrip("/").rpartition("/")[2]
    while last.endswith(".md"):
        last = last[:-3]
    return "" if last in {".", ".."} else last


def name_key(name: str) -> str:
    """A name normalized for comparison: case, Unicode composition and kinds of spaces are ignored."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize(
        "NFC", unicodedata.normalize("NFC", name).translate(_EQUIVALENT_CHARACTERS).casefold()
    )


def zettel_id(path: str) -> str | None:
    """The Zettelkasten id that a file name begins with: 202411030900 of `202411030900 Celadon.md`."""
    match = regex(_DATED, 256).match(path.rpartition("/")[2])
    return match[0] if match else None


def namespace_name(path: str) -> str | None:
    """The name of a page in a Logseq namespace: `kiln/cone` for the file `pages/kiln___cone.md`."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    if "___" not in stem and "%2" not in stem:
        return None
    return regex("___|%2[Ff]").sub("/", stem)


def join_path(folder: str, path: str) -> str | None:
    """A path relative to a folder as a normalized path from the root; None if it leaves the root."""
    parts: list[str] = []
    for part in (*folder.split("/"), *path.split("/")):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts) + ("/" if path.endswith("/") and parts else "")


def _base_folders(target: str, folder: str, *, wiki: bool) -> Iterator[str]:
    """The folders that a target is relative to, in the order of lookup."""
    if target.startswith(("./", "../")):
        yield folder
    elif target.startswith("/"):
        yield ""
    else:
        yield from ("", folder) if wiki else (folder, "")


def _ends_with(path: str, name: str) -> bool:
    return path == name or path.endswith(f"/{name}")


def _match_order(path: str, target: str, folder: str) -> tuple[bool, int, bool, str]:
    """Sort key of matches: below the link's folder first, then shorter paths, then the exact spelling."""
    folded = name_key(path)
    near = not folder or folded.startswith(f"{name_key(folder)}/")
    is_exact = _ends_with(path, target) or _ends_with(path, f"{target}.md")
    return not near, len(folded), not is_exact, path
