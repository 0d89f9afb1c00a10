"""How far each transcript was read, in the private folder, so that the end of a turn reads what is new alone.

A transcript is read from the line that opens the last turn that was imported. It is read from its beginning
where it was cut, compacted or rewritten: where it is shorter, or other bytes stand around that line. Losing
the file costs one reading.
"""

from __future__ import annotations

import contextlib
import json
import re

from memtool.errors import MemtoolError
from memtool.store.external.transcript_files import OpenedTranscript, TranscriptFile
from memtool.store.files import derived
from memtool.store.workspace import Workspace
from memtool.transcripts.transcript import TurnOrigin

_NAME = "transcripts.json"
_TRANSCRIPTS = 64
"""Transcripts in the file, those that were read last."""
_RESUMABLE = {"claude-code": "uuid", "qwen": "uuid"}
"""The agents whose lines name the session and have ids, and the key of these.

The ids of others are made of everything before, or a session is named in its first line alone.
"""
_LEAST_BYTES = 100_000
"""Bytes of a transcript that is read whole at each turn."""


def resume_reading(workspace: Workspace, source: OpenedTranscript, agent: str) -> None:
    """Read a transcript from where the last reading ended, if it still is what was read."""
    if isinstance(source, TranscriptFile) and agent in _RESUMABLE:
        match _positions(workspace).get(source.name):
            case [int(offset), str(fingerprint)]:
                source.resume(offset, fingerprint)


def record_reading(workspace: Workspace, source: OpenedTranscript, last: TurnOrigin | None) -> None:
    """Record that a transcript was read up to a turn, which is read again next time: it may grow.

    What cannot be written down is read again, and nothing else happens.
    """
    if last is None or not isinstance(source, TranscriptFile) or last.agent not in _RESUMABLE:
        return
    id_ = re.escape(last.id.encode("utf-8", "surrogatepass"))
    offset = source.offset_of(rb'"%s"\s*:\s*"%s"' % (_RESUMABLE[last.agent].encode(), id_))
    if offset is None or offset < _LEAST_BYTES or not workspace.writes:
        return
    positions = _positions(workspace)
    row = [offset, source.fingerprint(offset)]
    if positions.get(source.name) == row:
        return
    positions.pop(source.name, None)
    newest = dict([*positions.items()][1 - _TRANSCRIPTS :])
    with contextlib.suppress(MemtoolError):
        derived.write(workspace.root, _NAME, json.dumps({**newest, source.name: row}).encode())


def _positions(workspace: Workspace) -> dict[str, object]:
    try:
        value = json.loads(derived.read(workspace.root, _NAME) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
