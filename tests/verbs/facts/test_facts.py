"""Facts saved, recalled, faded and forgotten: what stands in the files, with vectors and without."""

import json
import os
import shutil
from datetime import timedelta

import numpy as np
import pytest

from memtool.core.records.entries import Owner
from memtool.core.records.request import ContextRequest, RecallRequest, SearchRequest
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.errors import BadUsage, CannotUndo, DelegateFailed, UnreadableFile
from memtool.formats import salience as salience_format
from memtool.store.files.disk import Disk
from memtool.verbs.context.context import context
from memtool.verbs.facts.facts import forget_facts, list_facts, show_fact, sort_by_salience
from memtool.verbs.facts.learn import MAX_FILE_CHARS, learn
from memtool.verbs.facts.recall import recall
from memtool.verbs.facts.save import mentioned_category, save
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.location import FACTS as FACTS_INDEX
from memtool.verbs.indexing.reindex import discard
from memtool.verbs.journal.undo import undo
from memtool.verbs.memories.memories import clear_memories
from memtool.verbs.memory_files.salience import decay, load_salience
from memtool.verbs.search.search import search
from tests.trees import NOW, SAMPLE, contents, make, memtool, opened, prompt_scope_of

KEY = b"k" * 32
ANN, BOB = Owner("user", "ann"), Owner("user", "bob")
FACTS = "memory/semantic/facts.md"
AXES = ({"cat", "pussy", "kitten"}, {"dog", "hound"}, {"tea", "coffee"}, {"town", "city", "live"})


class Meanings:
    """An embedder for which words of one row of AXES mean the same."""

    name = "meanings"
    kind = "command"

    def vectors(self, texts):
        said = [{word.strip(".,!?'").lower() for word in text.split()} for text in texts]
        rows = np.array([[float(bool(one & axis)) for axis in AXES] for one in said], dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)

    def query_vectors(self, texts):
        return self.vectors(texts)


class Failing(Meanings):
    """One whose command has gone."""

    name = "failing"

    def vectors(self, texts):
        raise DelegateFailed("the embedder is gone")


def shelf(workspace, embedder=None, key=KEY):
    return FactSync(workspace, key, wait=1.0, embedder=embedder)


def keep(workspace, text, embedder=None, owner=None, at=NOW, **more):
    return save(workspace, text, shelf(workspace, embedder), at=at, owner=owner, **more)


def recalled(workspace, query, index, owners=(), **more):
    return recall(workspace, RecallRequest(query, Scope(owners=frozenset(owners)), NOW, **more), index)


def ask(workspace, query, embedder=None, **more):
    found = recalled(workspace, query, shelf(workspace, embedder), **more)
    return [hit.text for hit in found.hits]


@pytest.fixture
def empty(tmp_path):
    return opened(make(tmp_path / "w", {}), "native")


