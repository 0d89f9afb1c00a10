"""The codes of lint: as a list, as a Markdown table, or one in full."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.lint.codes.all_codes import CODES, CODES_BY_NAME
from memtool.core.lint.codes.lint_code import LintCode
from memtool.errors import BadUsage


def show_codes(session: Session, name: str | None) -> None:
    """Print all codes, or one with its reason and its fix. Raises BadUsage for an unknown code."""
    if name is not None and name.isdecimal():
        name = f"M{name}"
    if name is not None and name.upper() not in CODES_BY_NAME:
        raise BadUsage(f"unknown code {name!r}; memtool lint --codes lists all codes")
    chosen = CODES if name is None else (CODES_BY_NAME[name.upper()],)
    for code in chosen:
        if session.json:
            output.put_json(_record(code))
        elif name is None:
            fix = "fix" if code.fixable else ""
            output.put_row(code.name, code.severity, fix, code.summary)
        else:
            for label, text in _page(code):
                output.put_wrapped(label, text, len(label))


def markdown_rows() -> Iterator[str]:
    """The lines of the Markdown table of codes in the documentation."""
    yield "| code | severity | `--fix` | what is wrong |"
    yield "| --- | --- | --- | --- |"
    for code in CODES:
        yield f"| `{code.name}` | {code.severity} | {'yes' if code.fixable else ''} | {code.summary} |"


def _page(code: LintCode) -> Iterator[tuple[str, str]]:
    """The labels and texts of a page on a code."""
    yield f"{code.name}: ", f"{code.summary} ({code.severity})"
    yield "  why:  ", code.reason
    yield "  fix:  ", code.remedy


def _record(code: LintCode) -> dict[str, object]:
    return {
        "code": code.name,
        "severity": code.severity,
        "fixable": code.fixable,
        "summary": code.summary,
        "reason": code.reason,
        "fix": code.remedy,
    }
