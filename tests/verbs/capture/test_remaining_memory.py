"""Corrections and news leave what they do not contradict: other lines, and the rest of their own line."""

from __future__ import annotations

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.facts.identity import fact_sentence
from memtool.core.records.entries import Owner
from memtool.formats import long_term, semantic
from memtool.verbs.capture.scan import scan
from memtool.verbs.capture.scan_notices import scan_notices
from memtool.verbs.facts.rules import active_rules
from memtool.verbs.memory_files.evidence import evidence_quotes
from tests.trees import NOW, make, opened
from tests.verbs.capture.test_corrected_memory import FACTS, LINES, current, say, tree


def remembered(root):
    """The active facts, lines and rules."""
    return [*current(root), *(rule.text for rule in active_rules(opened(root)))]


OTHER_LINES = [
    (
        "Parents' evening at Isla's school is next Thursday at half past six.",
        "Actually Isla turns seven on 12 December, not six.",
    ),
    (
        "Actually Isla turns seven on 12 December, not six.",
        "Actually mum's 70th is on 10 January, not the 9th.",
    ),
    ("Actually the meeting is on 4 May, not the 3rd.", "Actually the dentist is on 10 June, not the 9th."),
    (
        "It's mum's 70th in January, her name is Ingrid, and I promised to bring the herring salad.",
        "Actually mum's 70th is on 10 January, not the 9th.",
    ),
    ("Leo's football practice ends at six on Mondays.", "Actually Leo is seven, not six."),
    ("Isla's party is at seven and she can't have cashews.", "Actually Isla is eight, not seven."),
    ("Isla turns seven on 12 December.", "Actually Noah turns eight on 12 December, not seven."),
    ("I take 20 mg of citalopram every morning.", "Actually there are 25 guests, not 20."),
    ("I take 20 mg of citalopram every morning.", "Actually I take 5 mg of ramipril every morning."),
    ("I take two antihistamines a day.", "Actually we have three kids, not two."),
    ("My mum takes two blood thinners.", "Actually we have three kids, not two."),
    ("The deadline for the grant is 4 June.", "The deadline for the paper moved to 11 June."),
    ("The tax return is due on 9 May.", "Actually mum's party is on 10 June, not the 9th."),
    ("Nein, mein Sohn ist acht, nicht sieben.", "Nein, der Zug fährt um 7 Uhr, nicht um 8."),
    ("En fait, ma réunion est le 4 mai, pas le 3.", "En fait, mon dentiste est le 10 juin, pas le 9."),
    ("En realidad mi hija cumple siete años, no seis.", "En realidad la reunión es el 4 de mayo, no el 3."),
    ("I'm a teacher at Elm School.", "I'm not a teacher at Oak School any more."),
    ("My daughter is a vegetarian.", "I eat meat again."),
    ("My sister Solveig is allergic to cats.", "Solveig left today."),
    ("My sister Solveig is staying with us until Sunday.", "Solveig left the meeting early."),
    ("My brother Tom is living with diabetes.", "Tom has gone home."),
    ("My brother Tom is visiting on Fridays and takes warfarin.", "Tom has gone home."),
    ("My brother Tom is visiting a heart surgeon.", "Tom has gone home."),
    ("Our cat Minka is over 15 years old.", "Minka is gone."),
    ("My visa expires on 18 April.", "We're moving the stag to the 25th."),
    ("Never use tables in emails.", "Actually, do use tables when I'm at the desk."),
    ("Never use emojis.", "Do use emojis in this one."),
]


