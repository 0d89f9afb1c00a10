"""The generated parts of the README: tables that are written from the code, or checked."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence

from memtool.cli.lint_codes import rows
from memtool.cli.main import COMMANDS
from memtool.cli.reference import codes, toml_value
from memtool.store.settings import SETTINGS

_PART = re.compile(r"(<!-- generated: (\w[\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL)


def commands() -> str:
    """The table of commands."""
    rows = [f"| `memtool {name}` | {summary} |" for name, (_, summary) in COMMANDS.items()]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])


def exit_codes() -> str:
    """The table of exit codes."""
    return "\n".join(
        ["| code | meaning |", "| --- | --- |", *(f"| {code} | {text} |" for code, text in codes())]
    )


def settings() -> str:
    """The table of settings."""
    rows = []
    for one in SETTINGS:
        own = " (own config only)" if one.user_only else ""
        rows.append(f"| `{one.name}` | `{toml_value(one.default)}` | {one.meaning}{own} |")
    return "\n".join(["| setting | default | meaning |", "| --- | --- | --- |", *rows])


def lint_codes() -> str:
    """The table of what lint finds."""
    return "\n".join(rows())


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "exit-codes": exit_codes,
    "settings": settings,
    "lint-codes": lint_codes,
}
"""Each generated part by the name in its opening comment."""


def generated(page: str) -> str:
    """A page with its generated parts as the code says now. Raises KeyError for a part nobody makes."""
    return _PART.sub(lambda match: f"{match[1]}{PARTS[match[2]]()}\n{match[3]}", page)


def main(arguments: Sequence[str]) -> int:
    """Write the generated parts of a page anew; with --check only say whether they are stale."""
    *flags, path = arguments
    with open(path, encoding="utf-8") as file:
        page = file.read()
    fresh = generated(page)
    if fresh == page:
        return 0
    if "--check" in flags:
        sys.stderr.write(f"{path} is stale; run: make docs\n")
        return 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
