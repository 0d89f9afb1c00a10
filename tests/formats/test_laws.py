"""The two laws that every format keeps, over every text and every value."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.errors import BadUsage
from memtool.formats import daily_note, working_buffer
from memtool.formats.daily_note import DailyNote, DailyNoteBlock
from memtool.formats.json_lines import JsonLines
from memtool.formats.long_term import LongTermMemory
from memtool.formats.rules import RuleLine, RulesFile
from memtool.formats.semantic import SemanticFile, SemanticLine
from memtool.formats.session_state import SessionState, SessionStateLine
from memtool.formats.syntax.frontmatter import MarkdownFile, parse
from memtool.formats.table import JSON_LINES_FORMATS, MARKDOWN_FORMATS, format_named
from memtool.formats.working_buffer import BufferBlock, WorkingBuffer
from memtool.formats.working_memory import WorkingMemory
from tests.examples import examples
from tests.formats.texts import raw_lines, texts

TEXTS = (*MARKDOWN_FORMATS, *JSON_LINES_FORMATS)
lines = st.lists(raw_lines, min_size=1).map(tuple)
heads = st.lists(raw_lines.filter(lambda line: not re.match("\ufeff?## \\[[0-9]", line))).map(tuple)
blocks = st.builds(
    lambda first, rest: DailyNoteBlock((first, *rest)),
    st.sampled_from(["## [10:30:00]", "## [99:00] [x]\r"]),
    heads,
)
buffered = st.builds(
    lambda first, rest: BufferBlock((first, *rest)),
    st.sampled_from(["## [2025-01-15 10:30:00] Human", "## [2025-99-15 10:30] Agent (summary)\r"]),
    heads,
)
pages = texts.map(parse) | st.builds(
    lambda meta, body: MarkdownFile(f"---\n{meta}: 1\n---\n", body), st.sampled_from(["a", "title"]), texts
)
VALUES = {
    "session-state": lines.map(lambda raws: SessionState(tuple(SessionStateLine(raw) for raw in raws))),
    "long-term": lines.map(LongTermMemory),
    "daily-note": st.builds(DailyNote, heads, st.lists(blocks, min_size=1).map(tuple))
    | texts.map(daily_note.parse),
    "working-buffer": st.builds(WorkingBuffer, heads, st.lists(buffered, min_size=1).map(tuple))
    | texts.map(working_buffer.parse),
    "core-file": pages,
    "working-memory": texts.map(WorkingMemory),
    "semantic": lines.map(lambda raws: SemanticFile(tuple(SemanticLine(raw) for raw in raws))),
    "rules": lines.map(lambda raws: RulesFile(tuple(RuleLine(raw) for raw in raws))),
    "episode": pages,
    **{form.name: texts.map(JsonLines) for form in JSON_LINES_FORMATS},
    "note": pages,
    "markdown": pages,
}


@pytest.mark.parametrize("form", TEXTS, ids=lambda form: form.name)
@given(data=st.data())
@settings(max_examples=examples(80))
def test_a_value_that_is_written_reads_back_as_itself(form, data):
    value = data.draw(VALUES[form.name])
    assert form.parse(form.render(value)) == value


@pytest.mark.parametrize("form", TEXTS, ids=lambda form: form.name)
@given(text=texts)
@settings(max_examples=examples(120))
def test_a_text_that_is_read_is_written_as_it_was(form, text):
    value = form.parse(text)
    assert form.render(value) == text
    form.record(value)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\r\n", "\ufeff", "\0", "a\fb\u2028c\x85d\re", "\udcff\udc80\n", "no newline at the end"],
)
@pytest.mark.parametrize("form", TEXTS, ids=lambda form: form.name)
def test_odd_texts_survive(form, text):
    assert form.render(form.parse(text)) == text


@pytest.mark.parametrize(
    "build",
    [
        lambda: LongTermMemory(()),
        lambda: LongTermMemory(("two\nlines",)),
        lambda: SessionState((SessionStateLine("two\nlines"),)),
        lambda: SemanticFile(()),
        lambda: DailyNote((), ()),
        lambda: DailyNote(("## [10:30:00]",), ()),
        lambda: DailyNoteBlock(("no heading",)),
        lambda: DailyNoteBlock(("## [10:30:00]", "## [10:31:00]")),
        lambda: MarkdownFile("", "---\na: 1\n---\n"),
        lambda: MarkdownFile("title: x\n", ""),
    ],
)
def test_a_value_that_would_read_as_another_cannot_be_built(build):
    with pytest.raises(ValueError):
        build()


def test_the_table_finds_each_format_by_its_name():
    assert [format_named(form.name) for form in TEXTS] == list(TEXTS)
    with pytest.raises(BadUsage, match="unknown format 'diary'"):
        format_named("diary")