@pytest.fixture
def sample(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    return opened(tmp_path / "w")


@pytest.mark.parametrize("embedder", [None, Meanings()])
def test_what_is_saved_is_recalled_also_when_the_index_is_gone(empty, embedder, tmp_path):
    keep(empty, "My cat's name is Whiskerino", embedder)
    keep(empty, "The dog barks", embedder)
    assert (tmp_path / "w/.memtool/facts").is_dir()
    shutil.rmtree(tmp_path / "w/.memtool")
    assert ask(empty, "What is my cat's name?", embedder)[0] == "My cat's name is Whiskerino"


@pytest.mark.parametrize("key", [None, KEY])
def test_where_nothing_may_be_written_nothing_is_and_all_is_found(sample, key, tmp_path):
    before = contents(tmp_path / "w")
    sample.writes = False
    found = recalled(sample, "Timur's parcels", shelf(sample, None, key))
    assert [hit.name for hit in found.hits] == ["MEMORY.md:13", "m-77c2d1"]
    assert (found.plan, contents(tmp_path / "w")) == ((), before)
    assert not (tmp_path / "w/.memtool").exists()
    sample.writes = True
    ask(sample, "Timur")
    sample.writes = False
    assert ask(sample, "kiln litres", Meanings())[0].startswith("User USES kiln")


def test_a_shelf_that_is_kept_open_sees_every_edit(sample, tmp_path):
    kept, page = shelf(sample, Meanings()), tmp_path / "w" / FACTS
    for number in range(3):
        page.write_text(page.read_text() + f"- [context] the hound number{number} barks\n")
        kept.sync()
        assert [hit.text for hit in kept.recall(f"number{number}", 5)] == [f"the hound number{number} barks"]
    page.unlink()
    kept.sync()
    assert kept.recall("number1 dog", 5) == []
    kept.close()


class Editing(Meanings):
    """One that appends a fact to a file, up to so many times, whenever its user asks for a query's vector."""

    def __init__(self, path, times):
        self.path, self.times, self.queries = path, times, 0

    def query_vectors(self, texts):
        self.queries += 1
        if 1 < self.queries <= 1 + self.times:  # the first query is before the files are compared
            self.path.write_text(f"- [context] the hound barks {self.queries}\n" + self.path.read_text())
        return super().query_vectors(texts)


def test_a_fact_whose_file_changes_during_a_recall_is_recalled_again(sample, tmp_path):
    index = shelf(sample, Editing(tmp_path / "w" / FACTS, 1))
    response = recalled(sample, "Timur's parcels", index)
    (hit,) = [hit for hit in response.hits if hit.name == "m-77c2d1"]
    assert hit.text in (tmp_path / "w" / hit.path).read_text().split("\n")[hit.line - 1]
    assert (response.notices, response.is_unknown) == ((), False)
    index.close()


def test_of_a_file_that_changes_at_every_recall_the_newest_text_answers(sample, tmp_path):
    index = shelf(sample, Editing(tmp_path / "w" / FACTS, 10))
    response = recalled(sample, "Timur's parcels", index)
    assert "m-77c2d1" in [hit.name for hit in response.hits]
    assert (response.notices, response.is_unknown) == ((), False)
    index.close()


def test_two_shelves_write_one_index(sample, tmp_path):
    one, other = shelf(sample, Meanings()), shelf(sample, Meanings())
    one.sync()
    other.sync()
    page = tmp_path / "w" / FACTS
    page.write_text(page.read_text() + "- [context] the hound sleeps\n")
    one.sync()
    other.sync()
    assert [hit.text for hit in other.recall("dog", 5)] == ["the hound sleeps"]
    assert one.notices == other.notices == []
    one.close()
    other.close()


def test_a_broken_index_is_built_anew_and_said(sample, tmp_path):
    ask(sample, "kiln")
    (tmp_path / "w/.memtool/facts/facts.db").write_bytes(b"nonsense")
    found = recalled(sample, "Timur", shelf(sample, Meanings()))
    assert [hit.name for hit in found.hits] == ["m-77c2d1"]
    assert any("rebuilding it" in one for one in found.notices)


def test_an_index_that_was_thrown_away_is_built_anew_without_a_word(sample):
    ask(sample, "kiln", Meanings())
    discard(sample, FACTS_INDEX)
    kept = shelf(sample, Meanings())
    assert recalled(sample, "Timur", kept).hits
    assert kept.notices == []


def test_the_way_to_get_vectors_is_a_hint_only_where_nothing_is_found_and_no_notice(sample):
    assert recalled(sample, "Timur", shelf(sample)).hint == ""
    nothing = recalled(sample, "zeppelin", shelf(sample))
    assert (nothing.notices, "pip install '.[semantic]'" in nothing.hint) == ((), True)


def test_an_embedder_that_fails_leaves_the_words(sample):
    found = recalled(sample, "Timur", shelf(sample, Failing()))
    assert [hit.name for hit in found.hits] == ["m-77c2d1"]
    assert found.notices == ("the embedder is gone; facts are matched by words only",)


class Withheld(Disk):
    """A disk on which one file may not be read."""

    def read(self, path):
        if str(path) == FACTS:
            raise UnreadableFile(f"{path} cannot be read: permission denied")
        return super().read(path)


def test_a_file_that_cannot_be_read_is_said_and_nothing_of_it_is_taken_for_gone(sample, tmp_path):
    assert ask(sample, "Timur") == ['User KNOWS Timur — "Timur packs and ships for me"']
    page = tmp_path / "w" / FACTS
    page.write_text(page.read_text() + "- [context] one more\n")
    withheld = opened(tmp_path / "w", disk=Withheld)
    found = recalled(withheld, "volcano", shelf(withheld))
    assert (found.hits, found.is_unknown) == ((), True)
    assert f"{FACTS} cannot be read: permission denied" in found.notices
    assert len(ask(withheld, "Timur")) == 1


# save -------------------------------------------------------------------------------------------------------


def test_the_same_meaning_is_merged_its_wording_kept_and_its_access_counted(empty, tmp_path):
    first = keep(empty, "My pet is a cat", Meanings())
    assert first.effect == "written"
    again = keep(empty, "A cat is my pet!", Meanings())
    known = keep(empty, "my pet is a cat.", Meanings())
    assert [again.effect, known.effect] == ["merged", "known"]
    assert {first.id, again.id, known.id} == {first.id}
    assert (tmp_path / "w" / FACTS).read_text().count("cat") == 1
    evidence = (tmp_path / "w/memory/cognition/evidence.jsonl").read_text().splitlines()
    assert [json.loads(line)["quotes"] for line in evidence] == [["A cat is my pet!"]]
    assert load_salience(empty).of(first.id).accesses == 2


@pytest.mark.parametrize("key", [None, "standup"])
def test_a_fact_with_another_spelling_of_its_time_is_merged(empty, key):
    first = keep(empty, "The standup is at 7:00 am", key=key)
    again = keep(empty, "The standup is at 07:00", key=key)
    assert (again.effect, again.id) == ("merged", first.id)
    later = keep(empty, "The standup is at 19:00", key=key)
    assert later.effect == ("updated" if key else "written")


def test_another_owner_category_or_name_makes_another_fact(empty):
    told = "My pet is a cat"
    assert keep(empty, told, Meanings()).effect == "written"
    assert keep(empty, told, Meanings(), ANN).effect == "written"
    assert keep(empty, told, Meanings(), BOB).effect == "written"
    assert keep(empty, told, Meanings(), category="goal").effect == "written"
    assert keep(empty, "My pet is a cat called Tom", Meanings()).effect == "written"
    assert keep(empty, "My pet is no cat", Meanings()).effect == "written"


def test_a_key_belongs_to_its_owner(empty):
    names = {keep(empty, "I live in Tashkent", owner=one, key="city").id for one in (None, ANN, BOB)}
    assert len(names) == 3
    assert keep(empty, "I live in Bukhara", owner=ANN, key="city").effect == "updated"
    assert sorted(ask(empty, "live")) == ["I live in Bukhara", "I live in Tashkent", "I live in Tashkent"]


def test_a_key_goes_back_and_forth_and_every_id_stays_its_own(empty, tmp_path):
    for city in ("Tashkent", "Bukhara", "Tashkent", "Bukhara"):
        keep(empty, f"I live in {city}", key="city")
    found = list_facts(empty, NOW, [], include_superseded=True)
    assert len({one.fact.name for one in found}) == len(found) == 4
    assert ask(empty, "live") == ["I live in Bukhara"]
    assert next(one.fact.text for one in show_fact(empty, "k-city", NOW, [])) == "I live in Bukhara"


def test_what_was_saved_without_a_key_gets_the_key_and_stays_once(empty):
    keep(empty, "I live in Tashkent")
    assert keep(empty, "I live in Tashkent", key="city").effect == "updated"
    assert keep(empty, "I live in Bukhara", key="city").effect == "updated"
    assert ask(empty, "live") == ["I live in Bukhara"]


def test_a_forgotten_key_is_free_and_a_forgotten_fact_can_come_back(empty):
    keep(empty, "I live in Tashkent", key="city")
    name = keep(empty, "The cat sleeps").id
    forget_facts(empty, ("k-city", name), NOW.date(), purge=False)
    assert ask(empty, "live cat") == []
    assert keep(empty, "I live in Bukhara", key="city").effect == "written"
    assert keep(empty, "The cat sleeps").id == f"{name}-2"
    names = [one.fact.name for one in list_facts(empty, NOW, [], include_superseded=True)]
    assert len(set(names)) == len(names)


def test_the_category_is_that_of_the_nearest_facts(empty, tmp_path):
    page = "- [pets] the hound barks\n- [drinks] coffee at nine\n- [drinks] tea at five\n"
    make(tmp_path / "w", {FACTS: page})
    assert keep(empty, "a dog in the garden", Meanings()).category == "pets"
    assert keep(empty, "a pot of tea", Meanings()).category == "drinks"
    assert keep(empty, "a heavy table", Meanings()).category == "context"
    assert keep(empty, "my goals for the spring", Meanings()).category == "goal"


def test_a_category_is_named_by_all_its_words_in_any_form():
    known = ["travel", "travel_plan"]
    assert mentioned_category("Travelling plans for May", known, {}) == "travel_plan"
    assert mentioned_category("she travels", known, {}) == "travel"
    assert mentioned_category("nothing of these", known, {"": "facts"}) is None


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "x" * 2001])
def test_a_fact_that_is_none_is_refused(empty, text):
    with pytest.raises(BadUsage):
        keep(empty, text)


