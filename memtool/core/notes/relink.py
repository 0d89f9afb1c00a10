"""Links that follow files to their new paths or titles, each in the style it was written in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from memtool.core.notes.anchors import plain, slugged
from memtool.core.notes.link import Link
from memtool.core.notes.names import Found, Missing, Names, Outside, Target, joined, name_key
from memtool.core.text.edited import Edit
from memtool.core.text.pattern import compiled

_ENDING = ".md"
_NAMES = frozenset({"path", "name", "folder"})
_PLAIN = "/@!$&'*+,;=~-._"
"""Signs that stand for themselves in a destination. A colon could make a web address of it."""
_WIKI_ANCHOR = r"[ \t]*#([^|\]\n]*?)(?=\\?\||\]\])"
_INLINE_ANCHOR = r"#([^\s)>]*)"
_ANGLE_ANCHOR = r"#([^>\n]*)"


class Moving(Struct, frozen=True):
    """Files that go from one path to another, and perhaps from one title to another.

    `before` are the names of the tree as it is, without what stands at the new paths already, `after` those
    that it will have.
    """

    moves: Mapping[str, str]
    before: Names
    after: Names
    old_title: str = ""
    new_title: str = ""
    is_there: Callable[[str], bool] = lambda _: False
    """Whether a file is there that no name of the tree tells of."""
    is_whole: bool = False
    """Whether a whole tree is arranged anew, its links last: then none can mislead before, and one that leads
    where it led stays as it is, whatever else it could mean by now."""

    def path(self, path: str) -> str:
        """Where a file of the tree will be."""
        return self.moves.get(path, path)


def edits(text: str, source: str, links: Sequence[Link], moving: Moving) -> Iterator[Edit]:
    """What must change in a file so that each of its links leads where it led before; nothing else does.

    The edits come in order. A link that led nowhere, and one that still leads there, stays as it is; links to
    the heading that was the old title name the new one.
    """
    done: set[int] = set()
    for link in sorted(links, key=lambda one: one.at):
        if link.at in done:  # of references, one definition
            continue
        done.add(link.at)
        if (target := _target(link, source, moving)) is not None:
            yield Edit(link.at, link.upto, _spelt(target, text, link))
        if (anchor := _anchor(text, link, source, moving)) is not None:
            yield anchor


def _target(link: Link, source: str, moving: Moving) -> str | None:
    """What a link must name from now on; None where it may stay as it is."""
    if not link.target:
        return None
    found = moving.before.resolve(link, source)
    home = moving.path(source)
    if not isinstance(found, Found):
        return _rebased(link, source, home, found, moving)
    wanted = moving.path(found.path)
    now = moving.after.resolve(link, home)
    if _is_as_good(link, link.target, now, source, found, moving):
        return None
    last = None
    for target in _candidates(link, found, wanted, source, home, moving):
        after = moving.after.named(target, home, wiki=link.is_wiki)
        if not _is_as_good(link, target, after, source, found, moving):
            continue
        last = target
        early = moving.before.named(target, source, wiki=link.is_wiki)
        is_safe = not isinstance(early, Found) or moving.path(early.path) == wanted
        if is_safe or source in moving.moves or moving.is_whole:
            return target
    if found.by == "folder":  # one that is empty is none
        return None
    return last or _unnamed(link, found, wanted, home, moving)


def _is_as_good(link: Link, target: str, now: Target, source: str, found: Found, moving: Moving) -> bool:
    """Whether a target leads where the link led; to it alone if it did, and by as much as others know.

    Only memtool knows titles and ids; to others such as Obsidian a link by the name of a file must stay one.
    Most readers of Markdown know no more than paths from the link's folder.
    """
    if not isinstance(now, Found) or now.path != moving.path(found.path):
        return False
    home = moving.path(source)
    if not link.is_wiki and _plainness(target, now.path, home) < _plainness(link.target, found.path, source):
        return False
    return moving.is_whole or (
        (bool(found.others) or not now.others) and (now.by in _NAMES) >= (found.by in _NAMES)
    )


def _plainness(target: str, path: str, source: str) -> tuple[int, bool]:
    """Whether a target is the path from the folder of its link, 2, or from the root, 1, or just a name.

    Then whether its last step is spelled as the file is, in upper and lower case: not every disk is so kind.
    """
    base, name = target.rpartition("/")[2], path.rpartition("/")[2]
    plain = 2 if _leads(source.rpartition("/")[0], target, path) else int(_leads("", target, path))
    return plain, base in {name, name.removesuffix(_ENDING)}


def _unnamed(link: Link, found: Found, wanted: str, home: str, moving: Moving) -> str | None:
    """The path to a file that no name of the tree will tell of; None where the link may stay as it is."""
    path = _styled(wanted, link.target)
    if link.is_wiki:
        if found.by != "path" and not isinstance(moving.after.resolve(link, home), Found):
            return None
        is_rooted = link.target.startswith("/") or isinstance(moving.after.named(path, home), Found)
    else:
        is_rooted = link.target.startswith("/")
        path = path if is_rooted else _relative(path, home.rpartition("/")[0])
    path = f"/{path}" if is_rooted else path
    return path if path != link.target else None


def _candidates(
    link: Link, found: Found, wanted: str, source: str, home: str, moving: Moving
) -> Iterator[str]:
    """The ways to name a path, the one nearest to how the link was written first."""
    target = link.target
    path = _styled(wanted, target)
    if found.by == "folder" and target.endswith("/"):
        path += "/"
    steps = path.rstrip("/").count("/") + 1
    folder = home.rpartition("/")[0]
    if target.startswith("/"):
        yield f"/{path}"
    elif target.startswith(("./", "../")):
        near = _relative(path, folder)
        is_plain = near.startswith("../") or (target.startswith("../") and not link.is_wiki)
        yield near if is_plain else f"./{near}"
    elif found.by == "title" and moving.new_title:
        yield moving.new_title
    elif found.by in {"path", "folder"}:
        first = "" if link.is_wiki else source.rpartition("/")[0]
        if not _leads(first, target, found.path) or not link.is_wiki:
            yield _relative(path, folder) if _leads(source.rpartition("/")[0], target, found.path) else path
        elif "/" in target:
            yield path
    if link.is_wiki or found.by == "name":
        shortest = target.rstrip("/").count("/") + 1 if found.by in {"path", "name"} else 1
        for size in range(min(shortest, steps), steps + 1):
            yield "/".join(path.split("/")[-size:])
    yield _relative(path, folder)
    yield f"/{path}"
    if found.by == "folder":  # beside a note of the same name
        yield f"/{path.rstrip('/')}/"


def _rebased(link: Link, source: str, home: str, found: Missing | Outside, moving: Moving) -> str | None:
    """The path from a file's new folder to what it named from its old one, outside of the known tree."""
    target = link.target
    is_rooted = target.startswith("/") or (link.is_wiki and not target.startswith(("./", "../")))
    folder, new = ("", "") if is_rooted else (source.rpartition("/")[0], home.rpartition("/")[0])
    if isinstance(found, Missing) and not moving.is_there(found.tried[0]):
        return None
    steps = [step for step in folder.split("/") if step]
    for step in target.split("/"):
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    there = "/".join(steps)
    if folder == new and moving.path(there) == there:
        return None
    rebased = _relative(moving.path(there), new)
    return ("/" if target.startswith("/") else "") + rebased + ("/" if target.endswith("/") else "")


