"""Foreign text: what a message contains besides the user's own words.

Tags of an agent's host, text from memory, pasted pages, mails, logs, stack traces, diffs, shell sessions, data
and chat logs. They are found by their form, in linear time, and blanked without moving any offset.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from memtool.core.privacy.recalled import recalled_spans
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK, SentenceText

_LIKE_BRACKETS = str.maketrans("＜﹤‹〈⟨＞﹥›〉⟩", "<<<<<>>>>>")
_TAG = r"<(/?)([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,300})?(/?)>"
_PROSE_TAGS = frozenset(["b", "i", "em", "strong", "u", "s", "mark", "small", "sub", "sup", "kbd", "br", "hr", "del", "ins", "wbr"])
_HOST_TAG = (
    r"(?:system|task|tool|user|local|command|function|hook|assistant|background|environment|bash|agent)[-_:.]\w[\w:.-]*"
    r"|stdout|stderr|thinking|document|documents|tool|attachment|search_results?|antml:\w+|summary|context|invoke"
)
_COMMENT = r"<!--"

_WORD_START = r"(?<![\w.@+/\\-])"
_PATH = (
    rf"{_WORD_START}(?:[A-Za-z]:|~|\.{{1,2}})?[/\\]?(?:[\w.@+-]{{1,120}}[/\\]){{1,20}}[\w.@+-]{{0,120}}\.[A-Za-z]\w{{0,7}}(?!\w)"
    rf"|{_WORD_START}(?:[A-Za-z]:|~|\.{{1,2}})?[/\\](?:[\w.@+-]{{1,120}}[/\\]){{1,20}}[\w.@+-]{{0,120}}"
)
_FILE_NAME = (
    rf"{_WORD_START}[\w-][\w.@+-]{{0,120}}?\.(?:png|jpe?g|gif|webp|heic|svg|pdf|txt|log|csv|tsv|docx?|xlsx?|pptx?|zip|tar|gz|mp[34]"
    r"|mov|wav|md|py|js|ts|tsx|jsx|json|ya?ml|toml|html?|css|sh|rs|go|java|cpp|sql|xml|eml)(?!\w)"
)
_SCREENSHOT = (
    r"(?:screen ?shot|bildschirmfoto|captura de (?:pantalla|tela)|captura de ecra|capture d.[eé]cran|снимок экрана|ekran g\w{1,12}|截屏|截图"
    r"|屏幕截图|スクリーンショット)[^\n]{0,60}?\.(?:png|jpe?g|heic|webp)"
)
_QUOTATIONS = (
    r"“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»|「[^「」\n]{1,600}」|『[^『』\n]{1,600}』"
    r'|(?<![\w"])"(?=[^\s"])[^"\n]{1,600}"(?!\w)'
    r"|(?<![\w'’])['‘](?=\w)[^'’\n]{1,200}(?:(?<=\w)['’](?=\w)[^'’\n]{1,200}){0,4}['’](?!\w)"
)

_LOG = (
    r"\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d\S* +\W?(?:DEBUG|INFO|WARN|ERROR|TRACE)"
    r"|\[?\d\d:\d\d:\d\d[\].,: ]|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )"
    r"|\W?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE|PASS|FAIL|FAILED|PASSED|OK)\b[\]:| ]|(?:ok|not ok) \d+ |[✓✗✔✘]"
    r"|npm (?:ERR|WARN)|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3} - "
)
_TRACE = (
    r"\s*(?:at [\w$.<>/]+ ?\(|at \S+:\d+|File \"[^\"\n]{1,300}\", line \d+|Traceback \(most|Caused by: |\.\.\. \d+ more|\^+\s*$"
    r"|goroutine \d+|thread '[^'\n]{1,80}' panicked|panic: |Exception in thread|[\w.]{0,80}(?:Error|Exception|Warning)(?:\[\w+\])?: |\s+\d+ \| |--> \S+:\d+)"
)
_CODE = (
    r"\s*(?://|/\*|\*/|;;|#!|#include|<\?|@\w+\(|\}|\{$|\);?$|\]\)?[,;]?$)|[^\n]{0,300}(?:[;{]|\) ?=>|\):|=> ?[({]|\(\);?|\{$)\s*$"
    r"|\s*(?:def|class|function|fn|func|public|private|static|const|var|import|export|package|struct|interface|enum) [\w.{*$\"'<>]+ ?(?:[({=:;<]|from |as |$)"
    r"|\s*(?:from [\w.]+ import |return [\w\"'\[({]+[^ ]*;?$|elif |else:|try:|except\b[^\n]{0,60}:$)|\s*[\w.\[\]]{1,60} ?(?:[-+*/]|:)?= ?[^=\s][^\n]*$"
)
_COMMENT_IN_CODE = r"\s*(?:#|--|%|\*|rem )\s?\S"
_DATA = r"\s*(?:[\[{]\s*$|[\]}],?\s*$|[{\[]\s*[\"'{\[]|\"[^\"\n]{1,100}\"\s*:|\|[^\n]*\|\s*$|</?\w|\+[-+=]{3,}\+$|[-|:\s]{5,}$|[\w.-]{1,60}=\"[^\"]*\")"
_SHELL = (
    r"\s*(?:\$ \S|>>> ?\S|\.\.\. \S|In \[\d+\]: |Out\[\d+\]: |PS [A-Z]:\\[^>\n]{0,200}> ?|[A-Z]:\\[^>\n]{0,200}>|[\w.-]{1,60}@[\w.-]{1,60}[:~ ][^\n$#%]{0,100}[$#%] "
    r"|[❯➜] \S|sqlite> |mysql> |psql> |\w+=# )"
)
_DIFF_START = r"diff --git |@@ -\d|--- (?:a/|\S+\t|\S+\.\w+$)|\+\+\+ (?:b/|\S)|Index: \S|index [0-9a-f]{7}"
_DIFF_LINE = r"[-+ @\\]|$|diff |index |new file|deleted file|rename |similarity"
_CHANGE = r"[-+](?![-+\s])\D"
_MAIL_HEADER = (
    r"\W{0,2}\**(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|Received|Return-Path|Von|An|Betreff|Gesendet|Datum|De|Para|Assunto|Asunto|Fecha"
    r"|Enviado|Objet|Envoyé|À|От|Кому|Тема|Дата|Kimden|Kime|Konu|Gönderildi|发件人|收件人|主题|日期|差出人|宛先|件名|Kimdan|Kimga|Mavzu)\**\s{0,2}[:：]\**[ \t]*\S"
)
_MAIL_START = (
    r"\W{0,3}(?:-{2,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Mensaje original|Message d.origine|Mensagem original)|Begin forwarded message)"
    r"|(?:On|Am|El|Le|Em|On\W)\s[^\n]{5,120}?\s?(?:wrote|schrieb[^\n]{0,60}|escribió|a écrit|escreveu)\s?:\s*$|[^\n]{5,120}(?:пишет|написал[а]?|yazdı|写道|のメール|yozdi)\s?[:：]\s*$"
)
_SIGN_OFF = (
    r"(?:(?:kind|best|warm|many)?\s?(?:regards|wishes)|best|cheers|sincerely|yours\b[^\n]{0,20}|thanks|thank you|-- ?$|saludos|atentamente|cordialement"
    r"|mit freundlichen grüßen|viele grüße|lg|mfg|atenciosamente|abraços|с уважением|saygılarımla|hurmat bilan|此致|敬上|よろしくお願いします)[^\n]{0,30}$"
)
_PASTED = (
    r"(?:log|logs|output|article|page|mail|e-?mail|message|transcript|chat|conversation|trace|traceback|stack ?trace|error|errors|document|docs?|readme|text|content|contents"
    r"|snippet|diff|patch|config|file|letter|reviews?|comments?|ticket|issue|post|thread|tweet|quote|paragraph|passage|excerpt|paste|code|story|poem|essay|résumé|resume|cv"
    r"|website|site|slack|whatsapp|discord|lyrics|speech|interview|feedback|artículo|página|correo|texto|mensaje|artikel|seite|nachricht|page|courriel|texte|artigo|mensagem"
    r"|статья|статью|страниц\w|письмо|текст|сообщение|метин|metin|makale|mesaj|sayfa|matn|xat|maqola|文章|邮件|郵件|内容|日志|网页|聊天记录|記事|メール|文章|ログ|ページ)"
)
_ANNOUNCED = (
    rf"[^\n]{{0,200}}\b(?:pasted?|copied|following|below|here(?:'s| is| are)|this is|got this|says|wrote|reads|from)\b[^\n]{{0,120}}\b{_PASTED}\b[^\n.!?]{{0,80}}:\s*$"
    rf"|[^\n]{{0,60}}\b{_PASTED}\b[^\n.!?]{{0,60}}[:：]\s*$|\W{{0,4}}(?:begin|start of|pasted?)\b[^\n]{{0,60}}[-=:#*]*\s*$"
)
_ANNOUNCED_CJK = r"[^\n]{0,60}(?:文章|邮件|郵件|内容|日志|网页|聊天记录|記事|メール|ログ|ページ|статья|письмо)[^\n。]{0,30}[:：]\s*$"
_END_OF_PASTE = r"\W{0,6}(?:end(?: of)?\b|eof\b|ende\b|fin\b|fim\b|конец|son\b|结束|終わり|以上)[^\n]{0,40}$|[-=*_#~]{3,}\s*$|\"\"\"\s*$|'''\s*$"
_SPEAKER = r"\s*(?:\[[^\]\n]{1,40}\]\s*|\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\s*[-–]?\s*)?(?:\*\*|<|@)?(?P<who>[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2})(?:\*\*|>)?(?: \([^)\n]{1,30}\))?(?:[:：]\*{0,2}|> )\s*\S"
_ROLES = frozenset(
    ["user", "assistant", "human", "ai", "bot", "system", "agent", "model", "gpt", "chatgpt", "claude", "gemini", "copilot", "me", "you", "tool", "customer", "client", "support", "operator", "interviewer"]
)
_LABELS = frozenset(
    ["note", "notes", "important", "ps", "p.s", "btw", "fyi", "todo", "warning", "attention", "hint", "tip", "request", "rule", "rules", "instruction", "instructions", "preference", "preferences", "reminder", "remember", "question", "context", "task", "goal", "goals", "tone", "style", "name", "format", "language", "budget", "deadline", "update", "edit", "correction", "also", "fact", "facts", "background", "summary", "example", "examples", "answer", "please", "thanks", "hi", "hello", "ok", "okay", "so", "and", "but", "well", "yes", "no", "wait", "actually", "first", "second", "third", "finally", "next", "constraint", "constraints", "requirement", "requirements", "output", "input", "title", "subject", "decision", "problem", "issue", "error", "result", "results", "code", "step", "steps", "option", "options", "plan", "idea", "ideas", "role", "audience", "length", "topic", "details", "info", "key", "date", "time", "place", "location", "price", "total", "url", "link", "nota", "importante", "regla", "regla", "recuerda", "pregunta", "tarea", "wichtig", "hinweis", "merke", "regel", "bitte", "frage", "aufgabe", "achtung", "règle", "remarque", "attention", "question", "rappel", "regra", "lembrete", "pergunta", "önemli", "not", "kural", "hatırlatma", "soru", "muhim", "eslatma", "qoida", "savol", "важно", "заметка", "правило", "напоминание", "вопрос", "задача", "пожалуйста", "примечание", "注意", "重要", "备注", "规则", "问题", "提醒", "记住", "请记住", "メモ", "注", "質問", "ルール", "お願い"]
)
_FIRST_PERSON = r"(?:i|i'm|i’m|i've|i'd|my|me|yo|me|mi|ich|mein|je|j'|mon|eu|meu|я|мне|меня|ben|benim|bana|men|mening|我|私|僕|俺)\b"


def foreign_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a cleaned text that are not its user's words, in order and disjoint."""
    spans = [*recalled_spans(text)]
    if "<" in text or not text.isascii():
        spans += _tagged(text.translate(_LIKE_BRACKETS))
    if "\n" in text or ":" in text or text.lstrip()[:1] in {*"$>{[</+|-#*"}:
        spans += _blocks(_blank(text, _merged(spans)) if spans else text)
    return tuple(_merged(spans))


