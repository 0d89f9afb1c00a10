"""Own relations: whether a sentence of the user states where they live or what they do for a living.

Such sentences have no predicate that says so: "I was a ship's engineer for thirty-four years" is stored as it
was said. The words are those of four languages.
"""

from __future__ import annotations

from memtool.core.text.first_person import has_first_person, possessives
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex

_ROAD = (
    r"(?:street|st|road|rd|avenue|ave|lane|drive|close|crescent|square|terrace|boulevard|way|row|hill|quay"
    r"|place|court|gardens|farm|boat|houseboat|narrowboat|island|estate|canal|river|coast|campus|floor"
    r"|outskirts|edge|corner|seafront|harbou?r)"
)
_HOME = (
    r"\b(?:i|we) (?:(?!never|not)\w+ ){0,2}?(?:live|reside|am based|are based)"
    r"(?: (?:alone|together|now|again))?"
    r" (?:(?:in|at|near|outside|above|by)"
    r" (?!hope|fear|peace|harmony|sin|denial|the (?:past|moment|present)\b)"
    rf"|on (?:[\w'’-]+ ){{0,3}}{_ROAD}\b)"
    r"|\b(?:i|we)['’](?:m|re) based (?:in|at|near)\b"
    r"|\b(?:i|we)(?:['’]ve| have)? (?:got |now have )?(?:my|our) own (?:place|flat|apartment|house|room)"
    r" (?:now )?(?:in|near|on|at) \w"
    r"|\b(?:my|our) (?:home |postal )?(?:address|house|flat|apartment) is (?:\d|in|at|on|near)\b"
    r"|\bfrom home in \w"
    r"|\b(?:ich|wir) (?:wohne|wohnen|lebe|leben)(?: \w+){0,3} (?:in|im|am|auf|bei|nahe)\b"
    r"|\bmeine adresse (?:ist|lautet)\b"
    r"|\b(?:vivo|vivimos|resido)(?: \w+)? (?:en|cerca)\b|\bmi direccion es\b"
    r"|\b(?:j['’]habite|nous habitons|je vis|nous vivons|on habite)(?: \w+)? (?:a|au|aux|en|dans|pres|sur)\b"
    r"|\bmon adresse est\b"
)
"""A sentence, folded, of where the user lives: no "I live on coffee", no "We live in hope"."""
_NO_JOB = (
    r"(?:smoker|drinker|vegetarian|member|teenager|toddler|youngster|lover|believer|sister|brother|father|mother"
    r"|daughter|owner|winner|runner|swimmer|sleeper|riser|eater|reader|gamer|customer|volunteer|prisoner|beginner"
    r"|stranger|foreigner|\w*ander|newcomer|commuter|walker|dancer|thinker|survivor|neighbou?r|visitor|donor"
    r"|\w*sufferer|christian|\w+rian|bit|\w+ over|little \w+)"
)
_JOB = (
    r"(?:\w{2,}(?:er|or|eer|ist|ician|man|woman)|librarian|nurse|chef|cook|clerk|midwife|pilot|vet|surgeon|mechanic"
    r"|paramedic|guard|scientist|priest|maid|nanny|cashier|butcher|accountant|consultant|assistant|attendant"
    r"|sergeant|soldier|captain|architect|analyst|secretary|translator)"
)
_TRADE = (
    r"(?:bakery|shop|bookshop|store|business|company|farm|cafe|restaurant|studio|salon|pub|bar|practice|agency"
    r"|firm|garage|nursery|school|hotel|brewery|workshop|pharmacy|stall)"
)
_AS_WORK = (
    rf"\bi (?:was|used to be) an? (?:[\w'’-]+ ){{0,3}}?(?!{_NO_JOB}\b){_JOB}"
    r"(?=(?: (?:for|in|at|on|until|till|before|by|with|from|when|all)\b|[,.;!]|$))"
    r"|\bi (?:\w+ly )?(?:work|worked|used to work)(?: (?!out)[\w-]+)?"
    r" (?:as|at|for (?!hours|days|ages)|from|with|in (?!the garden|my)) ?\w"
    r"|\bi (?:\w+ )?(?!live|am|was|walk|cycle|drive|commute|come|came|moved?|order|watch|study"
    r"|call|phone|took)"
    r"\w+ (?:[\w'’-]+ ){1,4}?(?:for a living|from home|professionally)\b"
    rf"|\bi (?:now |mostly |still )?do (?!not|n['’]t|it|that|this|so)(?:[\w-]+ ){{1,3}}for (?:an?|the|my)"
    rf" (?:[\w'’-]+ ){{0,2}}{_TRADE}\b"
    r"|\bi(?:['’]ve| have| was| got)(?: just| recently| now| finally)*(?: been)?"
    rf" (?:made|promoted to|appointed) (?:an? |the )?(?:[\w'’-]+ ){{0,2}}?(?!{_NO_JOB}\b){_JOB}\b"
    r"|\bi (?:also |now )?(?:teach|taught) (?!my|him|her|them|myself|you)\w"
    rf"|\bi (?:run|ran|own|owned|manage|managed) (?:a|an|the|my own) (?:[\w'’-]+ ){{0,2}}?{_TRADE}\b"
    r"|\bi(?: am|['’]m|['’]ve| have)? (?:now |recently |just )?retired\b"
    r"|\bi \w{3,} (?:[\w'’-]+ ){2,15}?(?:and|until i|till i|before i) (?:then |finally )?retired\b"
    r"|\bich war (?:[\w-]+ ){1,3}jahre(?: lang)? (?:\w+ )?\w+(?:er|erin|ist|istin|eur|arzt|arztin|in)\b"
    r"|\bich (?:arbeite|arbeitete|habe)\b(?: [\w-]+){0,4} als \w"
    r"|\b(?:trabaje|trabajaba|trabajo)(?: \w+){0,3} (?:de|como) \w"
    r"|\bfui (?:[\w-]+ )?\w+(?:or|ora|ero|era|ista|ico|ica) (?:durante|por|hasta)\b"
    r"|\b(?:j['’]ai travaille|je travaille|je travaillais)(?: \w+){0,3} (?:comme|chez) \w"
    r"|\bj['’](?:ai ete|etais) (?:[\w-]+ )?\w+(?:eur|euse|ier|iere|iste|ien|ienne)\b"
    r"(?: [\w-]+){0,3} (?:pendant|jusqu)"
)
"""A sentence, folded, of what the user does or did for a living."""


def own_relations(statement: str) -> tuple[str, ...]:
    """The predicates `LIVES_IN` and `WORKS_AS` as far as a sentence about the user states what they do."""
    folded = search_fold(statement)
    is_own = has_first_person(statement) or regex(r"(?:vivo|resido|trabaj|fui )").match(folded) is not None
    if not is_own or (folded.partition(" ")[0] in possessives() and "address" not in folded):
        return ()
    stated = (("LIVES_IN", _HOME), ("WORKS_AS", _AS_WORK))
    return tuple(predicate for predicate, pattern in stated if regex(pattern).search(folded))
