"""How people tell in English what has changed for them: "moved to York last month", "I started at Bosch".

The patterns match a clause from its subject on, as it is written, in any case.
"""

from __future__ import annotations

from msgspec import Struct

from memtool.core.capture.languages.statement_words import DRINKS, ENGLISH_MONTH, FOODS, OCCUPATIONS


class ChangeForm(Struct, frozen=True):
    """Signs in lower case, one of which a sentence has that matches, a pattern, and the sentence that states what
    holds since then.

    A group `value` is what the predicate takes, if there is one.
    """

    signs: tuple[str, ...]
    pattern: str
    statement: str
    predicate: str = ""


_JUST = r"(?: (?:just|finally|recently|now|officially|actually|already|both|all|only|also|since))*"
_SAID = rf"(?:i|we)(?:['’]ve| have)?{_JUST}"
_AM = rf"(?:i|we)(?:['’]m|['’]re| am| are){_JUST}"
_BEEN = rf"(?:i|we)(?:['’]ve| have)?{_JUST}(?: (?:got|been|was|were|gotten))+{_JUST}"
_I_SAID = rf"i(?:['’]ve| have)?{_JUST}"
_I_AM = rf"i(?:['’]m| am){_JUST}"
_I_BEEN = rf"{_I_SAID}(?: (?:got|been|was|gotten))+{_JUST}"
_MINE = r"(?:my|our)"
_WHEN = (
    r"(?:(?:last|this|next|in|on|at the|since|as of|over) (?:\w+ ){0,3}?(?:week(?:end)?|month|year|night|spring|summer|autumn|fall|winter"
    r"|morning|afternoon|evening|christmas|easter|\w+day|\d{1,2}(?:st|nd|rd|th)?|20[2-9]\d"
    rf"|{ENGLISH_MONTH})"
    r"(?: \d{1,2}(?:st|nd|rd|th)?| (?:20)[2-9]\d)?"
    r"|today|yesterday|recently|now|nowadays|these days|already|again|(?:a (?:few|couple of)|two|three|four|\d) (?:days|weeks|months) ago"
    r"|a (?:week|month|year) ago|lol|btw|by the way|fyi|though|finally|after all)"
)
_WHY = r"(?:with|because|for|so|and|but|to be) (?:my|our|his|her|the|work|a|an|love|school|uni|university|good|we|i|it|now|he|she|they|closer|near)\b.*"
_END = rf"(?:,? {_WHEN})*(?:(?:,|;| [-–—])? {_WHY}|[,;] .*| [-–—] .*|[\s.!)…]*)$"
_PLACE = (
    r"(?P<value>(?!(?:plan|phase|step|page|level|part|version|option|done|to-?do|doing|review)\b)(?-i:[A-ZÀ-Þ])[\w.'’]*[\w'’]"
    r"(?:[ -](?:(?:of|upon|on|de|la|del|do|da|am|an der|the) )?(?-i:[A-ZÀ-Þ])[\w'’-]*){0,3}(?<! street)(?<! road)(?<! avenue)(?<! lane)(?<! team)"
    r"(?:, (?-i:[A-ZÀ-Þ])[\w'’]*(?: (?-i:[A-ZÀ-Þ])[\w'’]*)?)?)"
)
_EMPLOYER = (
    r"(?P<value>(?:(?:the|a|an) )?(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:page|level|step|part) )"
    r"(?-i:[A-ZÀ-Þ])[\w.'’&-]*(?: (?:(?:of|and|&|for) )?(?-i:[A-ZÀ-Þ])[\w'’&-]*){0,4}"
    r"(?<! school)(?<! college)(?<! university)(?<! academy))"
)
_JOB = (
    rf"(?P<value>(?:an? |the |their (?:new )?)?(?:[\w-]+ ){{0,4}}?(?:{OCCUPATIONS}|head of [\w-]+|(?:team |tech |project )?lead(?:er)?|supervisor"
    r"|foreman|chief|principal|partner|vp|cto|ceo|cfo|coo|captain|sergeant|apprentice|assistant|intern|caretaker|receptionist|guide"
    r"|postman|welder|tailor|roofer|cashier|clerk|salesperson|caregiver|carer)(?: (?:of|for) [\w-]+)?)(?![\w'’-])"
)
_SHIFT = (
    r"(?:the )?(?P<value>(?:(?:day|night|early|late|evening|weekend|morning|afternoon|rotating|split) shifts?|nights|days|earlies|lates"
    r"|full[- ]time|part[- ]time|shift work|remotely|freelance))(?: (?:work|hours))?"
)
_DIET = r"(?P<value>vegan|vegetarian|pescatarian|teetotal)"
_THING = (
    r"(?:phone|mobile|laptop|computer|car|bike|bank|employer|company|school|university|college|address|email(?: address)?|(?:phone |mobile )?number"
    r"|last name|surname|username|handle|doctor|dentist|gp|vet|landlord|landlady|boss|manager|supervisor|therapist|hairdresser|accountant)"
)
_HOUSE = r"(?:place|home|house|flat|apartment|condo|studio|digs)"
_KIN = r"(?P<kin>(?:my|our) (?:\w+ )?(?:son|daughter|kids?|boy|girl|niece|nephew|grandson|granddaughter|stepson|stepdaughter|brother|sister)(?:,? [A-Z]\w+,?)?)"
_SCHOOL = r"(?P<value>(?:the )?(?-i:[A-ZÀ-Þ])[\w.'’-]*(?: (?:of |and )?(?-i:[A-ZÀ-Þ])[\w'’-]*){0,4}? (?-i:School|College|University|Academy|Kindergarten|Primary|Elementary|High)(?: (?-i:School))?)"

