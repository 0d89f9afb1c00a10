"""Evidence: the sentences that each fact rests on."""

from __future__ import annotations

from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace


def evidence_quotes(workspace: Workspace) -> dict[str, list[str]]:
    """The quotes by fact id; lines that do not parse have none. Raises UnreadableFile."""
    document = workspace.read(workspace.layout.path("evidence"))
    quotes: dict[str, list[str]] = {}
    for line in document.text.split("\n") if document else ():
        record = parsed_evidence(line)
        if isinstance(record, dict) and isinstance(record.get("quotes"), list):
            quotes.setdefault(str(record.get("id")), []).extend(map(str, record["quotes"]))
    return quotes


def parsed_evidence(line: str) -> object:
    """The value on a line of the evidence file; None where it does not parse."""
    try:
        return json_text.loads(line)[0]
    except json_text.InvalidJson:
        return None
