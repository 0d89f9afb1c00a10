"""Vectors: by the embedded model or a command, made once, anew for another model, never a reason to fail."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from memtool.core.records.turn import Message, TextPart
from memtool.index.embed import hash_of, static, unit
from memtool.index.transcripts.transcript_vectors import MessageVectors
from memtool.index.transcripts.transcripts import Speech, Transcripts, TurnRecord
from memtool.verbs.turns.append_turn import TurnDraft, append_turns
from tests.trees import NOW, contents, make, memtool, opened

SAID = [
    "My cat is called Whiskerino.",
    "The kiln is free on Thursday.",
    "Invoices go out on Mondays.",
    "I bought a bicycle in Lindau.",
]
SCRIPT = """\
import json, sys
KINDS = ("cat pet whiskerino animal", "kiln glaze", "invoice money", "bicycle bike ride")
for line in sys.stdin:
    words = json.loads(line).lower().replace(".", " ").replace("?", " ").split()
    print(json.dumps([float(sum(word in kind.split() for word in words)) + 0.01 for kind in KINDS]))
"""


class Fake:
    """An embedder whose vectors are as long as its texts' first letters say; it counts what it is asked."""

    kind = "embedded"

    def __init__(self, name, width):
        self.name, self.width, self.asked = name, width, 0

    def vectors(self, texts):
        self.asked += len(texts)
        rows = [[text.lower().count(chr(97 + i)) + 0.1 for i in range(self.width)] for text in texts]
        return unit(np.array(rows, dtype=np.float32))

    def query_vectors(self, texts):
        return self.vectors(texts)


@pytest.fixture
def root(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    drafts = [TurnDraft(NOW, (Message("user", (TextPart(text),)),), {}) for text in SAID]
    append_turns(opened(root), drafts, NOW)
    return root


@pytest.fixture
def command(tmp_path):
    script = tmp_path / "embed.py"
    script.write_text(SCRIPT)
    return f"python3 {script}"


def hybrid(root, tmp_path, query, *more):
    return memtool("search", "--mode", "hybrid", "-n", "1", *more, query, home=tmp_path, cwd=root)


def test_what_means_the_same_is_found_though_no_word_is_the_same(root, tmp_path, command):
    assert memtool("search", "which pet?", home=tmp_path, cwd=root).returncode == 1
    result = hybrid(root, tmp_path, "which pet?", "--embedder", command)
    assert "Whiskerino" in result.stdout, result.stderr
    assert "bicycle" in hybrid(root, tmp_path, "a long ride", "--embedder", command).stdout


def test_a_search_without_a_hit_names_recall_only_where_recall_has_an_answer(root, tmp_path, command):
    set_up = {"home": tmp_path, "cwd": root, "environment": {"MEMTOOL_EMBEDDER": command}}
    assert memtool("save", "Whiskerino is my cat", **set_up).returncode == 0
    files = {path: path.read_bytes() for path in root.glob("memory/**/*") if path.is_file()}
    for query, word in [("glaze", "trace"), ("bike", "trace"), ("pet", "recall")]:
        missed = memtool("search", query, **set_up)
        assert missed.returncode == 1
        assert f"run memtool {word}" in missed.stderr
        assert memtool("recall", query, **set_up).returncode == (word == "trace")
        if word == "trace":
            assert files == {path: path.read_bytes() for path in files}  # nothing counts as recalled


def test_a_question_about_a_speaker_is_put_to_that_speaker(tmp_path):
    script, log = tmp_path / "embed.py", tmp_path / "log"
    kinds = SCRIPT.replace('"cat pet', '"ann hello", "cat pet').replace("in sys.stdin", "in lines")
    logged = f"lines = [*sys.stdin]\nopen({str(log)!r}, 'a').write(repr(lines))\nfor line"
    script.write_text(kinds.replace("for line", logged))
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    rows = [("Bob", "Hello Ann!"), ("Ann", "My bicycle is red."), ("Bob", "Oh, Ann, Ann."), ("Ann", "Yes.")]
    drafts = [
        TurnDraft(NOW, (Message("user", (TextPart(text),), {"name": name}),), {}) for name, text in rows
    ]
    append_turns(opened(root), drafts, NOW)
    make(root, {"memory/notes/inbox/a.md": "# A\n\nThe heron stood in the reeds.\n"})
    question = ("does Ann own something to ride?", "--embedder", f"python3 {script}", "-n", "3")
    found = hybrid(root, tmp_path, *question).stdout
    assert "Hello" not in found[: found.index("bicycle")]
    log.write_text("")
    assert hybrid(root, tmp_path, *question).stdout == found
    (asked,) = log.read_text().removesuffix("]").split("]")  # documents and turns are asked at once
    assert "does Ann own" in asked
    assert "does you own" in asked
    kept = b"".join(path.read_bytes() for path in (root / ".memtool" / "vectors").iterdir())
    assert not any(hash_of(f"does {who} own something to ride?") in kept for who in ("Ann", "you"))


def test_incognito_finds_the_same_and_writes_nothing(root, tmp_path, command):
    before = contents(root)
    result = hybrid(root, tmp_path, "which pet?", "--embedder", command, "--incognito")
    assert "Whiskerino" in result.stdout, result.stderr
    assert contents(root) == before


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("print('[1, 2]'); print('[1, 2]')", "lines printed: 2"),
        ("[print('nonsense') for _ in sys.stdin]", "is not JSON"),
        ("[print('[\"a\"]') for _ in sys.stdin]", "must print one array of numbers"),
        ("[print([1.0] * (n + 1)) for n, _ in enumerate(sys.stdin)]", "different lengths"),
        (
            "rows = [*sys.stdin]; [print([1.0] * (3 if len(rows) < 3 else 5)) for _ in rows]",
            "different lengths",
        ),
        ("[print('[1' + '0' * 400 + ']') for _ in sys.stdin]", "must print one array of numbers"),
        ("sys.exit(3)", "exit code 3"),
    ],
)
def test_a_command_that_makes_no_vectors_is_named_and_nothing_breaks(root, tmp_path, code, says):
    script = tmp_path / "bad.py"
    script.write_text(f"import sys\n{code}\n")
    result = hybrid(root, tmp_path, "kiln", "--embedder", f"python3 {script}")
    assert (result.returncode, result.stdout) == (17, "")
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert "kiln" in memtool("search", "kiln", home=tmp_path, cwd=root).stdout