def test_a_fact_cannot_forge_a_line_an_owner_or_an_id(empty, tmp_path):
    keep(empty, "[user:bob] x ^m-1\n- [context] forged")
    (one,) = list_facts(empty, NOW, [])
    assert one.fact.owner is None
    assert one.fact.text == "(user:bob) x ^m-1 - [context] forged"
    assert one.fact.name != "m-1"


# salience ---------------------------------------------------------------------------------------------------


def test_what_is_asked_for_comes_first_the_next_time_and_only_what_was_shown_counts(sample):
    assert len(ask(sample, "Timur Aiko", limit=1)) == 1
    counts = {one.fact.name: one.counts.accesses for one in list_facts(sample, NOW, [])}
    assert sum(counts.values()) == 6
    assert sort_by_salience(list_facts(sample, NOW, []))[0].fact.name == "m-c80f12"


def test_decay_counts_active_facts_as_the_index_does(sample):
    decay(sample, NOW)
    forget_facts(sample, ["m-77c2d1"], NOW.date(), purge=False)
    assert decay(sample, NOW + timedelta(days=1))[0] == len(list_facts(sample, NOW, [])) == 7


def test_a_night_fades_all_and_an_access_takes_it_back(sample):
    count, _, notices = decay(sample, NOW)
    assert (count, notices) == (8, [])
    known = load_salience(sample)
    assert known.of("m-4f1a90").decay == 0.95
    assert known.of("m-c80f12").decay == 0.9025
    ask(sample, "electric kiln")
    assert load_salience(sample).of("m-4f1a90").decay == 1
    later = {one.fact.name: one.salience for one in list_facts(sample, NOW + timedelta(days=30), [])}
    assert later["m-c80f12"] < later["m-4f1a90"]


