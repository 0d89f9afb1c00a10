"""Whatever happens to the files, or to a writer, the answer is right or the index says that it is broken."""

import json
import os
import random
import subprocess
import sys
import textwrap
from functools import partial

import pytest

from memtool.index.documents.whoosh_documents import LISTING
from memtool.index.engine import BrokenIndex
from memtool.index.seal import NAME, is_sealed, seal
from tests.index.records import ENGINES, KEY, found, open_documents, paths, record

WITH_WHOOSH = pytest.mark.parametrize("opened", ["whoosh"], indirect=True)


@pytest.fixture(params=ENGINES)
def opened(request):
    """Opens an index of each engine in turn."""
    return partial(open_documents, engine=request.param)


@pytest.fixture
def folder(tmp_path, opened):
    folder = tmp_path / "documents"
    with opened(str(folder), KEY) as index:
        index.upsert([record(f"{i:02}", f"hello number {i} " * 20, title="T") for i in range(40)])
        index.upsert([record("last", "hello again")], gone=["07"])
    return folder


def answers(opened, folder, *, writes):
    with opened(str(folder), KEY, wait=0, writes=writes) as index:
        everything = [
            *found(index, "hello"),
            *found(index, "hel* -again"),
            *found(index, '"number 9" path:0'),
        ]
        return everything, set(index.stamps())


@pytest.mark.parametrize("harm", ["truncated", "emptied", "garbage", "deleted", "flipped"])
def test_harmed_files_raise_nothing_but_broken_index(opened, folder, harm):
    """Even when the seal fits, as after a fault of the disk."""
    right = answers(opened, folder, writes=False)
    rng = random.Random(harm)
    originals = {file.name: file.read_bytes() for file in folder.iterdir()}
    for name in sorted(originals.keys() - {NAME, LISTING}):
        for _ in range(1 if harm == "deleted" else 6):
            content = bytearray(originals[name])
            at = rng.randrange(len(content)) if content else 0
            match harm:
                case "truncated":
                    del content[at:]
                case "emptied":
                    content.clear()
                case "garbage":
                    content[at:] = rng.randbytes(len(content) - at)
                case "flipped" if content:
                    content[at] ^= 0xFF
            (folder / name).write_bytes(content)
            if harm == "deleted":
                (folder / name).unlink()
            seal(str(folder), KEY)
            try:
                answered = answers(opened, folder, writes=False)
            except BrokenIndex:
                pass
            else:  # stamps in SQLite have no checksum but the seal's
                assert answered[1] == right[1] or (folder / "documents.db").exists()
            (folder / name).write_bytes(originals[name])
    seal(str(folder), KEY)
    assert answers(opened, folder, writes=False) == right


@WITH_WHOOSH
@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"version": "0", "documents": {}}', '{"documents": 1}', "\xff"]
)
def test_a_listing_that_is_none_means_starting_over(opened, folder, text):
    (folder / LISTING).write_bytes(text.encode("latin-1"))
    seal(str(folder), KEY)
    with opened(str(folder), KEY) as index:
        assert index.why_empty
        assert index.stamps() == {}


@WITH_WHOOSH
def test_a_listing_of_another_version_is_started_over(opened, folder):
    kept = json.loads((folder / LISTING).read_text())
    (folder / LISTING).write_text(json.dumps(kept | {"version": "0"}))
    seal(str(folder), KEY)
    with opened(str(folder), KEY) as index:
        assert index.why_empty == "was built by a different version of memtool or Python"
        index.upsert([record("a", "hello")])
        assert paths(index, "hello") == ["a"]


@WITH_WHOOSH
def test_a_crash_between_whooshs_commit_and_the_listing_means_starting_over(opened, folder):
    from whoosh.index import open_dir

    from memtool.index.documents.segment_builder import SegmentBuilder, schema

    writer = open_dir(str(folder), schema=schema()).writer()
    builder = SegmentBuilder(writer.storage, writer.schema, writer.indexname)
    builder.add(record("new", "hello"))
    added = builder.finish()
    writer.commit(mergetype=lambda _, segments: [*segments, *added])
    with opened(str(folder), KEY) as index:
        assert index.why_empty
        assert (found(index, "hello"), index.stamps()) == ([], {})


