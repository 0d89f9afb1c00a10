"""What the actions of `memtool note` share: the option --group, the link graph, and how a note is found."""

from __future__ import annotations

import os

import click

from memtool.cli.session import Session
from memtool.verbs.notes import notes
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkGraph, load_link_graph

GROUP = click.option("--group", metavar="GROUP", help="Use the notes of this group [default: MEMTOOL_GROUP]")


def load_graph(session: Session, group: str | None) -> tuple[LinkGraph, list[str]]:
    """The notes of the workspace or a group; and the notices on what could not be read, already printed."""
    scope = session.decide_scope(group)
    notices: list[str] = []
    progress = session.progress("reading notes")
    link_graph = load_link_graph(session.visible_workspace, notices, scope=scope, progress=progress)
    for notice in notices:
        session.notice(notice)
    return link_graph, notices


def find_note(session: Session, link_graph: LinkGraph, name: str) -> DocumentNode | None:
    """The note that a name refers to. Prints a notice where there is none, or where the name is ambiguous."""
    name = relative_name(session, name)
    match = notes.find_note(link_graph, name)
    if match is None:
        near = notes.similar_titles(link_graph, name)
        hint = (
            f" (did you mean {' or '.join(near)}?)" if near else "; memtool search finds notes by their text"
        )
        session.notice(f"no note named {name!r}{hint}")
        return None
    if match.others:
        session.notice(f"using {match.node.path} for {name!r}; other matches: {', '.join(match.others)}")
    return match.node


def relative_name(session: Session, name: str) -> str:
    """A name as it is; an absolute path into the workspace, as editors give it, relative to the root."""
    if not os.path.isabs(name):
        return name
    inside = os.path.relpath(os.path.realpath(name), session.root)
    return name if inside.startswith("..") else inside
