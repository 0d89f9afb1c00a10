"""Searching turns: what is on disk when a search starts is what it finds, however the files came there."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.errors import UnreadableFile
from memtool.store.files.disk import Disk
from memtool.store.workspace import open_workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.location import TRANSCRIPTS
from memtool.verbs.indexing.reindex import verify
from memtool.verbs.search.exact import search_exact
from memtool.verbs.search.search import search
from tests.faulty import QuietDisk
from tests.trees import contents, held_elsewhere, make, opened

KEY = b"k" * 32
WORDS = ["anchor", "bilge", "cleat", "davit"]
TURNS = "memory/history/turns"
FILES = [f"{TURNS}/2025/01/{day}/{seq:020}.json" for day, seq in (("14", 1), ("14", 2), ("15", 3), ("15", 4))]


def request(text, **more):
    return SearchRequest(text, WHOLE_WORKSPACE, date(2025, 1, 15), **more)


def facts(root):
    return FactSync(opened(root, "native"), KEY, wait=1.0, embedder=None)


def turn(*texts: str, seq: int = 1, role: str = "user", **more) -> str:
    messages = [{"role": role, "parts": [{"type": "text", "text": text}]} for text in texts]
    top = {
        "schema_version": 2,
        "id": "t",
        "seq": seq,
        "created_at": "2025-01-15T10:30:00Z",
        "messages": messages,
    }
    return json.dumps(top | more, indent=2, ensure_ascii=False) + "\n"


def ask(root, text, *, shelf=None, **more):
    workspace = opened(root, "native")
    question = request(text, limit=50, **more)
    return search(workspace, question, shelf or SearchIndexes(workspace, KEY, wait=5.0))


def found(root, text, **more):
    return {hit.path for hit in ask(root, text, **more).hits if hit.source == "transcript"}


def truth(root, word):
    return {
        str(path.relative_to(root)) for path in (root / TURNS).rglob("*.json") if word in path.read_text()
    }


def put(root, one, _, word):
    """A turn as a writer puts it: whole, by renaming."""
    path = root / FILES[one]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(".new").write_text(turn(f"the {word}"))
    path.with_name(".new").rename(path)


def edit_in_place(root, one, _, word):
    """Another word of the same length in the same file, and the old modification time put back."""
    path = root / FILES[one]
    if path.exists():
        info = path.stat()
        text = path.read_text()
        for other in WORDS:
            text = text.replace(other, f"{word:<{len(other)}}"[: len(other)])
        path.write_text(text)
        os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def spoil(root, one, _, word):
    path = root / FILES[one]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(turn(f"the {word}")[:-8])


def remove(root, one, _, word):
    (root / FILES[one]).unlink(missing_ok=True)


def rename(root, one, other, word):
    if (root / FILES[one]).exists():
        (root / FILES[other]).parent.mkdir(parents=True, exist_ok=True)
        (root / FILES[one]).rename(root / FILES[other])


def swap_days(root, one, other, word):
    month = root / TURNS / "2025/01"
    for day in ("14", "15"):
        (month / day).mkdir(parents=True, exist_ok=True)
    (month / "14").rename(month / "third")
    (month / "15").rename(month / "14")
    (month / "third").rename(month / "15")


def lose_days(root, one, other, word):
    shutil.rmtree(root / TURNS, ignore_errors=True)


def lose_index(root, one, other, word):
    shutil.rmtree(root / ".memtool", ignore_errors=True)


def harm_index(root, one, other, word):
    path = root / ".memtool" / TRANSCRIPTS / "transcripts.db"
    if path.exists():
        path.write_bytes(path.read_bytes()[:5000])


STEPS = [put, put, edit_in_place, spoil, remove, rename, swap_days, lose_days, lose_index, harm_index]
steps = st.tuples(st.sampled_from(STEPS), st.integers(0, 3), st.integers(0, 3), st.sampled_from(WORDS))


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@settings(max_examples=25)
@given(st.lists(steps, min_size=1, max_size=8))
def test_a_search_finds_the_turns_that_are_there_and_nothing_else(warm, plan):
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder), {FILES[0]: turn("the anchor"), FILES[3]: turn("the bilge")})
        shelf = SearchIndexes(opened(root, "native"), KEY, wait=5.0) if warm else None
        for step, one, other, word in plan:
            step(root, one, other, word)
            for sought in (word, WORDS[one]):
                assert found(root, sought, shelf=shelf) == truth(root, sought)


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {FILES[0]: turn("the anchor"), FILES[3]: turn("the bilge")})


LARGE = 2_100
"""Turns of a history of which not every file is looked at by every search."""
OLD = f"{TURNS}/2020/01/01"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A large history, indexed when it had been quiet for long."""
    files = {f"{OLD}/{seq:020}.json": turn("an old rope", seq=seq) for seq in range(10, 10 + LARGE)}
    root = make(
        tmp_path_factory.mktemp("large"), {**files, FILES[0]: turn("the anchor"), FILES[3]: turn("the bilge")}
    )
    workspace = opened(root, "native", disk=QuietDisk)
    shelf = SearchIndexes(workspace, KEY, wait=5.0)
    shelf.sync(every=True)
    shelf.close()
    return root


