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
from tests.clients.agents import AGENTS as AGENT_RUNNERS
from tests.clients.agents import CLIENT_NAMES, agent

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
REAL_NAMES = {CLIENT_NAMES.get(name, name): name for name in AGENT_RUNNERS}
"""The clients that tests run themselves, by memtool's names, with the names that they have in these tests."""


def test_the_table_has_each_client_once_and_no_other():
    assert ["client", *COLUMNS] == HEADER
    assert len(ROWS) == len(TABLE) >= 12
    assert TABLE.keys() == set().union(*COLUMNS.values())


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_has_a_test_for_what_the_code_supports_and_dashes_elsewhere(column):
    assert {client for client, cells in TABLE.items() if cells[column] != "-"} == COLUMNS[column]


def test_each_listed_test_is_in_one_column_of_the_table_and_each_cell_in_the_list():
    columns = {(cell.split(" ")[1], column) for _, column, cell in NAMED}
    assert sorted(number for number, _ in columns) == sorted(LISTED)
    assert [*LISTED] == [str(number) for number in range(1, len(LISTED) + 1)]


@pytest.mark.parametrize(("client", "column", "cell"), NAMED)
def test_a_cell_is_real_where_a_test_can_run_the_client_and_the_test_is_about_it(client, column, cell):
    kind, number = cell.split(" ")
    path, _, name = LISTED[number].partition("::")
    module = importlib.import_module(f"tests.{path.removesuffix('.py').replace('/', '.')}")
    function = getattr(module, name)
    can_be_real = column != "layout" and client in REAL_NAMES
    assert kind == ("real" if can_be_real else "shape")
    assert can_be_real == runs_an_agent(module, function)
    assert (REAL_NAMES[client] if can_be_real else client) in clients_of(module, function)


def runs_an_agent(module: ModuleType, function: Callable[..., object]) -> bool:
    """Whether a test makes an agent of `tests.clients`, itself or by a function of its module."""
    calls = set(re.findall(r"(\w+)\(", inspect.getsource(function)))
    makers = {name for name in calls if getattr(module, name, None) is agent}
    helpers = [
        getattr(module, name) for name in calls - makers if inspect.isfunction(getattr(module, name, None))
    ]
    return bool(makers) or any(re.search(r"\bagent\(", inspect.getsource(helper)) for helper in helpers)


@pytest.mark.parametrize("client", sorted(COLUMNS["layout"]))
def test_the_test_of_a_layout_has_a_tree_with_files_of_that_client(client):
    path = LISTED[TABLE[client]["layout"].split(" ")[1]].partition("::")[0]
    module = importlib.import_module(f"tests.{path.removesuffix('.py').replace('/', '.')}")
    files, *_ = module.TREES[client]
    others = [tree for name, (tree, *_) in module.TREES.items() if name != client]
    assert files
    assert files not in others


def clients_of(module: ModuleType, function: Callable[..., object]) -> set[str]:
    """The values that a test or one of its fixtures is run with; of a test without any, the words in it."""
    values = [value for mark in getattr(function, "pytestmark", ()) for value in flat([*mark.args[1]])]
    for argument in inspect.signature(function).parameters:
        marker = getattr(getattr(module, argument, None), "_fixture_function_marker", None)
        values += flat([*(getattr(marker, "params", None) or ())])
    words = re.findall(r"[a-z]+", inspect.getsource(function).replace("s_", " "))
    return set(values) or set(words)


def flat(values: Iterable[object]) -> list[str]:
    """The texts in values and in tuples of them."""
    rows = [[*value] if isinstance(value, tuple) else [value] for value in values]
    return [value for row in rows for value in row if isinstance(value, str)]
