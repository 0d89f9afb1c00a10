"""What a server that is limited to a group, or acts for a user, shows and changes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lsp.client import LspClient, LspError, place_of, span
from tests.trees import contents, make

FACTS = "memory/semantic/facts.md"
FAMILY = "groups/family/MEMORY.md"
OTHER = "groups/other/MEMORY.md"
FAMILY_TEXT = "# Family\n\nm-b0b001 [[plans]] x ^m-\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LspClient]:
    """A server limited to the group family, for tests that change nothing."""
    home = tmp_path_factory.mktemp("groups")
    files = {
        "memtool.toml": 'layout = "nano"\n',
        "MEMORY.md": "# Memory\n",
        "canonical/plans.md": "# Plans of main\n",
        FACTS: "# Facts\n\n- [preference] Main hides a diary ^m-b0b001\n",
        "groups/global/MEMORY.md": "# Global\n\n## Shared part\n",
        FAMILY: FAMILY_TEXT,
        OTHER: "# Other\n\n## Part of others\n",
    }
    root = make(home / "w", files)
    before = contents(root)
    with LspClient(root, home, environment={"MEMTOOL_GROUP": "family"}) as client:
        client.wait_until_loaded()
        yield client
    assert contents(root) == before


@pytest.fixture
def memory(client: LspClient) -> Iterator[str]:
    uri = client.open(FAMILY)
    yield uri
    client.close(uri)


@pytest.mark.parametrize(
    ("command", "ids"),
    [
        ("forgetFact", ["m-b0b001"]),
        ("retireFact", ["m-b0b001"]),
        ("supersedeFact", ["m-b0b001", "m-2"]),
        ("approveCandidate", ["c-1"]),
        ("dropCandidate", ["c-1"]),
    ],
)
def test_a_group_runs_no_command_on_facts_and_candidates(client, command, ids):
    with pytest.raises(LspError, match="MEMTOOL_GROUP limits you to the group 'family'"):
        client.request("workspace/executeCommand", {"command": f"memtool.{command}", "arguments": ids})


def test_a_group_sees_no_facts(client, memory):
    assert client.at("hover", memory, *place_of(FAMILY_TEXT, "m-b0b", 2)) is None
    assert client.at("completion", memory, *place_of(FAMILY_TEXT, "^m-", 3))["items"] == []
    facts = client.open(FACTS)
    assert client.at("hover", facts, 2, 20) is None
    hints = {"textDocument": {"uri": facts}, "range": span(0, 0, 9, 0)}
    assert client.request("textDocument/inlayHint", hints) is None
    assert client.actions(facts, 2, 2) == {}
    client.close(facts)


@pytest.mark.parametrize("path", [FACTS, OTHER, "MEMORY.md", "canonical/plans.md"])
def test_a_group_sees_no_file_of_others(client, path):
    document = {"textDocument": {"uri": client.uri(path)}}
    assert client.request("textDocument/documentSymbol", document) is None
    assert client.request("textDocument/foldingRange", document) is None
    assert client.at("hover", client.uri(path), 2, 20) is None


def test_a_group_sees_its_own_files_and_the_shared_ones(client, memory):
    document = {"textDocument": {"uri": client.uri("groups/global/MEMORY.md")}}
    symbols = client.request("textDocument/documentSymbol", document)
    assert [symbol["name"] for symbol in symbols] == ["Global"]
    assert client.at("completion", memory, *place_of(FAMILY_TEXT, "[[plans", 2))["items"]
    assert client.at("definition", memory, *place_of(FAMILY_TEXT, "plans", 2)) == []
