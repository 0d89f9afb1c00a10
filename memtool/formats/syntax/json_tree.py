"""A JSON text as a tree of source positions.

The text may be JSON with comments, trailing commas, single quotes and bare keys (JSONC, JSON5), as settings
files are.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct, field

from memtool.formats.syntax.json_text import InvalidJson, JsonStep, TruncatedJson

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s|\ufeff|//[^\n]*|/\*.*?\*/)+)"""
    r"""|(?P<text>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|(?P<sign>[{}\[\],:])|(?P<bare>[^\s{}\[\],:"'/]+)""",
    re.DOTALL,
)
_MAX_DEPTH = 200


class JsonNode(Struct):
    """The position of a value; of an object or a list also its members and the commas after them."""

    kind: str
    start: int
    end: int = 0
    keys: list[tuple[str, int]] = field(default_factory=list)
    children: list[JsonNode] = field(default_factory=list)
    commas: list[int | None] = field(default_factory=list)

    def index_of(self, step: JsonStep) -> int | None:
        """The index of the member or item for a step; of duplicate keys the last, as parsers do."""
        if isinstance(step, str):
            matches = [number for number, (key, _) in enumerate(self.keys) if key == step]
            return matches[-1] if matches and self.kind == "{" else None
        return step if self.kind == "[" and 0 <= step < len(self.children) else None

    def member_start(self, index: int) -> int:
        """The offset of a member or an item."""
        return self.keys[index][1] if self.kind == "{" else self.children[index].start


def parse_tree(text: str) -> JsonNode:
    """Parse a text to the tree of its one value. Raises InvalidJson."""
    if not text.strip("\ufeff \t\r\n"):
        raise InvalidJson("is empty" if not text else "contains only whitespace")
    tokens = _tokens(text)
    node, at = _node(text, tokens, 0, 0)
    if at != len(tokens):
        raise InvalidJson(f"has text after the end of the JSON value, on line {_line(text, tokens[at][1])}")
    return node


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """The tokens except whitespace and comments: kind (a sign's kind is the sign), start and end."""
    tokens: list[tuple[str, int, int]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise InvalidJson(
                f"is not JSON: line {_line(text, position)} has an unclosed string or comment, or a stray /"
            )
        if match.lastgroup != "blank":
            kind = match[0] if match.lastgroup == "sign" else str(match.lastgroup)
            tokens.append((kind, *match.span()))
        position = match.end()
    return tokens


def _node(text: str, tokens: list[tuple[str, int, int]], at: int, depth: int) -> tuple[JsonNode, int]:
    """The value that begins with a token, and the index of the next token."""
    if depth > _MAX_DEPTH:
        raise InvalidJson("is nested too deeply")
    kind, start, end = _token(text, tokens, at)
    if kind not in {"{", "["}:
        if kind not in {"text", "bare"}:
            raise InvalidJson(f"is not JSON: a value is missing on line {_line(text, start)}")
        return JsonNode(kind, start, end), at + 1
    node, at = JsonNode(kind, start), at + 1
    closing = "}" if kind == "{" else "]"
    while _token(text, tokens, at)[0] != closing:
        if node.children and node.commas[-1] is None:
            raise InvalidJson(f"is not JSON: a comma is missing on line {_line(text, tokens[at][1])}")
        if kind == "{":
            named, first, last = tokens[at]
            if named not in {"text", "bare"}:
                raise InvalidJson(f"is not JSON: line {_line(text, first)} has no key where one is expected")
            if _token(text, tokens, at + 1)[0] != ":":
                raise InvalidJson(f"is not JSON: a colon is missing after a key on line {_line(text, first)}")
            node.keys.append((str(_scalar(text[first:last])), first))
            at += 2
        inner, at = _node(text, tokens, at, depth + 1)
        node.children.append(inner)
        is_comma = _token(text, tokens, at)[0] == ","
        node.commas.append(tokens[at][1] if is_comma else None)
        at += is_comma
    node.end = tokens[at][2]
    return node, at + 1


def _token(text: str, tokens: list[tuple[str, int, int]], at: int) -> tuple[str, int, int]:
    if at >= len(tokens):
        raise TruncatedJson(text)
    return tokens[at]


def check_strict(text: str, root: JsonNode, *, comments: bool = False) -> None:
    """Raise InvalidJson for what JSON5 allows and JSON does not; with `comments`, comments are allowed.

    That is a comment, a comma after the last member, an unquoted key, a single-quoted string, or a literal
    such as `Infinity`.
    """
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "blank" and "/" in match[0] and not comments:
            line = _line(text, match.start() + match[0].index("/"))
            raise InvalidJson(f"is not JSON: line {line} has a comment")
    _check_strict_node(text, root)


def _check_strict_node(text: str, node: JsonNode) -> None:
    for (key, at), child in zip(node.keys or [("", -1)] * len(node.children), node.children, strict=True):
        if at >= 0 and text[at] != '"':
            raise InvalidJson(f"is not JSON: the key {key} on line {_line(text, at)} is not in double quotes")
        _check_strict_node(text, child)
    if node.commas and (comma := node.commas[-1]) is not None:
        raise InvalidJson(f"is not JSON: line {_line(text, comma)} has a comma after the last value")
    if node.kind in {"text", "bare"}:
        try:
            json.loads(text[node.start : node.end])
        except ValueError as error:
            where = _line(text, node.start)
            literal = text[node.start : node.end][:20]
            raise InvalidJson(f"is not JSON: invalid value {literal} on line {where}") from error


def node_value(text: str, node: JsonNode) -> Any:
    """The Python value of a node; a literal that is not JSON is returned as its source text."""
    if node.kind == "{":
        return {
            key: node_value(text, child) for (key, _), child in zip(node.keys, node.children, strict=True)
        }
    if node.kind == "[":
        return [node_value(text, child) for child in node.children]
    return _scalar(text[node.start : node.end])


def _scalar(written: str) -> Any:
    """The value of a string, number or literal; one that is not JSON is returned as its source text."""
    if written[0] == "'":
        inner = re.sub(
            r"\\(.)|\"", lambda match: {None: '\\"', "'": "'"}.get(match[1], match[0]), written[1:-1]
        )
        written = f'"{inner}"'
    try:
        return json.loads(written)
    except ValueError:
        return written


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
