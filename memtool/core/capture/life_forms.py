"""Statements about the user's life: what family, home and things are like, and what they do regularly.

`My bike has 28 inch wheels`, `our cat only eats wet food`, `I collect vinyl records`; English. The claim is
the clause itself. Only nouns and verbs of everyday life count: what is said of code, a task or a text passes,
as does what is only so today.
"""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import (
    ACQUAINTED,
    DRINKS,
    I_SAY,
    KIN,
    PERSON_ADJECTIVES,
    PETS,
    StatementForm,
)
from memtool.core.text.number_words import ENGLISH_TENS, NUMBER_WORDS

_PEOPLE = (
    rf"{KIN}|{ACQUAINTED}|(?:{PETS})s?|kids?|child(?:ren)?|toddlers?|grandparents?|grandmother"
    rf"|grandfather|granny"
    r"|in-laws|teacher|trainer|carer|nanny|tenants?|hens?|chickens?|bees|goats?|sheep|tortoise|snake|budgies?"
    r"|goldfish|team|crew|band|choir|orchestra|club"
)
_HOME = (
    r"flat|house|apartment|home|garden|yard|balcony|terrace|kitchen|bathroom|bedroom|living room|garage|roof"
    r"|cellar|basement|attic|loft|allotment|greenhouse|dorm|room|street|building|village|neighbou?rhood"
)
_THINGS = (
    r"car|van|truck|boat|camper|caravan|bike|bicycle|motorbike|motorcycle|scooter|laptop|computer|pc|phone"
    r"|tablet|printer|router|tv|camera|watch|oven|stove|cooker|fridge|freezer|washing machine|dishwasher"
    r"|boiler|heating|piano|guitar|violin|telescope|sewing machine|hearing aids?|glasses|wheelchair"
)
_BODY = (
    r"back|knees?|hips?|shoulders?|skin|eyes|eyesight|hearing|hair|feet|hands|wrists?|ankles?|teeth|heart"
    r"|stomach|blood pressure|cholesterol|sense of smell|voice"
)
_WORK = (
    r"company|employer|school|university|department|shifts?|commute|thesis|dissertation|blog|podcast"
    r"|newsletter|pension|degree"
)
_LIFE = rf"(?:{_PEOPLE}|{_HOME}|{_THINGS}|{_BODY}|{_WORK})"
_ITS_NAME = r"(?: (?-i:[^\W\d_a-z])[\w'’-]*){0,2}"
_TODAY = (
    r"fever|cold|flu|headache|cough|sore|leak|appointment|exam|test|interview|deadline|problem|issue"
    r"|question|bug"
    r"|error|meeting|call|look|idea|point|chance|hangover|day off|flat tyre|flat tire|party|break"
)
_PASSES = (
    rf"(?!(?:an? (?:[\w-]+ )?(?:{_TODAY})|no (?:idea|clue|signal|power|internet|connection|time"
    rf"|battery|reception"
    r"|electricity)|been|to|got|had|just|not|never|gone|become|come|made|lost|broken|run|begun|left"
    r"|seen|done|taken|grown|shown|known|given|written|put|set|\w{2,}ed"
    r"|trouble|issues|problems|questions|any|it|this|that|these|those|them|him|her|you|me|us|when"
    r"|while|if|because"
    r"|and|but|so|again|today|tomorrow|yesterday|now|right now)\b)"
)
_ADVERB = r"(?:(?:only|always|usually|often|mostly|mainly|both|all|never) )?"
_HABIT = (
    r"(?:has|have|eats?|drinks?|likes?|loves?|hates?|prefers?|fears?|faces?|sells?|plays?|speaks?"
    r"|sleeps?|wears?"
    r"|collects?|owns?|drives?|teaches|teach|stud(?:y|ies)|goes|takes?|uses?|turns|meets?|rehearses?"
    r"|barks?|sheds?"
    r"|belongs?|measures?|weighs?|holds|seats|hurts?|aches?|suffers?|runs on|works? (?:at|as|for|in"
    r"|nights|days|from)"
    r"|lives? (?:in|with|at|on|near|alone|next)|moved to|grew up)"
)
_IS = (
    r"(?:is|are) (?:(?:an? (?!(?:bit|little|lot|mess|problem|good|great|bad|nightmare|disaster|joke"
    r"|pain|big|huge"
    r"|real)\b)|the (?:oldest|youngest|only|first)|about (?!to\b)|from |afraid of |scared of |made of |\d)"
    rf"|(?:{'|'.join([*NUMBER_WORDS[6:], *ENGLISH_TENS])})\b)"
)
_HAPPENED = (
    r"(?:had (?:an? )?(?:stroke|heart attack|surgery|operation|accident|baby|miscarriage|\w+ (?:transplant"
    r"|replacement|bypass))|(?:was|were) (?:operated on|born|built|adopted|diagnosed with)|retired"
    r"|got married"
    r"|got divorced)"
)
_WORDS = r"(?: [\w'’€$£%°.-]+){1,10}?"
_END = (
    r"(?= ?(?:$|[,.;:!)—–]|(?:and|but|so|because|since|which|who|when|while|if|although|though|i|we"
    r"|my|please|can"
    r"|could|what|how|is it|do you)\b))"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_HOW_OFTEN = (
    rf"(?:every|each|most|on|twice|once|three times|\d times|in the (?:morning"
    rf"|evening)s?) (?:(?:{_DAYS}|days?|weeks?"
    r"|months?|years?|mornings?|evenings?|nights?|weekends?|a (?:day|week|month|year))\b)"
)

LIFE_FORMS = (
    StatementForm(
        "STATES",
        ("my ", "our "),
        rf"(?P<value>(?:my|our) {PERSON_ADJECTIVES}(?:{_LIFE}){_ITS_NAME}"
        rf" (?:{_ADVERB}{_HABIT} {_PASSES}|{_IS}|{_HAPPENED})[^\s,.;:!?]*(?:{_WORDS})??){_END}",
    ),
    StatementForm(
        "DOES",
        (
            "collect",
            "keep",
            "breed",
            "grow",
            "knit",
            "paint",
            "sew",
            "bake",
            "brew",
            "restore",
            "run",
            "swim",
            "cycle",
            "climb",
            "sing",
            "write",
            "practi",
            "play",
            "walk",
            "meditate",
            "volunteer",
            "foster",
        ),
        rf"{I_SAY}(?P<value>(?:(?:collect|breed|knit|sew|bake|brew|restore|foster|keep"
        r"(?= (?:\w+ )?(?:hens?|chickens?|bees|goats|sheep|ducks|rabbits|horses|pigs|fish|birds|kosher"
        r"|halal|a diary"
        r"|an? (?:aquarium|terrarium|allotment)))|grow(?= (?:my own|vegetables|tomatoes|herbs|roses|orchids))"
        r"|paint(?= (?:watercolou?rs?|portraits|landscapes|in oils?|miniatures))"
        r"|write (?:an? )?(?:blog|column|newsletter|poetry|poems|songs|novels|short stories)"
        r"|sing in|play in) (?!it\b|this\b|that\b|the )[\w'’-]+|run (?:half |ultra)?-?marathons)"
        rf"(?:{_WORDS})??){_END}",
    ),
    StatementForm(
        "DOES",
        ("go to", "go for", "see a", "see my", "walk", "run", "swim", "train", "practi", "attend"),
        rf"{I_SAY}(?P<value>(?:go (?:to|for)|see (?:a|my)|walk|run|swim|train|practi[cs]e|attend)"
        rf"(?: [\w'’-]+){{0,5}}? {_HOW_OFTEN}){_END}",
    ),
    StatementForm(
        "DOES",
        ("shift", "night", "weekend", "work days", "-time", " time", "remotely", "freelance"),
        rf"{I_SAY}(?P<value>work (?:the )?(?:(?:night|day|late|early|rotating|split|weekend"
        rf"|double)s?(?: shifts?)?"
        rf"|shifts|nights|weekends|(?:full|part)[- ]time|remotely|freelance)(?:{_WORDS})??)(?: (?:now|again"
        rf"|these days))*{_END}",
    ),
    StatementForm(
        "DOES",
        ("drink", "smoke"),
        rf"{I_SAY}(?P<value>(?:drink (?:{DRINKS})|smoke)) ?(?:(?:now|again"
        rf"|these days) ?)*(?=$|[,.;:!)—–])",
    ),
    StatementForm(
        "TAKES",
        ("take",),
        rf"{I_SAY}take (?P<value>(?:[\w'’-]+ ){{0,3}}?(?:medication|medicine|pills|tablets|insulin"
        rf"|supplements|vitamins"
        r"|antidepressants|blood thinners|antihistamines|statins|beta blockers|painkillers|the pill)"
        rf"(?:{_WORDS})??){_END}",
    ),
    StatementForm(
        "USES",
        ("use",),
        rf"{I_SAY}use (?P<value>an? (?:[\w-]+ ){{0,2}}?(?:desk|wheelchair|hearing aids?|cane|walker"
        rf"|walking stick"
        r"|inhaler|cpap(?: machine)?|screen reader|screen magnifier|prosthesis|cargo bike|e-bike|wood stove"
        rf"|standing desk|treadmill|rowing machine|fountain pens?)){_END}",
    ),
)
"""The rows; those of `self_forms` and `possession_forms` come first, because they say more."""
