"""Migration plans as text or as JSON records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.records.migration import MigrationStage, MigrationStep
from memtool.verbs.history.upgrade_history import count_outdated_turns
from memtool.verbs.layout.migrate import MigrationReport

_LEAST_SUMMARISED = 4
"""From this number on, files that move between the same folders are summed up in one line."""


def pending_records(migrated: MigrationReport, session: Session) -> list[dict[str, Any]]:
    """A record for each migration, and one for turns of older versions, which upgrade-history handles."""
    rows: list[dict[str, Any]] = []
    for stage in migrated.stages:
        planned = [step for step in stage.steps if step.plan and step.shown]
        kept_steps = [step for step in stage.steps if step.result == "keep"]
        state = "pending" if stage.pending else "kept" if kept_steps else "none"
        why = f"{stage.why}; {kept_steps[0].path}: {kept_steps[0].why}" if state == "kept" else stage.why
        rows.append(_row(stage.name, state, len(planned or kept_steps), why))
    count = count_outdated_turns(session.workspace, session.now, session.progress("checking turns"))
    why = "outdated or unreadable turn files, which memtool upgrade-history upgrades or quarantines"
    return [*rows, _row("history", "pending" if count else "none", count, why)]


def _row(name: str, state: str, files: int, reason: str) -> dict[str, Any]:
    return {"migration": name, "state": state, "files": files, "reason": reason}


def step_records(stages: Iterable[MigrationStage]) -> Iterator[dict[str, Any]]:
    """A JSON record for each step that is shown."""
    for stage in stages:
        for step in stage.steps:
            if step.shown and (step.plan or step.result == "keep"):
                yield {
                    "migration": stage.name,
                    "result": step.result,
                    "path": str(step.path),
                    "target": None if step.target is None else str(step.target),
                    "role": step.role,
                    "lines": step.lines,
                    "links": step.links,
                    "irreversible": step.is_irreversible,
                    "reason": step.why,
                }


def plan_rows(stages: Iterable[MigrationStage], *, every_file: bool) -> Iterator[str]:
    """The lines of a plan: each migration, followed by its steps.

    Many files that move between the same folders are one line, unless `every_file` is set.
    """
    for stage in stages:
        steps_shown = [step for step in stage.steps if step.shown and (step.plan or step.result == "keep")]
        if not steps_shown:
            continue
        yield f"{stage.name}: {stage.why}"
        together: dict[tuple[str, str, str, str, bool], list[MigrationStep]] = {}
        for step in steps_shown:
            together.setdefault(_key(step), []).append(step)
        for key, steps in together.items():
            if len(steps) < _LEAST_SUMMARISED or every_file or key[0] not in {"move", "keep", "edit"}:
                yield from map(_line, steps)
            elif key[0] in {"keep", "edit"}:
                lead = f"  {key[0]:<5} {len(steps)} files, including {steps[0].path}{' *' * key[4]}"
                why = steps[0].why
                yield f"{lead}; reason for each: {why}" if key[0] == "keep" else f"{lead} (each: {why})"
            else:
                yield _summary(key, steps)
        if links := sum(step.links for step in steps_shown):
            files = output.plural(sum(bool(step.links) for step in steps_shown), "file")
            yield f"  updates {output.plural(links, 'link')} in {files}"
        if any(step.is_irreversible for step in steps_shown):
            yield (
                "  moving back to the old layout does not reverse steps marked *; "
                "--backup keeps a copy of the files"
            )


def _summary(key: tuple[str, str, str, str, bool], steps: list[MigrationStep]) -> str:
    _, role, source, target, lasting = key
    lines, links = sum(step.lines for step in steps), sum(step.links for step in steps)
    details = f"{len(steps)} files, {output.plural(lines, 'line')}" + (
        f", {output.plural(links, 'link')}" if links else ""
    )
    why = f"; {steps[0].why}" if steps[0].why else ""
    return f"  move  {source}/ -> {target}/{' *' * lasting} ({details}: {role}{why})"


def _line(step: MigrationStep) -> str:
    if step.result == "keep":
        return f"  keep  {step.path}{' *' * step.is_irreversible}: {step.why}"
    to = f" -> {step.target}" if step.target is not None else ""
    details = [
        output.plural(count, noun) for count, noun in ((step.lines, "line"), (step.links, "link")) if count
    ]
    details += [step.why] if step.why else []
    more = f" ({', '.join(details)})" if details else ""
    return f"  {step.result:<5} {step.path}{to}{' *' * step.is_irreversible}{more}"


def _is_same_name(name: str, target: str) -> bool:
    """Whether a file keeps its name, but for a suffix that is added or removed."""
    return name == target or name.startswith(f"{target}.") or target.startswith(f"{name}.")


def _key(step: MigrationStep) -> tuple[str, str, str, str, bool]:
    """The key by which steps are summed up: the result, role, and the parts of the two paths that differ."""
    if step.result == "keep" or (step.result == "edit" and step.role and step.why):
        return step.result, step.role, step.why, "", step.is_irreversible
    if step.target is None or not _is_same_name(step.path.name, step.target.name):
        return step.result, step.role, str(step.path), str(step.target), step.is_irreversible
    source, target = list(step.path.parts[:-1]), list(step.target.parts[:-1])
    least = 0 if step.path.name == step.target.name else 1
    while min(len(source), len(target)) > least and source[-1] == target[-1]:
        source.pop()
        target.pop()
    source_folder, target_folder = str(PurePosixPath(*source)), str(PurePosixPath(*target))
    return step.result, step.role, source_folder, target_folder, step.is_irreversible


def finish_layout_change(session: Session) -> None:
    """After a change of layout, stop a watcher, and print notices about settings that name the old layout."""
    from memtool.serve.watch.daemon import running, stop

    root = session.workspace.root
    if running(root) is not None:
        stop(root)
        session.notice(
            "the watcher used the old layout and was stopped; restart it with memtool watch --daemon"
        )
    if session.given.get("layout") or session.environment.get("MEMTOOL_LAYOUT"):
        session.notice("memtool.toml now sets the layout; stop using --layout and MEMTOOL_LAYOUT")
