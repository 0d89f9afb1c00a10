"""The fleet on this machine: `python -m tests.bench.fleet [TREES] [FILES]`.

A throw-away server gets so many trees with so many files of ten chunks each. The words are drawn by Zipf's
law, so that the commonest are in nearly every chunk. Measured are pushes of a real tree, each a process of
its own, and searches of one tree that may read all others: from the connection to the last hit, in this
process. Recall@10 is against the ranking of all chunks that hold a word of the query.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memtool.core.records.document import Chunk
from memtool.core.search.query import parse_query
from memtool.fleet import schema
from memtool.fleet.connection import connected, tree_dsn
from memtool.fleet.dev_server import dev_server
from memtool.fleet.document_rows import begin_push, finish_push, put_document
from memtool.fleet.fleet_source import MOST_CANDIDATES, FleetSource
from memtool.index.documents.document_index import Overlay
from memtool.index.engine import DocumentRecord, FileStamp
from tests.bench.table import Table
from tests.trees import clean_environment, make

CHUNKS = 10
WORDS_OF_A_CHUNK = 60
VOCABULARY = 60_000
WRITERS = 4
QUERIES = 100
EXACT_QUERIES = 40
"""Queries of a kind for Recall@10."""
SHARED_BUFFERS = "2GB"
"""PostgreSQL's documentation recommends a quarter of the memory; without it, a server uses 128 MB."""
EVERYTHING = 1 << 30


class Writer:
    """Draws words by Zipf's law, and counts the chunks that hold each."""

    def __init__(self, seed: int) -> None:
        self._chooser = random.Random(seed)
        self._names = [_name(number) for number in range(VOCABULARY)]
        self._sums = [*itertools.accumulate(1 / (rank + 2) for rank in range(VOCABULARY))]
        self.held_by: Counter[str] = Counter()

    def text(self) -> str:
        """The text of a chunk."""
        draws = (self._chooser.random() * self._sums[-1] for _ in range(WORDS_OF_A_CHUNK))
        words = [self._names[bisect.bisect(self._sums, draw)] for draw in draws]
        self.held_by.update({*words})
        return " ".join(words)

    def record(self, number: int) -> DocumentRecord:
        """A document of a tree."""
        chunks = tuple(Chunk(line, line, (), self.text()) for line in range(1, CHUNKS + 1))
        stamp = FileStamp(0, 0, 0, 0, 0, f"{number:032x}")
        return DocumentRecord(f"memory/notes/zettel/{number}.md", stamp, chunks, role="note", title="A note")


def _name(number: int) -> str:
    """A word of letters that no stemmer changes."""
    letters = "bcdfghjkmp"
    return "".join(f"{letters[int(digit)]}o" for digit in f"{number:05}")


@contextlib.contextmanager
def throw_away_server() -> Iterator[str]:
    """A server with a fleet and with room for its index in memory; its administrator's DSN."""
    folder = tempfile.mkdtemp(prefix="fleet-")
    server = dev_server(os.environ, folder)
    server.start()
    try:
        with connected(server.dsn) as connection:
            connection.execute(f"ALTER SYSTEM SET shared_buffers = '{SHARED_BUFFERS}'")
        server.stop()
        server.start()
        with connected(server.dsn) as connection:
            schema.init(connection)
        yield server.dsn
    finally:
        server.stop()
        shutil.rmtree(folder)


def fill(dsn: str, trees: int, files: int) -> Counter[str]:
    """Push `files` documents into each of `trees` trees; the chunks that hold each word."""

    def push_tree(number: int) -> Counter[str]:
        writer = Writer(number)
        with connected(dsn) as operator:
            tree = schema.join(operator, f"tree-{number}")
            own = tree_dsn(operator, dsn, tree.role, tree.key)
        with connected(own) as connection:
            push = begin_push(connection)
            for document in range(files):
                put_document(connection, push, writer.record(document))
            finish_push(connection, push)
        return writer.held_by

    with ThreadPoolExecutor(WRITERS) as pool:
        return sum(pool.map(push_tree, range(trees)), Counter())


