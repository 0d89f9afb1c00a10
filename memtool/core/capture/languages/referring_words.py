"""Pronouns of the third person, and the nouns of people and animals for whom they may stand, in five languages."""

from __future__ import annotations

from memtool.core.text.folding import search_fold

FEMALE, MALE, PERSON, ANIMAL, THING, SEVERAL, ROLE = (
    "female",
    "male",
    "person",
    "animal",
    "thing",
    "several",
    "role",
)
"""What a noun may name; `ROLE` is a role of which a sentence says who is in it."""

_SHE, _HE = frozenset([FEMALE, PERSON, ANIMAL]), frozenset([MALE, PERSON, ANIMAL])
PRONOUNS = {
    "she": _SHE,
    "he": _HE,
    "it": frozenset([THING, ANIMAL, ROLE]),
    "they": frozenset([SEVERAL]),
    "sie": _SHE | {SEVERAL, THING},
    "er": _HE | {THING},
    "elle": _SHE | {THING},
    "il": _HE | {THING},
    "ella": _SHE,
    "el": _HE,
    "ela": _SHE | {THING},
    "ele": _HE | {THING},
}
"""What a pronoun, folded, may stand for."""


def _set(words: str) -> frozenset[str]:
    return frozenset(search_fold(words).split())


NOUNS = {
    FEMALE: _set("""
        wife sister mother mom mum mama daughter aunt niece grandma grandmother granddaughter girlfriend fiancée landlady
        stepmother stepsister stepdaughter girl
        frau schwester mutter mama tochter tante nichte oma großmutter freundin chefin ärztin kollegin nachbarin
        femme sœur mère maman fille tante nièce grand-mère copine
        esposa mujer hermana madre hija tía sobrina abuela novia jefa
        mulher irmã mãe filha tia sobrinha avó namorada
    """),
    MALE: _set("""
        husband brother father dad papa son uncle nephew grandpa grandfather grandson boyfriend landlord stepfather
        stepbrother stepson boy
        mann bruder vater sohn onkel neffe opa großvater freund
        mari frère père fils oncle neveu grand-père copain
        esposo marido hermano padre hijo tío sobrino abuelo novio jefe
        irmão pai filho tio sobrinho avô namorado
    """),
    ANIMAL: _set("""
        dog cat puppy kitten rabbit hamster parrot horse pony hund katze kater pferd chien chienne chat chatte perro perra
        gato gata cachorro cachorra
    """),
    SEVERAL: _set("""
        parents kids children twins siblings grandparents neighbours neighbors eltern kinder großeltern nachbarn
        enfants padres hijos abuelos pais filhos avós
    """),
    PERSON: _set("""
        cousin partner spouse friend boss manager dentist doctor gp vet therapist accountant lawyer hairdresser coach tutor
        teacher supervisor advisor assistant client colleague coworker co-worker teammate roommate flatmate neighbour
        neighbor mentor baby kid child cleaner nanny babysitter plumber gardener fiancé
        kind chef arzt zahnarzt kollege nachbar cousine enfant médecin dentiste médico dentista vecino vecina amigo amiga
        ami amie collègue
    """),
}
"""Nouns of people and animals."""
