"""Nouns for the people and the animals of somebody, in five languages, folded."""

from __future__ import annotations

import functools

from memtool.core.text.folding import search_fold

_NOUNS = """
    wife sister mother mom mum mama daughter aunt niece grandma grandmother granddaughter girlfriend
    fiancée landlady stepmother stepsister stepdaughter girl husband brother father dad papa son uncle
    nephew grandpa grandfather grandson boyfriend landlord stepfather stepbrother stepson boy dog cat
    puppy kitten rabbit hamster parrot horse pony parents kids children twins siblings grandparents
    neighbours neighbors cousin partner spouse friend boss manager dentist doctor gp vet therapist
    accountant lawyer hairdresser coach tutor teacher supervisor advisor assistant client colleague
    coworker co-worker teammate roommate flatmate neighbour neighbor mentor baby kid child cleaner nanny
    babysitter plumber gardener fiancé frau schwester mutter tochter tante nichte oma großmutter
    freundin chefin ärztin kollegin nachbarin mann bruder vater sohn onkel neffe opa großvater freund
    hund katze kater pferd eltern kinder großeltern nachbarn kind chef arzt zahnarzt kollege nachbar
    cousine femme sœur mère maman fille nièce grand-mère copine mari frère père fils oncle neveu
    grand-père copain chien chienne chat chatte enfants enfant médecin dentiste ami amie collègue esposa
    mujer hermana madre hija tía sobrina abuela novia jefa esposo marido hermano padre hijo tío sobrino
    abuelo novio jefe perro perra gato gata padres hijos abuelos médico dentista vecino vecina amigo
    amiga mulher irmã mãe filha tia sobrinha avó namorada irmão pai filho tio sobrinho avô namorado
    cachorro cachorra pais filhos avós
"""

_ALIKE = (
    "mother mum mom mama mutter mutti madre mère maman mãe",
    "father dad papa vater padre père pai",
    "grandmother grandma granny oma abuela",
    "grandfather grandpa grandad opa abuelo",
    "son child children kid kids boy twins",
    "daughter child children kid kids girl twins",
    "baby child kid toddler",
    "husband hubby partner spouse",
    "wife partner spouse",
    "boyfriend partner fiancé",
    "girlfriend partner fiancée",
    "dog puppy pup",
    "cat kitten",
    "neighbour neighbor",
    "neighbours neighbors",
    "flatmate roommate housemate",
    "colleague coworker co-worker workmate teammate",
    "boss manager supervisor",
    "doctor gp dr",
)
"""Words for one and the same relative."""


@functools.cache
def person_nouns() -> frozenset[str]:
    """All of them."""
    return frozenset(search_fold(_NOUNS).split())


def same_relative(noun: str) -> frozenset[str]:
    """The nouns that may name the same person or animal as a folded one does, and the noun itself."""
    rows = (words.split() for words in map(search_fold, _ALIKE))
    return frozenset([noun]).union(*(row for row in rows if noun in row))
