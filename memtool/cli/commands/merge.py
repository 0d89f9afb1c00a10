"""`memtool merge`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.program import program_words
from memtool.cli.render.effects import shown_effect
from memtool.cli.session import Session, pass_session
from memtool.core.records.health import count_noun
from memtool.errors import BadUsage, NoWorkspace
from memtool.store.commit.partly import after_steps
from memtool.store.workspace import Workspace

if TYPE_CHECKING:
    from memtool.verbs.merging.conflict_copies import CopyReport


@click.command(
    "merge",
    cls=MemtoolCommand,
    epilog="""
memtool merge --install                          make git use memtool to merge the workspace's files
memtool merge --conflicts --dry-run              show how conflict copies would be merged
memtool merge --conflicts                        merge the copies that Syncthing, Dropbox or iCloud made
memtool merge --conflicts --path MEMORY.md       merge the versions between conflict markers in MEMORY.md
memtool merge a.md b.md c.md --path MEMORY.md    merge c.md into b.md as versions of MEMORY.md
memtool merge base.md facts.md laptop.md         merge laptop.md into facts.md
""",
)
@click.argument("files", metavar="[BASE OURS THEIRS]", nargs=-1, type=click.Path())
@click.option(
    "--path",
    metavar="PATH",
    help="Merge versions of this workspace file [default: OURS; with --conflicts: all]",
)
@click.option("--install", is_flag=True, help="Make git use memtool to merge the workspace's files")
@click.option("--uninstall", is_flag=True, help="Undo --install")
@click.option("--conflicts", is_flag=True, help="Merge each conflict copy into its original")
@click.option("--finish", is_flag=True, help="Renumber turns that have the same number after a merge")
@pass_session
def command(session: Session, files: tuple[str, ...], path: str | None, **modes: bool) -> int:
    """Merge two versions of a memory file, record by record

    Writes the result to OURS; if OURS is a memory file, `memtool undo` reverts the merge. BASE is the common
    ancestor of OURS and THEIRS. The result contains the facts, rules, log entries and other records that
    either version added, but not those that either version deleted. Notes and other prose are merged
    paragraph by paragraph. If both versions changed the same passage, the result contains both versions of
    the passage, each below a label; `memtool lint` reports such passages as M113. Other files are merged line
    by line. If both versions changed the same lines, or the same JSON file, OURS stays unchanged and the exit
    code is 1.

    --install configures git to merge the files of this workspace with memtool. Run `memtool merge --install`
    once in each clone, and commit the file .gitattributes, which lists these files.

    --conflicts merges conflict copies, which programs such as Syncthing create when two machines change the
    same file. Each copy is merged into its original and then removed. As the common ancestor of the two is
    unknown, the result contains all records of both, except text that was forgotten or, according to `memtool
    log`, deleted in this workspace. If a copy cannot be merged, it is kept, and the exit code is 1. `memtool
    undo` restores the copies. Memory files in which git left conflict markers are merged, too; run `git add`
    on them afterwards. If `git status` does not list a file as unmerged, the conflict markers in it may be
    your own text; such a file is merged only if --path names it.

    Turns that two machines recorded under the same number are merged into one file. The next command that
    writes to the workspace, or --finish, gives each turn its own number, in chronological order.
    """
    chosen = [name for name, is_given in modes.items() if is_given]
    if len(chosen) > 1 or (chosen and (files or (path and chosen != ["conflicts"]))):
        other = f"--{chosen[1]}" if len(chosen) > 1 else "files" if files else "--path"
        raise BadUsage(f"--{chosen[0]} cannot be used with {other}")
    if chosen == ["conflicts"]:
        return _merge_conflicts(session, path)
    if chosen:
        return _MODES[chosen[0]](session)
    if len(files) != 3:
        missing = "no files given" if not files else f"{count_noun(len(files), 'file')} given instead of 3"
        raise BadUsage(f"{missing}; give BASE OURS THEIRS, or --install, --conflicts or --finish")
    return _merge(session, *files, path)


def _merge(session: Session, base: str, ours: str, theirs: str, path: str | None) -> int:
    from memtool.verbs.merging.merge import memory_path, merge_into

    session.refuse_files([base, ours, theirs])
    name = path or ours
    writes = not (session.dry_run or session.incognito)
    workspace = _workspace_of(session, name)
    own = memory_path(ours, workspace) if workspace else None  # None for the temporary file of git
    if own and (workspace := _workspace_of(session, name, writes=writes)):
        session.adopt_workspace(workspace)
        session.decide_scope(None, writes=True)
    report = merge_into(base, ours, theirs, name, workspace, session.now, writes=writes)
    if session.json:
        output.put_json({"path": name, "merged": report.is_merged})
    elif own and report.is_merged:
        session.report(shown_effect(session, "merged") if report.plan else "unchanged", own)
    if not report.is_merged:
        session.notice(f"{name}: both versions changed the same part of the file; merge them by hand")
    if own:
        session.show_plan(report.plan)
    return 0 if report.is_merged else 1


def _workspace_of(session: Session, path: str, *, writes: bool = False) -> Workspace | None:
    """The workspace that contains a path, which git may not have written yet; None if there is none."""
    from memtool.store.root import find_root
    from memtool.store.workspace import open_workspace

    folder = os.path.dirname(os.path.abspath(path))
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    layout = session.given.get("layout")
    try:
        root = find_root(folder, session.given.get("root"), layout)
    except NoWorkspace:
        return None
    return open_workspace(root, session.environment, layout, writes=writes)


def _finish(session: Session) -> int:
    if not _number_turns(session):
        session.notice("no two turns have the same number; nothing to renumber")
    return 0


def _number_turns(session: Session) -> bool:
    """Give turns that share a number their own, and print what changed; whether any did."""
    from memtool.verbs.merging.finish import finish_merges

    reports = finish_merges(session.workspace, session.progress("reading turns"))
    for report in reports:
        if session.json:
            output.put_json({"group": report.group, "first": report.first, "renumbered": report.renumbered})
        else:
            of_group = [report.group] if report.group else []
            session.report(
                "renumbered",
                f"{count_noun(report.renumbered, 'turn')}, starting at number {report.first}",
                *of_group,
            )
        session.show_plan(report.plan)
    return bool(reports)


def _change_driver(session: Session, *, uninstall: bool) -> int:
    """Install or uninstall git's merge driver."""
    from memtool.verbs.merging import git_driver

    if uninstall:
        done = git_driver.uninstall(session.workspace)
    else:
        done = git_driver.install(session.workspace, shlex.join([*program_words(), "merge"]))
    changed = {".gitattributes": done.changes_attributes, "merge.memtool.driver": done.changes_config}
    for name, is_changed in changed.items():
        effect = ("removed" if uninstall else "written") if is_changed else "unchanged"
        if session.json:
            output.put_json({"effect": effect, "name": name})
        else:
            session.report(effect, name)
    if not uninstall and done.changes_attributes and not session.dry_run:
        session.notice("commit .gitattributes, and run memtool merge --install in every other clone")
    return 0


