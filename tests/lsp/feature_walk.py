"""A walk over each feature of the language server, on the sample with more notes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.lsp.client import LspClient, place_of, span
from tests.trees import SAMPLE, make

NOTE = "memory/notes/zettel/celadon.md"
MAP = "memory/notes/maps/glazes.md"
DRAFT = "memory/notes/inbox/draft.md"
BLOCKS = "memory/notes/inbox/blocks.md"
FACTS = "memory/semantic/facts.md"
PREFERENCES = "memory/semantic/preferences.md"
RULES = "memory/procedural/rules.md"
PENDING = "memory/cognition/pending.jsonl"
DRAFT_TEXT = """\
---
title: Draft
tags: [glaze]
---
# Draft

See [[nowhere]], hid\ufeffden and #glaze/test here.

## Section

Of [[celadon#Celadon]] and [tiles](../zettel/test-tiles.md), see [[#Section]].

"""
FIRST_MS, KEYSTROKE_MS, COMPLETION_MS = 150, 50, 100
"""Limits: the first diagnostics of an opened file, those of a keystroke, and a completion."""
COMPLETIONS = {
    "a title": ("[[Test t", "Test tiles"),
    "a file name": ("[[test-t", "test-tiles"),
    "an alias": ("[[青", "青磁"),
    "a heading": ("[[celadon#Cel", "Celadon"),
    "a block": ("[[blocks#^fi", "first"),
    "a path": ("[x](../zettel/test", "../zettel/test-tiles.md"),
    "a tag": ("#glaze/te", "glaze/test"),
}
"""What is completed in a note, by what is typed, and the label that is offered."""
FACT_COMPLETIONS = {
    "a category": ("- [pref", "preference"),
    "an id of a fact": ("- [goal] Old [superseded: 2025-01-14 by m-c80", "m-c80f12"),
}
SYMBOLS = {"a note": "test tiles", "a fact": "evening class", "a rule": "under five", "a turn": "turn 3"}


class Step(Struct, frozen=True):
    """One feature: `ask` returns something true if the answer is right; `limit` is in ms.

    What `prepare` does is not measured. A step that is not `repeated` changes files.
    """

    name: str
    ask: Callable[[], Any]
    prepare: Callable[[], Any] = lambda: None
    limit: float | None = None
    repeated: bool = True

    def run(self) -> float:
        """Prepare and ask; how long the answer took, in ms. Raises AssertionError for a wrong answer."""
        self.prepare()
        begun = time.perf_counter()
        answer = self.ask()
        spent = (time.perf_counter() - begun) * 1000
        assert answer, self.name
        return spent


def walked_root(root: Path, notes: Mapping[str, str]) -> Path:
    """A copy of the sample with these notes, and with what the walk needs besides."""
    shutil.copytree(SAMPLE, root)
    return make(root, {BLOCKS: "# Blocks\n\nOne. ^first\n", DRAFT: DRAFT_TEXT, **notes})


class FeatureWalk:
    """The steps of a client in a workspace of `walked_root`."""

    def __init__(self, client: LspClient) -> None:
        self._client = client
        self._versions: dict[str, int] = {}

    def steps(self) -> Iterator[Step]:
        """Each feature in turn; the last steps change files."""
        yield from self._diagnostics()
        yield from self._completions()
        yield from self._navigation()
        yield from self._renames()
        yield from self._records()
        yield from self._commands()

    def _open(self, path: str) -> str:
        """Open a document, anew if it is open."""
        uri = self._client.uri(path)
        if path in self._versions:
            self._client.close(uri)
        self._versions[path] = self._versions.get(path, 0) + 1
        return self._client.open(path, version=self._versions[path])

    def _type(self, path: str, text: str) -> None:
        self._versions[path] += 1
        self._client.change(self._client.uri(path), self._versions[path], text)

    def _codes(self, path: str, *codes: str) -> list[dict[str, Any]]:
        """The diagnostics of the last version of a document, which has these codes."""
        uri, version = self._client.uri(path), self._versions[path]
        return self._client.diagnostics(uri, version, lambda rows: {*codes} <= {row["code"] for row in rows})

    def _diagnostics(self) -> Iterator[Step]:
        def opened() -> Any:
            self._open(DRAFT)
            return self._codes(DRAFT, "M109")

        def typed() -> Any:
            self._type(DRAFT, f"{DRAFT_TEXT}\n{'x' * self._versions[DRAFT]} [[gone]]\n")
            rows = self._codes(DRAFT, "M401")
            return any("'gone'" in row["message"] for row in rows)

        yield Step("first diagnostics of an opened file", opened, limit=FIRST_MS)
        yield Step("diagnostics of a keystroke", typed, limit=KEYSTROKE_MS)
        yield Step("quick fix", lambda: self._action(DRAFT, "hid", "Fix M109")["edit"])
        yield Step("fix all", lambda: self._action(DRAFT, "hid", "Fix all problems")["edit"])

    def _completions(self) -> Iterator[Step]:
        for what, (line, label) in COMPLETIONS.items():
            yield self._completion(what, DRAFT, f"{DRAFT_TEXT}{line}", label)
        head = "---\ntitle: Draft\n"
        yield self._completion("a key", DRAFT, f"{head}cre", "created", "\n---\n")
        yield self._completion("a tag of frontmatter", DRAFT, f"{head}tags: [gla", "glaze", "]\n---\n")
        facts = (self._client.root / PREFERENCES).read_text()
        self._open(PREFERENCES)
        for what, (line, label) in FACT_COMPLETIONS.items():
            yield self._completion(what, PREFERENCES, facts + line, label)

    def _completion(self, what: str, path: str, text: str, label: str, after: str = "\n") -> Step:
        def ask() -> Any:
            place = place_of(text + "▮", "▮")
            found = self._client.at("completion", self._client.uri(path), *place)["items"]
            return label in {item["label"] for item in found}

        name = f"completion of {what}"
        return Step(name, ask, lambda: self._type(path, text + after), limit=COMPLETION_MS)

    def _at(self, method: str, path: str, words: str, offset: int = 2, **more: Any) -> Any:
        """The answer about the place of words in an open document, or in a file."""
        text = DRAFT_TEXT if path == DRAFT else (self._client.root / path).read_text()
        return self._client.at(method, self._client.uri(path), *place_of(text, words, offset), **more)

    def _about(self, method: str, path: str, **more: Any) -> Any:
        document = {"textDocument": {"uri": self._client.uri(path)}}
        return self._client.request(f"textDocument/{method}", document | more)

    def _navigation(self) -> Iterator[Step]:
        self._open(DRAFT)
        self._open(PREFERENCES)
        without = {"context": {"includeDeclaration": False}}

        def names(rows: list[dict[str, Any]]) -> set[str]:
            return {row["uri"].rpartition("/")[2] for row in rows}

        yield Step(
            "definition of a heading", lambda: names(self._at("definition", DRAFT, "[[cel")) == {"celadon.md"}
        )
        yield Step(
            "definition of an id", lambda: self._at("definition", PREFERENCES, "by m-c80f12", 5)[0]["range"]
        )
        yield Step(
            "references of a note",
            lambda: names(self._at("references", NOTE, "# Cel", **without)) >= {"draft.md", "glazes.md"},
        )
        yield Step(
            "references of a tag",
            lambda: names(self._at("references", DRAFT, "#glaze/test", **without)) >= {"draft.md"},
        )
        yield Step("document links", lambda: len(self._about("documentLink", DRAFT)) == 2)
        yield Step("symbols of a file", lambda: self._about("documentSymbol", DRAFT)[0]["children"])
        yield Step("folding", lambda: len(self._about("foldingRange", DRAFT)) == 3)
        for what, query in SYMBOLS.items():
            yield Step(
                f"symbols of the workspace: {what}",
                lambda query=query: self._client.request("workspace/symbol", {"query": query}),
            )

    def _renames(self) -> Iterator[Step]:
        def changed(path: str, words: str, offset: int, new: str) -> set[str]:
            edit = self._at("rename", path, words, offset, newName=new)
            uris = (change.get("textDocument", {}).get("uri", "") for change in edit["documentChanges"])
            return {uri.rpartition("/")[2] for uri in uris}

        yield Step(
            "rename of a note", lambda: changed(DRAFT, "[[cel", 3, "Jade") >= {"draft.md", "glazes.md"}
        )
        yield Step("rename of a heading", lambda: changed(DRAFT, "## Section", 4, "Part") == {"draft.md"})
        yield Step(
            "rename of a tag",
            lambda: changed(DRAFT, "[glaze]", 3, "slip") >= {"draft.md", "celadon.md", "test-tiles.md"},
        )

    def _records(self) -> Iterator[Step]:
        yield Step(
            "hover over a fact",
            lambda: "supersedes" in self._at("hover", PREFERENCES, "celadon")["contents"]["value"],
        )
        yield Step(
            "hover over a link",
            lambda: "# Celadon" in self._at("hover", DRAFT, "[[cel", 3)["contents"]["value"],
        )
        everything = span(0, 0, 99, 0)
        yield Step(
            "inlay hints of salience",
            lambda: len(self._about("inlayHint", PREFERENCES, range=everything)) == 2,
        )
        yield Step("extraction of a section", lambda: self._action(DRAFT, "## Section", "Extract")["edit"])

    def _action(self, path: str, words: str, title: str, lines: int = 1) -> dict[str, Any]:
        """The code action with a title on the lines from that of words on."""
        text = DRAFT_TEXT if path == DRAFT else (self._client.root / path).read_text()
        line, _ = place_of(text, words)
        actions = self._client.actions(self._client.uri(path), line, line + lines - 1)
        return next(action for name, action in actions.items() if name.startswith(title))

    def _commands(self) -> Iterator[Step]:
        supersede = "Supersede m-51e8b0 with m-c80f12"
        for what, path, words, title, lines in [
            ("approve a candidate", PENDING, '"c-9c881f672c72"', "Approve", 1),
            ("drop a candidate", PENDING, '"c-f6ddcbe6d2c2"', "Drop", 1),
            ("supersede a fact", PREFERENCES, "^m-51e8b0", supersede, 2),
            ("forget a fact", FACTS, "^m-9d20c4", "Forget", 1),
        ]:
            yield from self._command(what, path, words, title, lines)

    def _command(self, what: str, path: str, words: str, title: str, lines: int) -> Iterator[Step]:
        def run() -> bool:
            command = self._action(path, words, title, lines)["command"]
            given = {key: command[key] for key in ("command", "arguments")}
            self._client.request("workspace/executeCommand", given)
            file = self._client.root / path
            changed = file.read_text() if file.exists() else ""  # the last candidate is gone
            return words not in changed or f"[superseded: 2025-01-15 by m-c80f12] {words}" in changed

        yield Step(
            f"code actions: {what}", lambda: self._action(path, words, title, lines), lambda: self._open(path)
        )
        yield Step(f"command: {what}", run, repeated=False)
