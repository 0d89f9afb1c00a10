"""The days that a question names."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.dates import date_spans

TODAY = date(2025, 1, 15)


@pytest.mark.parametrize(
    ("text", "day", "names"),
    [
        ("what happened on 8 May 2023?", date(2023, 5, 8), True),
        ("what happened on 8 May 2023?", date(2023, 5, 20), True),  # it is still talked about
        ("what happened on 8 May 2023?", date(2023, 5, 7), False),
        ("on May 3rd, 2022", date(2022, 5, 3), True),
        ("the 3rd of july", date(2024, 7, 3), True),
        ("the 3rd of july", date(2019, 7, 5), True),  # of any year
        ("in March", date(2024, 3, 31), True),
        ("in March", date(2024, 5, 1), False),
        ("What may I do?", date(2024, 5, 1), False),
        ("2023-05", date(2023, 5, 31), True),
        ("2023-05-08", date(2023, 5, 8), True),
        ("2023-13-08", date(2023, 5, 8), False),
        ("in 2022", date(2022, 12, 31), True),
        ("in 2022", date(2023, 1, 1), False),
        ("yesterday", date(2025, 1, 14), True),
        ("last week", date(2025, 1, 7), True),
        ("three months ago", date(2024, 10, 17), True),
        ("a year ago", date(2024, 1, 20), True),
        ("on friday", date(2025, 1, 10), True),
        ("this month", date(2025, 1, 2), True),
        ("what is the kiln for", date(2025, 1, 15), False),
    ],
)
def test_a_question_names_days(text, day, names):
    assert any(first <= day <= last for first, last in date_spans(text, TODAY)) == names


@given(st.text(alphabet="0123456789-/ .,May last week ago november", max_size=40), st.dates())
def test_every_text_is_read_and_no_span_ends_before_it_begins(text, today):
    assert all(first <= last for first, last in date_spans(text, today))