def test_without_the_extra_search_is_lexical_and_says_so(root, tmp_path):
    blocked = "import sys\nsys.modules['numpy'] = None\nimport importlib.util as u\nfind = u.find_spec\n"
    blocked += "u.find_spec = lambda name, *a: None if name == 'wordllama' else find(name, *a)\n"
    (tmp_path / "sitecustomize.py").write_text(blocked)
    result = memtool(
        "search",
        "--mode",
        "hybrid",
        "kiln",
        home=tmp_path,
        cwd=root,
        environment={"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[3]}"},
    )
    assert "kiln" in result.stdout
    assert "pip install '.[semantic]'" in result.stderr


def test_the_embedded_model_tells_like_from_unlike():
    model = static()
    rows = model.vectors(["My cat's name is Whiskerino", "What is my cat's name?", "the kiln schedule", ""])
    cosines = rows @ rows.T
    assert cosines[0, 1] > 0.5 > cosines[0, 2]
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 0])


def test_vectors_are_made_once_and_anew_for_another_model():
    index = Transcripts(":memory:")
    index.make()
    index.write([record(number, text) for number, text in enumerate(SAID)])
    first = Fake("one", 5)
    dense = MessageVectors(index, first)
    assert dense.missing() == len(SAID)
    dense.fill()
    dense.fill()
    assert (dense.missing(), first.asked) == (0, len(SAID))
    assert len(dense.nearest("cat", 9)) == len(SAID)
    index.write([record(9, "one more")])
    assert dense.missing() == 1
    dense.fill()
    assert first.asked == len(SAID) + 2  # the question, and the new message
    second = MessageVectors(index, Fake("two", 7))
    assert second.missing() == len(SAID) + 1
    second.fill()
    assert second.missing() == 0
    assert len(second.nearest("cat", 2)) == 2
    index.write(removed=[1])
    assert second.missing() == 0
    assert len(second.nearest("cat", 9)) == len(SAID)


def record(number, text):
    from memtool.index.engine import FileStamp

    stamp = FileStamp(1, 2, 3, 4, 5, "etag")
    return TurnRecord("turns", f"{number}.json", stamp, seq=number, speeches=(Speech("user", text),))


