"""What people wrote by hand in long-term memory and in the file about the user, as statements of memory."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.records.document import Document
from memtool.core.records.entries import Fact, Owner
from memtool.formats import long_term
from memtool.store.workspace import Workspace
from memtool.verbs.capture.current_memory import CurrentStatement
from memtool.verbs.capture.handwritten_lines import read_handwritten_lines
from memtool.verbs.facts.recalled_lines import lines_about_user
from memtool.verbs.memory_files.place_files import place_documents


def handwritten_statements(
    workspace: Workspace, owner: Owner | None, group: str | None
) -> list[CurrentStatement]:
    """The hand-written items of long-term memory that an owner sees, and what is written about the user.

    A group has no file about the user, and one that cannot be read has no statements. Raises UnreadableFile
    for long-term memory.
    """
    lines = read_handwritten_lines(workspace, owner, group)
    found = [
        CurrentStatement(
            f"{lines.path}:{item.line}",
            item.fact.detail.replace("**", ""),
            item.fact,
            is_fact=False,
            has_no_command=long_term.goes_on(lines.text, item.line),
        )
        for item in lines.items
    ]
    return found if group is not None else [*found, *_about_user(workspace, owner)]


def _about_user(workspace: Workspace, owner: Owner | None) -> Iterator[CurrentStatement]:
    owners = frozenset([str(owner)]) if owner is not None and owner.kind == "user" else frozenset()
    for place in workspace.layout.places:
        for document in place_documents(workspace, place, None) if place.role == "core" else ():
            if isinstance(document, Document):
                for number, line in lines_about_user(workspace, document, owners):
                    text = line.replace("**", "")
                    yield CurrentStatement(
                        f"{document.path}:{number}", text, Fact("", text), is_fact=False, has_no_command=True
                    )
