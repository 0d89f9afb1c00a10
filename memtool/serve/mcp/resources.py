"""Resources: the readable files of memory under `memtool:///` and their path, a page of them at a time."""

from __future__ import annotations

from urllib.parse import quote, unquote

from msgspec import Struct

from memtool.errors import BadUsage
from memtool.serve.mcp.desk import Desk
from memtool.verbs.access.get import MemoryFile, get, list_files

SCHEME = "memtool:///"
TEMPLATE = "memtool:///{+path}"
_PAGE = 100
_MOST = 500_000
"""Characters of a file that is given whole."""


class Page(Struct, frozen=True):
    """Some of the files, by path, and what to ask for to see the next; None where there are no more."""

    files: tuple[MemoryFile, ...]
    cursor: str | None


def page(desk: Desk, cursor: str | None) -> Page:
    """The files whose paths come after the cursor, which is the last path of the page before."""
    after = unquote(cursor, errors="surrogateescape") if cursor else ""
    found = [one for one in list_files(desk.workspace, desk.scope).files if one.path > after]
    shown = tuple(found[:_PAGE])
    return Page(shown, uri_path(shown[-1].path) if len(found) > _PAGE else None)


def uri(path: str) -> str:
    """The address of a file."""
    return SCHEME + uri_path(path)


def uri_path(path: str) -> str:
    """A path as it stands in an address, bytes that are not UTF-8 included."""
    return quote(path, errors="surrogateescape")


def text(desk: Desk, address: str) -> str | None:
    """The text of a file by its address; None when it is not there. Raises BadUsage, OutsideWorkspace."""
    path = address.removeprefix(SCHEME)
    if path == address:
        raise BadUsage(f"{address[:80]} is no address of memory; those begin with {SCHEME}")
    got = get(desk.workspace, unquote(path, errors="surrogateescape"), desk.scope)
    if got is not None and len(got.text) > _MOST:
        raise BadUsage(f"{got.path} is too long to be given whole; memory_get reads it in portions")
    return None if got is None else got.text
