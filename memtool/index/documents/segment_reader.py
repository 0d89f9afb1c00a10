"""Reading a segment of Whoosh without Whoosh, whose import is a tenth of a cold prompt.

The files are those of its codec W3, in one compound file: a hash of terms, blocks of postings, and a column
for each kind of value. Numbers in them are big-endian. Formats: whoosh/filedb/compound.py, filetables.py,
whoosh/codec/whoosh3.py and whoosh/columns.py of whoosh3 3.54.
"""

from __future__ import annotations

import os
import pickle
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import md5
from io import BytesIO
from itertools import accumulate, repeat
from struct import Struct as Packed
from typing import Any

from msgspec import Struct

_DIRECTORY = Packed("!qi")
"""At the start of a compound file: position and length of its directory."""
_TABLE = Packed("!qi")
"""Of each of the 256 hash tables: its position, and how many slots it has."""
_SLOT = Packed("!Iq")
"""Hash and position of a record; position 0 is an empty slot."""
_RECORD = Packed("!ii")
"""Before a key and its value: their lengths."""
_INT = Packed("!i")
_FIELD = Packed("!H")
_TERM = Packed("!BfIBBfIIqi")
"""Whether postings are inside, weight, document frequency, four more statistics, position and length."""
_TABLES = 256
_EXTRAS = 4096
"""Bytes that hold what is noted of a hash of terms: three short entries."""
_MAGIC, _POSTINGS_MAGIC = b"HSH3\0", b"W3Bl"
_BLOCK = 1 << 16
"""Bytes of the hash of terms that are read at once."""


class SegmentInfo(Struct, frozen=True):
    """A segment as the listing names it: how many chunks it has, and the numbers of the deleted ones."""

    name: str
    chunks: int
    deleted: tuple[int, ...] = ()

    def doc_count_all(self) -> int:
        """The number of chunks, as Whoosh's own segments tell it."""
        return self.chunks

    def doc_count(self) -> int:
        """The number of chunks that are not deleted."""
        return self.chunks - len(self.deleted)