def own_words(text: str) -> str:
    """A cleaned text with line feeds in place of all that is not its user's words: every offset stays valid."""
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
        for match in regex(_QUOTATIONS).finditer(text.text)
        if regex(r"\S\s+\S|[\u3040-\u9fff]{4}").search(match[0])
    ]
    quoted = sum(end - start for start, end in spans)
    if not regex(r"\w").search("".join(_outside(text.text, spans))):
        spans = []
    del quoted
    for pattern in (_PATH, _FILE_NAME, _SCREENSHOT):
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


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """The elements that wrap text, and HTML comments; an unclosed tag of a host extends to the end."""
    closings: dict[str, list[int]] = {}
    tags = [*regex(_TAG).finditer(text)]
    for tag in tags:
        if tag[1]:
            closings.setdefault(tag[2].lower(), []).append(tag.end())
    ended = 0
    for tag in tags:
        name = tag[2].lower()
        if tag.start() < ended or tag[1] or tag[3] or name in _PROSE_TAGS:
            continue
        ends = closings.get(name, [])
        if (index := bisect_right(ends, tag.end())) < len(ends):
            ended = _matching_end(ends, index, text, tag.end(), name)
            yield tag.start(), ended
        elif regex(_HOST_TAG, re.IGNORECASE).fullmatch(name) and name not in {"summary", "context", "tool"}:
            yield tag.start(), len(text)
            return
    position = 0
    while (start := text.find(_COMMENT, position)) >= 0:
        end = text.find("-->", start + 4)
        position = end + 3 if end >= 0 else len(text)
        yield start, position


