"""forget, end to end: a person who is in memory by every way in, beside another, and gone from every byte."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from memtool.cli.main import memtool_group
from memtool.errors import CannotUndo, MemtoolError
from tests.hooks import claude_log, codex_log, event, prompt
from tests.trees import clean_environment, contents, memtool

ANN = [
    "ann",
    "smith",
    "fluoxetine",
    "zanzibar",
    "pistachio",
    "saxophone",
    "velvet",
    "quokka",
    "marzipan",
    "xylophone",
    "oboe",
    "kumquat",
    "tarragon",
    "gooseberry",
    "bassoon",
    "lychee",
    "periwinkle",
    "nougat",
    "zither",
    "celesta",
    "harpsichord",
    "turnip",
    "ukulele",
    "banjo",
    "papaya",
]
"""Her id, her names, and a word of each thing that she said."""
BOB = ["rhubarb", "trombone", "marmalade", "kayak", "marlow", "cello", "annual", "willow"]


def run(root: Path, *arguments: str, stdin: str = "") -> tuple[int, str]:
    """Run a command in this process; its exit code, and what it printed."""
    environment = {**clean_environment(root.parent / "home"), "MEMTOOL_ROOT": str(root)}
    result = CliRunner().invoke(memtool_group, arguments, input=stdin, env=environment, standalone_mode=False)
    if isinstance(result.exception, MemtoolError):
        return result.exception.exit_code, str(result.exception)
    if result.exception is not None:
        raise result.exception
    return result.return_value or 0, result.output


def conversation(*turns: tuple[str, str]) -> str:
    roles = ("user", "assistant")
    pairs = (zip(roles, turn, strict=True) for turn in turns)
    return json.dumps([{"role": role, "content": text} for pair in pairs for role, text in pair])


def ann_enters(root: Path, folder: Path) -> list[Path]:
    """Bring Ann into memory by every way in; the transcripts that were imported."""
    codex_log(folder / "codex.jsonl", [("I like marzipan on every cake.", "Noted.")], "t-ann")
    logs = [
        claude_log(
            folder / "ann.jsonl", [("My name is Ann Smith. I keep a quokka at home.", "Nice.")], "s-ann"
        ),
        folder / "codex.jsonl",
    ]
    claim = {"category": "relationship", "subject": "User", "predicate": "KNOWS", "object": "Person:Maria"}
    evidence = {"evidence": "My xylophone teacher is my aunt Maria", "turn": 0}
    candidate = json.dumps({"lane": "semantic", **claim, **evidence}) + "\n"
    soup = [("I prefer tarragon in every soup I cook.", "Good."), ("Which one?", "This.")] * 6
    oboe = conversation(("I have an oboe lesson on Monday evening.", "Fine."))
    dress = conversation(("My periwinkle dress is at the cleaner's.", "Yes."))
    page = "# People\n\n- Ann eats gooseberry jam\n- Bob paddles a kayak\n"
    memory = json.dumps({"command": "create", "path": "/memories/people.md", "file_text": page})
    ann = ["--user", "ann"]
    harpsichord = [("I restore an old harpsichord in my attic at night.", "What a lovely thing to do.")] * 5
    (root / "MEMORY.md").write_text((root / "MEMORY.md").read_text() + "\n- Ann plays the celesta\n")
    quarantined = root / "memory/history/quarantine/2025/01/15/00000000000000000009.json"
    quarantined.parent.mkdir(parents=True)
    quarantined.write_text('{"user": "ann", "messages": "My ukulele is blue"')
    ways: list[tuple[list[str], str]] = [
        ([*ann, "scan", "-m", "My name is Ann Smith. I prefer pistachio ice cream."], ""),
        ([*ann, "save", "I take fluoxetine every morning"], ""),
        ([*ann, "append-daily", "--full", "--user-text", "I was in Zanzibar for a month"], ""),
        ([*ann, "append-turn"], conversation(("I play the saxophone in a big band.", "Lovely."))),
        *(([*ann, "import", str(log)], "") for log in logs),
        ([*ann, "note", "new", "Velvet curtains"], ""),
        ([*ann, "buffer", "--used", "90", "--window", "100"], oboe),
        ([*ann, "compact", "--force"], conversation(*soup)),
        ([*ann, "--session", "s9", "candidates", "add"], candidate),
        ([*ann, "learn", "correction", "The kumquat order is for nine boxes"], ""),
        ([*ann, "rules", "add", "Always answer with a lychee joke"], ""),
        (["memories"], memory),
        ([*ann, "--session", "s9", "session", "turn"], dress),
        ([*ann, "feedback", "add", "up", "--note", "The zither notes are good"], ""),
        ([*ann, "--session", "s8", "session", "turn"], conversation(*harpsichord)),
        ([*ann, "--session", "s8", "session-end"], ""),
        ([*ann, "scan", "-m", "I want to kill myself when the marimba stops"], ""),
        ([*ann, "memories", "create", "/memories/ann/soup.md", "--file-text", "Turnip soup"], ""),
        (["memories", "create", "/memories/plans/ann-smith/page.md", "--file-text", "A page"], ""),
        ([*ann, "save", "--key", "fruit", "my fruit is the papaya"], ""),
        ([*ann, "save", "--key", "fruit", "my fruit is the banjo papaya"], ""),
        (["--user", "bob", "save", "Ann lends me her bassoon"], ""),
        (["recall", "fluoxetine"], ""),
        (["search", "saxophone"], ""),
        (["lint"], ""),
    ]
    for arguments, stdin in ways:
        code, printed = run(root, *arguments, stdin=stdin)
        assert code in {0, 1}, printed
    record = prompt("I like to eat nougat when it rains. My favourite sweet is nougat.")
    hook(root, record, MEMTOOL_USER="ann")
    log = claude_log(folder / "h-ann.jsonl", [("I play the banjo by the river.", "Nice.")], "h-ann")
    stop = event("Stop", session_id="h-ann", transcript_path=str(log), cwd=str(root))
    hook(root, stop, MEMTOOL_USER="ann")
    return [*logs, log]


def bob_enters(root: Path) -> None:
    for arguments, stdin in (
        (["scan", "-m", "My name is Bob Marlow. I prefer rhubarb pie."], ""),
        (["save", "I play the trombone"], ""),
        (["append-turn"], conversation(("I cook marmalade in March.", "Good."))),
        (["save", "The annual almanac is under the willow"], ""),
        (["memories", "create", "/memories/annual/cello.md", "--file-text", "A cello"], ""),
    ):
        assert run(root, "--user", "bob", *arguments, stdin=stdin)[0] == 0


def hook(root: Path, record: dict[str, object], **environment: str) -> None:
    result = memtool(
        "hook",
        home=root.parent / "home",
        stdin=json.dumps(record),
        environment={"MEMTOOL_ROOT": str(root), **environment},
    )
    assert result.returncode == 0, result.stderr


def everything(root: Path) -> Iterator[tuple[str, bytes]]:
    """The path and all bytes of every file, with what is compressed or encoded in them."""
    for path in sorted(root.rglob("*")):
        yield str(path.relative_to(root)), b""
        if not path.is_file():
            continue
        content = path.read_bytes()
        for blob in {*re.findall(rb"[A-Za-z0-9+/]{24,}={0,2}", content)}:
            try:
                raw = base64.b64decode(blob)
            except ValueError:
                continue
            try:
                yield str(path), zlib.decompress(raw)
            except zlib.error:
                yield str(path), raw
            else:
                content = content.replace(blob, b" ")  # its letters are random: a short word may be there
        yield str(path), content
        for start in [
            match.start() for match in re.finditer(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08", content)
        ]:
            try:
                yield str(path), zlib.decompressobj(47).decompress(content[start:])
            except zlib.error:
                continue


def places_of(root: Path, words: list[str]) -> list[str]:
    """Where one of these words is, as a whole word: in the bytes or the name of a file."""
    pattern = re.compile(rb"(?i)(?<![a-z])(?:" + b"|".join(word.encode() for word in words) + rb")(?![a-z])")
    found: list[str] = []
    for path, content in everything(root):
        text = content + b"\n" + Path(path).name.encode()
        found += [f"{path}: {match[0].decode()}" for match in pattern.finditer(text)]
    return found


def words_in(root: Path, words: list[str]) -> set[str]:
    """Those of these words that are in the bytes or the name of a file."""
    return {place.rpartition(": ")[2].lower() for place in places_of(root, words)}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    assert run(root, "init", str(root))[0] == 0
    return root


def test_a_forgotten_person_is_in_no_byte_and_another_is_whole(tree, tmp_path):
    bob_enters(tree)
    logs = ann_enters(tree, tmp_path)
    assert words_in(tree, ANN) == {*ANN}
    before = contents(tree)
    assert run(tree, "forget", "--user", "ann", "--dry-run")[0] == 0
    assert contents(tree) == before
    assert run(tree, "forget", "--user", "ann")[0] == 2  # there is no terminal to ask
    assert contents(tree) == before
    code, printed = run(tree, "forget", "--user", "ann", "--yes")
    assert code == 0, printed
    assert places_of(tree, ANN) == []
    assert words_in(tree, BOB) == {*BOB}
    assert run(tree, "undo")[0] == CannotUndo.exit_code
    run(tree, "undo", "3")
    for log in logs:
        code, printed = run(tree, "import", str(log))
        assert "0 imported, " in printed
        assert "forgotten" in printed
    assert run(tree, "scan", "-m", "My name is Ann Smith. I prefer pistachio ice cream.")[0] == 1
    assert run(tree, "save", "I take fluoxetine every morning")[0] == 1
    run(tree, "search", "trombone")
    assert places_of(tree, ANN) == []
    for arguments, stdin in programs_repeat():
        code, printed = run(tree, *arguments, stdin=stdin)
        assert "forgotten" in printed or "earlier forget command" in printed, arguments
        assert code in {0, 1}, printed
    assert places_of(tree, ANN) == []
    assert run(tree, "forget", "--user", "ann", "--yes")[0] == 1


def programs_repeat() -> list[tuple[list[str], str]]:
    """What programs hand over again of what Ann said, without her name."""
    page = json.dumps({"command": "create", "path": "/memories/p.md", "file_text": "Ann eats gooseberry jam"})
    lesson, dress = "I have an oboe lesson on Monday evening.", "My periwinkle dress is at the cleaner's."
    return [
        (["append-turn"], conversation(("I play the saxophone in a big band.", "Lovely."))),
        (["append-daily", "--user-text", "I was in Zanzibar for a month", "--agent-text", "So long?"], ""),
        (["buffer", "--used", "9", "--window", "10", "--user-text", lesson], ""),
        (
            ["--session", "s1", "session", "turn"],
            conversation((dress, "Yes.")),
        ),
        (["learn", "correction", "The kumquat order is for nine boxes"], ""),
        (["memories"], page.replace("Ann eats", "- Ann eats")),
    ]


def test_what_was_forgotten_of_a_session_comes_back_by_no_way_of_that_session(tree):
    talk = conversation(("We fire the kiln on Friday.", "Yes, sir."))
    assert run(tree, "--session", "s7", "append-turn", stdin=talk)[0] == 0
    assert run(tree, "forget", "--source", "s7", "--yes")[0] == 0
    for arguments in (["--session", "s7", "append-turn"], ["--session", "s7", "session", "turn"]):
        assert (
            "text that an earlier forget command removed was not stored again"
            in run(tree, *arguments, stdin=talk)[1]
        )
    assert places_of(tree, ["kiln", "sir"]) == []


def test_what_a_person_states_anew_is_taken(tree):
    run(tree, "append-daily", stdin="The celadon glaze crawls on porcelain")
    run(tree, "rules", "add", "Never mix celadon with iron")
    assert run(tree, "forget", "--match", "celadon", "--yes")[0] == 0
    assert run(tree, "append-daily", stdin="The celadon glaze crawls on porcelain")[0] == 0
    assert run(tree, "rules", "add", "Never mix celadon with iron")[0] == 0
    assert {path.partition(":")[0] for path in places_of(tree, ["porcelain"])} >= {
        str(path) for path in (tree / "memory").glob("20*.md")
    }


@pytest.mark.parametrize("user", ["", "rhian"])
@pytest.mark.parametrize("others", [True, False])
def test_a_phrase_is_in_no_byte_after_a_fact_was_superseded_or_undone(tmp_path, user, others):
    root = tmp_path / "w"
    run(root, "init", str(root))

    def own(*arguments: str) -> str:
        done = memtool(*arguments, home=tmp_path, cwd=root, environment={"MEMTOOL_USER": user})
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    if others:
        own("scan", "-m", "I've got a daughter, Megan, who just turned thirteen")
    own("scan", "-m", "I was diagnosed with coeliac disease in 2014")
    if others:
        megan, coeliac = (line.split("\t")[0] for line in own("facts", "list").splitlines()[:2])
        own("facts", "edit", megan, "I've got a daughter, Megan, who is fourteen")
        own("facts", "forget", coeliac)
    else:
        own("undo")
        assert "it would be removed there" in own("forget", "--match", "coeliac", "--dry-run")
    assert places_of(root, ["coeliac"])
    own("forget", "--match", "coeliac", "--yes")
    assert places_of(root, ["coeliac"]) == []
