"""Three-way merge of frontmatter, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtool.core.text.passage_versions import OTHER_VALUE
from memtool.core.text.record_merge import MergeRecord, merge_records, merge_versions
from memtool.core.text.regex import regex

_CONTINUED = "# | "
_KEY = r"[\"']?([^\s\"'#:,\[\]{}-][^\n:]*?)[\"']?[ \t]*:(?=[ \t]|$)"
_FLOW_LIST = r"([^\n]*?:)[ \t]*\[([^\[\]{}\"'\n#]*)\][ \t]*"
_BLOCK_LIST = r"([^\n]*?:)[ \t]*((?:\n[ \t]*-[ \t][^\n]*)+)"
_TIMES_OF_CHANGE = r"(?i)(?:date[ _-]?)?(?:last[ _-]?)?(?:updated|modified|changed|lastmod)(?:[ _-]?at)?"
"""Keys that programs set at each change, so that the greater value replaces the other."""


def merge_frontmatter(base: str, ours: str, theirs: str) -> str:
    """The frontmatter of two versions of a base, with both `---` lines and LF; empty if nothing is left.

    A key is there if either side added or changed it, and otherwise not if either deleted it. If both changed
    its value, lists are merged by item; of other values the greater is taken, as text, and the others follow
    as comments.
    """
    sides = [[*_entries(meta)] for meta in (base, ours, theirs)]
    before, left, right = (dict(side) for side in sides)
    for own, other in ((left, right), (right, left)):
        own |= {
            key: before[key]
            for key in before
            if key not in own and other.get(key, before[key]) != before[key]
        }
    keys = merge_records(*([MergeRecord(key, "") for key in side] for side in (before, left, right)))
    lines = ["---"]
    for record in keys:
        versions = [side.get(record.key) for side in (before, left, right)]
        lines += _lines(_merge_values(record.key, *versions))
    return "\n".join([*lines, "---\n"]) if keys else ""


def _entries(meta: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each key and its versions, the current one first.

    A version has the key's lines; comments and blank lines belong to the key before them.
    """
    if not meta:
        return
    name, versions, names = "", list[list[str]](), dict[str, int]()
    for line in map(str.rstrip, meta.rstrip().split("\n")[1:-1]):
        if key := regex(_KEY).match(line):
            if versions:
                yield name, tuple("\n".join(version) for version in versions)
            names[key[1]] = names.get(key[1], 0) + 1
            name, versions = f"{key[1]} {names[key[1]]}", []
        if versions and line.startswith(OTHER_VALUE):
            versions.append([line.removeprefix(OTHER_VALUE)])
        elif len(versions) > 1 and line.startswith(_CONTINUED.rstrip()):
            versions[-1].append(line.removeprefix(_CONTINUED.rstrip()).removeprefix(" "))
        elif versions:
            versions[0].append(line)
        else:
            versions.append([line])
    if versions:
        yield name, tuple("\n".join(version) for version in versions)


def _lines(versions: Sequence[str]) -> Iterator[str]:
    yield from versions[0].split("\n")
    for version in versions[1:]:
        first, *rest = version.split("\n")
        yield OTHER_VALUE + first
        yield from (_CONTINUED + line for line in rest)


def _merge_values(
    key: str, base: tuple[str, ...] | None, ours: tuple[str, ...] | None, theirs: tuple[str, ...] | None
) -> tuple[str, ...]:
    """The versions of a key that at least one side has."""
    if ours is None or theirs is None or theirs in (ours, base):
        return ours or theirs or ()
    if ours == base:
        return theirs
    if (items := _merge_lists(base or (), ours, theirs)) is not None:
        return (items,)
    versions = sorted(merge_versions(base or (), ours, theirs), reverse=True)
    name = key.rpartition(" ")[0]
    return tuple(versions[:1] if regex(_TIMES_OF_CHANGE).fullmatch(name) else versions)


def _merge_lists(*versions: Sequence[str]) -> str | None:
    """A key with the items of two lists; None if a value is no plain list."""
    lists = [_parse_list(version[0]) if version else ("", []) for version in versions if len(version) < 2]
    parsed = [each for each in lists if each is not None]
    if len(parsed) < len(versions):
        return None
    merged = merge_records(*([MergeRecord(item, item) for item in items] for _, items in parsed))
    opening = max(opening for opening, _ in parsed[1:])
    items = [record.text for record in merged]
    if opening.endswith("["):
        return f"{opening}{', '.join(items)}]"
    return "\n".join([opening, *(f"  - {item}" for item in items)])


def _parse_list(text: str) -> tuple[str, list[str]] | None:
    """What is before the items of a list, and the items; None for another value."""
    if flow := regex(_FLOW_LIST).fullmatch(text):
        return f"{flow[1]} [", [item.strip() for item in flow[2].split(",") if item.strip()]
    if block := regex(_BLOCK_LIST).fullmatch(text):
        return block[1], [line.strip()[1:].strip() for line in block[2].strip().split("\n")]
    return None
