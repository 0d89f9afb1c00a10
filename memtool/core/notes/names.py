"""Names: which file of a tree a link leads to, as Obsidian decides it, or by id, title and alias."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct

from memtool.core.notes.link import Link
from memtool.core.text.pattern import compiled

_SAME = {0xA0: " ", 0x202F: " ", 0xFE0F: None}
_DATED = r"\d{8,14}(?:-\d{2,6})?(?=\D|\Z)"


class Named(Struct, frozen=True):
    """A note and what it may be called besides its path: its id and title, and other names of it."""

    path: str
    id: str | None = None
    title: str | None = None
    aliases: tuple[str, ...] = ()


class Found(Struct, frozen=True):
    """The file that a link leads to, what it was found by, and the others that it could have meant.

    Where `others` is not empty the link is ambiguous: it leads to the first by a fixed order.
    """

    path: str
    by: str
    """`self`, `path`, `folder`, `name` (without its folder), `id`, `title` or `alias`."""
    others: tuple[str, ...] = ()


class Missing(Struct, frozen=True):
    """A link that leads to no file that is known; `tried` are the paths where it could lie."""

    tried: tuple[str, ...]


class Outside(Struct, frozen=True):
    """A link that leads out of the tree, of which nothing can be told."""

    path: str


Target = Found | Missing | Outside


class Names:
    """The names of all files of a tree.

    A path from the root comes first, then one from the folder of the link, then a file name or the end of
    a path wherever it lies: below the folder of the link before elsewhere, the shorter path before the
    longer; all of it first as it is written, then with `.md`. Markdown links are looked for from their folder
    first. Then ids, titles and aliases of notes. Upper and lower case, composed and decomposed letters are
    the same, unless two paths differ in just that.
    """

    def __init__(self, files: Iterable[str], notes: Iterable[Named] = ()) -> None:
        self._paths: dict[str, list[str]] = {}
        self._bases: dict[str, list[str]] = {}
        self._folders: set[str] = set()
        self._called: dict[str, dict[str, list[str]]] = {"id": {}, "title": {}, "alias": {}}
        for path in files:
            folded = name_key(path)
            self._paths.setdefault(folded, []).append(path)
            self._bases.setdefault(folded.rpartition("/")[2], []).append(path)
            while (folded := folded.rpartition("/")[0]) and folded not in self._folders:
                self._folders.add(folded)
        for note in notes:
            self._call("id", note.id or dated(note.path), note.path)
            self._call("title", note.title, note.path)
            for alias in (*note.aliases, spaced(note.path)):
                self._call("alias", alias, note.path)

    def resolve(self, link: Link, source: str) -> Target:
        """Where a link leads that stands in the file `source`."""
        if not link.target:
            return Found(source, "self")
        return self.named(link.target, source, wiki=link.is_wiki)

    def named(self, target: str, source: str = "", *, wiki: bool = True) -> Target:
        """Where a target leads that was written in the file `source`, as in a wikilink or a Markdown link."""
        folder = source.rpartition("/")[0]
        tried: list[str] = []
        is_outside = False
        for start in _starts(target, folder, wiki=wiki):
            path = joined(start, target.lstrip("/") if target.startswith("/") else target)
            if path is None:
                is_outside = True
                break
            tried.append(path)
        for ending in ("", ".md"):  # [[kiln.png]] is the picture, wherever a note kiln.png.md may lie
            for path in tried:
                if (found := self._at(f"{path}{ending}")) is not None:
                    return found
            name = f"{target.rstrip('/')}{ending}"
            is_path = target.startswith(("/", "./", "../"))
            if not is_path and (found := self._by_name(name, folder)) is not None:
                return found
        if wiki:
            for by, table in self._called.items():
                if paths := table.get(name_key(target)):
                    first, *others = sorted(paths, key=lambda path: _order(path, target, folder))
                    return Found(first, by, tuple(others))
        for path in () if wiki and not target.endswith("/") else tried:
            if not (bare := name_key(path).rstrip("/")) or bare in self._folders:
                return Found(path.rstrip("/"), "folder")
        return Outside(target) if is_outside else Missing(tuple(dict.fromkeys(tried)))

    def _at(self, path: str) -> Found | None:
        """The file at a path."""
        paths = self._paths.get(name_key(path))
        return Found(path if path in paths else min(paths), "path") if paths else None

    def _by_name(self, name: str, folder: str) -> Found | None:
        """A file that is called so, or whose path ends so, wherever it lies."""
        folded = name_key(name)
        base = folded.rpartition("/")[2]
        paths = [
            path for path in self._bases.get(base, ()) if base == folded or _ends(name_key(path), folded)
        ]
        if not paths:
            return None
        first, *others = sorted(paths, key=lambda path: _order(path, name, folder))
        spelled = name_key(first)
        return Found(first, "name", tuple(one for one in others if name_key(one) != spelled))

    def _call(self, by: str, name: str | None, path: str) -> None:
        if name and (folded := name_key(name)):
            paths = self._called[by].setdefault(folded, [])
            if path not in paths:
                paths.append(path)


def name_key(name: str) -> str:
    """What two spellings of one name have in common: case, composition and kinds of spaces aside."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).translate(_SAME).casefold())


def dated(path: str) -> str | None:
    """The id that a zettel's file name begins with: `202411030900 Celadon.md` has 202411030900."""
    found = compiled(_DATED, 256).match(path.rpartition("/")[2])
    return found[0] if found else None


def spaced(path: str) -> str | None:
    """What Logseq calls the page of a namespace: `kiln/cone` where the file is `pages/kiln___cone.md`."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    if "___" not in stem and "%2" not in stem:
        return None
    return compiled("___|%2[Ff]").sub("/", stem)


def joined(folder: str, path: str) -> str | None:
    """A path relative to a folder as one from the root, without `.` and `..`; None if it leaves the root."""
    parts: list[str] = []
    for part in (*folder.split("/"), *path.split("/")):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts) + ("/" if path.endswith("/") and parts else "")


def _starts(target: str, folder: str, *, wiki: bool) -> Iterator[str]:
    """The folders that a target is looked for in, in turn."""
    if target.startswith(("./", "../")):
        yield folder
    elif target.startswith("/"):
        yield ""
    else:
        yield from ("", folder) if wiki else (folder, "")


def _ends(path: str, name: str) -> bool:
    return path == name or path.endswith(f"/{name}")


def _order(path: str, target: str, folder: str) -> tuple[bool, int, bool, str]:
    """What lies below the link's folder first, then the shorter path, then the exact spelling."""
    folded = name_key(path)
    near = not folder or folded.startswith(f"{name_key(folder)}/")
    is_exact = _ends(path, target) or _ends(path, f"{target}.md")
    return not near, len(folded), not is_exact, path
