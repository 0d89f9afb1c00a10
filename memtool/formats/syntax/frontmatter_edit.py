"""Set one key of a frontmatter and leave every other byte of the text unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.errors import UnreadableFile
from memtool.formats.syntax.frontmatter import load_keys, split, yaml_source
from memtool.formats.syntax.text_lines import newline
from memtool.formats.syntax.yaml_text import InvalidYaml, Json, dump_inline


class _YamlPair(Struct, frozen=True):
    """A key and its value, by their offsets in the YAML."""

    key: str | None
    start: int
    key_end: int
    value: int
    value_end: int
    kind: str
    """`inline`, `text` (a block scalar), `items` (a block list) or `block` (a block mapping)."""


class _YamlMapping(Struct, frozen=True):
    pairs: tuple[_YamlPair, ...]
    flow: int | None
    """The offset behind the `{` of a flow mapping; None for a block mapping."""
    column: int


def set_key(text: str, key: str, value: Json) -> str:
    """The text with `key` set to `value` in its frontmatter; both are added if missing.

    Order, comments, quoting and newline style of everything else are unchanged. A block list stays a block
    list. Raises UnreadableFile if the frontmatter is invalid or cannot be changed safely, and ValueError for
    an infinity.
    """
    before = _valid_keys(text)
    meta, body, _ = split(text)
    end = newline(text)
    if not meta:
        bom = "\ufeff" if text.startswith("\ufeff") else ""
        body = text.removeprefix(bom)
        changed = f"{bom}---{end}{dump_inline(key)}: {dump_inline(value)}{end}---{end}{body}"
    else:
        source, start = yaml_source(meta)
        mapping = _mapping(source)
        pair = next((pair for pair in reversed(mapping.pairs) if pair.key == key), None)
        edited = (
            _replace_value(source, mapping, pair, value, end)
            if pair
            else _append_pair(source, mapping, key, value, end)
        )
        changed = meta[:start] + edited + meta[start + len(source) :] + body
    return _verify(changed, body, before | {key: value})


def _valid_keys(text: str) -> dict[str, Json]:
    loaded = load_keys(text)
    if isinstance(loaded, InvalidYaml):
        raise UnreadableFile(
            f"the file has invalid frontmatter on line {loaded.line} ({loaded.message}); correct the "
            "frontmatter first"
        )
    return loaded


def _verify(changed: str, body: str, expected: dict[str, Json]) -> str:
    """The changed text, if it parses to the expected keys and the same body. Raises UnreadableFile."""
    if load_keys(changed) != expected or split(changed)[1] != body:
        raise UnreadableFile(
            "after the change, the frontmatter would be read with other values than intended; edit it by hand"
        )
    return changed


def _replace_value(source: str, mapping: _YamlMapping, pair: _YamlPair, value: Json, end: str) -> str:
    text = dump_inline(value)
    if pair.kind == "inline":
        space = " " if source[pair.value - 1 : pair.value] == ":" else ""
        return source[: pair.value] + space + text + source[pair.value_end :]
    last = _pair_end(source, mapping, pair)
    if pair.kind == "items" and source[pair.value] == "-" and isinstance(value, list) and value:
        indent = source[source.rfind("\n", 0, pair.value) + 1 : pair.value]
        items = f"{end}{indent}".join(f"- {dump_inline(item)}" for item in value)
        return source[: pair.value] + items + end + source[last:]
    colon = source.index(":", pair.key_end) + 1
    eol = source.index("\n", colon)
    comment = source[colon:eol].rstrip("\r") if pair.value > eol else ""
    return source[:colon] + " " + text + comment + end + source[last:]


def _append_pair(source: str, mapping: _YamlMapping, key: str, value: Json, end: str) -> str:
    text = f"{dump_inline(key)}: {dump_inline(value)}"
    if mapping.flow is not None:
        comma = ", " if mapping.pairs else ""
        return source[: mapping.flow] + text + comma + source[mapping.flow :]
    return source + " " * mapping.column + text + end


def _pair_end(source: str, mapping: _YamlMapping, pair: _YamlPair) -> int:
    """The end of the pair's last line; blank lines and comments after it do not belong to the pair."""
    if pair.kind == "inline":
        return source.index("\n", pair.value_end) + 1
    after = [other.start for other in mapping.pairs if other.start > pair.start]
    last = source.rfind("\n", 0, after[0]) + 1 if after else len(source)
    while True:
        line = source.rfind("\n", 0, last - 1) + 1
        content = source[line:last]
        if line <= pair.start or not _is_blank_or_comment(
            content if pair.kind == "text" else content.lstrip(" \t")
        ):
            return last
        last = line


def _is_blank_or_comment(line: str) -> bool:
    return line.startswith("#") or not line.strip()


def _mapping(source: str) -> _YamlMapping:
    """The offsets of a mapping's keys and values; an empty text is an empty mapping."""
    import yaml

    events = iter(yaml.parse(source, Loader=yaml.SafeLoader))
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            pairs = tuple(_pairs(events))
            mark: Any = event.start_mark
            inside = source.index("{", mark.index) + 1 if event.flow_style else None
            return _YamlMapping(pairs, inside, mark.column)
    return _YamlMapping((), None, 0)


def _pairs(events: Iterator[Any]) -> Iterator[_YamlPair]:
    import yaml

    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            return
        key_end = _node_end(key, events)
        value = next(events)
        style = getattr(value, "style", None)
        if isinstance(value, yaml.CollectionStartEvent) and not value.flow_style:
            kind = "items" if isinstance(value, yaml.SequenceStartEvent) else "block"
        else:
            kind = "text" if style in {"|", ">"} else "inline"
        name = key.value if isinstance(key, yaml.ScalarEvent) else None
        yield _YamlPair(
            name, key.start_mark.index, key_end, value.start_mark.index, _node_end(value, events), kind
        )


def _node_end(event: Any, events: Iterator[Any]) -> int:
    """The end offset of the node that this event starts; consumes the node's events."""
    import yaml

    depth = 0
    while True:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth == 0:
            return int(event.end_mark.index)
        event = next(events)