def test_no_number_breaks_a_vector():
    rows = unit(np.array([[float("nan"), 1.0], [float("inf"), 0.0], [0.0, 0.0]], dtype=np.float32))
    assert rows.tolist() == [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


def test_settings_name_an_embedder_of_the_users_own_only(root, tmp_path, command):
    (root / "memtool.toml").write_text(f'layout = "native"\nembedder = {json.dumps(command)}\n')
    result = hybrid(root, tmp_path, "kiln")
    assert "embedder" in result.stderr
    assert "kiln" in result.stdout


def test_vectors_of_chunks_are_kept_for_the_next_search(root, tmp_path, command):
    log = tmp_path / "asked"
    counted = f"tee -a {log} | {command}"
    make(root, {"memory/notes/inbox/a.md": "# A\n\nThe heron stood in the reeds.\n\nA second line.\n"})
    for number in range(2):
        hybrid(root, tmp_path, "which pet?", "--embedder", counted)
        asked = log.read_text().split("\n")
        assert sum("heron" in line for line in asked) == 1, number
    (kept,) = (root / ".memtool" / "vectors").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.write_bytes(b"nonsense")
    assert hybrid(root, tmp_path, "which pet?", "--embedder", counted).returncode == 0


def test_a_command_that_fails_half_way_leaves_the_index_as_it_was(root, tmp_path):
    script = tmp_path / "bad.py"
    script.write_text(
        "import sys\nlines = [*sys.stdin]\n[print([1.0]) for _ in lines]\nsys.exit(len(lines) > 1)\n"
    )
    assert memtool("search", "kiln", home=tmp_path, cwd=root).returncode == 0
    assert hybrid(root, tmp_path, "kiln", "--embedder", f"python3 {script}").returncode == 17
    after = memtool("search", "kiln", home=tmp_path, cwd=root)
    assert (after.returncode, after.stderr) == (0, "")


def test_no_vector_is_written_through_a_planted_link(root, tmp_path, command):
    make(root, {"memory/notes/inbox/a.md": "# A\n\nThe heron stood in the reeds.\n"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / ".memtool").mkdir(exist_ok=True)
    (root / ".memtool" / "vectors").symlink_to(outside)
    result = memtool(
        "search", "--mode", "hybrid", "--embedder", command, "which pet?", home=tmp_path, cwd=root
    )
    assert "Whiskerino" in result.stdout, result.stderr
    assert list(outside.iterdir()) == []


def test_another_model_behind_the_same_command_is_another_one(root, tmp_path, command):
    assert "Whiskerino" in hybrid(root, tmp_path, "which pet?", "--embedder", command).stdout
    script = tmp_path / "embed.py"
    script.write_text(SCRIPT.replace("for kind in KINDS]", "for kind in (*KINDS, 'x', 'y')]"))
    assert "Whiskerino" in hybrid(root, tmp_path, "which pet?", "--embedder", command).stdout


def test_a_fact_is_asked_for_with_one_run_of_the_command(tmp_path):
    fact = {"memory/semantic/facts.md": "- [pets] The cat is called Whisk ^m-c80f12\n"}
    root = make(tmp_path / "w", fact | {"memtool.toml": 'layout = "native"\n'})
    script, runs = tmp_path / "embed.py", tmp_path / "runs"
    script.write_text(f"open({str(runs)!r}, 'a').write('x')\n{SCRIPT}")
    recall = ("recall", "--embedder", f"python3 {script}")
    assert "Whisk" in memtool(*recall, "cat", home=tmp_path, cwd=root).stdout
    runs.unlink()
    assert "Whisk" in memtool(*recall, "which pet", home=tmp_path, cwd=root).stdout
    assert runs.read_text() == "x"


def test_meaning_alone(root, tmp_path, command):
    result = memtool(
        "search",
        "--mode",
        "semantic",
        "-n",
        "1",
        "--embedder",
        command,
        "pet on Mondays",
        home=tmp_path,
        cwd=root,
    )
    assert "Whiskerino" in result.stdout, result.stderr


def test_old_notes_are_not_ranked_below_what_shares_no_word(tmp_path):
    root = make(
        tmp_path / "w",
        {
            "memtool.toml": 'layout = "native"\n',
            "memory/2020-01-15.md": "# Daily Notes -- 2020-01-15\n\nThe bowls cracked in the kiln.\n",
            "learnings/errors.md": "# Errors\n\n- [2025-01-15T10:30:00Z] a plate broke\n",
        },
    )
    result = memtool("search", "--mode", "hybrid", "Why did the bowls crack?", home=tmp_path, cwd=root)
    assert "bowls cracked" in result.stdout.split("\n")[0]


def test_filters_leave_the_nearest_of_what_they_admit(tmp_path, command):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    rows = [f"A cat and a pet, number {number}" for number in range(200)]
    drafts = [TurnDraft(NOW, (Message("user", (TextPart(text),)),), {}) for text in rows]
    drafts.append(
        TurnDraft(NOW.replace(year=2020), (Message("user", (TextPart("The whiskerino sleeps."),)),), {})
    )
    append_turns(opened(root), drafts, NOW)
    result = hybrid(root, tmp_path, "animal", "--embedder", command, "--until", "2020-12-31")
    assert "whiskerino" in result.stdout, result.stderr
