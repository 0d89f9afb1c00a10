"""Names of relations: words with which a question asks for a fact that does not contain them.

"What is my job?" shares no word with `User WORKS_AS a nurse`, nor "do I have pets?" with `User KNOWS my dog
Rex`. What such a fact is called follows from its predicate, and for people and animals from who they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.facts.own_relations import own_relations
from memtool.core.facts.relatives import kinds_of
from memtool.core.records.candidate import SENTENCE, entity_kind, entity_name
from memtool.core.records.entries import Fact
from memtool.core.records.semantic import FactTriple
from memtool.core.text.first_person import has_first_person, possessives
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import LATIN_LANGUAGES, is_function_word, query_language
from memtool.core.text.health_words import affects_advice, is_medicine
from memtool.core.text.regex import regex
from memtool.core.text.tokenizer import word_list

_WORK = """
    work job profession occupation career employment
    arbeit arbeite beruf job tätigkeit
    trabajo trabaja profesión ocupación oficio empleo
    travail travaille métier profession emploi
    trabalho profissão ocupação emprego
    работа работаю профессия
"""
_EMPLOYER = """
    employer employ company firm workplace office
    arbeitgeber firma arbeitsplatz
    empresa empleador
    employeur entreprise boîte
    empregador empresa
    работодатель компания
"""
_HOME = """
    live based reside home address city town location residence
    wohne wohnort adresse stadt zuhause
    vivo casa dirección ciudad domicilio
    habite adresse ville domicile
    moro vivo endereço cidade
    живу адрес город
"""
_BIRTH = """
    birthday birth born age old
    geburtstag geburtsdatum geboren alter alt
    cumpleaños nacimiento nací edad
    anniversaire naissance né née âge
    aniversário nascimento nasci idade
    рождения родился родилась возраст
"""
_AGE = "age old alter alt edad âge idade возраст"
_DIET = """
    diet dietary restriction food eat avoid
    ernährung esse essen
    dieta alimentación como comer
    régime alimentation mange manger
    dieta alimentação comer
    диета питание
"""
_INTOLERANCE = "intolerance intolerant unverträglichkeit intolerancia intolérance intolerância"
_HEALTH = """
    health condition illness disease diagnosis
    gesundheit krankheit erkrankung
    salud enfermedad
    santé maladie
    saúde doença
    здоровье болезнь
"""
_ALLERGY = f"""
    allergy allergic allergie allergien allergisch alergia alergias alérgico allergie allergies allergique
    аллергия {_INTOLERANCE} {_DIET}
"""
_MEDICINE = """
    medication medicine drug pill
    medikament medikamente tabletten
    medicación medicamento medicina pastilla
    médicament traitement
    medicação medicamento remédio
    лекарство
"""
_STUDY = """
    study degree subject university school college student
    studium studiere fach universität schule
    estudio carrera universidad escuela
    études étudie université école
    estudo curso universidade escola
    учусь университет
"""
_LANGUAGE = "language sprache sprachen idioma lengua langue língua язык"
_NAMES = {
    "WORKS_AS": _WORK,
    "WORKS_AT": f"{_WORK} {_EMPLOYER}",
    "TEACHES": _WORK,
    "LIVES_IN": _HOME,
    "COMES_FROM": "hometown origin nationality country raised heimat herkunft origen origine origem родина",
    "WAS_BORN": _BIRTH,
    "HAS_AGE": _AGE,
    "OF_AGE": _AGE,
    "ALLERGIC_TO": _ALLERGY,
    "HAS_CONDITION": _HEALTH,
    "TAKES": _MEDICINE,
    "EATS_NO": _DIET,
    "SPEAKS": _LANGUAGE,
    "LEARNS": _LANGUAGE,
    "PLAYS": "hobby hobbies sport instrument hobbys afición loisir passatempo хобби",
    "DRIVES": "car vehicle auto wagen fahrzeug coche vehículo voiture carro машина",
    "STUDIES": _STUDY,
    "STUDIED": _STUDY,
    "STUDIES_AT": _STUDY,
    "WAKES_AT": "wake get up morning",
    "SLEEPS_AT": "sleep bed bedtime",
    "HAS_HEIGHT": "height tall größe groß altura taille",
    "HAS_WEIGHT": "weight weigh heavy gewicht peso poids",
}
"""What the objects of a predicate are called in questions, in several languages."""
NAME_WORDS = "name called heiße nombre llamo nom appelle nome chamo имя зовут"
"""Words with which questions ask for a name."""
ATTRIBUTE_WORDS = """
    name named called favourite favorite old cost price
    people person someone somebody anyone anybody everyone everybody day days
    get go come make take
    kostet kosten preis leute jemand jeder gehe gehen mache machen
    cuesta cuestan precio gente alguien alguna voy hago
    coute coutent prix gens quelqu'un personne vais fais
