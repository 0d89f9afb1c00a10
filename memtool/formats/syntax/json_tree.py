"""A JSON text as a tree of places: where each value stands, and what it says.

The text may be what settings files are in life: JSON with comments, trailing commas, single quotes and bare
keys (JSONC, JSON5).
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct, field

from memtool.formats.syntax.json_text import NotJson, Step

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s|\ufeff|//[^\n]*|/\*.*?\*/)+)"""
    r"""|(?P<text>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|(?P<sign>[{}\[\],:])|(?P<bare>[^\s{}\[\],:"'/]+)""",
    re.DOTALL,
)
_DEEPEST = 200


class Node(Struct):
    """A value by its place. Of an object or a list, what is in it, each with the comma behind it, if any."""

    kind: str
    start: int
    end: int = 0
    keys: list[tuple[str, int]] = field(default_factory=list)
    inner: list[Node] = field(default_factory=list)
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


def parsed(text: str) -> Node:
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


def _node(text: str, tokens: list[tuple[str, int, int]], at: int, depth: int) -> tuple[Node, int]:
    """The value that begins with a token, and the number of the token behind it."""
    if depth > _DEEPEST:
        raise NotJson("is nested too deeply")
    kind, start, end = _token(text, tokens, at)
    if kind not in {"{", "["}:
        if kind not in {"text", "bare"}:
            raise NotJson(f"is not JSON: a value is missing on line {_line(text, start)}")
        return Node(kind, start, end), at + 1
    node, at = Node(kind, start), at + 1
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


def check_words(text: str, node: Node) -> None:
    """Raise NotJson for a key without quotes, a text in single ones, or a word that means nothing."""
    for (key, at), one in zip(node.keys or [("", -1)] * len(node.inner), node.inner, strict=True):
        if at >= 0 and text[at] != '"':
            raise NotJson(f"is not JSON: the key {key} on line {_line(text, at)} has no double quotes")
        check_words(text, one)
    if node.kind in {"text", "bare"}:
        try:
            json.loads(text[node.start : node.end])
        except ValueError as error:
            where = _line(text, node.start)
            said = text[node.start : node.end][:20]
            raise NotJson(f"is not JSON: {said} on line {where} is no value") from error


def said(text: str, node: Node) -> Any:
    """What a value says; a word that is no JSON comes as it is written."""
    if node.kind == "{":
        return {key: said(text, one) for (key, _), one in zip(node.keys, node.inner, strict=True)}
    if node.kind == "[":
        return [said(text, one) for one in node.inner]
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
