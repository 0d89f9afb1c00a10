"""A faster start of short commands: patterns and tables from a cache, and fewer modules to import."""

from __future__ import annotations

import contextlib
import os
import sys
from types import ModuleType

TYPE_CHECKING = False  # a hook waits for what is imported here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

_DEFERRED = {
    "msgspec._json_schema": ("schema", "schema_components"),
    "msgspec.inspect": (),
    "urllib.parse": ("quote_from_bytes",),
}
"""Modules that msgspec, and pathlib before Python 3.12, import for rare calls, and their functions."""


@contextlib.contextmanager
def compiled_cache(options: Mapping[str, Any]) -> Iterator[None]:
    """Use what earlier processes compiled and parsed, and keep what is new; not in incognito mode."""
    import_libraries()
    from memtool.store.external.compiled_cache import CompiledCache, cache_path

    cache = CompiledCache(cache_path(os.environ))
    cache.install()
    try:
        yield
    finally:
        if not options.get("incognito") and os.environ.get("MEMTOOL_MODE") != "incognito":
            cache.save()


def import_libraries() -> None:
    """Import msgspec and pathlib without modules that they need only for functions that no command calls.

    Those functions import the module when they are called. `typing_extensions`, which imports `inspect`, is
    left out because `typing` has the same functions. All this takes a twelfth of the time of a short command.
    """
    modules: dict[str, Any] = sys.modules
    if "msgspec" in modules:
        return
    stand_ins: dict[str, Any] = {"typing_extensions": None}  # an import raises ImportError
    stand_ins |= {name: _stand_in(name, functions) for name, functions in _DEFERRED.items()}
    missing = {name: module for name, module in stand_ins.items() if name not in modules}
    modules.update(missing)
    try:
        import pathlib  # noqa: F401

        import msgspec
    finally:
        for name in missing:
            del modules[name]
    del msgspec.inspect  # `from msgspec import inspect` now imports the module


def _stand_in(name: str, functions: Sequence[str]) -> ModuleType:
    """A module with some functions of another, which is imported when one is called."""

    def deferred(function: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            from importlib import import_module

            return getattr(import_module(name), function)(*arguments, **options)

        return call

    module = ModuleType(name)
    module.__dict__.update({function: deferred(function) for function in functions})
    return module
