"""Path patterns of a search, as regular expressions."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(64)
def glob_regex(pattern: str) -> re.Pattern[str]:
    """The regular expression of a glob, matched from the start of a path.

    `*` and `?` stay inside a folder, `**` crosses folders. As in ignore files, a pattern may begin at any
    folder, and a folder includes all its files. Without a wildcard the text may be anywhere in the path. Case
    is ignored.
    """
    if not any(character in pattern for character in "*?["):
        return re.compile(f"(?is).*{re.escape(pattern)}")
    out = []
    for token in re.findall(r"\*\*/|\*+|\?|\[[^\]/]+\]|[^*?\[]+|\[", pattern.removeprefix("/")):
        match token:
            case "**/":
                out.append("(?:[^/]+/)*")
            case "*":
                out.append("[^/]*")
            case "?":
                out.append("[^/]")
            case _ if token.startswith("**"):
                out.append(".*")
            case _ if len(token) > 2 and token[0] == "[":
                inner = re.sub(r"([\\\[&~|])", r"\\\1", token[1:-1]).replace("--", "-\\-")
                out.append(f"[^{inner[1:]}]" if inner[0] == "!" and inner[1:] else f"[{inner}]")
            case _:
                out.append(re.escape(token))
    start = "" if pattern.startswith("/") else "(?:.*/)?"
    try:
        return re.compile(f"(?is){start}{''.join(out)}(?:/.*|(?<=/).*)?\\Z")
    except re.error:  # a range such as [z-a]
        return re.compile(f"(?is).*{re.escape(pattern)}")