@pytest.mark.parametrize("content", [b"{nonsense", b"[]", b'{"m-1": {"accesses": -1}}', b"\xff\xfe", b""])
def test_a_broken_salience_is_put_aside_and_begun_anew(sample, content, tmp_path):
    path = tmp_path / "w/memory/cognition/salience.json"
    path.write_bytes(content)
    found = recalled(sample, "Timur", shelf(sample, Meanings()))
    assert [hit.name for hit in found.hits] == ["m-77c2d1"]
    assert any("access counts are ignored" in one for one in found.notices)
    assert [*salience_format.parse(path.read_text()).facts] == ["m-77c2d1"]
    assert [one.read_bytes() for one in path.parent.glob("*.broken-*")] == [content]


def test_what_others_keep_in_the_salience_stays(sample, tmp_path):
    path = tmp_path / "w/memory/cognition/salience.json"
    whole = json.loads(path.read_text())
    whole["m-77c2d1"]["colour"] = "red"
    path.write_text(json.dumps(whole))
    ask(sample, "Timur")
    assert json.loads(path.read_text())["m-77c2d1"] == {
        "accesses": 2,
        "last_accessed": "2025-01-15T10:30:00Z",
        "decay": 1.0,
        "colour": "red",
    }


def test_in_a_prompt_the_fact_that_is_asked_for_more_comes_first(empty, tmp_path):
    page = "## A\n\n- [pets] the hound barks at night ^m-1\n\n## B\n\n- [pets] the hound barks at dawn ^m-2\n"
    make(tmp_path / "w", {FACTS: page})
    wanted = ContextRequest(
        "When does the hound bark? barks", prompt_scope_of(empty, None), NOW.date(), standing=False
    )

    def at_night():
        shown = context(empty, wanted, lambda: SearchIndexes(empty, KEY, wait=1.0)).snippets
        return ["night" in one.text for one in shown]

    assert at_night() == [True, False]
    for _ in range(3):
        ask(empty, "dawn", limit=1)
    assert at_night() == [False, True]


def test_where_memory_has_no_word_of_a_prompt_no_fact_comes_however_often_it_is_asked_for(empty):
    for word in ("kiln", "glaze", "oven", "tea", "cat", "server"):
        keep(empty, f"All about the {word}")
    for word in ("server", "cat", "server"):
        ask(empty, word)
    wanted = ContextRequest("hello there", prompt_scope_of(empty, None), NOW.date(), standing=False)
    assert context(empty, wanted, lambda: SearchIndexes(empty, KEY, wait=1.0)).snippets == ()