"""
"""Words for what many people and things have or do, and for anybody, so that they tell nothing alone."""
_LINES = {
    "DRIVES": r"(?:drives?|fahre|fahrt|conduzco|conduce|conduis|conduit|dirijo|dirige)",
    "LIVES_IN": (
        r"(?:lives? (?:in|at|near|on)|based in|wohn(?:e|t) in|viv[eo] en|habite|mor[ao] em|жив(?:у|ет) в)"
    ),
    "WORKS_AT": (
        r"(?:works? (?:as|at|for)|arbeitet? (?:als|bei|fur)|trabaj[oa] (?:como|en|para)"
        r"|travaille (?:comme|chez|pour)|trabalh[oa] (?:como|em|na|no)|работа(?:ю|ет))"
    ),
    "WAS_BORN": r"(?:(?:was )?born|geboren|nacid[oa]|nac[ií]o?|nee?|nasceu|nasci|родил(?:ся|ась))",
    "ALLERGIC_TO": r"(?:(?:is |am )?allergic to|allergisch gegen|alergic[oa] a|allergique)",
    "SPEAKS": r"(?:speaks?|spreche|spricht|hablo|habla|parle|falo|fala)",
    "STUDIES": r"(?:stud(?:y|ies)|studiere|studiert|estudi[oa]|etudie|estud[oa])",
    "PLAYS": r"(?:plays?|spiele|spielt)",
}
"""How a line of a person's notes begins that states what a predicate does: `Drives a Skoda`."""
_CLAUSE = "HAS_FAMILY"
"""The predicate whose object may be a clause: `my son's coeliac`."""
_RELATED = frozenset({"KNOWS", _CLAUSE})
"""Predicates whose objects are people and animals."""
_VERB = r" (?:do|does|did|am|is|are|was|were|will|would|can|could|should|have|has|had)\b"
_ASKED = (
    (r"(?i)\bfor (?:a|my|his|her|their) living\b", "job"),
    (
        r"(?i)^\W*(?:and )?what do i do(?: for work| professionally| these days)?\W*$",
        "my job",
    ),
    (
        (
            r"(?i)\bhow (?:do|did|can|am|will|should) (?:i|we) (?:\w+ly )?"
            r"(?:get|go|going|come|travel|getting) (?:back )?(?:to|into) (?:my )?(?:work|the office"
            r"|the job)\b"
            r"|\bwie (?:komme|fahre|gelange) ich (?:\w+ )?(?:zur arbeit|ins buro|ins büro)\b"
            r"|\bc[oó]mo (?:voy|llego) (?:yo )?(?:al trabajo|a la oficina)\b"
            r"|\bcomment (?:est-ce que je vais|vais-je|je vais|je me rends) (?:au travail|au bureau)\b"
        ),
        "commute",
    ),
    (r"(?i)\bpetits?[- ]enfants?\b", "grandchildren"),
    (r"(?i)\bgrands?[- ]parents?\b", "grandparents"),
    (r"(?i)\bhow old (?:am i|are we|i am)\b", "my age"),
    (rf"(?i)\b(?:what|which) (?:time|day|date|month|year)(?={_VERB})", "when"),
    (r"(?i)\b(?:what|which) (?:city|town|village|country)(?= do (?:i|we) live\b)", "where"),
)
"""Questions whose own words are those of many other facts, and the word that stands for them."""
_COMMUTES = (
    r"\b(?:(?:cycl|bik|driv|walk|commut|rid|run|jog|scoot|travel)(?:e|es|ing|s)?|go|get|fahre|radle|laufe|gehe"
    r"|pendle|voy|vais|(?:takes?|catch|nehme|cojo|tomo|prends)\b[^.;!?]{1,30}?)\b"
    r"[^.;!?]{0,30}?\b(?:to|into|zur|ins|al|a la|au) (?:my |the )?(?:work|office|job|arbeit|buro"
    r"|trabajo|oficina"
    r"|travail|bureau)\b"
)
"""A statement, folded, of how somebody gets to work."""
_ALLERGIC = r"\b(?:is|are|ist|sind|es|son|est|sont) (?:\w+ ){0,2}(?:allergi|alergi)"
"""Words, folded, of what somebody else does not stand."""
_INTOLERANT = (
    r"\b(?:can(?:['’]?t|not| not) (?:\w+ )?(?:eat|drink|digest|tolerate)|vertrage (?:\w+ ){1,3}nicht"
    r"|no puedo (?:comer|tomar)|ne (?:peux pas manger|supporte pas))\b"
)
"""Words, folded, of somebody who does not stand a food, unlike those who do not like it."""
_REACTIONS = (
    r"\b(?:hives|rash|itch\w*|swell\w*|swollen|anaphyla\w+|allergic reaction|stomach|cramps"
    r"|makes? me (?:sick|ill)"
    r"|ausschlag|bauchschmerzen|sarpullido|ronchas|urticaria|urticaire)\b"
)
_CHOSEN = (
    r"\b(?:muslim|jewish|kosher|halal|religio\w*|hindu|lent|ramadan|any ?more|another|after|before"
    r"|until|tonight"
    r"|today|right now|yet|while)\b"
)
"""Words, folded, of those who avoid a food for another reason, or for a time."""