def _matching_end(ends: list[int], index: int, text: str, start: int, name: str) -> int:
    """The end of an element: each opening of the same name before a closing needs a closing of its own."""
    opening, depth, position = regex(rf"(?i)<{re.escape(name)}\b"), 1, start
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
    _extend_pastes(text, lines, kinds, foreign)
    _extend_neighbours(text, lines, kinds, foreign)
    for match, is_foreign in zip(lines, foreign, strict=True):
        if is_foreign:
            yield match.span()


_KINDS = (
    ("shell", _SHELL),
    ("diff", _DIFF_START),
    ("trace", _TRACE),
    ("log", _LOG),
    ("data", _DATA),
    ("code", _CODE),
)


def _line_kind(line: str) -> str:
    """The kind of machine text that a line is by itself, or ""."""
    line = line[:1000]
    return next((kind for kind, pattern in _KINDS if regex(pattern).match(line)), "")


def _extend_pastes(text: str, lines: list[re.Match[str]], kinds: list[str], foreign: list[bool]) -> None:
    """Mark mails, and blocks that the line before announces."""
    number, headers = 0, 0
    while number < len(lines):
        line = lines[number][0][:1000]
        headers = headers + 1 if regex(_MAIL_HEADER, re.IGNORECASE).match(line) else 0
        if headers >= 2 or regex(_MAIL_START, re.IGNORECASE).match(line):
            first, number = number - max(0, headers - 1), _mail_end(text, lines, number)
            foreign[first : number + 1] = [True] * (number + 1 - first)
            headers = 0
        elif len(line) < 300 and (
            regex(_ANNOUNCED, re.IGNORECASE).match(line) or regex(_ANNOUNCED_CJK).match(line)
        ):
            last = _paste_end(text, lines, number)
            foreign[number + 1 : last + 1] = [True] * (last - number)
            number = max(number, last)
        number += 1