def queries(held_by: Counter[str], chunks: int) -> dict[str, list[str]]:
    """Queries by kind."""
    chooser = random.Random(1)
    common = [word for word, _ in held_by.most_common(20)]
    rare = [word for word, count in held_by.items() if 3 <= count <= max(20, chunks // 5_000)]

    def draw(rare_words: int, common_words: int) -> list[str]:
        return [
            " ".join(chooser.sample(rare, rare_words) + chooser.sample(common, common_words))
            for _ in range(QUERIES)
        ]

    return {
        "two rare words": draw(2, 0),
        "one rare, two common words": draw(1, 2),
        "one of the commonest words": draw(0, 1),
        "three of the commonest words": draw(0, 3),
    }


def search(dsn: str, text: str, most: int = MOST_CANDIDATES) -> list[tuple[str, int, float]]:
    """The ten best chunks, from a new connection."""
    query = parse_query(text)
    with connected(dsn) as connection:
        source = FleetSource(connection, most=most)
        source.load_query(query)
        hits = Overlay([source]).query(query, 10)
    return [(hit.path, hit.first, hit.score) for hit in hits]


def measure_searches(table: Table, dsn: str, held_by: Counter[str], chunks: int) -> None:
    """Rows for the searches of a tree that may read all others."""
    with connected(dsn) as operator:
        tree = schema.join(operator, "reader", ["all"])
        own = tree_dsn(operator, dsn, tree.role, tree.key)
    for kind, texts in queries(held_by, chunks).items():
        seconds, recalls = [], []
        for number, text in enumerate(texts):
            start = time.perf_counter()
            hits = search(own, text)
            seconds.append(time.perf_counter() - start)
            if number < EXACT_QUERIES:
                exact = search(own, text, EVERYTHING)
                least = exact[-1][2] if exact else 0.0  # of equal scores any will do
                recalls.append(sum(score >= least for _, _, score in hits) / max(1, len(exact)))
        ordered = sorted(seconds)
        median, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
        recall = sum(recalls) / len(recalls)
        table.add(f"search, {kind}: median", median * 1000, None, " ms")
        table.add(f"search, {kind}: p95", p95 * 1000, 250 if "commonest" in kind else 100, " ms")
        table.least(f"search, {kind}: Recall@10", recall * 100, 95, " %")


def measure_pushes(table: Table, dsn: str) -> None:
    """Rows for the pushes of a tree of 100 files, each a process of its own."""
    folder = Path(tempfile.mkdtemp(prefix="fleet-"))
    writer = Writer(0)
    paths = [f"memory/notes/zettel/note-{number}.md" for number in range(100)]
    files = {path: "\n\n".join(writer.text() for _ in range(CHUNKS)) for path in paths}
    root = make(folder / "tree", {"memtool.toml": 'layout = "native"\n', **files})

    def run(*arguments: str) -> float:
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "memtool", "-q", *arguments],
            cwd=root,
            env=clean_environment(folder),
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return time.perf_counter() - start

    try:
        run("fleet", "join", dsn, "--as", "real", "--reads", "all")
        run("search", _name(0))  # the local index is there
        table.add("first push of 100 files, s", run("fleet", "push"), None)
        edits = []
        for number in range(11):
            make(root, {paths[number]: files[paths[number]] + f"\n\nedited {number}\n"})
            edits.append(run("fleet", "push"))
        table.add("push of one edit: median, s", sorted(edits)[len(edits) // 2], 1.0)
        table.add("push of one edit: worst, s", max(edits), 1.0)
        table.add("push of nothing, s", run("fleet", "push"), None)
        table.add("search --fleet, s", run("search", "--fleet", _name(900), _name(0)), None)
    finally:
        shutil.rmtree(folder)


def main(arguments: list[str]) -> None:
    """Measure, and print a table."""
    trees, files = [*map(int, arguments), *(50, 100)[len(arguments) :]]
    table = Table()
    with throw_away_server() as dsn:
        start = time.perf_counter()
        held_by = fill(dsn, trees, files)
        seconds = time.perf_counter() - start
        chunks = trees * files * CHUNKS
        table.add(f"fill {trees} trees, {chunks:,} chunks: files a second", trees * files / seconds, None, "")
        with connected(dsn) as connection:
            connection.execute("VACUUM ANALYZE")  # as autovacuum does within minutes
            (row,) = connection.execute("SELECT pg_database_size(current_database())").fetchall()
        table.add("size of the database, bytes a chunk", row[0] / chunks, None, " B")
        measure_searches(table, dsn, held_by, chunks)
        measure_pushes(table, dsn)
    table.show()


if __name__ == "__main__":
    main(sys.argv[1:])
