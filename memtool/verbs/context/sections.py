"""The sections of every prompt: files by role, in the order of the layout, each within its limit.

Text that nobody has filled in is left out: the lines that a file has from its seed.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.context.filled import filled_text
from memtool.core.context.profile import profile_statements
from memtool.core.context.section import (
    Keep,
    PromptSection,
    SectionShare,
    quoted_path,
    read_command,
)
from memtool.core.context.statements import statements, without_known
from memtool.core.records.document import Document
from memtool.core.records.semantic import SemanticRecord
from memtool.core.text.regex import regex
from memtool.formats import compaction_section, core_file, long_term
from memtool.formats.syntax import frontmatter, text_lines
from memtool.layouts.layout import Place
from memtool.layouts.seeds import unfilled_text
from memtool.store.workspace import Workspace
from memtool.verbs.context.host_text import compiled_part, cut_by_host
from memtool.verbs.context.learnings import learning_entries
from memtool.verbs.context.said_days import SaidDays, fact_days
from memtool.verbs.context.session_log import LOG_ROLE, without_settled
from memtool.verbs.context.visible import visible_text, without_session_tags
from memtool.verbs.memory_files.edited_quotes import without_old_quotes
from memtool.verbs.memory_files.place_files import place_paths, read_visible
from memtool.verbs.memory_files.superseded import (
    mark_superseded,
    superseded_in,
    superseded_statements,
)
from memtool.verbs.sessions.episodes import list_episodes

NEWEST_FIRST = " (newest first)"
"""The end of the path of the section that holds all learnings."""
INSTRUCTIONS = " (instructions)"
"""The end of the path of a section with the instructions in a file that is not in every prompt."""
PROFILE = " (about the user; newest first)"
"""The end of the path of the section with what the facts say of the user."""
_PINNED = "(pinned)"
_INSTRUCTION = "**instruction**:"
_INSTRUCTION_LINE = r"[-*+][ \t]+\*\*instruction\*\*:[ \t]+\S"
_KEEPS: dict[str, Keep] = {
    "newest": "newest",
    "first": "first",
    "facts": "facts",
    "beginning": "beginning",
}
_EPISODE_ROLE = "episode"


def standing_sections(
    workspace: Workspace,
    agent: str,
    notices: list[str],
    missed: list[str],
    *,
    group: str | None = None,
    latest_episode: bool = False,
    owners: Collection[str] | None = None,
) -> list[PromptSection]:
    """The sections of every prompt of a group, in the order of the layout; of learnings the newest.

    `agent` replaces `{{agent_name}}` in core files. A text beyond its limit is cut at the end of a line, and
    `notices` name the first line that the agent would not see; `missed` names what could not be read.
    `owners` are the tags of those whose prompt it is, as in `visible_text`, and lines of other users count
    for no limit; where they are None, the sections have the lines of all, as they stand in the files.
    """
    seen, named = workspace.seen_by(owners or ()), owners or ()
    sections: list[PromptSection] = []
    done: set[str] = set()
    for place in workspace.layout.places:
        if place.inject != "always" or (group is not None and not place.grouped) or place.role in done:
            continue
        if place.replaced_by and _has_text(workspace, place.replaced_by, missed, named):
            continue
        if place.role == "learnings":
            done.add(place.role)
            sections += _learnings(workspace, place, group, notices, missed, named)
            continue
        for path in place_paths(workspace, place, group, missed):
            if (
                str(path) not in done
                and (document := read_visible(workspace, path, missed, named)) is not None
            ):
                done.add(str(path))
                sections += _section(workspace, place, document, agent, notices)
    sections += _instructions(workspace, group, done, missed, named)
    sections += _profile(workspace, group, missed, named, sections)
    newest = newest_episode(seen, group) if latest_episode else None
    document = read_visible(workspace, newest, missed, named) if newest is not None else None
    if document is not None:
        gone = superseded_in([document.text], seen, group)
        episode = _section(workspace, workspace.layout.place(_EPISODE_ROLE), document, agent, notices)
        sections += [section.with_text(mark_superseded(section.text, gone)) for section in episode]
    if owners is not None:
        sections = [_for_owners(section, owners) for section in sections]
    sections = without_settled(sections, lambda text: superseded_statements(seen, group, [text]))
    filled = (_filled(workspace, section, agent) for section in sections)
    shown = [section for section in filled if section.text.strip()]
    if owners is None:
        return shown
    days = SaidDays(seen, group)
    return _without_repeated([days.dated_section(_untagged(section)) for section in shown])


def _has_text(workspace: Workspace, path: str, missed: list[str], owners: Collection[str]) -> bool:
    document = read_visible(workspace, PurePosixPath(path), missed, owners)
    return document is not None and bool(document.text.strip())


def _untagged(section: PromptSection) -> PromptSection:
    text = without_session_tags(section.text)
    return section if text == section.text else replace(section, text=text)


def _without_repeated(sections: list[PromptSection]) -> list[PromptSection]:
    """The sections, that of the latest episode without the statements of the others."""
    if not sections or sections[-1].role != _EPISODE_ROLE:
        return sections
    *others, episode = sections
    stated = frozenset(digest for section in others for digest in statements(section.text))
    text = without_known(episode.text, stated)
    return [*others, replace(episode, text=text)] if text else others


def section_share(workspace: Workspace, role: str) -> SectionShare:
    """The share of a prompt's budget that the files of a role have."""
    layout = workspace.layout
    share = layout.shares.get(role)
    if share is None:
        return SectionShare()
    head = layout.limits["bootstrap_head"]
    return SectionShare(share.name, share.percent, share.need, _KEEPS[share.keep], head)