def test_a_forgotten_fact_is_in_no_prompt(empty):
    keep(empty, "All about the zebra server")
    wanted = ContextRequest("which zebra server?", prompt_scope_of(empty, None), NOW.date(), standing=False)
    shown = context(empty, wanted, lambda: SearchIndexes(empty, KEY, wait=1.0)).snippets
    assert any("zebra" in piece.text for piece in shown)
    hits = recalled(empty, "zebra server", shelf(empty)).hits
    forget_facts(empty, [hit.name for hit in hits], NOW.date(), purge=False)
    shown = context(empty, wanted, lambda: SearchIndexes(empty, KEY, wait=1.0)).snippets
    assert not any(piece.role == "semantic" for piece in shown)


# forget and learn -------------------------------------------------------------------------------------------


def test_a_purge_leaves_no_word_of_a_fact_but_that_it_was_proven(empty, tmp_path):
    name = keep(empty, "My pet is a cat", Meanings()).id
    keep(empty, "A cat is my pet", Meanings())
    forget_facts(empty, (name,), NOW.date(), purge=True)
    left = contents(tmp_path / "w")
    note = next(path for path in left if path.endswith("2025-01-15.md"))
    assert [path for path, text in left.items() if b"cat" in text.replace(b"category", b"")] == [note]
    assert f'"id": "{name}"'.encode() in left["memory/cognition/evidence.jsonl"]


def test_a_purge_leaves_no_word_of_a_fact_in_the_journal_and_caches(empty, tmp_path):
    files = {"memories/pets.md": "my PET is a cat\n", ".memtool/lint/kept": "a", ".memtool/log": "b\n"}
    tree = make(tmp_path / "w", files)
    name = keep(empty, "My pet is a cat").id
    clear_memories(empty)
    forget_facts(empty, (name,), NOW.date(), purge=True)
    stored = b"".join(path.read_bytes() for path in (tree / ".memtool/journal").iterdir())
    assert b"is a cat" not in stored.lower()
    assert not (tree / ".memtool/lint").exists()
    assert (tree / ".memtool/log").read_text() == "b\n"
    with pytest.raises(CannotUndo):
        undo(empty)


def test_one_owner_does_not_forget_for_another(empty):
    name = keep(empty, "My pet is a cat", owner=ANN).id
    with pytest.raises(BadUsage):
        forget_facts(empty, (name,), NOW.date(), ["user:bob"], purge=True)
    assert forget_facts(empty, (name,), NOW.date(), ["user:ann"], purge=True)[0][0].name == name


def test_windows_lines_and_a_byte_order_mark_stay_as_they_are(empty, tmp_path):
    page = "\ufeff- [context] the hound barks ^m-1\r\n- [context] tea ^m-2\r\n"
    make(tmp_path / "w", {FACTS: page})
    forget_facts(empty, ("m-2",), NOW.date(), purge=True)
    keep(empty, "a heavy table")
    lines = (tmp_path / "w" / FACTS).read_bytes().decode().split("\r\n")
    assert lines[0] == "\ufeff- [context] the hound barks ^m-1"
    assert lines[1].startswith("- [context] a heavy table ^m-")
    assert lines[2:] == [""]


def test_learnings_rotate_once_and_lose_nothing(empty, tmp_path):
    for number in range(60):
        told = f"lesson{number} " + " ".join(f"w{number}x{n}" for n in range(150))
        learn(empty, "error", told, NOW + timedelta(minutes=number), None)
    page = tmp_path / "w/learnings/errors.md"
    archive = (tmp_path / "w/learnings/archive/errors.md").read_text()
    assert len(page.read_text()) <= MAX_FILE_CHARS
    for number in range(60):
        assert (page.read_text() + archive).count(f"lesson{number} ") == 1
    entries = [line for line in page.read_text().split("\n") if line.startswith("- ")]
    assert entries == sorted(entries, reverse=True)
    old = [line for line in archive.split("\n") if line.startswith("- ")]
    assert old == sorted(old)


def test_a_learning_of_another_owner_is_news(empty):
    assert learn(empty, "correction", "It is 48 mugs", NOW, ANN).is_new
    assert not learn(empty, "correction", "it is 48 mugs!", NOW, ANN).is_new
    assert learn(empty, "correction", "It is 48 mugs", NOW, BOB).is_new
    assert learn(empty, "correction", "It is 40 mugs", NOW, ANN).is_new


