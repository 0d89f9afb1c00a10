"""What kind of answer a question asks for by its first words, and whether a statement has one.

"When do I start work?" asks for a time, which "I work as a baker" does not have, and "where …?" for a place.
The words are those of five languages; a statement in another language may have any answer. One whose words
do not tell its language ("Lars likes sushi") is read in that of the question. Nobody knows all
words for a kind, so a statement with words of the question other than a person ("My aunt lives two streets
away") answers where nothing better does.
"""

from __future__ import annotations

import enum
import functools

from msgspec import Struct

from memtool.core.facts.names import mentioned_names
from memtool.core.facts.relatives import kinds_of
from memtool.core.text.dates import MONTHS, WEEKDAYS, is_calendar_word
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_function_word, query_language
from memtool.core.text.number_words import NUMBER_WORDS, OTHER_NUMBERS, TENS
from memtool.core.text.person_nouns import person_nouns
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems
from memtool.core.text.tokenizer import word_list


class AnswerKind(enum.Enum):
    """A kind of answer that words of a question ask for."""

    TIME = "time"
    PLACE = "place"
    AMOUNT = "amount"
    COUNT = "count"
    AGE = "age"


class AskedKind(Struct, frozen=True):
    """The kind of answer that a question asks for, the stems of what it counts, and its language.

    `said` are the stems of its other words, without those for the person that it is about.
    """

    kind: AnswerKind
    counted: frozenset[str] = frozenset()
    language: str = ""
    said: frozenset[str] = frozenset()


_ADDRESS = (
    r"\W*(?:(?:and|so|but|ok|okay|hey|hi|hello|please|sorry|und|also|y|oye|et|dis|e)\b\W+)?"
    r"(?P<told>(?:(?:do|can|could|would|will) you (?:please |still )?(?:know|remember|recall|tell me|say"
    r"|remind me)|(?:please )?(?:tell me|remind me)|wei(?:ss|ß)t du(?: noch)?|sag mir|sabes|recuerdas|dime"
    r"|(?:est-ce que )?tu (?:sais|te souviens)|sais-tu|dis-moi|voce sabe|sabe)\W+)?"
)
"""What may stand before the words that ask, folded."""
_AUXILIARY = (
    r"(?:['’]s\b| (?:do|does|did|am|is|are|was|were|will|would|can|could|should|must|have|has|had|shall)\b)"
)
_ASKS = (
    (
        AnswerKind.TIME,
        (
            r"(?:(?:since|until|till|from|by) )?when(?P<clause>(?!AUX))?|(?:(?:at|by|from|until"
            r"|around) )?what time"
            r"|(?:(?:on|in) )?(?:what|which) (?:day|date|month|year)(?=AUX)"
            r"|how (?:early|late)|(?:(?:seit|bis|ab) )?wann|um wie ?viel uhr|(?:(?:desde"
            r"|hasta) )?cuando|a que horas?"
            r"|(?:depuis )?quand|a quelle heure|quando"
        ),
    ),
    (
        AnswerKind.PLACE,
        (
            r"where(?P<place>(?!AUX))?|(?:in )?(?:what|which) (?:city|town|village|country)(?=AUX)"
            r"|wo|woher|wohin|(?:(?:de|en|a) )?donde|adonde|(?:d['’])?ou|onde"
        ),
    ),
    (AnswerKind.AGE, r"how old|wie alt|cuantos anos (?:tengo|tiene|tienen|cumple)|quel age|quantos anos"),
    (AnswerKind.COUNT, r"how many|wie viele|cuant[oa]s|combien d(?:e\b|['’])|quant[oa]s"),
    (AnswerKind.AMOUNT, r"how much|wie ?viel|cuant[oa]|combien|quanto"),
)
_TOLD_ONLY = ("clause", "place")
"""Groups of words that only ask after "do you know", because no verb of a question follows."""
_SECOND = (
    r"\b(?:and|or|und|oder|y|o|et|e|ou)\b (?:when|where|how|who|why|what|wann|wo|wie|wer|cuando"
    r"|donde|como|quand|comment)\b"
)

_WHEN = r"\b(?:when|als|cuando|quand|lorsqu\w*|quando)\b"
_HAVE = "have"
_HAVING = r"\b(?:have|has|had|got|hat|habe|haben|tiene|tienen|tengo|tenemos|avons|ont|tenho|tem)\b"
_LEAST_SHARED = 5
"""First letters that two forms of a word share."""
_MOST_ENDING = 2

