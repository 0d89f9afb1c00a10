"""Other values: which line a statement contradicts by another value, and which lines it leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.other_value import is_swapped, other_value


@pytest.mark.parametrize(
    ("statement", "line", "corrected"),
    [
        (
            "Actually, my dentist is Dr. Baptiste now",
            "My dentist is Dr. Okafor",
            "My dentist is Dr. Baptiste",
        ),
        ("My boss is Ulrike now", "My boss is called Karin", "My boss is called Ulrike"),
        (
            "My boss is Ulrike now",
            "My boss is called Karin and she hates long emails",
            "My boss is called Ulrike and Karin hates long emails",
        ),
        (
            "My dentist is Dr. Baptiste now, Okafor retired",
            "My dentist is Dr. Okafor, her practice is on Elm Street",
            "My dentist is Dr. Baptiste, Dr. Okafor's practice is on Elm Street",
        ),
        ("We live in Brno now", "We live in Graz, he works there", "We live in Brno, he works there"),
        ("standup is at 9:45 now", "Our standup is at 9:15", "Our standup is at 9:45"),
        ("I'm vegan now", "I'm vegetarian", "I'm vegan"),
        ("I am vegan now", "I'm a vegetarian", "I am vegan"),
        ("I'm divorced now", "I'm married.", "I'm divorced"),
        ("Ich bin jetzt Veganer", "Ich bin Vegetarier", "Ich bin Veganer"),
        ("Lena lives in Bergen now", "My sister Lena lives in Oslo.", "My sister Lena lives in Bergen."),
        ("Actually, my sister Lena lives in Bergen", "Lena lives in Oslo", "Lena lives in Bergen"),
        (
            "Actually, the spare kiln key hangs behind the red door",
            "The spare kiln key hangs behind the blue door",
            "The spare kiln key hangs behind the red door",
        ),
        ("No, our office is on Hill Road", "Our office is on Mill Road", "Our office is on Hill Road"),
        (
            "Actually, our office is at No. 12 Mill Lane",
            "Our office is at No. 5 Mill Lane",
            "Our office is at No. 12 Mill Lane",
        ),
        (
            "Actually, my dentist is Dr. Baptiste, he is nicer",
            "Remember that I work in Ulm and my dentist is Dr. Okafor",
            "Remember that I work in Ulm and my dentist is Dr. Baptiste",
        ),
        (
            "The server is now in rack 9",
            "The server is currently in rack 4",
            "The server is currently in rack 9",
        ),
        ("Small correction: the rent is 900 euros", "The rent is 850 euros", "The rent is 900 euros"),
        (
            "Eigentlich hängt der Schlüssel hinter der roten Tür",
            "Der Schlüssel hängt hinter der blauen Tür",
            "Der Schlüssel hängt hinter der roten Tür",
        ),
        ("Mein Zahnarzt ist jetzt Dr. Krause", "Mein Zahnarzt ist Dr. Weber", "Mein Zahnarzt ist Dr. Krause"),
        ("Lena vive en Cusco ahora", "Mi hermana Lena vive en Lima", "Mi hermana Lena vive en Cusco"),
        (
            "En fait, mon dentiste est le Dr. Petit maintenant",
            "Mon dentiste est le Dr. Morel",
            "Mon dentiste est le Dr. Petit",
        ),
        (
            "A chave está atrás da porta verde",
            "A chave está atrás da porta azul",
            "A chave está atrás da porta verde",
        ),
        ("ключ висит за красной дверью", "Ключ висит за синей дверью", "Ключ висит за красной дверью"),
        (
            "На самом деле мой стоматолог — доктор Петров",
            "Мой стоматолог — доктор Иванов",
            "Мой стоматолог — доктор Петров",
        ),
        (
            "Lena Bergen'de yaşıyor",
            "Kız kardeşim Lena Oslo'da yaşıyor",
            "Kız kardeşim Lena Bergen'de yaşıyor",
        ),
        ("Aslida majlis Buxoroda bo'ladi", "Majlis Toshkentda bo'ladi", "Majlis Buxoroda bo'ladi"),
        ("其实我的牙医是李医生", "我的牙医是王医生", "我的牙医是李医生"),
        ("我姐姐现在住在上海", "我姐姐住在北京", "我姐姐住在上海"),
        ("実は私の歯医者は佐藤先生です", "私の歯医者は田中先生です", "私の歯医者は佐藤先生です"),
        ("今はレナはベルゲンに住んでいます", "レナはオスロに住んでいます", "レナはベルゲンに住んでいます"),
        ("不对，会议在周二下午", "会议在周一下午", "会议在周二下午"),
        ("The key is in vault B now", "The key is in vault A", "The key is in vault B"),
        ("Actually, our team uses Slack", "Our team uses Jira", "Our team uses Slack"),
        ("actually my car is blue", "my car is red", "my car is blue"),
        ("actually my sister is a doctor", "my sister is a nurse", "my sister is a doctor"),
        ("no, my brother is short", "my brother is tall", "my brother is short"),
        ("wait, my mother is 72", "my mother is 71", "my mother is 72"),
        ("нет, моя машина синяя", "моя машина красная", "моя машина синяя"),
        ("其实我的车是蓝色的", "我的车是红色的", "我的车是蓝色的"),
        ("Sorry, my doctor is Dr. Li", "My doctor is Dr. Lee", "My doctor is Dr. Li"),
        ("Actually, my boss is Ned", "My boss is Ed", "My boss is Ned"),
        ("Nein, mein Arzt ist Dr. Ng", "Mein Arzt ist Dr. Weber", "Mein Arzt ist Dr. Ng"),
        ("Eigentlich wohnt mein Arzt in Bonn", "Mein Arzt wohnt in Ulm", "Mein Arzt wohnt in Bonn"),
        ("Actually, Tom prefers tea to coffee", "Tom prefers coffee to tea", "Tom prefers tea to coffee"),
        (
            "Actually, my boss is Rita",
            "My boss is Ana, in Porto, and the office is on Hill Road",
            "My boss is Rita, and the office is on Hill Road",
        ),
        ("No, my vet is Dr. Moll", "My vet is Dr. Wulf, on Elm Street", "My vet is Dr. Moll"),
        ("No, my vet is Dr. Wolf", "My vet is Dr. Wulf, on Elm Street", "My vet is Dr. Wolf, on Elm Street"),
        ("No, my dog is Max", "My dog is Rex, a beagle", "My dog is Max, a beagle"),
        ("No, my dog is Max", "My dog is Rex, from a shelter", "My dog is Max, from a shelter"),
        (
            "Actually, I harvest in early August.",
            "I keep bees, and I always harvest in late July.",
            "I keep bees, and I always harvest in early August.",
        ),
        ("Actually I always harvest in August", "I harvest in July", "I harvest in August"),
        ("No, I mostly sleep in the attic", "I usually sleep in the hall", "I usually sleep in the attic"),
        ("Eigentlich fahre ich um 8 los", "Ich fahre immer um 7 los", "Ich fahre immer um 8 los"),
        (
            "En realidad, mi turno siempre empieza a las 9",
            "Mi turno empieza a las 8",
            "Mi turno empieza a las 9",
        ),
        ("En fait, je récolte en août", "Je récolte toujours en juillet", "Je récolte toujours en août"),
    ],
)
def test_a_statement_with_another_value_puts_a_line_right(statement, line, corrected):
    found = other_value(statement, line)
    assert found is not None
    assert found.line == corrected
    assert found.old in line


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("Actually, Lena and Tom live in Bergen now", "Lena and Tim live in Oslo"),
        ("Actually, Lena's husband lives in Bergen", "My sister Lena lives in Oslo"),
        ("Actually, Lena works in Bergen", "My sister Lena lives in Oslo"),
        ("Actually, Lena Berg lives in Bergen", "Lena Holm lives in Oslo"),
        ("Actually, Lena lives in Bergen", "Anna Lena lives in Oslo"),
        ("For my kids, the dentist is Dr. Baptiste now", "The dentist is Dr. Okafor"),
        ("Actually, my son's dentist is Dr. Baptiste", "My dentist is Dr. Okafor"),
        ("Actually, my dentist is Dr. Baptiste or Dr. Lee", "My dentist is Dr. Okafor"),
        ("Actually, my dentist is not Dr. Baptiste", "My dentist is Dr. Okafor"),
        ("Actually, my dentist is great now", "My dentist is Dr. Okafor"),
        ("Actually, my doctor is Dr. Lee", "My doctor is Dr. Ray. Her practice is on Hill Road."),
        ("Tom says my dentist is Dr. Baptiste now", "My dentist is Dr. Okafor"),
        ("Actually, the shed key hangs behind the red door", "The kiln key hangs behind the blue door"),
        ("Actually, the key for the red door is here", "The key for the blue door is here"),
        ("Actually, the tests in the slow suite fail", "The tests in the fast suite fail"),
        ("Actually, I know the man in the red house", "I know the man in the blue house"),
        ("Actually, I live in Bergen in summer", "I live in Oslo"),
        ("Actually, my sister is in Oslo this week", "My sister is in Rome"),
        ("Actually, we do not deploy on Mondays", "We do not deploy on Fridays"),
        ("I don't live in Bergen now", "I don't live in Oslo"),
        ("The price is 900 now", "The price is in euros"),
        ("My sister is in Rome now", "My sister is in Year 5"),
        ("Lena artık Bergen'de çalışıyor", "Lena Oslo'da yaşıyor"),
        ("Our team uses Slack now", "Our team uses Jira"),
        ("My sister is a mother now", "My sister is a nurse"),
        ("I'm allergic to pollen now", "I'm allergic to nuts"),
        ("Actually, my sister is Dr. Holm's patient", "My sister is Lena"),
        ("Ahora trabajo en Lima", "Trabajo en un banco"),
        ("wait, my son is hungry", "my son is deaf"),
        ("actually my son is in Paris", "my son is deaf"),
        ("actually, my wife is vegan", "my wife is celiac"),
        ("no, my wife is a lawyer", "my wife is from Lima"),
        ("actually my car is electric", "my car is red"),
        ("actually my mother is 150 cm tall", "my mother is 71"),
        ("actually our team deploys on Fridays", "our team deploys with Jenkins"),
        ("actually my surgery is at 9:30", "my surgery is on 3 March"),
        ("actually my husband is in the garden", "my husband is in the navy"),
        ("Eigentlich ist mein Chef müde", "Mein Chef ist Vegetarier"),
        ("non, ma femme est contente", "ma femme est diabétique"),
        ("нет, мой старший сын умный", "мой старший сын глухой"),
        ("其实我儿子是老师", "我儿子是聋人"),
        ("sorry, my sister suffers from hay fever", "my sister suffers from asthma"),
        ("actually my wife avoids dairy", "my wife avoids gluten"),
        ("nein, meine Frau nimmt Aspirin", "Meine Frau nimmt Insulin"),
        ("Eigentlich bin ich allergisch gegen Eier", "Ich bin allergisch gegen Nüsse"),
        ("Jetzt ist meine Tochter allergisch gegen Wespen", "Meine Tochter ist allergisch gegen Bienen"),
        ("Nein, meine Frau verträgt keine Eier", "Meine Frau verträgt keine Milch"),
        ("Eigentlich leidet mein Sohn an Rheuma", "Mein Sohn leidet an Migräne"),
        ("实际上我喜欢茶", "我喜欢咖啡"),
        ("実はレナは肉を食べます", "レナは魚を食べます"),
        ("実は私の姉は医者です", "私の姉は東京に住んでいます"),
        ("I'm vegan now", "I'm coeliac"),
        ("I'm vegan now", "I'm a vegetarian and allergic to nuts"),
        ("I'm vegan now", "I'm vegetarian, like my wife"),
        ("I'm vegan now", "I'm vegetarian since 2012"),
        ("I'm married now", "I'm single and so is my sister"),
        ("I'm married now", "I'm single. So is my sister."),
        (
            "Actually the loan is due on the 6th",
            "The rent is due on the 1st and the loan on the 5th, like the tax",
        ),
        ("I'm vegan now", "My wife is vegetarian"),
        ("I'm vegan now", "I'm married"),
        ("I'm vegan on weekdays now", "I'm vegetarian"),
        ("I'm vegan now", "I'm a vegetarian chef"),
        ("Actually, I work on Tuesdays", "I never work on Mondays"),
        ("Actually, I don't always work on Tuesdays", "I always work on Mondays"),
        ("Actually, I work from the office on Fridays", "I usually work from home"),
        ("Actually, I sometimes harvest in August", "I always harvest in July"),
        ("I work in London now", "I often work in Paris"),
        ("Actually, I always visit Porto", "I often visit Lisbon"),
        ("Actually, I always harvest in July", "I usually harvest in July"),
        ("Eigentlich esse ich nie um 8", "Ich esse immer um 7"),
        ("My sister Anna works as a judge now", "My sister Anna lives in Oslo"),
        ("My friend Anna drives a Volvo now", "My friend Anna lives in Oslo"),
    ],
)
def test_what_may_be_true_besides_contradicts_no_line(statement, line):
    assert other_value(statement, line) is None


@pytest.mark.parametrize(
    ("statement", "line", "is_it"),
    [
        ("correction: my son is blind", "my son is deaf", True),
        ("Korrektur: mein Sohn ist blind", "mein Sohn ist taub", True),
        ("更正：我儿子是盲人", "我儿子是聋人", True),
        ("I meant my daughter is afraid of horses", "my daughter is afraid of dogs", True),
        ("no, my dog is a poodle", "my dog is a beagle", True),
        ("no, my dog is asleep", "my dog is deaf", False),
        ("no, my dog is a diabetic", "my dog is a beagle", False),
        ("actually my son is blind", "my son is deaf", False),
    ],
)
def test_a_sign_that_something_was_wrong_is_about_what_the_session_said(statement, line, is_it):
    assert (other_value(statement, line, is_recent=True) is not None) == is_it
    assert other_value(statement, line) is None


def test_a_line_with_two_clauses_that_differ_so_is_not_contradicted():
    line = "The gate opens at 8 and the gate opens at 9"
    assert other_value("Actually, the gate opens at 10", line) is None


@pytest.mark.parametrize(
    ("old", "new", "is_it"),
    [
        ("I prefer tabs over spaces.", "Actually, I prefer spaces over tabs", True),
        ("I prefer green tea to black tea", "I prefer black tea to green tea", True),
        ("I prefer the tram over the bus", "I prefer the bus over the tram", True),
        ("Je préfère le thé au café", "En fait, je préfère le café au thé", True),
        ("Prefiero el té al café", "Prefiero el café al té", True),
        ("Ich trinke lieber Tee als Kaffee", "Ich trinke lieber Kaffee als Tee", True),
        ("比起咖啡我更喜欢茶", "比起茶我更喜欢咖啡", True),
        ("紅茶よりコーヒーが好きです", "コーヒーより紅茶が好きです", True),
        ("I prefer tabs over spaces", "I prefer tabs over spaces", False),
        ("I prefer tabs over spaces", "I prefer tea over coffee", False),
        ("I prefer tabs over spaces", "My brother prefers spaces over tabs", False),
    ],
)
def test_a_comparison_the_other_way_round(old, new, is_it):
    assert is_swapped(old, new) == is_it


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_texts_are_compared(statement, line):
    found = other_value(statement, line)
    assert found is None or found.line != line


@given(st.text(max_size=120))
def test_no_line_is_contradicted_by_itself(line):
    assert other_value(line, line) is None
