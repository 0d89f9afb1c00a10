"""`memtool lint`."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click
from msgspec.structs import replace

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, output_format
from memtool.cli.session import Session, pass_session
from memtool.core.lint.codes.all_codes import CODES_BY_NAME
from memtool.core.lint.codes.lint_code import INFO, SEVERITIES, WARNING
from memtool.errors import PartlyApplied
from memtool.verbs.lint.request import LintReport, LintRequest


@click.command(
    "lint",
    cls=MemtoolCommand,
    epilog="""
memtool lint                                     the whole workspace
memtool lint memory/notes --severity warning     a folder, without info problems
memtool lint --fail-on error                     show everything, fail a CI job only for errors
memtool lint --severity error -q                 show only errors
memtool lint --fix --dry-run                     show what would be fixed
memtool lint --explain M203                      explain a code
memtool lint --baseline old.json --write-baseline    hide the current problems
memtool lint --format github                     print annotations for GitHub Actions
memtool lint - --path memory/notes/x.md < x.md   check unsaved text
""",
)
@click.argument("paths", metavar="[PATH|-]...", nargs=-1)
@click.option("--strict", is_flag=True, help="Also exit 1 for problems of severity info")
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    help="Exit 1 only for problems of this severity or above [default: warning]",
)
@click.option("--fix", is_flag=True, help="Fix problems that have exactly one correct fix; report the others")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    help="Output format [default: text]",
)
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default=INFO,
    help="Hide problems below this severity; they do not affect the exit code [default: info]",
)
@click.option(
    "--select",
    metavar="CODES",
    multiple=True,
    help="Report only these codes, or codes with these prefixes, such as M1,M203 "
    "[default: the setting lint.select, else all]",
)
@click.option(
    "--ignore",
    metavar="CODES",
    multiple=True,
    help="Hide these codes, or codes with these prefixes [default: the setting lint.ignore, else none]",
)
@click.option(
    "--baseline", metavar="FILE", help="Hide the problems listed in FILE [default: the setting lint.baseline]"
)
@click.option("--write-baseline", is_flag=True, help="Write the current problems to the baseline file")
@click.option("--path", "stands_for", metavar="PATH", help="Check stdin as the content of PATH")
@click.option(
    "--group",
    metavar="GROUP",
    help="Check only the memory of this group [default: MEMTOOL_GROUP, else all]",
)
@click.option("--explain", metavar="CODE", help="Explain a code and how to fix the problem")
@click.option("--codes", is_flag=True, help="List all codes")
@pass_session
def command(
    session: Session,
    paths: tuple[str, ...],
    strict: bool,
    fail_on: str | None,
    fix: bool,
    form: str | None,
    severity: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: str | None,
    write_baseline: bool,
    stands_for: str | None,
    group: str | None,
    explain: str | None,
    codes: bool,
) -> int:
    """Check memory files for problems

    Problems include broken links, and text that the agent does not see because a file exceeds its limit.
    Prints the location, code, message and severity of each problem, and whether --fix can fix it. Changes
    files only with --fix. Exits 1 when there is an error or a warning; with --fail-on error or --severity
    error, only when there is an error; and with --strict, for any problem that is not hidden. With --fix,
    exits 19 when no change could be written, and 20 when only some could be written. The comment `<!--
    memtool: ignore M501 -->` hides M501 on its line and, if nothing else is on that line, also on the next
    line. The file .memignore lists files to skip.
    """
    form = output_format(session, form, "text")
    if codes or explain:
        _check_alone(codes, explain, paths, fix=fix, writes_baseline=write_baseline)
        from memtool.cli.render.lint_codes import show_codes

        show_codes(session, explain)
        return 0
    _check_arguments(paths, stands_for, fix=fix, writes_baseline=write_baseline)
    failing = _failing_severities(fail_on, severity, strict=strict)
    if fix and session.dry_run and form in {"sarif", "github"}:
        raise click.UsageError("--fix --dry-run prints text or JSON only; remove --format")
    if form == "json":
        session.given["json"] = True
    from memtool.cli.parse.lint_inputs import (
        BaselineFile,
        codes_below,
        selected_codes,
        stdin_contents,
        workspace_paths,
    )

    group = session.group(group, writes=fix)
    given = stdin_contents(session, stands_for) if "-" in paths else {}
    targets = tuple(given) or workspace_paths(session, paths, group)
    chosen, below = selected_codes(session, select, ignore), codes_below(severity)
    request = LintRequest(
        targets, chosen - below, None, given, group, _cache_key(session), counted=chosen & below
    )
    file = BaselineFile(session, baseline)
    if write_baseline:
        file.write(_run_lint(session, request).problems)
        return 0
    request = replace(request, baseline=file.read())
    failure = _fix(session, request) if fix else 0
    linted = _run_lint(session, request)
    if not (fix and session.dry_run):
        from memtool.cli.render.lint_report import show_problems

        with output.ignore_closed_pipe():
            show_problems(session, linted.problems, form)
    if not linted.files and not linted.problems:
        where = " or ".join(paths) or str(session.workspace.root)
        session.notice(
            f"nothing was checked: no memory file was found at {where}; "
            "check --root, --layout, --group and the file .memignore"
        )
        return failure
    _show_summary(session, linted, severity, fix=fix)
    fails = any(CODES_BY_NAME[problem.code].severity in failing for problem in linted.problems)
    return failure or int(fails)


def _check_alone(
    codes: bool, explain: str | None, paths: tuple[str, ...], *, fix: bool, writes_baseline: bool
) -> None:
    """Raise UsageError where a page about codes is to be printed and files are to be checked."""
    name = "--codes" if codes else "--explain"
    others = {
        "--explain": codes and explain,
        "paths": paths,
        "--fix": fix,
        "--write-baseline": writes_baseline,
    }
    for other, is_given in others.items():
        if is_given:
            raise click.UsageError(f"{name} and {other} cannot be combined")


def _check_arguments(
    paths: tuple[str, ...], stands_for: str | None, *, fix: bool, writes_baseline: bool
) -> None:
    stdin = "-" in paths
    if stdin and (len(paths) > 1 or fix or writes_baseline):
        raise click.UsageError(
            "- cannot be combined with other paths, --fix or --write-baseline; give files instead"
        )
    if stands_for and not stdin:
        raise click.UsageError("--path is only for stdin: memtool lint - --path FILE")
    if writes_baseline and fix:
        raise click.UsageError("--write-baseline and --fix cannot be combined; run memtool lint --fix first")


def _failing_severities(fail_on: str | None, severity: str, *, strict: bool) -> Sequence[str]:
    """The severities of problems that make lint exit 1. Raises UsageError for options that do not agree."""
    if fail_on and strict:
        raise click.UsageError("--fail-on and --strict cannot be combined; --strict means --fail-on info")
    least = fail_on or (INFO if strict else WARNING)
    if fail_on and SEVERITIES.index(fail_on) > SEVERITIES.index(severity):
        raise click.UsageError(
            f"--fail-on {fail_on} cannot be combined with --severity {severity}, "
            f"which hides problems of severity {fail_on}"
        )
    return SEVERITIES[: SEVERITIES.index(least) + 1]


def _cache_key(session: Session) -> bytes | None:
    """The key of the cache; None where lint does without it, so that it leaves nothing in other folders."""
    from memtool.store.config.sources import integrity_key
    from memtool.store.root import PRIVATE_FOLDER, WORKSPACE_FILE

    if session.owner_tags:  # the cache is for a workspace without a filter by owner
        return None
    root = session.workspace.root
    if not any(os.path.lexists(os.path.join(root, name)) for name in (PRIVATE_FOLDER, WORKSPACE_FILE)):
        return None
    return integrity_key(session.environment, make=session.workspace.writes)


def _run_lint(session: Session, request: LintRequest) -> LintReport:
    from memtool.verbs.lint.lint import lint

    bar = session.progress("linting")
    return lint(session.visible_workspace, replace(request, progress=bar))


def _fix(session: Session, request: LintRequest) -> int:
    """Fix the problems; the exit code where a file could not be written or locked, else 0."""
    from memtool.verbs.lint.fix import fix_problems

    bar = session.progress("fixing")
    fixed = fix_problems(session.workspace, replace(request, progress=bar))
    for notice in fixed.notices:
        session.notice(notice)
    session.show_plan(fixed.plan)
    if fixed.problems:
        verb = "fixed" if session.workspace.writes else "would be fixed"
        session.notice(f"{output.plural(fixed.problems, 'problem')} {verb}")
    if fixed.failure is None:
        return 0
    return PartlyApplied.exit_code if fixed.plan else fixed.failure.exit_code


def _show_summary(session: Session, linted: LintReport, severity: str, *, fix: bool) -> None:
    """Print the summary on stderr."""
    names = [problem.code for problem in linted.problems]
    files = output.plural(linted.files, "file")
    hidden = f"; {_counts(linted.counted)} hidden by --severity {severity}" if linted.counted else ""
    if names:
        fixable = sum(problem.is_fixable for problem in linted.problems)
        more = f"; {fixable} fixable with --fix" if fixable and not fix else ""
        if fix and session.dry_run and not fixable:
            more = "; nothing can be fixed automatically; to list the problems, run memtool lint"
        session.notice(f"{_counts(names)} in {files}{more}{hidden}")
    else:
        shown = SEVERITIES[: SEVERITIES.index(severity) + 1]
        none = " or ".join(f"{kind}s" for kind in shown) if hidden else "problems"
        session.notice(f"no {none} in {files}{hidden}")
    if linted.suppressed:
        session.notice(f"{output.plural(linted.suppressed, 'known problem')} hidden (baseline)")
    if linted.stale:
        session.notice(
            f"fixed since the baseline was written: {output.plural(linted.stale, 'problem')}; "
            "to update the baseline, use --write-baseline"
        )
    session.detail(
        f"{linted.files_read} of {output.plural(linted.files, 'file')} read; "
        "results for unchanged files come from the cache"
    )


def _counts(names: Sequence[str]) -> str:
    """The number of problems of each severity among these codes: `2 errors, 1 warning, 3 info`."""
    severities = [CODES_BY_NAME[name].severity for name in names]
    counts = {kind: severities.count(kind) for kind in SEVERITIES if kind in severities}
    return ", ".join(
        f"{count} {kind}" if kind == INFO else output.plural(count, kind) for kind, count in counts.items()
    )
