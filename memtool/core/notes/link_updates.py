"""Link updates for moved and renamed files; each link keeps the style it was written in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from memtool.core.notes.anchors import heading_slug, linked_heading, normalize_heading
from memtool.core.notes.link import NoteLink
from memtool.core.notes.link_resolver import (
    LinkResolution,
    LinkResolver,
    MissingTarget,
    OutsideTarget,
    ResolvedLink,
    join_path,
    name_key,
)
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex

_EXTENSION = ".md"
_PORTABLE_MATCHES = frozenset({"path", "name", "folder"})
_UNENCODED = "/@!$&'*+,;=~-._"
"""Characters that a destination holds unencoded. A colon is not among them: it could make it a URL."""
_WIKI_ANCHOR = r"[ \t]*#([^|\]\n]*?)(?=\\?\||\]\])"
_INLINE_ANCHOR = r"#([^\s)>]*)"
_ANGLE_ANCHOR = r"#([^>\n]*)"


class FileMoves(Struct, frozen=True):
    """Files that get new paths, and possibly one file that gets a new title.

    `before` resolves links in the tree as it is, without the files that are already at the new paths; `after`
    resolves links in the tree as it will be.
    """

    moves: Mapping[str, str]
    before: LinkResolver
    after: LinkResolver
    old_title: str = ""
    new_title: str = ""
    exists: Callable[[str], bool] = lambda _: False
    """Whether a file exists at a path that neither `before` nor `after` knows."""
    new_anchor: Callable[[str, bool], str | None] | None = None
    """The new anchor for one in a wikilink (true) or another link, where that is not what `old_title` names;
    None if it needs no change."""
    is_whole_tree: bool = False
    """Whether a whole tree is rearranged and its links are updated last. No link is then read before the move
    is complete, and a link that still resolves to its file is left as it is, even if it became ambiguous."""

    def resolve_before(self, link: NoteLink, source: str) -> LinkResolution:
        """Resolve a link in the tree as it is.

        A Markdown link to a file beside its own that exists means that file, although `before` does not know
        it; it does not mean a file of this name in another folder.
        """
        resolved = self.before.resolve(link, source)
        if link.is_wiki or not isinstance(resolved, ResolvedLink) or resolved.matched_by != "name":
            return resolved
        own = join_path(source.rpartition("/")[0], link.target)
        return MissingTarget((own,)) if own is not None and self.exists(own) else resolved

    def new_path(self, path: str) -> str:
        """The new path of a file."""
        return self.moves.get(path, path)


def link_edits(text: str, source: str, links: Sequence[NoteLink], moving: FileMoves) -> Iterator[TextEdit]:
    """The edits, in order, after which each link of a file resolves to the same file as before the move.

    Links that were broken and links that still resolve correctly are left as they are. Links to the heading
    that was the old title name the new title.
    """
    done: set[int] = set()
    for link in sorted(links, key=lambda link: link.target_start):
        if link.target_start in done:  # references share one definition
            continue
        done.add(link.target_start)
        target, anchor = _updated_target(link, source, moving), _anchor_edit(text, link, source, moving)
        if target is None and anchor is not None and not link.is_wiki and ":" in link.target:
            target = link.target  # without spaces in its anchor, it would be a URL
        if target is not None:
            yield TextEdit(link.target_start, link.target_end, _written(target, text, link))
        if anchor is not None:
            yield anchor


def _updated_target(link: NoteLink, source: str, moving: FileMoves) -> str | None:
    """The new target of a link; None if it needs no change."""
    if not link.target:
        return None
    resolved = moving.resolve_before(link, source)
    new_source = moving.new_path(source)
    if not isinstance(resolved, ResolvedLink):
        return _rebase(link, source, new_source, resolved, moving)
    new_path = moving.new_path(resolved.path)
    new_target = moving.after.resolve(link, new_source)
    if _is_as_good(link, link.target, new_target, source, resolved, moving):
        return None
    last = None
    for target in _candidates(link, resolved, new_path, source, new_source, moving):
        new_resolved = moving.after.resolve_target(target, new_source, wiki=link.is_wiki)
        if not _is_as_good(link, target, new_resolved, source, resolved, moving):
            continue
        last = target
        old_resolved = moving.before.resolve_target(target, source, wiki=link.is_wiki)
        is_safe = not isinstance(old_resolved, ResolvedLink) or moving.new_path(old_resolved.path) == new_path
        if is_safe or source in moving.moves or moving.is_whole_tree:
            return target
    if resolved.matched_by == "folder":  # an empty folder is no target
        return None
    return last or _unindexed_path(link, resolved, new_path, new_source, moving)


def _is_as_good(
    link: NoteLink,
    target: str,
    new_target: LinkResolution,
    source: str,
    resolved: ResolvedLink,
    moving: FileMoves,
) -> bool:
    """Whether a target resolves to the file of the link, no more ambiguously and as portably as before.

    Only memtool resolves titles and ids: a link by file name must stay one, for Obsidian. Most Markdown
    viewers resolve only paths relative to the link's folder.
    """
    if not isinstance(new_target, ResolvedLink) or new_target.path != moving.new_path(resolved.path):
        return False
    new_source = moving.new_path(source)
    if not link.is_wiki and _portability(target, new_target.path, new_source) < _portability(
        link.target, resolved.path, source
    ):
        return False
    return moving.is_whole_tree or (
        (bool(resolved.others) or not new_target.others)
        and (new_target.matched_by in _PORTABLE_MATCHES) >= (resolved.matched_by in _PORTABLE_MATCHES)
    )


def _portability(target: str, path: str, source: str) -> tuple[int, bool]:
    """How portable a target is: 2 for a path from its link's folder, 1 for one from the root, else 0.

    The second item is whether its last component is spelled with the case of the file name, which
    case-sensitive file systems need.
    """
    base, name = target.rpartition("/")[2], path.rpartition("/")[2]
    is_from_folder = not target.startswith("/") and _is_path_to(source.rpartition("/")[0], target, path)
    plain = 2 if is_from_folder else int(_is_path_to("", target, path))
    return plain, base in {name, name.removesuffix(_EXTENSION)}


def _unindexed_path(
    link: NoteLink, resolved: ResolvedLink, new_path: str, new_source: str, moving: FileMoves
) -> str | None:
    """The path to a file that `after` cannot resolve; None if the link needs no change."""
    path = _with_extension_like(new_path, link.target)
    if link.is_wiki:
        if resolved.matched_by != "path" and not isinstance(
            moving.after.resolve(link, new_source), ResolvedLink
        ):
            return None
        is_absolute = link.target.startswith("/") or isinstance(
            moving.after.resolve_target(path, new_source), ResolvedLink
        )
    else:
        is_absolute = link.target.startswith("/")
        path = path if is_absolute else _relative(path, new_source.rpartition("/")[0])
    path = f"/{path}" if is_absolute else path
    return path if path != link.target else None


def _candidates(
    link: NoteLink, resolved: ResolvedLink, new_path: str, source: str, new_source: str, moving: FileMoves
) -> Iterator[str]:
    """The possible targets for a path, the one closest to the style of the link first."""
    target = link.target
    path = _with_extension_like(new_path, target)
    if resolved.matched_by == "folder" and target.endswith("/"):
        path += "/"
    steps = path.rstrip("/").count("/") + 1
    folder = new_source.rpartition("/")[0]
    if target.startswith("/"):
        yield f"/{path}"
    elif target.startswith(("./", "../")):
        relative = _relative(path, folder)
        is_plain = relative.startswith("../") or (target.startswith("../") and not link.is_wiki)
        yield relative if is_plain else f"./{relative}"
    elif resolved.matched_by == "title" and moving.new_title:
        yield moving.new_title
    elif resolved.matched_by in {"path", "folder"}:
        base_folder = "" if link.is_wiki else source.rpartition("/")[0]
        if not _is_path_to(base_folder, target, resolved.path) or not link.is_wiki:
            yield (
                _relative(path, folder)
                if _is_path_to(source.rpartition("/")[0], target, resolved.path)
                else path
            )
        elif "/" in target:
            yield path
    if link.is_wiki or resolved.matched_by == "name":
        shortest = target.rstrip("/").count("/") + 1 if resolved.matched_by in {"path", "name"} else 1
        for size in range(min(shortest, steps), steps + 1):
            yield "/".join(path.split("/")[-size:])
    yield _relative(path, folder)
    yield f"/{path}"
    if resolved.matched_by == "folder":  # there may be a note of the same name
        yield f"/{path.rstrip('/')}/"


def _rebase(
    link: NoteLink, source: str, new_source: str, unresolved: MissingTarget | OutsideTarget, moving: FileMoves
) -> str | None:
    """The target, relative to the file's new folder, of a link to a file outside the known tree."""
    target = link.target
    is_absolute = target.startswith("/") or (link.is_wiki and not target.startswith(("./", "../")))
    folder, new_folder = (
        ("", "") if is_absolute else (source.rpartition("/")[0], new_source.rpartition("/")[0])
    )
    if isinstance(unresolved, MissingTarget) and not moving.exists(unresolved.tried_paths[0]):
        return None
    steps = [step for step in folder.split("/") if step]
    for step in target.split("/"):
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    path = "/".join(steps)
    if folder == new_folder and moving.new_path(path) == path:
        return None
    rebased = _relative(moving.new_path(path), new_folder)
    return ("/" if target.startswith("/") else "") + rebased + ("/" if target.endswith("/") else "")