_NUMBER = (
    rf"(?:\d[\d.,:]*|{'|'.join(sorted({*NUMBER_WORDS, *OTHER_NUMBERS, *TENS}))}|\w+teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty-\w+|hundred|thousand|half|dozen"
    r"|ein(?:e[mnrs]?)?|\w*(?:zehn|zig|ssig|hundert)|una?|uno|\w+(?:enta|einte|ciento)|une"
    r"|\w+(?:ante|vingt)|cent|um|uma)\b"
)
_NOTHING = (
    r"no|none?|nothing|both|couple|several|few|double|twins|free|keine?[nr]?|beide|ningun[oa]?|ambos|aucune?"
)
_TIME_WORDS = (
    rf"{search_fold(' '.join([*MONTHS.values(), *WEEKDAYS.values()])).replace(' ', '|')}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|noon|midday|midnight|dawn|dusk|sunrise|sunset"
    r"|first (?:light|thing)|mornings?|afternoons?|evenings?|nights?"
    r"|days?|daily|weeks?|weekly|week(?:ends?|days?)|months?|monthly|years?|yearly|hours?|minutes?"
    r"|early|late|later"
    r"|breakfast|lunch\w*|dinner|supper|bedtime|before|after|since|until|till|ago|yesterday|today"
    r"|tomorrow|tonight"
    r"|now|soon|always|never|every|each|often|usually|sometimes|once|twice|when(?:ever)?|while"
    r"|during|last|next"
    r"|spring|summer|autumn|winter|christmas|easter|childhood|child|holidays?|season|quarter|past"
    r"|o['’]clock|[ap]m"
    r"|\w+-ish|recently|just|around the clock|start of|end of"
    r"|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|mittags?|mitternacht|\w*morgens?"
    r"|\w*abends?|nachts?|nacht"
    r"|tag\w*|wochen?|wochenende|monate?|jahre?n?|stunden?|uhr|fruh\w*|spat\w*|vor|nach|seit|bis"
    r"|immer|jeden?|heute"
    r"|gestern|fruhling|sommer|herbst"
    r"|sabados|domingos|manana|tarde|noche|mediodia"
    r"|medianoche|amanecer"
    r"|dias?|semanas?|mes(?:es)?|anos?|horas?|antes|despues|desde|hasta|siempre|nunca|cada|hoy|ayer"
    r"|verano|invierno"
    r"|matins?|apres|soirs?|nuit|midi|minuit|aube|jours?"
    r"|semaines?|mois|ans?|annees?|heures?|avant|depuis|jusqu|toujours|jamais|chaque|hier|ete|hiver|printemps"
    r"|segunda|terca|quarta|quinta|sexta|manha|noite|depois|sempre|hoje|ontem"
)
_ARTICLE = (
    r"(?:(?:the|a|an|my|our|his|her|their|about|around|der|die|das|dem|den|el|la|los|las|le|les|l['’]|o|a) ?)"
)
_PLACE_WORDS = (
    r"home|hometown|homes?|house|address|street|town|city|village|country|office|abroad|here|there"
    r"|remotely|online"
    r"|local|upstairs|downstairs|outside|inside|nearby|opposite|next door|zuhause|daheim|adresse|hier"
    r"|dort|oben|unten"
    r"|stadt|casa|direccion|ciudad|aqui|alli|arriba|abajo|chez|maison|ville|ici|dehors|endereco|cidade|fora"
)
_INDEFINITE = (
    rf"(?:one|ein(?:e[mnrs]?)?|une?|una|uma?) (?!(?:{_TIME_WORDS}|and|or|at|on|and|de|y|et|e|und)\b)"
)
"""An article that is a number, too, before what is no time; "at one" has no word after it."""
_PREPOSITIONS = {
    "en": r"(?:in|at|on|to|from|near|by|under|behind|beside|above|below|between|into|across|off"
    r"|around|via|for|with)",
    "de": (
        r"(?:in|im|an|am|auf|bei|beim|aus|nach|zur?|zum|ins|neben|unter|uber|hinter|zwischen|von|vom|fur"
        r"|vor|vorm|gegenuber|mit)"
    ),
    "es": r"(?:en|del?|al?|desde|cerca|sobre|bajo|para|con)",
    "fr": r"(?:en|dans|du|des?|d['’]|au|aux|a|sous|sur|pres|pour|avec)",
    "pt": r"(?:em|n[ao]s?|d[aeo]s?|para|perto|sobre|com)",
}
_TIME_SPAN = (
    rf"\b(?:for|since|within|every|in|seit|vor|alle|desde(?: hace)?|hace|durante|depuis|pendant|il y a|ha)"
    rf" (?:about |the last |over )?{_NUMBER}[ -](?:years?|months?|weeks?|jahre?n?|monate?n?"
    r"|wochen|anos?|mes(?:es)?|ans|mois)\b(?! old| of age)|\b\d+ (?:years?|months?|weeks?) ago\b"
)
"""How long something lasts or has been so, folded."""
_AGE_UNIT = r"(?:years?|months?|weeks?|yo|jahre?|monate|wochen|anos?|mes(?:es)?|ans|mois)\b"
_IS = (
    r"(?:is|am|are|was|be|['’][ms]|['’]re|turn(?:s|ed|ing)?|aged?|bin|ist|sind|wird|werde|wurde"
    r"|tengo|tiene|tienen"
    r"|cumpl\w+|ai|a|ont|tenho|tem|of_age|has_age|fait)"
)
_YEAR = r"\b(?:in|since|seit|im jahr|en|desde|depuis|em) (?:19|20)\d\d\b(?! (?:euros?|dollars?|pounds?)\b)"
_SOON = r"(?:(?:now|about|almost|already|nearly|just|only|fast|jetzt|schon|knapp|ya|casi|deja|presque|ja) )?"
_BORN = (
    r"\b(?:born|newborn|baby|babies|toddlers?|teen\w*|puppy|puppies|kitten|(?:twen|thir|for|fif|six|seven"
    r"|eigh|nine)ties|pension\w*|geboren|jahrgang|nac\w+|nee?s?|nasc\w+)\b"
    r"|\b(?:birth\w*|geburt\w*|cumpleanos|anniversaire|aniversario)\b.*\d{4}"
)
_CLAUSE_END = r"(?=\W*$|\s*[.;,!?]|\s(?:and|when|now|und|als|y|cuando|et|quand|e)\b)"
_SUM = (
    r"(?<!have )(?<!has )(?<!are )(?<!tengo )(?<!habe )"
    rf"\b\d[\d.,]*\d\d(?: (?:euros?|dollars?|pounds?)\b|{_CLAUSE_END})"
)
"""A large number of nothing that is named, or of money, folded."""
_AGE_ALONE = (
    rf"\b(?:over|under|past|nearly|almost|pushing|\w+ of|uber|unter|mit|casi|mas de|con|plus de|a|de|com"
    rf"|(?:turn\w*|wird|werde|wurde|cumpl\w+)(?: \w+){{0,3}}) {_NUMBER}{_CLAUSE_END}"
    rf"|, {_NUMBER}(?=\W*$)|\bat (?:1[3-9]|[2-9]\d|\w+teen|\w+ty(?:-\w+)?){_CLAUSE_END}"
    rf"|\b(?:died?|passed|starb|gestorben|verstorben|muri\w+|fallecio|mort|morte|deced\w+|morreu)\b.*\b{_NUMBER}"
)
"""A number that is an age after these words, without a unit."""