def test_a_new_turn_of_a_large_history_is_found_at_once(large):
    make(large, {FILES[1]: turn("the capstan")})
    assert found(large, "capstan") == {FILES[1]}


def test_an_edit_in_place_of_a_large_history_is_found_when_every_file_was_looked_at_once(large):
    edit_in_place(large, 0, 0, "cleat!")
    assert any(found(large, "cleat") == {FILES[0]} for _ in range(8))


def test_what_an_edit_in_place_removed_from_a_large_history_is_not_found(large):
    edit_in_place(large, 3, 0, "davit")
    assert found(large, "bilge") == set()


def test_the_index_of_a_large_history_has_no_difference_after_all_that(large):
    for one, word in ((0, "cleat!"), (3, "davit")):
        edit_in_place(large, one, 0, word)
    for _ in range(8):
        found(large, "davit")
    workspace = opened(large, "native")
    assert verify(SearchIndexes(workspace, KEY, wait=5.0), facts(large))[1] == []


def test_a_hit_names_the_line_the_speaker_and_the_turn(root):
    parts = [
        {"type": "reasoning", "text": "the fluke?"},
        {"type": "tool_call", "id": "c", "name": "look", "arguments": json.dumps({"where": "the\nsheave ü"})},
    ]
    messages = [
        {"role": "user", "parts": [{"type": "text", "text": "one\ntwo anchors, 錨を下ろす\nthree"}]},
        {"role": "assistant", "parts": parts},
        {"role": "tool", "parts": [{"type": "tool_result", "tool_call_id": "c", "content": "the gypsy"}]},
    ]
    make(root, {FILES[1]: turn(seq=2, messages=messages)})
    lines = (root / FILES[1]).read_text().split("\n")
    for word, speaker, text in (
        ("two", "user", "two anchors"), ("fluke", "assistant", "fluke"), ("sheave", "assistant", "sheave"),
        ("gypsy", "tool", "gypsy"), ("錨", "user", "錨"), ("sheave ü", "assistant", "sheave"),
    ):  # fmt: skip
        hit = next(hit for hit in ask(root, word).hits if hit.path == FILES[1])
        assert word.split()[0] in lines[hit.line - 1]
        assert (hit.speaker, hit.seq, hit.role, hit.at) == (speaker, 2, "turn", "2025-01-15T10:30:00Z")
        assert text in hit.snippet


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("anchoring", {"the anchors hold", "an Anchor"}),
        ('"anchors hold"', {"the anchors hold"}),
        ('"anchor hold"', set()),
        ("+anchor -hold", {"an Anchor"}),
        ("anc*", {"the anchors hold", "an Anchor"}),
        ("ankhor~1", {"an Anchor"}),
        ("deploy_script.py", {"run deploy_script.py now"}),
        ("c++", {"in C++ and C#"}),
        ("Café", {"cafe\u0301 noir"}),
        ("料", {"釉料測試"}),
        ("釉料", {"釉料測試"}),
        ("don't", {"don’t"}),
        ("speaker:user noir", {"cafe\u0301 noir"}),
        ("speaker:tool noir", set()),
        ("date:2025-01 hold", {"the anchors hold"}),
        ("date:2024 hold", set()),
        ("role:turn hold", {"the anchors hold"}),
        ("role:note hold", set()),
        ("tag:x hold", set()),
        ("path:2025/01/14 hold", {"the anchors hold"}),
        ("-path:2025/01/14 hold", set()),
        ("🔥", {"fire 🔥"}),
    ],
)
def test_turns_are_found_as_documents_are(root, query, texts):
    said = [
        *("the anchors hold", "an Anchor", "run deploy_script.py now", "in C++ and C#", "cafe\u0301 noir"),
        *("釉料測試", "don’t", "fire 🔥", "c plus"),
    ]
    shutil.rmtree(root / TURNS)
    make(root, {FILES[0]: turn(*said)})
    assert {hit.text for hit in ask(root, query).hits} == texts