ELIDED_VERBS = (
    r"(?:moved|relocated|settled|started|began|quit|left|resigned|lost|joined|got|became|turned|went|gone|graduated|retired|retrained"
    r"|passed|broke|split|separated|sold|bought|adopted|gave|stopped|traded|had|finished)\b"
)
"""The verbs with which a sentence may begin that leaves out `I`."""
ELIDED_STATES = r"(?:living|working|laid off|made redundant|engaged|married|divorced|promoted|based)\b(?! by\b| in (?:the|a)\b)"
"""The same for a sentence that leaves out `I'm`."""
ELIDED_OWNER = rf"new (?:job (?:at|with)\b|(?:{_HOUSE}|job|{_THING})(?:['’]s| is| are)\b)"
"""The same for a sentence that leaves out `my`."""
BEFORE_ELIDED = r"(?:(?:just|finally|recently|now|officially|only) )*"

CHANGES: tuple[ChangeForm, ...] = (
    ChangeForm(
        ("moved ", "relocated "),
        rf"{_SAID} (?:moved|relocated)(?: (?:back|over|up|down|out|in|here|house))?(?: from [^,;.!?\n]{{1,40}}?)? to {_PLACE}{_END}",
        "{i} live in {value} now", "LIVES_IN",
    ),
    ChangeForm(
        ("living in ",),
        rf"{_AM} living in {_PLACE}{_END}",
        "{i} live in {value} now", "LIVES_IN",
    ),
    ChangeForm(
        ("by the way", "btw", "fyi"),
        rf"{_AM} in {_PLACE} now,? (?:by the way|btw|fyi)[\s.!]*$",
        "{i} live in {value} now", "LIVES_IN",
    ),
    ChangeForm(("by the way", "btw", "fyi"), rf"{_AM} in {_PLACE} now[\s.!]*$", "{i} live in {value} now", "LIVES_IN"),
    ChangeForm(("new ",), rf"{_MINE} new {_HOUSE}(?:['’]s| is)(?: now)? in {_PLACE}{_END}", "{i} live in {value} now", "LIVES_IN"),
    ChangeForm(
        ("started ", "began "),
        rf"{_SAID} (?:started|began) (?:(?:working|work|(?:a|my|the|this)(?: new)? job) )?(?:at|for|with) {_EMPLOYER}{_END}",
        "I work at {value} now", "WORKS_AT",
    ),
    ChangeForm(
        ("new job ",),
        rf"{_MINE} new job (?:at|with) {_EMPLOYER}{_END}",
        "I work at {value} now", "WORKS_AT",
    ),
    ChangeForm(
        (" job",),
        rf"(?:{_SAID} (?:got|landed|found|started|have|took) (?:a|my|the|this)(?: new)? job|{_MINE} new job(?:['’]s| is)) (?:at|with) {_EMPLOYER}{_END}",
        "I work at {value} now", "WORKS_AT",
    ),
    ChangeForm((" working ",), rf"{_AM} working (?:at|for) {_EMPLOYER}(?= now\b| these days\b| since\b){_END}", "I work at {value} now", "WORKS_AT"),
    ChangeForm(
        ("working", "started ", "began ", " became ", "retrained ", " job", "promoted "),
        rf"(?:{_I_AM} working (?:now )?as"
        rf"|{_I_SAID} (?:(?:started|began)(?: working| work| out)? as|became|retrained as"
        rf"|(?:got|landed|found|started|have) (?:a|my)(?: new)? job as)"
        rf"|{_I_BEEN} promoted to) {_JOB}(?: (?:at|in|for) [^,;.!?\n]{{2,40}}?)?{_END}",
        "I work as {value} now", "WORKS_AS",
    ),
    ChangeForm(
        (" turn",),
        rf"(?:{_I_SAID} turned|i(?:['’]m| am)? turn(?:ing)?(?= \d+ today)) (?P<value>\d{{1,3}}){_END}",
        "I'm {value} years old now", "HAS_AGE",
    ),
    ChangeForm(
        ("swapped ", "switched ", "changed ", "moved ", "gone ", "went ", "back "),
        rf"(?:{_SAID} (?:swapped|switched|changed|moved|gone|went|going)(?: back| over)? (?:to|onto)|{_I_AM} (?:back (?:on|to)|on(?= [\w -]+ now\b)))"
        rf" (?:working )?{_SHIFT}{_END}",
        "I work {value} now",
    ),
    ChangeForm(
        ("gone ", "went ", "back "),
        rf"(?:{_SAID} (?:gone|went) back (?:to|on)|{_I_AM} back (?:on|to))(?: drinking)? (?P<value>{DRINKS}){_END}",
        "I drink {value} again",
    ),
    ChangeForm(
        ("gone ", "went ", "back "),
        rf"(?:{_SAID} (?:gone|went) back (?:to|on)|{_I_AM} back (?:on|to))(?: eating)? (?P<value>{FOODS}){_END}",
        "I eat {value} again",
    ),
    ChangeForm(
        (" again",),
        rf"{_I_AM} (?P<value>single|married|vegan|vegetarian|pescatarian) again[\s.!]*$",
        "I'm {value} now",
    ),
    ChangeForm((" now",), rf"{_I_AM} (?P<value>\d{{1,3}}) now[\s.!]*$", "I'm {value} years old now", "HAS_AGE"),
    ChangeForm(
        ("vegan", "vegetarian", "pescatarian", "teetotal"),
        rf"(?:{_SAID} (?:went|gone|turned|became)|(?:i|we)(?:['’]m|['’]re| am| are) (?:now|going|both now)|we(?:['’]re| are)(?= \w+ now\b)) (?:an? )?{_DIET}{_END}",
        "I'm {value} now",
    ),
    ChangeForm(
        ("engaged", "married", "divorced"),
        rf"(?:{_BEEN}|{_AM}|(?-i:[A-ZÀ-Þ])\w+ and (?:I|me)(?: just| finally)? (?:got|are)(?: now)?) (?P<value>engaged|married|divorced)"
        rf"(?: to (?:my|(?-i:[A-ZÀ-Þ]))[\w'’ ]{{1,40}}?)?{_END}",
        "I'm {value} now",
    ),
    ChangeForm(("new ",), rf"{_MINE} new (?P<thing>{_THING})(?:['’]s| is)(?: called| named)? (?P<value>(?:an? |the )?(?-i:[A-ZÀ-Þ\d]|[a-z][A-Z])[^,;!?\n]{{0,50}}?){_END}", "{my} {thing} is {value} now"),
    ChangeForm(
        (" new ",),
        rf"{_SAID} (?:got|bought|have|have got) an? new (?P<thing>{_THING})(?:, | - |: | [–—] )(?:it['’]s )?(?P<value>an? (?-i:[A-ZÀ-Þ\d]|[a-z][A-Z])[^,;!?\n]{{0,50}}?){_END}",
        "{my} {thing} is {value} now",
    ),
    ChangeForm(
        (" school", " college", " university", " academy", " kindergarten", " primary", " elementary", " high"),
        rf"{_KIN}(?:['’]s| has| have)?{_JUST} (?:moved|switched|transferred|changed) to {_SCHOOL}{_END}",
        "{kin} goes to {value} now",
    ),
)  # fmt: skip
"""The rows; the first one that matches counts."""
EARLIER = (
    r"\b(?:when (?:i|we) (?:was|were)|as an? (?:kid|child|boy|girl|teenager|student)|(?:for|only) (?:\w+ ){1,3}?(?:years?|months?|weeks?|days?|semester)"
    r"|back then|at the time|at first|used to|originally|years ago|(?:19\d\d|20[01]\d)|and then|before (?:moving|that|i|we)|temporarily|for now|for a (?:bit|while)"
    r"|for the (?:\w+ ?)+|until|till|every|each|almost|nearly|would|could|should|might|going to|want to|plan(?:ning)? to|hope|never|not|n['’]t|but (?:we|i)(?:['’]ve| have)? moved"
    r"|repo|repos|repository|database|pipelines?|servers?|cluster|monorepo|codebase|backend|frontend|tickets?|issue tracker|logs?|metrics|builds?|ci|api|stack|folder|branch)\b"
)
"""Words of a sentence that tells what changed long ago or for a time, or how something is made."""

