"""English as it is written in haste: "im celiac", "moved up to Duluth", pets by name.

The rows of careful English are in `self_forms` and `possession_forms`.
"""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import ends, place, rows

_NEXT = "and|but|so|because|with|since|for|after|when|where|last|this|in|at|to|from|back|now|about|two|three|a|on|which|yesterday|today|recently|again|already|finally|before|during|next"
_PLACE = place(
    _NEXT,
    "the|a|an|my|our|new|next|another|use|using|be|production|v\\d|main|master|python|react|aws|azure|gcp|postgres\\w*",
)
_I_AM = r"(?:im|i'm|i am|ive been|i've been)"
_TRAIT = (
    r"(?:c(?:o)?eliac|vegan|vegetarian|veggie|pescatarian|diabetic|asthmatic|lactose[- ]intolerant|gluten[- ]intolerant|gluten[- ]free|colou?r[- ]?blind|dyslexic|autistic|deaf|hard of hearing"
    r"|left[- ]handed|pregnant|retired|divorced|widowed|epileptic|hypertensive)"
)
_JOB = (
    r"(?:nurse|teacher|doctor|lawyer|driver|chef|cook|electrician|plumber|carpenter|paramedic|firefighter|pharmacist|dentist|vet|librarian|welder|mechanic|farmer|baker|barista|midwife|cashier|accountant"
    r"|translator|freelancer|postman|mail carrier|social worker|flight attendant|pilot|hairdresser|student nurse|caregiver|carer|tailor|florist|beekeeper|roofer|mason|machinist)"
)
_KIN = "son|daughter|wife|husband|partner|girlfriend|boyfriend|fiance|fiancee|brother|sister|mother|father|mom|mum|dad|grandmother|grandfather|grandma|grandpa|niece|nephew|twins|kids|sons|daughters|toddler|baby"
_PET = (
    "dogs?|cats?|puppy|puppies|kittens?|rabbits?|bunn(?:y|ies)|hamsters?|parrots?|budgies?|ferrets?|guinea pigs?|tortoise|horses?|mare|pony|hens|chickens|goats?|greyhounds?|labradors?|beagles?|terriers?|poodles?|collies?"
    "|spaniels?|retrievers?|huskies|husky|corgis?|dachshunds?|bulldogs?|whippets?|tabby|siamese|maine coons?|rescue|mutt"
)

FORMS = rows(
    r"(?:(?:and|also|btw|plus|so|but|since|because) )?",
    ("HAS_TRAIT", ("im ", "i'm ", "i am "), rf"{_I_AM} (?:a |an )?(?:actually |also |newly |recently |severely |(?:\w+ months|\w+ weeks) )?(?P<value>{_TRAIT})(?!\w)(?! (?:i think|if|friendly|option|version|recipe))"),
    ("WORKS_AS", ("im ", "i'm "), rf"(?:im|i'm|i am) an? (?:(?:night[- ]shift|icu|er|pediatric|primary school|high school|middle school|elementary school|retired|freelance|line|bus|truck|taxi|tram|school|history|maths?|chemistry|science|head|pastry|home) ){{0,2}}(?P<value>{_JOB})(?!\w)(?! (?:in (?:my|the|this) (?:game|story|novel)))"),
    ("WORKS_AS", ("i teach", "i drive", "i run a", "i own a"), r"i (?P<value>teach (?!myself)(?:\w+ )?(?:maths?|math|chemistry|physics|history|english|biology|spanish|french|german|music|art|pe|piano|kindergarten|first grade|\w+ graders?|(?:high|middle|primary|elementary) school|esl|yoga)|drive (?:a |an |the )?(?:bus|truck|tram|taxi|cab|ambulance|forklift|school bus|train|lorry)(?: for [\w' ]{2,20})?|(?:run|own) a (?:small |little )?(?:bakery|cafe|coffee shop|bookshop|bookstore|farm|salon|workshop|restaurant|food truck|nursery|kennel|shop|garage))(?!\w)"),
    ("LIVES_IN", ("living in", "been in", "live out", "live up", "live down"), rf"(?:since [\w' ]{{2,30}}?,? )?(?:i've|ive|we've|i have|we have) been living (?:\w+ )?in {_PLACE}|(?:i|we) live (?:out|up|down|over) (?:here )?in {_PLACE.replace('<place>', '<place2>')}"),
    ("LIVES_IN", ("moved ", "relocated "), rf"(?:(?:i|we)(?:'ve| have)? )?(?:just |recently |finally )?(?:moved|relocated) (?:(?:up|down|out|over|back|here)(?: from [\w ]{{2,20}})?|from [\w ]{{2,20}}) to {_PLACE}"),
    ("HAS_TRAIT", ("retired",), r"i(?:'ve| have)? (?:just |recently |finally )?(?P<value>retired (?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|from \w+(?: \w+)?|last \w+|after [\w-]+ years|this \w+|early))(?!\w)"),
    ("KNOWS", ("my ", "our "), rf"(?:my|our) (?P<person>(?:(?:two|three|old|older|younger|oldest|youngest|rescue|\d{{1,2}}[- ]year[- ]old|little) ){{0,2}}(?:{_PET}|{_KIN})),? (?P<name>[^\W\d_][\w-]+(?:,? and [^\W\d_][\w-]+)?)(?=,? (?:is|are|has|have|was|keeps?|just|won't|can't|hates?|loves?|starts?|started|goes|eats?|needs?|gets?|refuses?|barks?|turns?|turned|lives?|wants?|sleeps?|will|who|and i)\b)"),
    ("HAS_FAMILY", ("my ",), rf"(?P<value>my (?:{_KIN}) (?:has (?:alzheimer'?s|dementia|parkinson'?s|diabetes|asthma|adhd|autism|celiac(?: disease)?|epilepsy|a \w+ allergy)|is (?:autistic|diabetic|{_TRAIT}|allergic to [\w ]{{2,20}}?)|(?:starts|started|is starting|is in) (?:kindergarten|preschool|first grade|second grade|third grade|middle school|high school|college|year \w+))){ends(_NEXT)}"),
    ("WORKS_AS", ("been a",), rf"(?:ive|i've|i have) been an? (?P<value>(?:[\w-]+ )?{_JOB}) (?:for|since)\b"),
    ("HAS_CONDITION", ("eliac",), r"(?:i've got|ive got|i've|i have|i got) (?P<value>co?eliac(?: disease)?)(?!\w)"),
)  # fmt: skip
"""The rows."""