def test_more_of_the_words_come_first_and_documents_are_fused_in(root):
    make(
        root,
        {
            FILES[1]: turn("cleat", "cleat davit", "davit davit davit"),
            "memory/notes/inbox/n.md": "cleat davit\n",
        },
    )
    hits = ask(root, "cleat davit").hits
    assert next(hit.text for hit in hits if hit.source == "transcript") == "cleat davit"
    assert {hit.source for hit in hits[:2]} == {"document", "transcript"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.source for hit in ask(root, "cleat", roles=("note",)).hits} == {"document"}
    assert {hit.source for hit in ask(root, "cleat", roles=("turn",)).hits} == {"transcript"}


def test_where_nothing_may_be_written_the_same_is_found(root):
    assert found(root, "anchor") == {FILES[0]}
    put(root, 1, 0, "anchor")
    remove(root, 0, 0, "")
    before = contents(root)
    workspace = opened(root, "native")
    workspace.writes = False
    for key in (KEY, None):
        answer = search(workspace, request("anchor"), SearchIndexes(workspace, key, wait=0.1))
        assert {hit.path for hit in answer.hits} == {FILES[1]}
    assert contents(root) == before


def test_a_busy_index_is_done_without_and_said(root):
    found(root, "anchor")
    put(root, 1, 0, "davit")
    with held_elsewhere(root / ".memtool" / TRANSCRIPTS):
        answer = ask(root, "davit", shelf=SearchIndexes(opened(root, "native"), KEY, wait=0.1))
    assert [hit.path for hit in answer.hits] == [FILES[1]]
    assert any("is writing the index of transcripts" in notice for notice in answer.notices)


def test_an_index_from_elsewhere_is_not_opened(root):
    found(root, "anchor")
    workspace = opened(root, "native")
    answer = search(workspace, request("anchor"), SearchIndexes(workspace, b"x" * 32, wait=1.0))
    assert any("was copied from another place" in notice for notice in answer.notices)
    assert {hit.path for hit in answer.hits} == {FILES[0]}


def test_what_cannot_be_listed_is_not_gone(root):
    class Refusing(Disk):
        """A disk on which nobody may look at one day."""

        def folder_stat(self, path):
            if str(path).endswith("/14"):
                raise UnreadableFile(f"{path} cannot be read: permission denied")
            return super().folder_stat(path)

    found(root, "anchor")
    workspace = opened(root, "native", disk=Refusing)
    answer = search(
        workspace,
        request("cleat"),
        SearchIndexes(workspace, KEY, wait=1.0),
    )
    assert answer.is_unknown
    assert any("permission denied" in notice for notice in answer.notices)
    answer = search(
        workspace,
        request("anchor"),
        SearchIndexes(workspace, KEY, wait=1.0),
    )
    assert {hit.path for hit in answer.hits} == {FILES[0]}  # what is known of it stays known
    assert found(root, "anchor") == {FILES[0]}


def test_verify_names_what_differs(root):
    workspace = opened(root, "native")
    shelf = SearchIndexes(workspace, KEY, wait=1.0)
    assert {one.what for one in verify(shelf, facts(root))[0]} == {"missing"}
    found(root, "anchor")
    make(root, {FILES[0]: turn("other"), FILES[1]: turn("new")})
    remove(root, 3, 0, "")
    differences, unread = verify(SearchIndexes(workspace, KEY, wait=1.0), facts(root))
    assert {(one.path, one.what) for one in differences} == {
        (FILES[0], "stale"), (FILES[1], "missing"), (FILES[3], "deleted")
    }  # fmt: skip
    assert not unread


def test_what_is_no_turn_is_found_by_its_text(root):
    make(
        root, {FILES[1]: turn("the capstan")[:-9], FILES[2]: '{"schema_version": 3, "said": "the windlass"}'}
    )
    hit = ask(root, "capstan").hits[0]
    assert (hit.path, hit.speaker, hit.seq) == (FILES[1], None, None)
    assert "capstan" in (root / FILES[1]).read_text().split("\n")[hit.line - 1]
    assert found(root, "windlass") == {FILES[2]}


