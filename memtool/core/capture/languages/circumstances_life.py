"""How relatives are, what is planned for a day, and how long somebody has had a job: the rows of ten languages.

They match a clause from its start on, as those of `circumstances_*`, which come first.
"""

from __future__ import annotations

from collections.abc import Mapping

from memtool.core.capture.languages.circumstances_grammar import rows
from memtool.core.capture.languages.statement_words import (
    CONDITIONS,
    ENGLISH_DATE,
    ENGLISH_MONTH,
    KIN,
    OCCUPATIONS,
    YEAR,
    StatementForm,
)
from memtool.core.text.dates import MONTHS
from memtool.core.text.folding import search_fold

_END = r"(?!\w)"
_REST = r"(?: [\w'’/-]+){0,4}?(?= ?(?:$|[^\w\s'’/-]| {next}\b))"
_DAY = r"\d{1,2}"
_OPTIONAL_YEAR = rf"(?: {YEAR})?"


def _rest(following: str) -> str:
    """Up to four more words, until the clause ends or one of these words begins another."""
    return _REST.replace("{next}", f"(?:{following})")


_EN_MONTHS = (
    "januar",
    "februar",
    "march",
    "april",
    " may",
    "june",
    "july",
    "august",
    "septemb",
    "octob",
    "novemb",
    "decemb",
    " jan",
    " feb",
    " mar ",
    " apr ",
    " jun ",
    " jul ",
    " aug ",
    " sep",
    " oct ",
    " nov ",
    " dec ",
)
_EN_EVENT = r"(?:[\w-]+ )?(?:wedding|exams?|surgery|operation|due date|flight|trip|holiday|interview|graduation|move|baby|driving test|viva|defen[cs]e|c-section|scan|anniversary|funeral|marathon|recital|hearing|appointment|last day|first day)"
_EN_NEXT = "and|but|so|because|which|where|what|how|can|could|any|i've|then|with no"
_EN_WORKPLACE = r"(?:hospital|clinic|surgery|practice|bank|school|college|university|shop|store|bar|pub|cafe|restaurant|hotel|factory|company|firm|startup|start-up|council|library|pharmacy|bakery|garage|warehouse|nursery|daycare|salon|studio|agency|farm|brewery|museum|call centre|call center|care home|law firm|kitchen|vet'?s?)"
_EN_KIN = rf"(?:(?:\w+ )?(?:{KIN}|youngest|oldest|eldest|middle one|other half|in-laws|parents|kids?|child|children|toddler|grandson|granddaughter|grandmother|grandfather|boys?|girls?))"
_ENGLISH = rows(
    "",
    ("HAS_FAMILY", ("my ", "our "), rf"(?P<value>(?:my|our) {_EN_KIN}(?:['’]?s| is| has| are| have|['’]s got| has got| was)? (?:just |been |also |severely |a |an |newly |both |really )*(?:co?eliac|vegan|vegetarian|pescatarian|diabetic|asthmatic|autistic|dyslexic|deaf|blind|epileptic|pregnant|expecting|disabled|bedridden|wheelchair|lactose[- ]intolerant|gluten[- ]free|intolerant to [\w-]+|allergic to [\w-]+(?: (?:and|or) [\w-]+)?|diagnosed with [\w'’-]+(?: [\w'’-]+)?|{CONDITIONS}|[\w-]+ allerg(?:y|ies)|allerg(?:y|ies) to [\w-]+|dementia|alzheimer['’]?s|parkinson['’]?s|a stroke)|(?:my|our) {_EN_KIN} (?:can['’]?t|cannot|doesn['’]?t|does not|won['’]?t|don['’]?t) (?:eat|have|tolerate|drink|digest) (?!it|that|this|anything|any\b)[\w'’-]+(?: (?:and|or) [\w'’-]+)?){_END}"),
    ("HAS_FAMILY", ("got ", "have ", "having "), rf"(?:i['’]?ve|we['’]?ve|i have|we have|i|we) (?:just |also |now |only |already |recently )*(?:got|have|had|adopted) (?P<value>(?:an?|one|two|three|four|five|six|\d|twins?|triplets?)(?: (?!and\b)[\w-]+){{0,2}}? ?(?:greyhounds?|whippets?|dogs?|cats?|kittens?|pupp(?:y|ies)|rabbits?|hamsters?|parrots?|budgies?|horses?|hens|chickens|kids?|children|sons?|daughters?|boys|girls|toddlers?|teenagers?|teens|twins|triplets|babies|newborn|grandchildren|grandkids|stepkids|foster (?:kids|children))){_END}(?! (?:in|on) (?:this|that|the|an?|my) (?:\w+ )?(?:images?|photos?|pictures?|tests?|data\w*|tables?|lists?|arrays?|files?|game|code|example|story|novel|model|database|class|logo|drawing))"),
    ("HAS_TRAIT", ("we're ", "we’re ", "we are "), r"(?:we['’]re|we are) (?:both |all |a )?(?P<value>vegan|vegetarian|pescatarian|gluten[- ]free|halal|kosher|teetotal|retired|expecting|pregnant|deaf|child-?free|homeschooling)(?= ?(?:$|[^\w\s]| (?:at home|and|so|but|with|household|family)\b))"),
    ("WORKS_AT", ("work",), rf"(?:i['’]?ve been|i have been|i['’]?m|i am)?(?:i)? ?(?:currently |now |mostly |still )?work(?:ing)? (?:part[- ]time |full[- ]time |nights |weekends |days )?(?:at|for|in) (?P<value>an? (?:[\w'’-]+ ){{0,3}}?{_EN_WORKPLACE}(?: (?:in|near) [^\W\d_][\w-]*)?){_END}"),
    ("PLANS", _EN_MONTHS, rf"(?P<value>(?:my|our) {_EN_KIN}(?:['’]?s| is) due (?:on |around |in )?(?:{ENGLISH_DATE}|(?:early |late |mid[- ])?{ENGLISH_MONTH}{_OPTIONAL_YEAR})){_END}"),
    ("PLANS", _EN_MONTHS, rf"(?P<value>(?:my|our) {_EN_EVENT}(?: [\w-]+)?(?:['’]?s| is| are| falls)? (?:scheduled |booked |set |planned |due |coming up )?(?:for |on )?{ENGLISH_DATE}{_rest(_EN_NEXT)})"),
    ("PLANS", _EN_MONTHS, rf"(?P<value>(?:i['’]?m|we['’]?re|i am|we are)(?: \w+)? (?:flying|moving|travell?ing|getting married|starting|having|going to|due|leaving for|off to|running|sitting)(?: [\w'’-]+){{0,5}}? (?:on )?{ENGLISH_DATE}|(?:i|we) (?:fly|move|start|leave|have|sit)(?: [\w'’-]+){{1,5}}? on {ENGLISH_DATE}|(?:i['’]?ve got|we['’]?ve got) (?:a |an |my |our )?{_EN_EVENT} (?:on )?{ENGLISH_DATE}){_END}"),
    ("WORKS_AS", ("been ", "worked ", "working "), rf"(?:(?:i['’]?ve|ive|i have) )?(?:been|worked as|been working as) an? (?P<value>(?:[\w-]+ ){{0,2}}?(?:{OCCUPATIONS}|carer|caregiver|cleaner|courier|welder|roofer|childminder|cabbie|postie)) (?:for|since) (?:\w+ ){{0,2}}?(?:years?|months?|decades?|\d{{4}}){_END}"),
    ("WORKS_AS", ("as a",), rf"as an? (?P<value>(?:[\w-]+ ){{0,2}}?(?:{OCCUPATIONS}))(?: (?:in|at|of|on|for|with) (?:[\w'’-]+ ?){{1,4}}?)?,? (?:i|my)\b(?! (?:want|need|can|would|should|must|will|expect) )"),
    ("LIVES_IN", ("moved to", "relocated to"), rf"(?:i|we)(?:['’]ve| have)? (?:just |recently |finally )?(?:moved|relocated) to (?P<place>(?!(?:the|a|an|using|another)\b)[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?) (?:in (?:{ENGLISH_MONTH}|\d{{4}}|the \w+)|last \w+|this \w+|(?:\w+ ){{1,2}}ago|from){_END}"),
    ("HAS_CONDITION", ("had ", "diagnosed"), rf"(?:i['’]?ve had|i have had|i was diagnosed with|i['’]?ve been diagnosed with|i got diagnosed with) (?P<value>(?:(?:type|stage) \w+ )?(?:{CONDITIONS}|co?eliac(?: disease)?|crohn['’]?s(?: disease)?|parkinson['’]?s|endometriosis|hypothyroidism|psoriasis|gout|anaemia|anemia|sleep apn(?:o)?ea|ibs|pcos|ms))(?= ?(?:$|[^\w\s]| (?:since|for|and|last|this|in|at|when|from|so|but)\b))"),
)  # fmt: skip

