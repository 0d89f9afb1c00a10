"""Texts that are hard to read, and all that reads text, for measurements and for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime

from memtool.core.capture import circumstances, corrections, extract, scan
from memtool.core.capture.stated_name import stated_name
from memtool.core.compaction import key_terms, scored_sentences, summary
from memtool.core.context import statements
from memtool.core.facts import duplicates, names
from memtool.core.lint.lint_target import LintTarget
from memtool.core.notes import anchors, link_parser, tags
from memtool.core.privacy import distress, foreign_text, private_requests, recalled
from memtool.core.records.turn import Message, TextPart
from memtool.core.search import chunking, query, snippet
from memtool.core.secrets import redact
from memtool.core.text import clean, dates, file_names, phrases, sanitise, sentences
from memtool.formats.lint.check import check_file
from memtool.formats.syntax.frontmatter import lenient_keys
from memtool.formats.table import FORMATS
from memtool.store.config import schemas

_NOW = datetime(2026, 1, 2, tzinfo=UTC)

Reader = Callable[[str], object]


def _notes_links(text: str) -> None:
    seen = link_parser.parse_markup(text, 0)
    tags.inline_tags(text, 0, seen.literal)
    anchors.block_ids(text, seen.literal)
    anchors.explicit_anchors(text)


def _checked(role: str) -> Reader:
    subject = LintTarget("x.md", role, role)
    return lambda text: check_file(text.encode("utf-8", "surrogatepass"), subject, schemas.violations)


READERS: dict[str, Reader] = {
    "anchors": lambda text: (anchors.block_ids(text), anchors.explicit_anchors(text)),
    "chunks": chunking.split_chunks,
    "circumstances": circumstances.read_circumstances,
    "clean": clean.clean,
    "corrections": lambda text: (corrections.corrections(text), stated_name(text)),
    "dedup": lambda text: (duplicates.comparison_key(text), duplicates.deciding_tokens(text)),
    "distress": distress.states_distress,
    "extract": lambda text: [*extract.statements_in_text(text)],
    "foreign": foreign_text.own_words,
    "forgiven": lambda text: lenient_keys(f"---\n{text}\n---\n"),
    "key-terms": lambda text: [*key_terms.key_terms(text)],
    "links": link_parser.parse_links,
    "names": lambda text: (names.subject_names("m-1", text), names.mentioned_names(text)),
    "links, tags and anchors": _notes_links,
    "lint of a note": _checked("note"),
    "lint of long-term memory": _checked("long-term"),
    "markers": phrases.plain_text,
    "private": private_requests.is_private_request,
    "query": lambda text: (query.parse_query(text), query.prompt_query(text)),
    "quote": lambda text: (sanitise.neutralise(text), sanitise.one_line(text)),
    "recalled": lambda text: (recalled.tag_recalled(text), recalled.without_recalled(text)),
    "redact": redact.redact,
    "remark": lambda text: scored_sentences.scored_sentences([Message("user", (TextPart(text),))]),
    "safe-summary": summary.storable_summary,
    "scan": lambda text: scan.scan_message(text, _NOW),
    "sentence": sentences.split_sentences,
    "snippet": lambda text: snippet.best_snippet(text, query.prompt_query("kiln glaze")),
    "statements": statements.statements,
    "tags": lambda text: tags.inline_tags(text, 0, ()),
    "title": lambda text: (file_names.title_slug(text), file_names.title_file_name(text)),
    "when": lambda text: dates.date_spans(text, date(2026, 1, 2)),
    **{f"format {row.name}": lambda text, row=row: row.record(row.parse(text)) for row in FORMATS},
}
"""Whatever reads text, by name. MemtoolError and ValueError are refusals of a text."""

PIECES = [
    *" a\n\t1-/.\"'[(`#|=:<é_*\\%@!?{}])>~^$&+;,",
    *("\u200b", "\u0301", "\u2028", "\0", "\ufeff", "漢", "。", "😀", "\u0441", "a\u0441"),
    *("\u202e", "a\x07", "a\U000e0041", "a\u200b"),
    # Markdown
    *("[[", "![[", "](", "<!--", "```\n", "~~~", "**", "__", "- ", "1. ", "# a\n", "> ", "| a |\n", "---\n"),
    *("word ", "- a\n", "|\n", "- - ", "  - a\n", "a\n===\n", "\n \n", "> > ", "\n````a", "` `` ", "> x\n"),
    *("[[a", "[[a]", "[a](", "[a](b", "[a](<b", '[a](b "x', "[a]((", "![](", "\n[a]: b", "[[no]] ", "[[a|"),
    *("<<<<<<< a\n", "(pinned) "),
    *("$a ", " #a", " ^a\n", "^id\n", "#tag ", "{#", "[[gone]]", "# [[|", "[^1]: ", "(id: "),
    *("<!-- ", "<pre>", '<a b="', "[[a|`b]] $c [d](e) <!-- %% <% \n"),
    # addresses, dates, identifiers
    *("https://", "http://", "://", "a@", "a.b", "key: ", "../", "e.g. ", "2025-01-15 ", '{"a":'),
    # what people say
    *("I am ", "I prefer ", "I like ", "I like tea. ", "a. ", "remember that ", "no, ", "no , i", "men "),
    *(
        "my ",
        "i'm a ",
        "? ",
        "not a ",
        "it's not ",
        "my cat is Tom, my dog is Rex, ",
        "instead of a use ",
        "we moved the launch from a to ",
        "I'm a cook, I'm a baker, ",
    ),
    *("please ", "don't save or ", "do not remember ", "i don't want "),
    *("always ", "always use ", "from now on ", "use a when i ", "whenever i ask, ", "i want you to "),
    *(
        "siempre ",
        "immer ",
        "toujours ",
        "sempre ",
        "всегда ",
        "her zaman ",
        "doim ",
        "总是",
        "いつも",
        "每次我",
    ),
    *("prefiero ", "ich mag ", "j'aime ", "gosto ", "мне нравится ", "seviyorum ", "我喜欢", "が好き"),
    # foreign text
    *(
        "<document>",
        "</document>",
        "&lt;memory-context&gt;",
        "From: a\n",
        "a:\n",
        "Bob: a\n",
        "$ a\n",
        "a,b,c\n",
    ),
    *("@@ -1\n", "+a\n", "“a b”", "'a b", "a/", "a.a", "On a wrote:\n", "log:\n", "a = b\n"),
    "10:00:00 a\n",
    # records
    *("## [10:00:00]\n", "**User:** ", "<memory>", "- a b c d\n", "- a b c d\n\n\n\n"),
    *("<summary>", "<system-reminder>", "<memory-context>"),
    *("<!-- memtool: ignore M1 ", "<!-- memtool: ignore M1 --> "),
    # secrets
    *("password=", "password is ", "password=hunter2x ", "token: ", "key", "bearer ", "sk-a", "awskey", "AC"),
    *(
        "curl -u a:",
        "curl ",
        "login: ",
        "Cookie: a=",
        "Cookie: ",
        "Authorization: a ",
        "4111 1111 ",
        "DE89 3704 ",
        "ab-A1",
        "a_",
    ),
    *(
        "Passwort ",
        "密码",
        "<password>",
        "name: key value: ",
        "AKIAABCDEFGHIJKLMNOP ",
        "kind: Secret\n",
        " a: aaaaaaaa\n",
        "?key=",
    ),
    *("eyJ.", "://a:", "a@b://c:d", "12345678:", "xoxb-1-", "seed phrase ", "-----BEGIN PRIVATE KEY-----\n"),
]
"""Pieces that, repeated, make texts on which a careless pattern or parser takes time by the square."""


TAILS = {"redact": "a", "links, tags and anchors": "]"}
"""What a reader looks for far behind: texts for it are repeated also before as much of this."""


def texts(reader: str, piece: str, length: int) -> Iterator[str]:
    """Texts for a reader of about this length, or twice, that repeat a piece."""
    repeated = piece * (length // len(piece))
    yield f"{repeated}a"
    yield f"a{repeated} "
    if reader in TAILS:
        yield repeated + TAILS[reader] * length