def test_exact_search_reads_turns_where_it_is_asked_to(root):
    make(root, {FILES[1]: turn('said "Anchor v2.0" here\nand there'), FILES[2]: turn("an anchor v2")[:-9]})
    workspace = opened(root, "native")
    answer = search_exact(workspace, request("ANCHOR V2", roles=("turn",)))
    assert [(hit.path, hit.speaker, hit.source) for hit in answer.hits] == [
        (FILES[2], None, "transcript"), (FILES[1], "user", "transcript"),
    ]  # fmt: skip
    assert answer.hits[1].snippet == 'said "Anchor v2.0" here'
    for hit in answer.hits:
        assert "nchor v2" in (root / hit.path).read_text().split("\n")[hit.line - 1]
    assert not search_exact(workspace, request("anchor")).hits  # not one of the three tiers
    assert len(search_exact(workspace, request("the", roles=("all",), limit=1)).hits) == 1


def test_a_text_of_megabytes_is_found_in_bounded_time(root):
    filler = "lorem ipsum dolor sit amet " * 40 + "\n"
    long = filler * 4000 + "the halyard here\n" + filler * 4000 + "x" * 3_000_000 + " capstan ends it"
    make(root, {FILES[1]: turn(long)})
    for word, text in (
        ("halyard", "the halyard here"),
        ("halyards", "the halyard here"),
        ("capstan", "capstan ends it"),
    ):
        hit = ask(root, word, roles=("turn",)).hits[0]
        assert text in hit.snippet
        assert len(hit.text) <= 2000


def test_an_index_that_another_made_anew_is_taken_up(root):
    warm = SearchIndexes(opened(root, "native"), KEY, wait=5.0)
    assert found(root, "anchor", shelf=warm) == {FILES[0]}
    other = SearchIndexes(opened(root, "native"), KEY, wait=5.0)
    other.turns.rebuild()
    other.close()
    put(root, 1, 0, "cleat")
    assert found(root, "cleat", shelf=warm) == {FILES[1]}
    fresh = SearchIndexes(opened(root, "native"), KEY, wait=5.0)
    assert fresh.turns.state().count == 3  # what the warm one indexed is in the file that stands there


def test_names_and_words_that_are_no_utf8_are_no_obstacle(root):
    odd = os.fsencode(root / TURNS / "2025/01") + b"/\xffday/odd\xfe.json"
    os.makedirs(os.path.dirname(odd))
    with open(odd, "wb") as file:
        file.write(
            turn("the grommet", role="x\ud800y", id="\udc80")
            .encode("utf-8", "surrogatepass")
            .replace(b"\xed\xa0\x80", b"\\ud800")
            .replace(b"\xed\xb2\x80", b"\\udc80")
        )
    path = os.fsdecode(odd)[len(str(root)) + 1 :]
    for _ in range(2):
        assert found(root, "grommet") == {path}
        assert found(root, "anchor") == {FILES[0]}
    assert found(root, "path:\udcffday grommet") == {path}
    assert found(root, "\ud800") == set()
    os.unlink(odd)
    assert found(root, "grommet") == set()


ODD = """anchor AND OR NOT NEAR( ) " ' * - + ^ : terms:x { } ~1 speaker:user role:turn date:2025 path:*
group:x tag:y c++ 錨 \0 ;-- a*b"""
QUERIES = st.text(max_size=20) | st.lists(st.sampled_from(ODD.split()), max_size=6).map(" ".join)


def test_no_query_is_an_error(root):
    make(root, {FILES[1]: turn("anchors, C++ and 錨を下ろす; don't")})
    shelf = SearchIndexes(opened(root, "native"), KEY, wait=5.0)

    @settings(max_examples=300)
    @given(QUERIES)
    def asked(text):
        for hit in ask(root, text, shelf=shelf, roles=("turn",)).hits:
            assert hit.path in {FILES[0], FILES[1], FILES[3]}

    asked()


def test_a_speakers_name_alone_finds_what_the_speaker_said(tmp_path):
    said = {FILES[0]: ("Annabel", "anchor"), FILES[1]: ("Timur", "ask Annabel"), FILES[2]: ("Timur", "")}
    turns = {}
    for seq, (path, (name, text)) in enumerate(said.items(), 1):
        message = {"role": "user", "name": name, "parts": [{"type": "text", "text": text}]}
        turns[path] = turn(seq=seq, messages=[message])
    root = make(tmp_path / "w", turns)
    assert [hit.path for hit in ask(root, "annabel").hits] == [FILES[1], FILES[0]], "mentions come first"
    assert found(root, "annabel anchor") == {FILES[0]}
    assert found(root, "annabel", since=date(2025, 1, 16)) == set()


