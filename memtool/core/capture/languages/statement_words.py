"""Parts of the grammar of statements: words and values as regular expressions, and a row's type; English."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.text.dates import MONTHS as MONTH_NAMES
from memtool.core.text.dates import SHORT_MONTHS
from memtool.core.text.number_words import NUMBER_WORDS

ADVERBS = (
    r"(?: (?:also|currently|actually|now|still|just|recently|mostly|usually|mainly|primarily|already"
    r"|originally"
    r"|finally|presently|permanently))*"
)
I_SAY = rf"i{ADVERBS} "
I_AM = rf"(?:i'm|i am|im){ADVERBS} "
I_HAVE = rf"(?:i've|i have|i){ADVERBS} "
WE = rf"(?:we've|we have|we|i've|i have|i){ADVERBS} "
NUMBER = rf"(?:an?|{'|'.join(NUMBER_WORDS[:10])}|\d{{1,2}})"
PLACE = r"(?P<place>.)"
NAME = r"(?P<name>.)"
PHRASE = r"(?P<phrase>.)"
DATE = r"(?P<date>.)"
LIST = r"(?P<listed>.)"
SPOKEN = r"(?P<listed>(?-i:[^\W\d_a-z]))"

KIN = (
    r"(?:step|grand|half-)?(?:sister|brother|mother|mom|mum|father|dad|son|daughter|parent)s?(?:-in-law)?"
    r"|wife|husband"
    r"|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|cousin|aunt|uncle|niece|nephew|grandma|grandpa"
    r"|twin|baby"
)
ACQUAINTED = (
    r"friend|roommate|flatmate|boss|manager|mentor|colleague|co-?worker|teammate|neighbou?r|landlord"
    r"|landlady"
    r"|therapist|doctor|dentist|gp|vet|accountant|lawyer|hairdresser|coach|tutor|supervisor|advisor|assistant|cofounder|co-founder|client"
)
PETS = r"dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pet"
PERSON = rf"(?:{KIN}|{ACQUAINTED}|{PETS})"
NOW = r"(?: (?:now|actually|currently|these days))*"
"""Adverbs that are no part of what they stand before."""
PERSON_ADJECTIVES = (
    r"(?:(?:close|best|older|elder|younger|little|big|late|new|old|good|oldest|youngest|dear|twin|ex)"
    r" ?-?){0,2}"
)
_NATIONS = (
    r"american|australian|brazilian|canadian|german|italian|indian|russian|ukrainian|mexican|korean"
    r"|persian|iranian"
    r"|egyptian|african|asian|european|austrian|belgian|norwegian|hungarian|romanian|bulgarian|croatian"
    r"|serbian"
    r"|albanian|estonian|latvian|lithuanian|nigerian|kenyan|colombian|peruvian|chilean|cuban|syrian"
    r"|jordanian"
    r"|indonesian|malaysian|christian|catholic|muslim|hindu|buddhist|jewish|atheist|vegan|vegetarian"
    r"|uzbek|kazakh"
    r"|czech|greek|dutch|french|swiss|thai|arab|turk|dane|swede|finn|pole|scot|brit|israeli|iraqi|pakistani"
    r"|[a-z]+(?:ese|ish)|[a-z][0-9]?|(?-i:[A-Z]{2})[0-9]?|ceo|cto|cfo|coo|phd"
)
PERSON_NAME = (
    rf"(?:(?:dr|mr|mrs|ms|mx|prof)\.? )?(?!(?:{_NATIONS})\b)(?-i:[^\W\d_a-z])[^\W\d_][\w'’-]*"
    rf"(?: (?-i:[^\W\d_a-z])[\w'’-]*){{0,2}}"
)
"""One name or more of a person; no nationality, religion or office."""
FAMILY = (
    rf"(?:{KIN})|kids?|child(?:ren)?|siblings?|twins|(?:{PETS})s?|puppies|toddlers?|teenagers?|labradors?|budgies?|goldfish|(?:half|step)-?(?:brother|sister)s?|grandchild(?:ren)?"
    rf"|babies"
)
OF_WORK = (  # whom one serves, teaches or lets to, folded: what is said of them is not of the user
    r"\b(?:clients?|patients?|customers?|students?|pupils?|tenants?|lodgers?|guests?|buyers?|subscribers?|trainees?"
    r"|applicants?|candidates?"
    r"|kund(?:e|en|in|innen)|patient(?:en|in|innen)|klient(?:en|in|innen)?|mandant(?:en|in|innen)?|schuler(?:n|in|innen)?"
    r"|student(?:en|in|innen)|mieter(?:n|in|innen)?|gaste?|bewohner(?:n|in|innen)?"
    r"|clientes?|pacientes?|alumn[oa]s?|estudiantes?|inquilin[oa]s?|huespedes?"
    r"|clientes?|patientes?|eleves?|etudiante?s?|locataires?|alunos?|alunas?|estudantes?|hospedes?"
    r"|клиент\w*|пациент\w*|заказчи\w+|ученик\w*|учениц\w*|студент\w*|арендатор\w*|жил(?:ец|ьц\w+)"
    r"|musteri\w*|hasta(?:m|mi[nz]|lari?m?|nin)\w*|danisan\w*|ogrenci\w*|kiraci\w*"
    r"|mijoz\w*|bemor\w*|o'quvchi\w*|talaba\w*|ijarachi\w*)\b"
    r"|客户|客戶|顾客|顧客|病人|患者|(?<![小中高大])[学學]生(?!の)|租客|房客|お客|生徒(?!の)|教え子|入居者|クライアント"
)
CONDITIONS = (
    r"diabetes|asthma|epilepsy|adhd|autism|depression|anxiety|migraines?|arthritis|hypertension|celiac"
    r" disease|cancer"
    r"|hiv|lupus|dyslexia|insomnia|ptsd|ocd|bipolar disorder|multiple sclerosis|high blood pressure"
    r"|tinnitus|eczema"
    r"|a (?:heart|thyroid|kidney|liver) (?:condition|disease|problem)"
)
TRAITS = (
    r"(?:an? )?(?:vegan|vegetarian|pescatarian|teetotall?er|left-handed|right-handed|colou?r[- ]?blind"
    r"|lactose[- ]intolerant"
    r"|gluten[- ]intolerant|gluten[- ]free|c[o]?eliac|married|engaged|retired|self-employed|freelancer"
    r"|night owl"
    r"|early bird|morning person|introvert|extrovert|native (?:\w+ )?speaker|bilingual|trilingual|single"
    r" (?:mom|mother|mum|dad"
    r"|father|parent)|stay-at-home (?:mom|mother|mum|dad|father|parent)|twin|only child|dual citizen)"
)
PRIVATE_TRAITS = (
    r"(?:an? )?(?:diabetic|epileptic|autistic|dyslexic|pregnant|deaf|blind|disabled|divorced|widowed"
    r"|widow|widower|gay|lesbian"
    r"|bisexual|trans(?:gender)?|non-?binary|muslim|christian|catholic|jewish|hindu|buddhist|atheist"
    r"|hiv[- ]positive"
    r"|undocumented|unemployed|recovering \w+)"
)
OCCUPATIONS = (
    r"accountant|actor|actress|analyst|architect|artist|attorney|author|baker|barista|bartender|biologist"
    r"|bookkeeper"
    r"|builder|carpenter|chef|chemist|coder|composer|consultant|contractor|cook|copywriter|dentist"
    r"|designer|dev|developer"
    r"|director|doctor|driver|economist|editor|electrician|engineer|entrepreneur|farmer|filmmaker"
    r"|firefighter|florist"
    r"|founder|freelancer|gardener|geologist|graphic designer|hairdresser|historian|instructor|journalist"
    r"|lawyer|lecturer"
    r"|librarian|linguist|machinist|manager|marketer|mathematician|mechanic|midwife|musician|nurse"
    r"|nutritionist"
    r"|officer|optician|painter|paralegal|paramedic|pastor|pharmacist|photographer|physician|physicist"
    r"|pilot|plumber"
    r"|potter|producer|professor|programmer|psychologist|realtor|recruiter|researcher|sailor|scientist"
    r"|secretary|singer"
    r"|social worker|soldier|statistician|student|surgeon|surveyor|teacher|technician|therapist"
    r"|translator|tutor"
    r"|undergraduate|undergrad|veterinarian|vet|waiter|waitress|writer"
)
_NO_ADJECTIVE = (
    rf"(?:but|so|because|since|who|whose|which|that|with|is|are|was|has|have|in|on|at|of|for|to|from|not"
    rf"|my|our|his|her|their|i|we|he|she|they|it|(?:{TRAITS}|{PRIVATE_TRAITS}) and"
    r"|and (?:my|our|his|her|their|i|we|he|she|they|it|the|an?|also|now|so)) "
)
"""Words before an occupation with which something else has begun: "a vegetarian and my dentist"."""
WORK = rf"(?:an? |the )(?:(?!{_NO_ADJECTIVE})[\w-]+ ){{0,4}}?(?:{OCCUPATIONS})"

DRINKS = r"coffee|tea|alcohol|wine|beer|milk|cow['’]s milk|soda|cola|energy drinks"
FOODS = r"meat|fish|dairy|gluten|sugar|eggs|pork|beef|chicken|seafood|cheese|bread"
DATED = (
    r"birthday|anniversary|wedding(?: date)?|launch(?: date)?|release(?: date)?|go-live(?: date)?|due"
    r" date|deadline"
    r"|graduation(?: date)?|start date|move-in date|product launch|beta launch"
)
COUNTED = (
    r"budget|salary|income|rent|mortgage|age|height|weight|shoe size|dress size|hourly rate|team size"
    r"|commute"
)
NAMED = (
    r"database|stack|tech stack|backend|back end|frontend|front end|framework|editor|ide|os|operating"
    r" system|laptop|computer"
    r"|phone|car|company|employer|startup|business|school|university|college|city|hometown|home town"
    r"|country|home country"
    r"|major|minor|degree|native language|mother tongue|first language|second language|time ?zone|domain"
    r"|website|blog"
    r"|cloud provider|hosting provider|bank|middle name|last name|surname|maiden name|nickname|username"
    r"|handle|star sign"
)
DESCRIBED = (
    r"(?:[\w-]+ )?(?:diet|blood type|pronouns|job|job title|profession|occupation|hobby|hobbies|working"
    r" hours|office hours"
    r"|dietary restrictions?)"
)
FAVOURITE = r"(?:all-time )?favou?rite (?:[\w-]+ ){0,3}?[\w-]+"
IS = (
    r"(?: is| are|:)(?: (?:now|currently|still|actually|called|named|on|in|set for|set to|scheduled for"
    r"|planned for|around|about|at))*"
)
IS = rf"{IS}(?= )"
CAPITAL = r"[\"'“(]?(?:the |an? )?[a-z]?[^\W\d_a-z][\w.'’+#&-]*"
MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
IS_DATE = (
    rf"(?:{MONTHS}\b|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|next |the \d|q[1-4]\b|spring\b"
    rf"|summer\b|fall\b|autumn\b|winter\b)"
)
MOMENTARY = (
    r"(?:not|still|broken|wrong|correct|right|fine|ok|okay|here|there|done|ready|empty|missing|slow|too"
    r"|very|so|also|just"
    r"|that|to|how|what|why|whether|as|below|above|like|really|quite|pretty|getting|gone|down|up|it|this"
    r"|these|those"
    r"|only|probably|almost|due|good|bad|stuck|dead|nothing|unknown|\w+ing)(?![\w'’-])|\[REDACTED"
)
"""The start of a value that is not a lasting fact: a momentary state, or a clause."""
VALUE_EDGE = " \t,:–—-\"'”’*_.!?"
"""Characters around a value that do not belong to it."""

MONTHS_OF = f"(?:{MONTH_NAMES['en'].replace(' ', '|')})"
YEAR = r"(?:19|20)\d\d(?!\d)"
ENGLISH_MONTH = f"(?:{MONTHS_OF}|{SHORT_MONTHS.replace(' ', '|')})"
ENGLISH_DATE = (
    rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {ENGLISH_MONTH}"
    rf"|{ENGLISH_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)\b(?:,? (?:in )?{YEAR})?"
)
"""A day of a month, with its year if there is one."""
TRAIT_END = (
    r"(?= ?(?:$|[,.;!:)—–-]|(?:any ?more|now|nowadays|these days)\b|(?:and|but|so|with|since|because) ))"
)


class StatementForm(Struct, frozen=True):
    """A row of the grammar: a pattern with one value, and the claim that it makes.

    A sentence (in lower case) without any of the signs cannot match. The pattern matches from `i`, `my`,
    `our` or `we` on. A named group of it says what the value is: `place` (a capital, or an article and noun),
    `name` (a capital or a digit), `date`, `phrase` (anything that lasts), `listed` (the same, with `and`), or
    `value` (the group itself). A group `thing` becomes the subject `User's …`, `person` whom the user knows.
    """

    predicate: str
    signs: tuple[str, ...]
    pattern: str
    category: str = "context"
    sensitivity: str = "low"
    kind: str = ""
