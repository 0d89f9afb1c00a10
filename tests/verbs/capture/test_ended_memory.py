"""Endings, and corrections of two values: what is superseded by them, and what is only near."""

from __future__ import annotations

import pytest

from tests.verbs.capture.test_corrected_memory import FACTS, current, say, tree

BOTH_VALUES = [
    (("we moved to Lisbon in May",), "Actually, we moved to Porto, not Lisbon", "Lisbon", "Porto"),
    (("We moved to Leipzig last summer.",), "Not Leipzig but Dresden", "Leipzig", "Dresden"),
    (
        ["The dentist works on Tuesdays and takes cash"],
        "Correction: the dentist works on Wednesdays, not Tuesdays",
        "Tuesdays",
        "Wednesdays",
    ),
    (
        ["The boiler was serviced by Harlow Heating in March"],
        "It was Denby Heating, not Harlow Heating",
        "Harlow",
        "Denby",
    ),
    (
        ["Our plumber comes on Friday mornings"],
        "No, the plumber comes on Monday mornings, not Friday mornings",
        "Friday",
        "Monday",
    ),
    (["The parcels go to the depot in Reading"], "Slough, not Reading", "Reading", "Slough"),
    (["My niece Clara plays the cello"], "Actually, not the cello but the viola", "cello", "viola"),
    (
        ["Mara's train leaves from platform 7"],
        "Sorry, platform 9, not platform 7",
        "platform 7",
        "platform 9",
    ),
    (
        ["I keep the backups on the Synology in the attic"],
        "Correction: QNAP, not Synology",
        "Synology",
        "QNAP",
    ),
    (["Die Heizung wartet Firma Brandt im Oktober"], "Nicht Brandt, sondern Kessler", "Brandt", "Kessler"),
    (
        ["Das Auto steht in der Tiefgarage am Markt"],
        "Korrektur: am Bahnhof, nicht am Markt",
        "Markt",
        "Bahnhof",
    ),
    (["La clase de piano de Inés es los martes"], "No es los martes, sino los jueves", "martes", "jueves"),
    (
        ["El contrato vence en septiembre"],
        "Corrección: en octubre, no en septiembre",
        "septiembre",
        "octubre",
    ),
    (["Notre plombier passe le lundi"], "Non, pas le lundi mais le mercredi", "lundi", "mercredi"),
    (["La chaudière est garantie jusqu'en 2027"], "Correction : 2029, pas 2027", "2027", "2029"),
    (["Наш бухгалтер работает по вторникам"], "Не по вторникам, а по средам", "вторникам", "средам"),
    (["Договор с Мегафоном заканчивается в июне"], "Поправка: в июле, а не в июне", "июне", "июле"),
    (["The spare tyre is kept at Kwik Fit in Hull"], "Not Kwik Fit but Halfords", "Kwik", "Halfords"),
    (
        ["The choir rehearses in St Anne's hall on Tuesdays"],
        "Correction: Thursdays, not Tuesdays",
        "Tuesdays",
        "Thursdays",
    ),
    (
        ["My cardiologist Dr. Osei has her clinic on Mondays"],
        "No, her clinic is on Wednesdays, not Mondays",
        "Mondays",
        "Wednesdays",
    ),
    (["Mi coche es un Seat gris"], "No es un Seat, sino un Opel", "Seat", "Opel"),
    (["Our gym is PureGym and opens at 6"], "It opens at 7, not 6", "at 6", "at 7"),
]


@pytest.mark.parametrize(("stored", "correction", "old", "new"), BOTH_VALUES)
def test_a_correction_with_both_values_supersedes_the_one_statement_with_the_old_one(
    tmp_path, stored, correction, old, new
):
    root = tree(tmp_path, stored)
    before = current(root)
    assert any(old in text for text in before)
    report = say(root, correction, 10)
    assert not any(old in text for text in current(root))
    assert any(new in text for text in current(root))
    assert not report.unapplied