_ES_MONTHS = (
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "setiembre",
    "octubre",
    "noviembre",
    "diciembre",
)
_ES_MONTH = f"(?:{'|'.join(_ES_MONTHS)})"
_ES_DATE = rf"{_DAY} de {_ES_MONTH}(?: del? {YEAR})?"
_ES_NEXT = "y|pero|que|asi que|porque|donde|por favor|pasame|me puedes"
_ES_KIN = r"(?:mis?|nuestr[oa]s?) (?:hij[oa]s?|niet[oa]s?|herman[oa]s?|sobrin[oa]s?|mellizos|mellizas|gemel[oa]s|bebe|marido|mujer|espos[oa]|pareja|novi[oa]|prim[oa]|abuel[oa]s?|madre|padre|mama|papa|ti[oa]|suegr[oa]s?|cunad[oa]|nin[oa]s?|peques?|crios?)(?: (?:mayor|menor|mediano|mediana|pequen[oa]|chic[oa]|grande))?"
_ES_EVENT = r"(?:boda|examen|examenes|operacion|mudanza|vuelo|viaje|graduacion|oposicion|entrevista|cita|cirugia|parto|bautizo|comunion|defensa|juicio|aniversario|despedida)"
_SPANISH = rows(
    "(?:yo |nosotros )?",
    ("HAS_FAMILY", ("mi ", "mis ", "nuestr"), rf"(?P<value>{_ES_KIN} (?:es|son|esta|tiene|tienen|padece|sufre|lleva)(?: (?:muy|ya|bastante|un|una|de|mucha|tambien))* (?:alergic[oa]s? (?:al?|a l[oa]s?)(?: [\w-]+){{1,3}}?|alergia (?:al?|a l[oa]s?) [\w-]+|intolerantes? (?:al?|a la) [\w-]+|celiac[oa]s?|diabetic[oa]s?|diabetes|asmatic[oa]|asma|autistas?|autismo|sord[oa]s?|cieg[oa]s?|vegan[oa]s?|vegetarian[oa]s?|embarazada|disléxic[oa]|dislexi[ac]\w?|hipertens[oa]|epileptic[oa]|epilepsia|tdah|demencia|alzheimer|parkinson|cancer|silla de ruedas|jubilad[oa]s?)|{_ES_KIN} no (?:puede|pueden|tolera|toleran|come|comen|bebe|beben)(?: comer| tomar| beber)? (?!nada\b|eso\b|esto\b|mas\b)(?:el |la |los |las )?[\w-]+)(?= ?(?:$|[^\w\s]| (?:{_ES_NEXT}|al|en|desde|con)\b))"),
    ("WORKS_AS", ("llevo ", "hace "), r"llevo (?:(?:ya|mas de|casi|unos) )*[\w]+ (?:anos|meses|decadas) (?:(?:trabajando )?(?:de|como) )(?!(?:esto|lo|la|el)\b)(?P<value>(?:una? )?[^\W\d_]\w+(?: (?:de|en) [^\W\d_]\w+)?)(?= ?(?:$|[^\w\s]| (?:y|pero|en|con|para|que)\b))"),
    ("WORKS_AS", ("como ",), r"como (?P<value>(?:enfermer[oa]|medic[oa]|maestr[oa]|profesora?|abogad[oa]|camarer[oa]|cociner[oa]|conductora?|camioner[oa]|cuidador[a]?|electricista|autonom[oa]|repartidor[a]?|estudiante|celador[a]?|policia|bomber[oa])(?: (?:de|en|por) [\w-]+(?: [\w-]+)?)?),? (?:yo|me|mi|tengo|no|apenas|paso|trabajo|casi)\b"),
    ("STUDIES", ("estoy en ", "curso "), r"(?:estoy en|curso) (?P<value>(?:primero|segundo|tercero|cuarto|quinto|sexto|ultimo ano|\w+ ano|\w+ semestre)(?: de)? (?!la vida\b)[^\W\d_]\w+(?: [^\W\d_]\w+)?)(?= ?(?:$|[^\w\s]| (?:en|y|pero|de)\b))"),
    ("WORKS_AT", ("trabaj",), r"trabajo (?:(?:los|las|por|de|a|unas|solo|media|medio|jornada|fines|semana|lunes|martes|miercoles|jueves|viernes|sabados|domingos|veranos|noches|tardes|mananas|tiempo|parcial|horas) ){1,6}en (?P<value>un[a]? (?:\w+(?:eria|teca|cion)|hospital|banco|colegio|instituto|escuela|tienda|bar|restaurante|hotel|fabrica|empresa|farmacia|oficina|clinica|residencia|guarderia|agencia|taller|almacen|supermercado)(?: de [\w-]+)?)(?!\w)"),
    ("PLANS", _ES_MONTHS, rf"(?P<value>(?:mi|nuestr[oa]) {_ES_EVENT}(?: [\w-]+){{0,2}}? (?:es|sera|cae)(?: el)? {_ES_DATE})"),
    ("PLANS", _ES_MONTHS, rf"(?P<value>el {_ES_DATE}(?:,| \w+){{0,2}}? (?:(?:me|nos) (?:operan|caso|casamos|mudo|mudamos|examino|voy|vamos|gradu\w+|entregan|dan|jubilo|presento|entrevistan)|tengo|tenemos|viajo|viajamos|vuelo|volamos|empiezo|empezamos|salgo|salimos|cumplo|nace|defiendo|corro)(?: (?!y\b)[\w'’-]+){{0,5}}?)(?= ?(?:$|[^\w\s]| (?:{_ES_NEXT}|y no)\b))"),
    ("PLANS", _ES_MONTHS, rf"(?P<value>(?:(?:me|nos) (?:operan|caso|casamos|mudo|mudamos|examino|voy|vamos|graduo|presento)|tengo|tenemos|viajo|viajamos|vuelo|volamos|empiezo|empezamos|salgo)(?: [\w'’-]+){{0,5}}? el {_ES_DATE}){_END}"),
    ("LIVES_IN", ("mud", "vivi"), r"(?:nos|me) (?:hemos |he )?(?:mudamos|mude|mudado|vinimos|vine) (?:a vivir )?a (?P<place>(?!(?:un|una|otro|otra|la|el)\b)[^\W\d_][\w-]*(?: [^\W\d_][\w-]*)?)(?= ?(?:$|[^\w\s]| (?:en|hace|este|el|y|desde|la)\b))"),
    ("HAS_FAMILY", ("esper", "tener"), r"(?:mi \w+ y yo )?(?P<value>(?:esperamos|espero|estamos esperando|vamos a tener) (?:un bebe|gemel[oa]s|melliz[oa]s|un[a]? (?:hij[oa]|nin[oa])|nuestro \w+ hij[oa])(?: (?:para|en) [\w-]+)?)(?!\w)"),
)  # fmt: skip