class SegmentReader:
    """An open segment. Every method raises OSError or ValueError for a file that is damaged or not W3."""

    def __init__(self, folder: str, info: SegmentInfo) -> None:
        self.info = info
        path = os.path.join(folder, f"{info.name}.seg")
        self._handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._size = os.fstat(self._handle).st_size
        directory = _loads(self._read(*_DIRECTORY.unpack(self._read(0, _DIRECTORY.size))))
        self._parts: dict[str, tuple[int, int]] = {
            name[len(info.name) :]: (part["offset"], part["length"]) for name, part in directory.items()
        }
        self._terms_at, length = self._parts[".trm"]
        if self._read(self._terms_at, len(_MAGIC)) != _MAGIC:
            raise ValueError("the terms of a segment have an unknown format")
        end = self._terms_at + length - _INT.size
        extras = end - int(_INT.unpack(self._read(end, _INT.size))[0])
        size = _TABLES * _TABLE.size
        tail = self._read(extras - size, size + min(_EXTRAS, end - extras))
        self._tables = [*_TABLE.iter_unpack(tail[:size])]
        noted = _loads(tail[size:])
        self._fields: dict[str, int] = noted["fieldmap"]
        self._count: int = noted["indexlen"]
        self._order: str = noted["indextype"]
        self._order_at = end - self._count * array(self._order).itemsize

    def __del__(self) -> None:
        """Close the file, once no source and no search uses it."""
        handle = self.__dict__.pop("_handle", None)
        if handle is not None:
            os.close(handle)

    def _read(self, start: int, length: int) -> bytes:
        if start + length > self._size:  # before so much memory is asked for
            raise ValueError("a segment file is truncated")
        content = os.pread(self._handle, length, start)
        if len(content) != length:
            raise ValueError("a segment file is truncated")
        return content

    def frequency(self, field: str, term: str) -> int:
        """In how many chunks a term is, deleted ones included."""
        found = self._find(field, term)
        return 0 if found is None else int(_TERM.unpack(found)[2])

    def postings(self, field: str, term: str) -> dict[int, float]:
        """The weight of a term in each chunk that holds it, deleted ones included."""
        found = self._find(field, term)
        return {} if found is None else self._postings(found)

    def _find(self, field: str, term: str) -> bytes | None:
        """What is stored of a term; None if no chunk has it."""
        number = self._fields.get(field)
        if number is None:
            return None
        key = _FIELD.pack(number) + term.encode("utf-8", "surrogatepass")
        hashed = int.from_bytes(md5(key, usedforsecurity=False).digest()[-4:], "big")
        table, slots = self._tables[hashed & 255]
        for probe in range(slots):
            slot = ((hashed >> 8) + probe) % slots
            slot_hash, position = _SLOT.unpack(
                self._read(self._terms_at + table + slot * _SLOT.size, _SLOT.size)
            )
            if not position:
                return None
            if slot_hash == hashed:
                sizes = self._read(self._terms_at + position, _RECORD.size)
                key_size, value_size = _RECORD.unpack(sizes)
                if key_size == len(key):
                    start = self._terms_at + position + _RECORD.size
                    record = self._read(start, key_size + value_size)
                    if record.startswith(key):
                        return record[key_size:]
        return None

    def _postings(self, term: bytes) -> dict[int, float]:
        is_inside, *_, start, length = _TERM.unpack(term)
        if is_inside:
            raise ValueError("the postings of a term have an unknown format")
        content = self._read(self._parts[".pst"][0] + start, length)
        if not content.startswith(_POSTINGS_MAGIC):
            raise ValueError("the postings of a term have an unexpected header")
        weights: dict[int, float] = {}
        position, size = len(_POSTINGS_MAGIC), 1
        while size > 0:
            size = int(_INT.unpack_from(content, position)[0])  # negative in the last block
            position += _INT.size
            block = BytesIO(content[position : position + abs(size)])
            position += abs(size)
            count, _, _, is_compressed, *_ = _PlainUnpickler(block).load()
            packed = block.read()
            steps, weighed, _ = _loads(zlib.decompress(packed) if is_compressed else packed)
            if not isinstance(weighed, tuple):  # one weight for all, and none for 1
                weighed = repeat(1.0 if weighed is None else weighed, count)
            weights.update(zip(accumulate(steps), weighed, strict=True))
        return weights

    def terms(self, field: str, prefix: str = "") -> Iterator[bytes]:
        """The terms of a field that begin with a prefix, in order, as UTF-8."""
        return (term for term, _ in self._records(field, prefix))

    def all_postings(self, field: str) -> Iterator[tuple[bytes, dict[int, float]]]:
        """Each term of a field, in order, with its postings."""
        return ((term, self._postings(value)) for term, value in self._records(field))

    def _records(self, field: str, prefix: str = "") -> Iterator[tuple[bytes, bytes]]:
        """Terms and what is stored of each."""
        number = self._fields.get(field)
        if number is None:
            return
        start = _FIELD.pack(number) + prefix.encode("utf-8", "surrogatepass")
        at, end = self._position(start), self._tables[0][0]
        content, position = b"", 0
        while at + position < end:
            if len(content) - position < _RECORD.size:
                content, at, position = self._terms_from(at + position, end, 0), at + position, 0
            key_size, value_size = _RECORD.unpack_from(content, position)
            size = _RECORD.size + key_size + value_size
            if key_size < _FIELD.size or value_size < 0:
                raise ValueError("the size of a term is invalid")
            if len(content) - position < size:
                content, at, position = self._terms_from(at + position, end, size), at + position, 0
            middle = position + _RECORD.size + key_size
            key = content[position + _RECORD.size : middle]
            if not key.startswith(start):
                return
            yield key[_FIELD.size :], content[middle : position + size]
            position += size

    def _terms_from(self, at: int, end: int, least: int) -> bytes:
        return self._read(self._terms_at + at, min(end - at, max(least, _BLOCK)))

    def _position(self, key: bytes) -> int:
        """Where the first record is whose key is not smaller; the end of all records if each is."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            at = self._terms_at + self._position_of(middle)
            size = int(_RECORD.unpack(self._read(at, _RECORD.size))[0])
            if self._read(at + _RECORD.size, size) < key:
                low = middle + 1
            else:
                high = middle
        return self._tables[0][0] if low == self._count else self._position_of(low)

    def _position_of(self, number: int) -> int:
        return self._item(self._order_at, self._order, number)

    def stored(self, number: int) -> dict[str, Any]:
        """The stored fields of a chunk."""
        start, length = self._place(number)
        content = self._read(start, length)
        fields: dict[str, Any] = _loads(zlib.decompress(content)) if content else {}
        return fields

    def _place(self, number: int) -> tuple[int, int]:
        """Where the stored fields of a chunk are: position and length."""
        start, length = self._parts["._stored.col"]
        end, count = start + length, self.info.chunks
        code = self._read(end - 1, 1).decode("ascii")
        if code != "X":
            begins = self._begins
            return start + begins[number], begins[number + 1] - begins[number]
        codes = self._read(end - 3, 2).decode("ascii")  # of many chunks, both are written
        of_lengths, of_begins = codes[0], codes[1]
        begins_at = end - 3 - array(of_begins).itemsize * count
        lengths_at = begins_at - array(of_lengths).itemsize * count
        return start + self._item(begins_at, of_begins, number), self._item(lengths_at, of_lengths, number)

    @cached_property
    def _begins(self) -> Sequence[int]:
        """Where the stored fields of each chunk begin, and where the last ends, by the lengths of all."""
        start, length = self._parts["._stored.col"]
        end = start + length - 1
        code = self._read(end, 1).decode("ascii")
        size = array(code).itemsize * self.info.chunks
        return [*accumulate(_numbers(code, self._read(end - size, size)), initial=0)]

    def _item(self, start: int, code: str, number: int) -> int:
        """One number of those that are packed from `start`."""
        size = array(code).itemsize
        return int(_numbers(code, self._read(start + number * size, size))[0])

    def numbers(self, column: str) -> Sequence[int]:
        """The column of a field of numbers; chunks after its end have 0."""
        start, length = self._parts.get(f".{column}.col", (0, 0))
        return _numbers("i", self._read(start, length))


class _PlainUnpickler(pickle.Unpickler):
    """Reads pickles of numbers, texts, tuples and the like; one that names a class or function is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise ValueError(f"a segment refers to {module}.{name}, but an index must contain only plain data")


def _loads(content: bytes) -> Any:
    return _PlainUnpickler(BytesIO(content)).load()


def _numbers(code: str, content: bytes) -> array[int]:
    numbers: array[int] = array(code, content)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers
