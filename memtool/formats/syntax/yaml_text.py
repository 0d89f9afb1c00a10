"""YAML of frontmatter: split off and parsed safely by python-frontmatter, and written on one line."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, TypeAlias

from msgspec import Struct

from memtool.core.text.regex import regex

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_MAX_CHARS = 64_000
"""Largest YAML text that is parsed, in characters."""
_MAX_VALUES = 10_000
"""Largest number of values in one text; an aliased value counts at each use."""
_MAX_DEPTH = 50
_FIRST_LINE = 2
"""The line of a file (from 1) on which the YAML of its frontmatter begins."""

_BOUNDARY = r"(?:\A\ufeff|^)---[ \t\r]*(?:\n|\Z)"
"""A line `---`, the first of the text perhaps behind a byte order mark."""
_KEY = r"[A-Za-z_][\w-]*:(?=[ \t\r\n])[^\n]*\n"
_KEYS_ALONE = (
    rf"(?:[ \t]*+\r?\n)+{_KEY}(?:{_KEY}|[ \t]++[^\s][^\n]*+\n|-[ \t][^\n]*+\n|#[^\n]*+\n|[ \t]*+\r?\n)*+"
)
"""Blank lines, then nothing but keys with their values."""

_BARE = r"[^\W\d_][\w./()'+@-]*(?: [\w./()'+@-]+)*"
"""Text that needs no quotes, alone or in a flow list, in YAML 1.1 and 1.2."""
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"})
_UNPRINTABLE = "[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"

_RESOLVERS: tuple[tuple[str, str, list[str]], ...] = (
    ("null", r"(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$", list("yYnNoO")),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
    ("float", r"[-+]?(?:[0-9]+[eE][-+]?[0-9]+|\.inf|\.nan)$", list("-+.0123456789")),
)
"""Tags of plain scalars that are not text, their patterns, and their possible first characters.

The booleans are those of YAML 1.1, but numbers only those of JSON: no octal, `1_000`, base sixty or dates.
"""
_TAGS = ("null", "bool", "int", "float", "str", "seq", "map")


class InvalidYaml(Struct, frozen=True):
    """The error of invalid YAML: its line in the file and its column (from 1), and the reason."""

    line: int
    message: str
    column: int = 1


def split(text: str) -> tuple[str, str]:
    """The YAML of a text's frontmatter, and the body. Raises ValueError for a text that has none."""
    _, yaml, body = regex(_BOUNDARY, re.MULTILINE).split(text, 2)  # as python-frontmatter does
    if yaml.startswith(("\n", "\r\n")) and not regex(_KEYS_ALONE).fullmatch(yaml):
        raise ValueError("a horizontal rule")
    return yaml, body


def load(text: str) -> dict[str, Json] | InvalidYaml:
    """The keys and values of a text's frontmatter; {} if it has none.

    Dates stay text, and so do `10:30` and `0042`, which are numbers in YAML 1.1; a merge key is an ordinary
    key. Never raises: YAML that is invalid, not a mapping, too large or too deeply nested gives
    `InvalidYaml`.
    """
    import frontmatter

    try:
        loaded, _ = frontmatter.parse(text, handler=_handler())
        _check_size(loaded)
        return {key: _json_value(value) for key, value in loaded.items()}
    except RecursionError:
        return InvalidYaml(_FIRST_LINE, "values nested too deeply")
    except UnicodeEncodeError as error:
        line = error.object.count("\n", 0, error.start)
        return InvalidYaml(_FIRST_LINE + line, "invalid UTF-8")
    except (ValueError, LookupError) as error:
        last = max(getattr(error, "lines", 0) - 1, 0)
        line = min(getattr(error, "line", 0), last)
        column = getattr(error, "column", 0) if line == getattr(error, "line", 0) else 0
        return InvalidYaml(_FIRST_LINE + line, " ".join(str(error).split()), column + 1)


def dump_inline(value: Json) -> str:
    """A value as YAML on one line, quoted where any YAML version would parse it as another value."""
    match value:
        case str():
            if re.fullmatch(_BARE, value) and value.casefold() not in _WORDS:
                return value
            return re.sub(_UNPRINTABLE, lambda match: f"\\u{ord(match[0]):04x}", _quoted(value))
        case list():
            return "[" + ", ".join(dump_inline(item) for item in value) + "]"
        case dict():
            return (
                "{"
                + ", ".join(f"{dump_inline(key)}: {dump_inline(item)}" for key, item in value.items())
                + "}"
            )
        case float() if value - value != 0:
            raise ValueError(value)
        case float():
            text = repr(value)
            return text if "." in text else text.replace("e", ".0e")
        case _:
            return json.dumps(value)


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