def _is_paragraph_end(text: str, lines: list[re.Match[str]], number: int) -> bool:
    """Whether a blank line, or the end, follows a line."""
    return number + 1 == len(lines) or lines[number + 1].start() - lines[number].end() > 1


def _mail_end(text: str, lines: list[re.Match[str]], number: int) -> int:
    """The last line of a mail: before a rule, or the end of the paragraph that signs it."""
    signed = False
    for last in range(number, len(lines)):
        line = lines[last][0]
        if last > number and regex(r"[-=_*]{3,}\s*$").match(line):
            return last
        signed = signed or regex(_SIGN_OFF, re.IGNORECASE).match(line.strip()) is not None
        if signed and _is_paragraph_end(text, lines, last):
            return last
    return len(lines) - 1


def _paste_end(text: str, lines: list[re.Match[str]], number: int) -> int:
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
            and regex(_END_OF_PASTE, re.IGNORECASE).match(lines[last][0].strip())
        ):
            return last
        if not has_mark and not is_page and _is_paragraph_end(text, lines, last):
            return last
    return len(lines) - 1


def _extend_neighbours(text: str, lines: list[re.Match[str]], kinds: list[str], foreign: list[bool]) -> None:
    """Mark what continues machine text: output of a command, a diff's lines, code comments, tables, chat."""
    state = ""
    for number, match in enumerate(lines):
        line, kind = match[0], kinds[number]
        after_blank = number > 0 and match.start() - lines[number - 1].end() > 1
        if kind:
            state = kind
        elif (
            (state == "shell" and not after_blank)
            or (state == "diff" and not after_blank and regex(_DIFF_LINE).match(line))
            or (state == "trace" and not after_blank and line[:1].isspace())
            or (
                state in {"code", "data"}
                and not after_blank
                and (line[:1].isspace() or regex(_COMMENT_IN_CODE).match(line))
            )
        ):
            foreign[number] = True
        else:
            state = ""
    for number in range(len(lines) - 1):  # a comment before code
        if kinds[number + 1] == "code" and regex(_COMMENT_IN_CODE).match(lines[number][0]):
            foreign[number] = True
    for (number, match), (_, following) in pairwise(enumerate(lines)):
        if regex(_CHANGE).match(match[0]) and regex(_CHANGE).match(following[0]):
            foreign[number] = foreign[number + 1] = True
    _mark_tables(lines, foreign)
    _mark_chat(lines, foreign)


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
        speaker = regex(_SPEAKER).match(match[0][:400])
        if speaker is None or foreign[number]:
            continue
        who = speaker["who"].lower()
        if (
            who in _LABELS
            or who.split()[-1] in _LABELS
            or not (
                who in _ROLES
                or speaker["who"][0].isupper()
                or len(match[0]) > match[0].find("[") >= 0
                or not speaker["who"].isascii()
            )
        ):
            continue
        spoken.append(number)
        said = match[0][speaker.end() - 1 :]
        sure = sure or who in _ROLES or regex(_FIRST_PERSON, re.IGNORECASE).match(said) is not None
    if len(spoken) >= 2 or (spoken and sure):
        for number in spoken:
            foreign[number] = True
