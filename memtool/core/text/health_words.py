"""Statements about health and diet, which advice on food, medicines or exercise must not ignore.

Medicines are known by the stems of their international nonproprietary names (WHO, "The use of stems in the
selection of International Nonproprietary Names", 2018), which most languages keep: `-pril`, `-statin`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain, pairwise

from memtool.core.text.folding import fold, is_continuous
from memtool.core.text.linear_model import LinearModel, hashed, model_words, read_model
from memtool.core.text.regex import regex

BUCKETS = 1 << 16
"""Weights of the model. A feature has the weight at its hash, modulo this number."""
_LEAST = 0.0
"""The log odds from which a statement counts as one about health; `tests.training.train --check` shows what
other ones cost."""
_STARTS = (4, 5)
"""First letters of longer words."""
_SURE = (
    r"(?i)\b(?:allerg|al[eé]rgi|intoleran|intol[eé]r|unverträg|c(?:o?e)liac|z[oö]liak|diab|asth?m"
    r"|epil[eé]p|epipen|insulin|pregnan|schwanger|enceinte|embaraz|gr[aá]vida|hamile|homilador|vegan"
    r"|v[eé]g[eé]tari|veget|halal|kosher|koscher|gluten|medicat|wheelchair|rollstuhl|deaf|blind"
    r"|blood thinner|аллерги|непереносимост|диабет|астм|эпилепс|беременн|веган|вегетариан)"
    r"|过敏|糖尿|素食|吃素|怀孕|哮喘|癫痫|アレルギー|妊娠|菜食|ベジタリアン|喘息|てんかん"
)
"""Words that are of health or diet in any sentence."""
_MEDICINES = (
    r"\b[a-zà-ÿ]{2,}(?:[aeiou]pril|sartan|olol|[oa]dipine?|vastatine?|cillin[ae]?|mycin|oxacine?|cycline?"
    r"|conazole?|prazole?|gliptine?|gliflozine?|glutide?|formine?|farine?|xaban|grelor?|azepam|zolam"
    r"|oxetine?|aloprame?|tript[ay]line?|azapine?|peridone?|thyrox[iy]ne?|predniso[ln]\w{0,4}|triptan"
    r"|limus|tinib|zumab|ximab|umab|profene?|coxib|setron|pramide?|nidazole?)\b|\b(?:penicil|aspirin"
    r"|ibuprofen|paracetamol|warfarin|methotrexat|metformin|heparin|sertralin|ritalin|adderall"
    r"|antibiotic)\w*"
)


def affects_advice(text: str) -> bool:
    """Whether a statement surely names a condition, medicine or diet that does harm if it is not known."""
    return regex(_SURE).search(text) is not None


def may_affect_advice(text: str) -> bool:
    """Whether a statement is likely about a condition, medicine, diet or disability of somebody.

    What the linear model misses are names of medicines that it has not seen.
    """
    return affects_advice(text) or is_medicine(text) or health_model().scores(text)[0] >= _LEAST


def is_medicine(text: str) -> bool:
    """Whether a text names a medicine, by the stem of its name."""
    return regex(f"(?i){_MEDICINES}").search(text) is not None


@cache
def health_model() -> LinearModel:
    """The model of statements about health and diet."""
    return read_model(__spec__, features)


def features(statement: str) -> list[int]:
    """The features of a statement as numbers of buckets, each once, in ascending order.

    They are its words, and their first letters, which inflections share; of scripts without spaces, pairs of
    characters.
    """
    words = [word for word in model_words(fold(statement)) if word]
    pairs = (f"{one}{two}" for one, two in pairwise(words) if is_continuous(one[0]) and is_continuous(two[0]))
    return sorted({*hashed(pairs, BUCKETS), *chain.from_iterable(map(_features_of_word, words))})


@lru_cache(2048)
def _features_of_word(word: str) -> list[int]:
    starts = (f"{length}^{word[:length]}" for length in _STARTS if len(word) > length)
    return hashed((word, *starts), BUCKETS)
