"""What is said of an id that nothing has."""

from __future__ import annotations

import pytest

from memtool.core.records.unknown_id import id_hint

TEXTS = {
    "m-4f1a90": "The kiln holds 80 litres",
    "m-77c2d1": "Timur packs the parcels",
    "m-9d20c4": "Timur loads the kiln",
    "k-city-1c0ffe": "I live in Lindau",
}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("m-4f1", " (did you mean m-4f1a90?); see memtool facts list"),
        ("m-4f1a9O", " (did you mean m-4f1a90?); see memtool facts list"),
        ("k-city", " (did you mean k-city-1c0ffe?); see memtool facts list"),
        ("LINDAU", "; 'LINDAU' occurs in the text of k-city-1c0ffe; see memtool facts list"),
        ("kiln", "; 'kiln' occurs in the text of m-4f1a90 and m-9d20c4; see memtool facts list"),
        ("Parcels packed", ' (did you mean m-77c2d1 "Timur packs the parcels"?); see memtool facts list'),
        ("Timur sleeps", "; see memtool facts list"),
        ("is the", "; see memtool facts list"),
        ("m-000000", "; see memtool facts list"),
        ("", "; see memtool facts list"),
    ],
)
def test_near_ids_and_those_with_the_word_are_named_before_the_list(name, hint):
    assert id_hint(name, TEXTS, "memtool facts list") == hint


def test_of_many_ids_the_first_three_are_named():
    texts = {f"m-{number}": "the kiln" for number in range(9)}
    assert "occurs in the text of m-0, m-1, m-2 and 6 more; see" in id_hint(
        "kiln", texts, "memtool facts list"
    )
