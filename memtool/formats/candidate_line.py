"""Candidate lines: candidates as an extractor proposes them and a buffer holds them, one JSON object each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from memtool.core.facts.promotion import HeldCandidate
from memtool.core.records.candidate import (
    HELD_ACTIONS,
    Candidate,
    Claim,
    Instruction,
    PolicyDecision,
    candidate_id,
)
from memtool.core.records.entries import Owner
from memtool.core.records.turn import parse_moment
from memtool.core.secrets.redact import redact
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import one_line
from memtool.core.text.tokenizer import word_list
from memtool.errors import BadUsage
from memtool.formats.syntax import json_text

_QUOTE, _NAME, _RULE, _REASON = 280, 200, 280, 240
_ENTITY_KIND, _ENTITY_NAME = 64, 128
_WORD = r"[^\W_]"
_ID = r"^c-[A-Za-z0-9]{1,64}$"
_TAG = r"^(user|session):[A-Za-z0-9][A-Za-z0-9_.@:+-]{0,127}$"
_MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$"
_SCALES = {
    "scope": ("turn", "session", "cross_session"),
    "durability": ("transient", "possible", "stable"),
    "sensitivity": ("low", "medium", "high"),
    "confidence": ("low", "medium", "high"),
}


class InvalidCandidate(ValueError):
    """A record that is not a valid candidate; the message is worded to follow "line 3: "."""


def parse(
    record: Any, owner: Owner | None, session: str, vocabulary: Mapping[str, frozenset[str]]
) -> Candidate:
    """The candidate of a record, for an owner, in `session` unless the record names its own.

    Every text is redacted and folded to one line. Records of CoALA's extractors are accepted as they are.
    Raises InvalidCandidate.
    """
    if not isinstance(record, dict):
        raise InvalidCandidate("is not a JSON object")
    record = _rename_keys(record)
    _text(record, "lane", required=True)
    lane = record["lane"]
    if lane == "semantic":
        says: Claim | Instruction = _claim(record, vocabulary)
    elif lane == "procedural":
        says = Instruction(_line(record, "rule", _RULE))
    else:
        raise InvalidCandidate(f"has an unknown lane {lane!r}; use semantic or procedural")
    quotes = _quotes(record)
    where = _session(record) or session
    turn = record.get("turn")
    if turn is not None and not _is_count(turn):
        raise InvalidCandidate("has a field 'turn' that is not a whole number (0 or more)")
    turn = None if turn is None else int(turn)
    scales = {name: _scale(record, name) for name in _SCALES}
    explicit = _text(record, "explicitness") == "explicit" or record.get("explicit") is True
    message = redact(_text(record, "message"))
    name = candidate_id(owner, where, turn, says, quotes)
    return Candidate(name, owner, where, says, quotes, turn, message, explicit, held_since=None, **scales)


def _rename_keys(record: dict[str, Any]) -> dict[str, Any]:
    """A record with CoALA's keys renamed to memtool's, entities as texts, and the implied lane."""
    renamed = dict(record)
    for own_key, foreign_key in (
        ("lane", "layer"),
        ("turn", "source_turn_index"),
        ("session", "source_session_id"),
    ):
        if renamed.get(own_key) is None and foreign_key in renamed:
            renamed[own_key] = renamed[foreign_key]
    if "lane" not in renamed and ("rule" in renamed) != ("predicate" in renamed):
        renamed["lane"] = "procedural" if "rule" in renamed else "semantic"
    for key in ("subject", "object"):
        match renamed.get(key):
            case {"type": "User"}:
                renamed[key] = "User"
            case {"type": str(kind), "identifier": str(name)} if (
                len(kind) <= _ENTITY_KIND and len(name) <= _ENTITY_NAME
            ):
                renamed[key] = f"{kind}:{name}" if name.strip() else ""
    return renamed


def _claim(record: Mapping[str, Any], vocabulary: Mapping[str, frozenset[str]]) -> Claim:
    category, predicate = _text(record, "category", required=True), _text(record, "predicate", required=True)
    predicate = predicate.upper().replace(" ", "_")
    for value, name, names in ((category, "category", "categories"), (predicate, "predicate", "predicates")):
        if value not in vocabulary[names] and (name != "predicate" or value not in vocabulary["stated"]):
            known = ", ".join(sorted(vocabulary[names]))
            raise InvalidCandidate(f"has an unknown {name} {value!r}; use one of {known}")
    return Claim(category, _line(record, "subject", _NAME), predicate, _line(record, "object", _NAME))


def _quotes(record: Mapping[str, Any]) -> tuple[str, ...]:
    value = record.get("evidence_quote", record.get("evidence"))
    rows = [value] if isinstance(value, str) else value
    if (
        not isinstance(rows, list)
        or not rows
        or not all(isinstance(quote, str) and regex(_WORD).search(quote) for quote in rows)
    ):
        raise InvalidCandidate(
            "has no valid evidence: give the user's words in evidence_quote, or a list of quotes in evidence"
        )
    quotes = tuple(one_line(redact(_without_lone_surrogates(quote)), _QUOTE) for quote in rows)
    if not all(word_list(plain_text(quote)) for quote in quotes):
        raise InvalidCandidate("has an evidence quote that contains no words")
    return quotes


def _session(record: Mapping[str, Any]) -> str:
    _text(record, "session")
    session = record.get("session") or ""
    try:
        return session and Owner("session", session).id
    except BadUsage:
        raise InvalidCandidate("has a session id with invalid characters") from None


def _line(record: Mapping[str, Any], key: str, most: int) -> str:
    text = _text(record, key, required=True)
    if len(record[key]) > most:
        raise InvalidCandidate(f"has a field {key!r} longer than {most} characters")
    line = one_line(redact(text), most)
    if not line:
        raise InvalidCandidate(f"has a field {key!r} that contains no visible characters")
    return line


def _text(record: Mapping[str, Any], key: str, *, required: bool = False) -> str:
    value = record.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str) or (required and not value.strip()):
        raise InvalidCandidate(
            f"has no {key}" if value is None or value == "" else f"has a field {key!r} that is not a string"
        )
    return _without_lone_surrogates(value).strip()


def _without_lone_surrogates(text: str) -> str:
    """The text with lone surrogates replaced, which UTF-8 cannot encode."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _scale(record: Mapping[str, Any], name: str) -> str:
    _text(record, name)
    value = record.get(name) or ""
    if value and value not in _SCALES[name]:
        raise InvalidCandidate(f"has an unknown {name} {value!r}; use one of {', '.join(_SCALES[name])}")
    return str(value)


