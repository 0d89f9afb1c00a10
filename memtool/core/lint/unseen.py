"""Unseen: characters of a text that nobody sees, and what each kind of them does.

What is meant stays unmentioned: the joiners of emoji and of scripts that need them, the flags of England,
Scotland and Wales, marks of direction beside letters that are read from the right, and zero width spaces
between words of scripts that write none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from memtool.core.lint.problem import Mark
from memtool.core.lint.sheet import Sheet
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import cleaning
from memtool.core.text.edited import Edit
from memtool.core.text.pattern import compiled

_CONTROL, _HIDDEN, _BOM, _OTHER = "M106", "M108", "M109", "M110"
_DIRECTION = "M107"
_TAG, _SELECTOR = "[\U000e0000-\U000e007f]", "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_SELECTORS = f"{_SELECTOR}{{2,}}"
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"
_TURNING = "[\u202a-\u202e\u2066-\u2069]"
_MARKS = "\u200e\u200f\u061c"
_FROM_THE_RIGHT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
_WITHOUT_SPACES = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad\ua9e0-\ua9ff\uaa60-\uaadf]"
)
_OPENS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
_OVERRIDES = "\u202d\u202e"
_SHOWN = 60
_TYPED = 8


def marks(sheet: Sheet) -> Iterator[Mark]:
    """What is unseen in a text: for each line, each kind once, with how often it is there."""
    text = sheet.text
    found: dict[tuple[int, str], list[tuple[int, str]]] = {}
    scripts: dict[int, tuple[bool, bool]] = {}
    end = len(text.rstrip("\0"))
    for edit in cleaning(text):
        if edit.start >= end:  # a tail of NUL bytes is told of as one
            break
        for at, piece, code in _pieces(text, edit):
            line = sheet.place(at)[0]
            if code == _OTHER and line not in scripts:
                scripts[line] = _scripts(sheet.line(line))
            if code != _OTHER or not _is_meant(piece, *scripts[line]):
                found.setdefault((line, code), []).append((at, piece))
    for (_, code), rows in found.items():
        mended = code in {_HIDDEN, _BOM}
        edits = tuple(Edit(at, at + len(piece), "") for at, piece in rows) if mended else ()
        yield Mark(rows[0][0], code, _said(code, [piece for _, piece in rows]), edits)
    if compiled(_TURNING).search(text):
        yield from _turned(sheet)


def _pieces(text: str, edit: Edit) -> Iterator[tuple[int, str, str]]:
    """What cleaning would take out at one place, cut by kinds: where, what, and its code."""
    start, end, _ = edit
    run = text[start:end]
    if run in {"\r\n", "\f"} or "\udc80" <= run[0] <= "\udcff":
        return
    if start and (flag := compiled(_FLAG).match(text, start - 1)):
        start, run = flag.end(), text[flag.end() : end]
    selectors = compiled(_SELECTORS).search(text, max(0, start - 1), end)
    many = selectors is not None and not _is_typed(selectors[0])
    at = start
    in_sequence = run.startswith("\x1b") and len(run) > 1
    for code, group in groupby(run, lambda one: _CONTROL if in_sequence else _code(one, many=many)):
        piece = "".join(group)
        if not (at == 0 and piece == "\ufeff"):
            yield at, piece, code
        at += len(piece)


def _is_typed(selectors: str) -> bool:
    """Whether it is an emoji's selector, once or, as editors leave it, again and again: that says nothing."""
    return len(selectors) <= _TYPED and selectors.strip(selectors[0]) == "" and selectors[0] in "\ufe0e\ufe0f"


def _code(one: str, *, many: bool) -> str:
    if compiled(_TAG).match(one) or (many and compiled(_SELECTOR).match(one)):
        return _HIDDEN
    if one == "\ufeff":
        return _BOM
    if one < "\x20" or "\x7f" <= one <= "\x9f":
        return _CONTROL
    return _OTHER


def _scripts(line: str) -> tuple[bool, bool]:
    """Whether a line has letters that are read from the right, and those of a script without spaces."""
    return (
        compiled(_FROM_THE_RIGHT).search(line) is not None,
        compiled(_WITHOUT_SPACES).search(line) is not None,
    )


def _is_meant(piece: str, from_the_right: bool, without_spaces: bool) -> bool:
    """Whether an invisible character has a purpose in its line, or is told of elsewhere."""
    if compiled(f"{_TURNING}+").fullmatch(piece):
        return True
    if not piece.strip(_MARKS) and from_the_right:
        return True
    return _is_typed(piece) or (piece == "\u200b" and without_spaces)


def _said(code: str, pieces: list[str]) -> str:
    if code == _HIDDEN:
        return f"text is hidden in {sum(map(len, pieces))} characters that nobody sees{_revealed(pieces)}"
    if code == _BOM:
        return "a byte order mark in the middle of the text"
    first = pieces[0][0]
    times = sum(map(len, pieces)) if code == _OTHER else len(pieces)
    again = f", and {times - 1} more on this line" if times > 1 else ""
    kind = "control character" if code == _CONTROL else "invisible character"
    return f"{kind} U+{ord(first):04X}{_name(first)}{again}"


def _name(one: str) -> str:
    from unicodedata import name

    plain = {"\x1b": "escape", "\r": "carriage return alone", "\x08": "backspace", "\x7f": "delete"}
    said = plain.get(one) or name(one, "").lower()
    return f" ({said})" if said else ""


def _revealed(pieces: list[str]) -> str:
    """What hidden text says, as far as it is told by tags or by selectors that count bytes."""
    said = "".join(chr(ord(one) - 0xE0000) for piece in pieces for one in piece if compiled(_TAG).match(one))
    if not said:
        codes = [ord(one) for piece in pieces for one in piece]
        told = bytes(
            code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16 for code in codes if code != 0xFEFF
        )
        said = told.decode("utf-8", "replace")
    plain = " ".join("".join(one if one.isprintable() else " " for one in redact(said)).split())
    if not any(map(str.isalnum, plain)) or "\ufffd" in plain:
        return ""
    return f": “{plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + '…'}”"


def _turned(sheet: Sheet) -> Iterator[Mark]:
    """Lines on which text is turned by force, or turned and not turned back."""
    lines = dict.fromkeys(sheet.place(one.start())[0] for one in compiled(_TURNING).finditer(sheet.text))
    for number in lines:
        start, line = sheet.start(number), sheet.line(number)
        waiting: list[tuple[int, str]] = []
        wrong: list[int] = []
        for found in compiled(_TURNING).finditer(line):
            one = found[0]
            if one in _OVERRIDES:
                wrong.append(found.start())
                waiting.append((found.start(), "\u202c"))
            elif one in _OPENS:
                waiting.append((found.start(), _OPENS[one]))
            elif waiting and waiting[-1][1] == one:
                waiting.pop()
            else:
                wrong.append(found.start())
        wrong = sorted({*wrong, *(at for at, _ in waiting)})
        if wrong:
            first = line[wrong[0]]
            what = "turns" if first in _OVERRIDES or first in _OPENS else "ends a turn of"
            said = f"U+{ord(first):04X}{_name(first)} {what} the direction of text"
            yield Mark(start + wrong[0], _DIRECTION, said)
        elif not compiled(_FROM_THE_RIGHT).search(line):
            found_first = compiled(_TURNING).search(line)
            at = found_first.start() if found_first else 0
            yield Mark(start + at, _OTHER, _said(_OTHER, compiled(_TURNING).findall(line)))
