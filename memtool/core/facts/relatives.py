"""Relatives and animals: what those are called together whom a phrase is about, such as `my dog Rex`."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_common_word
from memtool.core.text.person_nouns import same_relative
from memtool.core.text.regex import regex

_KINDS = (
    (
        "wife husband | frau mann ehefrau ehemann mujer marido esposa esposo femme mari mulher жена муж",
        "spouse partner married verheiratet ehepartner pareja casado casada conjoint marié cônjuge женат",
    ),
    (
        "girlfriend boyfriend fiance fiancee | freundin freund novia novio copine copain namorada namorado",
        "partner relationship beziehung pareja couple",
    ),
    (
        """
        son daughter sons daughters boy girl twins toddler baby kids kid children child | sohn tochter söhne
        töchter kinder kind hijo hija hijos hijas fils fille enfants filho filha filhos filhas сын дочь дети
        """,
        "child children kid kinder kind hijos niños enfant enfants filhos crianças дети",
    ),
    (
        "mother father mum mom dad | mutter vater mama papa madre padre mère père maman mãe pai мама папа",
        "parent parents eltern padres pais родители",
    ),
    (
        """
        brother sister brothers sisters | bruder schwester hermano hermana frère soeur sœur irmão irmã брат
        сестра
        """,
        "sibling siblings geschwister hermanos fratrie irmãos",
    ),
    (
        """
        grandson granddaughter grandsons granddaughters grandchild grandchildren grandkids | enkel enkelin
        enkelkind enkelkinder nieto nieta nietos nietas petit-fils petite-fille neto neta внук внучка внуки
        """,
        "grandchild grandchildren grandkid grandkids enkel enkelkind enkelkinder nietos netos внуки",
    ),
    (
        """
        grandmother grandfather grandma grandpa granny grandad gran nan | oma opa großmutter großvater abuela
        abuelo grand-mère grand-père avó avô бабушка дедушка
        """,
        "grandparent grandparents großeltern abuelos avós",
    ),
    ("| schwiegermutter schwiegervater suegra suegro", "schwiegereltern suegros"),
    (
        """
        dog cat dogs cats puppy kitten rabbit rabbits hamster parrot budgie horse hens chickens | hund katze
        hunde katzen kater perro perra gato gata perros gatos chien chienne chat chatte chiens chats cachorro
        cachorra собака кошка кот
        """,
        "pet animal haustier haustiere tier mascota animales animal animaux animais питомец",
    ),
    (
        """
        labrador labradors retriever beagle dalmatian terrier spaniel poodle dachshund corgi whippet greyhound
        rottweiler husky chihuahua bulldog | dackel pudel schäferhund mops caniche
        """,
        "dog dogs hund perro chien cachorro pet animal haustier mascota",
    ),
    ("tabby siamese kitten | siamkatze", "cat cats katze gato chat pet animal haustier mascota"),
    (
        "boss manager | chef chefin jefe jefa patron patronne chefe начальник",
        "boss manager supervisor vorgesetzter vorgesetzte",
    ),
)
"""Words for people and animals, those of English before `|`, and what those are called together."""
_FAMILY = (
    r"(?i)(?:my|our|meine[rmn]?|unsere[rmn]?|mi|ma|notre|minha|meu) (?:(?:long-term|new|little|own) )?"
    r"(?:partner(?:in)?|spouse|family|familie|lebensgefährt\w+|familia|pareja|famille|conjointe?|companheir[oa]"
    r"|família)\b"
)
"""A phrase about those with whom somebody lives, of no kind."""
_CHANGED = (
    r"(?:ex|former|previous|late|deceased|dead|future|step|god|foster|ehemalig\w*|fruher\w*|verstorben\w*"
    r"|zukunftig\w*|anterior|antigu[oa]s?|antig[oa]s?|difunt[oa]s?|fal+ecid[oa]s?|futur\w{0,3}|ancien(?:ne)?s?"
    r"|feue?|defunte?s?|бывш\w*|покойн\w*|будущ\w*)"
)
"""Words with which a relation has ended, has not begun, or is another: `former boss`, `step mother`."""
_PHRASE_WORD = r"[\w'’-]+|[,&]"
_JOINED = frozenset([",", "&", "and", "und", "y", "e", "et", "и", "ve", "va"])
_OWNER = r"['’]s$|s['’]$"
_BY_MARRIAGE = r"(?i)\b\w+[ -]in[ -]law(?:['’]s)?\b"
_IN_LAW = r"(?i)[ -]in[ -]law\b"


def called_alike(noun: str) -> frozenset[str]:
    """The words that facts may have for whom a folded noun names: `mum` for `mother`, and for `parents`."""
    of_kind = [search_fold(kind).split() for kind, names in _KINDS if noun in search_fold(names).split()]
    return same_relative(noun).union(*of_kind) - {"|"}


def without_in_laws(text: str) -> str:
    """A text without the relatives by marriage: "lives with my mother-in-law" does not name a mother."""
    return regex(_BY_MARRIAGE).sub("", text)


def is_household(phrase: str) -> bool:
    """Whether a phrase is about somebody's partner, children or pets, and nobody else."""
    kinds = [*kinds_of(phrase, is_clause=False)]
    return all(kind in _household() for kind in kinds) if kinds else regex(_FAMILY).match(phrase) is not None


def kinds_of(phrase: str, *, is_clause: bool) -> Iterator[str]:
    """What people and animals are called together whom a phrase is about: `my dog Rex`, `two cats and a dog`.

    A word for them counts as the head of the phrase: not before a noun (`my dog walker`), in a compound
    (`my ex-wife`), or as a possessor. Who belongs to somebody else (`my wife's sister`) is not the user's.
    """
    words = regex(_PHRASE_WORD).findall(regex(_IN_LAW).sub("-in-law", phrase))
    kinds = _kinds()
    for written, following in itertools.pairwise([*words, ""]):
        word, after = search_fold(written), search_fold(following)
        owner = regex(_OWNER).search(word)
        if regex(_CHANGED).fullmatch(word) or (owner and (not is_clause or not after or after in kinds)):
            return
        word = (word[: owner.start()] if owner else word).removeprefix("half-")
        is_compound = owner is None and word in _english() and _is_noun(following)
        if word not in kinds or is_compound:
            continue
        yield kinds[word]
        if after not in _JOINED:
            return


def _is_noun(following: str) -> bool:
    """Whether a word after an English noun goes on with it: `walker` after `dog`, not `called` or a name."""
    return following[:1].islower() and not (is_common_word(following) or following.endswith("ed"))


@functools.cache
def _household() -> frozenset[str]:
    """What those are called together with whom somebody lives."""
    kinds = _kinds()
    return frozenset(kinds[word] for word in ("wife", "girlfriend", "son", "dog"))


@functools.cache
def _kinds() -> dict[str, str]:
    return {word: names for words, names in _KINDS for word in search_fold(words).split() if word != "|"}


@functools.cache
def _english() -> frozenset[str]:
    return frozenset(word for words, _ in _KINDS for word in words.partition("|")[0].split())
