"""A faster start of short commands: patterns and tables from a cache, and fewer modules to import."""

from __future__ import annotations

import contextlib
import os
import sys

TYPE_CHECKING = False  # a hook waits for what is imported here
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


@contextlib.contextmanager
def compiled_cache(options: Mapping[str, Any]) -> Iterator[None]:
    """Use what earlier processes compiled and parsed, and keep what is new; not in incognito mode."""
    import_msgspec()
    from memtool.store.external.compiled_cache import CompiledCache, cache_path

    cache = CompiledCache(cache_path(os.environ))
    cache.install()
    try:
        yield
    finally:
        if not options.get("incognito") and os.environ.get("MEMTOOL_MODE") != "incognito":
            cache.save()


def import_msgspec() -> None:
    """Import msgspec without typing_extensions, from which it takes two functions that `typing` also has.

    If typing_extensions is installed, it imports `inspect`, which takes 6 ms of a process of 150 ms.
    """
    modules: dict[str, Any] = sys.modules
    is_blocked = "typing_extensions" not in modules and "msgspec" not in modules
    if is_blocked:
        modules["typing_extensions"] = None  # an import raises ImportError
    try:
        import msgspec  # noqa: F401
    finally:
        if is_blocked:
            del modules["typing_extensions"]
