"""Removal of control, invisible and bidirectional characters from text.

Invisible characters with a function stay: joiners inside an emoji or between letters of scripts that need
them, one variation selector after a character. The sets are those of Unicode's `Default_Ignorable_Code_Point`
and `Bidi_Control` properties and the general category Cc; terminal escape sequences are removed whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.regex import regex

_JOINED_SCRIPTS = (  # shaped by ZWJ and ZWNJ: Arabic, Syriac, Indic, Tibetan, Myanmar, Khmer, Mongolian
    "\u0620-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18aa"
)
_EMOJI = "\u00a9\u00ae\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
_IDEOGRAPH = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_NEWLINE = r"\r\n?|[\v\f\x1c-\x1f\x85\u2028\u2029]"
_LONE_SURROGATE = r"[\ud800-\udfff]"
_INVISIBLE = "|".join(
    (
        r"\x1b\[[0-?]{0,30}[ -/]{0,5}[@-~]",  # terminal colours and cursor movements
        r"\x1b\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)",  # terminal titles and links
        (
            r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e"
            r"\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
            r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
        ),
        rf"(?<![{_EMOJI}\ufe0f{_JOINED_SCRIPTS}])\u200d|\u200d(?![{_EMOJI}{_JOINED_SCRIPTS}])",
        rf"(?<![{_JOINED_SCRIPTS}])\u200c|\u200c(?![{_JOINED_SCRIPTS}])",
        rf"(?<![{_IDEOGRAPH}])[\U000e0100-\U000e01ef]",
        r"(?<![\u1820-\u18aa])[\u180b-\u180d\u180f]",
        r"(?:(?<=[\ufe00-\ufe0f\s])|^)[\ufe00-\ufe0f]+",
    )
)


_UNWANTED = f"(?P<newline>{_NEWLINE})|(?P<lone>{_LONE_SURROGATE})|(?:{_INVISIBLE})+"


def cleaning_edits(text: str) -> Iterator[TextEdit]:
    """The edits that `clean` makes, in order."""
    visible = text.replace("\n", "").replace("\t", "").isprintable()
    if visible and (text.isascii() or not regex(_SELECTOR).search(text)):
        return  # most texts are decided without the large pattern
    for match in regex(_UNWANTED).finditer(text):
        new = {"newline": "\n", "lone": "\ufffd"}.get(match.lastgroup or "", "")
        yield TextEdit(match.start(), match.end(), new)


_SELECTOR = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"


def clean(text: str) -> str:
    """Remove invisible characters, turn every line end into `\\n` and each lone surrogate into U+FFFD.

    Cleaning twice changes nothing.
    """
    while edits := tuple(cleaning_edits(text)):
        cleaned = apply_edits(text, edits).text
        if cleaned == text:
            break
        text = cleaned
    return text


def path_line(path: str) -> str:
    """A path with characters that are not printable, such as line ends, replaced by U+FFFD."""
    return path if path.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in path)
