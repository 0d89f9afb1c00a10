"""The measures of memory, on a made-up conversation whose figures are known."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.bench.captured import measure_captured
from tests.bench.figures import Figures
from tests.bench.floor import measure_floor, read_prompts
from tests.bench.fts5 import Fts5, best_sentences
from tests.bench.injected import flat, holds, measure_injected
from tests.bench.languages import measure_languages
from tests.bench.memory import main
from tests.bench.prepared import Workspaces
from tests.bench.public_sets import Chat, ChatMessage, ChatQuestion, read_beam, read_locomo, read_xquad
from tests.bench.retrieved import measure_retrieved
from tests.trees import clean_environment, make

PREFERENCE = "I prefer tea without sugar in the big blue mug with the crack."
LONG = "The kiln at the pottery is free on Thursdays. " + "Nobody fires anything before nine. " * 8
SAID = [
    ("user", PREFERENCE),
    ("assistant", "Noted."),
    ("user", LONG),
    ("assistant", "A kiln must cool down slowly, or the glaze cracks. " * 20),
    ("user", "My ferret eats aubergines."),
    ("assistant", "Most do not."),
]
QUESTIONS = {
    "abstention": [{"question": "Who painted the ceiling?"}],
    "preference_following": [
        {"question": "How does my tea come, with sugar?", "source_chat_ids": {"first": [0]}}
    ],
    "information_extraction": [
        {"question": "What does the ferret eat?", "source_chat_ids": [4]},
        {"question": "When is the kiln free, and who eats aubergines?", "source_chat_ids": [[2], "4", 99]},
    ],
}
LOCOMO = [
    {
        "conversation": {
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "My ferret eats aubergines."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a kiln"},
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "Nine kilns."}],
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": ""}],
        },
        "qa": [
            {"question": "What does Ann's ferret eat?", "evidence": ["D1:01"], "category": 4},
            {"question": "What does Ben's ferret eat?", "evidence": ["D1:1"], "category": 5},
            {"question": "What did Ben show?", "evidence": ["D1:2; D9:9"], "category": 1},
        ],
    }
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    turns = [[{"role": role, "id": number, "content": text}] for number, (role, text) in enumerate(SAID)]
    folder = "chats/100K/1"
    paragraphs = [
        {"context": "The kiln is fired on Thursdays.", "qas": [{"question": "When is the kiln fired?"}]},
        {"context": "Ferrets eat aubergines.", "qas": [{"question": "Who eats aubergines?"}] * 2},
    ]
    xquad = {"data": [{"paragraphs": paragraphs[:1]}, {"paragraphs": paragraphs[1:]}]}
    files = {
        f"{folder}/chat.json": json.dumps([{"batch_number": 1, "turns": turns}]),
        f"{folder}/probing_questions/probing_questions.json": json.dumps(QUESTIONS),
        "xquad-r/en.json": json.dumps(xquad),
        "locomo.json": json.dumps(LOCOMO),
    }
    return make(tmp_path_factory.mktemp("sets"), dict(files))


@pytest.fixture(scope="module")
def chats(repository) -> list[Chat]:
    return list(read_beam(repository, 1, 1))


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory) -> Workspaces:
    return Workspaces(tmp_path_factory.mktemp("workspaces"))


def test_questions_without_evidence_in_the_conversation_are_left_out(chats):
    ((_, messages, questions),) = chats
    assert [(message.role, message.text) for message in messages] == SAID
    assert [(question.kind, sorted(question.evidence)) for question in questions] == [
        ("preference_following", ["0"]),
        ("information_extraction", ["4"]),
        ("information_extraction", ["2", "4"]),
    ]


def test_a_git_directory_is_read_as_its_folder_is(repository, chats, tmp_path):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(repository)]
    environment = clean_environment(tmp_path)
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Add"]):
        subprocess.run([*git, *arguments], env=environment, check=True)
    assert list(read_beam(repository / ".git", 1, 1)) == chats


def test_a_missing_chat_is_named(repository):
    with pytest.raises(SystemExit, match=r"holds no chats/100K/2/chat\.json"):
        list(read_beam(repository / "chats", 2, 2))


def test_locomo_is_read_in_the_order_of_its_sessions_without_the_wrong_speakers(repository):
    (chat,) = read_locomo(repository / "locomo.json", step=1)
    assert chat.is_between_people
    assert [(message.id, message.speaker, message.text) for message in chat.messages] == [
        ("D1:1", "Ann", "My ferret eats aubergines."),
        ("D1:2", "Ben", "Look!\n(shared a photo: a kiln)"),
        ("D2:1", "Ann", "…"),
        ("D10:1", "Ann", "Nine kilns."),
    ]
    assert chat.questions == (
        ChatQuestion("category 4", "What does Ann's ferret eat?", frozenset({"D1:1"})),
        ChatQuestion("category 1", "What did Ben show?", frozenset({"D1:2"})),
    )
    (every_second,) = read_locomo(repository / "locomo.json", step=2)
    assert len(every_second.questions) == 1


@pytest.mark.parametrize(
    ("begin", "end", "length", "is_held"),
    [
        (0, 40, 40, True),
        (0, 39, 40, False),
        (8, 48, 40, True),
        (4, 44, 40, False),
        (0, 99, 100, False),
        (0, 100, 100, True),
        (0, 99, 40, True),
    ],
)
def test_evidence_counts_when_so_many_characters_in_a_row_stand_in_the_context(begin, end, length, is_held):
    message = flat(" ".join(f"word{number}" for number in range(40)))
    assert holds(f"before {message[begin:end]}#", message, length) is is_held


def test_a_short_message_counts_as_a_whole():
    assert holds(flat("He said: My ferret -- eats aubergines!"), flat("My ferret eats aubergines."), 40)
    assert not holds(flat("My ferret eats"), flat("My ferret eats aubergines."), 40)


def test_what_the_next_prompt_holds_stands_beside_the_baseline(chats, workspaces):
    wide, narrow = measure_injected(chats, workspaces, (8000, 40))
    figures = {row.question: row.figures for row in wide.rows}
    tea, _, both = figures.values()
    assert (tea["@40"], tea["@100"]) == (1.0, 1.0)  # a preference stands in every prompt
    assert (tea["fts5@40"], tea["fts5@100"]) == (1.0, 1.0)
    assert (both["fts5@40"], both["fts5@100"]) == (1.0, 1.0)
    assert 0 < tea["length"] <= 8000
    assert [row.figures["fts5@40"] for row in narrow.rows] == [0.0, 1.0, 0.5]
    assert wide.means()["all"]["count"] == 3


def test_ranks_of_evidence_are_counted_beside_the_baselines(chats, workspaces):
    table = measure_retrieved(chats, workspaces, "lexical")
    assert [row.figures["R@5"] for row in table.rows] == [1.0, 1.0, 1.0]
    assert [row.figures["nDCG@10"] for row in table.rows][:2] == [1.0, 1.0]
    assert [row.figures["fts5 R@5"] for row in table.rows] == [1.0, 1.0, 1.0]
    assert [row.figures["near R@40"] for row in table.rows] == [1.0, 1.0, 1.0]


def test_captured_messages_are_those_whose_entry_has_an_expected_category(chats, workspaces):
    captured = measure_captured(chats, workspaces)
    assert captured.recall.means()["all"] == {"count": 1, "recall": 1.0}
    assert captured.shares.rows[0].figures == {"entry": 1.0, "durable": 1.0}
    assert captured.shares.means()["all"]["count"] == 3
    assert captured.categories["preference"] == 1
    assert f"preference\t{PREFERENCE}" in captured.durable


def test_languages_count_the_paragraph_that_answers(repository, workspaces):
    table = measure_languages(repository, ["en"], workspaces, 1, "lexical")
    assert [len(paragraph.questions) for paragraph in read_xquad(repository, "en")] == [1, 2]
    assert table.means()["all"] == {"count": 3, "R@1": 1.0, "R@10": 1.0, "fts5 R@1": 1.0}


def test_the_floor_is_measured_in_the_sample_and_in_each_conversation(chats, workspaces, tmp_path):
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text('{"text": "When is the kiln free?", "kind": "overlap"}\n\n{"text": "Xyzzy?"}\n')
    of_sample, of_chats = measure_floor(read_prompts(prompts), chats, workspaces, 8000)
    assert of_sample.means()["overlap"]["given"] == 1.0  # the sample does say it
    assert [(row.conversation, row.kind) for row in of_chats.rows] == [
        ("beam-1", "overlap"),
        ("beam-1", "prompt"),
    ]


def test_a_prepared_workspace_is_used_again(chats, workspaces):
    with workspaces.of(chats[0]) as commands:
        made = (commands.root / "MEMORY.md").stat().st_mtime_ns
    with Workspaces(workspaces.folder).of(chats[0]) as commands:
        assert (commands.root / "MEMORY.md").stat().st_mtime_ns == made


def test_means_are_by_kind_and_by_conversation():
    table = Figures("Some")
    for conversation, kind, figure in (("b", "y", 1.0), ("a", "x", 0.0), ("b", "x", 0.5)):
        table.add(conversation, kind, "?", {"R": figure})
    assert list(table.means().items()) == [
        ("all", {"count": 3, "R": 0.5}),
        ("x", {"count": 2, "R": 0.25}),
        ("y", {"count": 1, "R": 1.0}),
    ]
    assert list(table.means("conversation")) == ["all", "b", "a"]


def test_the_baseline_adds_the_scores_of_the_reply_and_of_the_users_neighbours():
    said = [("user", "one"), ("assistant", "zebra"), ("user", "two"), ("assistant", "no"), ("user", "three")]
    chat = [ChatMessage(str(number), role, text) for number, (role, text) in enumerate(said)]
    index = Fts5(chat)
    assert index.ranked("zebra") == ["1"]
    assert index.ranked_users("zebra") == ["0", "2", "4"]
    assert index.ranked_users("three") == ["4", "2", "0"]
    assert index.ranked_speakers("zebra")[:3] == ["1", "2", "0"]


def test_the_baseline_takes_the_sentences_with_most_words_in_their_order():
    text = "Alpha beta. Gamma delta. Alpha gamma. Omega."
    assert best_sentences(text, ["gamma", "alpha"], 25) == "Alpha beta. Alpha gamma."
    assert best_sentences(text, ["omega"], 6) == "Omega."


def test_one_run_prints_a_table_each_and_writes_json(repository, tmp_path, capsys):
    record, rows = tmp_path / "record.json", tmp_path / "rows.jsonl"
    options = ["--last=1", "--only=injected,captured", "--by-chat", "--sample=1"]
    main([f"--beam={repository}", *options, f"--json={record}", f"--rows={rows}"])
    out = capsys.readouterr().out
    written = json.loads(record.read_text())
    assert list(written) == [
        "BEAM: Injected, 8,000 characters",
        "BEAM: Injected, 2,000 characters",
        "BEAM: Captured, messages behind questions",
        "BEAM: Captured, share of user messages",
        "BEAM: Captured, entries by category",
    ]
    assert all(title in out for title in written)
    assert written["BEAM: Captured, messages behind questions"]["conversations"]["beam-1"]["recall"] == 1.0
    assert len(rows.read_text().splitlines()) == 3 + 3 + 1 + 3


def test_an_unknown_measure_is_refused(repository, capsys):
    with pytest.raises(SystemExit):
        main([f"--beam={repository}", "--only=injected,tasted"])
    assert "not tasted" in capsys.readouterr().err