ENDINGS = [
    (["I'm learning Polish"], "I've stopped learning Polish", "Polish"),
    (["Our team uses Slack"], "Our team no longer uses Slack", "Slack"),
    (("We have two cats.",), "We no longer have cats", "cats"),
    (("I'm lactose intolerant.",), "I'm not lactose intolerant after all", "lactose"),
    (("I have a dog named Biscuit.",), "I don't have a dog any more", "Biscuit"),
    (("I work at Thornbury Labs.",), "I quit my job at Thornbury Labs", "Thornbury"),
    (["We have a blue Volvo."], "We sold the Volvo", "Volvo"),
    (("I'm vegan.",), "I'm not vegan anymore", "vegan"),
    (["I take the number 14 tram to work"], "I no longer take the number 14 tram to work", "tram"),
    (["We rent a garage on Elm Street"], "We don't rent the garage on Elm Street any longer", "garage"),
    (["I play badminton on Thursdays"], "I don't play badminton anymore", "badminton"),
    (["I sing in the Riverside choir."], "I've stopped singing in the Riverside choir", "choir"),
    (["My brother Owen lives with us"], "Owen doesn't live with us any more", "Owen"),
    (["Our office has a parking lot"], "Our office no longer has a parking lot", "parking"),
    (["I drive a Toyota"], "I sold my Toyota", "Toyota"),
    (["Ich bin Vegetarier"], "Ich bin kein Vegetarier mehr", "Vegetarier"),
    (["Wir haben einen Hund"], "Wir haben keinen Hund mehr", "Hund"),
    (["Ich arbeite bei Siemens"], "Ich arbeite nicht mehr bei Siemens", "Siemens"),
    (("Vivo en Madrid",), "Ya no vivo en Madrid", "Madrid"),
    (["Tenemos dos gatos"], "Ya no tenemos gatos", "gatos"),
    (["Je travaille chez Renault"], "Je ne travaille plus chez Renault", "Renault"),
    (["Nous avons un chien"], "Nous n'avons plus de chien", "chien"),
    (["Я пью кофе"], "Я больше не пью кофе", "кофе"),
    (["Я работаю в Яндексе"], "Я больше не работаю в Яндексе", "Яндексе"),
    (["У нас есть собака"], "У нас больше нет собаки", "собака"),
    (["I smoke a pipe"], "I don't smoke a pipe anymore", "pipe"),
    (["We subscribe to The Economist"], "We no longer subscribe to The Economist", "Economist"),
    (("I'm married.",), "I'm no longer married", "married"),
    (["I own a canoe"], "I got rid of the canoe", "canoe"),
    (["We live in Bristol"], "We don't live in Bristol any longer, we moved to Bath", "Bristol"),
    (["I work for Acme as a welder"], "I've quit my job at Acme", "Acme"),
    (["Ich spiele Tennis"], "Ich spiele kein Tennis mehr", "Tennis"),
    (["Wir wohnen in Bremen"], "Wir wohnen nicht mehr in Bremen", "Bremen"),
    (["Tengo un perro"], "Ya no tengo perro", "perro"),
    (["Je fume"], "Je ne fume plus", "fume"),
    (["Я живу в Казани"], "Я больше не живу в Казани", "Казани"),
    (["Eu moro em Lisboa"], "Já não moro em Lisboa", "Lisboa"),
    (["My daughter Lea goes to ballet"], "Lea no longer goes to ballet", "ballet"),
    (["I have a subscription to Netflix"], "I no longer have a subscription to Netflix", "Netflix"),
]


@pytest.mark.parametrize(("stored", "message", "word"), ENDINGS)
def test_what_holds_no_more_is_superseded(tmp_path, stored, message, word):
    root = tree(tmp_path, stored)
    before = current(root)
    assert any(word in text for text in before)
    report = say(root, message, 10)
    assert not {*before} & {*current(root)}
    assert report.entries
    assert not report.unapplied