class _YamlLoadError(ValueError):
    """An error at a line and a column (from 0) of a YAML text that has so many lines."""

    def __init__(self, message: str, line: int = 0, lines: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.lines = lines
        self.column = column


@cache
def _handler() -> Any:
    """The handler by which python-frontmatter reads a Markdown file."""
    from frontmatter.default_handlers import YAMLHandler

    class MarkdownHandler(YAMLHandler):
        FM_BOUNDARY = regex(_BOUNDARY, re.MULTILINE)

        def split(self, text: str) -> tuple[str, str]:
            return split(text)

        def load(self, fm: str, **_: object) -> dict[str, Any]:
            return _load(fm)

    return MarkdownHandler()


def _load(text: str) -> dict[str, Any]:
    """The mapping of a YAML text; an empty one for an empty text. Raises ValueError, LookupError."""
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    if len(text) > _MAX_CHARS:
        raise _YamlLoadError(f"{len(text):,} characters exceed the limit of {_MAX_CHARS:,}")
    lines = text.count("\n")
    try:
        loaded = YAMLHandler().load(text, Loader=_loader(_is_shallow(text)))
    except yaml.MarkedYAMLError as error:
        raise _marked_error(error, lines) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position))
        raise _YamlLoadError("a character that YAML does not allow", line, lines) from error
    except yaml.YAMLError as error:
        raise _YamlLoadError(str(error)) from error
    if loaded is not None and not isinstance(loaded, dict):
        raise _YamlLoadError("not a mapping of keys to values")
    return loaded or {}


def _marked_error(error: Any, lines: int) -> _YamlLoadError:
    """The error of a parser; an unclosed list, mapping or quote is reported where it begins.

    The parsers notice one only where the next key or the end of the text is.
    """
    mark, start = error.problem_mark or error.context_mark, error.context_mark
    message, context = str(error.problem or error.context), str(error.context)
    opening = ""
    if "flow sequence" in context or "flow mapping" in context:
        opening = "'['" if "sequence" in context else "'{'"
    elif "quoted scalar" in context and "unexpected" in message:
        opening = "quotation mark"
    if opening and start:
        mark, message = start, f"unclosed {opening}"
    return _YamlLoadError(message, mark.line if mark else 0, lines, mark.column if mark else 0)


@cache
def _loader(fast: bool) -> Any:
    """A safe loader limited to JSON's kinds of values; `fast` selects the C parser."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader) if fast else yaml.SafeLoader

    def construct_mapping(self: Any, node: Any, deep: bool = False) -> dict[str, Any]:
        keyed = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key that is not a string", key.start_mark
                )
            keyed[str(key.value)] = self.construct_object(value, deep=deep)
        return keyed

    constructors: dict[str | None, Any] = {None: base.yaml_constructors[None]}
    constructors |= {
        f"tag:yaml.org,2002:{tag}": base.yaml_constructors[f"tag:yaml.org,2002:{tag}"] for tag in _TAGS
    }
    attributes = {
        "construct_mapping": construct_mapping,
        "yaml_constructors": constructors,
        "yaml_implicit_resolvers": {},
    }
    loader_class: Any = type("Loader", (base,), attributes)
    for tag, pattern, first in _RESOLVERS:
        loader_class.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern, re.ASCII), first)
    return loader_class


def _is_shallow(text: str) -> bool:
    """Whether nesting is certainly bounded: the C parser recurses without a limit and would crash."""
    if text.count("[") + text.count("{") > 100:
        return False
    return all(
        len(line) - len(line.lstrip(" \t-?:")) <= 200 for line in re.split("[\r\n\x85\u2028\u2029]", text)
    )


def _check_size(loaded: dict[str, Any]) -> None:
    """Raise if aliases multiply a mapping's values, or form a cycle."""
    remaining = _MAX_VALUES
    stack: list[tuple[Any, int]] = [(loaded, 0)]
    while stack:
        value, depth = stack.pop()
        remaining -= 1
        if remaining < 0 or depth > _MAX_DEPTH:
            raise _YamlLoadError("too many values, or values nested too deeply")
        if isinstance(value, dict | list):
            inside = value.values() if isinstance(value, dict) else value
            stack += [(item, depth + 1) for item in inside]


def _json_value(value: Any) -> Json:
    """A JSON value; infinities and NaN become their names."""
    match value:
        case dict():
            return {str(key): _json_value(item) for key, item in value.items()}
        case list():
            return [_json_value(item) for item in value]
        case float() if value - value != 0:
            return str(value)
        case bool() | int() | float() | str() | None:
            return value
        case _:
            raise _YamlLoadError(f"a value of an unsupported type: {type(value).__name__}")
