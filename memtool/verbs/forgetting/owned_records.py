"""Records with an owner: whose they are, which session they are from, and which names they state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memtool.core.capture.stated_name import stated_name
from memtool.core.forgetting.statements import plain_lines
from memtool.core.text.regex import regex
from memtool.core.text.sentences import split_sentences
from memtool.formats import json_records, text_records
from memtool.formats.syntax import frontmatter, json_text

_CLAUSE_END = (
    r"[,;:，、；]|(?<!\w)(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но|а|ve|ama|va|lekin)(?!\w)|[(（—–]| - "
)


def owned_records(text: str, path: str, slots: Any) -> Iterator[tuple[str, str, str]]:
    """The owner, session and text of each record with an owner."""
    if path.endswith(".jsonl"):
        name = str(slots.get("name", ""))
        for row in json_records.line_records(text):
            if row.owner:
                yield row.owner, row.session or name, row.text
    elif path.endswith(".json"):
        value = json_object(text)
        record = json_records.described(value, (), 0)
        source = value.get("source")
        if record.owner:
            session = record.session or (str(source.get("session", "")) if isinstance(source, dict) else "")
            yield record.owner, session, record.text
    else:
        keys = frontmatter.keys_or_empty(text) if text.startswith(("---", "\ufeff---")) else {}
        if isinstance(owner := keys.get("owner"), str):
            yield owner, str(keys.get("session_id") or ""), text
        for record_ in text_records.text_records(text, blocks=True):
            if record_.owner:
                yield record_.owner, "", record_.text


def stated_names(text: str) -> Iterator[str]:
    """The names that clauses of a text state of their speaker: `My name is Ann Smith and I prefer tea`."""
    for line in plain_lines(text):
        for start, end, _ in split_sentences(line).sentences:
            for clause in regex(_CLAUSE_END, re.IGNORECASE).split(line[start:end]):
                if name := stated_name(clause):
                    yield name


def json_object(text: str) -> dict[str, Any]:
    """The JSON object of a text; an empty one where it has none."""
    try:
        value = json_text.loads(text)[0]
    except json_text.InvalidJson:
        return {}
    return value if isinstance(value, dict) else {}
