"""The edits that an editor gets: they make the new text, and replace only what changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.edits import apply_edits
from memtool.serve.lsp.edits import line_edits

texts = st.text("ab \r\n😀", max_size=30)


@given(texts, texts)
def test_the_edits_make_the_new_text_and_split_no_line_end(before, after):
    edits = line_edits(before, after)
    assert apply_edits(before, edits).text == after
    cuts = [offset for edit in edits for offset in edit[:2]]
    assert cuts == sorted(cuts)
    assert not any(before[cut - 1 : cut + 1] == "\r\n" for cut in cuts if cut)


def test_an_edit_of_a_line_is_what_changed():
    before = "Of [[hub]] and [[hub|x]].\r\nMore.\r\n"
    assert line_edits(before, before.replace("hub|", "nave|")) == [(17, 20, "nave")]