def _merge_conflicts(session: Session, path: str | None) -> int:
    from memtool.verbs.merging.conflict_copies import merge_conflict_copies
    from memtool.verbs.merging.git_conflicts import merge_git_conflicts

    only = None
    if path is not None:
        from memtool.cli.parse.lint_inputs import workspace_paths

        from_root = os.path.join(session.workspace.root, path)  # as lint prints it
        is_from_root = os.path.lexists(from_root) and not os.path.lexists(path)
        (only,) = workspace_paths(session, [from_root if is_from_root else path], None)
    reports = []
    found = chain(
        merge_git_conflicts(session.workspace, only), merge_conflict_copies(session.workspace, only)
    )
    for report in _reported(session, found):
        reports.append(report)
        is_copy = report.path != report.original
        if session.json:
            record = {"path": report.path, "original": report.original, "outcome": report.outcome}
            output.put_json(record | ({"reason": report.reason} if report.reason else {}))
        else:
            reason = [report.reason] if report.reason else []
            session.report(report.outcome, report.path, *([report.original] if is_copy else []), *reason)
        session.show_plan(report.plan)
    if not reports:
        session.notice("no conflict copies" if only is None else f"{only}: no conflicts to resolve")
    _number_turns(session)
    by_git = [report for report in reports if report.path == report.original]
    if any(report.outcome == "merged" for report in by_git) and not session.dry_run:
        session.notice("run git add on the merged files, then continue, for example with git commit")
    left = sum(report.outcome == "left" for report in reports)
    if left:
        copies_left = left - sum(report.outcome == "left" for report in by_git)
        noun = "conflict copy" if left == copies_left else "conflict"
        session.notice(f"{count_noun(left, noun)} not resolved")
    return 1 if left else 0


def _reported(session: Session, reports: Iterator[CopyReport]) -> Iterator[CopyReport]:
    """The same reports. An error after the first merge is raised as PartlyApplied."""
    merged = 0
    with after_steps(lambda: f"conflicts resolved: {merged}" if merged else ""):
        for report in reports:
            merged += report.outcome != "left" and session.workspace.writes
            yield report


_MODES: dict[str, Callable[[Session], int]] = {
    "install": partial(_change_driver, uninstall=False),
    "uninstall": partial(_change_driver, uninstall=True),
    "finish": _finish,
}