_BREAKABLE = r"leg|arm|wrist|ankle|foot|hand|hip|collarbone|nose|elbow|shoulder|finger|toe|knee|rib"
_EXAM = r"(?:(?:driving|theory|citizenship|bar|language|medical|state|final|french|german|english|spanish) (?:test|exams?)|driving|finals|bar|exams|a-levels|abitur|viva|thesis defen[cs]e|boards?)"
_MARRY = r"(?:engaged|married|divorced)"
LIFE_EVENTS = (
    rf"(?:{_BEEN}|i(?:['’]m| am)) (?:laid off|fired|sacked|let go|made redundant)\b",
    rf"{_SAID} (?:was|were|been|got) (?:laid off|fired|sacked|let go|made redundant|made permanent|the sack)\b",
    rf"{_BEEN} promoted(?:\W*$| (?:{_WHEN}|at work)\b| to (?!prod|staging|stag|main|master))",
    rf"{_BEEN} {_MARRY}(?:\W*$|,| {_WHEN}\b| to (?:my|(?-i:[A-Z])))",
    rf"{_SAID} (?:lost|quit|left|resigned from) my (?:\w+ ){{0,2}}?job\b",
    rf"{_SAID} passed (?:my|the|our) {_EXAM}\b",
    rf"{_SAID} (?:broke|split) up(?:\W*$|,| with\b| {_WHEN}\b)",
    r"(?-i:[A-ZÀ-Þ])\w+ and (?:i|me)(?: just| have)? (?:(?:broke|split) up|separated|got (?:engaged|married|divorced))\b",
    rf"{_SAID} had (?:a|our|my|the) (?:\w+ )?(?:baby|son|daughter|little girl|little boy|twins)(?:\W*$|,| {_WHEN}\b| (?:called|named)\b)",
    rf"{_SAID} (?:became|become) (?:a (?:dad|mum|mom|father|mother|grandparent|grandmother|grandfather|grandma|grandpa)|an? (?:aunt|uncle)|parents|grandparents)\b",
    rf"{_SAID} (?:retired|graduated)(?:\W*$|,| from\b| {_WHEN}\b)",
    rf"{_SAID} (?:adopted|got) an? (?:[\w-]+ ){{0,2}}?(?:dog|puppy|cat|kitten|rabbit|horse|pony|hamster|parrot|baby|child)\b",
    rf"{_SAID} (?:bought|sold|got) (?:a|the|our|my|an) (?:[\w-]+ ){{0,2}}?(?:house|flat|apartment|condo|cottage|farm|boat|camper ?van|car|motorbike)(?:\W*$|,| in\b| {_WHEN}\b)",
    rf"{_SAID} got (?:my|the) (?:[\w-]+ )?(?:driving licen[cs]e|licen[cs]e|citizenship|residency|green card|visa|diploma|degree|phd)\b",
    rf"{_SAID} broke (?:my|a) (?:[\w-]+ )?(?:{_BREAKABLE})\b",
    rf"{_SAID} (?:quit|stopped|gave up) (?:smoking|drinking|vaping|alcohol|sugar|meat|caffeine|coffee)\b",
    rf"{_SAID} (?:got|been|was) diagnosed with\b",
    rf"{_SAID} moved in (?:together|with (?:my|(?-i:[A-Z])))",
    (rf"{_SAID} (?:gone|went) back (?:to|on) (?:work|school|university|uni|college|therapy|my (?:old )?job|smoking"
    rf"|being (?:vegan|vegetarian)|(?:my )?(?:meds|medication|antidepressants|insulin|the pill))\b(?:\W*$|,| {_WHEN}\b)"),
    (rf"i(?:['’]m| am){_JUST} back (?:on|to|at) (?:work|school|university|uni|cigarettes|smoking|drinking|being (?:vegan|vegetarian)"
    rf"|(?:my )?(?:meds|medication|antidepressants|insulin|the pill))(?:\W*$|,| {_WHEN}\b)"),
    rf"i(?:['’]m| am){_JUST} (?:pregnant|unemployed|employed|sober) again\b",
    rf"{_SAID} started (?:therapy|chemo(?:therapy)?|dialysis|university|uni|college|(?:a|my) new job)\b",
)  # fmt: skip
"""Clauses of what happens to somebody and lasts, on whatever day it was."""

