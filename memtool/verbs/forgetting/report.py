"""The report of a forget command: what goes, what stays, and what could not be searched or cleaned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.core.forgetting.tombstones import ForgetReceipt
from memtool.core.records.plan import Plan
from memtool.core.text.regex import regex
from memtool.formats import forget_receipt, json_records
from memtool.formats.syntax import json_text
from memtool.store.files import queue
from memtool.verbs.forgetting.cut import FileCut, ForgottenLine

_DIGEST = r"[0-9a-f]{16,64}"
_NAMING_KEYS = ("action", "id", "candidate", "rule")
"""Keys that tell which record a line of JSON Lines is if it says nothing."""


class ForgetReport(Struct, frozen=True):
    """The cuts, the plan, the receipt (None where nothing went), and what could not be read or cleaned.

    `left` are lines that stay, by path, although they say a name of the user: it may be somebody else's.
    `elsewhere` names files and places that still hold what was forgotten, which memtool does not change.
    `unread` has a sentence for each file or folder that could not be searched. `is_incomplete`: events of
    hooks wait, and were not searched. `is_unknown_user`: nothing belongs to the user of the request, so that
    nothing goes. `is_in_journal`: the journal stores the phrase to forget, with which commands can be undone.
    """

    cuts: tuple[FileCut, ...]
    plan: Plan
    receipt: ForgetReceipt | None
    left: tuple[tuple[str, ForgottenLine], ...] = ()
    elsewhere: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_incomplete: bool = False
    is_unknown_user: bool = False
    is_in_journal: bool = False

    def as_json(self) -> dict[str, Any]:
        """The receipt as printed with --json."""
        return forget_receipt.record(self.receipt) if self.receipt else {}


def readable_line(path: str, line: str) -> str:
    """What a line of a file says, for people: of JSON its texts, or what it is; "" for a line of syntax."""
    if not path.endswith((".json", ".jsonl", ".canvas")):
        return line
    part = line.strip().removesuffix(",")
    for text in (part, f"{{{part}}}"):
        try:
            value = json_text.loads(text)[0]
        except json_text.InvalidJson:
            continue
        keys = value if isinstance(value, dict) else {}
        telling = {key: item for key, item in keys.items() if key not in _NAMING_KEYS} if keys else value
        texts = (item.strip() for item in json_records.strings_of(telling))
        said = [item for item in texts if item and not regex(_DIGEST).fullmatch(item)]
        if said or not path.endswith(".jsonl"):
            return " / ".join(said)
        return ", ".join(f"{key} {item}" for key, item in keys.items() if key in _NAMING_KEYS)
    return "" if regex(r"""[\]}]+|(?:"\w+": )?[\[{]""").fullmatch(part) else line


def queue_notices(root: str) -> Iterator[str]:
    """What of the queue was not searched: what waits is recorded first, save in a dry run or by a failure."""
    yield from filter(None, [queue.waiting_notice(root)])
    for path in queue.other_files(root):
        yield (
            f"{path} is not a pending hook event and was not searched; "
            "delete the file if it contains the text to be forgotten"
        )