_PT_MONTHS = (
    "janeiro",
    "fevereiro",
    "marco",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
_PT_MONTH = f"(?:{'|'.join(_PT_MONTHS)})"
_PT_DATE = rf"(?:dia )?{_DAY} de {_PT_MONTH}(?: de {YEAR})?"
_PT_NEXT = "e|mas|que|entao|porque|onde|por favor|me ajuda|pode|que apoios"
_PT_KIN = r"(?:(?:o|a|os|as) )?(?:meus?|minhas?|noss[oa]s?) (?:filh[oa]s?|filhinh[oa]s?|net[oa]s?|irmaos?|irmas?|sobrinh[oa]s?|gemeos|gemeas|bebe|marido|mulher|espos[oa]|companheir[oa]|namorad[oa]|prim[oa]|avos?|mae|pai|ti[oa]|sogr[oa]s?|cunhad[oa]|entead[oa]|menin[oa]s?)(?: (?:mais (?:nov[oa]|velh[oa])|do meio|pequen[oa]|cacula))?"
_PT_EVENT = r"(?:casamento|formatura|cirurgia|operacao|mudanca|viagem|voo|prova|exame|vestibular|entrevista|consulta|parto|batizado|defesa|audiencia|concurso|noivado)"
_PORTUGUESE = rows(
    "(?:eu |nos |a gente )?",
    ("HAS_FAMILY", ("meu", "minha", "noss"), rf"(?P<value>{_PT_KIN} (?:e|sao|esta|ta|tem|sofre|anda)(?: (?:muito|ja|bastante|um|uma|de|com|tambem))* (?:alergic[oa]s? (?:a|ao|aos|as|a camarao)(?: [\w-]+){{0,2}}?|alergia (?:a|ao|aos|as) [\w-]+|intolerantes? (?:a|ao) [\w-]+|intolerancia (?:a|ao) [\w-]+|celiac[oa]s?|diabetic[oa]s?|diabetes|asmatic[oa]|asma|autistas?|autismo|surd[oa]s?|ceg[oa]s?|vegan[oa]s?|vegetarian[oa]s?|gravida|dislexic[oa]|hipertens[oa]|epileptic[oa]|epilepsia|tdah|demencia|alzheimer|parkinson|cancer|cadeirante|acamad[oa]|aposentad[oa]s?|reformad[oa]s?)|{_PT_KIN} nao (?:pode|podem|tolera|toleram|come|comem|bebe|bebem)(?: comer| tomar| beber)? (?!nada\b|isso\b|isto\b|mais\b)(?:o |a |os |as )?[\w-]+)(?= ?(?:$|[^\w\s]| (?:{_PT_NEXT}|vai|ao|no|na|em|desde|com)\b))"),
    ("HAS_TRAIT", ("desempreg", "de licenca", "de baixa"), r"(?P<value>(?:to|tou|estou|fiquei|ando) (?:desempregad[oa]|de licenca|de baixa|afastad[oa])(?: (?:desde|ha|faz) \w+(?: \w+)?)?)(?!\w)"),
    ("WORKS_AS", ("trabalho ", "sou "), r"(?:trabalho|sou|atuo) (?:ha|faz) (?:\w+ ){1,2}(?:anos|meses) (?:como )?(?P<value>[^\W\d_]\w+(?: (?:de|em) [^\W\d_]\w+)?)(?= ?(?:$|[^\w\s]| (?:e|mas|em|no|na|com)\b))"),
    ("WORKS_AS", ("ha ", "faz ", "como "), r"(?:ha|faz) (?:\w+ ){1,2}(?:anos|meses) (?:que )?(?:trabalho como|sou|atuo como) (?P<value>(?:uma? )?[^\W\d_]\w+(?: (?:de|em) [^\W\d_]\w+)?)(?= ?(?:$|[^\w\s]| (?:e|mas|em|no|na|com)\b))|como (?P<value2>(?:enfermeir[oa]|medic[oa]|professora?|advogad[oa]|motorista|cozinheir[oa]|cuidador[a]?|eletricista|estudante|policial|bombeir[oa]|autonom[oa])(?: (?:de|em|no|na) [\w-]+)?),? (?:eu|meu|minha|tenho|nao|mal|quase)\b"),
    ("WORKS_AS", ("sou ", "trabalho "), r"(?:sou|trabalho como) (?P<value>(?:uma? )?(?:tecnic[oa]|auxiliar|agente|analista|assistente|gerente|coordenador[a]?|operador[a]?|atendente|diretor[a]?|instrutor[a]?|consultor[a]?|representante|chefe|supervisor[a]?) (?:de|da|do|em) [^\W\d_]\w+)(?!\w)"),
    ("OWNS", ("tenho ", "temos "), r"(?:tenho|temos) (?P<value>uma? (?:oficina|salao|restaurante|cafe|bar|livraria|farmacia|escola|clinica|estudio|banca|pousada|atelie|mercearia|barbearia|fabrica|escritorio)(?: (?:de|em) [\w-]+)?)(?= ?(?:$|[^\w\s]| (?:em|no|na|ha|e|que|com)\b))"),
    ("PLANS", _PT_MONTHS, rf"(?P<value>(?:(?:o|a) )?(?:meu|minha|noss[oa]) {_PT_EVENT}(?: [\w-]+){{0,2}}? (?:e|sera|vai ser|fica|esta marcad[oa] para)(?: no| em| para)?(?: o)? {_PT_DATE})"),
    ("PLANS", _PT_MONTHS, rf"(?P<value>(?:no |em |a )?{_PT_DATE}(?:,| \w+){{0,2}}? (?:(?:eu )?(?:vou|vamos|viajo|viajamos|me caso|nos casamos|caso|casamos|me mudo|mudo|comeco|comecamos|tenho|temos|opero|embarco|defendo|faco|presto))(?: (?!e\b)[\w'’-]+){{0,5}}?)(?= ?(?:$|[^\w\s]| (?:{_PT_NEXT})\b))"),
    ("PLANS", _PT_MONTHS, rf"(?P<value>(?:vou|vamos|viajo|viajamos|me caso|nos casamos|caso-me|me mudo|mudo-me|comeco|comecamos|tenho|temos|embarco|defendo)(?: [\w'’-]+){{0,5}}? (?:no |em |a )?{_PT_DATE}){_END}"),
    ("HAS_FAMILY", ("esper", "gravid"), r"(?:(?:o |a )?(?:meu|minha) \w+ e eu )?(?P<value>(?:estamos a espera|estou a espera|estamos esperando|esperamos|vamos ter) (?:de )?(?:um bebe|gemeos|gemeas|um[a]? (?:filh[oa]|menin[oa]))(?: (?:para|em) [\w-]+)?)(?!\w)"),
)  # fmt: skip

_FR_MONTHS = (
    "janvier",
    "fevrier",
    "mars",
    "avril",
    " mai",
    "juin",
    "juillet",
    "aout",
    "septembre",
    "octobre",
    "novembre",
    "decembre",
)
_FR_MONTH = search_fold(f"(?:{MONTHS['fr'].replace(' ', '|')})")
_FR_DATE = rf"(?:le (?:\w+di |dimanche )?{_DAY}(?:er)?|du {_DAY}(?:er)?(?: {_FR_MONTH})? au {_DAY}) {_FR_MONTH}{_OPTIONAL_YEAR}"
_FR_NEXT = "et|mais|donc|parce|car|ou|comment|tu|vous|est-ce"
_FR_KIN = r"(?:mon|ma|mes|notre|nos) (?:\w+ )?(?:fils|filles?|garcons?|enfants?|freres?|s(?:oe|œ)urs?|neveux?|nieces?|jumeaux|jumelles|bebe|ados?|mari|femme|epou[sx]e?|conjointe?|compagn[eo]n?e?|copine|copain|cousine?|grand-mere|grand-pere|mere|pere|maman|papa|tante|oncle|belle-mere|beau-pere|beaux-parents|parents)(?: (?:aine|ainee|cadet|cadette))?"
_FR_EVENT = r"(?:mariage|examen|concours|operation|demenagement|vol|voyage|soutenance|entretien|rendez-vous|accouchement|bapteme|anniversaire|depart|preavis|contrat|conge|permis)"
_FR_JOB = r"(?:infirmi(?:er|ere)|aide[- ]soignante?|sage-femme|medecin|institut(?:eur|rice)|prof|enseignante?|avocate?|cuisini(?:er|ere)|serveu(?:r|se)|chauffeu(?:r|se)|comptable|plombi(?:er|ere)|electricien(?:ne)?|menuisi(?:er|ere)|etudiante?|pompi(?:er|ere)|polici(?:er|ere)|coiffeu(?:r|se)|boulang(?:er|ere)|agricult(?:eur|rice)|facteur|factrice|vendeu(?:r|se)|auxiliaire de vie|assistante? maternelle|conduct(?:eur|rice))"
_FRENCH = rows(
    "(?:moi,? )?",
    ("HAS_FAMILY", ("mon ", "ma ", "mes ", "notre", "nos "), rf"(?P<value>{_FR_KIN} (?:est|sont|a|ont|souffre|vient d['’]etre)(?: (?:tres|aussi|deja|un|une|de|du|d['’]|severement))*[ '’]?(?:allergiques? (?:aux?|a la|a l['’]|a) ?[\w-]+(?: [\w-]+)?|allergie (?:aux?|a la|a l['’]) ?[\w-]+|intolerante?s? (?:aux?|a la) [\w-]+|c[oœ]?eliaque|diabetiques?|diabete|asthmatiques?|asthme|autistes?|sourde?s?|malentendante?|aveugle|malvoyante?|vegan[e]?s?|vegetarien(?:ne)?s?|enceinte|dyslexiques?|hypertendue?|epileptiques?|tdah|alzheimer|parkinson|cancer|en fauteuil(?: roulant)?|handicapee?s?|retraitee?s?)|{_FR_KIN} (?:ne |n['’])?(?:peut|peuvent|supporte|supportent|mange|mangent|boit|boivent|digere)(?: pas| plus)(?: manger| boire)? (?:de |d['’]|le |la |les )?(?!ca\b|rien\b)[\w-]+|{_FR_KIN} (?:a|ont|est|sont|vient d['’]|viennent d['’]) ?(?:emmenage|emmenager|demenage|venue? vivre|venus vivre|vit|vivent) (?:chez|avec) \w+)(?= ?(?:$|[^\w\s]| (?:{_FR_NEXT}|a|en|depuis|avec|au)\b))"),
    ("WORKS_AS", ("depuis ",), rf"(?:je suis )?(?P<value>{_FR_JOB}(?: [\w-]+)?) depuis (?:\w+ ){{1,2}}?(?:ans|mois|annees|\d{{4}}){_END}"),
    ("WORKS_AS", ("comme ", "en tant"), rf"(?:comme|en tant qu['’]?e?) ?(?P<value>{_FR_JOB}(?: [\w-]+)?),? (?:je|j['’]|mon|ma|mes)"),
    ("PLANS", _FR_MONTHS, rf"(?P<value>(?:mon|ma|notre) {_FR_EVENT}(?: [\w-]+){{0,2}}? (?:est|sera|tombe|se termine|finit|commence|a lieu|est prevue?) {_FR_DATE})"),
    ("PLANS", _FR_MONTHS, rf"(?P<value>(?:je|j['’]|on|nous) ?(?:me |m['’]|se |nous )?(?:commence|commencons|pars|part|partons|demenage|demenageons|marie|marions|passe|passons|ai|a|avons|suis operee?|prends|embauche|fais|vais|accouche)(?: [\w'’-]+){{0,6}}? {_FR_DATE})"),
    ("PLANS", _FR_MONTHS, rf"(?P<value>{_FR_DATE},? (?:je|j['’]|on|nous) ?(?:me |m['’]|se |nous )?(?:commence|pars|part|partons|demenage|demenageons|marie|marions|passe|passons|ai|a|avons|suis operee?|prends|fais|vais|accouche)(?: (?!et\b)[\w'’-]+){{0,5}}?)(?= ?(?:$|[^\w\s]| (?:{_FR_NEXT})\b))"),
    ("HAS_FAMILY", ("attend",), r"(?P<value>(?:on|nous) attend(?:ons)? (?:un bebe|des jumeaux|des jumelles|notre \w+ enfant|un enfant|une (?:petite )?fille|un (?:petit )?garcon)(?: pour [\w-]+)?)(?!\w)"),
)  # fmt: skip

_DE_MONTH = search_fold(f"(?:{MONTHS['de'].replace(' ', '|')})")
_DE_DATE = rf"(?:am |den |zum )?{_DAY}\.? ?(?:{_DE_MONTH}{_OPTIONAL_YEAR}|{_DAY}\.(?:\d{{2,4}})?)"
_DE_KIN = r"(?:mein|meine|unser|unsere) (?:\w+(?:e|er|ste|ster) )?(?:sohn|sohne|tochter|kind(?:er)?|enkel(?:in|kinder)?|bruder|schwester|neffe|nichte|zwillinge|baby|mann|frau|ehemann|ehefrau|partner(?:in)?|freund(?:in)?|verlobte[r]?|oma|opa|mutter|vater|mama|papa|schwiegermutter|schwiegervater|schwiegereltern|eltern|junge|madchen)"
_DE_EVENT = r"(?:hochzeit|\w*prufung|umzug|operation|op|flug|reise|urlaub|abschluss\w*|abitur|examen|\w*termin|einschulung|taufe|verteidigung|entbindung|\w*gesprach|kur|reha|marathon)"
_DE_GO = r"(?:fliege|fliegen|ziehe|ziehen|heirate|heiraten|fange|fangen|beginne|starte|fahre|fahren|reise|reisen|werde|habe|hab|haben|laufe|schreibe|bekomme|bekommen)"
_DE_NEXT = "und|aber|weil|denn|hilf|was|wie|kannst"
_DE_JOB = r"(?:\w{0,20}(?:pfleger|schwester|pflegerin|lehrer|fahrer|fuhrer|arzt|arztin|techniker|mechaniker|elektriker|elektroniker|meister|berater|entwickler|ingenieur|leiter|verkaufer|koch|kochin|kellner|erzieher|polizist|backer|maurer|maler|schreiner|tischler|friseur|student|hebamme|sanitater|anwalt|anwaltin|beamter|beamtin|landwirt|gartner|apotheker|buchhalter|bote|helfer|kraft|fachfrau|fachmann))(?:in)?"
_GERMAN = rows(
    "",
    ("HAS_FAMILY", ("mein", "unser"), rf"(?P<value>{_DE_KIN} (?:vertragt|vertragen|isst|essen|trinkt|mag) (?:leider |gar |uberhaupt |auch )*kein(?:e|en)? [\w-]+(?: (?:und|oder) (?:keine? )?[\w-]+)?|{_DE_KIN} (?:darf|durfen|kann|konnen) (?:leider |gar |uberhaupt )*kein(?:e|en)? [\w-]+ (?:essen|trinken)|{_DE_KIN} (?:ist|sind) (?:leider |auch |sehr |stark |schwer |seit [\w-]+(?: \w+)? |im \w+ monat )*(?:vegan\w*|vegetari\w+|taub|gehorlos|schwerhorig|blind|schwanger|autist\w*|\w*behindert|dement|pflegebedurftig|diabetiker(?:in)?|asthmatiker(?:in)?|laktoseintolerant|allergisch (?:gegen|auf) [\w-]+(?: (?:und|oder) [\w-]+)?|rentner(?:in)?|in rente)|{_DE_KIN} (?:hat|haben|leidet an|leidet unter) (?:leider |auch |seit [\w-]+(?: \w+)? |ein(?:e|en)? |starke |schwere )*\w*(?:allergie|unvertraglichkeit|intoleranz|diabetes|asthma|adhs|krebs|demenz|alzheimer|parkinson|epilepsie|zoliakie|rheuma|down-syndrom|autismus|legasthenie|neurodermitis)(?: gegen [\w-]+)?){_END}"),
    ("HAS_FAMILY", ("haben ", "hab ", "bekommen"), r"(?P<value>(?:wir|ich) (?:haben|habe|hab|bekommen) (?:seit (?:\w+ ){1,3}|seit \w+ |jetzt |inzwischen |auch |gerade |frisch )?(?:zwillinge|drillinge|ein baby|ein neugeborenes|(?:zwei|drei|vier|funf|\d) (?:\w+ )?(?:kinder|hunde|katzen|sohne|tochter|jungs|madchen)))(?!\w)"),
    ("HAS_TRAIT", ("esse ", "trinke ", "vertrage "), r"(?:ich )?(?P<value>(?:esse|trinke|vertrage) (?:ich )?(?:seit (?:\w+ ){1,3}?|schon |gar |uberhaupt |grundsatzlich )+kein(?:e|en)? [\w-]+(?: mehr)?)(?!\w)"),
    ("WORKS_AS", ("als ",), rf"als (?P<value>{_DE_JOB}(?: (?:im|in|mit|an|bei|auf) (?:der |einer |einem )?\w+)?),? (?:\w+ ){{1,3}}?(?:ich|mir|mich)\b"),
    ("WORKS_AS", ("seit ",), rf"(?:ich )?(?:bin|arbeite) (?:ich )?(?:jetzt |nun |schon )?seit (?:\w+ ){{1,2}}?(?:jahren|monaten|\d{{4}}) (?:als )?(?P<value>{_DE_JOB}){_END}"),
    ("PLANS", ("mein", "unser"), rf"(?P<value>(?:mein|meine|unser|unsere) {_DE_EVENT} (?:ist|sind|steht|findet) (?:\w+ )?{_DE_DATE})"),
    ("PLANS", ("am ", "ab "), rf"(?P<value>(?:am |ab )?{_DE_DATE} {_DE_GO} (?:ich|wir)(?: (?!und\b)[\w'’-]+){{0,5}}?)(?= ?(?:$|[^\w\s]| (?:{_DE_NEXT})\b))"),
    ("PLANS", ("ich ", "wir "), rf"(?P<value>(?:ich|wir) {_DE_GO} (?:[\w'’-]+ ){{0,2}}?{_DE_DATE}(?: (?!und\b)[\w'’-]+){{0,4}}?)(?= ?(?:$|[^\w\s]| (?:{_DE_NEXT})\b))"),
    ("HAS_FAMILY", ("erwart",), r"(?P<value>(?:wir|ich) erwarte[n]? (?:im \w+ |bald )?(?:zwillinge|ein baby|ein kind|unser \w+ kind|einen sohn|eine tochter|nachwuchs)(?: im \w+)?)(?!\w)"),
)  # fmt: skip

_RU_MONTHS = (
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
)
_RU_MONTH = f"(?:{'|'.join(_RU_MONTHS)})"
_RU_DATE = rf"(?:{_DAY}(?:-го)?|(?:двадцать |тридцать )?[а-я]{{3,14}}(?:ого|его)) {_RU_MONTH}(?: {YEAR}(?: года| г\.?)?)?"
_RU_GO = r"(?:лечу|летим|еду|едем|уезжаю|уезжаем|переезжаю|переезжаем|выхожу|начинаю|сдаю|женюсь|ложусь|рожаю|защищаю(?:сь)?|бегу|улетаю|улетаем|выступаю|прилетаю)"
_RU_EVENT = r"(?:свадьба|экзамен|операция|переезд|рейс|поездка|отпуск|защита|собеседование|выпускной|роды|юбилей|суд|прием|марафон|концерт)"
_RU_SICK = r"(?:аллерги\w+(?: на [а-я]+)?|диабет|астма|целиакия|непереносимость [а-я]+|эпилепси\w|аутизм|сдвг|деменция|гипертония|болезнь \w+|рак|онкология|инсульт)"
_RU_OF = r"(?:сына|дочки|дочери|мужа|жены|мамы|папы|отца|матери|брата|сестры|бабушки|дедушки|ребенка|детей|внука|внучки|тещи|свекрови|парня|девушки|малыша|младшего|старшего|младшей|старшей)"
_RUSSIAN = rows(
    "(?:а |и |но |кстати,? )?",
    ("HAS_FAMILY", ("у ",), rf"(?P<value>у (?:моего |моей |нашего |нашей )?(?:младшего |младшей |старшего |старшей )?{_RU_OF} (?:тоже |с детства |сильная |сахарный |недавно )*(?:{_RU_SICK}))(?!\w)"),
    ("HAS_FAMILY", ("сын", "доч", "муж", "жен", "мам", "пап", "сестр", "брат", "ребен", "бабушк", "дедушк"), r"(?P<value>(?:мо[йя]|наш[а]?)? ?(?:сын|дочь|дочка|муж|жена|мама|папа|сестра|брат|ребенок|бабушка|дедушка) (?:тоже |совсем |вообще )?(?:не (?:ест|пьет|переносит) (?!ничего|это|так)[а-я]+(?: (?:и|ни) [а-я]+)?|беременна|на \w+ месяце|глух(?:ой|ая)|слеп(?:ой|ая)|веган\w*|вегетариан\w+|аллерги(?:к|чка)|диабети(?:к|чка)|инвалид|аутист))(?!\w)"),
    ("LIVES_IN", ("жив",), r"(?:живу|живем) (?:(?:с|со|вместе|вдвоем|втроем|уже|сейчас) )(?:[а-я]+ ){1,5}?(?:в|на) (?P<place>(?!(?:одном|одной|доме|квартире|мире|общежитии|двушке|однушке)\b)[а-я][а-я-]+)(?= ?(?:$|[^\w\s-]| (?:и|а|с|уже|на)\b))"),
    ("LIVES_IN", ("перебрал", "переехал"), r"(?:мы с (?:мужем|женой|семьей|детьми|парнем|девушкой) |мы |я )?(?:(?:[а-я]+ ){1,3}?как |недавно |в \w+ |\w+ назад ){0,2}(?:перебрал(?:ись|ся|ась)|переехал[аи]?) (?:жить )?в (?P<place>(?!нов|друг|соседн)[а-я][а-я-]+)(?= ?(?:$|[^\w\s]| (?:и|а|из|с|до|от)\b))"),
    ("WORKS_AS", (" лет ", "год"), r"(?:я )?(?:уже )?[\w]+ (?:лет|года|год|месяцев) (?:уже )?(?:работаю|тружусь|служу) (?P<value>(?:[а-я]+(?:ым|им|ой|ей) )?[а-я]+(?:ом|ем|ой|ей|ером|истом|телем|цей))(?!\w)"),
    ("PLANS", _RU_MONTHS, rf"(?P<value>(?:мо[йя]|наша?|у меня|у нас) {_RU_EVENT}(?: [—–-])? {_RU_DATE}|(?:у меня|у нас) {_RU_DATE} {_RU_EVENT}|{_RU_DATE} у (?:меня|нас) (?:[а-я]+ )?{_RU_EVENT}|{_RU_EVENT} (?:[а-я]+ )?у (?:меня|нас) {_RU_DATE})(?!\w)"),
    ("PLANS", _RU_MONTHS, rf"(?P<value>{_RU_DATE} (?:я |мы )?{_RU_GO}(?: (?!и\b)[а-я-]+){{0,5}}?)(?= ?(?:$|[^\w\s]| (?:и|а|но)\b))|(?P<value2>(?:я |мы )?{_RU_GO} (?:[а-я-]+ ){{0,4}}?{_RU_DATE})(?!\w)"),
    ("LIVES_IN", ("жив",), r"(?:мы с [а-я]+(?: и [а-я]+)? |мы всей семьей |вся семья )(?:уже \w+ \w+ )?(?:живем|живет) (?:в|на|под) (?P<place>(?!(?:одном|одной|доме|квартире|мире)\b)[а-я][а-я-]+)(?= ?(?:$|[^\w\s-]| (?:и|а|с|уже|на)\b))"),
    ("HAS_FAMILY", ("исполни",), r"(?P<value>(?:моему |моей |нашему |нашей )?(?:младшему |младшей |старшему |старшей )?(?:сыну|дочке|дочери|ребенку|внуку|внучке|мужу|жене|маме|папе|бабушке|дедушке|брату|сестре) (?:(?:в|во|осенью|весной|летом|зимой|скоро|недавно|уже|на) ?[а-я]* ?)?(?:исполнится|исполнилось|исполняется) [\w-]+(?: (?:лет|года|год))?)(?!\w)"),
)  # fmt: skip

_TR_MONTHS = (
    "ocak",
    "subat",
    "mart",
    "nisan",
    "mayis",
    "haziran",
    "temmuz",
    "agustos",
    "eylul",
    "ekim",
    "kasim",
    "aralik",
)
_TR_MONTH = f"(?:{'|'.join(_TR_MONTHS)})"
_TR_DATE = rf"{_DAY} {_TR_MONTH}{_OPTIONAL_YEAR}(?:['’]?(?:da|de|ta|te))?"
_TR_KIN = r"(?:(?:kucuk|buyuk|ortanca) )?(?:oglum|kizim|cocugum|ikizlerim|torunum|kardesim|abim|ablam|yegenim|bebegim|esim|kocam|karim|nisanlim|sevgilim|annem|babam|teyzem|amcam|dayim|kayinvalidem|kayinpederim|anneannem|babaannem|dedem)"
_TR_GEN = r"(?:(?:kucuk|buyuk|ortanca) )?(?:oglumun|kizimin|cocugumun|torunumun|kardesimin|abimin|ablamin|yegenimin|bebegimin|esimin|kocamin|karimin|nisanlimin|annemin|babamin|kayinvalidemin|dedemin)"
_TR_SICK = r"(?:alerjisi|sekeri|diyabeti|astimi|colyagi|tansiyonu|epilepsisi|otizmi|kanseri|alzheimeri|parkinsonu|intoleransi)"
_TURKISH = rows(
    "(?:benim |bizim )?",
    ("HAS_FAMILY", ("m ", "min ", "mun "), rf"(?P<value>{_TR_GEN} (?:\w+(?:['’]?[ae])? ){{0,2}}?{_TR_SICK} var|{_TR_KIN} (?:\w+(?:['’]?(?:y?[ae]))? )?(?:alerjik|vejetaryen|vegan|diyabetli|astimli|colyakli|otizmli|hamile|sagir|isitme engelli|gorme engelli|engelli|emekli|\w+ hastasi)|{_TR_KIN} (?:\w+ )?\w+ (?:yiyemiyor|yemiyor|icemiyor|icmiyor|tuketemiyor))(?!\w)"),
    ("HAS_FAMILY", (" var",), r"(?P<value>(?:ikiz |kucuk |buyuk |\w+ yasinda )?(?:kizlarim|ogullarim|cocuklarim|kizim|oglum|torunlarim|kedilerim|kopeklerim|uvey \w+m) var)(?= ?(?:$|[^\w\s'’-]| (?:ve|ama)\b))"),
    ("PLANS", _TR_MONTHS, rf"(?P<value>{_TR_DATE} (?:(?!ve\b)[\w'’]+ ){{0,4}}?(?:gidiyor(?:um|uz)|tasiniyor(?:um|uz)|evleniyor(?:um|uz)|ucuyor(?:um|uz)|basliyor(?:um|uz)|oluyorum|giriyor(?:um|uz)|cikiyor(?:um|uz)|doguruyorum|mezun oluyorum|(?:sinavim|ameliyatim|dugunum|dugunumuz|ucusum|randevum|mulakatim|tasinmam|yolculugum) var))(?!\w)"),
    ("PLANS", _TR_MONTHS, rf"(?P<value>(?:dugunum|dugunumuz|sinavim|ameliyatim|ucusum|mezuniyetim|mulakatim|yolculugumuz) {_TR_DATE})(?!\w)"),
    ("WORKS_AS", ("yildir", "senedir"), r"(?:\w+ )?(?:yildir|senedir) (?P<value>(?:\w+ ){0,2}?(?:hemsire|doktor|ogretmen|avukat|muhendis|asci|garson|sofor|mimar|yazilimci|muhasebeci|tesisatci|elektrikci|marangoz|gazeteci|memur|veteriner|eczaci|polis|tamirci|kuafor|firinci|ciftci|terzi|hasta bakici|bakici|kurye|postaci|itfaiyeci))(?:y?[iu]m|lik yapiyorum|luk yapiyorum| olarak calisiyorum)(?!\w)"),
    ("WORKS_AS", ("olarak",), r"(?:ozel |devlet |bir |kucuk |buyuk )*\w+['’]?(?:[dt][ae]|nda|nde) (?P<value>(?:\w+ )?\w+) olarak (?:\w+ )?calisiyor(?:um|uz)(?!\w)"),
)  # fmt: skip

_UZ_MONTHS = (
    "yanvar",
    "fevral",
    "mart",
    "aprel",
    "may",
    "iyun",
    "iyul",
    "avgust",
    "sentabr",
    "oktabr",
    "noyabr",
    "dekabr",
)
_UZ_MONTH = f"(?:{'|'.join(_UZ_MONTHS)})"
_UZ_DATE = (
    rf"(?:{YEAR}[- ]?yil(?:ning)? )?{_DAY}[- ]?{_UZ_MONTH}(?:da| kuni)?(?: {YEAR}(?:[- ]?yil(?:da)?)?)?"
)
_UZ_KIN = r"(?:(?:kichik|katta|o'rtancha) )?(?:o'g'lim|qizim|farzandim|bolam|egizaklarim|nabiram|ukam|akam|opam|singlim|jiyanim|erim|xotinim|turmush o'rtog'im|ayolim|kelinim|onam|otam|oyim|dadam|buvim|bobom|qaynonam|qaynotam)"
_UZBEK = rows(
    "(?:mening |bizning )?",
    ("HAS_FAMILY", (" bor", "allergiya"), rf"(?P<value>{_UZ_KIN}(?:da|ning)? (?:[\w']+(?:ga|dan)? ){{0,2}}?(?:(?:qand|qandli|yurak|buyrak|jigar|oshqozon|shakar) (?:kasali|diabeti?|kasalligi)|diabeti?|astmasi|astma|allergiyasi|allergiya|gipertoniyasi?|autizmi?|epilepsiyasi?|qon bosimi|saratoni?) bor|{_UZ_KIN} (?:[\w']+ )?(?:[\w']+) (?:yemaydi|ichmaydi|yeya olmaydi|icha olmaydi|ko'tara olmaydi)|{_UZ_KIN} (?:homilador|kar|ko'r|nogiron|vegetarian|vegan|diabetik))(?!\w)"),
    ("PLANS", _UZ_MONTHS, rf"(?P<value>{_UZ_DATE} (?:(?!va\b)[\w']+ ){{0,4}}?(?:uchaman|uchamiz|ketaman|ketamiz|boraman|boramiz|ko'chaman|ko'chamiz|uylanaman|boshlayman|topshiraman|turmushga chiqaman|to'yim(?:iz)?|imtihonim|operatsiyam|bitiruvim|suhbatim|safarim|parvozim)|(?:to'yim(?:iz)?|imtihonim|operatsiyam|suhbatim) {_UZ_DATE}|(?:kelasi (?:yil|oy) |shu yil )?{_UZ_DATE} [\w']+(?:imning|mning|imizning) (?:to'yi|imtihoni|operatsiyasi|bitiruvi|tug'ilgan kuni|nikohi))(?!\w)"),
    ("WORKS_AS", ("dars beraman", "o'qitaman"), r"(?:men )?(?:[\w']+ ){0,2}?(?P<value>(?:maktabda|litseyda|kollejda|universitetda|institutda|kursda) (?:[\w']+ ){1,2}?(?:fanidan|tilidan|dan) ?(?:dars beraman|o'qitaman))(?!\w)"),
    ("WORKS_AS", ("yildan beri", "yildir"), r"(?:men )?(?:[\w']+ )?(?:yildan beri|yildir) (?P<value>(?:[\w']+ ){0,2}?(?:hamshira|shifokor|o'qituvchi|advokat|muhandis|oshpaz|haydovchi|dasturchi|buxgalter|santexnik|elektrik|duradgor|jurnalist|tarjimon|sartarosh|novvoy|dehqon|fermer|sotuvchi|quruvchi|tikuvchi|enaga))(?:man|lik qilaman| bo'lib ishlayman)(?!\w)"),
    ("LIVES_IN", ("yashaym", "turam"), r"(?:[\w']+m(?:iz)? bilan |oilaviy |hammamiz )+(?P<place>(?!(?:bu|shu|uyda)\b)[^\W\d_][\w'’]{2,}?)(?: shahri)?da (?:yashaymiz|yashayman|turamiz|turaman)(?!\w)"),
    ("ALLERGIC_TO", ("allergiya",), r"menda (?P<value>[\w']+(?:ga|dan)) (?:nisbatan )?(?:kuchli )?allergiya bor(?!\w)"),
)  # fmt: skip

_ZH_KIN = "(?:我|我家|我们家|咱家)?的?(?:大|小|二)?(?:儿子|兒子|女儿|女兒|闺女|孩子|娃|宝宝|老公|丈夫|先生|老婆|妻子|太太|爱人|男朋友|女朋友|男友|女友|妈妈|爸爸|我妈|我爸|母亲|父亲|老妈|老爸|奶奶|爷爷|外婆|外公|姥姥|姥爷|岳父|岳母|公公|婆婆|哥哥|弟弟|姐姐|妹妹|孙子|孙女)"
_ZH_SICK = "(?:糖尿病|高血压|高血壓|哮喘|自闭症|多动症|癫痫|痛风|老年痴呆|阿尔茨海默(?:症|病)?|帕金森|乳糖不耐受?|癌症|中风|抑郁症)"
_ZH_DATE = r"(?:(?:(?:19|20)\d\d|[一二][〇零○一二三四五六七八九]{3})年)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号號]?"
_ZH_EVENT = "(?:考研|考试|考試|高考|结婚|結婚|婚礼|婚禮|手术|手術|搬家|出国|出國|出差|答辩|答辯|面试|面試|预产期|預產期|入职|开学|毕业|飞|去|回|办婚礼|生日|动手术|旅行|旅游)"
_CHINESE = rows(
    "",
    ("HAS_FAMILY", ("过敏", "過敏", "有", "得", "患", "怀孕", "懷孕", "不能吃", "不吃"), rf"(?P<value>{_ZH_KIN}(?:今年|现在|已经|从小|也|一直|刚|查出|确诊|确诊了|被查出){{0,2}}(?:(?:对|對)[^\n，。,！？；这那]{{1,8}}?(?:严重|嚴重)?(?:过敏|過敏)|(?:有|得了|患了?|是)?(?:点|轻度)?{_ZH_SICK}|(?:怀孕|懷孕)(?:了|[一二三四五六七八九十两\d]+个?多?(?:月|周)了?)?|(?:不能吃|不吃|吃不了)(?!了|饭|完|到|得|下|这|那)[\u3400-\u9fff]{{1,6}}?|(?:是)?(?:聋哑人|盲人|素食者|自闭症)))(?=$|[^\w]|了|的|过年|，|[\u3400-\u9fff])"),
    ("HAS_FAMILY", ("我家", "家里", "家裡"), r"(?P<value>(?:我家|我们家|家里|家裡)(?:就|有|一共|现在)?(?:两|兩|三|四|五|一|\d)(?:个|個|只|隻|条|條)(?:娃|孩子|小孩|儿子|女儿|老人|狗|猫|狗狗|猫咪))(?=$|[^\w]|在|，)"),
    ("HAS_TRAIT", ("退休",), r"(?P<value>(?:我)?(?:去年|今年|前年|刚|刚刚|上个?月|\d+年)?(?:从[^\n，。,！？]{1,8}?)退休(?:了)?)(?=$|[^\w])"),
    ("LIVES_IN", ("住",), r"(?:现在|目前)?(?:跟|和|与)(?:我)?(?:老伴|老公|老婆|家人|爸妈|父母|孩子|女朋友|男朋友|妻子|丈夫|室友)(?:一起)?(?:就)?住在(?P<place>(?!一起|哪|这|那)[\u3400-\u9fff]{2,8}?)(?=$|[^\w])"),
    ("LIVES_IN", ("家在", "家住", "老家"), r"我们?家(?:现在)?(?:在|住)(?P<value>(?!哪|这|那|吗|一)[\u3400-\u9fff]{2,6}?)(?=$|[^\w])"),
    ("WORKS_AS", ("年", "做", "当"), r"(?:我)?(?:在(?P<at>[^\n，。,！？]{1,10}?))?(?:做|当|當|干|开|跑)了(?:快|将近|差不多)?[一二三四五六七八九十两几\d]{1,3}(?:多)?年(?:的)?(?P<value>[\u3400-\u9fff]{2,6}?)(?:了)?(?=$|[^\w])"),
    ("PLANS", ("月",), rf"(?P<value>(?:我|我们|咱们)(?:全家|一家人?|几个人?)?(?:(?:和|跟)[^\n，。,！？；]{{1,5}}?)?(?:打算|计划|准备|定在|是|在|将)?{_ZH_DATE}(?:要|就|就要|打算|准备)?[^\n，。,！？；]{{0,6}}?{_ZH_EVENT}[^\n，。,！？；]{{0,8}}|{_ZH_DATE}(?:我|我们|咱们)(?:全家|一家人?)?(?:要|就要|打算|准备|得)?[^\n，。,！？；]{{0,6}}?{_ZH_EVENT}[^\n，。,！？；]{{0,8}})(?=$|[^\w])"),
)  # fmt: skip

_JA_KIN = "(?:うちの|私の|僕の|我が家の)?(?:息子|娘|子供|子ども|双子|孫|兄|弟|姉|妹|甥|姪|夫|旦那|主人|妻|嫁|奥さん|彼氏|婚約者|母|父|祖母|祖父|義母|義父|赤ちゃん|長男|長女|次男|次女)"
_JA_DATE = r"(?:(?:(?:19|20)\d\d|令和(?:\d{1,2}|[一二三四五六七八九十]{1,3}))年(?:の)?)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})日"
_JA_JOB = "(?:看護師|介護士|医師|医者|教師|教員|弁護士|エンジニア|料理人|調理師|運転手|ドライバー|デザイナー|プログラマー?|会計士|税理士|大工|ライター|翻訳者|保育士|主婦|主夫|会社員|公務員|警備員|配達員|美容師|販売員|薬剤師|消防士|警察官|獣医師|栄養士|助産師|理学療法士|塾講師|農家)"
_JAPANESE = rows(
    "",
    ("HAS_FAMILY", ("アレルギー", "病", "喘息", "妊娠", "食べられ", "認知症", "不自由"), rf"(?P<value>{_JA_KIN}(?:は|が|も|に)(?:今|現在|実は)?(?:[^\n、。はが]{{1,8}}?(?:の)?アレルギー|(?:[12１２]型)?糖尿病|喘息|高血圧|認知症|自閉症|発達障害|妊娠(?:中|\w{{1,4}}(?:ヶ月|か月|週))|車椅子|耳が(?:不自由|聞こえ)|目が(?:不自由|見え)|[^\n、。はが]{{1,8}}(?:が|を|は)?(?:食べられな|飲めな|食べられませ|飲めませ)))"),
    ("WORKS_AS", ("で",), rf"(?:私は|僕は)?(?P<value>{_JA_JOB})(?:で|として|を)(?=夜勤|シフト|\d|[一二三四五六七八九十]{{1,2}}年|もう|ずっと|勤務|働|して)"),
    ("WORKS_AS", ("教え", "勤め", "働い"), r"(?P<value>(?:[^\n、。はがを]{1,8}まで)?(?:小学校|中学校?|高校|大学|塾|専門学校)で[一-鿿ァ-ヴー]{1,6}を教えて(?:いました|いた|きました|い(?:ます|る|て)))"),
    ("LIVES_IN", ("二人暮らし", "三人暮らし", "四人暮らし", "暮らし"), r"(?:いまは|今は|現在は?)?(?P<place>(?!この|その|実家)[^\W\d_\sをがはも、。]{2,8}?)で(?:[^\n、。はが]{1,6}と)?(?:二人|三人|四人|家族)?暮らし(?:です|て|で(?=[、,])|なの|だ)"),
    ("PLANS", ("月",), rf"(?P<value>(?:来年の?|今年の?|再来年の?)?{_JA_DATE}(?:に|は|から|の)[^\n、。？]{{0,8}}?、?[^\n、。？]{{0,16}}?(?:結婚式|入籍|手術|引っ越し?|引越し?|出産|予定日|試験|受験|面接|旅行|出張|入院|卒業式|入社|帰省|発表会|披露宴|留学|出発|(?:へ|に)(?:行く|引っ越す|帰る))(?:を|が|に|へ|で)?(?:挙げ|受け|し|行き|行く|行っ|ある|あり|する|控え|です|なの|なん|だ)?[^\n、。？]{{0,6}}?)(?=$|[、。！!]|ので|んで|から|けど|予定)"),
)  # fmt: skip

LIFE_FORMS: Mapping[str, tuple[StatementForm, ...]] = {
    "english": _ENGLISH,
    "spanish": _SPANISH,
    "portuguese": _PORTUGUESE,
    "french": _FRENCH,
    "german": _GERMAN,
    "russian": _RUSSIAN,
    "turkish": _TURKISH,
    "uzbek": _UZBEK,
    "chinese": _CHINESE,
    "japanese": _JAPANESE,
}
"""The rows by language."""
