"""The thread that reads a server's input: it reads from nothing else, however long it lives."""

from __future__ import annotations

import os
import queue

from memtool.serve.reader_thread import read_block, start_reader


def test_a_reader_that_outlives_its_server_takes_nothing_from_the_next_file_of_the_number():
    source, sink = os.pipe()
    blocks: queue.Queue[bytes] = queue.Queue()

    def read(own: int) -> None:
        while block := read_block(own, 100):
            blocks.put(block)
        blocks.put(b"")

    start_reader(read, source, "reader")
    other, others_sink = os.pipe()
    os.dup2(other, source)
    os.write(others_sink, b"of another")
    os.write(sink, b"own")
    os.close(sink)
    assert [blocks.get(timeout=30), blocks.get(timeout=30)] == [b"own", b""]
    assert os.read(source, 100) == b"of another"
    for descriptor in (source, other, others_sink):
        os.close(descriptor)


def test_what_cannot_be_read_is_at_its_end(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    assert read_block(folder, 100) == b""
    os.close(folder)