def _with_extension_like(path: str, target: str) -> str:
    """A path, without `.md` if the old target was written without it."""
    is_bare = path.lower().endswith(_EXTENSION) and not target.lower().endswith(_EXTENSION)
    return path[: -len(_EXTENSION)] if is_bare else path


def _is_path_to(folder: str, target: str, path: str) -> bool:
    """Whether a target, relative to a folder, is exactly this path."""
    named = name_key(join_path(folder, target) or "").rstrip("/")
    return named in {name_key(path), name_key(path.removesuffix(_EXTENSION))}


def _relative(path: str, folder: str) -> str:
    """The relative path from a folder to a file."""
    from_steps, to_steps = [step for step in folder.split("/") if step], path.split("/")
    while from_steps and len(to_steps) > 1 and from_steps[0] == to_steps[0]:
        from_steps, to_steps = from_steps[1:], to_steps[1:]
    return "/".join([*[".."] * len(from_steps), *to_steps])


def _written(target: str, text: str, link: NoteLink) -> str:
    """A target as a link of this kind writes it: verbatim, escaped in angle brackets, or percent-encoded."""
    if link.is_wiki:
        return _escape_for_yaml(target, text, link) if link.in_frontmatter else target
    written = text[link.target_start : link.target_end]
    if text[link.target_start - 1 : link.target_start] == "<":
        return regex(r"[%#&:<>\\\n]").sub(lambda sign: quote(sign[0]), target)
    is_encoded = written.isascii() and regex(r"%[89A-Fa-f]").search(written) is not None
    return _percent_encode(
        target, _UNENCODED if "&" in written else _UNENCODED.replace("&", ""), letters=not is_encoded
    )