def how_to_read(workspace: Workspace, place: Place, path: str) -> str:
    """The command that prints a file; the file itself where no agent may read it by a command."""
    return read_command(path, workspace.program()) if place.readable else quoted_path(path)


def newest_episode(workspace: Workspace, group: str | None) -> PurePosixPath | None:
    """The episode of the session that ended last, in a group the last by name; None where none exists."""
    if not workspace.has("episode") or (group is not None and not workspace.layout.place("episode").grouped):
        return None
    if group is None:
        return next((episode.path for episode in list_episodes(workspace, [])), None)
    return max(place_paths(workspace, workspace.layout.place("episode"), group, []), default=None)


def _section(
    workspace: Workspace, place: Place, document: Document, agent: str, notices: list[str]
) -> Iterator[PromptSection]:
    """The file as a section; nothing for a file without text."""
    if "<<<<<<<" in document.text:
        document = _without_markers(document, notices)
    text, lines_before, left_out, limit = document.text.removeprefix("\ufeff"), 0, 0, None
    limits, limit_name = workspace.layout.limits, "its limit"
    if place.format == "core-file":
        page = core_file.parse(document.text)
        text, limit = core_file.inject(page, agent), core_file.limit(page)
        lines_before = page.meta.count("\n")
    elif place.format == "working-memory":
        limit = int(limits["working_memory"])
    elif place.role == "workspace" and "index_lines" in limits:
        limit = _index_limit(text, int(limits["index_lines"]), int(limits["index_bytes"]))
        limit_name = "the index size limit"
    unseen = text_lines.line_beyond(text.rstrip("\n"), limit) if limit is not None else None
    if unseen is not None and limit is not None:
        head = text[:limit]
        head = head if text[limit] == "\n" else head.rpartition("\n")[0] or head
        left_out = sum(1 for line in text[len(head) :].split("\n") if line.strip())
        text = head
        notices.append(
            f"{document.path} is longer than {limit_name} of {limit} characters: the agent "
            f"does not see the text from line {unseen + lines_before} on"
        )
    if place.role == _EPISODE_ROLE:
        text = frontmatter.split(text)[1]
    if "\r" in text:  # the file of an editor that ends lines in CR LF
        text = text.replace("\r\n", "\n").removesuffix("\r")
    excerpt = compiled_part(workspace, place, text)
    if excerpt is not None:
        text, left_out = excerpt
    elif place.format == "long-term":
        text = compaction_section.without_sections(text)
    first_unseen = unseen + lines_before if unseen is not None else None
    text, cut_off = cut_by_host(workspace, place, document.path, text, notices)
    left_out += cut_off
    if text.strip():
        path = str(document.path)
        share, reading = section_share(workspace, place.role), how_to_read(workspace, place, path)
        yield PromptSection(path, place.role, text, first_unseen, share, reading, left_out)


def _without_markers(document: Document, notices: list[str]) -> Document:
    """A document with both versions of each conflict that git left in it, without the markers."""
    from memtool.core.lint.conflict_markers import find_conflicts, without_markers  # rare

    conflicts = find_conflicts(document.text, is_markdown=True)
    if conflicts:
        command = f"memtool merge --conflicts --path {shlex.quote(str(document.path))}"
        notices.append(f"git left conflict markers in {document.path}; run {command}")
    return replace(document, text=without_markers(document.text, conflicts))


def _instructions(
    workspace: Workspace,
    group: str | None,
    done: Collection[str],
    missed: list[str],
    owners: Collection[str],
) -> Iterator[PromptSection]:
    """The standing instructions of a memory without rules: lines that `scan` adds to its long-term one."""
    places = workspace.layout.places
    if any(place.role == "rules" and (group is None or place.grouped) for place in places):
        return
    for place in places:
        if place.role != "long-term" or (group is not None and not place.grouped):
            continue
        for path in place_paths(workspace, place, group, missed):
            if str(path) in done or (document := read_visible(workspace, path, missed, owners)) is None:
                continue
            if _INSTRUCTION not in document.text:
                continue
            rows = long_term.active_text(document.text).replace("\r\n", "\n").split("\n")
            if lines := [row for row in rows if regex(_INSTRUCTION_LINE).match(row)]:
                share = section_share(workspace, "rules")
                reading = how_to_read(workspace, place, str(path))
                text = "\n".join(lines) + "\n"
                yield PromptSection(f"{path}{INSTRUCTIONS}", "rules", text, share=share, reading=reading)


