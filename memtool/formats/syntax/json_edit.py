"""Edits of a JSON text that somebody else owns: every byte that is not meant stays as it is.

The text may be what settings files are in life: JSON with comments, trailing commas, single quotes and bare
keys (JSONC, JSON5). Order, spacing and comments of all else survive; indentation follows what is there.
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
"""Half a surrogate pair, which JSON can say and UTF-8 cannot, or a byte that is no UTF-8."""


def value(text: str, *, json5: bool = True) -> Any:
    """What the text says; without `json5` its words are those of JSON alone. Raises NotJson.

    A word that is no JSON (`Infinity`, `0x1F`) comes as itself.
    """
    root = parsed(text)
    if not json5:
        check_words(text, root)
    return said(text, root)


def put(text: str, path: Sequence[Step], what: Any) -> str:
    """The text with a value at a path, whose last step may be a new key of an object, which is made where
    missing, or the number after a list's last. Raises NotJson where something on the way is of another kind.
    """
    root = parsed(text)
    node, unit = root, _unit(text, root)
    for depth, step in enumerate(path):
        number = node.at(step)
        if number is None:
            return _checked(
                _added(text, node, step, _nested(path[depth + 1 :], what), unit, path), path, what
            )
        node = node.inner[number]
    written = _written(what, unit, _indent(text, node.start), text)
    return _checked(text[: node.start] + written + text[node.end :], path, what)


def text_edits(text: str, changes: Mapping[tuple[Step, ...], str]) -> tuple[Edit, ...]:
    """The edits, in order, that put other texts in place of those at these paths, and touch nothing else.

    Each is spelled in ASCII where the one before had to be. Raises NotJson where one of them is no text.
    """
    root = parsed(text)
    made: list[Edit] = []
    for path, what in changes.items():
        node: Node | None = root
        for step in path:
            number = node.at(step) if node is not None else None
            node = node.inner[number] if node is not None and number is not None else None
        if node is None or node.kind != "text" or _LONE.search(what):
            raise NotJson(f"has something at {_named(path)} that cannot be changed safely; edit it by hand")
        was = text[node.start : node.end]
        is_escaped = was.isascii() and "\\u" in was
        made.append(Edit(node.start, node.end, json.dumps(what, ensure_ascii=is_escaped)))
    return tuple(sorted(made))


def escaped(text: str) -> str:
    """A text as JSON spells it in ASCII, without its quotes."""
    return json.dumps(text)[1:-1]


def remove(text: str, path: Sequence[Step]) -> str:
    """The text without what is at a path, which must be there. Raises NotJson."""
    node = parsed(text)
    for step in path[:-1]:
        number = node.at(step)
        if number is None:
            raise NotJson(f"has nothing at {_named(path)}")
        node = node.inner[number]
    number = node.at(path[-1])
    if number is None:
        raise NotJson(f"has nothing at {_named(path)}")
    return _without(text, node, number)


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
    """The text with one more member or item at the end of an object or a list."""
    if (node.kind == "{") != isinstance(step, str) or node.kind not in {"{", "["}:
        raise NotJson(f"holds something else than expected on the way to {_named(path)}")
    name = f"{json.dumps(step, ensure_ascii=False)}: " if isinstance(step, str) else ""
    close = node.end - 1
    if node.inner and "\n" not in text[node.start : node.end]:
        comma = " " if node.commas[-1] is not None else ", "
        at = close if node.commas[-1] is None else node.commas[-1] + 1
        at = len(text[:at].rstrip())
        return text[:at] + comma + name + json.dumps(what, ensure_ascii=False) + text[at:]
    outer = _indent(text, close if node.inner else node.start)
    indent = _indent(text, node.first(-1)) if node.inner else outer + unit
    end = "\r\n" if "\r\n" in text else "\n"
    at = len(text[:close].rstrip())
    member = f"{end}{indent}{name}{_written(what, unit, indent, text)}"
    if not node.inner:
        return text[:at] + member + end + outer + text[close:]
    tail = text[at:close]
    if "\n" not in tail:
        tail = end + outer
    head = text[:at]
    if node.commas[-1] is None:
        last = node.inner[-1].end
        head = text[:last] + "," + text[last:at]
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
    """The blanks that the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: Node) -> str:
    """What one step of indentation is in a text; two spaces where it shows none."""
    if root.inner and "\n" in text[root.start : root.first(0)]:
        inner, outer = _indent(text, root.first(0)), _indent(text, root.start)
        return inner.removeprefix(outer) or "  "
    return "  "


def _named(path: Sequence[Step]) -> str:
    return ".".join(map(str, path))


def _checked(changed: str, path: Sequence[Step], what: Any) -> str:
    """The changed text, if what was meant is there now."""
    found = value(changed)
    for step in path:
        found = found[step]
    if found != what:
        raise NotJson("is written in a way that cannot be changed safely; edit it by hand")
    return changed