def _styled(path: str, target: str) -> str:
    """A path without its `.md` where a target was written without."""
    is_bare = path.lower().endswith(_ENDING) and not target.lower().endswith(_ENDING)
    return path[: -len(_ENDING)] if is_bare else path


def _leads(folder: str, target: str, path: str) -> bool:
    """Whether a target, taken from a folder, is just this path."""
    named = name_key(joined(folder, target) or "").rstrip("/")
    return named in {name_key(path), name_key(path.removesuffix(_ENDING))}


def _relative(path: str, folder: str) -> str:
    """The path from a folder to a file."""
    here, there = [step for step in folder.split("/") if step], path.split("/")
    while here and len(there) > 1 and here[0] == there[0]:
        here, there = here[1:], there[1:]
    return "/".join([*[".."] * len(here), *there])


def _spelt(target: str, text: str, link: Link) -> str:
    """A target as it is written in a link of this kind: as it is, in angle brackets, or percent-encoded."""
    if link.is_wiki:
        return _in_yaml(target, text, link) if link.in_meta else target
    written = text[link.at : link.upto]
    if text[link.at - 1 : link.at] == "<":
        return compiled(r"[%#&:<>\\\n]").sub(lambda sign: quote(sign[0]), target)
    is_encoded = written.isascii() and compiled(r"%[89A-Fa-f]").search(written) is not None
    return _encoded(target, _PLAIN if "&" in written else _PLAIN.replace("&", ""), letters=not is_encoded)


def _encoded(text: str, signs: str, *, letters: bool) -> str:
    """A text percent-encoded, save for some signs and, if asked for, the letters of all scripts."""
    return "".join(
        char
        if letters and ord(char) > 0xA0 and char.isprintable()
        else quote(char, safe=signs, errors="surrogateescape")
        for char in text
    )


def _in_yaml(target: str, text: str, link: Link) -> str:
    """A target inside a value of the frontmatter, which may stand in quotes."""
    line = text[text.rfind("\n", 0, link.start) + 1 : link.start]
    if line.count('"') % 2:
        return target.replace("\\", "\\\\").replace('"', '\\"')
    return target.replace("'", "''") if line.count("'") % 2 else target


def heading(anchor: str, moving: Moving) -> str | None:
    """An anchor into a file that gets another title, where it names the heading that was the old one.

    None where it may stay as it is.
    """
    if not anchor or not moving.new_title or moving.new_title == moving.old_title:
        return None
    first, hash_, rest = anchor.partition("#")
    if plain(first) == plain(moving.old_title):
        new = " ".join(compiled(r"[#^|\[\]\\]").sub(" ", moving.new_title).split())
    elif first == slugged(moving.old_title):
        new = slugged(moving.new_title)
    else:
        return None
    return f"{new}{hash_}{rest}"


def _anchor(text: str, link: Link, source: str, moving: Moving) -> Edit | None:
    """The edit of an anchor that names the heading which was the old title."""
    if not link.anchor or not moving.new_title or moving.new_title == moving.old_title:
        return None
    found = moving.before.resolve(link, source)
    if not isinstance(found, Found) or found.path not in moving.moves:
        return None
    spelt = heading(link.anchor, moving)
    if spelt is None:
        return None
    is_angle = text[link.at - 1 : link.at] == "<"
    pattern = _WIKI_ANCHOR if link.is_wiki else _ANGLE_ANCHOR if is_angle else _INLINE_ANCHOR
    written = compiled(pattern).match(text, link.upto)
    if written is None:
        return None
    if not link.is_wiki and not is_angle:
        spelt = _encoded(spelt, f"{_PLAIN}#", letters=True)
    return Edit(written.start(1), written.end(1), spelt)
