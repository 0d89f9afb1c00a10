"""YAML as people write it in frontmatter: read into what JSON can hold, safely, and written on one line."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, TypeAlias

from msgspec import Struct

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_LONGEST = 64_000
"""Characters of YAML that are read."""
_MOST = 10_000
"""Values that one text may hold, an aliased one counted each time that it stands somewhere."""
_DEEPEST = 50

_BARE = r"[^\W\d_][\w./()'+@-]*(?: [\w./()'+@-]+)*"
"""Text that means itself without quotes, alone or inside a list, to YAML 1.1 and 1.2 alike."""
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
"""What a value without quotes may be besides text, and the characters that each can begin with.

The booleans of YAML 1.1, but of its numbers only those of JSON: no octal, `1_000` or base sixty, no dates.
"""
_TAGS = ("null", "bool", "int", "float", "str", "seq", "map")


class Broken(Struct, frozen=True):
    """YAML that does not read: at which line of the file (from 1), and why."""

    line: int
    message: str


def load(text: str, first_line: int = 1) -> dict[str, Json] | Broken:
    """The keys and values of a YAML mapping that starts on a file's line `first_line`; {} for an empty one.

    A date stays the text it was written as, and so do `10:30` and `0042`, which YAML 1.1 would turn into
    numbers; a merge key is a key like another. Never raises: what does not read, is not a mapping, or is too
    large or too deep to be written by anybody comes back as `Broken`.
    """
    if len(text) > _LONGEST:
        return Broken(first_line, f"{len(text)} characters of frontmatter; at most {_LONGEST} are read")
    try:
        loaded = _loaded(text)
        if loaded is None:
            return {}
        if not isinstance(loaded, dict):
            return Broken(first_line, "frontmatter is not a list of keys with their values")
        _bound(loaded)
        return {key: _plain(value) for key, value in loaded.items()}
    except RecursionError:
        return Broken(first_line, "frontmatter is nested too deep")
    except UnicodeEncodeError as error:
        return Broken(first_line + text.count("\n", 0, error.start), "a byte that is not UTF-8")
    except (ValueError, LookupError) as error:
        last = max(text.count("\n") - 1, 0)
        return Broken(first_line + min(getattr(error, "line", 0), last), " ".join(str(error).split()))


def inline(value: Json) -> str:
    """A value as YAML on one line that reads back as it; quoted where any YAML would take it for another."""
    match value:
        case str():
            if re.fullmatch(_BARE, value) and value.casefold() not in _WORDS:
                return value
            return re.sub(_UNPRINTABLE, lambda found: f"\\u{ord(found[0]):04x}", _quoted(value))
        case list():
            return "[" + ", ".join(inline(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{inline(key)}: {inline(item)}" for key, item in value.items()) + "}"
        case float() if value - value != 0:
            raise ValueError(value)
        case float():
            text = repr(value)
            return text if "." in text else text.replace("e", ".0e")
        case _:
            return json.dumps(value)


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Unloadable(ValueError):
    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _loaded(text: str) -> Any:
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    try:
        return YAMLHandler().load(text, Loader=_loader(_is_shallow(text)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _Unloadable(str(error.problem or error.context), mark.line if mark else 0) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position))
        raise _Unloadable("a character that YAML does not allow", line) from error
    except yaml.YAMLError as error:
        raise _Unloadable(str(error), 0) from error


@cache
def _loader(fast: bool) -> Any:
    """A safe loader of the few kinds of values that JSON has; `fast` asks for the parser in C."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader) if fast else yaml.SafeLoader

    def construct_mapping(self: Any, node: Any, deep: bool = False) -> dict[str, Any]:
        keyed = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key that is not text", key.start_mark)
            keyed[str(key.value)] = self.construct_object(value, deep=deep)
        return keyed

    known: dict[str | None, Any] = {None: base.yaml_constructors[None]}
    known |= {f"tag:yaml.org,2002:{tag}": base.yaml_constructors[f"tag:yaml.org,2002:{tag}"] for tag in _TAGS}
    own = {
        "construct_mapping": construct_mapping,
        "yaml_constructors": known,
        "yaml_implicit_resolvers": {},
    }
    made: Any = type("Loader", (base,), own)
    for tag, pattern, first in _RESOLVERS:
        made.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern, re.ASCII), first)
    return made


def _is_shallow(text: str) -> bool:
    """Whether nesting is surely bounded: the parser in C recurses without a limit, and would crash."""
    if text.count("[") + text.count("{") > 100:
        return False
    return all(
        len(line) - len(line.lstrip(" \t-?:")) <= 200 for line in re.split("[\r\n\x85\u2028\u2029]", text)
    )


def _bound(loaded: dict[str, Any]) -> None:
    """Raise where aliases multiply a mapping's values, or lead back into it."""
    left = _MOST
    todo: list[tuple[Any, int]] = [(loaded, 0)]
    while todo:
        value, depth = todo.pop()
        left -= 1
        if left < 0 or depth > _DEEPEST:
            raise _Unloadable("frontmatter holds too many values, or nests them too deep", 0)
        if isinstance(value, dict | list):
            inside = value.values() if isinstance(value, dict) else value
            todo += [(item, depth + 1) for item in inside]


def _plain(value: Any) -> Json:
    """A value that JSON can hold: infinities and NaN, which it cannot, as their names."""
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list():
            return [_plain(item) for item in value]
        case float() if value - value != 0:
            return str(value)
        case bool() | int() | float() | str() | None:
            return value
        case _:
            raise _Unloadable(f"a value of an unusual kind: {type(value).__name__}", 0)
