"""How many examples a property is tried on: fewer in the suite than in a search for counterexamples.

The suite (`--hypothesis-profile=ci`) tries the same examples in each run: beyond the first dozens they cost
time and find nothing new. `make properties` searches with new ones.
"""

from __future__ import annotations

from hypothesis import settings

SUITE = "ci"
"""The profile of the suite."""
IN_SUITE = 40
"""Examples of a property that names no number."""


def examples(number: int) -> int:
    """The number of examples of a property that needs more than others; in the suite two in five of them."""
    return number * 2 // 5 if settings.get_current_profile_name() == SUITE else number
