"""`SegmentReader` reads of a segment what Whoosh's own reader reads."""

import pickle
import random

import pytest
from msgspec.structs import replace
from whoosh.index import open_dir
from whoosh.reading import TermNotFound

from memtool.core.search.chunking import split_chunks
from memtool.index.documents.segment_reader import _loads
from memtool.index.documents.source import META
from memtool.index.documents.terms import STEMS, WORDS
from memtool.index.engine import DocumentRecord, FileStamp
from tests.index.records import KEY, open_documents, record

LETTERS = "abcdeéøß漢字ไทย🙂\udc80"


def words(rng, count):
    return " ".join("".join(rng.choices(LETTERS, k=rng.randint(1, 7))) for _ in range(count))


def readers(folder):
    """Each segment by Whoosh's reader and by ours."""
    with open_documents(str(folder), KEY, engine="whoosh", writes=False) as index:
        ours = index._readers
    theirs = {leaf.segment().segment_id(): leaf for leaf, _ in open_dir(str(folder)).reader().leaf_readers()}
    assert {each.info.name for each in ours} == theirs.keys()
    return [(theirs[each.info.name], each) for each in ours]


def postings(reader, field, term):
    try:
        matcher = reader.postings(field, term)
    except TermNotFound:
        return {}
    found = {}
    while matcher.is_active():
        found[matcher.id()] = matcher.weight()
        matcher.next()
    return found


def alive(reader, postings):
    """Without the deleted chunks, which Whoosh leaves out itself."""
    return {number: weight for number, weight in postings.items() if number not in reader.info.deleted}


@pytest.mark.parametrize("seed", range(4))
def test_terms_postings_and_stored_values_are_those_that_whoosh_reads(tmp_path, seed):
    rng = random.Random(seed)
    folder = tmp_path / "documents"
    with open_documents(str(folder), KEY, engine="whoosh") as index:
        for batch in range(3):
            index.upsert(
                [
                    record(f"{batch}-{i}", words(rng, rng.choice((1, 30, 900))) + " often" * (i % 3))
                    for i in range(rng.randint(1, 40))
                ],
                gone=[f"0-{batch}", "1-1"],
            )
    for theirs, ours in readers(folder):
        assert ours.info.chunks == theirs.doc_count_all()
        assert ours.info.doc_count() == theirs.doc_count()
        assert {*ours.info.deleted} == {*theirs.segment().deleted_docs()}
        for field in (META, STEMS, WORDS):
            terms = [*theirs.expand_prefix(field, b"")]
            assert [*ours.terms(field)] == terms
            assert {term: alive(ours, read) for term, read in ours.all_postings(field)} == {
                term: postings(theirs, field, term) for term in terms
            }
            for term in rng.sample(terms, min(len(terms), 20)):
                text = term.decode("utf-8", "surrogatepass")
                assert alive(ours, ours.postings(field, text)) == postings(theirs, field, term)
                assert ours.frequency(field, text) == theirs.doc_frequency(field, term)
                start = text[:2].encode("utf-8", "surrogatepass")
                assert [*ours.terms(field, text[:2])] == [*theirs.expand_prefix(field, start)]
            assert ours.postings(field, "in no text") == {}
            assert ours.frequency(field, "in no text") == 0
            assert [*ours.terms(field, "\U0010ffff")] == []
        ages, days = theirs.column_reader("ages", translate=False), ours.numbers("ages")
        for number in range(ours.info.chunks):
            assert ours.stored(number) == theirs._perdoc.stored_fields(number)
            assert (days[number] if number < len(days) else 0) == ages[number]


def test_of_many_chunks_whoosh_stores_the_positions_too(tmp_path):
    [chunk] = split_chunks("a b")
    chunks = tuple(replace(chunk, text=str(number)) for number in range(2**15 + 1))
    stamp = FileStamp(1, 1, 1, 1, 10**18, "e")
    with open_documents(str(tmp_path / "documents"), KEY, engine="whoosh") as index:
        index.upsert([DocumentRecord("a", stamp, chunks)])
    [(theirs, ours)] = readers(tmp_path / "documents")
    for number in (0, 1, 2**14, 2**15):
        assert ours.stored(number) == theirs._perdoc.stored_fields(number)


def test_a_pickle_that_names_a_function_is_refused(tmp_path):
    with pytest.raises(ValueError, match="refers to builtins"):
        _loads(pickle.dumps(print))
