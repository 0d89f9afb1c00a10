"""Foreign text: what a message contains besides the user's own words.

Tags of an agent's host, text from memory, pasted pages, mails, logs, stack traces, diffs, shell sessions,
data and chat logs. They are found by their form, in linear time, and blanked without moving any offset.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from memtool.core.privacy.announced_text import announced_spans
from memtool.core.privacy.foreign_patterns import (
    ANNOUNCED,
    ANNOUNCED_CJK,
    CHANGE,
    CHAT_HEADER,
    CODE,
    COMMENT,
    COMMENT_IN_CODE,
    DATA,
    DELIMITERS,
    DIFF_LINE,
    DIFF_START,
    END_OF_PASTE,
    FILE_NAME,
    FIRST_PERSON,
    HOST_TAG,
    LABELS,
    LIKE_BRACKETS,
    LOG,
    MAIL_HEADER,
    MAIL_START,
    PAGE_CHROME,
    PATH,
    PROSE_TAGS,
    QUOTATIONS,
    ROLES,
    SCREENSHOT,
    SHELL,
    SIGN_OFF,
    SPEAKER,
    TAG,
    TIMED_SPEAKER,
    TRACE,
)
from memtool.core.privacy.invented_text import invented_spans
from memtool.core.privacy.recalled import fold_look_alikes, recalled_spans
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK, SentenceText


def foreign_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a cleaned text that are not its user's words, in order and disjoint."""
    spans = [*recalled_spans(text)]
    if "<" in text or not text.isascii() or regex(_ESCAPED_BRACKET, re.IGNORECASE).search(text):
        plain = _plain_tags(text)
        spans += [(_start(text, plain, start), end) for start, end in _tagged(plain)]
    if "\n" in text or ":" in text or text.lstrip()[:1] in {*"$>{[</+|-#*"}:
        spans += _blocks(_blank(text, _merged(spans)) if spans else text)
    own = _blank(text, _merged(spans)) if spans else text
    spans += announced_spans(own)
    spans += invented_spans(own)
    return tuple(_merged(spans))


def own_words(text: str) -> str:
    """A cleaned text with line feeds in place of all that is not its user's words; offsets stay valid."""
    spans = foreign_spans(text)
    return _blank(text, spans) if spans else text


def without_quotations(text: SentenceText) -> SentenceText:
    """Sentences with quotations of several words and file paths masked, unless nothing else is said."""
    if not regex(r"[\"“„«「『'‘’/\\.]").search(text.text):
        return text
    masked = list(text.masked)
    hide = regex(r"[^\W_]")
    spans = [
        match.span()
        for match in regex(QUOTATIONS).finditer(text.text)
        if regex(r"\S\s+\S|[\u3040-\u9fff]{4}").search(match[0])
    ]
    if not regex(r"\w").search("".join(_outside(text.text, spans))):
        spans = []
    for pattern in (PATH, FILE_NAME, SCREENSHOT):
        spans += [match.span() for match in regex(pattern, re.IGNORECASE).finditer(text.masked)]
    for start, end in spans:
        for match in hide.finditer(text.masked, start, end):
            masked[match.start()] = CODE_MASK
    return text._replace(masked="".join(masked))


def _outside(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    last = 0
    for start, end in spans:
        yield text[last:start]
        last = end
    yield text[last:]


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        elif start < end:
            merged.append((start, end))
    return merged


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], "\n" * (end - start)]
        last = end
    return "".join(parts) + text[last:]


_ESCAPED_BRACKET = (
    r"(?P<open>&(?:amp;){0,3}(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\{1,4}(?:u003c|x3c)|%3c)"
    r"|(?P<close>&(?:amp;){0,3}(?:gt|#0{0,6}62|#x0{0,6}3e);?|\\{1,4}(?:u003e|x3e)|%3e)"
)
_SPACED_TAG = r"<(\s{0,4})(/?)(\s{0,4})([a-z][\w.:-]{1,40})(\s{0,4})>"


def _plain_tags(text: str) -> str:
    """The text with its tags as HTML writes them, at the same offsets: no escapes, look-alikes or blanks."""
    plain = fold_look_alikes(text.translate(LIKE_BRACKETS))
    plain = regex(_ESCAPED_BRACKET, re.IGNORECASE).sub(
        lambda found: "<".rjust(len(found[0])) if found["open"] else ">".rjust(len(found[0])), plain
    )
    return regex(_SPACED_TAG, re.IGNORECASE).sub(
        lambda tag: f"{tag[1]}{tag[3]}<{tag[2]}{tag[4]}>{tag[5]}" if tag[1] or tag[3] or tag[5] else tag[0],
        plain,
    )


