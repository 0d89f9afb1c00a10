"""Third person: whether a sentence opens as one that goes on about whom or what the one before it named."""

from __future__ import annotations

from memtool.core.text.first_person import possessives

_JOINING = "and but also und aber y pero e ma et mais en maar ale и а но та але ve ama och men dan tapi và"
_PRONOUNS = (
    "he she they it his her hers their theirs its",
    "er sie es ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres sein seine seinem seinen seiner seines",
    "il ils elle elles sa ses leur leurs lui él ella ellas ellos su sus",
    "ele eles ela elas seu seus sua suas lei loro suo suoi sue hij zij ze zijn haar hun",
    "ona ono oni jego jej han hon hans hennes deras det dia mereka nó họ onun onlar onların",
    "он она оно они его её ее их ему ей им він вона воно вони його її їх",
    "هو هي هم वह वो वे उसका उसकी उसके उनका उनकी उनके",
)
"""Without those that are an article or a common word of another language, such as `on` or `ich`."""
_TWO_WORDS = ("у него", "у неё", "у нее", "у них", "у нього", "у неї", "anh ấy", "cô ấy", "ông ấy", "bà ấy")
_UNSPACED = ("他", "她", "它", "彼", "그는", "그녀", "걔")
_MARKS = " \t\n\"'’“”«».,;:!?…()-–—"


def opens_in_third_person(sentence: str) -> bool:
    """Whether a sentence begins with a pronoun or possessive of the third person, after a joining word.

    One that names something of the speaker's at once ("Il mio cane") has a subject of its own.
    """
    words = [word.strip(_MARKS) for word in sentence[:80].lower().split()[:4]]
    if words and words[0] in _JOINING.split():
        words = words[1:]
    if not words or not possessives().isdisjoint(words[:3]):
        return False
    first = words[0].replace("’", "'").partition("'")[0]  # "she's"
    return (
        any(first in pronouns.split() for pronouns in _PRONOUNS)
        or words[0].startswith(_UNSPACED)
        or " ".join(words[:2]) in _TWO_WORDS
    )
