"""Lists in sentences."""

import pytest

from memtool.core.text.enumeration import enumeration


@pytest.mark.parametrize(
    ("items", "listed"), [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_the_last_item_of_a_list_has_the_conjunction(items, listed):
    assert enumeration(items, "or") == listed
