"""Statements about what and whom the user has: `my sister …`, `our launch is on …`; English."""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import (
    COUNTED,
    DATE,
    DATED,
    DESCRIBED,
    FAVOURITE,
    IS,
    KIN,
    NAME,
    NAMED,
    NOW,
    PERSON,
    PERSON_ADJECTIVES,
    PERSON_NAME,
    PETS,
    PHRASE,
    PLACE,
    TRAITS,
    WE,
    WORK,
    StatementForm,
)

_TODAY = r"(?:now|nowadays|these days|instead|since|because)\b"
"""Words after a value that are no part of it."""
POSSESSION_FORMS = (
    StatementForm(
        "USES", ("uses",), rf"our (?:team|company|office|startup|group|shop|project|app) uses {NAME}"
    ),
    StatementForm(
        "IS",
        (
            "written",
            "built",
            "hosted",
            "deployed",
        ),
        rf"(?:my|our) (?P<thing>(?:[\w-]+ ){{0,2}}?(?:backend|frontend|app|api|service|server|site"
        rf"|website|project|code ?base|bot)) (?:is|are) (?:written|built|hosted|deployed) (?:in|with|on)"
        rf" {NAME}",
    ),
    StatementForm(
        "IS_CALLED",
        (
            "called",
            "named",
        ),
        rf"(?:my|our) (?P<thing>(?:[\w-]+ ){{0,2}}?(?:project|app|company|team|startup|business|band|blog"
        rf"|podcast|book|novel|game|product)) is (?:called|named) {NAME}",
    ),
    StatementForm(
        "IS",
        (
            "moved",
            "pushed",
            "postponed",
            "rescheduled",
            "shifted",
            "delayed",
            "set",
            "brought",
        ),
        rf"{WE}(?:moved|pushed|postponed|rescheduled|shifted|delayed|set|brought) (?:the|our|my)"
        rf" (?P<thing>{DATED})(?: date)?(?: (?:back|out|forward|up))?(?: from [^,;.!?\n]{{1,40}}?)? (?:to"
        rf"|for|until) {DATE}",
    ),
    StatementForm(
        "IS",
        (
            "birthday",
            "anniversary",
            "wedding",
            "launch",
            "release",
            "go-live",
            "due",
            "deadline",
            "graduation",
            "date",
        ),
        rf"(?:my|our) (?P<thing>(?:[\w-]+ ){{0,2}}?(?:{DATED})){IS} {DATE}",
    ),
    StatementForm(
        "IS",
        (
            "budget",
            "salary",
            "income",
            "rent",
            "mortgage",
            "age",
            "height",
            "weight",
            "size",
            "rate",
            "commute",
        ),
        rf"(?:my|our) (?P<thing>(?:[\w-]+ ){{0,2}}?(?:{COUNTED})){IS} (?P<value>(?:(?:about|around"
        rf"|roughly|under|up to|only|max) )?[$€£¥]?\d[\d,.]*(?: ?[\w%/€£¥]+){{0,4}})",
    ),
    StatementForm(
        "IS",
        (
            "is",
            "are",
        ),
        rf"(?:my|our) (?P<thing>(?:[\w-]+ ){{0,2}}?(?:{NAMED})){IS} {NAME}",
    ),
    StatementForm(
        "IS",
        (
            "diet",
            "blood",
            "pronouns",
            "job",
            "profession",
            "occupation",
            "hobb",
            "hours",
            "restriction",
        ),
        rf"(?:my|our) (?P<thing>{DESCRIBED}){IS} {PHRASE}",
    ),
    StatementForm("IS", ("favo",), rf"(?:my|our) (?P<thing>{FAVOURITE}){IS} {PHRASE}", "preference"),
    StatementForm(
        "IS",
        ("port",),
        r"(?:my|our) (?P<thing>(?:[\w.-]+ ){0,2}?[\w.-]+?)(?: server| service| app)? (?:runs|listens"
        r"|is running|is listening|is served|lives) on port (?P<value>\d{2,5})",
        kind="port",
    ),
    StatementForm(
        "IS",
        ("port",),
        rf"(?:my|our) (?P<thing>(?:[\w.-]+ ){{0,2}}?[\w.-]+?)(?:'s)? port{IS} (?P<value>\d{{2,5}})",
        kind="port",
    ),
    StatementForm(
        "KNOWS",
        ("my ",),
        rf"my (?P<person>{PERSON_ADJECTIVES}(?:{PERSON})),? (?:is{NOW} (?:called|named) |named |called |whose"
        rf" name is )?{NAME}",
        "relationship",
    ),
    StatementForm(
        "KNOWS",
        ("name",),
        rf"my (?P<person>{PERSON_ADJECTIVES}(?:{PERSON}))(?:'s|s) name is{NOW} {NAME}",
        "relationship",
    ),
    StatementForm(
        "KNOWS",
        ("is",),
        rf"my (?P<person>{PERSON_ADJECTIVES}(?:{PERSON})) is{NOW} (?P<value>{PERSON_NAME})\b(?= ?(?:$"
        rf"|[,.;!:)—–]|and |but |so |who |{_TODAY}))",
        "relationship",
    ),
    StatementForm(
        "IS",
        ("is",),
        rf"my (?P<thing>{PERSON_ADJECTIVES}(?:{PERSON})) is (?P<value>{WORK}|{TRAITS}|allergic to [\w"
        rf" -]{{2,40}})\b(?= ?(?:$|[,.;!:)—–]|and |but |so |with |who |at |in |for |{_TODAY}))",
        "relationship",
    ),
    StatementForm(
        "OF_AGE",
        ("is",),
        rf"my (?P<thing>{PERSON_ADJECTIVES}(?:{PERSON})) is{NOW} (?P<value>\d{{1,3}}(?: years? old)?)"
        rf"\b(?= ?(?:$|[,.;!:)—–]|and |but |so |{_TODAY}))",
        "relationship",
    ),
    StatementForm(
        "LIVES_IN",
        ("lives",),
        rf"my (?P<thing>{PERSON_ADJECTIVES}(?:{PERSON})){NOW} lives in {PLACE}",
        "relationship",
    ),
    StatementForm(
        "WORKS_AT",
        ("works",),
        rf"my (?P<thing>{PERSON_ADJECTIVES}(?:{PERSON})){NOW} works (?:at|for) {PLACE}",
        "relationship",
    ),
    StatementForm(
        "WORKS_AS",
        ("works",),
        rf"my (?P<thing>{PERSON_ADJECTIVES}(?:{PERSON})){NOW} works as {PHRASE}",
        "relationship",
    ),
    StatementForm(
        "EXPERIENCED",
        (
            "died",
            "passed",
        ),
        rf"(?P<value>my (?:{KIN}|{PETS}|friend) (?:died|passed away))\b",
        "loss",
        "high",
    ),
)
"""The rows; for the same words the first counts."""
