"""Alternatives: values of different classes of one union are told apart by `==`, too."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import types
from typing import NamedTuple, get_args

import memtool

NEEDS_MORE = ("memtool.__main__", "memtool.cli.documentation.build_hook")
"""Modules that run a command when they are imported, or need what builds the wheel."""


@functools.cache
def unions():
    """Every union of several classes of the package, by its module and name.

    That imports the whole package with all that it may need, which only the process does that runs the test.
    """
    return {
        f"{found.name}.{name}": value
        for found in pkgutil.walk_packages(memtool.__path__, "memtool.")
        if found.name not in NEEDS_MORE
        for name, value in vars(importlib.import_module(found.name)).items()
        if isinstance(value, types.UnionType)
    }


def equal_by_fields_alone(union):
    """The alternatives that are tuples: two of different classes are equal when their fields are."""
    members = [one for one in get_args(union) if isinstance(one, type) and issubclass(one, tuple)]
    return {one.__name__ for one in members}


def test_the_unions_are_found():
    assert {
        "memtool.core.hooks.hook_event.HookEventKind",
        "memtool.core.history.journal.CommitStep",
    } <= unions().keys()


def test_no_alternative_is_a_tuple():
    tuples = {name: equal_by_fields_alone(union) for name, union in unions().items()}
    assert {name: found for name, found in tuples.items() if found} == {}


def test_a_planted_named_tuple_is_found():
    class Begun(NamedTuple):
        source: str

    class Ended(NamedTuple):
        source: str

    assert Begun("x") == Ended("x")
    assert equal_by_fields_alone(Begun | Ended) == {"Begun", "Ended"}
