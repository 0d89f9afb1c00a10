"""Signs that something holds no more, in six languages: "no longer", "nicht mehr", "ya no", "we sold the …".

Patterns match a clause folded as `fold_in_place` does. Without the negation it says what held before.
"""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import MONTHS_OF
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMBER_WORDS, OTHER_NUMBERS


def _set(words: str) -> frozenset[str]:
    return frozenset(search_fold(words).split())


_I = r"^(?:i|we)(?:'ve| have)?(?: (?:just|finally|recently|already|both|all))*"
_ICH = r"^(?:ich|wir)"
_CONSUME = (
    "i drink",
    "i eat",
    "i like",
    "i love",
    "i prefer",
    "i have",
    "i take",
    "i use",
    "i buy",
    "i order",
    "i smoke",
)
_JOB = r"(?:job|position|post|role|work)"
_EMPLOYED = ("i work at", "i work for", "i am employed at", "i am employed by", "i have a job at")
_DISMISSED = r"(?:laid off|fired|sacked|let go|made redundant)"
_LOVER = r"(?:girlfriend|boyfriend|partner|fiancee?|gf|bf)"
_SPOUSE = r"(?:husband|wife|spouse|hubby)"
_WHO = r"(?:my (?P<role>\w+)|(?P<name>(?!(?:he|she|they|you|we|it)\b)[a-z][\w'-]+))"
NEGATED = (
    ("en", r"(?P<before>.*)\bno longer\b(?P<after>.*)"),
    ("en", r"(?P<before>.*?)(?:n't|\bnot)\b(?P<after>.*?)\b(?:any ?more|any longer|after all)\b(?P<rest>.*)"),
    ("de", r"(?P<before>.*?)\b(?:nicht|kein(?:e[rnms]?)?)\b(?P<after>.*?)\bmehr\b(?! als\b)(?P<rest>.*)"),
    ("es", r"(?P<before>.*)\bya no\b(?P<after>.*)"),
    ("es", r"(?P<before>.*?)\bno\b(?P<after>.*)\bmas$"),
    ("fr", r"(?P<before>.*?)\b(?:ne |n')(?P<after>.*?)\bplus\b(?! (?:que|qu')\b)(?P<rest>.*)"),
    ("pt", r"(?P<before>.*)\bja nao\b(?P<after>.*)"),
    ("pt", r"(?P<before>.*?)\bnao\b(?P<after>.*?)\bmais\b(?! (?:que|de|do que)\b)(?P<rest>.*)"),
    ("ru", r"(?P<before>.*)\b(?:больше|уже) (?:не\b|(?=нет\b))(?P<after>.*)"),
    ("ru", r"(?P<before>.*)\bне\b(?P<after>.*)\bбольше$"),
)
"""A language, and a clause that denies what it says without the sign: `before`, `after` and `rest`."""
VERBS = (
    ("en", rf"{_I} (?:sold|gave away|given away|got rid of|gotten rid of) (?P<x>.+)", ("i have", "i own", "i drive", "i ride")),
    ("en", rf"{_I} (?:quit|left|resigned from) my (?:old )?{_JOB} (?:at|with|for|in) (?P<x>.+)", ("i work at", "i work for", "i have a job at")),
    ("en", rf"{_I} (?:quit|resigned from) (?P<x>(?!\w+ing\b|my\b).+)", ("i work at", "i work for", "i have a job at", *_CONSUME)),
    ("en", rf"{_I} (?:quit|left|lost|resigned from|gave up|given up) my (?:old )?{_JOB} (?P<x>as .+)", ("i work", "i am working")),
    ("en", rf"{_I} (?:got|was|been|were) {_DISMISSED} (?:from|by|at) (?P<x>(?!my\b).+)", _EMPLOYED),
    ("en", r"^(?P<x>(?!(?:i|we|they|he|she|it)\b).+?)(?: has| have| just| already)* (?:laid me off|fired me|sacked me|let me go|made me redundant)", _EMPLOYED),
    ("en", rf"{_I} (?:traded in (?P<x>.+?)|traded (?P<y>.+?) in)(?: (?:for|against) .+)?", ("i have", "i own", "i drive", "i ride")),
    ("en", rf"{_I} (?:stopped|quit|gave up|given up) (?P<x>\w+ing\b.*)", ("i", "i am")),
    ("en", r"^no more (?P<x>.+) for (?:me|us)", _CONSUME),
    ("en", rf"{_I} (?:gave up|given up|gone off|went off) (?P<x>(?!\w+ing\b|my\b|on\b).+)", _CONSUME),
    ("de", r"^(?:fur mich|fur uns) (?:gibt es )?keine?n? (?P<x>.+) mehr", ("ich trinke", "ich esse", "ich mag", "ich nehme")),
    ("de", r"^keine?n? (?P<x>.+) mehr fur (?:mich|uns)", ("ich trinke", "ich esse", "ich mag", "ich nehme")),
    ("es", r"^(?:se acabo|no mas) (?:el |la |los |las )?(?P<x>.+) para (?:mi|nosotros)", ("tomo", "bebo", "como")),
    ("fr", r"^(?:plus de |fini le |finie la |fini les )(?P<x>.+) pour moi", ("je bois", "je mange", "je prends", "j'aime")),
    ("en", rf"{_I} (?:moved|have moved) (?:out of|away from) (?P<x>.+)", ("i live in", "i live at")),
    ("en", rf"{_I} left (?P<x>.+) for good", ("i live in", "i live at", "i work at", "i work for", "i work in")),
    ("en", rf"{_I} left (?P<x>(?!(?:my|the|a|an|it|for|home|work)\b)[^,;]+)", _EMPLOYED),
    ("en", r"^i(?:'m| am|'ve| have)?(?: started)? eat(?:ing)? (?:red )?(?:meat|chicken|fish)(?P<x>)(?: and \w+)? again", ("i am vegetarian", "i am vegan")),
    ("en", r"^i(?:'m| am|'ve gone| have gone| went) back (?:to|on|onto) (?:eating )?(?:red )?(?:meat|chicken|fish)(?P<x>)(?: and \w+)?(?: again)?", ("i am vegetarian", "i am vegan")),
    ("en", r"^i(?:'m| am|'ve gone| have gone| went) back (?:to|on|onto) (?:eating )?(?:eggs|dairy|cheese)(?P<x>)(?: and \w+)?(?: again)?", ("i am vegan",)),
    ("en", r"^i(?:'m| am) (?:working )?(?:back (?:to|on) (?:working )?)?full[ -]time(?P<x>) ?(?:again)?", ("i work part time", "i work part-time", "i am part time", "i am part-time", "i am working part time")),
    ("en", r"^i(?:'m| am) (?:working )?(?:back (?:to|on) (?:working )?)?part[ -]time(?P<x>) ?(?:again)?", ("i work full time", "i work full-time", "i am full time", "i am full-time", "i am working full time")),
    ("en", r"^i(?:'m| am|'ve| have)?(?: started)? eat(?:ing)? (?:eggs|dairy|cheese)(?P<x>)(?: and \w+)? again", ("i am vegan",)),
    ("de", r"^ich esse (?:jetzt )?wieder (?:fleisch|fisch)(?P<x>)", ("ich bin vegetarier", "ich bin vegetarierin", "ich bin veganer", "ich bin veganerin", "ich bin vegan")),
    ("es", r"^(?:he vuelto|volvi|vuelvo) a comer (?:carne|pescado)(?P<x>)", ("soy vegetariano", "soy vegetariana", "soy vegano", "soy vegana")),
    ("fr", r"^je (?:re)?mange (?:(?:de nouveau|a nouveau) )?(?:de la viande|du poisson)(?P<x>)(?: a nouveau)?", ("je suis vegetarien", "je suis vegetarienne", "je suis vegan")),
    ("pt", r"^(?:eu )?voltei a comer (?:carne|peixe)(?P<x>)", ("sou vegetariano", "sou vegetariana", "sou vegano", "sou vegana")),
    ("ru", r"^я (?:снова|опять) ем (?:мясо|рыбу)(?P<x>)", ("я вегетарианец", "я вегетарианка", "я веган")),
    ("de", rf"{_ICH} haben? (?P<x>.+) (?:verkauft|abgegeben|abgeschafft)", ("ich habe", "ich besitze", "ich fahre")),
    ("de", rf"{_ICH} haben? (?:mein\w* (?:job|stelle|arbeit) )?(?P<x>bei .+) (?:gekundigt|aufgehort)", ("ich arbeite",)),
    ("es", r"^(?:yo |nosotros )?(?:vendi|vendimos|hemos vendido|he vendido) (?P<x>.+)", ("tengo", "conduzco")),
    ("es", r"^(?:yo )?(?:deje|he dejado) mi (?:trabajo|puesto|empleo) (?P<x>en .+)", ("trabajo",)),
    ("fr", r"^(?:j'ai|nous avons|on a) vendu (?P<x>.+)", ("j'ai", "je possede", "je conduis")),
    ("fr", r"^j'ai quitte mon (?:poste|emploi|travail|job) (?P<x>(?:chez|a) .+)", ("je travaille",)),
    ("pt", r"^(?:eu |nos )?(?:vendi|vendemos) (?P<x>.+)", ("tenho", "dirijo")),
    ("pt", r"^(?:eu )?(?:deixei|larguei) (?:o )?meu (?:trabalho|emprego) (?P<x>n[ao] .+)", ("trabalho",)),
    ("ru", r"^(?:я уволился|я уволилась) из (?P<x>.+)", ("я работаю в",)),
    ("ru", r"^(?:я|мы) (?:продал[аи]?) (?P<x>.+)", ("у меня есть",)),
)  # fmt: skip
"""A language, a clause whose verb says that something ended, and the beginnings of what held, before `x`."""
JOB_LOST = (
    rf"{_I} (?:quit|left|lost|resigned from|gave up|given up) my (?:old )?{_JOB}",
    rf"{_I}(?: got| was| been| were)+ (?:{_DISMISSED}|the sack)(?: (?:from|at) (?:my (?:old )?{_JOB}|work))?",
    r"^they(?:'ve| have)?(?: just)? (?:laid me off|let me go|fired me|sacked me|made me redundant)",
    rf"{_I} (?:resigned|retired)",
)
"""Clauses that say that the user works for no employer, or not for the last one, any more."""
SEPARATED = (
    (rf"{_I} (?:broke|broken|split) up(?: with {_WHO})?", _LOVER, "engaged"),
    (
        rf"{_WHO} and i(?: have)?(?: just| both)? (?:(?:broke|broken|split) up|separated)",
        rf"(?:{_LOVER}|{_SPOUSE})",
        "engaged|married",
    ),
    (rf"{_WHO} (?:left me|broke up with me|dumped me)", rf"(?:{_LOVER}|{_SPOUSE})", "engaged|married"),
    (rf"(?:{_I}|{_WHO} and i)(?: got| are| have)*(?: just)? (?:divorced|separated)", _SPOUSE, "married"),
)
"""A clause that says that a couple is one no more, what the other one was, and what the user."""
TIED = r"(?:i'm|i am|we're|we are)(?: (?:now|both|happily|newly|still))* (?:{states})(?: to {name})?"
"""A statement that says just that the user is engaged or married, perhaps to whom."""
EMPLOYED_AS = r"(?i) (?:at|for) (?:(?:an?|the) (?!(?:moment|weekend|night|time)\b)|(?=(?-i:[A-ZÀ-Þ])))\S.*"
"""What follows a profession in a statement of where somebody works."""
CANCELLED = (
    r"^(?:(?:the|my|our) )?(?P<thing>[\w' -]{3,60}?)(?:'s| is| are| was| were| has| have| got)(?: been| now| just)* (?:cancell?ed|called off|off|scrapped)",
    r"^(?:i|we|they)(?:'ve| have)?(?: just| had to| need to)* (?:cancell?(?:ed)?|scrapped|called off|call off) (?:the|my|our) (?P<thing>[\w' -]{3,60}?)",
    r"^(?:i|we|they)(?:'ve| have)?(?: just)? called (?:the|my|our) (?P<thing>[\w' -]{3,60}?) off",
)
"""Clauses that say that something planned does not take place."""
PLANNED = (
    r"(?:(?:(?:the|my|our) )?{thing} (?:is|are|takes place|starts|begins|happens|will be)(?: now| set| scheduled| planned| booked)*"
    r"|(?:i|we) (?:have|'ve got|have got) (?:an?|the|my|our) {thing}) (?:(?:on|at|for|in|this|next) )?(?P<when>.+)"
)
"""A clause that says when that takes place."""
AGAIN = (
    r" (?:once )?again\b| once more\b",
    r" (?:wieder|erneut)\b",
    r"\b(?:otra vez|de nuevo|nuevamente)\b",
    r"\b[da]e? nouveau\b",
    r"\b(?:de novo|outra vez|novamente)\b",
    r"\b(?:снова|опять|вновь)\b",
)
"""The adverbs of a clause that says that something holds again, by language."""
LEFT_WORK = (
    r"^(?P<name>\w[\w'-]*) (?:(?:has |had )?(?:just |already )?(?:quit|resigned|left us|handed in (?:his|her|their) notice)"
    r"|(?:doesn't|does not|isn't|is not) (?:work(?:ing)?) (?:for|with) (?:me|us) (?:any ?more|any longer)"
    r"|no longer works (?:for|with) (?:me|us)|is no longer (?:working (?:for|with) (?:me|us)|my \w+|our \w+))$"
)
"""A clause that says that somebody works for the user no more."""
LEFT_AGAIN = (
    r"^(?P<name>(?:my|our) [\w' -]{2,40}?|\w[\w'-]*)(?: has| have|'s|'ve)?(?: just| already)?"
    r" (?:left(?: us)?|(?:gone|went|flew|flown) (?:back )?home|moved out(?: again)?|(?:is|are) gone(?: again)?)$"
)
"""A clause that says that somebody who stayed with the user is there no more."""
STAYS = (
    r"(?:is|are)(?: currently| now)? (?:staying|visiting|sleeping|living with (?:us|me)|here|over)"
    r"(?: (?:us|me|here|over|again|today|tonight|now|in town|with (?:us|me)|(?:until|till) (?:[\w'-]+ ){0,3}[\w'-]+"
    r"|(?:this|next|these|all|on) [\w'-]+|(?:at|in|on) (?:the|our|my) (?:[\w'-]+ )?[\w'-]+|at (?:ours|mine)"
    r"|for (?:[\w'-]+ ){0,3}(?:nights?|days?|weeks?|weekends?|months?|summer|winter|christmas|easter|holidays?|while|now)))*"
)
"""What somebody does there, and nothing but where and until when."""
WORKS_FOR = (
    r"(?:my|our) (?:\w+ )?(?:apprentice|assistant|intern|trainee|employee|cleaner|housekeeper|nanny|au pair|babysitter|gardener"
    r"|bookkeeper|secretary|receptionist|helper|carer|caregiver|tutor|foreman|manager|cook|driver|technician|colleague"
    r"|coworker|co-worker|labourer|journeyman)"
)
"""Who works for the user or with the user."""
AT_WORK = r"(?:(?:usually|always|only|also|now) )?(?:starts?|works?|comes?|begins?|arrives?|finishes|helps?|cleans?|covers?|is (?:in|off|here))\b"
"""What somebody does there: a statement that holds only as long as that."""
TIMES = (
    r"(?:,? (?:yesterday|today|recently|(?:last|this) \w+|(?:\w+ ){1,2}ago|(?:in|since) "
    rf"(?:{MONTHS_OF}|\d{{4}})"
    r"|gestern|heute|neulich|letzte[rsn]? \w+|ayer|hoy|la semana pasada|el (?:mes|ano) pasado|hier|la semaine derniere"
    r"|ontem|hoje|вчера|сегодня|недавно|now|either|at all|sadly|unfortunately|jetzt|leider|ahora|maintenant|agora|теперь))+$"
)
"""When something ended: no part of what held."""
_CHILDS_AGE = rf"(?:[4-9]|1\d|{'|'.join(NUMBER_WORDS[3:])})"
IN_YOUTH = (
    rf"\b(?:at (?:the )?(?:age (?:of )?)?{_CHILDS_AGE}(?=\W*$|[,;.]| years\b| already\b| because\b)"
    r"|when (?:i|we) (?:was|were|turned) (?!.*\b(?:yesterday|last|ago|this)\b)|as an? (?:\w+ )?(?:kid|child|teen\w*|boy|girl|student|toddler)"
    r"|(?:back )?in (?:(?:primary|elementary|middle|high|secondary|grade) )?(?:school|kindergarten|college|uni|university)(?=\W*$|[,;.])"
    r"|in my (?:childhood|youth|teens|(?:early |late )?(?:teens|twenties|thirties)))\b"
    r"|\bmit (?:vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|\w+zehn|1?\d)(?: jahren)?(?=\W*$|[,;.]| aufgehort| schon| bereits)"
    r"|\bals (?:kind|jugendliche\w*|teenager|schuler(?:in)?|ich .{1,30} war)\b|\bin (?:der (?:grund)?schule|meiner (?:kindheit|jugend))\b"
    r"|\ba los (?:1?\d|\w+)(?: anos)?(?=\W*$|[,;.])|\bde (?:nin[oa]|pequen[oa]|joven|chic[oa])\b|\bcuando (?:era|tenia|iba al)\b"
    r"|\ba (?:1?\d|\w+) ans\b|\bquand j'(?:etais|avais)\b|\bdans mon enfance\b|\baos (?:1?\d|\w+)(?: anos)?(?=\W*$|[,;.])"
    r"|\bquando (?:eu )?(?:era|tinha)\b|\bem crianca\b|\bв детстве\b|\bв 1?\d лет\b|\bкогда (?:мне было|я был\w*)\b"
)
"""A time of a life, folded: what ended then does not end what is said to hold now."""
SUBJECTS = _set("i we ich wir je j nous on yo nosotros eu nos я мы меня нас")
"""First persons before a verb. `I` and `we` are not told apart."""
DROPPED = {
    "en": _set("the a an my our do does still also actually really currently always just both all some any"),
    "de": _set(
        "der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren auch noch"
        " immer gerade"
    ),
    "es": _set("el la los las un una unos unas mi mis nuestro nuestra nuestros nuestras también todavía"),
    "fr": _set("le la les l un une des du de d mon ma mes notre nos aussi encore pas"),
    "pt": _set("o a os as um uma uns umas meu minha meus minhas nosso nossa também ainda"),
    "ru": _set("мой моя моё мои наш наша наше наши тоже ещё"),
}
"""Words that say nothing of what held: articles, possessives of the first person, auxiliaries."""
BE = {
    "en": _set("be am is are 'm 're"),
    "de": _set("bin ist sind"),
    "es": _set("soy somos es son"),
    "fr": _set("suis sommes est sont"),
    "pt": _set("sou somos é são"),
    "ru": _set("—"),
}
HAVE = {
    "en": _set("have has 've got"),
    "de": _set("habe haben hat"),
    "es": _set("tengo tenemos tiene"),
    "fr": _set("ai avons a"),
    "pt": _set("tenho temos tem"),
    "ru": _set("есть нет"),
}
"""Forms of `be` and `have`, of which one form stands for all."""
PREPOSITIONS = {
    "en": _set("at in on with for from to of by near under over about since until as"),
    "de": _set("bei in im an am auf mit für von vom zu zum zur aus seit bis als über unter um"),
    "es": _set("en con para de del a al desde hasta por como sobre"),
    "fr": _set("à au aux en dans avec pour chez depuis sur sous par comme"),
    "pt": _set("em no na nos nas com para de do da desde até por como sobre"),
    "ru": _set("в во на с со у для из к по до за под о об от"),
}
FREQUENCY = _set("""
    every each daily weekly monthly once twice often regularly most all anywhere early late
    jeden jede jedes täglich wöchentlich oft immer cada todos todas diario siempre chaque tous toutes souvent
    todo toda sempre каждый каждую каждое ежедневно часто
""")
"""Words with which a statement that says more may go on: how often, or when."""
UNITS = _set("""
    km kilometre kilometres kilometer kilometers mile miles metre metres meter meters minute minutes min hour hours h
    times time lap laps page pages step steps kilo kilos kg
    meilen minuten stunden stunde mal seiten kilómetros kilometros millas minutos horas veces páginas
    kilomètres minutes heures fois quilômetros quilómetros vezes км километров километра минут часов раз раза
""")
"""Units of a measure that may stand in a statement that says more: `I cycle 11 km to work`."""
GOODS = _set("""
    car estate saloon sedan hatchback coupe convertible cabrio wagon van minivan suv truck lorry pickup jeep camper campervan
    motorhome caravan trailer bike bicycle ebike motorbike motorcycle scooter moped tractor boat yacht dinghy canoe kayak
    piano guitar violin keyboard amp camera laptop phone tablet printer mower fridge washer
""")
"""Things that are called by their make, which thus may stand before them."""
NAMING = _set("named called namens genannt llamado llamada appelé appelée chamado chamada по имени")
"""Words between a thing and its name."""
ADJECTIVES_AFTER = frozenset({"es", "fr", "pt"})
"""Languages whose adjectives stand behind their noun: `un Volvo azul`."""
COUNTS = OTHER_NUMBERS.union(NUMBER_WORDS) | _set("""
    some any several many few paar einige mehrere viele varios varias muchos muchas plusieurs quelques
    vários várias muitos несколько много
""")
"""Numerals and other words of quantity before a noun."""
