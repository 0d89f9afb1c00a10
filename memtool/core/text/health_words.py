"""Words of health and diet that advice on food, medicines or exercise must not ignore.

Medicines are known by the stems of their international nonproprietary names (WHO, "The use of stems in the
selection of International Nonproprietary Names", 2018), which most languages keep: `-pril`, `-statin`.
"""

from __future__ import annotations

from memtool.core.text.regex import regex

_SURE = (
    r"(?i)\b(?:allerg|al[eé]rgi|intoleran|intol[eé]r|unverträg|c(?:o?e)liac|z[oö]liak|diab|asth?m"
    r"|epil[eé]p|epipen|insulin|pregnan|schwanger|enceinte|embaraz|gr[aá]vida|hamile|homilador|vegan"
    r"|v[eé]g[eé]tari|veget|halal|kosher|koscher|gluten|medicat|wheelchair|rollstuhl|deaf|blind"
    r"|blood thinner|аллерги|непереносимост|диабет|астм|эпилепс|беременн|веган|вегетариан)"
    r"|过敏|糖尿|素食|吃素|怀孕|哮喘|癫痫|アレルギー|妊娠|菜食|ベジタリアン|喘息|てんかん"
)
"""Words that are of health or diet in any sentence."""
_CONDITIONS = (
    r"\b(?:asma\b|type [12]\b|seizure|anaphyla|\d+ weeks (?:along|pregnant|with (?:twins|child|a (?:boy"
    r"|girl)))|migr[aä](?:i|ñ)n|migräne|enxaqueca|arthrit|artros|arthros|rheuma|hypertens|hypotens"
    r"|blood pressure|bluthochdruck|kidney (?:disease|failure|stones?|transplant|problems?)"
    r"|renal (?:failure|diet|disease)|dialys|nierenkrank|liver disease|cirrho|hepatit|heart (?:attack"
    r"|failure|condition|disease)|pacemaker|herzschrittmacher|infarct|infarkt|arrhythm|fibrillat|thyroid"
    r"|schilddrüse|tiroid|thyroïd|tiroit|crohn|colitis|kolitis|ibs\b|gout\b|an[aä]emi|h[aä]emophil"
    r"|hémophil|parkinson|alzheimer|dement|multiple sclerosis|fibromyalg|(?:have|has|had|with|breast|lung"
    r"|skin|colon|prostate) cancer\b|chemo|chimio|quimio|krebs\b|transplant|herniated|slipped disc"
    r"|bandscheib|h[eé]rnia|fıtığ|menisc|menisk|osteopor|dyslex|legasthen|dislexi|fauteuil roulant"
    r"|silla de ruedas|cadeira de rodas|taub\b|sourde?\b|sord[oa]\b|hard of hearing|hearing aid|gehörlos"
    r"|schwerhörig|aveugle|cieg[oa]\b|cego\b|ceg[oa]\b|prosthe|amput|scolios|omnipod|dexcom|anticoag"
    r"|мигрен|гипертон|почечн|инсульт|инфаркт|глух|слеп[аоы])|過敏|懷孕|偏头痛|高血压|高血壓|失明|失聪|片頭痛|高血圧|透析"
)
_DIETS = r"\b(?:v[eé]g[eé]talien|pescatari|lactose|laktose|lactosa|(?:do|does|ca)n['’]?t eat\b|cannot eat\b)"
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
    """Whether a statement has a word of health or diet, perhaps in another sense: "a dialysis centre"."""
    return affects_advice(text) or any(
        regex(f"(?i){pattern}").search(text) for pattern in (_CONDITIONS, _DIETS, _MEDICINES)
    )
