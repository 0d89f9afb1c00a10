"""Alternatives: values of different classes of one union are told apart by `==`, too."""

from __future__ import annotations

import importlib
import pkgutil
import types
from typing import NamedTuple, get_args

import pytest

import memtool

NEEDS_MORE = ("memtool.__main__", "memtool.cli.documentation.build_hook")
"""Modules that run a command when they are imported, or need what builds the wheel."""


def unions():
    """Every union of several classes of the package, by its module and name."""
    for found in pkgutil.walk_packages(memtool.__path__, "memtool."):
        if found.name in NEEDS_MORE:
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if isinstance(value, types.UnionType):
                yield f"{found.name}.{name}", value


def equal_by_fields_alone(union):
    """The alternatives that are tuples: two of different classes are equal when their fields are."""
    members = [one for one in get_args(union) if isinstance(one, type) and issubclass(one, tuple)]
    return {one.__name__ for one in members}


UNIONS = dict(unions())


def test_the_unions_are_found():
    assert {
        "memtool.core.hooks.hook_event.HookEventKind",
        "memtool.core.history.journal.CommitStep",
    } <= UNIONS.keys()


@pytest.mark.parametrize("name", sorted(UNIONS))
def test_no_alternative_is_a_tuple(name):
    assert equal_by_fields_alone(UNIONS[name]) == set()


def test_a_planted_named_tuple_is_found():
    class Begun(NamedTuple):
        source: str

    class Ended(NamedTuple):
        source: str

    assert Begun("x") == Ended("x")
    assert equal_by_fields_alone(Begun | Ended) == {"Begun", "Ended"}