def _lasting_odds(statement: str) -> float:
    from memtool.core.capture.statement_model import lasting_odds  # most memories are small

    return lasting_odds(statement)


def _profile(
    workspace: Workspace,
    group: str | None,
    missed: list[str],
    owners: Collection[str],
    sections: Sequence[PromptSection],
) -> Iterator[PromptSection]:
    """What the facts say of the user, most needed first, in a layout whose prompts have it.

    Nothing that another section says, the log of the session aside, which leaves out what the profile says.
    """
    others = "\n".join(
        long_term.active_text(section.text) for section in sections if section.role != LOG_ROLE
    )
    places = [place for place in workspace.layout.places if place.inject == "profile"]
    for place in places:
        if group is not None and not place.grouped:
            continue
        records: list[SemanticRecord] = []
        for path in place_paths(workspace, place, group, missed):
            if (document := read_visible(workspace, path, missed, owners)) is not None:
                records += without_old_quotes(workspace, document.text)
        profile = profile_statements(records, others, _lasting_odds)
        if profile.shown:
            folder = workspace.layout.folder(place.role, group=group)
            yield PromptSection(
                f"{folder}/{PROFILE}",
                place.role,
                "".join(f"- {statement}\n" for statement in profile.shown),
                share=section_share(workspace, place.role),
                reading=f"{workspace.program()} facts list",
                left_out=profile.left_out,
                days={
                    f"- {statement}": said
                    for statement, said in fact_days(workspace, profile.newest_first, records).items()
                },
            )


def _for_owners(section: PromptSection, owners: Collection[str]) -> PromptSection:
    """The section as these owners may see it; pinned rules are the last of the rules."""
    if section.role != "rules" or _PINNED not in section.text:
        return replace(section, text=visible_text(section.text, section.role, owners))
    parts = [visible_text(text, section.role, owners) for text in _by_pin(section.text)]
    pinned = sum(1 for row in parts[1].split("\n") if row.strip())
    return replace(section, text="\n".join(part.strip("\n") for part in parts) + "\n", pinned=pinned)


def _by_pin(text: str) -> tuple[str, str]:
    """The rules that are not pinned, with all other lines, and those that are."""
    from memtool.formats import rules

    lines = rules.parse(text.rstrip("\n")).lines
    pinned = [line.raw for line in lines if line.rule is not None and line.rule.pinned]
    others = [line.raw for line in lines if line.rule is None or not line.rule.pinned]
    return "\n".join(others) + "\n", "\n".join(pinned) + "\n"


def _filled(workspace: Workspace, section: PromptSection, agent: str) -> PromptSection:
    """The section without the lines that its file has from its seed."""
    seed = unfilled_text(workspace.layout, PurePosixPath(section.path), section.role)
    if not seed:
        return section
    page = core_file.parse(seed)
    text = section.text.removeprefix(page.meta) if page.meta else section.text
    return replace(section, text=filled_text(text, core_file.inject(page, agent)))


def _index_limit(text: str, most_lines: int, most_bytes: int) -> int:
    """How many characters of an index are read: so many lines, or so many bytes if that is less."""
    rows = text.split("\n")
    by_lines = len("\n".join(rows[:most_lines])) + 1
    cut = text.encode("utf-8", "surrogateescape")[:most_bytes].decode("utf-8", "surrogateescape")
    while not text.startswith(cut):  # the last character was cut in two
        cut = cut[:-1]
    return min(by_lines, len(cut))


def _learnings(
    workspace: Workspace,
    place: Place,
    group: str | None,
    notices: list[str],
    missed: list[str],
    owners: Collection[str],
) -> Iterator[PromptSection]:
    """The newest entries of all learnings together, within their limit."""
    entries = learning_entries(workspace, place, group, missed, owners)
    texts = [lesson.text for lesson in entries if lesson.text]
    limit = int(workspace.layout.limits["learnings"])
    if len(texts) < len(entries):
        notices.append(
            f"learnings exceed their limit of {limit} characters: the agent does not "
            f"see {len(entries) - len(texts)} of {len(entries)} entries"
        )
    if texts:
        folder = workspace.layout.folder(place.role, group=group)
        path, left_out = f"{folder}/{NEWEST_FIRST}", len(entries) - len(texts)
        share = section_share(workspace, place.role)
        reading = f"{workspace.program()} search --role {place.role} WORDS"
        text = "\n".join(texts)
        yield PromptSection(path, place.role, text, share=share, reading=reading, left_out=left_out)