# held candidates --------------------------------------------------------------------------------------------


def render_line(candidate: Candidate, decision: PolicyDecision, at: str, until: str = "") -> str:
    """The line that stores a candidate and the decision about it, with its newline.

    `until` is set in the ledger: the time at which the pending candidate expires.
    """
    fields = {**record(candidate), **_decision_fields(decision), "at": at}
    return json_text.dump_line({**fields, "until": until} if until else fields)


def record(candidate: Candidate) -> dict[str, Any]:
    """A candidate as a JSON record with its id and owner, without the message."""
    says = candidate.statement
    fields: dict[str, Any] = {
        "id": candidate.id,
        "owner": None if candidate.owner is None else str(candidate.owner),
        "session": candidate.session,
    }
    fields["lane"] = candidate.lane
    if isinstance(says, Claim):
        fields |= {"category": says.category, "subject": says.subject}
        fields |= {"predicate": says.predicate, "object": says.object}
    else:
        fields["rule"] = says.rule
    fields["evidence"] = list(candidate.quotes)
    fields["turn"] = candidate.turn
    if candidate.explicit:
        fields["explicit"] = True
    scales = {name: getattr(candidate, name) for name in _SCALES}
    return fields | {name: value for name, value in scales.items() if value}


def _decision_fields(decision: PolicyDecision) -> dict[str, str]:
    return {"action": decision.action, "policy": decision.rule, "reason": decision.reason}