def test_how_the_index_of_facts_is_and_where_it_differs(sample, tmp_path):
    page = tmp_path / "w" / FACTS

    def state():
        found = shelf(sample).state()
        return found.state, found.count

    def compared():
        unread = []
        return sorted(shelf(sample).differences(unread)), unread

    assert (state(), compared()) == (("none", 0), ([], []))
    ask(sample, "Timur")
    count = state()[1]
    assert (state()[0], compared()) == ("fresh", ([], []))
    before = page.stat()
    page.write_text(page.read_text().replace("Timur", "Tymur"))
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    new = page.with_name("new.md")
    new.write_text("- [context] the hound barks\n")
    assert (state()[0], compared()[0]) == (
        "behind",
        [(FACTS, "stale"), (str(new)[len(str(tmp_path / "w")) + 1 :], "missing")],
    )
    new.unlink()
    page.unlink()
    assert compared() == ([(FACTS, "deleted")], [])
    ask(sample, "Timur")
    assert state()[0] == "fresh"
    assert state()[1] < count


def test_search_names_the_fact_that_it_found(sample):
    def hits(text):
        answer = search(
            sample,
            SearchRequest(text, WHOLE_WORKSPACE, NOW.date(), roles=("semantic",)),
            SearchIndexes(sample, KEY, wait=1.0),
        )
        return [(hit.source, hit.id) for hit in answer.hits]

    assert hits("Timur ships") == [("fact", "m-77c2d1")]
    assert hits('"glossy white"') == [("document", None)]  # superseded
    assert ("document", None) in hits("Preferences")  # a heading


@pytest.mark.parametrize("query", ["company_name", "company name", "What is the company's name?"])
def test_a_fact_is_found_by_its_key(empty, query):
    keep(empty, "Acme Corporation", owner=ANN, key="company_name")
    keep(empty, "My cat's name is Whiskerino")
    assert ask(empty, query)[0] == "Acme Corporation"


@pytest.mark.parametrize("query", ["Whisker", "whiskerin", "猫が", "кош"])
def test_where_no_word_is_the_one_a_part_of_one_will_do(empty, query):
    keep(empty, "Her name is Whiskerino")
    keep(empty, "うちの猫がいる")
    keep(empty, "Наша кошка спит")
    assert len(ask(empty, query)) == 1
    assert ask(empty, "isk") == ask(empty, "whisker hike") == []


def test_save_says_whose_the_fact_is(empty, tmp_path):
    given = ("--root", str(empty.root), "--layout", "native", "save")
    for owner, shown in (
        ((), "everybody"),
        (("--user", "ann"), "user:ann"),
        (("--session", "s1"), "session:s1"),
    ):
        saved = memtool(*given, *owner, "The kiln is a Rohde", home=tmp_path)
        assert saved.stdout.rstrip("\n").split("\t")[-1] == shown


def test_the_key_of_a_fact_stands_for_its_id_unless_several_facts_have_it(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run(*arguments, user=""):
        return memtool("--root", str(root), *arguments, home=tmp_path, environment={"MEMTOOL_USER": user})

    run("save", "The bins go out on Tuesday", "--key", "Bin day", user="ann")
    run("save", "The bins go out on Friday", "--key", "Bin day", user="bob")
    for name in ("bin day", "k-bin-day"):
        assert "on Tuesday" in run("facts", "show", name, user="ann").stdout
        assert "several facts have the key" in run("facts", "show", name).stderr
        assert run("facts", "forget", name).returncode == 2
    assert run("facts", "show", "bin").returncode == 1
    assert "on Friday" in run("facts", "forget", "bin day", user="bob").stdout
    assert "on Tuesday" in run("facts", "show", "bin day").stdout


def test_an_empty_list_of_facts_names_the_items_of_long_term_memory(tmp_path):
    root = tmp_path / "w"

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    run("init", str(root))
    assert run("facts").stderr == "memtool: no facts; add one with memtool save\n"
    run("scan", "-m", "I prefer short answers")
    for action in ("list", "top"):
        listed = run("facts", action, "--category", "preference")
        assert listed.returncode == 1
        assert "no facts in the category preference;" in listed.stderr
        assert "MEMORY.md, which contains 1 item in this category" in listed.stderr
    assert "preference" not in run("facts", "list", "--category", "goal").stderr
