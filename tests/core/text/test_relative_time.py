"""Relative times: statements that only the day on which they are said explains."""

from __future__ import annotations

import pytest

from memtool.core.text.relative_time import has_relative_time

RELATIVE = """
My sister is staying until Sunday
Parents' evening is next Thursday at six
The report is due in two weeks
In a few weeks we move
Monday to Friday this week I am in Rome
I am away from tomorrow to Friday
Last week at work I fell
Last Monday to my surprise it snowed
We moved two months ago
Meine Schwester bleibt bis Sonntag
Vor drei Wochen haben wir geheiratet
Wir ziehen nächsten Monat um
Mi hermana se queda hasta el domingo
La semana que viene empiezo
Dentro de dos semanas viajo
Ma sœur reste jusqu'à dimanche
La semaine prochaine je pars
Aujourd’hui je suis malade
Semana que vem eu viajo
A reunião é na segunda-feira
Сестра у нас до воскресенья
Через две недели отпуск
Два года назад мы переехали
Kız kardeşim pazartesiye kadar bizde
İki hafta sonra tatil
Singlim yakshanbagacha biznikida
O‘tgan oyda ko‘chdik
我妹妹住到周日
两周后出发
来週引っ越します
妹は日曜日までいます
"""
LASTING = """
I swim every Monday
The kiln is free on Thursdays
I have worked here for years
Ich wohne hier in Bergen
Jeden Montag schwimme ich
Los lunes trabajo
Le lundi je nage
Каждую пятницу я плаваю
每周一开会
毎週月曜日は会議
She can't have sesame
I work Monday to Friday
The office is open Monday–Friday
Ich arbeite von Montag bis Freitag
Trabajo de lunes a viernes
Je travaille du lundi au vendredi
Работаю с понедельника по пятницу
周一到周五上班
月曜日から金曜日まで働く
My last day at work was sad
Refunds come within two days of receipt
She rests in the last weeks of pregnancy
In den letzten Wochen der Schwangerschaft ruht sie
"""


@pytest.mark.parametrize(("text", "expected"), [(RELATIVE, True), (LASTING, False)])
def test_a_relative_time_is_known_in_ten_languages_and_no_habit_is_one(text, expected):
    lines = text.strip().split("\n")
    assert [line for line in lines if has_relative_time(line) is not expected] == []
