"""Corrections: what a sentence replaces by what, and which lines it makes wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.behaviour import is_about_behaviour
from memtool.core.capture.circumstances import read_circumstances
from memtool.core.capture.corrected_lines import corrected_text, is_corrected
from memtool.core.capture.correction_value import Correction, may_correct
from memtool.core.capture.corrections import corrections
from memtool.core.capture.languages.suppositions import is_doubtful
from memtool.core.capture.stated_name import stated_name


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        ("It isn't Sarvar, it's Sardor.", "Sarvar", "Sardor"),
        ("No, it's not port 8000, it's port 8080", "port 8000", "port 8080"),
        ("not Tuesday but Wednesday", "Tuesday", "Wednesday"),
        ("I meant Berlin, not Bern", "Bern", "Berlin"),
        ("Actually it's 12 May, not 2 May.", "2 May", "12 May"),
        ("12 May is wrong, it's 19 May", "12 May", "19 May"),
        ("12 May isn't right, it's 19 May", "12 May", "19 May"),
        ("12 May is out of date, it's 19 May", "12 May", "19 May"),
        ("Instead of tabs use spaces", "tabs", "spaces"),
        ("Use spaces instead of tabs please", "tabs", "spaces"),
        ("we moved the launch from 12 May to 19 May", "12 May", "19 May"),
        ("My name is spelled Sara not Sarah", "Sarah", "Sara"),
        ("I switched from Vim to Neovim last week", "Vim", "Neovim"),
        ("I used to live in Munich but now I live in Berlin", "Munich", "Berlin"),
        ("Actually, my dentist is Dr. Baptiste, not Dr. Okafor", "Dr. Okafor", "Dr. Baptiste"),
        ("It's not St. Louis, it's St. Paul. Sorry!", "St. Louis", "St. Paul"),
        ("our office is at No. 12 Mill Lane, not No. 5 Mill Lane", "No. 5 Mill Lane", "No. 12 Mill Lane"),
        ("Mi dentista es la Dra. Vega, no la Dra. Ruiz", "la Dra. Ruiz", "la Dra. Vega"),
        ("Plan A is wrong. It's Plan B.", "Plan A", "Plan B"),
        ("I drink tea instead of coffee now", "coffee", "tea"),
        ("These days my mum calls on Saturdays rather than Sundays", "Sundays", "Saturdays"),
        ("Das Treffen ist am 12. Mai, nicht am 2. Mai", "2. Mai", "12. Mai"),
    ],
)
def test_a_correction_names_both_values(sentence, old, new):
    (found,) = corrections(sentence)
    assert (found.old, found.new) == (old, new)
    assert may_correct(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm not sure if this is right, but I think so",
        "It's not working, it's broken",
        "it's the parser I'm working on now",
        "my function returns a list instead of a dict",
        "I used nano instead of vim on the server today",
        "not only fast but also cheap",
        "Blue is correct, it's my favourite",
        "Blue was right, it's the sky",
        "my accuracy improved a lot",
        "",
        "make sure I'm caching correctly and not overwriting data",
        "it should be reading lines quickly, not holding files open",
    ],
)
def test_other_sentences_replace_nothing(sentence):
    assert corrections(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "wrong", "other"),
    [
        ("La reunión no es en Madrid, sino en Bilbao", "La reunión es en Madrid", "La feria es en Madrid"),
        ("la reunión es en Bilbao, no en Madrid", "La reunión es en Madrid", "La feria es en Madrid"),
        ("Das Treffen ist nicht in Köln, sondern in Ulm", "Das Treffen ist in Köln", "Das Amt ist in Köln"),
        ("das Treffen ist in Ulm, nicht in Köln", "Das Treffen ist in Köln", "Das Amt ist in Köln"),
        ("la réunion est à Nantes, pas à Paris", "la réunion est à Paris", "la foire est à Paris"),
        ("a reunião é em Recife, não em Lisboa", "a reunião é em Lisboa", "a feira é em Lisboa"),
        ("встреча не в Москве, а в Казани", "встреча в Москве", "выставка в Москве"),
        ("toplantı Ankara'da değil İzmir'de", "toplantı Ankara'da", "fuar Ankara'da"),
        ("yig'ilish Toshkentda emas, Buxoroda", "yig'ilish Toshkentda", "ko'rgazma Toshkentda"),
        ("会议不是在上海，而是在苏州", "会议在上海", "展览在上海"),
        ("会議は大阪じゃなくて神戸です", "会議は大阪です", "展示は大阪です"),
    ],
)
def test_other_languages_correct_what_they_name(sentence, wrong, other):
    [correction] = corrections(sentence)
    assert is_corrected(correction, wrong, is_recent=False)
    assert not is_corrected(correction, other, is_recent=False)
    assert not is_corrected(correction, sentence, is_recent=False)


@pytest.mark.parametrize(
    ("sentence", "line", "corrected", "statement"),
    [
        (
            "Actually, the spare key is kept behind the red door, not the blue door",
            "The spare key is kept behind the blue door",
            "The spare key is kept behind the red door",
            "The spare key is kept behind the red door",
        ),
        (
            "No, our van leaves from a green gate, not a white gate",
            "Our van leaves from the white gate every Friday",
            "Our van leaves from the green gate every Friday",
            "Our van leaves from a green gate",
        ),
        ("my badge code is 77 12, not 77 21", "My badge code is 77 21", "My badge code is 77 12", None),
        ("The ladder hangs in the cellar, not upstairs", "The ladder hangs upstairs", "", None),
        (
            "I'm not allergic to peanuts but to almonds",
            "I'm allergic to peanuts",
            "I'm allergic to almonds",
            "I'm allergic to almonds",
        ),
        ("It's Ghent, not Antwerp", "I live in Antwerp", "I live in Ghent", ""),
        (
            "The gate closes at 10:15, not 9:45",
            "The gate closes at 9:45 daily",
            "The gate closes at 10:15 daily",
            None,
        ),
        (
            "The lab is on the fifth floor, not the third",
            "The lab is on the third floor",
            "The lab is on the fifth floor",
            "The lab is on the fifth floor",
        ),
        (
            "I take the tram to work, not the bus",
            "I take the bus to work",
            "I take the tram to work",
            "I take the tram to work",
        ),
        ("the key hangs at the gate, not the shed", "The gate key hangs at the shed", "", None),
    ],
)
def test_a_line_is_put_right_where_that_gives_a_sentence(sentence, line, corrected, statement):
    found, *_ = corrections(sentence)
    assert corrected_text(found, line) == corrected
    if statement is not None:
        assert found.statement == statement


@pytest.mark.parametrize(
    ("statement", "line", "corrected"),
    [
        (
            "Actually the tram stops on platform 4",
            "The tram stops on platform 2",
            "The tram stops on platform 4",
        ),
        ("Actually, my aunt lives in Oslo", "My aunt lives in Bergen", "My aunt lives in Oslo"),
        (
            "Correction: our proxy listens on port 3129",
            "Remember that our proxy listens on port 3128, behind the firewall",
            "Remember that our proxy listens on port 3129, behind the firewall",
        ),
        ("Нет, встреча с врачом в 16:30", "Встреча с врачом в 15:00", "Встреча с врачом в 16:30"),
        ("其实会议室在3楼", "会议室在5楼", "会议室在3楼"),
        ("Actually, the price is 900.", "The price is 1,500", "The price is 900"),
        (
            "Actually, the alarm is set to 4 degrees",
            "The alarm is set to -18 degrees",
            "The alarm is set to 4 degrees",
        ),
        ("Actually, the tool is written in C++", "The tool is written in C#", "The tool is written in C++"),
        ("Actually, the file is /etc/x.toml", "The file is ~/.x.toml", "The file is /etc/x.toml"),
        ("Actually, I live in Hamburg.", "I live in Berlin", "I live in Hamburg"),
        (
            "Actually, the meeting with Ann is at 11",
            "The meeting with Ann is at 10",
            "The meeting with Ann is at 11",
        ),
        ("Actually, the server zeus runs Debian 12", "The server atlas runs Debian 12", ""),
        ("Actually, I take magnesium in the morning", "I take aspirin in the morning", ""),
        ("Actually, the launch of Vega is on 14 May", "The launch of Orion is on 12 May", ""),
        ("Actually, revenue in the Q2 was 40k", "Revenue in the Q1 was 40k", ""),
        ("Actually we deploy on weekends at 6am too", "We deploy on Fridays at 5pm", ""),
        ("Actually, the launch is on 13 May or 14 May", "The launch is on 12 May", ""),
        ("Actually, I live in a small flat", "I live in Berlin", ""),
        ("Actually, the hall has blue chairs", "The hall has 12 seats", ""),
        ("Actually, my aunt plays chess", "My aunt plays tennis", ""),
        ("Actually, the tram is not on platform 2", "The tram is on platform 2", ""),
        ("Actually, the tram stops on platform 2", "The tram stops on platform 2", ""),
        ("Actually, the bus is late", "The tram is late", ""),
        ("Actually", "The tram is late", ""),
        ("", "", ""),
    ],
)
def test_a_correction_without_an_old_value_is_about_a_line_with_another_value(statement, line, corrected):
    found = Correction("", "", frozenset(), statement=statement)
    assert corrected_text(found, line) == corrected
    assert is_corrected(found, line, is_recent=False) == bool(corrected)


@pytest.mark.parametrize(
    ("sentence", "line", "corrected"),
    [
        ("The fee is $15,000, not $12,500.", "The fee is $12,500", "The fee is $15,000"),
        (
            "The budget is 1.5 million euros, not 1,500,000 euros.",
            "The budget is 1,500,000 euros a year",
            None,
        ),
        (
            "Sessions expire in 12 hours, not 10.",
            "Links expire in 10 hours; sessions expire in 10 hours",
            "Links expire in 10 hours; sessions expire in 12 hours",
        ),
        ("Ben is 31, not 30.", "Ann is 30 and Ben is 30", "Ann is 30 and Ben is 31"),
        (
            "Backups run at noon, not at night.",
            "Backups run at night and logs are kept",
            "Backups run at noon and logs are kept",
        ),
        (
            "Lena was born in 1991, not 1990.",
            "Lena was born in 1990 in Graz",
            "Lena was born in 1991 in Graz",
        ),
        ("I moved from Berlin to Rome.", "I live in Berlin", "I live in Rome"),
        ("Actually, I'm vegetarian, not vegan.", "I'm vegan", "I'm vegetarian"),
        ("The tool is written in C++, not C.", "The tool is written in C", None),
        (
            "Our sync is on Mondays now, not Tuesdays.",
            "Our sync takes place on Tuesdays",
            "Our sync takes place on Mondays",
        ),
        ("We switched from Vim to Emacs for notes.", "We use Vim for notes", "We use Emacs for notes"),
        ("Mi hermana no vive en Lima, sino en Cusco.", "Mi hermana vive en Lima", "Mi hermana vive en Cusco"),
        (
            "Actually, my dentist is Dr. Baptiste, not Dr. Okafor",
            "Remember that my dentist is Dr. Okafor and I prefer tabs over spaces.",
            "Remember that my dentist is Dr. Baptiste and I prefer tabs over spaces.",
        ),
        ("Sorry, it's rye I'm allergic to, not oats.", "I'm allergic to oats", "I'm allergic to rye"),
        ("No, it's Ghent that my aunt is from, not Rome", "My aunt is from Rome", "My aunt is from Ghent"),
    ],
)
def test_only_the_value_of_the_clause_it_is_about_is_put_in_place(sentence, line, corrected):
    found, *_ = corrections(sentence)
    assert is_corrected(found, line, is_recent=False)
    if corrected is not None:
        assert corrected_text(found, line) == corrected


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("We deploy on Mondays, not Fridays.", "We do not deploy on Fridays"),
        ("I live in Hamburg, not Berlin.", "My parents live in Berlin"),
        ("I weigh 78 kg, not 80 kg", "My brother weighs 80 kg"),
        ("Dana lives in Lyon, not Paris.", "Eva lives in Paris"),
        ("Anna lives in Bergen, not Oslo.", "Anna's sister lives in Oslo"),
        ("Chapter 4 is due on Monday, not Friday.", "Chapter 3 is due on Friday"),
        ("Lena was born in 1991, not 1990.", "Lena's phone is 0664 1990 38"),
        ("Lena was born in 1991, not 1990.", "Lena married in 1990"),
        ("Lena's age is 39, not 38.", "Lena's shoe size is 38"),
        ("The cellar light has code 9, not 4711.", "The cellar bikes have code 4711 and belong to Tom"),
        ("The launch is in June, not May.", "The launch is on 12 May and the review on 20 May"),
        ("Python 3.12 in CI, not 3.10", "Python 3.10 in CI and Python 3.10 in prod"),
        ("I moved from Berlin to Rome.", "I was born in Berlin"),
        ("Tom moved from Berlin to Rome.", "Tom and Anna met in Berlin"),
        ("Tom moved from Berlin to Rome.", "Anna is from Berlin"),
    ],
)
def test_what_a_correction_is_not_surely_about_stays(sentence, line):
    assert not any(is_corrected(found, line, is_recent=False) for found in corrections(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Maybe the launch is on 14 May, not 12 May.",
        "If the launch is on 14 May, not 12 May, we have a problem",
        "Bob said that the launch is on 14 May, not 12 May",
        "It is not true that the launch is on 13 May, not 12 May.",
        "Vielleicht ist das Treffen in Ulm, nicht in Köln",
    ],
)
def test_doubt_and_hearsay_correct_nothing(sentence):
    assert is_doubtful(sentence)
    assert not read_circumstances(sentence).corrections


@pytest.mark.parametrize(
    ("sentence", "line", "is_about"),
    [
        ("No, the launch is on 13 May.", "The launch is on 12 May", True),
        ("Sorry, I was wrong: the launch is on 13 May.", "The launch is on 12 May", True),
        ("Nein, das Treffen ist um 10 Uhr.", "Das Treffen ist um 9 Uhr", True),
        ("不对，会议室在3楼", "会议室在5楼", True),
        ("No, my dog is called Max.", "My cat is called Rex", False),
        ("No, thanks", "I live in Berlin", False),
        ("The launch is on 13 May.", "The launch is on 12 May", False),
    ],
)
def test_a_contradiction_is_a_correction_without_an_old_value(sentence, line, is_about):
    assert any(is_corrected(found, line, is_recent=False) for found in corrections(sentence)) == is_about
    assert may_correct(sentence) or not is_about


def test_a_correction_is_about_lines_that_share_its_subject():
    (found,) = corrections("we moved the launch from 12 May to 19 May")
    assert is_corrected(found, "Our launch is on 12 May", is_recent=False)
    assert not is_corrected(found, "My birthday is 12 May", is_recent=True)
    assert not is_corrected(found, "Our launch moved from 12 May to 19 May", is_recent=False)


def test_a_correction_without_a_subject_is_about_a_recent_line_or_a_name():
    (found,) = corrections("it's not 8000, it's 8080")
    assert is_corrected(found, "The port is 8000", is_recent=True)
    assert not is_corrected(found, "The port is 8000", is_recent=False)
    assert not is_corrected(found, "8000 people came", is_recent=True)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hi, my name is Zora Neale.", "zora neale"),
        ("Ich heiße Uwe", "uwe"),
        ("меня зовут Анна", "анна"),
        ("我叫小明", "小明"),
        ("私の名前は田中です", "田中"),
        ("my name is Zoe and I like tea", None),
        ("her name is Zoe", None),
    ],
)
def test_a_name_that_a_text_gives_and_nothing_else(text, name):
    assert stated_name(text) == name


@pytest.mark.parametrize(
    ("sentence", "is_it"),
    [
        ("stop apologising", True),
        ("Please stop saying sorry!", True),
        ("don't do that again", True),
        ("You keep forgetting the units", True),
        ("No, I told you to use tabs", True),
        ("You should have asked first", True),
        ("Ich habe dir doch gesagt, du sollst keine Kommentare schreiben", True),
        ("Je t'ai déjà dit de lancer les tests", True),
        ("Te dije que usaras pytest", True),
        ("Eu já te disse para não mexer nas migrações", True),
        ("Я же говорил тебе использовать pytest", True),
        ("Sana sekmeleri kullanmanı söylemiştim", True),
        ("Senga testlarni ishga tushir degandim", True),
        ("我告诉过你要用制表符", True),
        ("タブを使うように言ったでしょう", True),
        ("I told you that I moved to Bern", False),
        ("You always make me laugh", False),
        ("Te dije que me mudé", False),
        ("Je t'ai dit mon nom", False),
        ("Stop the server", False),
        ("I don't like tea", False),
    ],
)
def test_a_correction_of_conduct(sentence, is_it):
    assert is_about_behaviour(sentence) == is_it


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    for found in corrections(text):
        assert found.old
        assert found.new
        assert found.old != found.new
