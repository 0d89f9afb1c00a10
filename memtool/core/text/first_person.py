"""First person: whether a text is about its speaker, by the pronouns and verb endings of ten languages."""

from __future__ import annotations

import functools

from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stopwords import ENGLISH_ONLY_WORDS

_PRONOUNS = (
    "i we mine ours",
    "ich wir",
    "je j nous",
    "yo nosotros",
    "eu",
    "я мне меня мной мы нам нас",
    "ben bana beni bende biz bize",
    "men menga meni menda biz bizga",
)
_POSSESSIVES = (
    "my our",
    "mein meine meinen meinem meiner meines unser unsere unseren unserem unserer",
    "mon ma mes notre nos",
    "mi mis nuestro nuestra nuestros nuestras",
    "meu minha meus minhas nosso nossa nossos nossas",
    "мой моя мое мои моего моей моих моим моими моему моем мою",
    "наш наша наше наши нашего нашей наших нашим нашими нашему нашем нашу",
    "benim bizim",
    "mening bizning",
)
"""Determiners of the first person: what follows them is the speaker's."""
_ENGLISH_TOO = frozenset({"men", "ben", "eu"})
"""Pronouns of other languages that are English words or names."""
_PRONOUNS_UNSPACED = r"我|咱|本人|私|僕|俺|うちの|わたし"
_IN_STATEMENTS = frozenset(["mir", "mich", "moi", "conmigo", "comigo", "mim"])
"""Pronouns that requests hold, too ("schick mir"), and so tell nothing in a prompt."""
_IN_VERBS = (  # a verb in the first person at the start of a clause; Turkish and Uzbek have it at the end
    r"(?:^|[,;:.!?] )(?:pero |mas |y |e |tambien |tambem |ya |ja |ahora |agora |solo |so "
    r"|а |и |но |уже |тоже )?"
    r"(?:no |nao |не |nunca |никогда не )?(?:(?:te|lo|la|se|nos) )?"
    r"(?:me|bin|on a|soy|estoy|voy|doy|fui|naci|sou|estou|vou|dou|sei|vim|he \w+[dt]o|[a-z]{3,}(?:o|ei)"
    r"|somos|estamos|tenemos|temos|vivimos|moramos|[а-я]{2,}(?:ю|у|юсь|усь)|ем|дам)(?= \w)"
    r"|[a-z]{2,}(?:[iu]yorum|y?[ae]mem|m[ae]m|m[iu]yorum|[ae]c[ae]gim|[iu]yim|t[iu]m|d[iu]m|l[iu]y[iu]m|ar[iu]m|er[iu]m)\W*$"
    r"|[a-z']{2,}(?:[aiy]man|[ai]yapman|ganman)\W*$|[a-z]{2,}imning "
    r"|[a-z]{2,}[iua]m(?:[iu]n|d[ae]|[ae])? (?:[\w'-]+ ){0,3}(?:var|yok|adi|bor|yo'q|ismi)\b"
)
_IN_JAPANESE = r"(?:です|ます|ません|でした|ました|ない|(?<!して)いる|った|だ)(?:けど|よ|ね|が)?[。.!！]*$"
"""The end of a plain statement: its subject is its speaker unless it names another."""


def has_first_person(text: str) -> bool:
    """Whether a text has a pronoun of the first person.

    English words that are pronouns of another language ("men", "Ben") are none in English.
    """
    folded = search_fold(text)
    words = set(regex(r"[^\W\d_]+").findall(folded))
    pronouns = _pronouns() & words
    if pronouns - _ENGLISH_TOO or (pronouns and not words & ENGLISH_ONLY_WORDS):
        return True
    return not folded.isascii() and regex(_PRONOUNS_UNSPACED).search(folded) is not None


def is_about_speaker(sentence: str) -> bool:
    """Whether a sentence that is not a question may state something of its speaker.

    It has a pronoun of the first person, or, in a language that leaves it out, the form of such a sentence.
    """
    if has_first_person(sentence):
        return True
    folded = search_fold(sentence).strip()
    if any(map(is_continuous, folded)):
        return regex(_IN_JAPANESE).search(sentence.strip()) is not None
    words = set(regex(r"[^\W\d_]+").findall(folded))
    if words & ENGLISH_ONLY_WORDS:
        return False
    return not words.isdisjoint(_IN_STATEMENTS) or regex(_IN_VERBS).search(folded) is not None


@functools.cache
def possessives() -> frozenset[str]:
    """The determiners of the first person ("my"), folded."""
    return frozenset(search_fold(" ".join(_POSSESSIVES)).split())


@functools.cache
def _pronouns() -> frozenset[str]:
    return frozenset(search_fold(" ".join(_PRONOUNS)).split()) | possessives()