def parse_held_lines(
    text: str, vocabulary: Mapping[str, frozenset[str]]
) -> Iterator[tuple[int, HeldCandidate | None, dict[str, Any]]]:
    """The lines of a buffer: their numbers (from 1), their held candidates, and their JSON objects.

    The candidate is None for an invalid line; the object is empty if the line is not a JSON object. Of lines
    with the same id the last one counts.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json_text.loads(line)[0]
        except json_text.InvalidJson:
            yield number, None, {}
            continue
        try:
            yield number, _parse_held(value, vocabulary), value if isinstance(value, dict) else {}
        except (InvalidCandidate, BadUsage, ValueError):
            yield number, None, value if isinstance(value, dict) else {}


def _parse_held(value: Any, vocabulary: Mapping[str, frozenset[str]]) -> HeldCandidate | None:
    if not is_held(value):
        return None
    kind, _, name = str(value["owner"]).partition(":")
    owner = None if value["owner"] is None else Owner(kind, name)
    candidate = replace(parse(value, owner, "", vocabulary), held_since=parse_moment(value["at"]))
    return HeldCandidate(candidate, value["action"])


def is_held(value: Any) -> bool:
    """Whether a JSON value is a held candidate, as `candidates.schema.json` says; a test compares the two."""
    if not isinstance(value, dict) or not value.keys() >= _HELD_KEYS or not value.keys() <= _KNOWN_KEYS:
        return False
    is_semantic = value["lane"] == "semantic"
    if value["lane"] not in ("semantic", "procedural") or (_CLAIM_KEYS if is_semantic else {"rule"}) != (
        value.keys() & (_CLAIM_KEYS | {"rule"})
    ):
        return False
    said = (
        _is_matching(value["category"], r"^[a-z][a-z0-9_]*$")
        and _is_matching(value["predicate"], r"^[A-Z][A-Z0-9_]*$")
        and _is_short(value["subject"], _NAME)
        and _is_short(value["object"], _NAME)
        if is_semantic
        else _is_short(value["rule"], _RULE)
    )
    evidence = value["evidence"]
    return bool(
        said
        and _is_matching(value["id"], _ID)
        and (value["owner"] is None or _is_matching(value["owner"], _TAG))
        and _is_short(value["session"], 128)
        and isinstance(evidence, list)
        and evidence
        and all(_is_short(quote, _QUOTE) for quote in evidence)
        and (value["turn"] is None or _is_count(value["turn"]))
        and value.get("explicit", True) is True
        and all(value[name] in _SCALES[name] for name in _SCALES if name in value)
        and isinstance(value["action"], str)
        and value["action"] in HELD_ACTIONS
        and _is_short(value["policy"])
        and _is_short(value["reason"], _REASON)
        and all(_is_moment(value[name]) for name in ("at", "until") if name in value)
    )


_CLAIM_KEYS = frozenset({"category", "subject", "predicate", "object"})
_HELD_KEYS = frozenset(
    {"id", "owner", "session", "lane", "evidence", "turn", "action", "policy", "reason", "at"}
)
_KNOWN_KEYS = _HELD_KEYS | _CLAIM_KEYS | _SCALES.keys() | {"rule", "explicit", "until", "was"}


def _is_count(value: Any) -> bool:
    """Whether a value is an integer of JSON from 0 up: `2.0` is one, `true` is none."""
    return (type(value) is int or (type(value) is float and value.is_integer())) and value >= 0


def _is_short(value: Any, most: int | None = None) -> bool:
    """Whether a value is a text of at least one and at most so many characters."""
    return isinstance(value, str) and value != "" and (most is None or len(value) <= most)


def _is_matching(value: Any, pattern: str) -> bool:
    return isinstance(value, str) and regex(pattern).search(value) is not None


def _is_moment(value: Any) -> bool:
    return _is_matching(value, _MOMENT) and parse_moment(value) is not None
