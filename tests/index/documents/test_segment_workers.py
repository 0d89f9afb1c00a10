"""Segments that several processes build hold what one process would have built."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.index.records import ENGINES
from tests.trees import make

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="needs Linux and two cores"
)


PREPARE = """
import os, random, signal, sys
from datetime import date
from memtool.core.search.query import parse_query
from tests.index.records import KEY, open_documents, record

WORDS = "run running 京都 ABC-123 don't x_y.py café \\udcff c++ - # Größe said\\n ## zebra\\n".split(" ")

def tree(rng, files):
    return {
        f"notes/{number}.md": " ".join(rng.choices(WORDS, k=rng.choice([0, 3, 60, 4000])))
        for number in range(files)
    }

def records(texts):
    return [
        record(path, text, role="note", title=f"Title {path}", tags=("one", path), day=date(2024, 1, 1))
        for path, text in texts.items()
    ]

def children():
    return [int(name) for name in open(f"/proc/self/task/{os.getpid()}/children").read().split()]

QUERIES = ["run", "abc-123 title", '"京都"', "ru*", "dont~1", "+run -zebra", "x_y.py", "tag:one"]

def hits(index):
    return [index.query(parse_query(query), 50) for query in QUERIES]
"""


def run(code: str, folder: Path, engine: str = "whoosh") -> subprocess.CompletedProcess[str]:
    """Run code in a process without other threads."""
    return subprocess.run(
        [sys.executable, "-c", PREPARE + code, str(folder), engine],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_several_processes_index_what_one_would(tmp_path, engine):
    """Scores too, to the last bit: trees of many sizes, updated in bulk, against one document at a time."""
    code = """
for seed in range(4):
    rng = random.Random(seed)
    with (
        open_documents(f"{sys.argv[1]}/bulk{seed}", KEY, sys.argv[2]) as bulk,
        open_documents(f"{sys.argv[1]}/single{seed}", KEY, sys.argv[2]) as single,
    ):
        for files in (rng.choice([1, 7, 30]), 12):
            texts = tree(rng, files)
            had_children = []
            def watched():
                for each in records(texts):
                    yield each
                    had_children.append(bool(children()))
            gone = rng.sample(sorted(bulk.stamps()), len(bulk.stamps()) // 3)
            bulk.upsert(watched(), [path for path in gone if path not in texts], alone=0)
            single.remove(path for path in gone if path not in texts)
            for each in records(texts):
                single.upsert([each])
            assert bulk.stamps() == single.stamps()
            assert hits(bulk) == hits(single), seed
            bulk.merge()
            assert hits(bulk) == hits(single), seed
            helped = any(had_children)
            assert helped or sys.argv[2] == "sqlite" or sum(map(len, texts.values())) < 80_000
            assert not children()
"""
    result = run(code, tmp_path, engine)
    assert (result.returncode, result.stderr) == (0, "")


def test_what_a_killed_worker_had_is_not_indexed_and_can_be_again(tmp_path):
    code = """
texts = {f"notes/{number}.md": f"zebra word{number} " * 2000 for number in range(30)}
def killing():
    for number, each in enumerate(records(texts)):
        if number == 20:
            os.kill(children()[0], signal.SIGKILL)
        yield each
with open_documents(f"{sys.argv[1]}/index", KEY, sys.argv[2]) as index:
    index.upsert(killing(), alone=0)
    indexed = {*index.stamps()}
    assert 0 < len(indexed) < 30, len(indexed)
    assert {hit.path for hit in index.query(parse_query("zebra"), 10_000)} == indexed
    index.upsert(each for each in records(texts) if each.path not in indexed)
    assert {hit.path for hit in index.query(parse_query("zebra"), 10_000)} == {*texts}
"""
    result = run(code, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_an_error_after_the_first_result_is_the_one_that_is_raised_and_leaves_no_process(tmp_path):
    code = """
import io, pickle
from memtool.index.engine import BrokenIndex
os.sched_getaffinity = lambda _: range(4)
own, load, count = os.getpid(), pickle.load, 0
def failing(file):
    global count
    raw = getattr(file, "raw", None)
    count += os.getpid() == own and isinstance(raw, io.FileIO) and isinstance(raw.name, int)  # a pipe
    if count == 2:
        raise MemoryError("of the second result")
    return load(file)
pickle.load = failing
with open_documents(f"{sys.argv[1]}/index", KEY, sys.argv[2]) as index:
    index.upsert(records({"before.md": "lion"}))
    count = 0
    try:
        index.upsert(records({f"{number}.md": "zebra " * 9000 for number in range(30)}), alone=0)
    except BrokenIndex as error:
        assert "of the second result" in str(error), error
    else:
        raise AssertionError("no error")
    assert not children()
"""
    result = run(code, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_without_another_process_to_be_had_this_one_builds(tmp_path):
    code = """
import errno
def refused():
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
os.fork = refused
texts = {f"{number}.md": "zebra " * 9000 for number in range(9)}
with open_documents(f"{sys.argv[1]}/index", KEY, sys.argv[2]) as index:
    index.upsert(records({"before.md": "lion"}))
    opened = len(os.listdir("/proc/self/fd"))
    index.upsert(records(texts), alone=0)
    assert {*index.stamps()} == {"before.md", *texts}
    assert len(os.listdir("/proc/self/fd")) <= opened + 2, "a pipe is left"
"""
    result = run(code, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_what_workers_lose_every_time_is_indexed_without_them(tmp_path):
    make(tmp_path / "w", {f"memory/notes/{number}.md": "zebra " * 9000 for number in range(9)})
    code = """
from pathlib import Path
from memtool.index.documents import segment_workers
from memtool.index.documents.document_index import engine_named
from memtool.verbs.indexing.documents import DocumentSync
from tests.trees import opened
def dying(*_):
    raise SystemError
segment_workers._serve = dying
engine_named(sys.argv[2]).upsert.__kwdefaults__["alone"] = 0
workspace = opened(Path(sys.argv[1]) / "w", "native", MEMTOOL_SEARCH_ENGINE=sys.argv[2])
index = DocumentSync(workspace, KEY, wait=5.0)
assert len(index.sync().stamps) == 9
index.close()
"""
    result = run(code, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_workers_end_when_their_process_is_killed(tmp_path):
    code = """
def endless():
    for number in range(10 ** 9):
        yield from records({f"{number}.md": "zebra " * 4000})
        if number == 20:
            print(*children(), flush=True)
with open_documents(f"{sys.argv[1]}/index", KEY, sys.argv[2]) as index:
    index.upsert(records({"before.md": "lion"}))
    index.upsert(endless(), alone=0)
"""
    with subprocess.Popen(
        [sys.executable, "-c", PREPARE + code, str(tmp_path), "whoosh"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        workers = [int(number) for number in process.stdout.readline().split()]
        process.send_signal(signal.SIGKILL)
        assert workers
        process.stdout.read()  # ends with the last process that has it open
    code = """
with open_documents(f"{sys.argv[1]}/index", KEY, sys.argv[2]) as index:
    assert index.why_empty is None
    assert set(index.stamps()) == {"before.md"}
    index.upsert(records({"after.md": "lion"}))
    assert len(index.query(parse_query("lion"), 10)) == 2
"""
    result = run(code, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
