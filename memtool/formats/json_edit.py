"""Edits of a JSON text that somebody else owns: every byte that is not meant stays as it is.

The text may be what settings files are in life: JSON with comments, trailing commas, single quotes and bare
keys (JSONC, JSON5). Order, spacing and comments of all else survive; indentation follows what is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from memtool.formats.json_text import NotJson
from memtool.values import dataclass, field

Step = str | int

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s|\ufeff|//[^\n]*|/\*.*?\*/)+)"""
    r"""|(?P<text>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|(?P<sign>[{}\[\],:])|(?P<bare>[^\s{}\[\],:"'/]+)""",
    re.DOTALL,
)
_DEEPEST = 200


@dataclass(slots=True)
class _Node:
    """A value by its place. Of an object or a list, what is in it, each with the comma behind it, if any."""

    kind: str
    start: int
    end: int = 0
    keys: list[tuple[str, int]] = field(default_factory=list)
    inner: list[_Node] = field(default_factory=list)
    commas: list[int | None] = field(default_factory=list)

    def at(self, step: Step) -> int | None:
        """The number of the member or item that a step leads to; of equal keys the last, as readers do."""
        if isinstance(step, str):
            found = [number for number, (key, _) in enumerate(self.keys) if key == step]
            return found[-1] if found and self.kind == "{" else None
        return step if self.kind == "[" and 0 <= step < len(self.inner) else None

    def first(self, number: int) -> int:
        """Where a member or an item begins."""
        return self.keys[number][1] if self.kind == "{" else self.inner[number].start


def value(text: str, *, json5: bool = True) -> Any:
    """What the text says; without `json5` its words are those of JSON alone. Raises NotJson.

    A word that is no JSON (`Infinity`, `0x1F`) comes as itself.
    """
    root = _parsed(text)
    if not json5:
        _check_words(text, root)
    return _value(text, root)


def put(text: str, path: Sequence[Step], what: Any) -> str:
    """The text with a value at a path, whose last step may be a new key of an object, which is made where
    missing, or the number after a list's last. Raises NotJson where something on the way is of another kind.
    """
    root = _parsed(text)
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


def remove(text: str, path: Sequence[Step]) -> str:
    """The text without what is at a path, which must be there. Raises NotJson."""
    node = _parsed(text)
    for step in path[:-1]:
        number = node.at(step)
        if number is None:
            raise NotJson(f"has nothing at {_named(path)}")
        node = node.inner[number]
    number = node.at(path[-1])
    if number is None:
        raise NotJson(f"has nothing at {_named(path)}")
    return _without(text, node, number)


def _without(text: str, node: _Node, number: int) -> str:
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


def _added(text: str, node: _Node, step: Step, what: Any, unit: str, path: Sequence[Step]) -> str:
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


def _unit(text: str, root: _Node) -> str:
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


# reading --------------------------------------------------------------------------------------------------


def _parsed(text: str) -> _Node:
    """The one value of a text, with the places of everything in it. Raises NotJson."""
    if not text.strip("\ufeff \t\r\n"):
        raise NotJson("is empty" if not text else "holds nothing but blanks")
    tokens = _tokens(text)
    node, at = _node(text, tokens, 0, 0)
    if at != len(tokens):
        raise NotJson(f"has text after its end, on line {_line(text, tokens[at][1])}")
    return node


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """Each token that says something: its kind (a sign is its own), and its span."""
    found: list[tuple[str, int, int]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise NotJson(f"is not JSON: line {_line(text, at)} has a quote or a comment that does not end")
        if match.lastgroup != "blank":
            kind = match[0] if match.lastgroup == "sign" else str(match.lastgroup)
            found.append((kind, *match.span()))
        at = match.end()
    return found


def _node(text: str, tokens: list[tuple[str, int, int]], at: int, depth: int) -> tuple[_Node, int]:
    """The value that begins with a token, and the number of the token behind it."""
    if depth > _DEEPEST:
        raise NotJson("is nested too deeply")
    kind, start, end = _token(text, tokens, at)
    if kind not in {"{", "["}:
        if kind not in {"text", "bare"}:
            raise NotJson(f"is not JSON: a value is missing on line {_line(text, start)}")
        return _Node(kind, start, end), at + 1
    node, at = _Node(kind, start), at + 1
    closing = "}" if kind == "{" else "]"
    while _token(text, tokens, at)[0] != closing:
        if node.inner and node.commas[-1] is None:
            raise NotJson(f"is not JSON: a comma is missing on line {_line(text, tokens[at][1])}")
        if kind == "{":
            named, first, last = tokens[at]
            if named not in {"text", "bare"} or _token(text, tokens, at + 1)[0] != ":":
                raise NotJson(f"is not JSON: a key is missing on line {_line(text, first)}")
            node.keys.append((str(_scalar(text[first:last])), first))
            at += 2
        inner, at = _node(text, tokens, at, depth + 1)
        node.inner.append(inner)
        is_comma = _token(text, tokens, at)[0] == ","
        node.commas.append(tokens[at][1] if is_comma else None)
        at += is_comma
    node.end = tokens[at][2]
    return node, at + 1


def _token(text: str, tokens: list[tuple[str, int, int]], at: int) -> tuple[str, int, int]:
    if at >= len(tokens):
        raise NotJson(f"is cut short: it ends on line {_line(text, len(text))}, inside a value")
    return tokens[at]


def _check_words(text: str, node: _Node) -> None:
    """Raise NotJson for a key without quotes, a text in single ones, or a word that means nothing."""
    for (key, at), one in zip(node.keys or [("", -1)] * len(node.inner), node.inner, strict=True):
        if at >= 0 and text[at] != '"':
            raise NotJson(f"is not JSON: the key {key} on line {_line(text, at)} has no double quotes")
        _check_words(text, one)
    if node.kind in {"text", "bare"}:
        try:
            json.loads(text[node.start : node.end])
        except ValueError as error:
            where = _line(text, node.start)
            said = text[node.start : node.end][:20]
            raise NotJson(f"is not JSON: {said} on line {where} is no value") from error


def _value(text: str, node: _Node) -> Any:
    if node.kind == "{":
        return {key: _value(text, one) for (key, _), one in zip(node.keys, node.inner, strict=True)}
    if node.kind == "[":
        return [_value(text, one) for one in node.inner]
    return _scalar(text[node.start : node.end])


def _scalar(written: str) -> Any:
    """A text, a number or a word as it is meant; what JSON does not know comes as it is written."""
    if written[0] == "'":
        inner = re.sub(r"\\(.)|\"", lambda one: {None: '\\"', "'": "'"}.get(one[1], one[0]), written[1:-1])
        written = f'"{inner}"'
    try:
        return json.loads(written)
    except ValueError:
        return written


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
