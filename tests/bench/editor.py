"""The language server on a vault of thousands of notes: what an editor waits for, and the server's memory.

`python -m tests.bench.editor [COUNT]` prints one table; the exit code is 1 if a limit is missed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.notes import COUNT, notes
from tests.bench.table import Table
from tests.lsp.client import LspClient
from tests.lsp.feature_walk import FeatureWalk, walked_root
from tests.trees import make

PARAGRAPHS = 20
"""Of a note, which has then 5 KB."""
MEMORY_MB = 150
WALK_ROUNDS = 9
ROUNDS = 40
CHANGES = 10_000
PAUSE = 0.29
"""Seconds after which the next keystroke comes just before or during the check of other documents."""
SECONDS_A_KEY = 0.1
SAVES = 10
SECONDS_A_SAVE = 1.5
HUB = "memory/notes/maps/hub.md"
FACTS = "memory/semantic/facts.md"
MANY_FACTS = "".join(
    f'- [preference] User WANTS Goal:kiln {number} fired on Sunday — "fire kiln {number}" ^f-{number:06}\n'
    for number in range(1_500)
)


def editing(table: Table, folder: Path, count: int = COUNT) -> None:
    """Add what an editor waits for on a vault of `count` notes of 5 KB."""
    vault = dict(notes(count, PARAGRAPHS))
    _walk(table, folder / "sample", {}, "sample")
    _walk(table, folder / "walk", vault, f"{count:,} notes")
    lines = [f"- [context] The kiln {number} fires on Wednesdays ^m-{number:06}\n" for number in range(200)]
    facts = "".join(lines)
    files = {"memtool.toml": 'layout = "native"\n', FACTS: f"# Facts\n\n{facts}", **vault}
    root = make(folder / "vault", files)
    home = folder / "home"
    home.mkdir(parents=True)
    for state in ("nothing cached", "cached"):
        begun = time.perf_counter()
        with LspClient(root, home) as client:
            table.add(f"lsp, {state}: start", _since(begun), None, " ms")
            begun = time.perf_counter()
            uri = client.open(next(iter(vault)))
            client.diagnostics(uri)
            what = f"lsp, {count:,} notes, {state}: first diagnostics of the first document"
            table.add(what, _since(begun), 150, " ms")
            _measure_loading(table, client, uri, f"lsp, {count:,} notes, {state}", begun)
            client.change(uri, client.versions[uri] + 1, next(iter(vault.values())))
            if state == "cached":
                _measure(table, client, vault, count)
    hub = make(folder / "hub", {"memtool.toml": 'layout = "native"\n', **_linked_to_hub(vault)})
    with LspClient(hub, home) as client:
        _measure_wide_renames(table, client, count)
    with LspClient(root, home) as client:
        _measure_facts(table, client)
        path, text = next(iter(vault.items()))
        uri = client.open(path)
        line = text.count("\n")
        begun = time.perf_counter()
        for version in range(2, CHANGES + 2):
            client.change(uri, version, ((line, 0), (line, 0), "x"))
        client.diagnostics(uri, CHANGES + 1)
        table.add(f"lsp: {CHANGES:,} changes until the last diagnostics", _since(begun), None, " ms")
        begun = time.perf_counter()
        big = client.open("memory/notes/big.md", "word " * 800_000)
        client.diagnostics(big)
        table.add("lsp: a document of 4 MB is opened", _since(begun), None, " ms")
        table.add("lsp: peak memory after both", _peak(client), None, " MB")


def _walk(table: Table, folder: Path, vault: dict[str, str], name: str) -> None:
    """Add the median time of each feature, and the memory after all."""
    root = walked_root(folder / "w", vault)
    with LspClient(root, folder) as client:
        client.wait_until_loaded()
        for step in FeatureWalk(client).steps():
            spent = [step.run() for _ in range(WALK_ROUNDS if step.repeated else 1)]
            table.add(f"lsp, {name}, median: {step.name}", statistics.median(spent), step.limit, " ms")
        table.add(f"lsp, {name}: peak memory after each feature", _peak(client), MEMORY_MB, " MB")


def _measure_loading(table: Table, client: LspClient, uri: str, name: str, begun: float) -> None:
    """Type and complete while the server loads the files."""
    document = {"textDocument": {"uri": uri}}
    links = client.ask("textDocument/documentLink", document)
    everything = client.ask("workspace/symbol", {"query": "note 19"})
    version, typed, completed = 1, [], []
    times: dict[int, float] = {}
    broken = 0.0
    while everything not in times or not broken or len(typed) < 5:
        version += 1
        asked = time.perf_counter()
        client.change(uri, version, f"[[nowhere at all]] {'x' * version}\n\n[[\n")
        rows = client.diagnostics(uri, version)
        typed.append(_since(asked))
        if not broken and any(row["code"] == "M401" for row in rows):
            broken = _since(begun)
        asked = time.perf_counter()
        client.at("completion", uri, 2, 2)
        completed.append(_since(asked))
        for number in (links, everything):
            if client.has_answer(number):
                times.setdefault(number, _since(begun))
        time.sleep(SECONDS_A_KEY)
    table.add(f"{name}: until broken links are shown", broken, None, " ms")
    table.add(f"{name}: until links can be followed", times[links], None, " ms")
    table.add(f"{name}: all files loaded", times[everything], None, " ms")
    table.add(f"{name}: first completion of [[", completed[0], 100, " ms")
    table.add(f"{name}, while loading: completion of [[, p95", _p95(completed), 100, " ms")
    table.add(f"{name}, while loading: diagnostics of a keystroke, p95", _p95(typed), 50, " ms")
    for number in (links, everything):
        client.answer(number)


def _measure(table: Table, client: LspClient, vault: dict[str, str], count: int) -> None:
    paths = [*vault]
    opened = []
    for path in paths[1 : ROUNDS + 1]:
        begun = time.perf_counter()
        client.diagnostics(client.open(path))
        opened.append(_since(begun))
    table.add(f"lsp, {count:,} notes: first diagnostics of an opened file, p95", _p95(opened), 150, " ms")
    path = paths[7]
    text, uri = vault[path], client.uri(path)
    last, version = text.count("\n"), 1

    def typed(line: int, character: int, new: str) -> float:
        nonlocal version
        version += 1
        begun = time.perf_counter()
        client.change(uri, version, ((line, character), (line, character), new))
        client.diagnostics(uri, version)
        return _since(begun)

    body = [typed(last, number, "x") for number in range(ROUNDS)]
    table.add(f"lsp, {count:,} notes: diagnostics of a keystroke, p95", _p95(body), 50, " ms")
    title = [typed(2, len("title: "), "x") for _ in range(ROUNDS)]
    table.add(f"lsp, {count:,} notes: of a keystroke in the title, p95", _p95(title), 50, " ms")
    for line, character, where in ((last, 0, "body"), (2, len("title: "), "title")):
        spent = []
        for number in range(ROUNDS // 2):
            time.sleep(PAUSE + number * 0.005)  # when other documents are checked
            spent.append(typed(line, character, "x"))
        what = f"lsp, {count:,} notes, {ROUNDS + 1} open: of a keystroke in the {where} after a pause, p95"
        table.add(what, _p95(spent), 50, " ms")
    for new in ("[[", "#"):
        typed(last, 0, f"{new}\n")
        spent = []
        for _ in range(ROUNDS // 4):
            begun = time.perf_counter()
            client.at("completion", uri, last, len(new))
            spent.append(_since(begun))
            typed(last + 1, 0, "z")
        table.add(f"lsp, {count:,} notes: first completion of {new} after an edit", spent[0], 100, " ms")
        table.add(f"lsp, {count:,} notes: completion of {new}, p95", _p95(spent[1:]), 100, " ms")
    typed(last, 0, "[[note 1")
    cell = {"textDocument": {"uri": uri}}
    requests: dict[str, tuple[Callable[[], object], float | None]] = {
        "completion of a wikilink": (lambda: client.at("completion", uri, last, 8), 100),
        "document symbols": (lambda: client.request("textDocument/documentSymbol", cell), None),
        "code actions": (lambda: client.actions(uri, last, last), None),
        "workspace symbols": (lambda: client.request("workspace/symbol", {"query": "note 19"}), None),
        "references of a note": (lambda: _references(client), None),
        "rename of a note": (lambda: _rename(client), None),
        "hover over a fact, with its turns": (lambda: _hover(client), None),
    }
    for name, (ask, promise) in requests.items():
        ask()
        spent = []
        for _ in range(ROUNDS // 4):
            typed(last, 0, "y")  # each answer is about a new text
            begun = time.perf_counter()
            ask()
            spent.append(_since(begun))
        table.add(f"lsp, {count:,} notes: {name}, p95", _p95(spent), promise, " ms")
    for number in range(SAVES):
        saved = client.root / paths[50 + number]
        saved.write_text(saved.read_text() + "\nMore.\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        time.sleep(SECONDS_A_SAVE)
    table.add(f"lsp, {count:,} notes: peak memory after {SAVES} saves", _peak(client), MEMORY_MB, " MB")


def _linked_to_hub(vault: dict[str, str]) -> dict[str, str]:
    """The notes, all with links to one note and with the tag of it."""
    paragraph = "\n\nOf the [[hub]], again: [[hub|the middle]]. #hub/spoke\n"
    return {HUB: "# Hub\n\nAll. #hub\n", **{path: f"{text}{paragraph}" for path, text in vault.items()}}


def _measure_wide_renames(table: Table, client: LspClient, count: int) -> None:
    client.wait_until_loaded()
    uri = client.open(HUB)
    names = {"a note": ("Nave", 0, 3), "a tag": ("nave", 2, 6)}
    for what, (name, line, character) in names.items():
        begun = time.perf_counter()
        client.at("rename", uri, line, character, newName=name)
        spent = _since(begun)
        table.add(f"lsp, {count:,} notes: rename of {what} that all of them name", spent, None, " ms")
    table.add(f"lsp, {count:,} notes: peak memory after both", _peak(client), MEMORY_MB, " MB")


def _measure_facts(table: Table, client: LspClient) -> None:
    facts = client.open("memory/semantic/many.md", MANY_FACTS)
    client.wait_until_loaded()
    client.diagnostics(facts)
    spent = []
    for number in range(ROUNDS):
        begun = _cpu(client)
        client.change(facts, number + 2, ((900, 30), (900, 30), "x"))
        client.diagnostics(facts, number + 2)
        spent.append(_cpu(client) - begun)
    client.close(facts)
    table.add("lsp: CPU time of a keystroke in 1,500 facts, p95", _p95(spent), 50, " ms")


def _references(client: LspClient) -> object:
    uri = client.uri(next(path for path in client_paths(client) if path.endswith("/note-0.md")))
    return client.at("references", uri, 0, 0, context={"includeDeclaration": False})


def _rename(client: LspClient) -> object:
    uri = client.uri(next(path for path in client_paths(client) if path.endswith("/note-0.md")))
    return client.at("rename", uri, 6, 4, newName="Another title")


def _hover(client: LspClient) -> object:
    uri = client.open(FACTS)
    try:
        return client.at("hover", uri, 5, 20)
    finally:
        client.close(uri)


def client_paths(client: LspClient) -> list[str]:
    """The paths of all notes of the client's workspace."""
    return [str(path.relative_to(client.root)) for path in client.root.glob("memory/notes/**/*.md")]


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


def _cpu(client: LspClient) -> float:
    """The CPU time of the thread that answers, in ms; another one looks for changed files."""
    return int(Path(f"/proc/{client.pid}/schedstat").read_text().split()[0]) / 1e6


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _peak(client: LspClient) -> float:
    status = Path(f"/proc/{client.pid}/status").read_text()
    return int(next(line for line in status.split("\n") if "VmHWM" in line).split()[1]) / 1024


def main(count: int) -> int:
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        editing(table, Path(folder), count)
    table.show()
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
