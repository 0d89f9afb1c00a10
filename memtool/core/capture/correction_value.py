"""A correction as a value, and whether a text may correct anything, which most messages do not."""

from __future__ import annotations

import functools
from itertools import chain

from msgspec import Struct

from memtool.core.capture.languages.age_forms import AGES
from memtool.core.capture.languages.correcting_forms import (
    DENIALS,
    FORMS,
    RENEWED,
    REVISED,
    SHIFTS,
    SPELLING_SIGNS,
)
from memtool.core.capture.languages.correction_signs import SIGNS
from memtool.core.capture.languages.english_forms import ENGLISH_FORMS, CorrectionForm


class Correction(Struct, frozen=True):
    """What a sentence replaces by what, the stems of its other content words, and what it says instead.

    `restated` is a sentence, `My name is Rob`, if the correction has a subject of its own. `statement` is the
    sentence without what it denies, if that says it in full: `The key is behind the red door`. `raw` are the
    values with the articles and prepositions before them. Without `old`, `statement` replaces a line that
    says the same but for one value: `Actually, the launch is on 14 May`.

    `head` are the stems of the content words before the values in their clause, all of which a wrong line
    has; `verbs` those of verbs of change there (`moved`), which a line need not have. `is_move` is true for
    `we moved from X to Y`, `is_first_person` where the user is the subject, and `is_of_it` where it is `it`.
    """

    old: str
    new: str
    subject: frozenset[str]
    restated: str = ""
    statement: str = ""
    raw: tuple[str, str] = ("", "")
    head: frozenset[str] = frozenset()
    is_move: bool = False
    is_first_person: bool = False
    verbs: frozenset[str] = frozenset()
    is_of_it: bool = False
    said: str = ""
    """The sentence without the value that it denies at its end."""
    is_shift: bool = False
    """Whether it says only what a value is now: `the deadline moved to 26 February`."""
    is_renewal: bool = False
    """Whether that is all that it says of a thing: `standup is at 9:45 now`."""

    is_age: bool = False
    """Whether it says only how old somebody is: `Maeve turned ten`."""

    is_of_clause: bool = False
    """Whether it corrects only lines of one clause: another may go with the old value, "above a bakery"."""

    is_spelling: bool = False
    """Whether it says how a name is spelled: `my name is spelled Catalin`."""

    @property
    def is_tentative(self) -> bool:
        """Whether it corrects something only together with a line that says the rest."""
        return self.is_shift or self.is_spelling or bool(self.old and not self.new)


def may_correct(text: str) -> bool:
    """Whether a text has a sign of some form, without which it corrects nothing; a fast test."""
    return any(map(text.lower().__contains__, _signs()))


@functools.cache
def correction_forms() -> tuple[CorrectionForm, ...]:
    """The forms of corrections in all languages."""
    return (*ENGLISH_FORMS, *(CorrectionForm(signs, pattern, language) for language, signs, pattern in FORMS))


@functools.cache
def _signs() -> frozenset[str]:
    """The signs of all forms."""
    signs = {sign for form in correction_forms() for sign in form.signs}
    return frozenset(
        (
            *signs,
            *SIGNS,
            *[sign for sign, _ in (*DENIALS, *SHIFTS, *RENEWED, *REVISED)],
            *chain.from_iterable({signs for signs, _ in AGES}),
            *SPELLING_SIGNS,
        )
    )
