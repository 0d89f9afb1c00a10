"""Statements about the user: `I live in …`, `I'm allergic to …`; English."""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import (
    ADVERBS,
    CONDITIONS,
    ENGLISH_DATE,
    ENGLISH_MONTH,
    FAMILY,
    I_AM,
    I_HAVE,
    I_SAY,
    LIST,
    MONTHS_OF,
    NAME,
    NUMBER,
    PHRASE,
    PLACE,
    PRIVATE_TRAITS,
    SPOKEN,
    TRAIT_END,
    TRAITS,
    WE,
    WORK,
    YEAR,
    StatementForm,
)

SELF_FORMS = (
    StatementForm(
        "LIVES_IN",
        (
            "live",
            "reside",
        ),
        rf"(?:i|we){ADVERBS} (?:live|reside) in {PLACE}",
    ),
    StatementForm(
        "LIVES_IN",
        (
            "based",
            "living",
            "located",
            "settled",
        ),
        rf"{I_AM}(?:based|living|located|settled) in {PLACE}",
    ),
    StatementForm(
        "LIVES_IN",
        (
            "moved",
            "relocated",
            "emigrated",
        ),
        rf"{I_HAVE}(?:moved|relocated|emigrated) (?:from [^,;.!?\n]{{1,40}}? )?to {NAME}",
    ),
    StatementForm("COMES_FROM", ("from",), rf"(?:{I_AM}|{I_SAY}(?:come|hail) )from {NAME}"),
    StatementForm(
        "COMES_FROM",
        (
            "grew",
            "raised",
        ),
        rf"{I_SAY}(?:grew up|was raised) in {NAME}",
    ),
    StatementForm("WAS_BORN", ("born",), rf"i was born on (?P<value>{ENGLISH_DATE})"),
    StatementForm("WAS_BORN", ("born",), rf"i was born (?:in|on) {NAME}"),
    StatementForm("WORKS_AT", ("work",), rf"{I_SAY}work (?:at|for) {PLACE}"),
    StatementForm(
        "WORKS_AT",
        (
            "employed",
            "working",
        ),
        rf"{I_AM}(?:employed|working full[- ]time|working part[- ]time) (?:at|by|for) {PLACE}",
    ),
    StatementForm(
        "WORKS_AS", ("work",), rf"{I_SAY}work (?:\w+[- ]time |nights |days |shifts |remotely )?as {PHRASE}"
    ),
    StatementForm(
        "STUDIES",
        (
            "study",
            "major",
            "studying",
        ),
        rf"(?:{I_SAY}(?:study|major in)|{I_AM}studying) {NAME}",
    ),
    StatementForm(
        "WORKS_AS",
        ("of",),
        rf"{I_AM}(?P<value>(?:an? |the )?(?:ceo|cto|cfo|coo|vp|head|owner|founder|co-founder|director"
        rf"|manager) of [\w.&-]+)",
    ),
    StatementForm("WORKS_AS", (" a ", " an ", " the "), rf"{I_AM}(?P<value>{WORK})(?![\w'’-])"),
    StatementForm(
        "STUDIES_AT",
        (
            "study",
            "go",
            "to",
        ),
        rf"{I_SAY}(?:study|go to school|go to college) at {PLACE}",
    ),
    StatementForm(
        "HAS_TRAIT",
        (
            "vegan",
            "veget",
            "pesc",
            "teetot",
            "hand",
            "blind",
            "intoler",
            "free",
            "liac",
            "married",
            "engaged",
            "retired",
            "self",
            "owl",
            "bird",
            "person",
            "vert",
            "native",
            "lingual",
            "single",
            "stay",
            "twin",
            "only",
            "dual",
        ),
        rf"{I_AM}(?P<value>{TRAITS}){TRAIT_END}",
    ),
    StatementForm(
        "HAS_TRAIT",
        (
            "diabetic",
            "epilep",
            "autis",
            "dyslex",
            "pregnant",
            "deaf",
            "blind",
            "disabled",
            "divorced",
            "widow",
            "gay",
            "lesbian",
            "sexual",
            "trans",
            "binary",
            "muslim",
            "christian",
            "catholic",
            "jewish",
            "hindu",
            "buddhist",
            "atheist",
            "hiv",
            "undocumented",
            "unemployed",
            "recovering",
        ),
        rf"{I_AM}(?P<value>{PRIVATE_TRAITS}){TRAIT_END}",
        sensitivity="high",
    ),
    StatementForm(
        "HAS_AGE",
        tuple("0123456789"),
        rf"{I_AM}(?P<value>\d{{1,3}})(?: years? old| ?-?year-?old\b| yo\b|(?=$|[,.;!](?!\d)| and ))",
    ),
    StatementForm(
        "ALLERGIC_TO",
        ("allerg",),
        rf"{I_AM}(?:(?:very|severely|badly|slightly|mildly) )?allergic to {LIST}",
    ),
    StatementForm(
        "ALLERGIC_TO",
        ("allergy",),
        rf"{I_HAVE}(?:an?|severe|a severe|a bad) (?P<value>[\w-]+(?: [\w-]+)?) allergy\b",
    ),
    StatementForm(
        "HAS_CONDITION",
        (
            "have",
            "i've",
        ),
        rf"{I_HAVE}(?:been diagnosed with |was diagnosed with )?(?P<value>{CONDITIONS})\b",
        sensitivity="high",
    ),
    StatementForm(
        "HAS_CONDITION",
        ("diagnosed",),
        rf"i (?:was|have been|got) diagnosed with {PHRASE}",
        sensitivity="high",
    ),
    StatementForm(
        "HAS_FAMILY",
        (
            "have",
            "got",
            "i've",
        ),
        rf"(?:i've|i have|we've|we have){ADVERBS} (?:got )?(?P<value>(?:{NUMBER} (?:[\w-]+ ){{0,2}}?"
        rf"(?:{FAMILY})|twins|kids|children))(?![\w'’-])",
        "relationship",
    ),
    StatementForm(
        "SPEAKS", ("speak",), rf"{I_SAY}speak (?:fluent |native |some |a little |a bit of )?{SPOKEN}"
    ),
    StatementForm(
        "LEARNS",
        ("learning",),
        rf"{I_AM}learning (?:to speak )?{NAME}",
        "goal",
    ),
    StatementForm(
        "PLAYS",
        ("play",),
        rf"{I_SAY}play (?P<value>the [\w-]+(?: guitar)?|guitar|piano|violin|drums|tennis|chess|football"
        rf"|soccer|basketball|golf|hockey)\b",
    ),
    StatementForm(
        "DRIVES",
        (
            "drive",
            "ride",
        ),
        rf"{I_SAY}(?:drive|ride) (?:an? )?{NAME}",
    ),
    StatementForm("USES", ("use",), rf"{WE}use {NAME}"),
    StatementForm(
        "USES",
        (
            "switched",
            "migrated",
            "over",
        ),
        rf"{WE}(?:switched|migrated|moved over) (?:\w+ )?(?:from [^,;.!?\n]{{1,40}}? )?to {NAME}",
    ),
    StatementForm(
        "HAS_TRAIT",
        ("old",),
        r"i(?:'m| am) (?P<value>an? \d{1,3}[- ]years?[- ]old [\w-]+(?: [\w-]+){0,2}?)\b(?= ?(?:$"
        r"|[,.;!]|from |in |at |and |who |with |living |based ))",
    ),
    StatementForm(
        "WORKS_AS",
        (
            "by",
            "based",
            "working",
        ),
        rf"{I_AM}(?P<value>an? [\w-]+(?: [\w-]+){{0,2}}?) (?:by (?:trade|profession|training)|based in"
        rf"|working (?:at|in|for))\b",
    ),
    StatementForm(
        "OWNS",
        (
            "own",
            "run",
        ),
        rf"{I_SAY}(?:own|run) (?P<value>(?:an? |my own |two |three )(?:[\w-]+ ){{0,3}}?(?:business|company"
        rf"|startup|shop|store|bakery|restaurant|cafe|café|farm|studio|agency|practice|house|flat"
        rf"|apartment|condo|boat|van|truck|car|motorbike|motorcycle|bike|dog|cat|blog|podcast|newsletter"
        rf"|channel))(?![\w'’-])",
    ),
    StatementForm(
        "TEACHES",
        ("teach",),
        rf"{I_SAY}teach (?P<value>(?!you|him|her|them|me|my|us|it|one)[\w-]+(?: [\w-]+){{0,3}}?)"
        rf"\b(?= ?(?:$|[,.;!]|(?:as|at|from|in|on|out|to|and|for|with) ))",
    ),
    StatementForm("VOLUNTEERS_AT", ("volunteer",), rf"{I_SAY}volunteer (?:at|for|with) {PLACE}"),
    StatementForm(
        "STUDIED",
        (
            "graduated",
            "degree",
            "phd",
        ),
        rf"{I_HAVE}(?:graduated from|got my degree from|have a degree in|have a phd in|did my phd (?:at"
        rf"|in)) {NAME}",
    ),
    StatementForm(
        "STUDIED",
        (
            "degree",
            "phd",
            "master",
            "bachelor",
            "diploma",
        ),
        rf"{I_SAY}have (?P<value>an? (?:[\w'’-]+ )?(?:degree|phd|master's|bachelor's|diploma) (?:in|from)"
        rf" [\w-]+(?: [\w-]+){{0,3}}?)\b(?= ?(?:$|[,.;!]|and |but |so ))",
    ),
    StatementForm(
        "TAKES",
        ("take",),
        rf"{I_SAY}take (?P<value>(?:[\w.-]+ ){{1,5}}?(?:daily|every (?:day|morning|evening|night)|twice a day"
        rf"|once a day))(?![\w'’-])",
    ),
    StatementForm(
        "HAS_EXPERIENCE",
        ("been",),
        rf"(?:i've|i have) been (?P<value>(?:working|living|playing|learning|teaching|studying|married"
        rf"|using|coding|programming|running|writing|practi[cs]ing|training|vegan|vegetarian|sober|an?"
        rf" [\w-]+)(?: [\w.#+-]+){{0,5}}? (?:for (?:about |over |almost |more than )?(?:{NUMBER}|many"
        rf"|several) (?:years|months|decades)|since (?:\d{{4}}|{MONTHS_OF}|i was|childhood|high school"
        rf"|college)))\b",
    ),
    StatementForm(
        "WAKES_AT",
        (
            "wake",
            "get",
        ),
        rf"{I_SAY}(?:wake up|get up) (?:at|around|before) (?P<value>\d[\w:.]*(?: ?[ap]m)?)",
    ),
    StatementForm(
        "SLEEPS_AT",
        (
            "go",
            "to",
        ),
        rf"{I_SAY}go to (?:bed|sleep) (?:at|around|before) (?P<value>\d[\w:.]*(?: ?[ap]m)?)",
    ),
    StatementForm(
        "HAS_HEIGHT", ("tall",), rf"{I_AM}(?P<value>\d[\w.,'’\"]* ?(?:cm|m|ft|feet|foot|inches)?) tall\b"
    ),
    StatementForm("HAS_WEIGHT", ("weigh",), rf"{I_SAY}weigh (?P<value>\d[\d.,]* ?\w+)"),
    StatementForm(
        "IN_TIME_ZONE",
        ("zone",),
        rf"(?:{I_AM}|we're |we are )in (?:the )?(?P<value>(?:[\w/+-]+ ){{0,2}}?[\w/+-]+) time ?zone\b",
    ),
    StatementForm(
        "PLANS",
        (
            "married",
            "moving",
            "retiring",
            "expecting",
        ),
        rf"{I_AM}(?P<value>(?:getting married|moving to (?-i:[^\W\d_a-z])[\w-]+|retiring"
        rf"|expecting (?:a (?:baby|child|boy|girl|son|daughter)|twins))"
        rf"(?: on {ENGLISH_DATE}| in (?:{ENGLISH_MONTH}(?: {YEAR})?|{YEAR}))?)\b",
        "goal",
    ),
    StatementForm(
        "EATS_NO",
        (
            "eat",
            "drink",
        ),
        r"(?:i don't|i do not|i can't|i cannot|i never|i no longer) (?P<value>(?:eat|drink) (?!that|this|it\b"
        r"|much|enough|any\b|before|after|when)[\w-]+(?: [\w-]+)?)\b(?= ?(?:$|[,.;!]|and |or |but |so "
        r"|because |since ))",
    ),
)
"""The rows; for the same words the first counts."""
