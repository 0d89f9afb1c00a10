"""Words of health and diet that advice on food, medicines or exercise must not ignore.

Medicines are known by the stems of their international nonproprietary names (WHO, "The use of stems in the
selection of International Nonproprietary Names", 2018), which most languages keep: `-pril`, `-statin`.
"""

from __future__ import annotations

from memtool.core.text.regex import regex

_WORDS = (
    r"(?i)\b(?:allerg|al[eé]rgi|intoleran|intol[eé]r|unverträg|c(?:o?e)liac|z[oö]liak|diab|asth?m|asma\b|epil[eé]p|epipen|insulin|pregnan|schwanger"
    r"|enceinte|embaraz|gr[aá]vida|hamile|homilador|vegan|v[eé]g[eé]tari|veget|halal|kosher|koscher|gluten|medicat|wheelchair|rollstuhl|deaf|blind"
    r"|blood thinner|аллерги|непереносимост|диабет|астм|эпилепс|беременн|веган|вегетариан)"
    r"|过敏|糖尿|素食|吃素|怀孕|哮喘|癫痫|アレルギー|妊娠|菜食|ベジタリアン|喘息|てんかん"
)
"""Words that are of health or diet in any sentence."""
_CONDITIONS = (
    r"\b(?:allerg|al[eé]rgi|intoleran|intol[eé]r|unverträg|c(?:o?e)liac"
    r"|z[oö]liak|diab|type [12]\b|asth?m|epil[eé]p|seizure"
    r"|epipen|anaphyla|pregnan|schwanger|enceinte|embaraz|gr[aá]vida"
    r"|hamile|homilador|\d+ weeks (?:along|pregnant|with (?:twins|child|a (?:boy|girl)))"
    r"|migr[aä](?:i|ñ)n|migräne|enxaqueca|epileps|arthrit|artros|arthros"
    r"|rheuma|hypertens|hypotens|blood pressure|bluthochdruck"
    r"|kidney (?:disease|failure|stones?|transplant|problems?)"
    r"|renal (?:failure|diet|disease)|dialys|nierenkrank|liver disease|cirrho|hepatit"
    r"|heart (?:attack|failure|condition|disease)|pacemaker|herzschrittmacher"
    r"|infarct|infarkt|arrhythm|fibrillat|thyroid|schilddrüse"
    r"|tiroid|thyroïd|tiroit|crohn|colitis|kolitis|ibs\b|gout\b|an[aä]emi"
    r"|h[aä]emophil|hémophil|parkinson|alzheimer|dement|multiple sclerosis"
    r"|fibromyalg|(?:have|has|had|with|breast|lung|skin|colon|prostate) cancer\b"
    r"|chemo|chimio|quimio|krebs\b|transplant"
    r"|herniated|slipped disc|bandscheib|h[eé]rnia|fıtığ|menisc|menisk"
    r"|osteopor|dyslex|legasthen|dislexi|wheelchair|rollstuhl"
    r"|fauteuil roulant"
    r"|silla de ruedas|cadeira de rodas|deaf|taub\b|sourde?\b|sord[oa]\b|hard of hearing|hearing aid"
    r"|gehörlos|schwerhörig|blind|aveugle|cieg[oa]\b|cego\b|ceg[oa]\b|prosthe|amput"
    r"|scolios|insulin|omnipod|dexcom|blood thinner|anticoag|medicat"
    r"|аллерги|непереносимост|диабет|астм|эпилепс|беременн"
    r"|мигрен|гипертон|почечн|инсульт|инфаркт|глух|слеп[аоы])"
    r"|过敏|過敏|糖尿|怀孕|懷孕|哮喘|癫痫|偏头痛|高血压|高血壓|失明|失聪|アレルギー|妊娠|喘息|てんかん|片頭痛|高血圧|透析"
)
_DIETS = (
    r"\b(?:vegan|v[eé]g[eé]tari|v[eé]g[eé]talien|veget|pescatari|halal"
    r"|kosher|koscher|gluten|lactose|laktose|lactosa|веган|вегетариан)"
    r"|\b(?:don['’]?t|doesn['’]?t|can['’]?t|cannot) eat\b|素食|吃素|菜食|ベジタリアン"
)
_MEDICINES = (
    r"\b[a-zà-ÿ]{2,}(?:[aeiou]pril|sartan|olol|[oa]dipine?|vastatine?"
    r"|cillin[ae]?|mycin|oxacine?|cycline?|conazole?|prazole?|gliptine?"
    r"|gliflozine?"
    r"|glutide?|formine?|farine?|xaban|grelor?|azepam|zolam|oxetine?"
    r"|aloprame?|tript[ay]line?|azapine?|peridone?|thyrox[iy]ne?|predniso[ln]\w{0,4}"
    r"|triptan|limus|tinib|zumab|ximab|umab|profene?|coxib|setron|pramide?|nidazole?)\b"
    r"|\b(?:penicil|aspirin|ibuprofen|paracetamol|warfarin|methotrexat"
    r"|metformin|heparin|sertralin|ritalin|adderall|antibiotic)\w*"
)


def affects_advice(text: str) -> bool:
    """Whether a statement surely names a condition, medicine or diet that does harm if it is not known."""
    return regex(_WORDS).search(text) is not None


def may_affect_advice(text: str) -> bool:
    """Whether a statement has a word of health or diet, perhaps in another sense: "a dialysis centre"."""
    return affects_advice(text) or any(
        regex(f"(?i){pattern}").search(text) for pattern in (_CONDITIONS, _DIETS, _MEDICINES)
    )
