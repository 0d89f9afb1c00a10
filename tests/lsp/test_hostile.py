"""Broken messages, documents and files: no traceback, no hang, and an answer to each request."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest

from memtool.cli.lsp_session import lsp_opener, lsp_session_factory
from memtool.errors import NoWorkspace
from memtool.serve.lsp.server import serve
from tests.lsp.client import LspClient, LspError
from tests.serve.mcp.talk import session
from tests.trees import make

NOTE = "memory/notes/a.md"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LspClient]:
    folder = tmp_path_factory.mktemp("hostile")
    root = make(
        folder / "w", {"memtool.toml": 'layout = "native"\n', NOTE: "# A\n", "memory/b.md": b"\xff\xfe"}
    )
    with LspClient(root, folder, initializes=False) as client:
        with pytest.raises(LspError) as refusal:
            client.request("textDocument/hover", {})
        assert refusal.value.code == -32002
        client.capabilities = client.initialize({})
        yield client


def test_an_unknown_method_and_invalid_parameters_are_refused(client):
    for method, params, code in [
        ("memtool/nothing", {"x": 1}, -32601),
        ("textDocument/hover", {"textDocument": 3}, -32602),
        ("textDocument/hover", None, -32602),
        ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, -32600),
        ("workspace/executeCommand", {"command": "rm -rf"}, -32803),
        ("workspace/executeCommand", {"command": "memtool.forgetFact", "arguments": [1]}, -32803),
    ]:
        with pytest.raises(LspError) as refusal:
            client.request(method, params)
        assert refusal.value.code == code
        assert "Traceback" not in f"{refusal.value} {refusal.value.data}"
    client.notify("memtool/nothing", {"x": 1})
    client.notify("textDocument/didChange", {"textDocument": {"uri": "file:///none"}})


def test_a_cancelled_request_is_answered_once(client):
    numbers = [client.ask("workspace/symbol", {"query": "a"}) for _ in range(20)]
    for number in numbers:
        client.notify("$/cancelRequest", {"id": number})
    codes = set()
    for number in numbers:
        try:
            client.answer(number)
        except LspError as error:
            codes.add(error.code)
    assert codes <= {-32800}


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: [a\ntags:",
        "---\n",
        "\0\0\0",
        "[[" * 5000,
        "\ud800 lone \udfff",
        "# \u202e\u200b\u2028 [[a|b#^c]] ![[#^]] [[#]] #/ #a/ ^",
        "`" * 3000 + "[](" * 3000,
        "\r\r\r\n\n\r# A\r",
    ],
)
def test_every_request_about_a_strange_document_is_answered(client, text):
    uri = client.open(NOTE, text)
    client.diagnostics(uri, 1)
    for line, character in [(0, 0), (0, 3), (2, 1), (99, 99)]:
        for method in ("hover", "definition", "completion", "prepareRename", "documentHighlight"):
            client.at(method, uri, line, character)
        client.at("references", uri, line, character, context={"includeDeclaration": True})
    for method in ("documentSymbol", "documentLink", "foldingRange"):
        client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}})
    client.actions(uri, 0, 99)
    client.close(uri)


def test_thousands_of_changes_end_in_the_diagnostics_of_the_last_text(client):
    uri = client.open(NOTE, "# A\n")
    start = ((1, 0), (1, 0))
    for version in range(2, 3_002):
        client.change(uri, version, (*start, "x"))
    client.change(uri, 3_002, ((1, 0), (1, 10_000), "y\u200b"))
    rows = client.diagnostics(uri, 3_002)
    assert [row["code"] for row in rows if row["code"] == "M110"] == ["M110"]
    client.close(uri)


def test_a_document_of_four_megabytes_is_edited(client):
    uri = client.open(NOTE, "word " * 800_000)
    for version in range(2, 50):
        client.change(uri, version, ((0, 5), (0, 5), "x"))
    client.diagnostics(uri, 49)
    assert client.at("hover", uri, 0, 10) is None
    client.close(uri)


def test_uris_of_other_places_get_nothing(client):
    for uri in ("untitled:1", "file://", "http://x/y", "file:///a%00b", "file:///../..", "::", "file://[x"):
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "[[x]]"}
        client.notify("textDocument/didOpen", {"textDocument": item})
        assert client.at("hover", uri, 0, 0) is None


def test_a_removed_workspace_ends_no_server(client):
    uri = client.open(NOTE, "# A\n\n[[b]]\n")
    client.diagnostics(uri, 1)
    kept = client.root.with_name("kept")
    shutil.move(client.root, kept)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    for method in ("hover", "definition", "completion"):
        with contextlib.suppress(LspError):
            client.at(method, uri, 2, 3)
    client.change(uri, 2, ((0, 0), (0, 0), "x"))
    shutil.move(kept, client.root)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.at("hover", uri, 0, 0) is None
    client.close(uri)


@pytest.mark.parametrize(
    ("stdin", "code", "said"),
    [
        (b"", 0, []),
        (b"GET / HTTP/1.1\r\n\r\n", 0, ["the input is not a Language Server Protocol message"]),
        (
            b"Content-Length: 5\r\n\r\n{bad}Content-Length: 99\r\n\r\n{",
            0,
            ["a message is not JSON; it was ignored"],
        ),
        (b"Content-Length: 4\r\n\r\nnullx", 0, ["a message is not a JSON object; it was ignored"]),
        (b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}', 1, []),
    ],
)
def test_what_is_no_protocol_ends_the_server_in_one_line(tmp_path, caplog, stdin, code, said):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    source, sink = os.pipe()
    os.write(sink, stdin)
    os.close(sink)
    printed, output = os.pipe()
    try:
        assert serve(lsp_opener(session(root, tmp_path)), source, output) == code
    finally:
        os.close(source)
        os.close(output)
    assert os.read(printed, 1) == b""
    os.close(printed)
    assert [row.message for row in caplog.records if row.name.startswith("memtool")][:1] == said


def test_outside_a_workspace_no_server_starts(tmp_path):
    with pytest.raises(NoWorkspace, match="memtool init"):
        lsp_session_factory(session(tmp_path, tmp_path))


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/stdin", "../outside.json"])
def test_a_workspace_makes_the_server_read_no_file_outside(tmp_path, place):
    files = {"memtool.toml": f'layout = "native"\n[lint]\nbaseline = "{place}"\n', NOTE: "# A\n\n[[none]]\n"}
    root = make(tmp_path / "w", files)
    (tmp_path / "outside.json").write_text("mine\n")
    with LspClient(root, tmp_path) as client:
        client.wait_until_loaded()
        uri = client.open(NOTE)
        assert client.codes(uri, expected={"M401"})
