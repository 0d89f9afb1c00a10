"""What is found, and in what order; on memory alone, since every source ranks alike."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.query import DateFilter, FieldFilter, parse_query
from memtool.index.documents.document_index import overlay
from tests.index.records import DAY, found, in_memory, paths, record


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("We deployed the services", ["deploy", "deploying", "SERVICE", "deployed services"]),
        ("Men yo'q dedim, oʻrtoq", ["yo'q", "yo’q", "yoʻq", "yo`q", "yoq", "o'rtoq", "ortoq"]),
        ("I don’t know", ["don't", "dont", "don’t"]),
        ("Мой кот Ёжик любит рыбу", ["кот", "ежик", "ЁЖИК", "рыбу"]),
        ("Crème brûlée in Kraków, Łódź", ["creme", "brulee", "CRÈME", "krakow", "lodz"]),
        ("我住在京都府", ["京", "京都", "住在京都", "我", "京都府"]),
        ("猫が好きです", ["猫", "好き", "が"]),
        ("한국어를 배운다", ["한국어", "배", "한"]),
        ("ฉันชอบกินข้าว", ["ข้าว", "กิน", "ช"]),
        ("使用Python编程", ["python", "编程", "使用", "使用Python编程"]),
        ("版本１２３ ＡＰＩ", ["123", "api", "版本"]),
        ("party 🎉 time 👍🏽", ["🎉", "👍", "👍🏿"]),
        ("flag 🇺🇿 here", ["🇺🇿"]),
        ("run deploy_script.py on host-3", ["deploy_script.py", "deploy_script", "script", "host-3", "host"]),
        ("see memory/notes/foo-bar.md", ["memory/notes/foo-bar.md", "foo-bar.md", "foo-bar", "notes"]),
        ("ticket ABC-123 by me@example.org", ["ABC-123", "abc", "123", "me@example.org", "example.org"]),
        ("version v1.2.3 of C++ and C#", ["v1.2.3", "c++", "C#", "1.2.3"]),
        ("https://example.com/a/b?x=1", ["https://example.com/a/b?x=1", "example.com", "example"]),
        ("__init__ and _emphasis_ and **bold**", ["__init__", "init", "emphasis", "bold"]),
        ("Sardor's laptop", ["sardor", "sardor's", "Sardor’s", "laptop"]),
        ("co\u00adoperate", ["cooperate"]),
        ("the who", ["who", "the who", "the"]),
        ("deployment of recieve", ["deploy*", "d*", "receive~1", "recieve~", "recevie~2"]),
        ("I like dark mode best", ['"dark mode"', '"DARK MODE"', "+dark", "dark -light"]),
        ("x\udcff broken byte", ["broken", "x"]),
        ("Cafe\u0301", ["café", "cafe\u0301"]),
    ],
)
def test_found(text, queries):
    engine = in_memory([text, "something else entirely", "別の話"])
    for query in queries:
        assert paths(engine, query)[:1] == ["a"], query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("都京", "京都"),
        ("mode dark", '"dark mode"'),
        ("dark light", "dark -light"),
        ("dark only", "dark +mode"),
        ("deploy", "deployx*"),
        ("a b", "zebra"),
        ("deploy the script", "+deploy_script"),
        ("", "anything"),
        ("text", ""),
        ("text", '- + * " ~'),
    ],
)
def test_not_found(text, query):
    assert found(in_memory([text]), query) == []


def test_more_neighbouring_characters_rank_higher():
    assert paths(in_memory(["都は京の都と京", "京都府の山", "東京都庁"]), "東京都庁") == ["c", "b"]


def test_documents_with_more_of_the_words_come_first():
    texts = ["alpha " * 50, "alpha beta " + "filler " * 80, "alpha beta gamma " + "filler " * 90]
    assert paths(in_memory(texts), "alpha beta gamma") == ["c", "b", "a"]


def test_a_rare_word_weighs_more():
    assert paths(in_memory(["rare", *["common"] * 20]), "rare common")[0] == "a"


def test_the_whole_identifier_beats_its_parts():
    assert paths(in_memory(["the script to deploy", "run deploy_script now"]), "deploy_script") == ["b", "a"]


def test_headings_title_and_tags_count():
    engine = overlay(
        None,
        [
            record("a", "# Deploy\n\nfirst\n\n## Rollback\n\n" + "text " * 100),
            record("b", "body", title="Postgres backup", tags=("Urgent",)),
        ],
    )
    assert found(engine, "rollback") == ["a:5"]
    assert found(engine, "deploy text") == ["a:5", "a:1"]
    assert paths(engine, "postgres") == paths(engine, "urgent") == ["b"]


def test_equal_scores_stand_by_path_and_line():
    engine = overlay(None, [record(path, "- same\n- same\n") for path in ("b", "a", "c")])
    assert found(engine, "same") == ["a:1", "a:2", "b:1", "b:2", "c:1", "c:2"]


@given(st.lists(st.text("abc ", max_size=8), max_size=12), st.text("abc ", max_size=6), st.integers(1, 12))
def test_a_smaller_limit_gives_the_beginning_of_a_larger_one(texts, query, limit):
    engine = in_memory(texts)
    assert found(engine, query, limit) == found(engine, query, 20)[:limit]


def test_filters_act_before_the_limit():
    engine = overlay(
        None, [record(f"{i:03}", "word", role="note" if i == 50 else "other") for i in range(99)]
    )
    assert paths(engine, "word role:note", 1) == ["050"]
    assert paths(engine, "word", 1, filters=[FieldFilter("role", ("note",))]) == ["050"]


def engine_of_many_roles():
    return overlay(
        None,
        [
            record("memory/2025-01-15.md", "word", role="daily-note", day=DAY),
            record("memory/2025-02-01.md", "word", role="daily-note", day=date(2025, 2, 1)),
            record("memory/notes/a.md", "word", role="note", tags=("Work", "deep")),
            record("groups/g/b.md", "word", role="note", group="g"),
        ],
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("role:note", ["groups/g/b.md", "memory/notes/a.md"]),
        ("role:note role:daily-note", None),
        ("-role:note", ["memory/2025-01-15.md", "memory/2025-02-01.md"]),
        ("tag:work", ["memory/notes/a.md"]),
        ("tag:#WORK", ["memory/notes/a.md"]),
        ("date:2025-01", ["memory/2025-01-15.md"]),
        ("date:2025", ["memory/2025-01-15.md", "memory/2025-02-01.md"]),
        ("path:memory/*.md", ["memory/2025-01-15.md", "memory/2025-02-01.md"]),
        ("path:notes", ["memory/notes/a.md"]),
        ("group:g", ["groups/g/b.md"]),
        ("role:absent", []),
    ],
)
def test_filters(query, expected):
    engine = engine_of_many_roles()
    expected = sorted(paths(engine, "word")) if expected is None else expected
    assert sorted(paths(engine, f"word {query}")) == expected
    if not query.startswith("-"):
        assert sorted(paths(engine, query)) == expected


def test_since_and_until():
    engine = engine_of_many_roles()
    assert paths(engine, "word", filters=[DateFilter(since=date(2025, 1, 20))]) == ["memory/2025-02-01.md"]
    assert paths(engine, "word", filters=[DateFilter(until=date(2025, 1, 15))]) == ["memory/2025-01-15.md"]


def test_daily_notes_lose_weight_with_age_and_nothing_else_does():
    engine = overlay(
        None,
        [
            record("new", "word", role="daily-note", day=DAY),
            record("old", "word", role="daily-note", day=DAY - timedelta(days=60)),
            record("zettel", "word", role="note", day=DAY - timedelta(days=600)),
        ],
    )
    assert paths(engine, "word", today=DAY + timedelta(days=30)) == ["zettel", "new", "old"]
    scores = [hit.score for hit in engine.query(parse_query("word"), 3, today=DAY + timedelta(days=30))]
    assert scores[1] / scores[0] == pytest.approx(1 / 2)
    assert scores[2] / scores[0] == pytest.approx(1 / 4)


def test_a_hit_carries_what_is_shown():
    (hit,) = engine_of_many_roles().query(parse_query("date:2025-01 word"), 5)
    assert (hit.path, hit.first, hit.last, hit.text, hit.role, hit.day) == (
        "memory/2025-01-15.md", 1, 1, "word", "daily-note", DAY,
    )  # fmt: skip


WORDS = st.sampled_from(
    ["run", "deploy_script", "ABC-123", "京都", "猫", "don't", "Ёж", "naïve", "v1.2", "👍", "กิน"]
)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_every_word_of_a_text_finds_it(words, data):
    engine = in_memory([" ".join(words)])
    assert found(engine, data.draw(st.sampled_from(words))) == ["a:1"]


@given(st.text(alphabet=st.characters(), max_size=30))
def test_any_query_can_be_asked(query):
    assert len(found(in_memory(["some text", "京都"]), query)) <= 2
