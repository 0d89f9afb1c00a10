"""Resources: the readable memory files as `memtool:///PATH`, listed by pages."""

from __future__ import annotations

from urllib.parse import quote, unquote

from msgspec import Struct

from memtool.errors import BadUsage
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.access.get import MemoryFile, get, list_files

SCHEME = "memtool:///"
TEMPLATE = "memtool:///{+path}"
_PAGE_SIZE = 100
_MAX_CHARACTERS = 500_000
"""Most characters of a file that can be read as a resource."""


class ResourcePage(Struct, frozen=True):
    """One page of files in order of path, and the cursor of the next page; None on the last page."""

    files: tuple[MemoryFile, ...]
    cursor: str | None


def resource_page(tool_context: ToolContext, cursor: str | None) -> ResourcePage:
    """The files whose paths sort after the cursor, which is the last path of the previous page."""
    after = unquote(cursor, errors="surrogateescape") if cursor else ""
    remaining = [
        file for file in list_files(tool_context.workspace, tool_context.scope).files if file.path > after
    ]
    shown_files = tuple(remaining[:_PAGE_SIZE])
    return ResourcePage(shown_files, uri_path(shown_files[-1].path) if len(remaining) > _PAGE_SIZE else None)


def file_uri(path: str) -> str:
    """The URI of a file."""
    return SCHEME + uri_path(path)


def uri_path(path: str) -> str:
    """A path encoded for a URI, including bytes that are not UTF-8."""
    return quote(path, errors="surrogateescape")


def resource_text(tool_context: ToolContext, address: str) -> str | None:
    """The text of a file by its URI; None for a missing file. Raises BadUsage, OutsideWorkspace."""
    path = address.removeprefix(SCHEME)
    if path == address:
        raise BadUsage(f"{address[:80]!r} is not a memory URI; memory URIs begin with {SCHEME}")
    got = get(tool_context.workspace, unquote(path, errors="surrogateescape"), tool_context.scope)
    if got is not None and len(got.text) > _MAX_CHARACTERS:
        raise BadUsage(f"{got.path} is too long to return at once; read it in parts with memory_get")
    return None if got is None else got.text