def test_a_folder_removed_under_an_open_index_is_made_again(opened, folder):
    index = opened(str(folder), KEY)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    with pytest.raises(BrokenIndex):
        index.upsert([record("a", "hello")])
    with opened(str(folder), KEY) as again:
        again.upsert([record("a", "hello")])
        assert paths(again, "hello") == ["a"]


def test_an_update_of_an_index_that_changed_underneath_is_refused(opened, folder):
    index = opened(str(folder), KEY)
    (folder / NAME).unlink()
    with pytest.raises(BrokenIndex):
        index.upsert([record("a", "hello")])
    with pytest.raises(BrokenIndex):
        index.restamp({})


def run(code):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_writer_killed_at_any_moment_leaves_the_old_index_or_none(opened, folder):
    engine = opened.keywords["engine"]
    code = f"""
        import os, sys
        from tests.index.records import open_documents
        from tests.index.records import KEY, record
        index = open_documents({str(folder)!r}, KEY, {engine!r})
        operations = 0
        def count(*_):
            global operations
            operations += 1
            if operations == limit:
                os._exit(9)
            return True
        def stop(event, args):
            if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir") and "docum" in str(args):
                count()
        if {engine!r} == "sqlite":
            index.db.exec_trace = count
        limit = int(sys.stdin.readline())
        records = [record("new", "hello new"), record("03", "changed")]
        sys.addaudithook(stop)
        index.upsert(records, gone=["02"])
        print(operations)
    """

    def before_and_after(limit):
        with opened(str(folder), KEY) as index:
            index.upsert([record(path, "hello old") for path in ("02", "03")], gone=list(index.stamps()))
        before = answers(opened, folder, writes=False)
        with run(code) as process:
            said = process.communicate(f"{limit}\n")[0]
            assert process.returncode == (9 if limit else 0)
        return before, answers(opened, folder, writes=True), said

    _, done, said = before_and_after(0)
    count = int(said)
    assert done[1] == {"new", "03"}
    for limit in {1, 2, count // 3, count // 2, *range(count - 3, count + 1)}:
        before, after, _ = before_and_after(limit)
        assert after in (before, done, ([], set()))


def test_readers_see_a_whole_index_while_a_writer_commits(opened, folder):
    """Every batch writes the same number into five documents; a reader never sees two numbers."""
    engine = opened.keywords["engine"]
    code = f"""
        from tests.index.records import open_documents
        from tests.index.records import KEY, record
        index = open_documents({str(folder)!r}, KEY, {engine!r}, wait=10)
        print("ready", flush=True)
        for turn in range(15):
            index.upsert([record(f"d{{i}}", f"batch number{{turn}}") for i in range(5)])
    """
    with opened(str(folder), KEY) as index:
        index.upsert([record(f"d{i}", "batch numberx") for i in range(5)])
    answered = 0
    with run(code) as process:
        assert process.stdout.readline() == "ready\n"
        while process.poll() is None:
            with opened(str(folder), KEY, wait=10) as index:
                assert index.why_empty is None
                hits = index.query(*batch())
                assert len(hits) == 5
                assert len({hit.text for hit in hits}) == 1
                answered += 1
        assert process.returncode == 0
    assert answered > 3
    assert is_sealed(str(folder), KEY)


def batch():
    from memtool.core.search.query import parse_query

    return parse_query("batch"), 10


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_can_be_read(opened, folder):
    os.chmod(folder, 0o500)
    try:
        assert answers(opened, folder, writes=True) == answers(opened, folder, writes=False)
        with opened(str(folder), KEY) as index, pytest.raises(BrokenIndex):
            index.upsert([record("a", "hello")])
    finally:
        os.chmod(folder, 0o700)
