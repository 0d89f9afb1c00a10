"""The help topic `clients`: its table says what the tables in the code say, and names tests that are run."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable
from types import ModuleType

import pytest

from memtool.cli.render.client_settings import MCP_CLIENTS
from memtool.cli.topics import topic_page
from memtool.core.hooks.hook_event import AGENTS
from memtool.layouts.load import LAYOUT_NAMES
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS

API_FORMATS = {"openai", "anthropic"}
"""Formats of messages that belong to no client."""
COLUMNS = {
    "hooks": {*AGENTS},
    "MCP": {*MCP_CLIENTS},
    "import": {*TRANSCRIPT_FORMATS} - API_FORMATS,
    "layout": {*LAYOUT_NAMES} - {"native"},
}
"""What the code supports, by the column of the table."""
HEADER, _, *ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in topic_page("clients").splitlines()
    if line.startswith("|")
]
TABLE = {client.strip("`"): dict(zip(HEADER[1:], cells, strict=True)) for client, *cells in ROWS}
LISTED = dict(re.findall(r"(?m)^ ?(\d+)  (\S+::\w+)$", topic_page("clients")))
"""The tests by their numbers, as `file::function`."""
NAMED = [
    (client, column, cell) for client, cells in TABLE.items() for column, cell in cells.items() if cell != "-"
]
OTHER_NAMES = {"claude-code": "claude"}
"""The names of clients in tests, where they are others."""


def test_the_table_has_each_client_once_and_no_other():
    assert ["client", *COLUMNS] == HEADER
    assert len(ROWS) == len(TABLE) >= 12
    assert TABLE.keys() == set().union(*COLUMNS.values())


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_has_a_test_for_what_the_code_supports_and_dashes_elsewhere(column):
    assert {client for client, cells in TABLE.items() if cells[column] != "-"} == COLUMNS[column]


def test_each_listed_test_is_in_the_table_and_each_cell_in_the_list():
    numbers = {cell.split(" ")[1] for _, _, cell in NAMED}
    assert numbers == LISTED.keys()
    assert [*LISTED] == [str(number) for number in range(1, len(LISTED) + 1)]


@pytest.mark.parametrize(("client", "column", "cell"), NAMED)
def test_a_named_test_is_run_with_the_client_and_is_real_where_the_table_says_so(client, column, cell):
    kind, number = cell.split(" ")
    path, _, name = LISTED[number].partition("::")
    assert kind == ("real" if path.startswith("clients/") else "shape")
    module = importlib.import_module(f"tests.{path.removesuffix('.py').replace('/', '.')}")
    function = getattr(module, name)
    assert {client, OTHER_NAMES.get(client)} & clients_of(module, function), f"{name} is not about {client}"


@pytest.mark.parametrize("client", sorted(COLUMNS["layout"]))
def test_the_test_of_a_layout_has_a_tree_with_files_of_that_client(client):
    path = LISTED[TABLE[client]["layout"].split(" ")[1]].partition("::")[0]
    module = importlib.import_module(f"tests.{path.removesuffix('.py').replace('/', '.')}")
    files, *_ = module.TREES[client]
    others = [tree for name, (tree, *_) in module.TREES.items() if name != client]
    assert files
    assert files not in others


def clients_of(module: ModuleType, function: Callable[..., object]) -> set[str]:
    """The values that a test or one of its fixtures is run with; of a test without any, the words in it.

    Of the latter, the name of the file counts, too.
    """
    values = [value for mark in getattr(function, "pytestmark", ()) for value in flat([*mark.args[1]])]
    for argument in inspect.signature(function).parameters:
        marker = getattr(getattr(module, argument, None), "_fixture_function_marker", None)
        values += flat([*(getattr(marker, "params", None) or ())])
    words = re.findall(r"[a-z]+", inspect.getsource(function).replace("s_", " "))
    return set(values) or {*words, module.__name__.rpartition("test_")[2].replace("_", "-")}


def flat(values: Iterable[object]) -> list[str]:
    """The texts in values and in tuples of them."""
    rows = [[*value] if isinstance(value, tuple) else [value] for value in values]
    return [value for row in rows for value in row if isinstance(value, str)]
