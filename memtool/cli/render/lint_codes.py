"""The codes of lint: as a list, as a Markdown table, or one in full."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.lint.code import Code
from memtool.core.lint.codes import BY_NAME, CODES
from memtool.errors import BadUsage


def show(session: Session, name: str | None) -> None:
    """Print all codes, or one with its reason and its fix. Raises BadUsage for an unknown code."""
    if name is not None and name.upper() not in BY_NAME:
        raise BadUsage(f"there is no code {name!r}; memtool lint --codes lists them all")
    chosen = CODES if name is None else (BY_NAME[name.upper()],)
    for code in chosen:
        if session.json:
            output.put_json(_record(code))
        elif name is None:
            fix = "fix" if code.fixable else ""
            output.put(f"{code.name}\t{code.severity}\t{fix}\t{code.says}")
        else:
            for line in _page(code):
                output.put(line)


def rows() -> Iterator[str]:
    """The lines of the Markdown table of codes in the documentation."""
    yield "| code | kind | `--fix` | what is wrong |"
    yield "| --- | --- | --- | --- |"
    for code in CODES:
        yield f"| `{code.name}` | {code.severity} | {'yes' if code.fixable else ''} | {code.says} |"


def _page(code: Code) -> Iterator[str]:
    yield f"{code.name}: {code.says} ({code.severity})"
    yield f"  why:  {code.why}"
    yield f"  mend: {code.mend}"


def _record(code: Code) -> dict[str, object]:
    return {
        "code": code.name,
        "severity": code.severity,
        "fixable": code.fixable,
        "says": code.says,
        "why": code.why,
        "mend": code.mend,
    }
