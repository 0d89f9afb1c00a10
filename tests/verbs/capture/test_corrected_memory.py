"""Corrections in ten languages: what is current after them, and what is not theirs to change.

The texts are what people say to an assistant. A stored text is a saved fact or an earlier message.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.facts.identity import fact_sentence
from memtool.core.records.entries import Owner
from memtool.formats import long_term, semantic
from memtool.verbs.capture.scan import scan
from tests.trees import NOW, make, opened

FACTS, LINES = "memory/semantic/facts.md", "MEMORY.md"


def saved(*texts):
    """A semantic file with these facts."""
    return "# Facts\n\n" + "".join(
        f"- [context] {text} ^m-{number:012x}\n" for number, text in enumerate(texts, 1)
    )


def current(root):
    """The active facts and lines of long-term memory."""
    facts = (root / FACTS).read_text() if (root / FACTS).exists() else ""
    lines = (root / LINES).read_text() if (root / LINES).exists() else ""
    return [
        *(
            fact_sentence(found.fact)
            for found in semantic.records(semantic.parse(facts))
            if not found.superseded
        ),
        *(
            item.fact.detail
            for item in long_term.items(long_term.parse(lines))
            if item.fact.category and not item.superseded
        ),
    ]


def tree(folder, stored):
    """A workspace with the stored texts: a list of saved facts, or a tuple of messages."""
    facts = saved(*stored) if isinstance(stored, list) else saved()
    root = make(folder / "w", {"memtool.toml": 'layout = "native"\n', FACTS: facts})
    for number, message in enumerate(stored if isinstance(stored, tuple) else ()):
        say(root, message, number)
    return root


def say(root, message, minute):
    now = NOW + timedelta(minutes=minute)
    return scan(opened(root), message, now=now, owner=None, triggers=DEFAULT_TRIGGERS)


CORRECTED = [
    (
        ("I live upstairs with my wife Anna",),
        "I live in the cellar, not upstairs",
        "upstairs with",
        'Person:my wife Anna — "I live in the cellar, not upstairs"',
    ),
    (
        ("I live in the Netherlands with my wife Anna",),
        "I live in Belgium, not the Netherlands",
        "live in the Netherlands",
        "I live in Belgium",
    ),
    (
        ("My sister Lena lives in the Netherlands",),
        "Lena lives in Belgium, not the Netherlands",
        "in the Netherlands",
        "sister Lena lives in Belgium",
    ),
    (("My dentist is Dr. Okafor",), "Actually, my dentist is Dr. Baptiste now", "Okafor", "Baptiste"),
    (("My dentist is Dr. Okafor",), "Actually, my dentist is Dr. Baptiste", "Okafor", "Baptiste"),
    (("My dentist is Okafor",), "Actually, my dentist is Baptiste now", "Okafor", "Baptiste"),
    (("My sister Lena lives in Oslo.",), "Actually, Lena lives in Bergen now", "Oslo", "Bergen"),
    (
        ["The spare kiln key hangs behind the blue door"],
        "Actually, the spare kiln key hangs behind the red door",
        "blue",
        "red",
    ),
    (
        ("I prefer tabs over spaces.",),
        "Actually, I prefer spaces over tabs",
        "tabs over spaces",
        "spaces over tabs",
    ),
    (
        ("Remember that my dentist is Dr. Okafor and I prefer tabs over spaces.",),
        "Actually, my dentist is Dr. Baptiste, not Dr. Okafor",
        "Okafor",
        "Baptiste",
    ),
    (("My landlord is Mr. Hughes",), "No, my landlord is Mrs. Patel", "Hughes", "Patel"),
    (
        ["The wifi at the cabin is called PineNet"],
        "Actually, the wifi at the cabin is called OakNet",
        "PineNet",
        "OakNet",
    ),
    (["Our office is at No. 5 Mill Lane"], "Actually, our office is at No. 12 Mill Lane", "No. 5", "No. 12"),
    (("My husband is Tom",), "Actually, my husband is Ben", "is Tom", "Ben"),
    (("My boss is called Karin",), "My boss is Ulrike now", "Karin", "Ulrike"),
    (("I live in St. Louis",), "Actually, I live in St. Paul these days", "Louis", "Paul"),
    (
        ["The team meeting takes place in the large room"],
        "Correction: the team meeting takes place in the small room",
        "large",
        "small",
    ),
    (("My doctor is Dr. Ray",), "Wait, my doctor is Dr. Singh", "Ray", "Singh"),
    (
        ["The bins are collected on the first Monday"],
        "Actually the bins are collected on the second Monday",
        "first",
        "second",
    ),
    (("My brother Paul works at Siemens.",), "Actually, Paul works at Bosch now", "Siemens", "Bosch"),
    (("I prefer tea to coffee.",), "Actually, I prefer coffee to tea", "tea to coffee", "coffee to tea"),
    (
        ["Grandma's flight lands at Gatwick"],
        "No wait, grandma's flight lands at Heathrow",
        "Gatwick",
        "Heathrow",
    ),
    (("My bank is Monzo",), "My bank is Starling now.", "Monzo", "Starling"),
    (["The backup server is in rack 4"], "The backup server is now in rack 9", "rack 4", "rack 9"),
    (("My therapist is Dr. Anna Berg",), "Actually my therapist is now Dr. Eva Lind", "Berg", "Lind"),
    (["My locker code is 4471"], "Sorry, my locker code is 4417", "4471", "4417"),
    (
        ("Remember that the cat sleeps under the old sofa",),
        "Actually, the cat sleeps under the new sofa",
        "old sofa",
        "new sofa",
    ),
    (("My wife is Anna and my landlord is Mr. Cole.",), "Actually, my landlord is Mr. Dunn", "Cole", "Dunn"),
    (["The spare key is with Mrs. Novak"], "Actually, the spare key is with Mr. Lang", "Novak", "Lang"),
    (("My landlord is Mr. Hughes",), "It's not Mr. Hughes, it's Mr. Hewes", "Hughes", "Hewes"),
    (("My manager is Priya",), "Update: my manager is Chen now", "Priya", "Chen"),
    (
        ["Der Schlüssel liegt unter der blauen Matte"],
        "Korrektur: Der Schlüssel liegt unter der roten Matte",
        "blauen",
        "roten",
    ),
    (["Mein Zahnarzt ist Dr. Weber"], "Nein, mein Zahnarzt ist Dr. Krause", "Weber", "Krause"),
    (["Mein Zahnarzt ist Dr. Weber"], "Mein Zahnarzt ist jetzt Dr. Krause", "Weber", "Krause"),
    (["Mi dentista es la Dra. Ruiz"], "En realidad, mi dentista es la Dra. Vega", "Ruiz", "Vega"),
    (["La reunión es en Madrid"], "No, la reunión es en Bilbao", "Madrid", "Bilbao"),
    (["Mi hermana Lena vive en Lima"], "En realidad, Lena vive en Cusco ahora", "Lima", "Cusco"),
    (
        ["Mon dentiste est le Dr. Morel"],
        "En fait, mon dentiste est le Dr. Petit maintenant",
        "Morel",
        "Petit",
    ),
    (("Je préfère le thé au café",), "En fait, je préfère le café au thé", "thé au café", "café au thé"),
    (["O meu dentista é o Dr. Lopes"], "Na verdade, o meu dentista é o Dr. Costa agora", "Lopes", "Costa"),
    (
        ["A chave está atrás da porta azul"],
        "Na verdade, a chave está atrás da porta vermelha",
        "azul",
        "vermelha",
    ),
    (["Мой стоматолог — доктор Иванов"], "На самом деле мой стоматолог — доктор Петров", "Иванов", "Петров"),
    (["Ключ висит за синей дверью"], "На самом деле ключ висит за красной дверью", "синей", "красной"),
    (["Лена живёт в Осло"], "Лена теперь живёт в Бергене", "Осло", "Бергене"),
    (["Diş hekimim Dr. Kaya"], "Aslında diş hekimim artık Dr. Demir", "Kaya", "Demir"),
    (["Kız kardeşim Lena Oslo'da yaşıyor"], "Aslında Lena Bergen'de yaşıyor", "Oslo", "Bergen"),
    (["Mening tish shifokorim Dr. Karimov"], "Aslida mening tish shifokorim Dr. Aliyev", "Karimov", "Aliyev"),
    (["Majlis Toshkentda bo'ladi"], "Aslida majlis Buxoroda bo'ladi", "Toshkent", "Buxoro"),
    (["我的牙医是王医生"], "其实我的牙医是李医生", "王", "李"),
    (["我姐姐住在北京"], "我姐姐现在住在上海", "北京", "上海"),
    (["私の歯医者は田中先生です"], "実は私の歯医者は佐藤先生です", "田中", "佐藤"),
    (["レナはオスロに住んでいます"], "今はレナはベルゲンに住んでいます", "オスロ", "ベルゲン"),
    (("My doctor's name is Dr. Ray",), "Actually, my doctor is Dr. Singh", "Ray", "Singh"),
    (("My boss Karin likes tea",), "My new boss is Ulrike", "Karin", "Ulrike"),
    (("My husband is called Tom",), "No, my husband's name is Ben", "Tom", "Ben"),
    (("My vet is Dr. Lang",), "Actually, my vet is Dr. Mora", "Lang", "Mora"),
    (("My landlord is Mr. Hughes.",), "I moved, so my landlord is Mrs. Patel now.", "Hughes", "Patel"),
    (("Mein Chef heißt Karl",), "Mein Chef heißt jetzt Uwe", "Karl", "Uwe"),
    (("My mom is Sue",), "Actually my mom is Susan", "is Sue", "Susan"),
    (("My school is Lakeside High",), "Actually, my school is Hillside High now", "Lakeside", "Hillside"),
    (("I go to school at Lakeside",), "Actually, I go to school at Hillside", "Lakeside", "Hillside"),
    (("My favourite tea is oolong",), "Actually, my favourite tea is sencha now", "oolong", "sencha"),
    (["Our standup is at 9:30"], "No, our standup is at 9:45", "9:30", "9:45"),
    (("Remember that the gate code is 4711",), "Actually, the gate code is 1174 now", "4711", "1174"),
    (("Mi jefe se llama Luis",), "Ahora mi jefe se llama Pedro", "Luis", "Pedro"),
    (("My sister Dana works at Bosch.",), "Actually, my sister Dana works at Siemens", "Bosch", "Siemens"),
    (("I work at Bosch",), "Actually, I work at Siemens these days", "Bosch", "Siemens"),
    (["The printer is on the third floor"], "The printer is on the fifth floor now", "third", "fifth"),
    (
        ("I like tea more than coffee",),
        "Actually, I like coffee more than tea",
        "tea more than coffee",
        "coffee more than tea",
    ),
    (("Mon mari s'appelle Luc",), "En fait, mon mari s'appelle Marc", "Luc", "Marc"),
    (["My car is parked in lot B"], "Actually, my car is parked in lot D", "lot B", "lot D"),
    (
        ("I prefer dark roast coffee.",),
        "Actually, I prefer light roast coffee.",
        "dark roast coffee",
        "light roast coffee",
    ),
    (("Call me Al",), "Actually, call me Albert", "Call me Al", "Call me Albert"),
    (("Our tram stop is Ferry Road",), "I told you wrong, our tram stop is Mill Road", "Ferry", "Mill"),
    (("The ferry leaves at 9",), "Sorry, I got that wrong - the ferry leaves at 10", "at 9", "at 10"),
    (("The ferry leaves at 9",), "I mixed that up: the ferry leaves at 10", "at 9", "at 10"),
    (
        ("Der Urlaub kostet 1.200 Euro",),
        "Ich hab mich vertan, der Urlaub kostet 1.020 Euro",
        "1.200",
        "1.020",
    ),
    (("Mi perro se llama Tobi",), "Perdón, me equivoqué, mi perro se llama Tobías", "Tobi", "Tobías"),
    (
        ("I have a sister Ann and I like tea",),
        "I don't like tea any more",
        "I like tea",
        "I have a sister Ann",
    ),
    (
        ("I work at Lumen Labs, and please always reply in British English.",),
        "I no longer work at Lumen Labs.",
        "I work at Lumen",
        "Please always reply in British English",
    ),
]


@pytest.mark.parametrize(("stored", "correction", "old", "new"), CORRECTED)
def test_a_correction_supersedes_what_it_corrects(tmp_path, stored, correction, old, new):
    root = tree(tmp_path, stored)
    assert any(old in text for text in current(root))
    report = say(root, correction, 10)
    assert any(new in text for text in current(root))
    assert not any(old in text and new not in text for text in current(root))
    assert not report.unapplied


def test_who_wants_to_be_called_otherwise_is_so_in_the_rules_and_keeps_the_name(tmp_path):
    root = tree(tmp_path, ("My name is Albert Bakker", "Call me Al"))
    say(root, "Actually, call me Bert", 10)
    assert "Albert Bakker" in " ".join(current(root))
    rules = (root / "memory/procedural/rules.md").read_text()
    assert "call me Bert" in rules
    assert "Call me Al" not in rules


def test_a_correction_in_another_session_supersedes_and_one_of_another_user_does_not(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for owner, message in (
        (Owner("session", "a"), "My manager is Tom Baker."),
        (Owner("user", "ada"), "My manager is Ines Lind, not Tom Baker."),
        (Owner("session", "b"), "My manager is Eva Lund, not Tom Baker."),
    ):
        scan(opened(root), message, now=NOW, owner=owner, triggers=DEFAULT_TRIGGERS)
        if owner.kind == "user":
            assert any("Tom Baker" in text and "Ines" not in text for text in current(root))
    assert not any("Tom Baker" in text and "not Tom" not in text for text in current(root))
    assert any("Eva Lund" in text for text in current(root))


def test_a_statement_corrected_twice_leaves_nothing_of_the_first_correction(tmp_path):
    root = tree(tmp_path, ("My meeting is on Monday at 9",))
    say(root, "Actually, my meeting is on Friday", 10)
    say(root, "Actually, my meeting is on Thursday", 11)
    assert not any("Friday" in text for text in current(root))


def test_of_two_homes_of_two_sessions_a_correction_leaves_neither(tmp_path):
    sessions = (
        "- [context] [session:a] User LIVES_IN Bergen ^m-1\n- [context] [session:b] User LIVES_IN Oslo ^m-2\n"
    )
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', FACTS: f"# Facts\n\n{sessions}"})
    say(root, "Actually, I live in Rome", 10)
    assert [text for text in current(root) if "LIVES_IN" in text or "live" in text] == [
        'User LIVES_IN Rome — "I live in Rome"'
    ]


OTHERS = [
    (("I prefer vegetarian food",), "No, I prefer bullet points here"),
    (("I prefer dark mode",), "Actually, I prefer light coffee"),
    (("I love dogs.",), "Actually, I love cats"),
    (("I live in Rome",), "I never told you that I live in Bremen!"),
    (("I live in Berlin",), "I moved to Marketing yesterday"),
    (("Call me Al",), "Call me Albert in formal letters"),
    (("Call me Al and always answer briefly",), "Actually, call me Albert"),
    (("My sister is Lena",), "My sister is Ana."),
    (("My dentist is Dr. Okafor",), "Maybe my dentist is Dr. Baptiste now"),
    (("My dentist is Dr. Okafor",), "Tom says my dentist is Dr. Baptiste"),
    (("My dentist is Dr. Okafor",), "Actually, Tom's dentist is Dr. Baptiste"),
    (("My dentist is Dr. Okafor",), "Actually, my son's dentist is Dr. Baptiste now"),
    (["My cousin Lena lives in Oslo", "My friend Lena lives in Rome"], "Actually, Lena lives in Bergen now"),
    (["The spare key hangs behind the blue door"], "Actually, the shed key hangs behind the red door"),
    (["I take the red pills in the morning"], "Actually, I take the blue pills in the evening"),
    (["We do not deploy on Fridays"], "Actually, we do not deploy on Mondays"),
    (("My friend Tom lives in Oslo.",), "My friend Tim lives in Rome now."),
    (("I prefer tabs over spaces.",), "Actually, I prefer tea over coffee"),
    (("I prefer tabs over spaces.",), "Actually, my brother prefers spaces over tabs"),
    (["The launch of Vega is on 12 May"], "Actually, the launch of Orion is on 14 May"),
    (("My dentist is Dr. Okafor",), "Actually, is my dentist Dr. Baptiste now?"),
    (("My dentist is Dr. Okafor",), "Actually, my dentist is not Dr. Baptiste"),
    (("My cat is called Rex",), "My cat is called Mia."),
    (("My dentist is Dr. Okafor",), "Actually, my dentist is great now"),
    (
        ["The key for the red door hangs in the hall"],
        "Actually, the key for the blue door hangs in the kitchen",
    ),
    (["Mein Zahnarzt ist Dr. Weber"], "Vielleicht ist mein Zahnarzt jetzt Dr. Krause"),
    (["Mi dentista es la Dra. Ruiz"], "En realidad, el dentista de Ana es la Dra. Vega"),
    (["Лена живёт в Осло"], "На самом деле Лена работает в Бергене"),
    (["レナは魚を食べます"], "実はレナは肉も食べます"),
    (["我喜欢茶"], "其实我也喜欢咖啡"),
    (["My dentist is Dr. Okafor", "My dentist is Dr. Lee"], "Actually, my dentist is Dr. Baptiste"),
    (["Kız kardeşim Lena Oslo'da yaşıyor"], "Aslında Lena Bergen'de çalışıyor"),
    (["Mon dentiste est le Dr. Morel"], "En fait, le dentiste de Paul est le Dr. Petit"),
    (("My brother Paul works at Siemens.",), "Actually, Paula works at Bosch now"),
    (["The white wine is in the small fridge"], "Actually, the red wine is in the large fridge"),
    (["Tom has a dog"], "Actually, Tom has a cat now"),
    (("My boss is Karin and my landlord is Mr. Cole.",), "Actually, my neighbour is Mr. Dunn"),
    (["O meu dentista é o Dr. Lopes"], "Talvez o meu dentista seja o Dr. Costa agora"),
    (["Uchrashuv Toshkentda bo'ladi"], "Aslida majlis Buxoroda bo'ladi"),
    (("I live in Oslo",), "Actually, I lived in Bergen as a child"),
    (["I parked the car in the north garage"], "Actually, I parked the bike in the south garage"),
    (("My boss is Karin",), "My old boss is Ulrike"),
    (("My doctor is Dr. Ray",), "My doctor Dr. Singh now says no sugar"),
    (
        (
            "My doctor is Dr. Ray",
            "My doctor is Dr. Lee",
        ),
        "Actually, my doctor's name is Dr. Singh",
    ),
    (("My husband is Tom",), "Actually, my ex-husband is Ben"),
    (("My boss is Karin",), "My boss is Ulrike."),
    (("My boss is Karin",), "Actually my friend's boss is Ulrike"),
    (("My sister is Lena",), "My new sister is Ana"),
    (("My cat is called Rex",), "My new cat is called Mia"),
    (("My boss is Karin",), "I think my boss is Ulrike now"),
    (("My boss is Karin",), "Actually, my boss is Karin Holm's friend"),
    (("My brother is Tom",), "My brother Ben is now in Rome"),
    (("I live in Bergen",), "Actually, I live in Oslo?"),
    (("Mon fils a 7 ans",), "en fait, mon fils a 8 ans ? 🙂"),
    (("my son is deaf",), "wait, my son is hungry"),
    (("my son is deaf", "my son is dyslexic"), "correction: my son is blind"),
    (["My doctor is Dr. Ray. Her practice is on Hill Road."], "Actually, my doctor is Dr. Singh"),
]


@pytest.mark.parametrize(("stored", "message"), OTHERS)
def test_what_a_message_is_not_surely_about_stays(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    before = current(root)
    assert before
    say(root, message, 10)
    assert {*before} <= {*current(root)}


def test_a_correction_hands_on_the_key_of_the_fact_that_it_supersedes(tmp_path):
    root = tree(tmp_path, [])
    path = root / FACTS
    path.write_text(saved() + "- [context] I live in Berlin ^k-city\n")
    say(root, "Actually, I live in Hamburg, not Berlin", 0)
    records = [*semantic.records(semantic.parse(path.read_text()))]
    assert [fact_sentence(record.fact) for record in records if record.id == "k-city"] == [
        "I live in Hamburg"
    ]
    [old] = [record for record in records if record.superseded]
    assert (old.id, old.superseded.by) == ("m-a55ca2a1851a", "k-city")
    say(root, "Actually, I live in Bremen, not Hamburg", 1)
    records = [*semantic.records(semantic.parse(path.read_text()))]
    by_id = {record.id: fact_sentence(record.fact) for record in records}
    assert by_id["k-city"] == "I live in Bremen"
    assert len(by_id) == len(records)


@pytest.mark.parametrize(
    ("stated", "later", "left"),
    [
        (
            "My husband Donal teaches woodwork in Oranmore.",
            "Actually, my husband teaches woodwork in Athenry, not Oranmore.",
            "My husband Donal teaches woodwork in Athenry.",
        ),
        (
            "My brother Tomas lives in Leeds with his dog.",
            "No wait, my brother lives in Bradford, not Leeds.",
            "My brother Tomas lives in Bradford with his dog.",
        ),
        (
            "My wife Paula drives a Skoda.",
            "I misspoke, my wife drives a Seat, not a Skoda.",
            "My wife Paula drives a Seat.",
        ),
        (
            "My aunt Berta lives in Vienna.",
            "Let me correct that: my aunt lives in Graz, not Vienna.",
            "My aunt Berta lives in Graz.",
        ),
        ("My mother Rosa is 71.", "Sorry, my mother is 72, not 71.", "My mother Rosa is 72."),
    ],
)
def test_a_correction_is_no_second_fact_where_the_corrected_one_says_all_of_it(tmp_path, stated, later, left):
    root = tree(tmp_path, (stated, later))
    assert [left in text for text in current(root)] == [True]


@pytest.mark.parametrize(
    ("stated", "later"),
    [
        (
            "My husband Donal teaches woodwork in Oranmore.",
            "Actually, my husband teaches woodwork in Athenry, not Oranmore, and drives there by bus.",
        ),
        (
            "My wife Paula drives a Skoda.",
            "I misspoke, my wife drives a Seat, not a Skoda, because of the boot.",
        ),
    ],
)
def test_a_correction_that_says_more_is_a_fact_beside_the_corrected_one(tmp_path, stated, later):
    root = tree(tmp_path, (stated, later))
    assert any(later.split(" ", 1)[1].rpartition(" ")[2] in text for text in current(root))
