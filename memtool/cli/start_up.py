"""What makes short commands short: patterns that are compiled already, and fewer modules to import."""

from __future__ import annotations

import contextlib
import os
import sys

TYPE_CHECKING = False  # a hook waits for what is imported here
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


@contextlib.contextmanager
def cached_patterns(options: Mapping[str, Any]) -> Iterator[None]:
    """Use patterns that earlier processes compiled, and keep the new ones; not in incognito mode."""
    import_msgspec()
    from memtool.core.text.regex import set_compiler
    from memtool.store.external.pattern_cache import PatternCache, cache_path

    patterns = PatternCache(cache_path(os.environ))
    set_compiler(patterns.compile)
    try:
        yield
    finally:
        if not options.get("incognito") and os.environ.get("MEMTOOL_MODE") != "incognito":
            patterns.save()


def import_msgspec() -> None:
    """Import msgspec without typing_extensions, of which it takes two functions that `typing` has, too.

    Where it is installed, it imports `inspect`: 6 ms of a process that lives for 150.
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
