"""Russian words are known in every case and number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.folding import search_fold
from memtool.core.text.stems import russian_stem


@pytest.mark.parametrize(
    "forms",
    [
        "встреча встречи встречу встрече встречей встреч встречами",
        "пятница пятницу пятницы",
        "сервер серверы серверов серверами",
        "база базы базу баз базами",
        "данные данных данными",
        "новый новая новое нового новым новых",
        "Мария Марии Марию",
        "работал работала работает работать",
        "дом дома домов",
        "журнал журнала журналу журналом журнале журналы журналов журналах",
        "экран экрану экраны экранов",
        "система систему систем",
        "кредит кредита кредиты",
        "режим режима режимы",
        "экзамен экзамену экзамены экзаменов",
        "файл файла файлы файлов",
        "сайт сайта сайте сайты",
        "идея идеи идею идей идеями",
        "музей музея музею музеи",
        "чай чая чаем",
        "Иван Ивана Ивану Иваном Иване",
        "Сергей Сергея Сергею Сергеем",
        "Максим Максима Максиму",
        "Анна Анны Анне Анну Анной",
        "Светлана Светланы Светлане Светлану",
        "Юлия Юлии Юлию Юлией",
        "Оля Оли Оле Олю Олей",
    ],
)
def test_forms_of_a_word_have_one_stem(forms):
    assert len({russian_stem(search_fold(form)) for form in forms.split()}) == 1


def test_other_words_stay_apart_and_as_they_are():
    assert len({russian_stem(one) for one in ("кошка", "кот", "сервер", "север", "база", "бар")}) == 6
    assert len({russian_stem(one) for one in ("портал", "порт", "банан", "баня", "дело", "делать")}) == 6
    assert [russian_stem(one) for one in ("deploy", "їжак", "при", "он", "оно", "")] == [
        "deploy", "їжак", "при", "он", "он", "",
    ]  # fmt: skip


@given(st.text(alphabet="абвеийлнтуыьюяс", max_size=12))
def test_a_stem_begins_its_word_and_no_word_is_lost(word):
    assert word.startswith(russian_stem(word))
    assert bool(russian_stem(word)) is bool(word)