def _percent_encode(text: str, unencoded: str, *, letters: bool) -> str:
    """A text percent-encoded, except for safe characters and, with `letters`, non-ASCII printable ones."""
    return "".join(
        char
        if letters and ord(char) > 0xA0 and char.isprintable()
        else quote(char, safe=unencoded, errors="surrogateescape")
        for char in text
    )


def _escape_for_yaml(target: str, text: str, link: NoteLink) -> str:
    """A target escaped for a frontmatter value, which may be quoted."""
    line = text[text.rfind("\n", 0, link.start) + 1 : link.start]
    if line.count('"') % 2:
        return target.replace("\\", "\\\\").replace('"', '\\"')
    return target.replace("'", "''") if line.count("'") % 2 else target


def renamed_anchor(anchor: str, moving: FileMoves, *, is_wiki: bool = True) -> str | None:
    """The new anchor for one that names the heading that was the old title; None if it needs no change."""
    if not anchor or not moving.new_title or moving.new_title == moving.old_title:
        return None
    if moving.new_anchor is not None:
        return moving.new_anchor(anchor, is_wiki)
    steps = anchor.split("#")
    renamed = [_renamed_step(step, moving, is_wiki=is_wiki) for step in steps]
    return "#".join(renamed) if renamed != steps else None


def _renamed_step(step: str, moving: FileMoves, *, is_wiki: bool) -> str:
    """A step of an anchor; one that is both the text and the slug stays a slug in a Markdown link."""
    is_text = normalize_heading(step) == normalize_heading(moving.old_title)
    is_slug = step == heading_slug(moving.old_title)
    if is_slug and not (is_text and is_wiki) and (slug := heading_slug(moving.new_title)):
        return slug
    if is_text or is_slug:
        return linked_heading(moving.new_title)
    return step