def asked_kind(question: str) -> AskedKind | None:
    """The kind of answer that a question asks for; none if it asks for any other, or for two of them."""
    folded = search_fold(question)
    address = regex(_ADDRESS).match(folded)
    start = address.end() if address else 0
    for kind, words in _ASKS:
        match = regex(rf"(?:{words.replace('AUX', _AUXILIARY)})(?![\w-])").match(folded, start)
        if match is None:
            continue
        rest = folded[match.end() :]
        is_clause = any(match.groupdict().get(group) is not None for group in _TOLD_ONLY)
        if (is_clause and not (address and address["told"])) or "," in rest or regex(_SECOND).search(rest):
            return None
        counted = content_stems(" ".join(rest.split()[:1])) if kind is AnswerKind.COUNT else frozenset()
        language = query_language(question, word_list(folded))
        if kind is AnswerKind.AGE:  # all that comes before is whom it asks for
            rest = " ".join(regex(_WHEN).split(rest)[1:])
        persons = content_stems(" ".join(mentioned_names(question))) | _person_stems()
        others = (word for word in word_list(rest) if not is_function_word(word, language))
        said = (content_stems(" ".join(others)) - persons) | counted
        if kind is AnswerKind.COUNT and regex(_HAVING).search(rest):
            said |= {_HAVE}
        return AskedKind(kind, frozenset(counted), language, frozenset(said))
    return None


def shared_words(text: str, asked: AskedKind) -> frozenset[str]:
    """The stems of a question that a fact has a form of, without those for the person asked about."""
    text = text.partition(' — "')[2] or text
    held = content_stems(text)
    shared = {stem for stem in asked.said if any(_is_form(stem, other) for other in held)}
    if _HAVE in asked.said and regex(_HAVING).search(search_fold(text)):
        shared.add(_HAVE)
    return frozenset(shared)


def asks_having(asked: AskedKind) -> bool:
    """Whether a question asks how many of something somebody has."""
    return asked.kind is AnswerKind.COUNT and _HAVE in asked.said


def says_having(text: str) -> bool:
    """Whether a fact says what somebody has, not what they do with some of it."""
    return regex(rf"{_HAVING}|\b(?:keeps?|owns?|halte|besitz\w+)\b").search(search_fold(text)) is not None


