"""Lint problems as text, JSON Lines, SARIF 2.1.0, or GitHub annotations."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from memtool import __version__
from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.lint.codes.all_codes import CODES, CODES_BY_NAME
from memtool.core.lint.codes.lint_code import ERROR, INFO, WARNING
from memtool.core.lint.problem import Problem

_COLOURS = {ERROR: "bad", WARNING: "warn", INFO: "dim"}
_LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}
_COMMANDS = {ERROR: "error", WARNING: "warning", INFO: "notice"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def show_problems(session: Session, problems: Sequence[Problem], output_format: str) -> None:
    """Print the problems in one of the formats: text, json, sarif or github."""
    match output_format:
        case "sarif":
            output.put_json(sarif_log(problems, _prefix(session)))
        case "github":
            prefix = _prefix(session) or ""
            for problem in problems:
                output.put(github_annotation(problem, prefix))
        case "json":
            for problem in problems:
                output.put_json(json_record(problem))
        case _:
            coloured = output.use_colours()
            for problem in problems:
                output.put(text_line(problem, coloured=coloured))


def text_line(problem: Problem, *, coloured: bool = False) -> str:
    """A problem as `path:line:column: code message [severity]`; on a terminal wrapped to its width.

    A problem that --fix can fix ends in `[severity, fixable]`.
    """
    path, message = output.printable(problem.path), output.printable(problem.message)
    code, kind = problem.code, CODES_BY_NAME[problem.code]
    message += f" [{kind.severity}{', fixable' if problem.is_fixable else ''}]"
    where = f"{problem.line}:{problem.col}"
    if coloured:
        path, where = output.paint(path, "path"), output.paint(where, "line")
        code = output.paint(code, _COLOURS[kind.severity])
    return output.wrapped(f"{path}:{where}: {code} ", message)


def json_record(problem: Problem) -> dict[str, Any]:
    """A problem as JSON values."""
    code = CODES_BY_NAME[problem.code]
    return {
        "path": problem.path,
        "line": problem.line,
        "col": problem.col,
        "code": problem.code,
        "severity": code.severity,
        "message": problem.message,
        "fixable": problem.is_fixable,
    }


def github_annotation(problem: Problem, prefix: str) -> str:
    """A problem as a workflow command of GitHub Actions, escaped as its runner expects."""
    path = _property(output.printable(prefix + problem.path))
    where = f"file={path},line={problem.line},col={problem.col},title={problem.code}"
    message = _data(output.printable(problem.message))
    return f"::{_COMMANDS[CODES_BY_NAME[problem.code].severity]} {where}::{message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def sarif_log(problems: Sequence[Problem], prefix: str | None) -> dict[str, Any]:
    """All problems as one SARIF log; paths are relative to the repository.

    If the workspace is outside of it (`prefix` is None), they are relative to the workspace's root.
    """
    base = (
        "the root of the workspace"
        if prefix is None
        else "the root of the repository, or the folder where lint was run"
    )
    number = {code.name: index for index, code in enumerate(CODES)}
    seen: Counter[tuple[str, str, str]] = Counter()
    results = []
    for problem in problems:
        key = problem.path, problem.code, problem.fingerprint
        seen[key] += 1
        results.append(_result(problem, prefix or "", number[problem.code], seen[key]))
    rules = [
        {
            "id": code.name,
            "name": _camel(code.summary),
            "shortDescription": {"text": code.summary},
            "fullDescription": {"text": f"{code.summary}: {code.reason}"},
            "help": {"text": code.remedy},
            "defaultConfiguration": {"level": _LEVELS[code.severity]},
        }
        for code in CODES
    ]
    driver = {"name": "memtool lint", "semanticVersion": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": base}}},
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(problem: Problem, prefix: str, index: int, times: int) -> dict[str, Any]:
    from urllib.parse import quote

    uri = quote(os.fsencode(prefix + problem.path), safe="/")
    place = {
        "artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"},
        "region": {"startLine": problem.line, "startColumn": problem.col},
    }
    return {
        "ruleId": problem.code,
        "ruleIndex": index,
        "level": _LEVELS[CODES_BY_NAME[problem.code].severity],
        "message": {"text": output.printable(problem.message)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"memtoolLint/v1": f"{problem.code}:{problem.fingerprint}:{times}"},
    }


def _camel(text: str) -> str:
    return "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", text))


def _prefix(session: Session) -> str | None:
    """The path of the workspace from the repository or working directory, with a slash; None if outside."""
    root = session.workspace.root
    for base in (session.environment.get("GITHUB_WORKSPACE", ""), os.getcwd()):
        if base and f"{root}/".startswith(os.path.realpath(base).rstrip("/") + "/"):
            inside = os.path.relpath(root, os.path.realpath(base))
            return "" if inside == "." else f"{inside}/"
    return None