@pytest.mark.parametrize(("stored", "message"), OTHER_LINES)
def test_a_line_that_shares_a_number_a_name_or_an_opening_stays(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = remembered(root)
    assert before
    say(root, message, 10)
    assert {*before} <= {*remembered(root)}


RESTS = [
    (
        "My daughter turns six on 12 December and she can't have sesame or cashews.",
        "Actually my daughter turns seven on 12 December, not six.",
        "turns six",
        "sesame or cashews",
    ),
    (
        "The staging server is hydro-stg-02 by the way, and deployments are frozen until 15 December.",
        "Actually the staging server is hydro-stg-03 now.",
        "hydro-stg-02",
        "frozen until 15 December",
    ),
    ("My rent is 900 euros and includes heating.", "Actually my rent is 950 euros.", "900", "heating"),
    (
        "Our rent is 800 euros and our internet costs 30 euros.",
        "No, our internet costs 40 euros, not 30.",
        "30 euros",
        "Our rent is 800 euros and our internet costs 40 euros",
    ),
    ("My rent is 900 euros and due on the 1st.", "My rent is 950 euros.", "900", "1st"),
    (
        "I live in Ghent, above a bakery, with two cats.",
        "I moved to Antwerp last month.",
        "live in Ghent",
        "I live above a bakery, with two cats",
    ),
    (
        "Ich wohne in Graz, über einer Bäckerei.",
        "Ich bin nach Linz gezogen.",
        "in Graz",
        "über einer Bäckerei",
    ),
    (
        "My landlord is Mr. Osei and the rent is due on the 1st.",
        "My landlord is Mrs. Boateng now.",
        "Osei",
        "the rent is due on the 1st",
    ),
    ("I get up at 6 and take my thyroid pill right away.", "I get up at 7 now.", "up at 6", "thyroid pill"),
    ("I'm 40 and I have a pacemaker.", "Actually I'm 41.", "40", "I have a pacemaker"),
    ("I work at Siemens and my contract ends on 31 March.", "I work at Bosch now.", "Siemens", "31 March"),
    (
        "The project is called Falcon and the deadline is 30 June.",
        "The project is called Heron now.",
        "Falcon",
        "30 June",
    ),
    ("My sister Ana is a nurse, she is allergic to latex.", "Actually Ana is a doctor.", "a nurse", "latex"),
    (
        "I'm a vegetarian and I have coeliac disease.",
        "I eat meat again.",
        "User HAS_TRAIT a vegetarian",
        "coeliac",
    ),
    ("Ich arbeite bei Siemens und habe Asthma.", "Ich arbeite jetzt bei Bosch.", "bei Siemens", "Asthma"),
    (
        "Mi jefe es Luis y la entrega es el viernes.",
        "Mi jefe es Pedro ahora.",
        "Luis",
        "la entrega es el viernes",
    ),
    (
        "J'habite à Lyon et je suis diabétique.",
        "En fait, j'habite à Nantes maintenant.",
        "LIVES_IN Lyon",
        "diabétique",
    ),
    (
        "Ankara'da yaşıyorum ve glütensiz besleniyorum.",
        "Artık İzmir'de yaşıyorum.",
        "LIVES_IN Ankara",
        "glütensiz",
    ),
    ("我女儿六岁，她对花生过敏。", "不对，我女儿七岁，不是六岁。", "OF_AGE 六岁", "花生过敏"),
]


@pytest.mark.parametrize(("stored", "message", "old", "rest"), RESTS)
def test_the_rest_of_a_line_whose_value_is_replaced_stays(tmp_path, stored, message, old, rest):
    root = tree(tmp_path, (stored,))
    assert any(old in text for text in remembered(root))
    report = say(root, message, 10)
    after = remembered(root)
    assert not any(old in text for text in after)
    assert any(rest in text for text in after)
    assert not report.unapplied


@pytest.mark.parametrize(
    ("stored", "message", "old", "new"),
    [
        (
            "I prefer tea in the morning, coffee makes me jittery.",
            "Actually I prefer cocoa, not tea.",
            "I prefer tea",
            "I prefer cocoa in the morning, coffee makes me jittery",
        ),
        (
            "Meine Lieblingsfarbe ist Dunkelgrün, falls du mal ein Poster machst.",
            "Nein, meine Lieblingsfarbe ist Petrol, nicht Dunkelgrün.",
            "ist Dunkelgrün",
            "ist Petrol, falls du",
        ),
        (
            "My favourite colour is dark green, in case you make a poster",
            "Actually my favourite colour is petrol.",
            "dark green",
            "petrol",
        ),
        ("We have two cats and a dog.", "Actually, we have three cats.", "two cats", "and a dog"),
        (
            "I live in Berlin and I prefer tea.",
            "Actually I live in Madrid and I prefer coffee, not tea.",
            "Berlin",
            "Madrid",
        ),
    ],
)
def test_a_superseded_line_is_not_written_again(tmp_path, stored, message, old, new):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    after = remembered(root)
    assert not any(old in text for text in after)
    assert any(new in text for text in after)


EFFECTS = [
    (
        "The stag do for Ruben is on the 18th of April.",
        "We're moving the stag to the 25th of April.",
        "18th",
        "25th of April",
    ),
    (
        "The stag do for Ruben is on the 18th of April.",
        "We're moving the stag to the 25th.",
        "18th",
        "25th of April",
    ),
    (
        "Remember: our launch is on 2026-05-12.",
        "We moved our launch to the 3rd.",
        "2026-05-12",
        "2026-05-03",
    ),
    (
        "Mein Zug nach Bonn fährt um 6 Uhr.",
        "Eigentlich fährt mein Zug nach Bonn um 7 Uhr, nicht um 6.",
        "um 6 Uhr",
        "um 7 Uhr",
    ),
    (
        "My dentist appointment is on Tuesday at 9.",
        "Actually my dentist appointment is on Wednesday at 9.",
        "Tuesday",
        "Wednesday",
    ),
    (
        "My sister Solveig is staying with us until Sunday.",
        "Solveig left today.",
        "staying",
        "my sister Solveig",
    ),
    ("My parents are staying with me until Friday.", "My parents have gone home.", "staying", "gone home"),
    (
        "My sister Lea is living with us for two weeks.",
        "Lea has gone home.",
        "living with us",
        "my sister Lea",
    ),
    (
        "My sister Lea is sleeping in our guest room this week.",
        "Lea left.",
        "sleeping",
        "my sister Lea",
    ),
    ("I'm a vegetarian.", "I eat meat again.", "vegetarian", "eat meat again"),
    ("Ich bin Vegetarier.", "Ich esse wieder Fleisch.", "Vegetarier", "wieder Fleisch"),
    ("Je suis végétarien.", "Je mange de nouveau de la viande.", "végétarien", "viande"),
    ("Soy vegetariano.", "He vuelto a comer carne.", "vegetariano", "comer carne"),
]


@pytest.mark.parametrize(("stored", "message", "old", "new"), EFFECTS)
def test_news_in_other_words_replaces_what_it_contradicts(tmp_path, stored, message, old, new):
    root = tree(tmp_path, (stored,))
    assert any(old in text for text in remembered(root))
    report = say(root, message, 10)
    after = remembered(root)
    assert not any(old in text for text in after)
    assert any(new in text for text in after)
    assert not report.unapplied


def test_a_statement_that_cannot_be_cut_stays_beside_what_ends_a_part_of_it(tmp_path):
    root = tree(tmp_path, ("I am vegetarian and allergic to shellfish.",))
    before = remembered(root)
    report = say(root, "I eat fish again.", 10)
    assert report.unapplied
    after = remembered(root)
    assert {*before} < {*after}
    say(root, "I eat fish again.", 20)
    assert remembered(root) == after


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("I like tea and coffee, and my sister hates milk", "I don't like tea any more"),
        ("I like tea and coffee", "I don't like coffee any more"),
        ("I like red or white wine, and my wife drinks beer", "I don't like red wine any more"),
        ("I play chess and tennis, and my brother lives in Rome", "I don't play chess any more"),
        ("I play guitar as well as piano", "I don't play guitar any more"),
        ("Me gusta el té y el café, y mi hermana odia la leche", "Ya no me gusta el té"),
    ],
)
def test_a_list_of_which_one_thing_ends_stays_whole_and_is_named(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = remembered(root)
    assert before
    report = say(root, message, 10)
    assert {*before} < {*remembered(root)}
    (notice,) = scan_notices(opened(root), report, None, None)
    assert stored[:20] in notice


def test_a_clause_that_was_put_right_in_its_place_does_not_stay_as_it_was(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    say(root, "My exam is on 4 June and the graduation on 20 July", 5)
    say(root, "The graduation got moved to 22 July", 10)
    after = " ".join(remembered(root))
    assert "22 July" in after
    assert "4 June" in after
    assert "20 July" not in after


def test_the_rest_of_a_statement_has_the_evidence_of_that_statement(tmp_path):
    stored = "I'm 40 and I have a pacemaker."
    root = tree(tmp_path, (stored,))
    say(root, "Actually I'm 41.", 10)
    facts = semantic.records(semantic.parse((root / FACTS).read_text()))
    rest = next(
        each.id for each in facts if "I have a pacemaker" in fact_sentence(each.fact) and not each.superseded
    )
    assert evidence_quotes(opened(root))[rest] == [stored]


@pytest.mark.parametrize(
    ("stored", "message", "after"),
    [
        (
            "Remember: the call is at 6 and the gym code is 6.",
            "No, at 7, not at 6.",
            "Remember: the call is at 7 and the gym code is 6.",
        ),
        (
            "Remember: the call is at 6 and the dinner is at 6.",
            "No, at 7, not at 6.",
            "Remember: the call is at 6 and the dinner is at 6.",
        ),
        (
            "Remember: the call is at 6 and the dinner is at 6.",
            "No, the dinner is at 7, not at 6.",
            "Remember: the call is at 6 and the dinner is at 7.",
        ),
    ],
)
def test_a_number_that_a_line_has_twice_is_corrected_only_in_its_own_place(tmp_path, stored, message, after):
    root = tree(tmp_path, (stored,))
    report = say(root, message, 10)
    assert after in current(root)
    assert bool(report.unapplied) == (after == stored)


@pytest.mark.parametrize(
    ("date", "day"), [("5/12/2026", "25th"), ("12.5.2026", "3rd"), ("2026-02-12", "30th")]
)
def test_a_move_to_a_day_makes_no_date_where_the_day_of_the_old_one_is_not_certain(tmp_path, date, day):
    root = tree(tmp_path, (f"Remember: our launch is on {date}.",))
    say(root, f"We moved our launch to the {day}.", 10)
    after = remembered(root)
    assert f"Remember: our launch is on {date}." in after
    assert all(f"to the {day}." in text or date in text for text in after)


def test_the_rest_of_a_line_stays_though_a_line_of_another_owner_says_it(tmp_path):
    lines = [
        "- **remember**: [user:bob] Remember: the alarm code is 4711.",
        "- **remember**: [user:ann] Remember: my landlord is Mr. Osei and the alarm code is 4711.",
    ]
    files = {"memtool.toml": 'layout = "native"\n', LINES: "\n".join(["# Memory", "", *lines, ""])}
    root = make(tmp_path / "w", files)
    ann = Owner("user", "ann")
    message = "Actually, remember: my landlord is Mrs. Boateng."
    scan(opened(root), message, now=NOW, owner=ann, triggers=DEFAULT_TRIGGERS)
    found = long_term.items(long_term.parse((root / LINES).read_text()))
    own = [item.fact.detail for item in found if item.fact.owner == ann and not item.superseded]
    assert any("4711" in text for text in own)
    assert not any("Osei" in text for text in own)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("Never use emojis.", "Actually, do use emojis."),
        ("Please don't use tables in your answers.", "No, do use tables."),
        ("Benutze niemals Emojis.", "Benutze ruhig wieder Emojis."),
    ],
)
def test_an_emphatic_demand_takes_back_the_rule_that_forbids_it(tmp_path, rule, message):
    root = tree(tmp_path, (rule,))
    assert [known.text for known in active_rules(opened(root))] == [rule]
    report = say(root, message, 10)
    assert active_rules(opened(root)) == ()
    assert report.withdrawn[0].rule