TALKS = {
    FILES[0]: turn(
        "the anchor holds", seq=1, session="s1", source={"agent": "x", "session": "c-9", "id": "1"}
    ),
    FILES[1]: turn("the anchor drags", seq=2, session="s2", role="assistant", chat_id="family@g.us"),
    FILES[2]: turn("an anchor", seq=3, session="s2"),
    "MEMORY.md": "the anchor\n",
}


@pytest.mark.parametrize(
    ("text", "named", "found"),
    [
        ("anchor", {"sessions": ("s1",)}, [0]),
        ("anchor", {"sessions": ("s1", "s2"), "speakers": ("User",)}, [0, 2]),
        ("anchor", {"speakers": ("agent",)}, [1]),
        ("anchor", {"chats": ("c-9", "family@g.us")}, [0, 1]),
        ("anchor", {"chats": ("s2",)}, [2]),
        ("anchor", {"sessions": ("s9",)}, []),
    ],
)
def test_the_index_and_the_files_alone_give_the_messages_of_who_is_named(tmp_path, text, named, found):
    root = make(tmp_path / "w", TALKS)
    expected = sorted(FILES[number] for number in found)
    for _ in range(2):  # the index is made, then used
        assert sorted(hit.path for hit in ask(root, text, **named).hits) == expected
    exact = search_exact(opened(root, "native"), request(text, **named))
    assert sorted(hit.path for hit in exact.hits) == expected
    shutil.rmtree(root / ".memtool")
    workspace = open_workspace(str(root), {}, "native", writes=False)  # makes no index
    response = search(workspace, request(text, **named), SearchIndexes(workspace, KEY, wait=5.0))
    assert sorted(hit.path for hit in response.hits) == expected
    assert not (root / ".memtool").exists()


def test_sessions_and_chats_are_fields_of_a_query(tmp_path):
    root = make(tmp_path / "w", TALKS)
    assert [hit.path for hit in ask(root, "anchor session:s1").hits] == [FILES[0]]
    assert [hit.path for hit in ask(root, "anchor chat:family@g.us").hits] == [FILES[1]]
    assert FILES[2] not in [hit.path for hit in ask(root, "anchor -session:s2").hits]


def test_a_speaker_has_a_name_by_its_first_word(tmp_path):
    named = {"role": "user", "name": "Annabel Smith", "parts": [{"type": "text", "text": "an anchor"}]}
    text = json.loads(turn("x")) | {"messages": [named]}
    root = make(tmp_path / "w", {FILES[0]: json.dumps(text), FILES[1]: turn("an anchor", seq=2)})
    for speaker in ("annabel", "Annabel Smith"):
        assert [hit.path for hit in ask(root, "anchor", speakers=(speaker,)).hits] == [FILES[0]]
        exact = search_exact(opened(root, "native"), request("anchor", speakers=(speaker,)))
        assert [hit.path for hit in exact.hits] == [FILES[0]]


@pytest.mark.parametrize("writes", [True, False], ids=["index", "without an index"])
def test_a_speakers_name_alone_finds_the_messages(root, writes):
    shutil.rmtree(root / TURNS)
    text = {"type": "text", "text": "the kiln reaches 1200 degrees"}
    spoken = {"role": "user", "parts": [text], "name": "Annabel Okafor"}
    make(root, {FILES[0]: turn(messages=[spoken]), FILES[1]: turn("Annabel likes celadon", seq=2)})
    workspace = opened(root, "native")
    workspace.writes = writes

    def texts(query):
        answer = search(workspace, request(query), SearchIndexes(workspace, KEY, wait=1.0))
        return [hit.text for hit in answer.hits]

    both = ["Annabel likes celadon", "the kiln reaches 1200 degrees"]
    assert texts("annabel") == both
    assert texts("Annabel's") == both
    assert texts("annabel date:2020") == []
    assert texts("annabel celadon") == both[:1]
    assert texts("boris") == []


def test_one_file_takes_at_most_half_of_the_hits(root):
    section = "## Davit {0}\n\nThe davit {0} holds the davit boat davit.\n\n"
    long = "# Davits\n\n" + "".join(section.format(number) for number in range(30))
    notes = {f"memory/notes/zettel/n{number}.md": f"A davit and {'rope ' * 20}" for number in range(8)}
    make(root, {"memory/notes/zettel/long.md": long, **notes})
    workspace = opened(root, "native")

    def paths(**more):
        asked = request("davit", roles=("note",), limit=10, **more)
        return [hit.path for hit in search(workspace, asked, SearchIndexes(workspace, KEY, wait=1.0)).hits]

    assert len(paths()) == 10
    assert paths().count("memory/notes/zettel/long.md") == 5
    assert len(paths(path="**/long.md")) == 10