def _start(text: str, plain: str, start: int) -> int:
    """Where the tag that begins here in the plain text begins in the text: before what became a blank."""
    while start and plain[start - 1] == " " and not text[start - 1].isspace():
        start -= 1
    return start


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """The elements that wrap text, and HTML comments; an unclosed tag of a host extends to the end."""
    closings: dict[str, list[int]] = {}
    tags = [*regex(TAG).finditer(text)]
    for tag in tags:
        if tag[1]:
            closings.setdefault(tag[2].lower(), []).append(tag.end())
    ended = 0
    for tag in tags:
        name = tag[2].lower()
        if tag.start() < ended or tag[1] or tag[3] or name in PROSE_TAGS:
            continue
        ends = closings.get(name, [])
        if (index := bisect_right(ends, tag.end())) < len(ends):
            ended = _matching_end(ends, index, text, tag.end(), name)
            yield tag.start(), ended
        elif regex(HOST_TAG, re.IGNORECASE).fullmatch(name) and name not in {"summary", "context", "tool"}:
            yield tag.start(), len(text)
            return
    position = 0
    while (start := text.find(COMMENT, position)) >= 0:
        end = text.find("-->", start + 4)
        position = end + 3 if end >= 0 else len(text)
        yield start, position


def _matching_end(ends: list[int], index: int, text: str, start: int, name: str) -> int:
    """The end of an element: each opening of the same name before a closing needs a closing of its own."""
    opening, depth, position = re.compile(rf"(?i)<{re.escape(name)}\b"), 1, start
    for end in ends[index:]:
        depth += len(opening.findall(text, position, end))
        depth, position = depth - 1, end
        if depth <= 0:
            return end
    return ends[-1]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """The lines that stand in a mail, an announced paste, a log, code, data or a chat log."""
    lines = [*regex(r"[^\n]+").finditer(text)]
    kinds = [_line_kind(match[0]) for match in lines]
    foreign = [bool(kind) for kind in kinds]
    _extend_pastes(lines, foreign)
    _extend_neighbours(lines, kinds, foreign)
    for match, is_foreign in zip(lines, foreign, strict=True):
        if is_foreign:
            yield match.span()


_KINDS = (
    ("shell", SHELL),
    ("diff", DIFF_START),
    ("trace", TRACE),
    ("log", LOG),
    ("data", DATA),
    ("code", CODE),
)


def _line_kind(line: str) -> str:
    """The kind of machine text that a line is by itself, or ""."""
    line = line[:1000]
    return next((kind for kind, pattern in _KINDS if regex(pattern).match(line)), "")


def _extend_pastes(lines: list[re.Match[str]], foreign: list[bool]) -> None:
    """Mark mails, and blocks that the line before announces."""
    number, headers = 0, 0
    while number < len(lines):
        line = lines[number][0][:1000]
        if line.strip() in DELIMITERS and (last := _delimited_end(lines, number)) is not None:
            foreign[number : last + 1] = [True] * (last + 1 - number)
            number = last + 1
            continue
        headers = headers + 1 if regex(MAIL_HEADER, re.IGNORECASE).match(line) else 0
        if headers >= 2 or regex(MAIL_START, re.IGNORECASE).match(line):
            first, number = number - max(0, headers - 1), _mail_end(lines, number)
            foreign[first : number + 1] = [True] * (number + 1 - first)
            headers = 0
        elif len(line) < 300 and (
            regex(ANNOUNCED, re.IGNORECASE).match(line) or regex(ANNOUNCED_CJK).match(line)
        ):
            last = _paste_end(lines, number)
            foreign[number + 1 : last + 1] = [True] * (last - number)
            if last == number or not regex(MAIL_HEADER, re.IGNORECASE).match(lines[number + 1][0][:1000]):
                number = max(number, last)
        number += 1


def _delimited_end(lines: list[re.Match[str]], number: int) -> int | None:
    """The line of the mark that closes the one at a line, within a hundred lines; None without one."""
    mark = lines[number][0].strip()
    ends = range(number + 1, min(len(lines), number + 100))
    return next((last for last in ends if lines[last][0].strip() == mark), None)


def _is_paragraph_end(lines: list[re.Match[str]], number: int) -> bool:
    """Whether a blank line, or the end, follows a line."""
    return number + 1 == len(lines) or lines[number + 1].start() - lines[number].end() > 1


def _mail_end(lines: list[re.Match[str]], number: int) -> int:
    """The last line of a mail: before a rule, or the end of the paragraph that signs it."""
    signed = False
    quoted = number + 1 < len(lines) and lines[number + 1][0].startswith(">")
    for last in range(number, len(lines)):
        line = lines[last][0]
        if last > number and regex(r"[-=_*]{3,}\s*$").match(line):
            return last
        if quoted and last > number and not line.startswith(">"):
            return last - 1
        signed = signed or regex(SIGN_OFF, re.IGNORECASE).match(line.strip()) is not None
        if signed and _is_paragraph_end(lines, last):
            return last
    return len(lines) - 1


