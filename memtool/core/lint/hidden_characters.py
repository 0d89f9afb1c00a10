"""Hidden characters: control, invisible and text-direction characters, and text hidden in them.

Legitimate uses are not reported: the joiners of emoji and of scripts that need them, the flags of England,
Scotland and Wales, direction marks next to right-to-left letters, and zero-width spaces between the words of
scripts that are written without spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from memtool.core.lint.lint_target import SourceText
from memtool.core.lint.problem import TextProblem
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import cleaning_edits
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex

_CONTROL, _HIDDEN, _BOM, _OTHER = "M106", "M108", "M109", "M110"
_DIRECTION = "M107"
_TAG, _SELECTOR = "[\U000e0000-\U000e007f]", "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_SELECTORS = f"{_SELECTOR}{{2,}}"
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"
_DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_DIRECTION_CHARACTER = f"[{_DIRECTIONS}]"
_MARKS = "\u200e\u200f\u061c"
_RIGHT_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
_WITHOUT_SPACES = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad\ua9e0-\ua9ff\uaa60-\uaadf]"
)
_CLOSER_OF = {
    "\u202a": "\u202c",
    "\u202b": "\u202c",
    "\u2066": "\u2069",
    "\u2067": "\u2069",
    "\u2068": "\u2069",
}
_OVERRIDES = "\u202d\u202e"
_MAX_SHOWN = 60
_MAX_REPEATED_SELECTORS = 8


def hidden_character_problems(source: SourceText) -> Iterator[TextProblem]:
    """The hidden characters of a text as problems: one for each line and kind, with a count."""
    text = source.text
    by_line_and_code: dict[tuple[int, str], list[tuple[int, str]]] = {}
    scripts: dict[int, tuple[bool, bool]] = {}
    end = len(text.rstrip("\0"))
    for edit in cleaning_edits(text):
        if edit.start >= end:  # NUL bytes at the end are reported by the encoding check
            break
        for offset, piece, code in _pieces(text, edit):
            line = source.position(offset)[0]
            if code == _OTHER and line not in scripts:
                scripts[line] = _scripts(source.line(line))
            if code != _OTHER or not _is_legitimate(piece, *scripts[line]):
                by_line_and_code.setdefault((line, code), []).append((offset, piece))
    for (_, code), occurrences in by_line_and_code.items():
        is_fixable = code in {_HIDDEN, _BOM}
        edits = [TextEdit(offset, offset + len(piece), "") for offset, piece in occurrences if is_fixable]
        yield TextProblem(
            occurrences[0][0], code, _message(code, [piece for _, piece in occurrences]), tuple(edits)
        )
    if any(sign in text for sign in _DIRECTIONS):
        yield from _direction_problems(source)


def _pieces(text: str, edit: TextEdit) -> Iterator[tuple[int, str, str]]:
    """The parts of what cleaning would remove at one place, by kind, as (offset, characters, code)."""
    start, end, _ = edit
    run = text[start:end]
    if run in {"\r\n", "\f"} or "\udc80" <= run[0] <= "\udcff":
        return
    if start and (flag := regex(_FLAG).match(text, start - 1)):
        start, run = flag.end(), text[flag.end() : end]
    selectors = regex(_SELECTORS).search(text, max(0, start - 1), end)
    is_encoding = selectors is not None and not _is_emoji_selector(selectors[0])
    offset = start
    in_sequence = run.startswith("\x1b") and len(run) > 1
    for code, group in groupby(
        run, lambda char: _CONTROL if in_sequence else _code(char, is_encoding=is_encoding)
    ):
        piece = "".join(group)
        if not (offset == 0 and piece == "\ufeff"):
            yield offset, piece, code
        offset += len(piece)


def _is_emoji_selector(selectors: str) -> bool:
    """Whether it is one selector of an emoji, possibly repeated by an editor, which encodes no text."""
    return (
        len(selectors) <= _MAX_REPEATED_SELECTORS
        and selectors.strip(selectors[0]) == ""
        and selectors[0] in "\ufe0e\ufe0f"
    )


def _code(char: str, *, is_encoding: bool) -> str:
    if regex(_TAG).match(char) or (is_encoding and regex(_SELECTOR).match(char)):
        return _HIDDEN
    if char == "\ufeff":
        return _BOM
    if char < "\x20" or "\x7f" <= char <= "\x9f":
        return _CONTROL
    return _OTHER


def _scripts(line: str) -> tuple[bool, bool]:
    """Whether a line has right-to-left letters, and whether it has letters of a script without spaces."""
    return (
        regex(_RIGHT_TO_LEFT).search(line) is not None,
        regex(_WITHOUT_SPACES).search(line) is not None,
    )


def _is_legitimate(piece: str, from_the_right: bool, without_spaces: bool) -> bool:
    """Whether an invisible character has a purpose in its line, or another check reports it."""
    if regex(f"{_DIRECTION_CHARACTER}+").fullmatch(piece):
        return True
    if not piece.strip(_MARKS) and from_the_right:
        return True
    return _is_emoji_selector(piece) or (piece == "\u200b" and without_spaces)


def _message(code: str, pieces: list[str]) -> str:
    if code == _HIDDEN:
        number = sum(map(len, pieces))
        noun = "invisible character" if number == 1 else "invisible characters"
        shown = _hidden_text(pieces)
        encoded = f" that {'encodes' if number == 1 else 'encode'} “{shown}”" if shown else ""
        return f"hidden text: {number} {noun}{encoded}"
    if code == _BOM:
        return "byte order mark inside the text"
    first = pieces[0][0]
    count = sum(map(len, pieces)) if code == _OTHER else len(pieces)
    more = f", and {count - 1} more on this line" if count > 1 else ""
    kind = "control character" if code == _CONTROL else "invisible character"
    return f"{kind} U+{ord(first):04X}{_character_name(first)}{more}"


def _character_name(char: str) -> str:
    from unicodedata import name

    short_names = {
        "\x1b": "escape",
        "\r": "carriage return without line feed",
        "\x08": "backspace",
        "\x7f": "delete",
    }
    name_ = short_names.get(char) or name(char, "").lower()
    return f" ({name_})" if name_ else ""


def _hidden_text(pieces: list[str]) -> str:
    """The hidden text to be shown, if tag characters or variation selectors encode printable text."""
    chars = [char for piece in pieces for char in piece]
    revealed = "".join(chr(ord(char) - 0xE0000) for char in chars if regex(_TAG).match(char))
    if not revealed:
        codes = [ord(char) for char in chars]
        content = bytes(
            code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16 for code in codes if code != 0xFEFF
        )
        revealed = content.decode("utf-8", "replace")
    printable = " ".join("".join(char if char.isprintable() else " " for char in redact(revealed)).split())
    if not any(map(str.isalnum, printable)) or "\ufffd" in printable:
        return ""
    return printable if len(printable) <= _MAX_SHOWN else printable[: _MAX_SHOWN - 1] + "…"


def _direction_problems(source: SourceText) -> Iterator[TextProblem]:
    """Lines with a direction override, or with a direction change that is not closed on the line."""
    lines = dict.fromkeys(
        source.position(sign.start())[0] for sign in regex(_DIRECTION_CHARACTER).finditer(source.text)
    )
    for number in lines:
        start, line = source.line_start(number), source.line(number)
        unclosed: list[tuple[int, str]] = []
        errors: list[int] = []
        for match in regex(_DIRECTION_CHARACTER).finditer(line):
            sign = match[0]
            if sign in _OVERRIDES:
                errors.append(match.start())
                unclosed.append((match.start(), "\u202c"))
            elif sign in _CLOSER_OF:
                unclosed.append((match.start(), _CLOSER_OF[sign]))
            elif unclosed and unclosed[-1][1] == sign:
                unclosed.pop()
            else:
                errors.append(match.start())
        errors = sorted({*errors, *(offset for offset, _ in unclosed)})
        if errors:
            first = line[errors[0]]
            fault = "unclosed" if first in _CLOSER_OF else "unmatched"
            kind = "text-direction override" if first in _OVERRIDES else f"{fault} text-direction character"
            message = f"{kind} U+{ord(first):04X}{_character_name(first)}"
            yield TextProblem(start + errors[0], _DIRECTION, message)
        elif not regex(_RIGHT_TO_LEFT).search(line):
            first_match = regex(_DIRECTION_CHARACTER).search(line)
            offset = first_match.start() if first_match else 0
            yield TextProblem(
                start + offset, _OTHER, _message(_OTHER, regex(_DIRECTION_CHARACTER).findall(line))
            )
