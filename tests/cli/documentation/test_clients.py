"""The help topic `clients`: its table says what the tables in the code say, and names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memtool.cli.render.client_settings import MCP_CLIENTS
from memtool.cli.topics import topic_page
from memtool.core.hooks.hook_event import AGENTS
from memtool.layouts.load import LAYOUT_NAMES
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS

TESTS = Path(__file__).parents[2]
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
NAMED = [
    (client, column, name) for client, cells in TABLE.items() for column, name in cells.items() if name != "-"
]


def test_the_table_has_each_client_once_and_no_other():
    assert ["client", *COLUMNS] == HEADER
    assert len(ROWS) == len(TABLE) >= 12
    assert TABLE.keys() == set().union(*COLUMNS.values())


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_has_a_test_for_what_the_code_supports_and_dashes_elsewhere(column):
    assert {client for client, cells in TABLE.items() if cells[column] != "-"} == COLUMNS[column]


@pytest.mark.parametrize(("client", "column", "name"), NAMED)
def test_a_named_test_exists_and_is_about_the_client(client, column, name):
    [path] = TESTS.rglob(f"test_{name}.py")
    text = path.read_text(encoding="utf-8")
    names = {client, client.replace("-", "_")}
    if column == "MCP":
        assert f'"{client}": under(' in text
        return
    words = set(re.findall(r"[\w-]+", text))
    assert names & words, f"{path} does not name {client}"