def _paste_end(lines: list[re.Match[str]], number: int) -> int:
    """The last line of an announced block: its end mark, or the end of its paragraph.

    A block that begins with a heading or a rule has several paragraphs.
    """
    if number + 1 == len(lines):
        return number
    opening = lines[number + 1][0].strip()
    has_mark = regex(r"[-=*_#~]{3,}$|\"\"\"|'''|```").match(opening) is not None
    is_page = regex(r"#{1,6} |\*\*|={3,}").match(opening) is not None
    for last in range(number + 1, len(lines)):
        if (
            last > number + 1
            and (has_mark or is_page)
            and regex(END_OF_PASTE, re.IGNORECASE).match(lines[last][0].strip())
        ):
            return last
        if not has_mark and not is_page and _is_paragraph_end(lines, last):
            return last
    return len(lines) - 1


def _extend_neighbours(lines: list[re.Match[str]], kinds: list[str], foreign: list[bool]) -> None:
    """Mark what continues machine text: output of a command, a diff's lines, code comments, tables, chat."""
    state = ""
    for number, match in enumerate(lines):
        line, kind = match[0], kinds[number]
        after_blank = number > 0 and match.start() - lines[number - 1].end() > 1
        if kind:
            state = kind
        elif (
            (state == "shell" and not after_blank)
            or (state == "diff" and not after_blank and regex(DIFF_LINE).match(line))
            or (state == "trace" and not after_blank and line[:1].isspace())
            or (
                state in {"code", "data"}
                and not after_blank
                and (line[:1].isspace() or regex(COMMENT_IN_CODE).match(line))
            )
        ):
            foreign[number] = True
        else:
            state = ""
    for number in range(len(lines) - 1):  # a comment before code
        if kinds[number + 1] == "code" and regex(COMMENT_IN_CODE).match(lines[number][0]):
            foreign[number] = True
    for (number, match), (_, following) in pairwise(enumerate(lines)):
        if regex(CHANGE).match(match[0]) and regex(CHANGE).match(following[0]):
            foreign[number] = foreign[number + 1] = True
    _mark_tables(lines, foreign)
    _mark_chat(lines, foreign)
    _mark_headed_chat(lines, foreign)
    _mark_page(lines, foreign)


def _mark_tables(lines: list[re.Match[str]], foreign: list[bool]) -> None:
    """Mark three or more lines with the same number of separators: CSV, TSV."""
    for separator in (",", "\t", ";"):
        counts = [match[0].count(separator) if f"{separator} " not in match[0] else 0 for match in lines]
        start = 0
        for number in range(1, len(lines) + 1):
            if number == len(lines) or counts[number] != counts[start]:
                if number - start >= (3 if separator != "\t" else 2) and counts[start] >= 1 + (
                    separator != "\t"
                ):
                    foreign[start:number] = [True] * (number - start)
                start = number


def _mark_chat(lines: list[re.Match[str]], foreign: list[bool]) -> None:
    """Mark lines of a chat log: two or more speakers' lines, or one of a role or of somebody who says "I"."""
    spoken: list[int] = []
    sure = False
    for number, match in enumerate(lines):
        speaker = regex(SPEAKER).match(match[0][:400])
        if speaker is None or foreign[number]:
            continue
        who = speaker["who"].lower()
        if (
            who in LABELS
            or who.split()[-1] in LABELS
            or not (
                who in ROLES
                or speaker["who"][0].isupper()
                or len(match[0]) > match[0].find("[") >= 0
                or not speaker["who"].isascii()
            )
        ):
            continue
        spoken.append(number)
        said = match[0][speaker.end() - 1 :]
        sure = (
            sure
            or who in ROLES
            or regex(TIMED_SPEAKER).match(match[0]) is not None
            or regex(FIRST_PERSON, re.IGNORECASE).match(said) is not None
        )
    if len(spoken) >= 2 or (spoken and sure):
        for number in spoken:
            foreign[number] = True


def _mark_headed_chat(lines: list[re.Match[str]], foreign: list[bool]) -> None:
    """Mark messages of a chat under lines that name the speaker and the time, up to a blank line."""
    heads = [match for line in lines if (match := regex(CHAT_HEADER, re.IGNORECASE).match(line[0][:200]))]
    if not heads or (len(heads) == 1 and not (heads[0]["half"] or heads[0]["day"])):
        return
    inside = False
    for number, line in enumerate(lines):
        after_blank = number > 0 and line.start() - lines[number - 1].end() > 1
        headed = regex(CHAT_HEADER, re.IGNORECASE).match(line[0][:200]) is not None
        inside = headed or (inside and not after_blank)
        foreign[number] = foreign[number] or inside


def _mark_page(lines: list[re.Match[str]], foreign: list[bool]) -> None:
    """Mark a pasted page: from the first to the last of at least two lines that stand around its text."""
    chrome = [
        number for number, line in enumerate(lines) if regex(PAGE_CHROME, re.IGNORECASE).match(line[0][:200])
    ]
    if len(chrome) >= 2:
        first, last = chrome[0], chrome[-1]
        foreign[first : last + 1] = [True] * (last + 1 - first)