_AUXILIARY = (
    r"(?:has|have|had|is|are|was|were|got|gets?|been|being|just|now|finally|recently|also|already|only)"
)
_CHANGED = (
    r"moved|shifted|pushed|postponed|rescheduled|delayed|brought|put|raised|lowered|reduced|increased|cut"
    r"|dropped|went(?! on\b)|gone(?! on\b)|rose|risen|fell|fallen|changed|switched|swapped|replaced|renamed|traded|exchanged"
    r"|extended|shortened|upgraded|downgraded|transferred|relocated|slipped|bumped|converted|migrated"
)
_CHANGE = "move|push|postpone|delay|put|raise|lower|reduce|increase|drop|bring|change|extend|shorten"
NEWS = (
    r"(?P<subject>[^,;:!?\n]{1,60}?)(?:['’](?:s|ve|d))?"
    rf"(?: {_AUXILIARY})* (?P<verb>{_CHANGED}|(?:(?<=have to )|(?<=had to )|(?<=has to ))(?:{_CHANGE}))(?: in)?(?P<rest>\b.*)"
)
"""A sentence, after what leads to it, that tells a change: who or what, the verb, and what follows."""
OBJECT = (
    r"(?: (?:back|forwards?|up|down|out|over|off|along|around)\b)*"
    r"(?P<object>(?: (?!(?:to|for|with|by|until|till|at|on|in)\b)[^\s,;:!?]+)?[^,;:!?\n]*?)"
    r"(?: (?:back|forward|forwards|up|down|out|over|off|along|around))*"
    r"(?P<value> (?:to|for|with|by|until|till|at|on|in|into) [^,;:!?\n]*)?"
    r"(?P<after>[,;:–—].*)?[\s.!]*"
)
"""What follows that verb: what is changed, unless that is the subject, to what, and another clause."""
REPLACING = {
    "swapped": "for",
    "replaced": "with by",
    "traded": "for",
    "exchanged": "for",
    "switched": "for",
    "upgraded": "to",
}
"""Verbs after which the old value stands, with the words before the new one."""
OF_AMOUNTS = frozenset(
    [
        "brought",
        "put",
        "raised",
        "lowered",
        "reduced",
        "increased",
        "cut",
        "dropped",
        "went",
        "gone",
        "rose",
        "risen",
        "fell",
        "fallen",
        "raise",
        "lower",
        "reduce",
        "increase",
        "drop",
        "bring",
    ]
)
MOVING = frozenset(["moved", "move", "relocated"])
RENEWED_THING = (
    r"(?:(?:from|starting|as of) (?:next|this|\w+day|\d|[A-Z]\w+)[\w ]{0,12}?,? )?"
    r"(?P<subject>(?:(?:my|our|the) )?[^\W\d_][^,;:!?\n]{1,50}?)(?:['’]s)?"
    r" (?:is|are|starts?|begins?|meets?|costs?|works?|lives?|leaves?|runs?|ends?|opens?|closes?|goes|finish(?:es)?|lands?|arrives?|takes place)\b"
    r"(?P<value>.*)"
)
"""What holds since lately: of what, and the rest."""
SINCE_LATELY = (
    r"\b(?:now(?! that)|nowadays|these days|no longer|any ?more"
    r"|(?:from|starting|as of) (?:now|today|tomorrow|next|this (?:week|month|term)|(?-i:[A-Z])\w+))\b"
)
UNTELLING = (
    "date day time hour name price number amount cost due place slot appointment meeting session lesson visit"
    " class start starting new old current monthly weekly yearly"
)
"""Words of a thing that others tell better: `my dentist appointment` is also "the dentist"."""
SAID_AS = {
    "rate": "charge",
    "fee": "charge",
    "salary": "earn",
    "pay": "earn",
    "wage": "earn",
    "weight": "weigh",
    "flight": "fly flying",
}
"""Names of what the user says with a verb: `I charge 60 an hour`."""
_OWN = r"(?:the|my|our|their|his|her|that)"
_OBJECT = rf"(?:(?i:{_OWN}) [\w'’-]+(?: [\w'’-]+)?|(?:[A-ZÀ-Þ][\w'’-]*))"
CHANGED_OR_ENDED = (
    rf"\b(?i:(?:paid|gave|gotten|got|brought|pushed|moved|put|called|pulled) (?=(?:{_OWN} )?(?:[\w'’-]+ ){{1,3}}(?:back|off|forward)\b)"
    r"|postponed|rescheduled|delayed|cancell?ed|called off|paid (?:off|back)|(?:said|say|saying) goodbye to|gave up(?: on)?"
    r"|broke up with|split up with|buried|sold|quit|returned|traded in|traded|gave away|moved out of|raised|lowered)"
    rf" ?(?P<thing>{_OBJECT})"
    rf"|(?P<ended>{_OBJECT})(?i:['’]s| has| have| is| are| was| were| got| just| been| finally)*"
    r" (?i:postponed|rescheduled|delayed|cancell?ed|called off|off now|died|passed away|quit|retired|resigned|closed down|closed for good"
    r"|shut down|sold out|broke up|split up|fell through|moved out|moved away|dropped out|gave notice|got (?:married|engaged|divorced|fired|promoted))\b"
)
"""What tells that something definite changed or ended: the verb with its object, or the subject with the verb."""