NEAR = [
    (["The meeting is on Friday"], "Not Friday but Monday is a holiday"),
    (["I drive a Toyota to work"], "I sold my Toyota shares"),
    (["I have a beard"], "I no longer have a beard trimmer"),
    (["Mi hermano vive en Madrid"], "Ya no vivo en Madrid"),
    (["Meine Schwester hat einen Hund"], "Ich habe keinen Hund mehr"),
    (["Моя сестра живёт в Казани"], "Я больше не живу в Казани"),
    (("we moved to Lisbon in May",), "Tom moved to Porto, not Lisbon"),
    (["We have two cats at home"], "I no longer have time to feed the cats"),
    (["We have two cats at home"], "We no longer have cats in the office"),
    (["The cats sleep in the kitchen", "The kitchen is painted green"], "It's the hall, not the kitchen"),
    (["Our plumber comes on Friday mornings"], "The electrician comes on Monday, not Friday"),
    (["I work at Thornbury Labs"], "My brother quit his job at Thornbury Labs"),
    (["I work at Thornbury Labs"], "I almost quit my job at Thornbury Labs"),
    (["We have a blue Volvo"], "We sold the Volvo key ring"),
    (["We have a blue Volvo"], "The neighbours sold the Volvo"),
    (["I drive a Toyota"], "I haven't sold my Toyota"),
    (["I'm vegan"], "I'm not vegan because of the animals"),
    (["I'm vegan"], "I'm not only vegan"),
    (["I'm vegan"], "My sister isn't vegan anymore"),
    (["I play badminton on Thursdays"], "I don't play badminton on Mondays anymore"),
    (["I play badminton on Thursdays"], "I don't play badminton with Tom any more"),
    (["I live in Oslo with my wife"], "I no longer live in the centre of Oslo"),
    (["We have a dog"], "We don't have a dog in the picture any more"),
    (["We have a dog"], "If we no longer have a dog, we can travel"),
    (["We have a dog"], "Do we no longer have a dog?"),
    (["I take the number 14 tram to work"], "I no longer take the tram at night"),
    (["I'm lactose intolerant"], "I'm not lactose intolerant after all, said Tom"),
    (["My locker is number 12", "My bike lock code is 12"], "It's 21, not 12"),
    (["The rent is 850 euros"], "The deposit is 900 euros, not 850 euros"),
    (["The wifi password card is in the blue folder"], "I want the red folder, not the blue folder"),
    (["Our accountant is Ms. Hall"], "My neighbour is Ms. Reed, not Ms. Hall"),
    (["My flight is with Lufthansa"], "I asked for tea, not coffee"),
    (["Anna drinks coffee"], "I drink tea, not coffee"),
    (["I never eat pork"], "I no longer eat beef"),
    (["I no longer smoke"], "I no longer smoke indoors"),
    (["Wir haben zwei Katzen zu Hause"], "Ich habe keine Zeit mehr für die Katzen"),
    (["Ich arbeite bei Siemens"], "Mein Bruder arbeitet nicht mehr bei Siemens"),
    (["Ich bin Vegetarier"], "Meine Frau ist keine Vegetarierin mehr"),
    (["Ich arbeite bei Siemens"], "Ich arbeite nicht mehr freitags bei Siemens"),
    (["Vivo en Madrid"], "Ya no vivo en el centro de Madrid"),
    (["Tenemos dos gatos"], "Mi hermana ya no tiene gatos"),
    (["Je travaille chez Renault"], "Je ne travaille plus le samedi chez Renault"),
    (["Nous avons un chien"], "Nous n'avons plus de place pour le chien"),
    (["Я пью кофе"], "Я больше не пью кофе по вечерам"),
    (["Я работаю в Яндексе"], "Мой брат больше не работает в Яндексе"),
    (["У нас есть собака"], "У нас больше нет времени на собаку"),
    (["I have a dog walker named Sue"], "I don't have a dog any more"),
    (["I work at Acme"], "I no longer work at Acme's warehouse"),
    (["I live in Paris"], "I no longer live in Paris, Texas"),
    (["I play tennis with Ana"], "I no longer play tennis with Ben"),
    (["I have a house in Spain"], "I no longer have the keys to the house in Spain"),
    (["We sold a flat in Rome"], "We sold the boat"),
    (["My son has a Volvo"], "I sold the Volvo"),
    (["I eat meat"], "I don't eat meat on Fridays any more"),
    (["I drink coffee"], "I don't drink that much coffee anymore"),
    (["The standup is at 9"], "Sort the list by 10, not 9"),
    (["I like green tea"], "Make the button blue, not green"),
    (["Our logo is blue"], "The sky is grey, not blue"),
    (["My favourite language is Python"], "Write it in Go, not Python"),
    (["I speak French"], "Answer in English, not French"),
    (["I wrote a book about MySQL"], "Use Postgres, not MySQL"),
    (["I worked at Siemens from 2010"], "Ich habe nicht mehr als zwei Katzen"),
    (["Wir haben zwei Katzen"], "Wir haben nicht mehr als zwei Katzen"),
    (["Ich trinke Kaffee"], "Ich trinke nicht mehr so viel Kaffee"),
    (["Je travaille chez Renault"], "Je ne travaille plus que chez Renault"),
    (["Tengo un perro"], "Ya no tengo tiempo para el perro"),
    (["Anna works at Siemens"], "Anna's husband no longer works at Siemens"),
    (["I stopped smoking in 2019"], "I no longer smoke"),
    (["We have a cat, and our neighbour has a dog"], "We no longer have a cat"),
    (["I have two kids"], "I don't have two kids to feed any more"),
    (["We use tabs"], "Please don't use tabs any more in this file"),
]