COME_ALONG = [
    (
        "I live in Bergen with my two cats, Miso and Nori",
        "I moved to Oslo",
        "I live with my two cats, Miso and Nori",
    ),
    (
        "I live in Bergen with my wife and our three kids",
        "I live in Oslo now",
        "I live with my wife and our three kids",
    ),
    ("I live in Bergen with my girlfriend in a small flat", "I moved to Oslo", "I live with my girlfriend"),
    (
        "I live in Bergen with my wife and the rent is 900 euros",
        "I moved to Oslo",
        "I live with my wife; the rent is 900 euros",
    ),
    ("I live in Bergen, Norway, with my kids", "We moved to Oslo", "I live with my kids"),
    (
        "Ich wohne in Graz mit meiner Frau und unserem Hund Rex",
        "Ich bin nach Linz gezogen",
        "Ich wohne mit meiner Frau und unserem Hund Rex",
    ),
    ("Vivo en Lima con mi esposa", "Ahora vivo en Quito", "Vivo con mi esposa"),
    ("J'habite à Lyon avec ma femme", "J'habite à Paris maintenant", "J'habite avec ma femme"),
    ("Moro em Lisboa com minha esposa", "Agora moro no Porto", "Moro com minha esposa"),
]


@pytest.mark.parametrize(("stored", "message", "kept"), COME_ALONG)
def test_a_partner_children_and_pets_come_along_to_the_next_home(tmp_path, stored, message, kept):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    after = remembered(root)
    assert len(after) == 2
    assert f'User STATES {kept} — "{kept}"' in after


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("I live in Bergen with my parents", "I moved to Oslo"),
        ("I live in Bergen with my parents and my dog", "I moved to Oslo"),
        ("I live in Bergen with two flatmates", "I moved to Oslo"),
        ("I live in Bergen with my brother's dog", "I moved to Oslo"),
        ("I live in Bergen with my ex-wife", "I moved to Oslo"),
        ("I live in Bergen with my dog walker", "I moved to Oslo"),
        ("I live in Bergen with a view of the fjord", "I moved to Oslo"),
        ("Ich wohne in Graz mit meinen Eltern", "Ich bin nach Linz gezogen"),
        ("I live in Bergen with my two cats", "I moved to Oslo without the cats"),
        ("I live in Bergen with my wife", "After the divorce I moved to Oslo"),
    ],
)
def test_who_stays_in_the_last_home_is_not_kept(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    (after,) = remembered(root)
    assert message in after


REPLACED_PEOPLE = [
    (
        "My boss is Pieter and he wants the mix by Friday",
        "My boss isn't Pieter any more, it's Annelies",
        ("mix", "Friday"),
    ),
    (
        "My landlord is Mr. Osei and his wife is Ama",
        "My landlord isn't Mr. Osei any more, it's Mrs. Boateng",
        ("wife", "Ama"),
    ),
    ("My boss is Pieter and I see him every Tuesday", "My boss isn't Pieter, it's Annelies", ("Tuesday",)),
    ("My dentist is Dr. Ray, she's on Elm Street", "My dentist is Dr. Lee, not Dr. Ray", ("Elm",)),
    ("My cleaner is Rosa and I pay her 20 euros", "My cleaner is Ana now", ("euros",)),
    (
        "Mein Chef ist Pieter und er will den Mix bis Freitag",
        "Mein Chef ist nicht mehr Pieter, sondern Annelies",
        ("Mix", "Freitag"),
    ),
    (
        "Mi jefe es Luis y él quiere el informe el viernes",
        "Mi jefe ya no es Luis, sino Pedro",
        ("informe", "viernes"),
    ),
]


@pytest.mark.parametrize(("stored", "message", "gone"), REPLACED_PEOPLE)
def test_what_was_said_of_a_person_does_not_hold_of_the_one_in_that_place(tmp_path, stored, message, gone):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    after = " ".join(remembered(root))
    assert message.rstrip(".").rpartition(" ")[2] in after or "now" in after
    assert not any(word in after for word in gone)


@pytest.mark.parametrize(
    ("stored", "message", "kept"),
    [
        (
            "My landlord is Mr. Osei and the rent is due on the 1st",
            "My landlord isn't Mr. Osei any more, it's Mrs. Boateng",
            "the rent is due on the 1st",
        ),
        (
            "My boss is Katarina and she wants the mix by Friday",
            "My boss is Catarina, not Katarina",
            "My boss is Catarina and she wants the mix by Friday",
        ),
        ("My dog is called Rex and he is five", "My dog is called Max, not Rex", "Max and he is five"),
        (
            "My sister Lena lives in Oslo and she has a dog",
            "My sister Lena lives in Rome, not Oslo",
            "My sister Lena lives in Rome and she has a dog",
        ),
    ],
)
def test_what_was_not_said_of_a_replaced_person_stays(tmp_path, stored, message, kept):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    assert any(kept in text for text in remembered(root))


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("My dentist is Dr Okonjo on Veldstraat", "My dentist is Dr Peeters now"),
        ("My hairdresser is Lena at the Elm Street salon", "My hairdresser is Mia now"),
        ("Mein Zahnarzt ist Dr. Okonjo in der Veldstraat", "Mein Zahnarzt ist jetzt Dr. Peeters"),
        ("Mi dentista es el Dr. Ruiz en Gran Vía", "Mi dentista es ahora el Dr. Vega"),
    ],
)
def test_who_is_in_a_role_now_replaces_a_person_with_an_address(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    (after,) = remembered(root)
    assert message in after


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("My dentist is Dr Okonjo on Tuesdays", "My dentist is Dr Peeters now"),
        ("My wife's dentist is Dr Okonjo on Veldstraat", "My dentist is Dr Peeters now"),
        ("My dentist is Dr Okonjo on Veldstraat", "My doctor is Dr Peeters now"),
        ("My mentor is Ana in winter", "My mentor is Bo now"),
    ],
)
def test_who_is_in_a_role_now_leaves_another_role_and_one_at_times(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = remembered(root)
    say(root, message, 10)
    assert {*before} < {*remembered(root)}


@pytest.mark.parametrize(
    ("stored", "message", "new"),
    [
        (
            "I live on Elm Street in Halifax, in the north end.",
            "Actually, I live on Oak Street.",
            "I live on Oak Street in Halifax.",
        ),
        (
            "I live on Elm Street in Halifax with my two dogs.",
            "Actually, I live on Oak Street.",
            "I live on Oak Street in Halifax with my two dogs.",
        ),
        (
            "I live on Elm Street in Halifax, in Nova Scotia.",
            "Actually, I live on Oak Street.",
            "I live on Oak Street in Halifax, in Nova Scotia.",
        ),
        (
            "I live on Elm Street in Halifax.",
            "Actually, I live on Oak Street in Halifax.",
            "I live on Oak Street in Halifax.",
        ),
    ],
)
def test_a_corrected_street_stays_in_its_town(tmp_path, stored, message, new):
    root = tree(tmp_path, (stored,))
    say(root, message, 1)
    assert current(root) == [new]


@pytest.mark.parametrize(
    "message",
    [
        "Actually, I live on Oak Street in Truro.",
        "Actually, my mother lives on Oak Street.",
        "Actually, I work on Oak Street.",
    ],
)
def test_a_street_stays_beside_one_of_another_town_or_person(tmp_path, message):
    stored = "I live on Elm Street in Halifax."
    root = tree(tmp_path, (stored,))
    say(root, message, 1)
    assert stored in current(root)
    assert not any("Oak Street in Halifax" in line for line in current(root))


@pytest.mark.parametrize(
    ("stored", "message", "rest"),
    [
        ("My sister and I live in Ulm.", "I live in Neu-Ulm, not Ulm.", "My sister lives in Ulm."),
        ("My sister and I live in Ulm.", "I moved to Bonn.", "My sister lives in Ulm."),
        ("My parents and I live in Ulm.", "I live in Bonn now.", "My parents live in Ulm."),
        ("Lars and I work at Bosch.", "I work at Aldi now.", "Lars works at Bosch."),
        (
            "Meine Eltern und ich wohnen in Ulm.",
            "Ich wohne jetzt in Bonn.",
            "Meine Eltern wohnen in Ulm.",
        ),
        (
            "Mi hermana y yo vivimos en Lima.",
            "Vivo en Cusco, no en Lima.",
            "Mi hermana vive en Lima.",
        ),
        (
            "My sister and I live in Ulm, and she is a nurse.",
            "I live in Bonn now.",
            "My sister lives in Ulm, and she is a nurse.",
        ),
        ("My sister and I live in Ulm and share a car.", "I live in Bonn now.", "My sister lives in Ulm."),
        (
            "My wife and I live in Ulm and have two kids.",
            "We live in Bonn now.",
            "My wife and I have two kids.",
        ),
        (
            "Meine Frau und ich wohnen in Ulm und haben zwei Kinder.",
            "Wir wohnen jetzt in Bonn.",
            "Meine Frau und ich haben zwei Kinder.",
        ),
    ],
)
def test_what_is_said_of_somebody_beside_the_user_stays_true(tmp_path, stored, message, rest):
    root = tree(tmp_path, (stored,))
    say(root, message, 1)
    assert not any(stored in text for text in current(root))
    assert any(f'"{rest}"' in text for text in current(root))


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("My wife and I live in Ulm.", "I live in Bonn, not Ulm."),
        ("Lena and I live in Ulm.", "I live in Bonn now."),
        ("Meine Frau und ich wohnen in Ulm.", "Ich wohne jetzt in Bonn."),
        ("My sister and I live in Ulm.", "My sister and I live in Bonn now."),
    ],
)
def test_who_lives_with_the_user_or_is_named_again_does_not_stay(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    say(root, message, 1)
    assert not any("Ulm" in text and "Bonn" not in text for text in current(root))


def test_a_statement_after_no_stands_beside_what_it_is_not_about(tmp_path):
    root = tree(tmp_path, ("I have one sugar in tea.",))
    report = say(root, "No, I have two sugars in coffee.", 1)
    assert report.unapplied
    assert all(said in str(current(root)) for said in ("one sugar in tea", "two sugars in coffee"))
