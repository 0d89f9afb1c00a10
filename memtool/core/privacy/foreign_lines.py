"""Lines that are foreign by their form: mails, pastes, logs, code, data, shell sessions, chats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from memtool.core.privacy.foreign_patterns import (
    ANNOUNCED,
    ANNOUNCED_CJK,
    CHANGE,
    CHAT_HEADER,
    CODE,
    COMMENT_IN_CODE,
    DATA,
    DELIMITERS,
    DIFF_LINE,
    DIFF_START,
    END_OF_PASTE,
    FIRST_PERSON,
    LABELS,
    LOG,
    MAIL_HEADER,
    MAIL_START,
    PAGE_CHROME,
    ROLES,
    SHELL,
    SIGN_OFF,
    SPEAKER,
    TIMED_SPEAKER,
    TRACE,
)
from memtool.core.text.regex import regex


def foreign_lines(text: str) -> Iterator[tuple[int, int]]:
    """The lines that are part of a mail, an announced paste, a log, code, data or a chat log."""
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


_PRINTED_KINDS = frozenset({"shell", "log", "trace"})
_SPEAKS = rf"(?<![\w'’-]){FIRST_PERSON}"


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
    _mark_output(lines, kinds, foreign)
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


def _mark_output(lines: list[re.Match[str]], kinds: list[str], foreign: list[bool]) -> None:
    """Mark what a program printed: all between two prompts of a shell, and lines between two of its log.

    A line in the first person is the user's, and so is what stands between paragraphs of a log.
    """
    shell = [number for number, kind in enumerate(kinds) if kind == "shell"]
    printed = [number for number, kind in enumerate(kinds) if kind in _PRINTED_KINDS]
    between = [range(first + 1, last) for first, last in pairwise(shell)]
    between += [
        range(first + 1, last)
        for first, last in pairwise(printed)
        if all(lines[number].start() - lines[number - 1].end() <= 1 for number in range(first + 1, last + 1))
    ]
    for number in chain.from_iterable(between):
        if not foreign[number] and regex(_SPEAKS, re.IGNORECASE).search(lines[number][0][:1000]) is None:
            foreign[number] = True


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
    if len(heads) == 1 and heads[0].string == lines[-1][0][:200]:
        return  # nothing is said under it: "flight changed to 9:30am"
    inside = False
    for number, line in enumerate(lines):
        after_blank = number > 0 and line.start() - lines[number - 1].end() > 1
        headed = regex(CHAT_HEADER, re.IGNORECASE).match(line[0][:200]) is not None
        inside = headed or (inside and not after_blank)
        foreign[number] = foreign[number] or inside


def _mark_page(lines: list[re.Match[str]], foreign: list[bool]) -> None:
    """Mark a pasted page: from the first to the last of at least two lines around its text."""
    chrome = [
        number for number, line in enumerate(lines) if regex(PAGE_CHROME, re.IGNORECASE).match(line[0][:200])
    ]
    if len(chrome) >= 2:
        first, last = chrome[0], chrome[-1]
        foreign[first : last + 1] = [True] * (last + 1 - first)