def relation_names(fact: Fact | FactTriple) -> str:
    """Words that a question may have for what a fact states; "" where nothing is known of its relation."""
    if isinstance(fact, Fact):
        return ""
    if fact.predicate == "EATS_NO":
        return _ALLERGY if _is_intolerant(fact.quote or fact.object, is_of_food=True) else _DIET
    if fact.predicate == "HAS_TRAIT":
        is_diet = affects_advice(f"I'm {entity_name(fact.object)}")
        return f"{_DIET} {_INTOLERANCE} {_HEALTH}" if is_diet else ""
    if fact.predicate in {SENTENCE, "TAKES", "DRIVES"} and (commute := _commute(fact.quote or fact.object)):
        return f"{commute} {_NAMES['DRIVES'] if fact.predicate == 'DRIVES' else ''}".strip()
    if fact.predicate == SENTENCE:
        return " ".join(dict.fromkeys(_sentence_names(fact.object))).strip()
    if fact.predicate == "IS":
        return _BIRTH if search_fold(fact.subject).endswith("birthday") else ""
    if fact.predicate in _RELATED and entity_kind(fact.object) in {"", "Person"}:
        return " ".join(
            dict.fromkeys(kinds_of(entity_name(fact.object), is_clause=fact.predicate == _CLAUSE))
        )
    return _NAMES.get(fact.predicate, "")


def _sentence_names(sentence: str) -> Iterator[str]:
    yield from (_NAMES[predicate] for predicate in own_relations(sentence))
    is_own, is_of_other = _is_own(sentence), not has_first_person(sentence)
    if is_own and affects_advice(sentence):
        yield _HEALTH
        yield _MEDICINE if is_medicine(sentence) else ""
    is_intolerant = is_own and _is_intolerant(sentence)
    if is_intolerant or (is_of_other and regex(_ALLERGIC).search(search_fold(sentence))):
        yield _ALLERGY


def line_names(line: str) -> str:
    """Words that a question may have for what a line of a person's notes states, such as `Car: Skoda`.

    The line has a label, begins like a statement about the user, or is about people or animals.
    """
    folded = search_fold(line)
    label, colon, _ = folded.partition(":")
    labels = {*word_list(label)} if colon else frozenset[str]()
    names = [
        names
        for predicate, names in (*_NAMES.items(), ("", NAME_WORDS))
        if (labels and labels.issubset(search_fold(names).split()))
        or (predicate in _LINES and regex(rf"(?:[\w'’]+ ){{0,2}}{_LINES[predicate]}\b").match(folded))
    ]
    names += [_NAMES[predicate] for predicate in own_relations(line)]
    names += [_ALLERGY] if _is_own(line) and _is_intolerant(line) else []
    return " ".join(dict.fromkeys([*names, *kinds_of(line, is_clause=False), _commute(line)])).strip()


def _commute(statement: str) -> str:
    """What a statement of how the user gets to work is called; "" for any other."""
    is_commute = _is_own(statement) and regex(_COMMUTES).search(search_fold(statement))
    return "commute commuting" if is_commute else ""


def _is_intolerant(statement: str, *, is_of_food: bool = False) -> bool:
    """Whether a sentence says that the user does not stand a food, or, if it `is_of_food`, what that does."""
    folded = search_fold(statement)
    if regex(_CHOSEN).search(folded):
        return False
    has_reaction = regex(_REACTIONS).search(folded) is not None
    is_refused = is_of_food or regex(r"\bcan(?:['’]?t|not| not) have\b").search(folded) is not None
    return (has_reaction and is_refused) or regex(_INTOLERANT).search(folded) is not None


def asked_words(question: str) -> str:
    """A question in which one word stands for a phrase of common words: `job` for "for a living".

    It has no function words, if it is in a language whose stems are not without them.
    """
    for phrase, word in _ASKED:
        question = regex(phrase).sub(word, question)
    words = word_list(search_fold(question))
    language = query_language(question, words)
    if language not in LATIN_LANGUAGES:
        return question
    asked = (word for word in question.split() if not _is_function(word, language))
    return " ".join(asked) or question


def _is_function(word: str, language: str) -> bool:
    parts = word_list(search_fold(word))
    return bool(parts) and all(is_function_word(part, language) for part in parts)


def _is_own(statement: str) -> bool:
    """Whether a sentence is about the user, and not about a relative."""
    first = search_fold(statement).partition(" ")[0]
    return has_first_person(statement) and first not in possessives()
