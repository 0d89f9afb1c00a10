"""Checks of the tags in frontmatter: those that YAML does not read as the writer meant, and invalid ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memtool.core.lint.problem import TextProblem
from memtool.core.notes.link_resolver import name_key
from memtool.core.notes.tags import TAG_CHARACTER
from memtool.core.secrets.redact import redact_line
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex
from memtool.formats.note import TAG_KEYS

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Json

_KEY = rf"(?im)^([\"']?)(?:{'|'.join(TAG_KEYS)})\1[ \t]*:"
_NEXT_KEY = r"(?m)^[^\s#\]}-]"
_TAGS_AFTER_KEY = (
    r"(?m)[ \t]+([\"']?)"
    rf"((?:{TAG_CHARACTER}+[ \t]*,[ \t]*)*#{TAG_CHARACTER}+"
    rf"(?:[, \t]+#{TAG_CHARACTER}+|[ \t]*,[ \t]*{TAG_CHARACTER}+)*),?\1[ \t]*(?=\r?$)"
)
_BLOCK = r"(?m)^[ \t]*[^\s#]"
"""A line of items or of a value below a key."""
_PROSE = r"[^\s,][ \t]+[^\s#]"
"""Two words, of which the second has no `#` and follows no comma: a comment, and no tags."""
_ANY_ITEM = r"(?m)^[ \t]*-[ \t]+(?![\"']?#)\S"
"""An item without `#`."""
_ITEM = rf"(?m)^[ \t]*-[ \t]+([\"']?)(#?)({TAG_CHARACTER}+)(,?)\1[ \t]*\r?$"
_BOUNDED = r"(?<![\w/-]){}(?![\w/-])"
_FLOW_LIST = r"\s*\[[^\[\]]*\]"
_FLOW_ITEM = rf"(?<=[\[,])\s*(([\"']?)#({TAG_CHARACTER}+)\2)(?=[ \t]*[,\]])"


def check_tags(yaml: str, start: int) -> Iterator[TextProblem]:
    """Tags of the frontmatter with a `#` or a comma, with their fixes; `start` is the offset of its YAML.

    After `#`, YAML reads a comment: the tag is lost, or a list stays open. In quotes, the `#` is part of the
    value, which Obsidian documents without it; a comma at the end of an item is part of the item. What may
    be meant as a comment has no fix.
    """
    if "#" not in yaml and "," not in yaml:
        return
    from memtool.formats.syntax.yaml_text import dump_inline

    for key in regex(_KEY).finditer(yaml):
        following = regex(_NEXT_KEY).search(yaml, key.end())
        end = following.start() if following else len(yaml)
        match = regex(_TAGS_AFTER_KEY).match(yaml, key.end(), end)
        if match and not regex(_BLOCK).search(yaml, match.end() + 1, end):
            tags = [part.strip("#") for part in match[2].replace(",", " ").split()]
            fixed = dump_inline(tags[0] if len(tags) == 1 else tags)
            edit = TextEdit(start + match.start(1), start + match.end(), fixed)
            message = _with_hash(match[2]) if match[1] else _comment(match[2][match[2].index("#") :])
            yield TextProblem(start + key.start(), "M222", message, (edit,))
        elif match := regex(_FLOW_LIST).match(yaml, key.end(), end):
            for item in regex(_FLOW_ITEM).finditer(yaml, match.start(), match.end()):
                problem = _problem(start, item.span(1), item[2], item[3], has_comma=False)
                is_unsure = "\n" in match[0] and not item[2]
                yield problem._replace(edits=()) if is_unsure else problem
        else:
            is_beside_others = regex(_ANY_ITEM).search(yaml, key.end(), end) is not None
            for item in regex(_ITEM).finditer(yaml, key.end(), end):
                if item[2] or item[4]:
                    span = item.start(1), item.end(4) + len(item[1])
                    problem = _problem(start, span, item[1], item[3], has_comma=not item[2])
                    is_comment = is_beside_others and bool(item[2]) and not item[1]
                    yield problem._replace(edits=()) if is_comment else problem


def check_parsed_tags(
    yaml: str, start: int, keys: Mapping[str, Json], *, is_plain: bool
) -> Iterator[TextProblem]:
    """Items of a list of tags that contain a comma, and, with `is_plain`, tags that Obsidian does not accept.

    Obsidian's tags consist of `TAG_CHARACTER`s, at least one of them no digit, and case does not count. A
    text that is no list is split at spaces and commas. The problems have no fix: `a b` may be one tag or two.
    """
    spellings: dict[str, str] = {}
    for key in regex(_KEY).finditer(yaml):
        name = key[0].rstrip(": \t").strip("\"'")
        value = keys.get(name)
        if isinstance(value, str):
            reported = "#" if regex(_TAGS_AFTER_KEY).match(yaml, key.end()) else ""  # by `check_tags`
            value = [item.strip(reported) for item in value.replace(",", " ").split()]
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, bool) or not isinstance(item, str | int) or not (tag := str(item).strip()):
                continue
            message = _fault(tag, spellings, is_plain=is_plain)
            if message:
                place = regex(_BOUNDED.format(re.escape(tag))).search(yaml, key.end())
                yield TextProblem(start + (place or key).start(), "M222", message)


def _fault(tag: str, spellings: dict[str, str], *, is_plain: bool) -> str:
    """What is wrong with a tag; "" for nothing. `spellings` has each earlier tag by its key."""
    shown = redact_line(tag, 80)
    if "," in tag:
        return f"tag `{shown}` contains a comma; write each tag as a separate item"
    if not is_plain:
        return ""
    if any(character.isspace() for character in tag):
        return f"tag `{shown}` contains a space; Obsidian tags cannot contain spaces"
    if character := regex(TAG_CHARACTER).sub("", tag)[:1]:
        return f"tag `{shown}` contains {character!r}; Obsidian tags cannot contain this character"
    if tag.replace("/", "").isdecimal():
        return f"tag `{shown}` is invalid in Obsidian: it needs a character other than a digit or slash"
    first = spellings.setdefault(name_key(tag), tag)
    return f"tag `{shown}` differs from `{redact_line(first, 80)}` only in case" if first != tag else ""


def is_prose(comment: str) -> bool:
    """Whether a comment after the key of tags is words, and no tags."""
    return regex(_PROSE).search(comment) is not None


def has_all_tags(keys: Mapping[str, Json], before: Mapping[str, Json]) -> bool:
    """Whether frontmatter has all the tags that it had before."""
    return _tags_of(keys) >= _tags_of(before)


def _tags_of(keys: Mapping[str, Json]) -> set[str]:
    values = [value for key, value in keys.items() if key.lower() in TAG_KEYS and value is not None]
    items = [item for value in values for item in (value if isinstance(value, list) else [value])]
    texts = [str(item) for item in items if item is not None]
    return {part.strip(" #") for text in texts for part in text.split(",")} - {""}


def _problem(start: int, span: tuple[int, int], quote: str, tag: str, *, has_comma: bool) -> TextProblem:
    from memtool.formats.syntax.yaml_text import dump_inline

    if has_comma:
        message = f"tag `{redact_line(tag, 80)},` ends in a comma; tags on separate lines need no commas"
    else:
        message = _with_hash(f"#{tag}") if quote else _comment(f"#{tag}")
    fixed = f"{quote}{tag}{quote}" if quote else dump_inline(tag)
    return TextProblem(start + span[0], "M222", message, (TextEdit(start + span[0], start + span[1], fixed),))


def _comment(tags: str) -> str:
    return f"`{redact_line(tags, 80)}` is a comment in YAML; write tags in the frontmatter without #"


def _with_hash(tags: str) -> str:
    return f"`{redact_line(tags, 80)}` contains #; write tags in the frontmatter without #"