def _anchor_edit(text: str, link: NoteLink, source: str, moving: FileMoves) -> TextEdit | None:
    """The edit of a link's anchor that names the heading that was the old title; None if it needs none."""
    if not link.anchor or not moving.new_title or moving.new_title == moving.old_title:
        return None
    resolved = moving.resolve_before(link, source)
    if not isinstance(resolved, ResolvedLink) or resolved.path not in moving.moves:
        return None
    new_anchor = renamed_anchor(link.anchor, moving, is_wiki=link.is_wiki)
    span = written_anchor_span(text, link) if new_anchor is not None else None
    if new_anchor is None or span is None:
        return None
    return TextEdit(*span, _written_anchor(new_anchor, text, link))


def written_anchor_span(text: str, link: NoteLink) -> tuple[int, int] | None:
    """The span of the anchor that follows the target of a link, without its `#`."""
    is_angle = text[link.target_start - 1 : link.target_start] == "<"
    pattern = _WIKI_ANCHOR if link.is_wiki else _ANGLE_ANCHOR if is_angle else _INLINE_ANCHOR
    match = regex(pattern).match(text, link.target_end)
    return match.span(1) if match is not None else None


def _written_anchor(anchor: str, text: str, link: NoteLink) -> str:
    if link.is_wiki or text[link.target_start - 1 : link.target_start] == "<":
        return anchor
    return _percent_encode(anchor, f"{_UNENCODED}#", letters=True)


def redirect_edit(
    text: str, link: NoteLink, source: str, path: str, anchor: str, after: LinkResolver
) -> TextEdit | None:
    """The edit after which a link with an anchor leads to an anchor ("" for none) of a file at another path.

    The new target is as short as the link's kind permits: a file name for a wikilink, and for others the
    path from the link's folder, or from the root if the old one is. None for an anchor that cannot be found
    in the text.
    """
    span = written_anchor_span(text, link)
    if span is None:
        return None
    target = _with_extension_like(path, link.target or path if not link.is_wiki else link.target)
    if link.is_wiki:
        name = target.rpartition("/")[2]
        resolved = after.resolve_target(name, source)
        is_sure = isinstance(resolved, ResolvedLink) and resolved.path == path and not resolved.others
        target = name if is_sure else target
    elif link.target.startswith("/"):
        target = f"/{target}"
    else:
        target = _relative(target, source.rpartition("/")[0])
    written = _written(target, text, link)
    hash_and_anchor = f"#{_written_anchor(anchor, text, link)}" if anchor else ""
    return TextEdit(link.target_start, span[1], f"{written}{hash_and_anchor}")