@pytest.mark.parametrize(("stored", "message"), NEAR)
def test_a_statement_that_is_only_near_stays(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    before = current(root)
    assert before
    say(root, message, 10)
    assert {*before} <= {*current(root)}


@pytest.mark.parametrize(
    ("told", "message", "stays"),
    [
        (
            "I'm allergic to cashews.",
            "I'm not allergic to cashews, it's walnuts that give me hives.",
            "I'm allergic to cashews",
        ),
        ("My son is allergic to eggs.", "I'm not allergic to eggs, it's milk I can't have", "My son is"),
        ("I teach chemistry at a school in Derby.", "I don't teach chemistry but physics.", "chemistry"),
        (
            "I play goalkeeper for a handball club.",
            "I'm not the goalkeeper any more, I play left wing now.",
            "I play goalkeeper",
        ),
        (
            "Ich arbeite als Bäcker in Kassel.",
            "Ich arbeite nicht mehr als Bäcker, ich bin jetzt Konditor.",
            "",
        ),
    ],
)
def test_news_that_supersedes_nothing_is_recorded_in_its_own_words(tmp_path, told, message, stays):
    root = tree(tmp_path, (told,))
    say(root, message, 1)
    stated = "\n".join(current(root))
    assert message.rstrip(".") in stated
    assert stays in stated


def test_what_a_text_to_be_written_says_ends_nothing(tmp_path):
    root = tree(tmp_path, ("Ich bin Lehrerin an einer Gesamtschule.",))
    before = current(root)
    say(root, "schreib mir eine geschichte: ich bin keine lehrerin mehr, sondern kapitänin", 1)
    assert current(root) == before


@pytest.mark.parametrize(
    ("told", "message", "gone"),
    [
        (
            "I work at Siemens",
            "I don't work at Siemens any more, I'm at Bosch now",
            "I work at Siemens",
        ),
        ("I'm vegetarian", "I'm not vegetarian any more, I eat meat now", "I'm vegetarian"),
        ("We use Jenkins", "We don't use Jenkins any more, we're on Buildkite", "We use Jenkins"),
        ("Vivo en Madrid.", "Ya no vivo en Madrid, ahora estoy en Valencia", "Vivo en"),
    ],
)
def test_what_holds_instead_of_what_ended_is_recorded(tmp_path, told, message, gone):
    root = tree(tmp_path, (told, message))
    stated = "\n".join(current(root))
    assert message in stated
    assert gone not in stated


@pytest.mark.parametrize(
    ("told", "news", "renewal"),
    [
        ("I live in Lyon.", "I don't live in Lyon any more, I'm in Nantes now.", "I moved back to Lyon."),
        ("I live in Lyon.", "I've left Lyon for good.", "I live in Lyon again."),
        (
            "Ich wohne in Bremen.",
            "Ich wohne nicht mehr in Bremen, ich bin jetzt in Kiel.",
            "Ich wohne wieder in Bremen.",
        ),
        (
            "J'habite à Lyon.",
            "Je n'habite plus à Lyon, je suis à Nantes maintenant.",
            "J'habite de nouveau à Lyon.",
        ),
        ("Я живу в Казани.", "Я больше не живу в Казани, я теперь в Перми.", "Я снова живу в Казани."),
        ("I work at Bosch.", "I no longer work at Bosch.", "I work at Bosch again."),
    ],
)
def test_what_holds_again_ends_the_news_that_it_had_ended(tmp_path, told, news, renewal):
    stated = current(tree(tmp_path, (told, news, renewal)))
    assert any(renewal in text for text in stated)
    assert not any(news.rstrip(".") in text for text in stated)


@pytest.mark.parametrize(
    "other",
    [
        "My sister lives in Lyon again.",
        "I was in Lyon again.",
        "My boss said I live in Lyon again.",
        "Do I live in Lyon again?",
        "I applied for a flat in Lyon again.",
    ],
)
def test_what_does_not_hold_again_leaves_the_ending(tmp_path, other):
    ended = "I don't live in Lyon any more"
    root = tree(tmp_path, (ended, other))
    assert any(ended in text for text in current(root))


@pytest.mark.parametrize(
    ("ended", "other"),
    [
        ("I no longer drive.", "I drove again once, in 2018, and had an accident."),
        ("I no longer work on search.", "In the retro doc: I work on search again."),
        ("I no longer play badminton, my knee hurts", "I play badminton again on Fridays"),
    ],
)
def test_what_is_no_claim_of_the_grammar_ends_no_ending(tmp_path, ended, other):
    assert any("no longer" in text for text in current(tree(tmp_path, (ended, other))))


def test_where_the_user_is_for_now_is_no_home(tmp_path):
    told = ("I live in Nantes.", "I don't live in Lyon any more, I'm in Paris on business.")
    stated = "\n".join(current(tree(tmp_path, told)))
    assert "LIVES_IN Nantes" in stated
    assert "LIVES_IN Paris" not in stated


def test_what_says_more_of_a_name_in_memory_is_recorded_though_it_replaces_nothing(tmp_path):
    message = "actually, Rex eats kibble now, not raw food any more"
    root = tree(tmp_path, ("my dog Rex eats only raw food", message))
    assert "Rex eats kibble now" in "\n".join(current(root))


def test_a_part_of_a_name_is_not_replaced(tmp_path):
    root = tree(tmp_path, ("sold the Skoda, I drive a Kia Niro now", "actually, I drive a Volvo, not a Kia"))
    assert "Volvo Niro" not in (root / FACTS).read_text()


LIFE_ENDINGS = [
    ("I work as a nurse in Oslo", "I quit my job as a nurse"),
    ("I work at Siemens", "I quit my job"),
    ("I work at Siemens", "got laid off this morning"),
    ("I work at Siemens", "Siemens let me go"),
    ("I work at Siemens", "I left Siemens last month"),
    ("I got fired", "I work as a nurse"),
    ("I got laid off", "I work at Siemens"),
    ("I quit my job", "I work for Siemens now"),
    ("I'm vegetarian", "I'm back to eating meat"),
    ("I'm vegan", "I've gone back to eating cheese"),
    ("I work part time", "I'm full time again"),
    ("I work full time", "I'm back to working part-time"),
    ("My girlfriend is Anna", "we broke up"),
    ("My girlfriend is Anna", "broke up with Anna"),
    ("My partner is Tom", "Tom and I split up last week"),
    ("My wife is Anna", "we got divorced"),
    ("The wedding is on 14 June", "The wedding is cancelled"),
    ("The wedding is on 14 June", "wedding's been called off"),
    ("My dentist appointment is on Tuesday at 3pm", "My dentist appointment was cancelled"),
    ("The wedding is on 14 June", "we had to postpone the wedding to 21 June"),
    ("The wedding is on 14 June", "the wedding was rescheduled for 21 June"),
    ("My dentist appointment is on Tuesday at 3pm", "dentist appointment is now on Thursday"),
]


@pytest.mark.parametrize(("stored", "message"), LIFE_ENDINGS)
def test_a_lost_job_a_separation_and_a_cancelled_plan_end_what_they_are_about(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = current(root)
    assert before
    say(root, message, 5)
    assert {*before}.isdisjoint(current(root))


OTHER_ENDINGS = [
    ("I work at Siemens", "my boss got fired"),
    ("I work at Siemens", "I almost quit my job"),
    ("I work at Siemens", "I want to quit my job"),
    ("I work at Siemens", "got fired up today"),
    ("I work at Siemens", "I left the meeting"),
    ("I got fired from Siemens", "I work as a nurse"),
    ("I got fired", "My brother works as a nurse"),
    ("We got divorced", "My wife is Anna"),
    ("I'm vegetarian", "I'm back to eating well"),
    ("I'm vegetarian", "I'm back to eating cheese"),
    ("I'm vegetarian", "My son is back to eating meat"),
    ("My sister works part time", "I'm full time again"),
    ("I work part time", "I'm full time busy"),
    ("My girlfriend is Anna", "we broke up the task into steps"),
    ("My girlfriend is Anna", "my brother and his wife split up"),
    ("My girlfriend is Anna", "broke up with Lisa"),
    ("My girlfriend is Anna", "Anna left me a voicemail"),
    ("My girlfriend Anna is allergic to nuts", "we broke up"),
    ("The wedding is on 14 June", "the wedding cake is cancelled"),
    ("The wedding is on 14 June", "if the wedding is cancelled, we lose the deposit"),
    ("Our team meeting is on Mondays", "our team meeting is off this week"),
    ("Our team meeting is on Mondays", "the team meeting is cancelled"),
]


@pytest.mark.parametrize(("stored", "message"), OTHER_ENDINGS)
def test_what_another_lost_or_what_takes_place_often_stays(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = current(root)
    assert before
    say(root, message, 5)
    assert {*before} <= {*current(root)}


UNREAL = [
    (("I work at Siemens.",), "I quit Siemens yesterday, haha, just kidding"),
    (("I work at Siemens.",), "I quit Siemens lol jk"),
    (("I work at Siemens.",), "I quit Siemens in my dream last night"),
    (("I work at Siemens.",), "I quit Siemens, if I win the lottery"),
    (("I live in Ghent.",), "I live in Oslo now, just kidding"),
    (("I live in Ghent.",), "Actually, I live in Oslo, not Ghent, in my new novel"),
    (("I drive a Volvo.",), "I sold my Volvo, just joking"),
    (("Ich fahre einen Volvo.",), "Ich habe meinen Volvo verkauft, Scherz!"),
    (("Ich wohne in Graz.",), "Ich wohne jetzt in Linz, war nur ein Scherz"),
    (("Vivo en Madrid.",), "Ahora vivo en Sevilla, es broma"),
    (("J'habite à Lyon.",), "J'habite à Nantes maintenant, je plaisante"),
    (("I play the piano.",), "I stopped playing the piano at ten"),
    (("I play the piano.",), "I gave up playing the piano as a child"),
    (("I play the piano.",), "I stopped playing the piano when I was ten"),
    (("I play the guitar.",), "I stopped playing the guitar back in school"),
    (["Our CI is Jenkins."], "We moved from Jenkins to lunch"),
    (("I live in Ghent.",), "We moved from Ghent to bed"),
]


@pytest.mark.parametrize(("stored", "message"), UNREAL)
def test_a_joke_a_dream_a_condition_or_the_past_ends_nothing(tmp_path, stored, message):
    root = tree(tmp_path, stored)
    before = current(root)
    assert before
    say(root, message, 10)
    assert {*before} <= {*current(root)}


@pytest.mark.parametrize(
    ("stored", "message", "gone"),
    [
        (("I work at Siemens.",), "I quit Siemens yesterday, haha", "WORKS_AT Siemens"),
        (("I work at Siemens.",), "I quit Siemens and I'm not kidding", "WORKS_AT Siemens"),
        (("I work at Siemens.",), "I no longer work at Siemens, if I'm honest", "WORKS_AT Siemens"),
        (("I live in Ghent.",), "I live in Oslo now, if you want to know", "LIVES_IN Ghent"),
        (("I play the piano.",), "I stopped playing the piano at Christmas", "PLAYS the piano"),
        (["Our CI is Jenkins."], "We moved from Jenkins to GitHub Actions", "Our CI is Jenkins"),
        (("I live in Ghent.",), "I moved from Ghent to Oslo", "LIVES_IN Ghent"),
    ],
)
def test_what_is_meant_ends_what_it_says(tmp_path, stored, message, gone):
    root = tree(tmp_path, stored)
    assert any(gone in text for text in current(root))
    say(root, message, 10)
    assert not any(gone in text for text in current(root))


ENDED_IN_OTHER_WORDS = [
    ("I work as a nurse at St. Luke's", "I quit my job", "I work as a nurse"),
    ("I'm a nurse at St. Luke's", "I got laid off", "I'm a nurse"),
    ("I'm a cook at a hospital", "I lost my job", "I'm a cook"),
    ("I'm married to Tom", "We got divorced", "We got divorced"),
    ("I'm married to Tom", "Tom and I got divorced", "Tom and I got divorced"),
    ("I'm engaged to Tom", "Tom and I broke up", "Tom and I broke up"),
    ("I drive a Honda", "just got a Tesla, sold the Honda", "just got a Tesla"),
    ("I drive a Honda", "I got a Tesla and sold the Honda", "got a Tesla"),
    ("I drive a Honda", "I drive a Tesla now", "Tesla"),
    ("Je conduis une Honda", "Je conduis une Tesla maintenant", "Tesla"),
    ("Ich fahre einen Honda", "Ich fahre jetzt einen Tesla", "Tesla"),
]


@pytest.mark.parametrize(("stored", "message", "new"), ENDED_IN_OTHER_WORDS)
def test_a_job_a_marriage_and_a_car_end_in_other_words(tmp_path, stored, message, new):
    root = tree(tmp_path, (stored,))
    say(root, message, 10)
    after = current(root)
    assert not any(stored in text for text in after)
    assert any(new in text for text in after)


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("I'm a nurse", "I quit my job"),
        ("I work as a nurse at night", "I quit my job"),
        ("I'm a nurse at St. Luke's", "My sister quit her job"),
        ("I'm married to Tom", "Ben and I got divorced"),
        ("I'm married to Tom", "My parents got divorced"),
        ("My husband is Tom", "Ben and I got divorced"),
        ("I drive a Honda", "My brother got a Tesla and sold the Honda"),
        ("I drive a Honda", "I drive a van for work now"),
        ("I drive a Honda", "My wife drives a Tesla now"),
        ("I use a Mac", "I use a Thinkpad now"),
    ],
)
def test_a_job_a_marriage_and_a_car_of_others_stay(tmp_path, stored, message):
    root = tree(tmp_path, (stored,))
    before = current(root)
    assert before
    say(root, message, 10)
    assert {*before} <= {*current(root)}
