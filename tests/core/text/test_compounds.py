"""The smaller compounds in a compound; those of plain text are found without its pieces."""

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.compounds import nested_compounds, plain_compounds
from memtool.core.text.tokenizer import CompoundWord, pieces


def test_a_path_is_found_by_its_file_name_and_its_stem():
    (path,) = (piece for piece, _, _ in pieces("memory/notes/foo-bar.md"))
    assert isinstance(path, CompoundWord)
    assert nested_compounds(path.text) == ["memory/notes/foo-bar.md", "foo-bar.md", "foo-bar"]


def test_only_an_apostrophe_joins_words_to_one():
    assert nested_compounds("dont") == ["dont"]
    assert plain_compounds("don't") == ["dont"]
    assert plain_compounds("o'neil-b") == ["oneil-b"]


@given(st.text("a1_-.", min_size=1, max_size=9) | st.text("ab1_-'./:(*\\", min_size=1, max_size=12))
def test_the_compounds_of_plain_text_are_those_of_its_pieces(part):
    compounds = [piece.text for piece, _, _ in pieces(part) if isinstance(piece, CompoundWord)]
    assert plain_compounds(part) == [text for compound in compounds for text in nested_compounds(compound)]
