"""JSON by the C half of `json` alone: the other half imports `re`, 5 ms of a hook that takes 13."""

from __future__ import annotations

try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner
except ImportError:  # an interpreter that has no such half
    make_scanner = None  # type: ignore[assignment,misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _ScannerSettings:
    """What a scanner reads its settings from; these are those of `json.loads`."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


_BLANKS = " \t\n\r"


def decode_json(text: str) -> Any:
    """The value of a JSON text, as `json.loads` gives it. Raises ValueError, RecursionError."""
    if make_scanner is None:
        import json

        return json.loads(text)
    text = text.strip(_BLANKS)
    try:
        value, end = make_scanner(_ScannerSettings)(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):  # a SystemError where it would raise json's own error, not imported
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value


def encode_json(value: object) -> str:
    """The JSON text of a value, as `json.dumps` gives it. Raises TypeError, ValueError, RecursionError."""
    if make_scanner is None:
        import json

        return json.dumps(value)
    encode = make_encoder(
        markers={},
        default=_refuse,
        encoder=encode_basestring_ascii,
        indent=None,
        key_separator=": ",
        item_separator=", ",
        sort_keys=False,
        skipkeys=False,
        allow_nan=True,
    )
    return "".join(encode(value, 0))


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not a JSON value")