def counts_another(text: str, asked: AskedKind) -> bool:
    """Whether a fact says only how many people or animals of another kind somebody has: dogs, not cats."""
    text = text.partition(' — "')[2] or text
    if not asks_having(asked) or not asked.counted <= _person_stems():
        return False
    having = regex(rf"{_HAVING} (?:(?:got|about|only|just) )*{_NUMBER} ").search(search_fold(text))
    alike = content_stems(" ".join(kinds_of(text, is_clause=True)))
    return having is not None and asked.counted.isdisjoint(content_stems(text) | alike)


def _is_form(stem: str, other: str) -> bool:
    """Whether two stems are of one word: those of a word with two endings differ in languages but English."""
    beginning = max(_LEAST_SHARED, max(len(stem), len(other)) - _MOST_ENDING)
    return stem == other or (
        min(len(stem), len(other)) >= beginning and stem[:beginning] == other[:beginning]
    )


@functools.cache
def _person_stems() -> frozenset[str]:
    return content_stems(" ".join(person_nouns()))


def has_kind(text: str, asked: AskedKind) -> bool:
    """Whether a fact has an answer of the kind that a question asks for, or may have one.

    It is read as it was said, if it has a quotation.
    """
    text = text.partition(' — "')[2] or text
    folded = search_fold(text)
    language = query_language(text, word_list(folded)) or (asked.language if text.isascii() else "")
    if language not in _PREPOSITIONS:
        return True
    match asked.kind:
        case AnswerKind.TIME:
            return regex(rf"\d|\b(?:{_TIME_WORDS})\b").search(folded) is not None or _has_clock(folded)
        case AnswerKind.PLACE:
            return _has_place(text, folded, language)
        case AnswerKind.AMOUNT:
            amount = rf"\b(?:{_NUMBER}|(?:{_NOTHING}|part|full|lots?|little)\b)"
            return regex(amount).search(regex(_YEAR).sub("", folded)) is not None
        case AnswerKind.COUNT:
            return _has_count(regex(_YEAR).sub("", folded), asked.counted)
        case AnswerKind.AGE:
            return _has_age(folded)


def _has_clock(folded: str) -> bool:
    """Whether a folded text has a time that is only a number: "at five", "um halb sechs"."""
    number = rf"\b(?:at|around|about|by|from|to|um|gegen|ab|las?|vers|a) (?:about |around |halb )?{_NUMBER}"
    return regex(number).search(folded) is not None


def _has_place(text: str, folded: str, language: str) -> bool:
    if regex(rf"\b(?:{_PLACE_WORDS})\b|[a-z]_(?:in|at|from)\b|^[^.;!?]{{1,40}}: ").search(folded):
        return True
    placed = (
        rf"\b{_PREPOSITIONS[language]} (?!{_ARTICLE}*(?:(?!{_INDEFINITE}){_NUMBER}|(?:{_TIME_WORDS})\b))\w"
    )
    if regex(placed).search(folded):
        return True
    if language == "de":
        return False  # every noun has a capital
    before = {
        search_fold(name): regex(rf"(\w+)\W+{name}") for name in mentioned_names(text) if name.isalpha()
    }
    return any(
        (found := pattern.search(text)) is not None
        and search_fold(found[1]) not in person_nouns()
        and regex(r"(?i)(?:is|are|am|m|called|named|i|and|or|user|dr|mrs?)\Z").match(found[1]) is None
        and not (is_calendar_word(name) or (found[1].isupper() and len(found[1]) > 1))
        for name, pattern in before.items()
    )


def _has_count(folded: str, counted: frozenset[str]) -> bool:
    """Whether a folded text has a number, a list, or one of what is counted.

    A time or a sum is no number of anything else.
    """
    if counted.isdisjoint(content_stems(folded)):
        folded = regex(rf"{_TIME_SPAN}|{_SUM}").sub("", folded)
    if regex(rf"\b(?:{_NUMBER}|(?:{_NOTHING})\b)|\w,? (?:and|und|y|et|e) \w").search(folded):
        return True
    ones = regex(r"\b(?:an?|my only) ((?:\w+ ){0,2}\w+)").findall(folded)
    return any(not counted.isdisjoint(content_stems(one)) for one in ones)


def _has_age(folded: str) -> bool:
    no_unit = (
        r"(?!\s*(?:[ap]m\b|o['’]clock|uhr|euros?|dollars?|pounds?|%|[$€£]|k[gm]\b|cm\b|hours?|times"
        r"|kids|children))"
    )
    age = (
        rf"\b(?:{_IS} {_SOON}{_NUMBER}{no_unit}|{_NUMBER}[ -]{_AGE_UNIT})|{_BORN}|{_AGE_ALONE}"
        r"|^[^.;!?]{1,40}: \d"
    )
    return regex(age).search(regex(_TIME_SPAN).sub("", folded)) is not None
