"""The source of a request to forget: a file of the tree, a transcript, or the id of a session."""

from __future__ import annotations

import os

from msgspec.structs import replace

from memtool.core.forgetting.selection import ForgetRequest
from memtool.errors import BadUsage
from memtool.store.external.transcript_files import find_transcripts, open_transcript
from memtool.store.workspace import Workspace
from memtool.transcripts.transcript import ImportedTurn
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS, recognise_transcript


def source_request(workspace: Workspace, source: str, directory: str) -> ForgetRequest:
    """The request for a source; a path is from the root or from `directory`.

    Raises BadUsage for a file that is neither of the tree nor a transcript, UnreadableFile.
    """
    request = ForgetRequest()
    for start in (directory, workspace.root):
        path = os.path.realpath(os.path.join(start, source))
        if not os.path.exists(path):
            continue
        inner = os.path.relpath(path, workspace.root)
        if workspace.role_of(inner) is not None and os.path.isfile(path):
            return replace(request, paths=frozenset({inner}))
        origins = [origin for name in find_transcripts(path) for origin in _origins(name)]
        if not origins:
            raise BadUsage(f"{source!r} is neither a memory file nor a known transcript")
        return replace(
            request,
            turns=frozenset(key for key, _ in origins),
            sessions=frozenset(session for _, session in origins if session),
        )
    if "/" in source:
        raise BadUsage(f"{source}: no such file")
    return replace(request, sessions=frozenset({source}))


def _origins(name: str) -> list[tuple[str, str]]:
    """The origin and session of each turn of a transcript."""
    transcript = open_transcript(name)
    agent = recognise_transcript(transcript)
    items = TRANSCRIPT_FORMATS[agent].read(transcript) if agent else ()
    return [(item.origin.key, item.origin.session) for item in items if isinstance(item, ImportedTurn)]
