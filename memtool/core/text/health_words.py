"""Words of health and diet that advice on food, medicines or exercise must not ignore."""

from __future__ import annotations

from memtool.core.text.regex import regex

_WORDS = (
    r"(?i)\b(?:allerg|al[eé]rgi|intoleran|intol[eé]r|unverträg|c(?:o?e)liac|z[oö]liak|diab|asth?m|epil[eé]p|epipen|insulin|pregnan|schwanger"
    r"|enceinte|embaraz|gr[aá]vida|hamile|homilador|vegan|v[eé]g[eé]tari|veget|halal|kosher|koscher|gluten|medicat|wheelchair|rollstuhl|deaf|blind"
    r"|blood thinner|аллерги|непереносимост|диабет|астм|эпилепс|беременн|веган|вегетариан)"
    r"|过敏|糖尿|素食|吃素|怀孕|哮喘|癫痫|アレルギー|妊娠|菜食|ベジタリアン|喘息|てんかん"
)


def affects_advice(text: str) -> bool:
    """Whether a statement names a condition, medicine or diet that does harm if it is not known."""
    return regex(_WORDS).search(text) is not None
