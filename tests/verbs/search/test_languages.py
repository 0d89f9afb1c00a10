"""A question finds the note that answers it though its words are inflected, in every language.

Each language has notes that share the question's function words and not its subject.
"""

from __future__ import annotations

import pytest

from tests.index.records import in_memory, paths

NOTES = {
    "ar": (
        [
            "اشترت المعلمة ثلاثة كتب جديدة من المكتبة القديمة.",
            "في أي يوم كان ذلك؟ هل هو في هذا الشهر؟",
            "الطقس بارد في الشتاء.",
        ],
        {"أين اشترت المعلمات الكتاب الجديد؟": "a", "من عنده كتبها؟": "a", "كيف الطقس في شتاء المدينة؟": "c"},
    ),
    "de": (
        [
            "Die Heizungen im Keller werden jeden Herbst gewartet.",
            "Wie und wann wird das hier von wem gemacht?",
            "Unser Nachbar züchtet Bienen.",
        ],
        {
            "Wann wird die Heizung gewartet?": "a",
            "Wer war der Züchter der Biene?": "c",
            "Wie oft ist eine Wartung der Heizungsanlage?": "a",
        },
    ),
    "el": (
        [
            "Οι γείτονες φυτεύουν ντομάτες κάθε άνοιξη.",
            "Πώς και πότε έγινε αυτό και ποιος το είπε;",
            "Το τρένο φεύγει στις οκτώ.",
        ],
        {"Πότε φύτεψε ο γείτονας τη ντομάτα;": "a", "Ποιες είναι οι ώρες των τρένων;": "c"},
    ),
    "es": (
        [
            "Los vecinos repararon las bicicletas el sábado.",
            "¿Qué es lo que hay y cuándo fue eso de lo que nos habló?",
            "La panadería abre temprano.",
        ],
        {"¿Cuándo reparó el vecino la bicicleta?": "a", "¿A qué hora abrirán las panaderías?": "c"},
    ),
    "hi": (
        ["लड़कियों ने बगीचे में पेड़ लगाए।", "यह क्या है और वह कब से है?", "दुकानें सुबह खुलती हैं।"],
        {"लड़की ने कौन से पेड़ लगाए थे?": "a", "दुकान कब खुलती है?": "c"},
    ),
    "ru": (
        [
            "Соседи посадили яблони за домом.",
            "Какой из них был и когда это было у него?",
            "Поезда в Самару уходят вечером.",
        ],
        {"Какую яблоню посадил сосед?": "a", "Когда уходит поезд до Самары?": "c"},
    ),
    "th": (
        ["พี่สาวเปิดร้านขนมปังที่เชียงใหม่", "อะไรอยู่ที่ไหนและเมื่อไหร่ก็ไม่รู้", "รถไฟออกตอนเย็น"],
        {"ร้านขนมปังของพี่สาวอยู่ที่ไหน": "a", "รถไฟออกเมื่อไหร่": "c"},
    ),
    "tr": (
        [
            "Komşularımız bahçelerine elma ağaçları dikti.",
            "Bu ne zaman ve neden oldu, kim için?",
            "Kütüphanenin kapıları dokuzda açılır.",
        ],
        {"Komşumuz bahçesine hangi ağacı dikti?": "a", "Kütüphane ne zaman açılıyor?": "c"},
    ),
    "vi": (
        [
            "Chị tôi học đại học ở Huế.",
            "Đại diện của lớp học hôm nay là ai và ở đâu?",
            "Tàu chạy lúc tám giờ.",
        ],
        {"Chị tôi vào đại học nào?": "a", "Mấy giờ tàu chạy?": "c"},
    ),
    "zh": (
        ["姐姐在成都开了一家面包店。", "什么时候是什么人在哪里说了什么？", "火车晚上八点出发。"],
        {"姐姐的面包店在哪里？": "a", "火车什么时候出发？": "c"},
    ),
}
"""Notes, and questions with the note that answers each."""


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [(language, question, answer) for language in NOTES for question, answer in NOTES[language][1].items()],
)
def test_a_question_finds_the_note_that_answers_it(language, question, answer):
    others = [text for name in NOTES if name != language for text in NOTES[name][0]]
    assert paths(in_memory([*NOTES[language][0], *others]), question)[:1] == [answer]


def test_the_exact_form_of_a_word_comes_before_its_other_forms():
    engine = in_memory(["Der Gärtner kommt später.", "Die Gärten sind gross.", "Unser Garten ist klein."])
    assert paths(engine, "Wie gross ist der Garten, den wir haben?")[0] == "b"
    assert paths(engine, "Was ist mit unserem Garten?")[0] == "c"


def test_words_of_an_english_question_match_no_other_word_that_begins_alike():
    assert paths(in_memory(["the contest is over"]), "what is the contempt of it") == []
