"""New facts meet old ones: bumped, superseding, or beside them; rules likewise, and twenty at most."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.one_value import value_key
from memtool.core.facts.reconcile import ActiveFacts, NewFact, RepeatedFact, told_besides
from memtool.core.facts.rules import MAX_ACTIVE_RULES, ConductRule, add_rule
from memtool.errors import BadUsage
from tests.core.facts.coala import BOB, POLICY, fact

DAY = date(2025, 1, 15)
START = datetime(2025, 1, 1, tzinfo=UTC)


def known(*candidates):
    memory = ActiveFacts([], POLICY.phrases)
    return memory, [
        memory.add(one, one.statement, f"m-{number}", DAY) for number, one in enumerate(candidates)
    ]


def test_the_same_object_is_bumped_whatever_was_said():
    _, (first, second) = known(
        fact("Person:Sarah", "Sarah is here"), fact("Person: sarah ", "my SARAH again")
    )
    assert isinstance(first, NewFact)
    assert second == RepeatedFact(first.record)


@pytest.mark.parametrize(
    ("first", "second", "is_repeated"),
    [
        ("My sister Ada is getting married in May.", "My sister Ada is allergic to bees.", False),
        ("My sister Ada is allergic to bees.", "As I said, my sister Ada is allergic to bees", True),
        ("My cat Ada sleeps all day and eats tuna.", "My cat Ada eats tuna", True),
    ],
)
def test_what_else_is_told_of_somebody_known_is_a_fact_of_its_own(first, second, is_repeated):
    known_fact = known(fact("Person:my Ada", first))[1][0].record.fact
    said = fact("Person: my ada", second)
    told = told_besides(said, [known_fact])
    assert (told == said) == is_repeated
    assert is_repeated or told.statement.object == second
    assert told_besides(told, [known_fact]) == told
    assert told_besides(said, []) == said


def test_a_number_in_words_is_the_number_in_digits():
    _, (first, second, third) = known(
        fact("two cats", "I have two cats"),
        fact("2 cats", "we have 2 cats"),
        fact("3 cats", "we have 3 cats"),
    )
    assert second == RepeatedFact(first.record)
    assert isinstance(third, NewFact)


@pytest.mark.parametrize(
    ("predicate", "old", "new", "is_superseded"),
    [
        ("WAKES_AT", ("6", "I wake up at 6."), ("9", "I wake up at 9 on holiday."), False),
        ("WAKES_AT", ("5", "I wake up at 5 in summer."), ("7", "I wake up at 7 in winter."), False),
        ("WAKES_AT", ("5", "I wake up at 5 in summer."), ("7", "I wake up at 7 in summer."), True),
        ("WAKES_AT", ("6", "I wake up at 6."), ("7", "I wake up at 7 in the morning."), True),
        ("HAS_WEIGHT", ("70 kilos", "I weigh 70 kilos."), ("85 kilos", "I weigh 85 kilos in boots."), False),
        ("DRIVES", ("30 km", "I drive 30 km to work."), ("45 km", "I drive 45 km to my mum's."), False),
        ("DRIVES", ("30 km", "I drive 30 km to work."), ("45 km", "I drive 45 km to work."), True),
        ("WORKS_AS", ("a carer", "I work as a carer."), ("a DJ", "I work as a DJ at weekends."), False),
        ("LIVES_IN", ("Rome", "I live in Rome."), ("Oslo", "I live in Oslo by the sea."), True),
        ("LIVES_IN", ("Rome", "I live in Rome."), ("Oslo", "We moved to Oslo in summer."), True),
        ("LIVES_IN", ("Rom", "Ich wohne in Rom."), ("Oslo", "Ich wohne im Sommer in Oslo."), False),
        ("LIVES_IN", ("Roma", "Vivo en Roma."), ("Oslo", "Vivo en Oslo en verano."), False),
        ("LIVES_IN", ("Rome", "J'habite à Rome."), ("Oslo", "J'habite à Oslo en été."), False),
        ("HAS_TRAIT", ("pregnant", "I'm 8 weeks pregnant."), ("pregnant", "I'm 12 weeks pregnant."), True),
        (
            "HAS_TRAIT",
            ("pregnant", "I'm 4 months pregnant."),
            ("pregnant", "I'm now 6 months pregnant."),
            True,
        ),
        (
            "HAS_CONDITION",
            ("stroke", "I had a stroke in 2015."),
            ("stroke", "I had a stroke in 2019."),
            False,
        ),
    ],
)
def test_a_value_for_another_case_stands_beside_the_known_one(predicate, old, new, is_superseded):
    memory = ActiveFacts([], POLICY.phrases, frozenset([predicate]) - {"HAS_TRAIT", "HAS_CONDITION"})
    said = [fact(object_, quote, predicate=predicate) for object_, quote in (old, new)]
    first, second = (memory.add(one, one.statement, f"m-{n}", DAY) for n, one in enumerate(said))
    assert isinstance(second, NewFact)
    assert [record.id for record in second.superseded] == [first.record.id] * is_superseded


def test_a_number_that_was_said_is_not_said_anew():
    _, (first, second) = known(
        fact("pregnant", "I'm eight weeks pregnant."), fact("pregnant", "I'm 8 weeks pregnant")
    )
    assert second == RepeatedFact(first.record)


@pytest.mark.parametrize(
    "said", ["Actually, I run a race on 4 May too", "Actually, I run a race on 4 May as well"]
)
def test_what_is_said_to_come_besides_supersedes_nothing(said):
    _, (_, second) = known(fact("run on 3 May", "I run on 3 May"), fact("run on 4 May", said))
    assert not second.superseded


def test_an_exact_name_wins_over_a_longer_one():
    _, done = known(
        fact("Person:Sarah", "Sarah"),
        fact("Person:my boss Sarah", "my boss Sarah"),
        fact("Person:my boss Sarah", "she"),
    )
    assert isinstance(done[1], NewFact)
    assert [one.id for one in done[1].superseded] == ["m-0"]
    assert done[2] == RepeatedFact(done[1].record)
    _, (_, shorter) = known(fact("Person:my boss Sarah", "x"), fact("Person:Sarah", "y"))
    assert isinstance(shorter, RepeatedFact)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Person:Sarah", "Person:Sarah's boss"),
        ("Person:mother", "Person:Sarah's mother"),
        ("Person:Tom", "Person:Sarah's Tom"),
        ("Person:onasi", "Person:Saraning onasi"),
        ("Person:Nguyen", "Person:Nguyen An"),
        ("work", "work visa"),
        ("vitamin", "vitamin A"),
        ("net", ".NET"),
        ("10 rule", "10% rule"),
        ("Goal:x", "Goal:my x"),
    ],
)
def test_what_only_contains_the_other_stands_beside_it(old, new):
    _, (_, second) = known(fact(old, "a"), fact(new, "b"))
    assert isinstance(second, NewFact)
    assert not second.superseded


@pytest.mark.parametrize(
    ("old", "new", "superseded"),
    [
        ("a teacher", "a nurse", ["m-0"]),
        ("a teacher", "vegetarian", []),
        ("vegetarian", "a nurse", []),
        ("deaf", "diabetic", []),
    ],
)
def test_a_condition_or_a_diet_stands_beside_what_else_somebody_is(old, new, superseded):
    memory = ActiveFacts([], POLICY.phrases, POLICY.vocabulary["single"])
    for number, one in enumerate((old, new)):
        candidate = fact(one, f"My sister is {one}", predicate="IS")
        done = memory.add(candidate, candidate.statement, f"m-{number}", DAY)
    assert [one.id for one in done.superseded] == superseded


@pytest.mark.parametrize(
    ("subject", "predicate", "old", "new", "superseded"),
    [
        ("friend", "IS", ("a nurse", "is a nurse"), ("a plumber", "is a plumber"), []),
        ("Freundin", "IS", ("Ärztin", "ist Ärztin"), ("Lehrerin", "ist Lehrerin"), []),
        ("voisine", "LIVES_IN", ("Nice", "habite à Nice"), ("Lyon", "habite à Lyon"), []),
        ("older brother", "WORKS_AT", ("Bosch", "works at Bosch"), ("Aldi", "works at Aldi"), []),
        ("cousin", "LIVES_IN", ("Oslo", "lives in Oslo"), ("New York", "lives in New York"), []),
        ("daughter", "OF_AGE", ("9", "is 9"), ("4", "is 4"), []),
        ("daughter", "OF_AGE", ("9", "is 9"), ("10", "is 10"), ["m-0"]),
        ("cousin", "LIVES_IN", ("Oslo", "lives in Oslo"), ("Rome", "lives in Rome now"), ["m-0"]),
        ("cousin", "LIVES_IN", ("Rome", "lives in Rome"), ("Rome, Italy", "lives in Rome, Italy"), ["m-0"]),
        ("best friend", "IS", ("a nurse", "is a nurse"), ("a plumber", "is a plumber"), ["m-0"]),
        ("dad", "LIVES_IN", ("Oslo", "lives in Oslo"), ("Rome", "lives in Rome"), ["m-0"]),
        ("husband", "IS", ("a nurse", "is a nurse"), ("a plumber", "is a plumber"), ["m-0"]),
    ],
)
def test_what_may_be_of_another_person_is_not_superseded_without_a_sign_of_change(
    subject, predicate, old, new, superseded
):
    memory = ActiveFacts([], POLICY.phrases, POLICY.vocabulary["single"])
    for number, (value, said) in enumerate((old, new)):
        candidate = fact(value, f"My {subject} {said}", predicate=predicate, subject=f"User's {subject}")
        done = memory.add(candidate, candidate.statement, f"m-{number}", DAY)
    assert [one.id for one in done.superseded] == superseded


def test_a_change_of_one_of_several_people_supersedes_nothing():
    memory = ActiveFacts([], POLICY.phrases, POLICY.vocabulary["single"])
    for number, (value, said) in enumerate((("Oslo", "Oslo"), ("Rome", "Rome"), ("Bari", "Bari now"))):
        candidate = fact(value, f"My cousin lives in {said}", predicate="LIVES_IN", subject="User's cousin")
        done = memory.add(candidate, candidate.statement, f"m-{number}", DAY)
    assert done.superseded == ()


@pytest.mark.parametrize(
    ("old", "new", "superseded"),
    [
        ("My appointment on 3 May is at 9", "Actually, my appointment on 10 May is at 11", []),
        ("My first interview on Monday is at 9", "Actually, my second interview on Monday is at 9", []),
        ("My interview with team one is in May", "Actually, my interview with team two is in June", []),
        ("My appointment on 3 May is at 9", "Actually, my appointment on 3 May is at 11", ["m-0"]),
        ("My appointment is on 3 May", "Actually, my appointment on 3 May is at 11", ["m-0"]),
        ("I'm flying to Rome on 3 May at 9", "Actually, I'm flying to Rome on 10 May at 11", ["m-0"]),
    ],
)
def test_a_correction_of_a_thing_with_another_number_supersedes_nothing(old, new, superseded):
    _, (_, done) = known(fact(old, old, predicate="PLANS"), fact(new, new, predicate="PLANS"))
    assert [one.id for one in done.superseded] == superseded


@pytest.mark.parametrize(("old", "new"), [("the piano", "Piano"), ("black tea", "Black-Tea"), ("茶", " 茶 ")])
def test_another_spelling_of_the_object_is_no_other_object(old, new):
    _, (first, second) = known(fact(old, "a"), fact(new, "b"))
    assert second == RepeatedFact(first.record)


RUN = "I will run the city marathon in May"


@pytest.mark.parametrize(
    ("old", "new", "also", "superseded"),
    [
        ("Goal:marathon", "Goal:city marathon", RUN + "!", ["m-0"]),
        ("Goal:city marathon", "Goal:marathon", RUN, None),
        ("Goal:marathon", "Goal:city marathon", "My sister ran the city marathon", []),
        ("Goal:marathon", "Event:city marathon", RUN, []),
        ("Goal:city", "Goal:city marathon", RUN, []),
        ("Goal:marathon", "Goal:city marathon", RUN.replace("will", "will not"), []),
        ("Goal:marathon", "Goal:city marathon", RUN.replace("May", "2027"), []),
        ("Goal:marathon", "Goal:no marathon", RUN, []),
    ],
)
def test_overlapping_names_are_one_where_the_same_words_prove_both(old, new, also, superseded):
    _, (first, second) = known(fact(old, RUN), fact(new, also))
    if superseded is None:
        assert second == RepeatedFact(first.record)
    else:
        assert [one.id for one in second.superseded] == superseded


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("guitar", "bass guitar", "I play guitar and bass guitar"),
        ("Person:Anna", "Person:Mary Anna", "my friend Anna and my sister Mary Anna"),
        ("sugar", "no sugar", "I take sugar, no sugar in tea"),
    ],
)
def test_one_sentence_about_two_things_proves_two(old, new, said):
    for first, second in ((old, new), (new, old)):
        _, done = known(fact(first, said), fact(second, said))
        assert [type(one) for one in done] == [NewFact, NewFact]
        assert not done[1].superseded


def test_a_fact_that_has_ended_supersedes_that_it_holds_and_the_other_way_round():
    said = ["I use vim", "I use vim daily", "I no longer use vim", "I quit vim", "I use vim again"]
    _, done = known(*(fact("vim", one, predicate="USES") for one in said))
    assert [isinstance(one, RepeatedFact) for one in done] == [False, True, False, True, False]
    assert [one.id for one in done[2].superseded] == ["m-0"]
    assert [one.id for one in done[4].superseded] == ["m-2"]


@pytest.mark.parametrize(
    ("old", "new", "said", "superseded"),
    [
        (["my doctor Dr. Ray"], "my doctor Dr. Singh", "Actually, my doctor is Dr. Singh", ["m-0"]),
        (["my dentist Okafor"], "my dentist Baptiste", "My dentist's name is Baptiste now", ["m-0"]),
        (["my boss Karin"], "my new boss Ulrike", "My new boss is Ulrike", ["m-0"]),
        (["my Chef Karl"], "my Chef Uwe", "Mein Chef heißt jetzt Uwe", ["m-0"]),
        (["my boss Karin"], "my boss Ulrike", "My boss is Ulrike", []),
        (["my boss Karin"], "my boss Ulrike", "I think my boss is Ulrike now", []),
        (["my doctor Dr. Ray"], "my doctor Dr. Singh", "My doctor Dr. Singh now says no sugar", []),
        (["my boss Karin"], "my old boss Ulrike", "Actually, my old boss is Ulrike", []),
        (["my sister Lena"], "my sister Ana", "Actually, my sister is Ana", []),
        (["my doctor Dr. Ray", "my doctor Dr. Lee"], "my doctor Dr. Singh", "My doctor is Dr. Singh now", []),
    ],
)
def test_who_is_in_a_role_of_one_supersedes_who_was(old, new, said, superseded):
    before = [fact(f"Person:{name}", name, predicate="KNOWS") for name in old]
    _, done = known(*before, fact(f"Person:{new}", said, predicate="KNOWS"))
    assert [one.id for one in done[-1].superseded] == superseded


def test_a_correction_supersedes_what_it_corrects_and_nothing_else():
    _, done = known(
        fact("white glaze", "I want white glaze on the mugs", category="preference", predicate="WANTS"),
        fact("loud music", "I want loud music", category="preference", predicate="WANTS"),
        fact(
            "celadon", "Actually I want celadon glaze on the mugs", category="preference", predicate="WANTS"
        ),
    )
    assert [one.id for one in done[2].superseded] == ["m-0"]
    assert done[2].superseded[0].superseded.by == "m-2"


def test_a_correction_leaves_unrelated_facts_alone():
    drinks = [("tea", "Actually I love tea"), ("dogs", "Actually I love dogs")]
    _, done = known(*(fact(what, said, category="preference", predicate="WANTS") for what, said in drinks))
    assert not done[1].superseded
    bakers = [
        ("Person:Tom", "Tom works at the bakery in Berlin"),
        ("Person:Anna", "Anna used to run the bakery in Berlin"),
        ("Person:Lea", "Actually not Tom but Lea works at the bakery in Berlin"),
    ]
    _, done = known(*(fact(who, said) for who, said in bakers))
    assert [[one.id for one in each.superseded] for each in done[1:]] == [[], ["m-0"]]


def test_a_pin_and_an_explicit_rule_hold_against_what_was_concluded():
    pinned = ConductRule(START, "Never share my address", "r-1", pinned=True)
    new = ConductRule(START + timedelta(days=1), "Share my address", "r-2")
    assert not add_rule([pinned], new, POLICY.phrases).retired
    asked, concluded = (
        ConductRule(START, "Never share my address", "r-1"),
        ConductRule(START, "Share my address", "ri-2"),
    )
    assert not add_rule([asked], concluded, POLICY.phrases).retired


def test_another_owner_has_facts_of_his_own():
    _, (_, second) = known(fact("Person:Sarah", "x"), fact("Person:Sarah", "x", owner=BOB))
    assert isinstance(second, NewFact)


SAID = st.tuples(
    st.sampled_from(["Sarah", "my Sarah", "my boss Sarah", "Tom"]),
    st.sampled_from(["a", "actually a my Sarah boss"]),
)
WISHES = [
    f"{verb} {thing}"
    for verb in ("use", "don't use", "always use")
    for thing in ("lists", "emoji", "short lists", "British English", "code", "tea")
]


@given(st.lists(SAID, max_size=8))
def test_every_chain_of_superseded_facts_ends_in_an_active_one(said):
    _, outcomes = known(*(fact(f"Person:{name}", quote) for name, quote in said))
    new = [outcome for outcome in outcomes if isinstance(outcome, NewFact)]
    last = {record.id: record for outcome in new for record in (outcome.record, *outcome.superseded)}
    for one in last.values():
        seen, at = set(), one
        while at.superseded is not None:
            assert at.id not in seen
            seen.add(at.id)
            at = last[at.superseded.by]


def rules(*texts):
    return [
        ConductRule(START + timedelta(days=number), text, f"r-{number}") for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        ("Keep replies short.", "keep replies  short", None),
        ("Use lists.", "Use lists of glaze amounts.", "Use lists."),
        ("Use short lists.", "Use short lists of amounts.", "Use short lists."),
        ("Use emoji in replies.", "Don't use emoji in replies.", "Use emoji in replies."),
        ("Write British English.", "Write code without comments.", None),
        ("Use short lists of amounts.", "Use short lists.", None),
        ("Never use emoji.", "Never use emoji in commit messages.", None),
        ("Use British English.", "Never use British English spelling in code identifiers.", None),
        ("Use British English in commit messages.", "Use British English.", None),
        ("Never use tables", "Always use tables", "Never use tables"),
    ],
)
def test_rules_replace_what_they_say_more_of_or_contradict(old, new, gone):
    done = add_rule(rules(old), ConductRule(START + timedelta(days=9), new, "r-new"), POLICY.phrases)
    assert [one.rule.text for one in done.retired] == ([gone] if gone else [])


@pytest.mark.parametrize("text", ["Tell me why.", "Say what you can."])
def test_a_rule_of_common_words_is_not_taken_for_known(text):
    new = ConductRule(START, text, "r-new")
    assert add_rule(rules("Reply in English"), new, POLICY.phrases).added


@pytest.mark.parametrize(
    ("narrow", "general", "is_added"),
    [
        ("Use British English in commit messages", "Use British English", True),
        ("Answer in French when I write in French", "Answer in French", True),
        ("Never use tables for short lists", "Never use tables", True),
        ("Use short lists of amounts", "Use short lists", False),
    ],
)
def test_a_general_rule_is_more_than_one_for_a_circumstance(narrow, general, is_added):
    done = add_rule(rules(narrow), ConductRule(START + timedelta(days=9), general, "r-new"), POLICY.phrases)
    assert done.added == is_added
    assert not done.retired


def test_the_oldest_gives_way_inferred_before_explicit_and_pinned_never():
    full = rules(*(f"rule number {number} about topic{number}" for number in range(MAX_ACTIVE_RULES)))
    new = ConductRule(START - timedelta(days=99), "an imported old thing", "r-new")
    assert add_rule(full, new, POLICY.phrases).retired[0].rule is full[0]
    full[5] = ConductRule(full[5].at, full[5].text, "ri-5")
    assert add_rule(full, new, POLICY.phrases).retired[0].rule is full[5]
    pinned = [ConductRule(one.at, one.text, one.id, pinned=True) for one in full]
    with pytest.raises(BadUsage, match="none of the 20 active rules can be replaced, because all are pinned"):
        add_rule(pinned, new, POLICY.phrases)


@given(st.lists(st.sampled_from(WISHES) | st.text(max_size=12), max_size=40))
def test_never_more_than_twenty_and_none_is_lost(texts):
    active: tuple[ConductRule, ...] = ()
    archived: list[ConductRule] = []
    written: list[ConductRule] = []
    for number, text in enumerate(texts):
        new = ConductRule(START + timedelta(seconds=number), text, f"r-{number}")
        done = add_rule(active, new, POLICY.phrases)
        written += [new] if done.added else []
        active = done.active
        archived += [one.rule for one in done.retired]
        assert len(active) <= MAX_ACTIVE_RULES
    assert sorted(one.id for one in (*active, *archived)) == sorted(one.id for one in written)


def test_a_full_stop_makes_no_other_object():
    assert value_key("the piano.") == value_key("Piano")
