"""Edits of JSON files of other programs: every byte that is not edited is unchanged.

The text may be JSON with comments, trailing commas, single quotes and bare keys (JSONC, JSON5), as settings
files are. Order, spacing and comments are preserved; new lines follow the existing indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memtool.core.text.edits import TextEdit
from memtool.formats.syntax.json_text import InvalidJson, JsonStep
from memtool.formats.syntax.json_tree import JsonNode, check_strict, node_value, parse_tree

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""A lone surrogate: JSON can escape it but UTF-8 cannot encode it; also a byte that is not UTF-8."""


def load(text: str, *, json5: bool = True, comments: bool = False) -> Any:
    """The value of the text; without `json5` only JSON is allowed, with `comments` if so. Raises InvalidJson.

    A scalar that is not JSON (`Infinity`, `0x1F`) is returned as its source text.
    """
    root = parse_tree(text)
    if not json5:
        check_strict(text, root, comments=comments)
    return node_value(text, root)


def set_value(text: str, path: Sequence[JsonStep], value: Any) -> str:
    """The text with a value at a path; missing objects and keys are added.

    The last step may also be the index after a list's last item. Raises InvalidJson if a container on the
    path is of another kind.
    """
    root = parse_tree(text)
    node, unit = root, _indent_unit(text, root)
    for depth, step in enumerate(path):
        index = node.index_of(step)
        if index is None:
            return _verify(
                _append_member(text, node, step, _nest(path[depth + 1 :], value), unit, path), path, value
            )
        node = node.children[index]
    replacement = _format_value(value, unit, _indent(text, node.start), text)
    return _verify(text[: node.start] + replacement + text[node.end :], path, value)


def string_edits(text: str, changes: Mapping[tuple[JsonStep, ...], str]) -> tuple[TextEdit, ...]:
    """The edits, in order, that replace the strings at these paths.

    A string that was escaped as ASCII stays so. Raises InvalidJson if there is no string at a path.
    """
    root = parse_tree(text)
    edits: list[TextEdit] = []
    for path, what in changes.items():
        node: JsonNode | None = root
        for step in path:
            index = node.index_of(step) if node is not None else None
            node = node.children[index] if node is not None and index is not None else None
        if node is None or node.kind != "text" or _LONE_SURROGATE.search(what):
            is_text = node is not None and node.kind == "text"
            fault = "contains an unpaired surrogate" if is_text else "is not a string"
            raise InvalidJson(f"has a value at {_path_text(path)} that {fault}; edit the file by hand")
        source = text[node.start : node.end]
        is_escaped = source.isascii() and "\\u" in source
        edits.append(TextEdit(node.start, node.end, json.dumps(what, ensure_ascii=is_escaped)))
    return tuple(sorted(edits))


def escape_string(text: str) -> str:
    """A string with JSON's ASCII escapes, without the quotes."""
    return json.dumps(text)[1:-1]


def remove_value(text: str, path: Sequence[JsonStep]) -> str:
    """The text without the value at a path. Raises InvalidJson if there is none."""
    node = parse_tree(text)
    for step in path[:-1]:
        index = node.index_of(step)
        if index is None:
            raise InvalidJson(f"has no value at {_path_text(path)}")
        node = node.children[index]
    index = node.index_of(path[-1])
    if index is None:
        raise InvalidJson(f"has no value at {_path_text(path)}")
    return _remove_member(text, node, index)


def _remove_member(text: str, node: JsonNode, index: int) -> str:
    comma = node.commas[index]
    start, end = node.member_start(index), node.children[index].end if comma is None else comma + 1
    before_blanks = len(text[:start].rstrip(" \t"))
    after_blanks = len(text) - len(text[end:].lstrip(" \t"))
    if text[before_blanks - 1 : before_blanks] == "\n" and text[after_blanks:].startswith(("\n", "\r\n")):
        start, end = before_blanks, after_blanks + 1 + (text[after_blanks] == "\r")
    elif index:
        start = before_blanks
    else:
        end = after_blanks
    left, right = text[:start], text[end:]
    if index and comma is None and (before := node.commas[index - 1]) is not None:
        left = left[:before] + left[before + 1 :]
    close = node.end - 1 - len(text) + len(left) + len(right)
    joined = left + right
    if not joined[node.start + 1 : close].strip():
        joined = joined[: node.start + 1] + joined[close:]
    return joined


def _append_member(
    text: str, node: JsonNode, step: JsonStep, value: Any, unit: str, path: Sequence[JsonStep]
) -> str:
    """The text with a member or an item appended to an object or a list."""
    if (node.kind == "{") != isinstance(step, str) or node.kind not in {"{", "["}:
        raise InvalidJson(f"has a value of an unexpected type at {_path_text(path)} or at one of its parents")
    name = f"{json.dumps(step, ensure_ascii=False)}: " if isinstance(step, str) else ""
    close = node.end - 1
    if node.children and "\n" not in text[node.member_start(-1) : node.end]:
        position = close if node.commas[-1] is None else node.commas[-1] + 1
        position = len(text[:position].rstrip())
        member = f"{name}{json.dumps(value, ensure_ascii=False)}"
        added = f", {member}" if node.commas[-1] is None else f" {member},"
        return text[:position] + added + text[position:]
    outer = _indent(text, close if node.children else node.start)
    indent = _indent(text, node.member_start(-1)) if node.children else outer + unit
    end = "\r\n" if "\r\n" in text else "\n"
    position = len(text[:close].rstrip())
    member = f"{end}{indent}{name}{_format_value(value, unit, indent, text)}"
    if not node.children:
        return text[:position] + member + end + outer + text[close:]
    tail = text[position:close]
    if "\n" not in tail:
        tail = end + outer
    head = text[:position]
    if node.commas[-1] is None:
        last = node.children[-1].end
        head = text[:last] + "," + text[last:position]
    else:
        member += ","
    return head + member + tail + text[close:]


def _format_value(value: Any, unit: str, indent: str, text: str) -> str:
    written = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", "\n" + indent)
    return written.replace("\n", "\r\n") if "\r\n" in text else written


def _nest(path: Sequence[JsonStep], value: Any) -> Any:
    for step in reversed(path):
        value = {step: value} if isinstance(step, str) else [value]
    return value


def _indent(text: str, at: int) -> str:
    """The indentation of the line at an offset."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_unit(text: str, root: JsonNode) -> str:
    """One level of indentation as used in a text; two spaces by default."""
    if root.children and "\n" in text[root.start : root.member_start(0)]:
        inner, outer = _indent(text, root.member_start(0)), _indent(text, root.start)
        return inner.removeprefix(outer) or "  "
    return "  "


def _path_text(path: Sequence[JsonStep]) -> str:
    return ".".join(map(str, path))


def _verify(changed: str, path: Sequence[JsonStep], expected: Any) -> str:
    """The changed text, if it has the new value at the path. Raises InvalidJson."""
    current = load(changed)
    for step in path:
        current = current[step]
    if current != expected:
        raise InvalidJson(
            f"would not have the intended value at {_path_text(path)} after the change; edit the file by hand"
        )
    return changed
