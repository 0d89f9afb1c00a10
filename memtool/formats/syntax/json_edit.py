"""Edits of JSON files of other programs: every byte that is not edited is unchanged.

The text may be JSON with comments, trailing commas, single quotes and bare keys (JSONC, JSON5), as settings
files are. Order, spacing and comments are preserved; new lines follow the existing indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memtool.core.text.edited import Edit
from memtool.formats.syntax.json_text import NotJson, Step
from memtool.formats.syntax.json_tree import Node, check_words, parsed, said

_LONE = re.compile("[\ud800-\udfff]")
"""A lone surrogate: JSON can escape it but UTF-8 cannot encode it; also a byte that is not UTF-8."""


def value(text: str, *, json5: bool = True) -> Any:
    """The value of the text; without `json5` only JSON scalars are allowed. Raises NotJson.

    A scalar that is not JSON (`Infinity`, `0x1F`) is returned as its source text.
    """
    root = parsed(text)
    if not json5:
        check_words(text, root)
    return said(text, root)


def put(text: str, path: Sequence[Step], what: Any) -> str:
    """The text with a value at a path; missing objects and keys are added.

    The last step may also be the index after a list's last item. Raises NotJson if a container on the path is
    of another kind.
    """
    root = parsed(text)
    node, unit = root, _unit(text, root)
    for depth, step in enumerate(path):
        index = node.at(step)
        if index is None:
            return _checked(
                _added(text, node, step, _nested(path[depth + 1 :], what), unit, path), path, what
            )
        node = node.inner[index]
    replacement = _written(what, unit, _indent(text, node.start), text)
    return _checked(text[: node.start] + replacement + text[node.end :], path, what)


def text_edits(text: str, changes: Mapping[tuple[Step, ...], str]) -> tuple[Edit, ...]:
    """The edits, in order, that replace the strings at these paths.

    A string that was escaped as ASCII stays so. Raises NotJson if there is no string at a path.
    """
    root = parsed(text)
    edits: list[Edit] = []
    for path, what in changes.items():
        node: Node | None = root
        for step in path:
            index = node.at(step) if node is not None else None
            node = node.inner[index] if node is not None and index is not None else None
        if node is None or node.kind != "text" or _LONE.search(what):
            raise NotJson(f"has something at {_named(path)} that cannot be changed safely; edit it by hand")
        source = text[node.start : node.end]
        is_escaped = source.isascii() and "\\u" in source
        edits.append(Edit(node.start, node.end, json.dumps(what, ensure_ascii=is_escaped)))
    return tuple(sorted(edits))


def escaped(text: str) -> str:
    """A string with JSON's ASCII escapes, without the quotes."""
    return json.dumps(text)[1:-1]


def remove(text: str, path: Sequence[Step]) -> str:
    """The text without the value at a path. Raises NotJson if there is none."""
    node = parsed(text)
    for step in path[:-1]:
        index = node.at(step)
        if index is None:
            raise NotJson(f"has nothing at {_named(path)}")
        node = node.inner[index]
    index = node.at(path[-1])
    if index is None:
        raise NotJson(f"has nothing at {_named(path)}")
    return _without(text, node, index)


def _without(text: str, node: Node, number: int) -> str:
    comma = node.commas[number]
    start, end = node.first(number), node.inner[number].end if comma is None else comma + 1
    start = len(text[:start].rstrip(" \t"))
    end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    if text[start - 1 : start] == "\n" and text[end : end + 2].startswith(("\n", "\r\n")):
        end += 1 + (text[end] == "\r")
    left, right = text[:start], text[end:]
    if number and comma is None and (before := node.commas[number - 1]) is not None:
        left = left[:before] + left[before + 1 :]
    close = node.end - 1 - len(text) + len(left) + len(right)
    joined = left + right
    if not joined[node.start + 1 : close].strip():
        joined = joined[: node.start + 1] + joined[close:]
    return joined


def _added(text: str, node: Node, step: Step, what: Any, unit: str, path: Sequence[Step]) -> str:
    """The text with a member or an item appended to an object or a list."""
    if (node.kind == "{") != isinstance(step, str) or node.kind not in {"{", "["}:
        raise NotJson(f"holds something else than expected on the way to {_named(path)}")
    name = f"{json.dumps(step, ensure_ascii=False)}: " if isinstance(step, str) else ""
    close = node.end - 1
    if node.inner and "\n" not in text[node.start : node.end]:
        comma = " " if node.commas[-1] is not None else ", "
        position = close if node.commas[-1] is None else node.commas[-1] + 1
        position = len(text[:position].rstrip())
        return text[:position] + comma + name + json.dumps(what, ensure_ascii=False) + text[position:]
    outer = _indent(text, close if node.inner else node.start)
    indent = _indent(text, node.first(-1)) if node.inner else outer + unit
    end = "\r\n" if "\r\n" in text else "\n"
    position = len(text[:close].rstrip())
    member = f"{end}{indent}{name}{_written(what, unit, indent, text)}"
    if not node.inner:
        return text[:position] + member + end + outer + text[close:]
    tail = text[position:close]
    if "\n" not in tail:
        tail = end + outer
    head = text[:position]
    if node.commas[-1] is None:
        last = node.inner[-1].end
        head = text[:last] + "," + text[last:position]
    else:
        member += ","
    return head + member + tail + text[close:]


def _written(what: Any, unit: str, indent: str, text: str) -> str:
    written = json.dumps(what, ensure_ascii=False, indent=unit).replace("\n", "\n" + indent)
    return written.replace("\n", "\r\n") if "\r\n" in text else written


def _nested(path: Sequence[Step], what: Any) -> Any:
    for step in reversed(path):
        what = {step: what} if isinstance(step, str) else [what]
    return what


def _indent(text: str, at: int) -> str:
    """The indentation of the line at an offset."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: Node) -> str:
    """One level of indentation as used in a text; two spaces by default."""
    if root.inner and "\n" in text[root.start : root.first(0)]:
        inner, outer = _indent(text, root.first(0)), _indent(text, root.start)
        return inner.removeprefix(outer) or "  "
    return "  "


def _named(path: Sequence[Step]) -> str:
    return ".".join(map(str, path))


def _checked(changed: str, path: Sequence[Step], what: Any) -> str:
    """The changed text, if it has the new value at the path. Raises NotJson."""
    current = value(changed)
    for step in path:
        current = current[step]
    if current != what:
        raise NotJson("is written in a way that cannot be changed safely; edit it by hand")
    return changed
