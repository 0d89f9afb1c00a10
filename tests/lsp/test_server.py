"""Each feature of the language server, asked by a client over stdin and stdout of the real command."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import LspClient, LspError, place_of, run_memtool, span
from tests.trees import SAMPLE, contents, make

CELADON = "memory/notes/zettel/celadon.md"
PREFERENCES = "memory/semantic/preferences.md"
PENDING = "memory/cognition/pending.jsonl"
LONG = "memory/notes/zettel/long.md"
LONG_NOTE = """\
---
id: 20250101-1200
title: Firing log
created: 2025-01-01T12:00:00Z
tags: [glaze/test]
---
# Firing log

See [[celadon#Celadon]] and #glaze/test here.

## Cone six 😀 test

A [link](celadon.md) to [[#Cone six 😀 test]].

```text
# not a heading
```

## Empty
"""
TOKEN = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lsp") / "w"
    shutil.copytree(SAMPLE, root)
    evidence = {
        "id": "m-51e8b0", "candidate": "c-1", "quotes": ["keep it short before ten"], "session": "s-1",
        "turn": 3, "at": "2025-01-10T08:00:00Z", "policy": "stated",
    }  # fmt: skip
    return make(root, {LONG: LONG_NOTE, "memory/cognition/evidence.jsonl": json.dumps(evidence) + "\n"})


@pytest.fixture(scope="module")
def client(root: Path, home: Path) -> Iterator[LspClient]:
    """One server for all tests that change no file."""
    before = contents(root)
    with LspClient(root, home) as client:
        client.wait_until_loaded()
        yield client
    assert contents(root) == before


@pytest.fixture
def note(client: LspClient) -> Iterator[str]:
    uri = client.open(LONG)
    yield uri
    client.close(uri)


def test_a_document_has_the_problems_of_its_unsaved_text(client):
    text = (client.root / CELADON).read_text()
    uri = client.open(CELADON, f"{text}\n[[nowhere]] x\u200b {TOKEN}\n")
    rows = client.diagnostics(uri, 1, lambda rows: {row["code"] for row in rows} == {"M110", "M401", "M501"})
    link = next(row for row in rows if row["code"] == "M401")
    line = text.count("\n") + 1
    assert link["range"] == span(line, 0, line, len("[[nowhere]]"))
    assert link["message"] == "broken link: no note named 'nowhere'"
    assert TOKEN not in json.dumps(rows)
    client.change(uri, 2, text)
    assert client.codes(uri, 2, expected=set()) == set()
    client.close(uri)


def test_an_incremental_change_is_applied_in_units_of_utf_16(client, note):
    line, character = place_of(LONG_NOTE, "😀 test\n", 1)
    client.change(note, 2, ((line, character), (line, character + 5), " [[gone 😀]]"))
    rows = client.diagnostics(note, 2, lambda rows: any("gone" in row["message"] for row in rows))
    row = next(row for row in rows if "gone" in row["message"])
    assert row["range"] == span(line, character + 1, line, character + 12)


def test_a_link_to_an_unsaved_note_of_another_document_is_not_broken(client):
    first = client.open(CELADON, "# Celadon\n\n[[Ash glaze]]\n")
    client.diagnostics(first, 1, lambda rows: any(row["code"] == "M401" for row in rows))
    other = client.open("memory/notes/inbox/ash.md", "# Ash glaze\n")
    client.diagnostics(other, 1)
    client.change(first, 2, "# Celadon\n\n[[Ash glaze]].\n")
    assert client.codes(first, 2, expected=set()) == set()
    client.close(first)
    client.close(other)


def test_a_duplicate_fact_is_reported(client):
    text = (client.root / PREFERENCES).read_text()
    uri = client.open(PREFERENCES, f"{text}- [preference] The evening class fires on Wednesdays\n")
    rows = client.diagnostics(uri, 1, lambda rows: any(row["code"] == "M212" for row in rows))
    assert "duplicate of memory/semantic/facts.md:6" in {row["message"] for row in rows}
    client.close(uri)


def test_where_the_agent_stops_reading_is_a_diagnostic(client):
    uri = client.open("AGENTS.md", "# Now\n" + ("word " * 20 + "\n") * 400)
    rows = client.diagnostics(uri, 1, lambda rows: any(row["code"] == "M316" for row in rows))
    row = next(row for row in rows if row["code"] == "M316")
    assert row["message"].startswith("Codex stops reading here: ")
    assert "32,768" in row["message"]
    assert row["range"]["start"]["line"] == 325
    client.close(uri)


def test_a_quick_fix_and_fix_all_edit_the_document(client):
    text = "\ufeff# A\n\nhid\ufeffden\n"
    uri = client.open("memory/notes/inbox/a.md", text)
    client.diagnostics(uri, 1, lambda rows: {"M102", "M109"} <= {row["code"] for row in rows})
    actions = client.actions(uri, 2, 2)
    fix = next(action for title, action in actions.items() if title.startswith("Fix M109"))
    change = fix["edit"]["documentChanges"][0]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert change["edits"] == [{"range": span(2, 3, 2, 4), "newText": ""}]
    everything = client.actions(uri, 0, 0, only=["source.fixAll"])
    assert [action["kind"] for action in everything.values()] == ["source.fixAll.memtool"]
    edits = next(iter(everything.values()))["edit"]["documentChanges"][0]["edits"]
    assert edits == [{"range": span(*at), "newText": ""} for at in ((0, 0, 0, 1), (2, 3, 2, 4))]
    client.close(uri)


def test_definition_of_a_heading_a_note_and_a_fact(client, note):
    line, character = place_of(LONG_NOTE, "[[celadon#", 4)
    assert client.at("definition", note, line, character) == [
        {"uri": client.uri(CELADON), "range": span(7, 2, 7, 9)}
    ]
    line, character = place_of(LONG_NOTE, "[[#Cone", 4)
    heading = place_of(LONG_NOTE, "Cone six")
    assert client.at("definition", note, line, character)[0]["range"]["start"] == {
        "line": heading[0],
        "character": heading[1],
    }
    facts = (client.root / PREFERENCES).read_text()
    uri = client.open(PREFERENCES)
    found = client.at("definition", uri, *place_of(facts, "by m-c80f12", 5))
    assert found[0]["range"]["start"]["line"] == 3
    client.close(uri)


def test_references_of_a_note_and_of_a_tag(client, note):
    uri = client.open(CELADON)
    found = client.at("references", uri, 0, 0, context={"includeDeclaration": False})
    assert {row["uri"].rpartition("/")[2] for row in found} == {
        "oxidation-celadon.md", "glazes.md", "long.md",
    }  # fmt: skip
    tags = client.at("references", uri, 4, 8, context={"includeDeclaration": True})
    assert sorted(row["uri"].rpartition("/")[2] for row in tags) == [
        "celadon.md", "long.md", "long.md", "oxidation-celadon.md", "test-tiles.md",
    ]  # fmt: skip
    client.close(uri)


def test_document_links_name_existing_files(client, note):
    links = client.request("textDocument/documentLink", {"textDocument": {"uri": note}})
    assert [link["target"] for link in links] == [client.uri(CELADON)] * 2


def test_hover_shows_the_provenance_of_a_fact(client):
    text = (client.root / PREFERENCES).read_text()
    uri = client.open(PREFERENCES)
    shown = client.at("hover", uri, *place_of(text, "celadon"))["contents"]["value"]
    assert "- owner: everybody" in shown
    assert "I want the spring line in celadon, not in white" in shown
    assert "recalled 4 times, last on 2025-01-15T09:06:10Z" in shown
    assert "- supersedes `m-2b6a7e`: Glossy white for everything" in shown
    shown = client.at("hover", uri, *place_of(text, "Short"))["contents"]["value"]
    assert "said on 2025-01-10T08:00:00Z, turn 3, session s-1: “keep it short before ten”" in shown
    shown = client.at("hover", uri, *place_of(text, "Glossy"))["contents"]["value"]
    assert "- superseded on 2025-01-14 by `m-c80f12`: User WANTS" in shown
    client.close(uri)


def test_the_range_of_a_hover_contains_its_position(client):
    """VS Code shows no hover with another range."""
    for path in (PREFERENCES, "memory/procedural/rules.md"):
        lines = (client.root / path).read_text().splitlines()
        uri = client.open(path)
        for number, line in enumerate(lines):
            for character in range(0, len(line) + 1, 7) if line.startswith("- ") else ():
                where = client.at("hover", uri, number, character)["range"]
                assert where["start"]["line"] == where["end"]["line"] == number
                assert where["start"]["character"] <= character <= where["end"]["character"]
        client.close(uri)


def test_hover_on_any_word_of_a_rule_shows_it(client):
    path = "memory/procedural/rules.md"
    text = (client.root / path).read_text()
    uri = client.open(path)
    shown = client.at("hover", uri, *place_of(text, "under five"))["contents"]["value"]
    assert shown.startswith("**rule** Keep answers under five lines")
    assert re.search(r"- added on 2025-01-\d\dT", shown)
    client.close(uri)


def test_references_of_a_block_are_the_links_to_it_alone(client):
    path, other = "memory/notes/inbox/one.md", "memory/notes/inbox/two.md"
    text = "# One\n\nFirst. ^blk\n\nSecond. ^other\n"
    uri = client.open(path, text)
    client.open(other, "[[one#^blk]] [[one]] [[one#^other]]\n")
    found = client.at("references", uri, *place_of(text, "^blk", 2), context={"includeDeclaration": True})
    assert [(row["uri"].rpartition("/")[2], row["range"]["start"]) for row in found] == [
        ("one.md", {"line": 2, "character": 0}),
        ("two.md", {"line": 0, "character": 0}),
    ]
    client.close(uri)
    client.close(client.uri(other))


def test_hover_on_a_link_shows_the_note(client, note):
    shown = client.at("hover", note, *place_of(LONG_NOTE, "[[celadon#", 4))
    assert shown["contents"]["value"].startswith(f"`{CELADON}`\n\n# Celadon")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("See [[cela", {"Celadon": "Celadon]]", "Celadon in oxidation": "Celadon in oxidation]]"}),
        ("See [[青", {"青磁": "celadon|青磁]]"}),
        ("See [[celadon#c", {"Celadon": "Celadon]]"}),
        ("See [[facts#^m-9", {"m-9d20c4": "^m-9d20c4]]"}),
        ("A [tile](zettel/te", {"zettel/test-tiles.md": "zettel/test-tiles.md)"}),
        ("A #glaze/t", {"glaze/test": "glaze/test"}),
    ],
)
def test_completion_of_links_and_tags(client, note, line, expected):
    uri = client.open("memory/notes/draft.md", f"# Draft\n\n{line}\n")
    found = client.at("completion", uri, 2, len(line))["items"]
    chosen = {item["label"]: item["textEdit"]["newText"] for item in found}
    assert chosen.items() >= expected.items()
    client.close(uri)


def test_completion_in_frontmatter_and_facts(client):
    uri = client.open("memory/notes/draft.md", "---\nti\ntags: [gla]\n---\n# D\n")
    assert [item["label"] for item in client.at("completion", uri, 1, 2)["items"]] == ["title"]
    labels = [item["label"] for item in client.at("completion", uri, 2, 10)["items"]]
    assert labels[0] == "glaze"
    client.close(uri)
    text = "# P\n\n- [pref\n- [goal] Old [superseded: 2025-01-14 by m-c8\n"
    uri = client.open(PREFERENCES, text)
    assert client.at("completion", uri, 2, 7)["items"][0]["textEdit"]["newText"] == "preference]"
    uri = client.open(PREFERENCES, text, version=2)
    found = client.at("completion", uri, 3, len("- [goal] Old [superseded: 2025-01-14 by m-c8"))
    assert found["items"] == []  # the buffer is the truth, and has no such fact
    client.close(uri)


def test_symbols_and_folding(client, note):
    top = client.request("textDocument/documentSymbol", {"textDocument": {"uri": note}})
    assert [(row["name"], [child["name"] for child in row["children"]]) for row in top] == [
        ("Firing log", ["Cone six 😀 test", "Empty"])
    ]
    uri = client.open(PREFERENCES)
    facts = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})[0]["children"]
    assert [row["detail"] for row in facts] == [
        "preference m-51e8b0", "preference m-c80f12", "preference m-2b6a7e superseded",
    ]  # fmt: skip
    client.close(uri)
    ranges = client.request("textDocument/foldingRange", {"textDocument": {"uri": note}})
    assert [(row["startLine"], row["endLine"]) for row in ranges] == [(0, 5), (6, 18), (10, 16), (14, 16)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("cone", ["Cone 6"]),
        ("青磁", ["青磁"]),  # an alias
        ("evening class", ["The evening class fires on Wednesdays"]),
        ("under five", ["Keep answers under five lines before ten in the morning."]),
        ("turn 3", ["turn 3"]),
        ("m-9d20c4", ["m-9d20c4 The evening class fires on Wednesdays"]),
        ("class m-9d", ["m-9d20c4 The evening class fires on Wednesdays"]),
        ("r-83b5", ["r-83b5d7 Give glaze amounts in per cent of the dry weight."]),
        ("#glaze/te", []),
        ("#glaze/test", ["#glaze/test", "#glaze/test"]),
    ],
)
def test_symbols_of_the_workspace(client, query, names):
    assert [row["name"] for row in client.request("workspace/symbol", {"query": query})] == names


def test_a_turn_has_its_messages_as_symbols(client):
    path = "memory/history/turns/2025/01/14/00000000000000000001.json"
    uri = client.open(path)
    rows = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [row["name"] for row in rows][:2] == ["1: user", "2: assistant"]
    lines = (client.root / path).read_text().splitlines()
    for row in rows:
        where = row["range"]
        assert lines[where["start"]["line"]].strip() == "{"
        assert lines[where["end"]["line"]].strip().rstrip(",") == "}"
        assert row["selectionRange"]["end"]["line"] == where["start"]["line"] < where["end"]["line"]
    client.close(uri)


def applied(client: LspClient, edit: dict[str, Any]) -> dict[str, str]:
    """The texts of the files that an edit changes, by their new paths."""
    texts: dict[str, str] = {}
    for change in edit["documentChanges"]:
        match change.get("kind"):
            case "rename":
                old, new = (client_path(client, change[key]) for key in ("oldUri", "newUri"))
                texts[new] = texts.pop(old, None) or (client.root / old).read_text()
            case "create":
                texts[client_path(client, change["uri"])] = ""
            case _:
                path = client_path(client, change["textDocument"]["uri"])
                text = texts[path] if path in texts else (client.root / path).read_text()
                for each in sorted(change["edits"], key=lambda e: -e["range"]["start"]["line"]):
                    lines = text.split("\n")
                    start, end = each["range"]["start"], each["range"]["end"]
                    first, last = (lines[at["line"]].encode("utf-16-le") for at in (start, end))
                    head = first[: 2 * start["character"]].decode("utf-16-le")
                    tail = last[2 * end["character"] :].decode("utf-16-le")
                    before = "\n".join([*lines[: start["line"]], head])
                    after = "\n".join([tail, *lines[end["line"] + 1 :]])
                    text = before + each["newText"] + after
                texts[path] = text
    return texts


def client_path(client: LspClient, uri: str) -> str:
    return uri.removeprefix(f"{client.root.as_uri()}/")


def test_a_note_is_renamed_with_its_links(client, note):
    line, character = place_of(LONG_NOTE, "[[celadon#", 4)
    assert client.at("prepareRename", note, line, character) == {
        "range": span(line, character - 2, line, character + 5),
        "placeholder": "Celadon",
    }
    texts = applied(client, client.at("rename", note, line, character, newName="Green glaze"))
    assert "title: Green glaze\n" in texts["memory/notes/zettel/green-glaze.md"]
    assert "[[green-glaze#Green glaze]]" in texts[LONG]
    assert "(green-glaze.md)" in texts[LONG]
    assert "[[green-glaze]]" in texts["memory/notes/maps/glazes.md"]


def test_of_a_link_to_a_heading_the_anchor_is_renamed(client, note):
    line, character = place_of(LONG_NOTE, "[[#Cone six", 6)
    assert client.at("prepareRename", note, line, character) == {
        "range": span(line, character - 3, line, character + 13),  # an emoji has two units of UTF-16
        "placeholder": "Cone six 😀 test",
    }


def test_a_heading_is_renamed_with_its_links(client, note):
    line, character = place_of(LONG_NOTE, "Cone six")
    texts = applied(client, client.at("rename", note, line, character, newName="Cone 06"))
    assert list(texts) == [LONG]
    assert "## Cone 06\n" in texts[LONG]
    assert "[[#Cone 06]]" in texts[LONG]


def test_a_tag_is_renamed_with_those_below_it(client, note):
    uri = client.open(CELADON)
    texts = applied(client, client.at("rename", uri, 4, 8, newName="ceramic"))
    assert "tags: [ceramic/test]" in texts[LONG]
    assert "#ceramic/test here" in texts[LONG]
    assert "tags: [ceramic, celadon]" in texts[CELADON]
    client.close(uri)


def test_an_invalid_name_is_refused_with_a_sentence(client, note):
    with pytest.raises(LspError, match="already exists"):
        client.at("rename", note, *place_of(LONG_NOTE, "[[celadon#", 4), newName="Test tiles")
    with pytest.raises(LspError, match="looks like a secret"):
        client.at("rename", note, *place_of(LONG_NOTE, "Cone six"), newName=f"Cone {TOKEN}")
    with pytest.raises(LspError, match="invalid tag"):
        client.at("rename", note, *place_of(LONG_NOTE, "glaze/test here"), newName="not a tag")


def test_a_section_is_extracted_to_a_note(client, note):
    line, _ = place_of(LONG_NOTE, "## Cone six")
    actions = client.actions(note, line, line)
    edit = next(action["edit"] for title, action in actions.items() if title.startswith("Extract"))
    texts = applied(client, edit)
    new = texts.pop("memory/notes/inbox/cone-six-test.md")
    assert 'title: "Cone six 😀 test"\n' in new
    assert "A [link](../zettel/celadon.md) to [[#Cone six 😀 test]]." in new
    assert "[[cone-six-test|Cone six 😀 test]]\n\n## Empty\n" in texts[LONG]


def test_extraction_redirects_the_links_of_other_notes(tmp_path):
    other = "memory/notes/inbox/other.md"
    files = {"memtool.toml": 'layout = "native"\n', LONG: LONG_NOTE, other: "[[long#Cone six 😀 test]]\n"}
    root = make(tmp_path / "w", files)
    with LspClient(root, tmp_path) as client:
        uri = client.open(LONG)
        line, _ = place_of(LONG_NOTE, "## Cone six")
        actions = client.actions(uri, line, line)
        edit = next(action["edit"] for title, action in actions.items() if title.startswith("Extract"))
        assert applied(client, edit)[other] == "[[cone-six-test]]\n"
        (root / other).write_text("Now first: [[long#Cone six 😀 test]]\n")
        text = (root / LONG).read_text()
        actions = client.actions(uri, line, line)
        edits = [action["edit"] for title, action in actions.items() if title.startswith("Extract")]
        # either the change was noticed, or nothing is offered: an edit is never at an outdated position
        assert [applied(client, each)[other] for each in edits] in ([], ["Now first: [[cone-six-test]]\n"])
        assert (root / LONG).read_text() == text


def test_salience_is_an_inlay_hint(client):
    uri = client.open(PREFERENCES)
    params = {"textDocument": {"uri": uri}, "range": span(0, 0, 100, 0)}
    hints = client.request("textDocument/inlayHint", params)
    assert [(hint["position"]["line"], hint["label"]) for hint in hints] == [
        (2, "salience 1.00"), (3, "salience 2.47"),
    ]  # fmt: skip
    client.close(uri)


def test_a_document_outside_the_workspace_gets_nothing(client, home):
    outside = home / "x.md"
    outside.write_text(f"[[nowhere]] {TOKEN}\n")
    item = {"uri": outside.as_uri(), "languageId": "markdown", "version": 1, "text": outside.read_text()}
    client.notify("textDocument/didOpen", {"textDocument": item})
    assert client.at("hover", outside.as_uri(), 0, 3) is None
    assert client.at("completion", outside.as_uri(), 0, 3) is None
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": outside.as_uri()}}) is None
    assert client.actions(outside.as_uri(), 0, 0) == {}
    assert outside.as_uri() not in client.published


def test_line_ends_of_windows_and_a_missing_final_one(client):
    uri = client.open("memory/notes/inbox/win.md", "# Win\r\n\r\nSee [[nowhere]]")
    rows = client.diagnostics(uri, 1, lambda rows: any(row["code"] == "M401" for row in rows))
    assert next(row for row in rows if row["code"] == "M401")["range"] == span(2, 4, 2, 15)
    assert client.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})[0]["endLine"] == 2
    client.close(uri)


def test_commands_write_through_the_verbs_and_can_be_undone(tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    with LspClient(root, tmp_path) as client:
        uri = client.open(PENDING)
        actions = client.actions(uri, 0, 0)
        assert {"Approve c-9c881f672c72", "Drop c-9c881f672c72"} <= actions.keys()
        command = actions["Drop c-9c881f672c72"]["command"]
        client.request("workspace/executeCommand", {k: command[k] for k in ("command", "arguments")})
        assert "c-9c881f672c72" not in (root / PENDING).read_text()
        facts = client.open(PREFERENCES)
        command = client.actions(facts, 2, 3)["Supersede m-51e8b0 with m-c80f12"]["command"]
        client.request("workspace/executeCommand", {k: command[k] for k in ("command", "arguments")})
        assert (
            "ten in the morning [superseded: 2025-01-15 by m-c80f12] ^m-51e8b0"
            in (root / PREFERENCES).read_text()
        )
        client.change(facts, 2, "# Preferences\n")
        text = "- [preference] User WANTS Material:celadon"
        line = {"path": PREFERENCES, "line": 4, "text": text}
        given = {"command": "memtool.forgetFact", "arguments": [line]}
        with pytest.raises(LspError, match="has changed on disk; reload it"):
            client.request("workspace/executeCommand", given)
    _, log, _ = run_memtool(tmp_path, root, "log", "--json")
    assert [json.loads(line)["command"] for line in log.splitlines()] == [
        "lsp supersedeFact", "lsp dropCandidate",
    ]  # fmt: skip
    assert run_memtool(tmp_path, root, "undo")[0] == 0
    assert (root / PREFERENCES).read_bytes() == (SAMPLE / PREFERENCES).read_bytes()


def test_nothing_is_written_in_incognito_mode(tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    with LspClient(root, tmp_path, environment={"MEMTOOL_MODE": "incognito"}) as client:
        uri = client.open(PREFERENCES)
        assert not any(title.startswith(("Supersede", "Forget")) for title in client.actions(uri, 2, 2))
        with pytest.raises(LspError, match="read-only"):
            client.request("workspace/executeCommand", {"command": "memtool.retireFact", "arguments": []})
        assert "celadon" in client.at("hover", uri, 3, 30)["contents"]["value"]
    assert not (root / ".memtool").exists()
    assert contents(root) == contents(SAMPLE)


def test_a_client_of_plain_edits_and_utf_8_is_served(tmp_path):
    text = "# A\n\n😀 [[Later]]\n\n## Part\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', LONG: text})
    capabilities = {"general": {"positionEncodings": ["utf-8"]}}
    with LspClient(root, tmp_path, capabilities=capabilities) as client:
        assert client.capabilities["positionEncoding"] == "utf-8"
        uri = client.open(LONG)
        rows = client.diagnostics(uri, 1, lambda rows: any(row["code"] == "M401" for row in rows))
        assert next(row for row in rows if row["code"] == "M401")["range"] == span(2, 5, 2, 14)
        assert set(client.at("rename", uri, 4, 4, newName="Section")) == {"changes"}
        with pytest.raises(LspError, match="does not support edits that create"):
            client.at("rename", uri, 0, 3, newName="other.md")
        make(root, {"memory/notes/zettel/later.md": "# Later\n\n[[A]]\n"})  # another document is saved
        client.notify("textDocument/didSave", {"textDocument": {"uri": client.uri("memory/notes/x.md")}})
        client.diagnostics(uri, 1, lambda rows: not any(row["code"] == "M401" for row in rows))


def test_secrets_are_in_no_completion_symbol_or_hover(tmp_path):
    key = "".join(f"MIIEpAIBAAKCAQEA{number:04}abcdefghijklmnopqrstuvwxyzABCDEFGH\n" for number in range(20))
    pem = f"-----BEGIN RSA PRIVATE KEY-----\n{key}-----END RSA PRIVATE KEY-----\n"
    files = {
        "memtool.toml": 'layout = "native"\n',
        "memory/semantic/facts.md": f"# F\n\n- [fact] The token is {TOKEN} ^m-000001\n",
        "memory/notes/zettel/a.md": f"# A {TOKEN}\n\n## Part {TOKEN}\n\n{pem}",
        "memory/notes/zettel/b.md": f"# B\n\n[[a]] {'word ' * 25}{TOKEN} ^block\n",
    }
    root = make(tmp_path / "w", files)
    with LspClient(root, tmp_path) as client:
        answers = [client.request("workspace/symbol", {"query": ""})]
        for path in files:
            document = {"textDocument": {"uri": client.uri(path)}}
            answers.append(client.request("textDocument/documentSymbol", document))
        answers.append(client.at("hover", client.uri("memory/notes/zettel/b.md"), 2, 3))
        for number, line in enumerate(["[[", "[[a#", "[[b#^", "x ^m-", "](a.md#"], 1):
            uri = client.open("memory/notes/draft.md", f"# D\n\n{line}\n", version=number)
            answers.append(client.at("completion", uri, 2, len(line)))
        answers.append(client.at("hover", client.uri("memory/semantic/facts.md"), 2, 10))
        shown = json.dumps(answers)
        assert "[REDACTED:github-token]" in shown
        assert TOKEN[:12] not in shown
        assert "MIIE" not in shown


def test_completion_names_one_of_two_notes_with_the_same_file_name(tmp_path):
    text = "---\ntitle: {}\naliases: ['{}']\n---\n"
    files = {
        "memtool.toml": 'layout = "native"\n',
        "memory/notes/zettel/same.md": text.format("First", "one | first"),
        "memory/notes/maps/same.md": text.format("Second", "two"),
    }
    root = make(tmp_path / "w", files)
    with LspClient(root, tmp_path) as client:
        client.wait_until_loaded()
        uri = client.open("memory/notes/draft.md", "# D\n\n[[\n")
        items = client.at("completion", uri, 2, 2)["items"]
        assert {"memory/notes/zettel/same|one first]]", "memory/notes/maps/same|two]]"} <= {
            item["textEdit"]["newText"] for item in items
        }
        assert "same]]" not in {item["textEdit"]["newText"] for item in items}


def test_the_preview_of_a_note_is_short(tmp_path):
    files = {
        "memtool.toml": 'layout = "native"\n',
        "memory/notes/zettel/a.md": f"# A\n\n{'word ' * 100_000}\n",
        "memory/notes/zettel/b.md": "[[a]]\n",
    }
    root = make(tmp_path / "w", files)
    with LspClient(root, tmp_path) as client:
        shown = client.at("hover", client.uri("memory/notes/zettel/b.md"), 0, 3)["contents"]["value"]
        assert len(shown) < 2_100


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags:\n  - clay\n  - x\n", "tags:\n  - slip\n  - x\n"),
        ("tags:\n- clay/a\n- Clay\n", "tags:\n- slip/a\n- slip\n"),
        ("tags:\n  - 'clay/a'\n  - \"clay\"\n", "tags:\n  - 'slip/a'\n  - \"slip\"\n"),
        ("a:\n  - clay\ntags: clay, x\n", "a:\n  - clay\ntags: slip, x\n"),
    ],
)
def test_a_tag_is_renamed_in_each_form_of_frontmatter(tmp_path, before, after):
    path = "memory/notes/zettel/a.md"
    text = "---\n{}---\n# A\n\n#{} here\n"
    files = {"memtool.toml": 'layout = "native"\n', path: text.format(before, "clay")}
    with LspClient(make(tmp_path / "w", files), tmp_path) as client:
        edit = client.at("rename", client.uri(path), *place_of(files[path], "#clay", 1), newName="slip")
        assert applied(client, edit) == {path: text.format(after, "slip")}


def test_links_of_an_extracted_section_keep_their_targets(tmp_path):
    path = "memory/notes/zettel/b.md"
    links = "[[b]] [[b#Two]] [[#Two]] [[b#One]] [x](b.md#two) [y](../maps/z.md) [[#One]]"
    files = {
        "memtool.toml": 'layout = "native"\n',
        path: f"# B\n\n## One\n\n{links}\n\n## Two\n",
        "memory/notes/maps/z.md": "# Z\n",
    }
    with LspClient(make(tmp_path / "w", files), tmp_path) as client:
        uri = client.open(path)
        action = next(a for title, a in client.actions(uri, 2, 2).items() if title.startswith("Extract"))
        new = applied(client, action["edit"])["memory/notes/inbox/one.md"]
        expected = "[[b]] [[b#Two]] [[b#Two]] [[one#One]] [x](../zettel/b.md#two) [y](../maps/z.md) [[#One]]"
        assert new.endswith(f"# One\n\n{expected}\n")


def test_contradictory_facts_supersede_one_another_by_quick_fixes(tmp_path):
    facts = "memory/semantic/facts.md"
    lines = [
        "- [context] User LIVES_IN Bergen ^m-1\n",
        "- [context] User LIVES_IN Porto ^m-2\n",
        "- [context] The van is in row C ^k-van\n",
        "- [context] The van is in row F ^k-van\n",
    ]
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', facts: "".join(lines)})
    with LspClient(root, tmp_path) as client:
        uri = client.open(facts)
        rows = client.diagnostics(uri, 1, lambda rows: any(row["code"] == "M219" for row in rows))
        assert [row["range"]["start"]["line"] for row in rows if row["code"] == "M219"] == [1, 3]
        actions = client.actions(uri, 3, 3)
        title = "Supersede k-van (The van is in row C) with k-van (The van is in row F)"
        assert [row["code"] for row in actions[title]["diagnostics"]] == ["M219"]
        changed = applied(client, actions[title]["edit"])[facts].splitlines()
        assert re.fullmatch(
            r"- \[context\] The van is in row C \[superseded: 2025-01-15 by k-van\] \^m-\w+", changed[2]
        )
        assert changed[3:] == [lines[3].rstrip()]
        command = client.actions(uri, 1, 1)[
            "Supersede m-1 (User LIVES_IN Bergen) with m-2 (User LIVES_IN Porto)"
        ]
        client.request(
            "workspace/executeCommand", {k: command["command"][k] for k in ("command", "arguments")}
        )
        assert "LIVES_IN Bergen [superseded: 2025-01-15 by m-2] ^m-1\n" in (root / facts).read_text()
        assert "Supersede m-2 (User LIVES_IN Porto) with m-1 (User LIVES_IN Bergen)" in client.actions(
            uri, 0, 0
        )


def test_of_contrary_rules_either_is_archived_by_a_quick_fix(tmp_path):
    rules = "memory/procedural/rules.md"
    text = (
        "- [2024-03-01T08:00:00Z] Always answer in English ^r-1\n"
        "- [2024-09-01T08:00:00Z] Never answer in English ^r-2\n"
        "- [2024-09-01T08:00:00Z] Cite sources ^r-3\n"
    )
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', rules: text})
    with LspClient(root, tmp_path) as client:
        uri = client.open(rules)
        client.diagnostics(uri, 1, lambda rows: any(row["code"] == "M219" for row in rows))
        either = {"Archive r-1 (Always answer in English)", "Archive r-2 (Never answer in English)"}
        for line, count in ((0, 0), (1, 1)):  # the newer rule has the diagnostic, both have the fixes
            actions = client.actions(uri, line, line)
            assert either <= {*actions}
            for title in either:
                assert [row["code"] for row in actions[title].get("diagnostics", [])] == ["M219"] * count
        assert not any(title.startswith("Archive") for title in client.actions(uri, 2, 2))
        command = actions["Archive r-1 (Always answer in English)"]["command"]
        client.request("workspace/executeCommand", {k: command[k] for k in ("command", "arguments")})
        assert (root / rules).read_text() == "".join(text.splitlines(keepends=True)[1:])
        assert "Always answer in English" in next(root.glob("memory/procedural/*arch*")).read_text()
