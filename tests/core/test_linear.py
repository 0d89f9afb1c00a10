"""No text, however odd, keeps memtool busy: what reads text takes time in proportion to its length."""

from __future__ import annotations

import contextlib
import time
from datetime import UTC, date, datetime

import pytest

from memtool.core import (
    anchors,
    chunk,
    clean,
    dedup,
    extract,
    key_terms,
    links,
    markers,
    private,
    query,
    quote,
    recalled,
    remark,
    safe_summary,
    scan,
    sentence,
    snippet,
    tags,
    title,
    when,
)
from memtool.errors import MemtoolError
from memtool.formats.frontmatter import forgiven
from memtool.formats.table import FORMATS

LENGTH, SECONDS = 12_000, 0.6
"""What takes time by the square takes a second and more for so long a text; all else some hundredths."""

READERS = {
    "anchors": lambda text: (anchors.blocks(text), anchors.names(text)),
    "chunks": chunk.chunks,
    "clean": clean.clean,
    "dedup": lambda text: (dedup.key(text), dedup.deciding(text)),
    "extract": lambda text: [*extract.stated(text)],
    "forgiven": lambda text: forgiven(f"---\n{text}\n---\n"),
    "key-terms": lambda text: [*key_terms.terms(text)],
    "links": links.links,
    "markers": markers.plain,
    "private": private.is_private,
    "query": lambda text: (query.parse_query(text), query.plain_query(text)),
    "quote": lambda text: (quote.neutralise(text), quote.one_line(text)),
    "recalled": lambda text: (recalled.recalled(text), recalled.without_recalled(text)),
    "remark": lambda text: [*remark._of_text(text)],
    "safe-summary": safe_summary.safe,
    "scan": lambda text: scan.scan(text, datetime(2026, 1, 2, tzinfo=UTC)),
    "sentence": sentence.prose,
    "snippet": lambda text: snippet.best_line(text, query.plain_query("kiln glaze")),
    "tags": lambda text: tags.inline_tags(text, 0, ()),
    "title": lambda text: (title.slug(text), title.file_name(text)),
    "when": lambda text: when.spans(text, date(2026, 1, 2)),
    **{one.name: lambda text, one=one: one.record(one.parse(text)) for one in FORMATS},
}
SIGNS = [
    *" a\n\t1-/.\"'[(`#|=:<é_*\\%@!?{}])>~^$&+;,",
    *("\u200b", "\u0301", "\u2028", "\0", "\ufeff", "漢", "。", "😀", "\u0441", "a\u0441"),
    *("[[", "![[", "](", "<!--", "```\n", "~~~", "**", "__", "- ", "1. ", "# a\n", "> ", "| a |\n", "---\n"),
    *("https://", "a@", "a.b", "key: ", "I am ", "I prefer ", "remember that ", "no, ", "2025-01-15 "),
    *("please ", "don't save or ", "do not remember ", "i don't want "),
    *(
        "## [10:00:00]\n",
        "**User:** ",
        "<memory>",
        "[^1]: ",
        "^id\n",
        "#tag ",
        "(id: ",
        '{"a":',
        "../",
        "e.g. ",
    ),
]


@pytest.mark.parametrize("name", READERS)
def test_the_time_for_a_text_grows_as_its_length(name):
    for sign in SIGNS:
        for begin, end in (("", "a"), ("a", " ")):
            text = begin + sign * (LENGTH // len(sign)) + end
            begun = time.process_time()
            with contextlib.suppress(MemtoolError, ValueError):  # what is refused is so in good time
                READERS[name](text)
            assert time.process_time() - begun < SECONDS, sign
