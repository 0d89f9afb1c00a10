"""Spanish triggers: tú, usted and vos; pronouns are usually dropped."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.everyday import EVERYDAY
from memtool.core.capture.languages.grammar import InstructionGrammar, instruction_triggers
from memtool.core.capture.languages.introductions import INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_STEMS = (  # of regular verbs of requests
    "sub|fusion|borr|desplieg|despleg|instal|public|publiqu|compart|modific|modifiqu|reescrib|us|utilic|utiliz|emple|respond|contest|escrib|habl|explic|expliqu|muestr|mostr|inclu|incluy|evit|agreg|agregu|anad"
    "|anot|formate|resum|traduc|traduzc|traduj|indic|indiqu|mencion|especific|especifiqu|cit|pregunt|record|recuerd|avis"
    "|llam|coment|empiec|empiez|empez|comienc|comienz|termin|dej|cambi|corrij|corrig|revis|verific|verifiqu|confirm|compar"
    "|list|enumer|prioric|prioriz|acort|limit|repit|repet|trat|consider|comprueb|comprob|mand|envi|envie|guard|cont|convert"
    "|conviert|conserv|redact|ordena|ordene|orden|organic|organiz|desglos|aplic|apliqu|prefier|sugier|sugir|recomiend|recomend"
    "|propon|propong|pas|tom|lee|le|crea|cre|gener|ejecut|prueb|prob|busqu|busc|ofrec|ofrezc|menci|disculp|asum|supon|supong"
    "|inventa|invent|interrump|elimin|quit|separ|marc|resalt|document|justific|justifiqu|argument|detall|aclar|ayud|salud|firm"
    "|tute|conced|adjunt|calcul|redonde|manej|mantien|mantuv|olvid|complet|simplific|simplifiqu|abrev|abrevi|toc|toqu"
)
_ENDING = "(?:a|as|e|es|i|o|an|en|ad|ed|id|is|ais|eis|ar|er|ir)"
_PRONOUN = "(?:me|nos|lo|la|los|las|le|les|se|melo|mela|melos|melas|te)?"
_IRREGULAR = (
    "dimelo|digamelo|dilo|ponlas?|ponlos|da|dame|danos|de|deme|dad|des|den|di|dime|diga|digame|digas|digan|decime|haz(?! que)|hazlo|hazme|haga(?! que)|hagas|hagan|hace|hacelo"
    "|pon|ponme|ponlo|pone|poneme|ponga|pongas|se(?= (?:breve|concis|clar|formal|amable|direct|honest|educad|paciente|muy|mas|siempre|lo mas))|sea|seas|sean|ten|tenga|tengas|tene|ve|ven|manten|mantenme|mantenga"
    "|mantengas|mantene|trata de|procura|asegurate|asegurese|procure|recuerda|acuerdate|fijate|sigue|siga|sigas|segui|elige"
    "|elija|elijas|pide|pida|pidas|pideme|comienza|empieza|vuelvas|vuelva|vuelve|hagamos|que sean?|que este[ns]?|que (?:me |no )?\\w+(?:es|as)|hablame|hableme|escribeme"
)
_VERB = f"(?:(?:{_STEMS}){_ENDING}{_PRONOUN}|{_IRREGULAR})"
_LEAD = (
    "por favor|porfa|porfavor|y|pero|entonces|ok|vale|oye|oiga|bueno|hola|ah|si|no|tambien|ademas|solo|simplemente|ahora|"
    "nota|importante|gracias|claro|mira|che|claude|eso si"
)
_ASKED = (
    "(?:te |le |os |les )?(?:pregunt[aeo]\\w*|pido|pida|pidamos|consult[eo]\\w*|hablo|hable|hablemos|hablamos|menciono|mencione"
    "|solicito|solicite|escribo|escriba|digo|diga|envio|envie|mando|mande|paso|pase|comparto|comparta)"
)
_FUTURE = (
    "de ahora en (?:adelante|mas)|(?:a partir de|desde) (?:ahora|hoy|este momento|ya)|en (?:adelante|lo sucesivo|el futuro)"
    "|por defecto|por regla general|como regla(?: general)?|la proxima vez|en general|(?:por|como) norma(?: general)?|de aqui en adelante"
    "|de hoy en (?:adelante|mas)|a partir de ya|sin excepci?on|en todos los casos|hasta (?:que te (?:diga|avise)|nuevo aviso)[^\\n,.]{0,20}|salvo que (?:te |yo )?(?:diga|pida|indique)[^\\n,.]{0,20}"
    "|a menos que (?:te |yo )?(?:diga|pida|indique)[^\\n,.]{0,20}"
)
_WHEN = (
    f"(?:siempre|cada vez|todas las veces) que [^\\n,]{{1,80}}|(?:cuando|si) (?:yo )?{_ASKED}|cuando (?:respondas|contestes|escribas"
    "|expliques|hables|me (?:respondas|contestes|escribas|expliques|hables)|responda|escriba|no estes segur[oa]|tengas dudas)|si (?:no (?:estas segur[oa]|lo sabes|sabes)|tienes dudas)(?: [^\\n,]{1,30})?"
    "|(?:para|en|ante) cualquier (?:duda|pregunta|consulta|tema)[^\\n,]{0,40}|(?:en|con) (?:preguntas|temas|dudas) (?:de|sobre) [^\\n,]{2,30}"
)
_REPLIES = "(?:respuestas?|mensajes?|explicacion(?:es)?|contestaciones|conversacion(?:es)?|correos?|textos?|resumenes|ejemplos?)"
_IN_ALL = f"(?:(?:en|con|al (?:final|principio|comienzo) de) )?(?:todas?|todos|cada)(?: una)?(?: (?:de )?(?:tus|las|los|mis|sus))? {_REPLIES}"
_GRAMMAR = InstructionGrammar(
    imperative=f"(?:(?:no|nunca|jamas) (?:(?:me|nos|lo|la|los|las|le|les|te|se) ){{0,2}})?{_VERB}|deja(?:d|me|n)? de|deje(?:n|me)? de|prohibido",
    wish=(
        "(?:yo )?(?:quiero|quisiera|querria|necesito|prefiero|preferiria|espero|deseo|me gustaria|te pido|le pido|agradeceria|te agradeceria|me vendria bien|me ayudaria"
        "|te ruego|exijo|insisto en)(?: tambien)? que(?: tu| usted| vos)?"
        "|(?:tu |usted |vos )?(?:debes|debe|debias|deberias|deberia|tienes que|tiene que|tenes que|has de|ha de|hay que|podes|puedes|puede)"
        "|(?:asegurate|asegurese) de(?: que)?|procura|procure|recuerda|recuerde|acuerdate de|no (?:quiero|me gusta) que"
    ),
    questions="(?:puedes|podrias|puede|podria|podes|te importaria|le importaria|te molestaria|le molestaria|seria posible que|(?:estaria|seria) (?:\\w+ )?\\w+ (?:si|que))",
    adverbs="siempre|nunca|jamas|nunca mas",
    leading=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|(?:siempre|cada vez) que",
    trailing=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|nunca mas|cada vez",
    lead=_LEAD,
    reported=r"\bque",
    things=(
        "(?:(?:los|las|el|la|mis|tus) )?(?:precios?|costes?|costos?|importes?|cantidades|fechas?|horas|medidas?|unidades|distancias?"
        "|temperaturas?|pesos|respuestas|codigo|comentarios|fuentes|citas|ejemplos|recetas?|numeros|cifras|explicaciones"
        "|traducciones|resumenes|titulos|nombres|textos)"
    ),
    in_form="en|con|sin|a|por|como|solo",
    not_between="dijo|dice|como|por que|porque|cual|quien|donde|error|falla|yo|el|ella|ellos|ocurre|pasa|sale|puedo|podria|evitarlo",
)
_MARKS = (
    *(
        "siempre",
        "nunca",
        "jamas",
        "adelante",
        "partir",
        "desde ",
        "sucesivo",
        "futuro",
        "defecto",
        "regla",
        " vez",
        "general",
    ),
    *("norma", "hasta que", "aviso", "salvo", "a menos", "cuando ", " si ", "todas", "todos", "cada "),
)
_ON = "(?:de (?:ahora|aqui|hoy) en (?:adelante|mas)|(?:a partir de|desde) (?:ahora|hoy|ya)|en (?:adelante|lo sucesivo|el futuro)|la proxima vez)"
_ON_SIGNS = ("adelante", "de ahora en mas", "partir de", "desde ", "sucesivo", "futuro", "proxima")
_PERSON = (
    "(?:companer[oa]|colega|amig[oa]|jef[ae]|herman[oa]|marido|mujer|espos[oa]|hij[oa]|novi[oa]|pareja|vecin[oa]|madre|padre|mama|papa|prim[oa]|ti[oa]"
    "|perr[oa]|gat[oa]|asistente|ayudante|soci[oa]|sustitut[oa]|responsable|becari[oa]|entrenador[a]?|sobrin[oa]|abuel[oa]|cunad[oa]|suegr[oa]|gemel[oa]|melliz[oa]|caballo|conejo|profesor[a]?|cliente)"
)
_THIS = "(?:esto|eso|ello|lo (?:que (?:te )?(?:dije|he dicho|acabo de decir|dijimos)|anterior)|nada(?: de (?:esto|eso|lo que \\w+ ?\\w*))?|este mensaje|esta conversacion|todo esto)"

TABLE = LanguageTable(
    triggers=(
        Trigger("correction", "(?:en realidad|de hecho|mas bien|mejor dicho|corrijo|correccion|perdon, (?:quise|queria))", ("realidad", "hecho", "mas bien", "mejor dicho", "corrij", "correccion", "perdon")),
        Trigger("correction", "me (?:referia|referi) (?=al? |que)", (" me refer",), "clause"),
        Trigger("correction", "(?:no,? ?)?(?:quise|queria|quiero) decir", ("decir",), "clause", unless=r"\bque"),
        Trigger(
            "correction",
            "(?:no[,.:]? )?(?:(?:eso|esto|ello|asi) )?(?:(?:esta|es|estaba|era) (?:muy |totalmente |completamente )?(?:mal|incorrect[oa]"
            "|equivocad[oa]|fals[oa]|errone[oa])|no (?:es|era|esta) (?:correct[oa]|ciert[oa]|verdad|asi|bien|lo que (?:dije|pedi|queria|quise)))",
            ("no es", "no era", "no esta", "esta mal", "incorrect", "equivocad", "fals", "errone"),
            "clause",
            unless=r"\b(?:que|mi|la|el)",
        ),
        Trigger("correction", "(?:te|se|os) (?:equivocas|equivocaste|equivoca|equivoco|has equivocado|ha equivocado|confundiste|has confundido|confundes)|me (?:equivoque|he equivocado|exprese mal)|(?:me )?(?:entendiste|has entendido|entendio) mal", ("equivoc", "confund", "exprese", "entend"), "clause"),
        Trigger("correction", r"no (?:es|son|era|se llama|soy|fue|me llamo|vivo|estoy) [^\n]{1,120}?(?:,? sino\b|[,;:—–-] ?(?:es|son|era|se llama|soy|fue|me llamo|vivo|estoy)) (?=\w)", ("no es ", "no son", "no era", "no se llama", "no soy", "no fue", "no me llamo", "no vivo", "no estoy")),
        Trigger("correction", r"no [^\n,;]{1,80}?,? sino (?!que no)(?=\w)", ("sino",)),
        Trigger("correction", "(?:incorrecto|mal|falso)(?= ?[,.!:;\\n]|$)", ("incorrecto", " mal", "falso"), "sentence"),
        Trigger("correction", f"(?:en (?:su|vez|lugar)(?: de (?:eso|ello))?,? (?:{_VERB})|{_VERB} [^\\n]{{1,60}}? en (?:su lugar|vez de|lugar de))", ("en su lugar", "en vez", "en lugar"), "clause"),
        Trigger("correction", "(?:deja|dejad|deje|dejen|para|pare|basta|dejate) de (?!lado)(?=\\w)", ("deja", "deje", "para de", "pare de", "basta de"), "clause"),
        Trigger("correction", r"no (?:lo |la |me |le |los |las )?(?:vuelvas|vuelva) a (?=\w)", ("vuelv",), "clause"),
        Trigger("proper_noun", "(?:mi nombre es|me llamo|mi nombre completo es)", ("nombre es", "nombre completo", "me llamo"), then="sure name"),
        Trigger("proper_noun", "(?:soy|llam(?:a|e|en)me|dime|digame|decime|puedes (?:llamarme|decirme)|me (?:dicen|llaman)|puede llamarme|aqui|te habla|le habla)", ("soy ", "llam", "dime ", "digame ", "decime ", "decirme ", "dicen ", "aqui ", "habla "), "clause", then="name"),
        Trigger("preference", r"(?:prefiero|preferiria|prefiriera)(?! que [^\n]{0,60}?\b(?:siempre|nunca)\b)(?= [^\n])", ("preferi", "prefier", "prefir"), unless=r"\b(?:si(?: yo)?|cual|que|dice que|dijo que)"),
        Trigger(
            "preference",
            r"(?:a mi )?(?:no )?me (?:(?:re|super|siempre|ya|tambien|no|solo) )?(?:gust(?:a|an)|encant(?:a|an)|fascin(?:a|an)|entusiasm(?:a|an)|molest(?:a|an)|disgust(?:a|an)|flip(?:a|an)|cae mal|caen mal|chifl(?:a|an)|apasion(?:a|an)|desagrad(?:a|an)|agrad(?:a|an)|parecen? insoportables?)"
            r"(?! (?:como|esto|eso|esta|este|ese|esa|tu|su|lo que|la (?:idea|forma|manera|respuesta)|el resultado|que (?:hayas|lo)|mucho (?:esto|eso|como|tu))\b)(?= [^\n.?!]|[.!]|\n|$)",
            (" me gust", " me encant", " me fascin", " me entus", " me molest", " me disg", " me flip", " me cae", " me chifl", " me apasion", " me desagr", " me agrad", " me parec", " me re", " me super", " me siempre", " me ya", " me tamb", " me no", " me solo"),
            unless=r"\b(?:si(?: yo)?|que|cuando|como|dice que|dijo que|lo que|esto|eso|ello)",
        ),
        Trigger("preference", r"(?:yo )?(?:odio|detesto|adoro|aborrezco|amo|no soporto|no aguanto|disfruto(?: de)?)(?! (?:esto|eso|como|que|cuando)\b)(?= \w)", ("odio", "detest", "ador", "aborrez", "amo ", "soporto", "aguanto", "disfrut"), unless=r"\b(?:el|mi|tu|su|un|del|al|ese|este|cuando|si|que)"),
        Trigger("preference", r"(?:yo )?(?:(?:no )?quiero|quisiera|querria|me gustaria|deseo) (?:vivir|mudarme|ser |aprender (?!como)\w+$|tener (?:hijos|una familia|un hijo|mi propi)|casarme|adelgazar|bajar de peso|dejar (?:de fumar|el tabaco|el alcohol)|viajar|jubilarme|estudiar (?:medicina|derecho|en)|trabajar (?:desde|en|de))", ("quier", "quis", "querr", "gustaria", "deseo"), unless=r"\b(?:si(?: yo)?|que|cuando)"),
        Trigger("preference", r"(?:yo )?(?:quiero|quisiera|querria|deseo)(?! (?:que|saber|ver|hacer|un[oa]?s? (?:ejemplo|lista|tabla|resumen|grafico|codigo|script|explicacion|funcion|ayuda|consejo)|esto|eso|lo que|la tabla|el (?:codigo|grafico|resumen)|ayuda|informacion|te|me|\w+[aei]r(?:l[oae]s?|me|te|nos|se|les?)?\b))(?= \w)", ("quiero", "quisiera", "querria", "deseo"), unless=r"\b(?:si(?: yo)?|que|cuando|no|te|lo|la|como|cuanto)"),
        Trigger("preference", r"mi(?:s)? [^\n,.]{1,40}? (?:favorit[oa]s?|preferid[oa]s?) (?:es|son)|mi preferencia es", ("favorit", "preferid", "preferencia")),
        Trigger("preference", r"soy (?:muy |un gran |una gran )?(?:fan|aficionad[oa]|amante|fanatic[oa]) (?:de|del|a|al)", (" fan ", "aficionad", "amante"), then="word"),
        Trigger("decision", r"(?:venga|vale|pues|entonces|bueno|listo),? [^\n.;!?]{0,60}?(?:usamos|cogemos|vamos con|tiramos de|nos quedamos)", ("usamos", "cogemos", "vamos", "tiramos de", "quedamos"), "clause", then="word"),
        Trigger("decision", "(?:usemos|utilicemos|hagamos|vamos (?:con|a usar|a hacer|a utilizar)|probemos|quedemonos con|nos quedamos con|elegimos|optamos por|(?:voy|vamos) a (?:usar|utilizar)|usaremos|usare|he decidido|hemos decidido|decidi(?:mos)?)", ("emos", "vamos", "quedamos", "optamos", "voy a", "usar", "decidi"), then="word"),
        *instruction_triggers(_GRAMMAR, _MARKS),
        Trigger("instruction", rf"cuando (?:te|le|os|yo) [^\n.;!?]{{2,60}}?,? (?:{_VERB}) (?:[\w]+ ){{0,2}}?siempre(?! (?:mal|lo mismo|igual)\b)", ("cuando ",), "clause"),
        Trigger("instruction", rf"(?:ya )?no (?:me|nos) (?:(?:lo|la|los|las|le) )?(?=\w+s mas)(?:{_VERB}) mas(?! (?:que|de)\b)", (" mas ",), "clause", unless=r"\b(?:que|si)"),
        Trigger("instruction", r"(?:quiero|necesito|espero) [^\n.;!?,]{1,40}? (?:para|con|en|de|por|tras) cada [^\n.;!?,]{1,40}? que (?:me )?(?:des|cites|menciones|propongas|sugieras)", ("cada ",), "clause"),
        Trigger("preference", r"si hay (?:algo|una cosa|alguna cosa) que (?:yo )?(?:[\w]+ ){0,2}?(?:odio|odie|detesto|deteste|adoro|adore|amo|me gusta|me guste|me encanta|me encante|no soporto|no soporte|no aguanto|no aguante|me molesta|me moleste)(?: de verdad| mucho)?,? (?:es|son)(?! (?:que|cuando|est[eao]s?|es[eao]s?|el (?:codigo|error|bug))\b)|lo que (?:mas |menos |de verdad |realmente ){0,2}(?:no )?(?:odio|detesto|adoro|soporto|aguanto|me gusta|me molesta|me encanta) (?:es|son)(?! (?:que|cuando|como|est[eao]s?|es[eao]s?|el (?:codigo|error|bug)|tu)\b)", ("si hay", "lo que "), "clause"),
        Trigger("preference", r"~(?!(?:esto|eso|este|esta|ese|el (?:error|codigo|bug))\b)[^\n,.;!?]{2,50}? me (?:da|dan|produce|producen|provoca|provocan) (?:mucho |siempre )?(?:dolor de cabeza|dolores de cabeza|jaqueca|migrana)", ("me da", "me produce", "me provoca"), "clause", unless=r"\b(?:si|cuando|esto|eso)"),
        Trigger("preference", r"(?:estoy|ando|vivo|me he quedado|me tienen?) (?:(?:super|muy|totalmente|completamente|ultimamente|ahora) ){0,2}(?:enganchad[oa]s? (?:a|con)|enamorad[oa] de|obsesionad[oa] con|adict[oa] a|vici?ad[oa] (?:a|con))(?= \w)", ("enganchad", "enamorad", "obsesionad", "adict", "viciad"), "clause"),
        Trigger("decision", r"vamos a (?:probar|empezar|quedarnos|seguir|tirar|ir|arrancar) (?:con|por)(?= \w)", ("vamos",), "clause"),
        Trigger("remember", r"(?:para (?:luego|despues|mas tarde|que no se (?:me |te |nos )?olvide|recordar))[:,](?= \w)", ("para luego", "para despues", "para mas", "para que", "para recordar"), "sentence"),
        Trigger("instruction", f"(?:deja|dejad|deje|dejen|para|pare|dejate) de (?:{_STEMS}|dar|hacer|decir|poner|ser|pedir)\\w*", ("deja", "deje", "para de", "pare de"), "clause"),
        Trigger("instruction", r"no (?:me |nos |lo |la |te |le |los |las )?(?:vuelvas|vuelva) a (?=\w)", ("vuelv",), "clause"),
        Trigger("instruction", r"(?:nada de|ningun(?:a)?|basta de|sin|no mas|evita(?: los| las)?) (?:emojis?|emoticonos|disculpas|vinetas|jerga|exclamaciones|relleno|tecnicismos|anglicismos|listas|markdown|introducciones|rodeos)(?= ?(?:[,.!\n]|$|por favor|en ))", ("nada de", "ningun", "basta de", "sin ", "no mas", "evita"), "clause"),
        Trigger("instruction", rf"(?:quiero|prefiero|necesito|me gustaria)(?: ver| tener)? (?:todas|todos) (?:tus|las|los|mis) {_REPLIES}", ("todas", "todos"), then="word"),
        Trigger("instruction", rf"(?:todas? tus|todos tus|tus|cada una? de tus|todas las|cada) {_REPLIES} (?:debe|tiene|deberia)\w*", ("tus ", "todas", "todos", "cada"), "clause"),
        Trigger("instruction", rf"(?:manten|mantenga|mantene|haz|deja) (?:siempre )?(?:tus|las|todas tus|todas las) {_REPLIES}", ("manten", "haz ", "deja "), "clause"),
        Trigger("remember", "(?:recuerda|recuerde|recorda|recuerden|acuerdate|acordate|acuerdese|ten (?:en cuenta|presente)|tenga (?:en cuenta|presente)|apunta|anota|toma nota|memoriza)(?: de)?(?: que|:| esto| eso| mi|,)", ("recuerd", "recorda", "cuerd", "cuenta", "presente", "apunta", "anota", "nota", "memoriza"), "clause"),
        Trigger("remember", "(?:que )?no (?:te |se |lo |os )?(?:olvid(?:es|e|en|eis|arlo)|me olvides|se te olvide)", ("olvid",), unless=r"\b(?:yo|para)"),
        Trigger("proper_noun", r"(?:todo el mundo|todos|todas|la gente|(?:mis|todos mis) \w+|mi \w+|mis amig[oa]s|en (?:casa|el trabajo)|por aqui|casi todos)(?: \w+){0,2}? me (?:dicen?|llaman?|conocen?(?: como| por)?)(?: todos)?", (" me di", "me llam", "me cono"), then="name"),
        Trigger("proper_noun", r"(?:me (?:dicen|llaman|conocen (?:como|por))|prefiero que me (?:digas|digan|llames|llamen)|responde? al nombre de)(?: todos)?", (" me dicen", "me llaman", "me conocen", "que me ", "nombre de"), then="name"),
        Trigger("proper_noun", rf"(?:te presento|le presento|os presento|este es|esta es|ese es|esa es|aqui esta|conoce)(?: a)? (?:mi|nuestr[oa]) (?:\w+ )??{_PERSON}(?: de (?:trabajo|equipo|piso|clase))?,?", (" presento", "este es", "esta es", "ese es", "esa es", "conoce a mi", "conoce a nuestr"), "clause", then="name"),
        Trigger("proper_noun", rf"(?:mis?|nuestr[oa]s?|los|las) (?:\w+ )??{_PERSON}s? (?:mayor(?:es)? |pequen[oa]s? )?se llaman?", ("se llama",), then="name"),
        Trigger("proper_noun", rf"el nombre de mi (?:\w+ )??{_PERSON} es", ("nombre de",), then="name"),
        Trigger("preference", r"(?:yo )?(?:no )?soy (?:\w+ ){0,2}?(?:mas |muy |mucho mas |poco |nada |bastante |super )(?:de |del |de la )(?=\w)|soy (?:una? )?(?:persona|tipo|chica|chico) de (?=\w)|(?:yo )?(?:no )?soy (?:muy |bastante |super )?(?:cafeter[oa]|carnivor[oa]|madrugador[a]?|nocturn[oa]|golos[oa]|fan|team \w+)", ("soy ",), unless=r"\b(?:si(?: yo)?|cuando|dic\w+ que|dijo que|no)"),
        Trigger("preference", r"(?:no )?(?:es|son|era) (?:para nada |precisamente |realmente )?(?:lo mio|mi fuerte|mi rollo|mi taza de te|santo de mi devocion|de mi (?:agrado|gusto)|mi estilo)|no (?:es|son) para mi(?=[.!\s]{0,3}(?:\n|$))|no (?:va|van) conmigo|me (?:va|van|tira|tiran|mola|molan|pirra|pirran|da|dan|saca de quicio|pone de los nervios)(?: (?:mucho|mas|muy|bastante|demasiado|un poco de|fatal|asco|repelus|grima|pereza))(?! (?:esto|eso)\b)", ("lo mio", "mi fuerte", "mi rollo", "mi taza", "devocion", "agrado", "mi gusto", "mi estilo", "para mi", "conmigo", "me va ", "me tira", "me mol", "me pirr", "me pone", " me da", "me saca"), unless=r"\b(?:esto|eso|ello|si|cuando)"),
        Trigger("preference", r"(?:yo )?(?:(?:me quedo|siempre me quedo|me decanto|me inclino|siempre tiro) (?:con|por)|no puedo (?:con|ver|soportar|aguantar|tragar)|no trago|no concibo|no (?:como|bebo|tomo|uso|pruebo)|solo (?:como|bebo|uso|tomo)|(?:siempre |nunca )me (?:ha|han) (?:gustado|encantado|molestado|fascinado|dado)|nada como)(?! (?:esto|eso|este|esta|el error|lo que|se|ver|que|puedo)\b)(?= \w)", ("me quedo", "decanto", "inclino", " tiro ", "puedo", "trago", "concibo", "no como", "no bebo", "no tomo", "no uso", "no pruebo", "solo como", "solo bebo", "solo uso", "solo tomo", " me ha", "nada como"), "clause"),
        Trigger("preference", r"me (?:siento|encuentro|muevo|manejo|apano|concentro) (?:\w+ ){0,3}?(?:mejor|a gusto|comod[oa]|peor)", (" mejor", "a gusto", " comod", " peor"), unless=r"\b(?:si(?: yo)?|no|cuando)"),
        Trigger("preference", r"mi(?:s)? [^\n,.]{1,40}? (?:favorit[oa]s?|preferid[oa]s?|de cabecera|de siempre) (?:sigue siendo|siguen siendo|siempre ha sido|siempre fue|siempre sera|era|es|son|ha sido)", ("favorit", "preferid", "cabecera", "siempre"), unless=r"\bque"),
        Trigger("instruction", rf"{_ON},? (?:por favor,? )?(?:nada de|ni (?:un|una)\b|no |ningun|sin |solo |solamente |siempre |unicamente |todo en|todos? |todas |cero |quiero |nunca )", _ON_SIGNS, "clause"),
        Trigger("instruction", rf"(?:nada de|ni un[oa]?|ningun[oa]?|sin|solo|solamente|unicamente|cero|no mas|no metas|no pongas) [^\n.;!?]{{2,80}}? {_ON}", _ON_SIGNS, "clause"),
        Trigger("instruction", r"~[^\n.;!?]{2,60}? (?:siempre|solo|solamente|unicamente|exclusivamente|nunca) (?:en|con|sin|a|al|por|de) [^\n.;!?]{1,60}?,? ?(?:por favor|porfa|gracias)", ("por favor", "porfa", "gracias"), "sentence", unless=r"\b(?:yo|el|ella)"),
        Trigger("instruction", r"(?:no (?:hace falta|es necesario|necesitas|tienes que|hay necesidad de|te molestes en)|ahorrate|puedes (?:ahorrarte|saltarte)|te puedes ahorrar)(?: que)?(?: (?:me|te|lo|la))? [^\n.;!?]{2,80}?(?:cada vez|siempre|todo el rato|todo el tiempo|en cada \w+|a cada rato|al principio|al final|constantemente)", ("hace falta", "necesari", "necesita", "tienes que", "necesidad", "molestes", "ahorra", "saltar"), "clause"),
        Trigger("instruction", r"(?:cuando|si|siempre que|cada vez que|antes de|antes de que) [^\n.;!?]{2,90}?,? ?(?:siempre )?(?:\w+me|me \w+|pon\w*|da\w*|usa|anade|incluye|escribe|explica|muestra|pregunta\w*|consulta\w*|avisa\w*|quiero que(?: siempre)?(?: me)? \w+) (?:\w+ ){0,3}?(?:siempre|antes|primero|nunca|sin falta)(?!\w)", ("siempre", "antes", "primero", "nunca", "sin falta"), "clause"),
        Trigger("remember", r"(?:(?:puedes|podrias|puede|podria) )?(?:apunt(?:a|ar|ate|e|es|atelo)|anot(?:a|ar|ate|e|es|atelo)|toma(?:r)? nota|tene(?:r)? (?:en cuenta|presente)|ten (?:en cuenta|presente)|guarda(?:te|r)?(?: en la memoria)?|record(?:a|ar|arme)|no pierdas de vista|quedate con)(?: por favor| ahi| bien|,? porfa)?(?: de)?,? ?(?:que (?=\w)|:|,)", ("apunt", " anot", "nota", "cuenta", "presente", " guarda", "recordar", "de vista", "quedate"), "clause", unless=r"\b(?:no|me)"),
        Trigger("preference", r"~(?!(?:esto|eso|ello)\b)[^\n,.;!?]{2,50}? me (?:aburren?|cansan?|relajan?|distraen?|ayudan? a (?:concentrarme|relajarme|pensar)|agobian?|estresan?|ponen? nervios[oa])(?!\w)|(?:trabajo|duermo|pienso|estudio|escribo|rindo) (?:\w+ )?mejor (?:con|en|sin|de|por|cuando|a)|(?:\w+ ){1,5}(?:no )?(?:lo|la|los|las) (?:soporto|aguanto|adoro|odio|detesto|prefiero|trago)", ("me aburr", "me cansa", "me relaj", "me distra", "me ayud", "me agobi", "me estres", "me pone", " mejor", "soporto", "aguanto", "ador", "odio", "detest", "prefiero", "trago"), "clause", unless=r"\b(?:si|cuando|error)"),
        Trigger("instruction", rf"{_ON},? [^\n.;!?]{{2,60}}? (?:en|para|a) (?:todos|todas|cada|mis|tus)\b", _ON_SIGNS, "clause"),
        Trigger("decision", r"(?:(?:venga|vale|pues|bueno|entonces),? )?(?:(?:esta |ya esta )?decidido|trato hecho)(?= ?[,:;])", ("decidido", "trato hecho"), "clause"),
        Trigger("preference", r"me late(?:n)?(?= \w)|donde este(?:n)? [^\n,.;!?]{2,40}?,? que se quiten?\b|~[^\n,.;!?]{2,40}? mil veces (?:mejor|antes)(?= \w)", ("me late", "donde este", "mil veces"), "clause", unless=r"\b(?:si|cuando)"),
        *INTRODUCTIONS["spanish"],
        *REMINDERS["spanish"],
        *ATTITUDES["spanish"],
        *EVERYDAY["spanish"],
        *STANDING_REQUESTS["spanish"],
    ),
    leads=_LEAD,
    conjunctions="y|e|pero|o|porque|que|asi que|entonces|pues",
    question_words="que|cual|cuales|como|donde|cuando|quien|por que|cuanto|cuanta|cuantos|puedes|podrias|puede|podria|podes|me puedes|me podrias|hay|es|son|debo|deberia",
    private=(
        rf"(?:^|[,.;:!¡—–-] ?|\b(?:y|pero|por favor|porfa),? )(?:que )?no (?:lo |la |me |te |los |se )?(?:recuerdes|recuerde|guardes|guarde|anotes|anote|memorices|memorice|registres|registre|almacenes|almacene|apuntes|apunte)(?: (?P<what>{_THIS}))?(?= ?(?:$| (?:pero|y|porque)\b|[,.;:!—–]| por favor| en (?:tu |la )?memoria| que | porque))",
        rf"(?:no quiero|preferiria|prefiero|no me gustaria) que (?:no )?(?:lo |la )?(?:recuerdes|recuerde|guardes|guarde|anotes|memorices|registres|almacenes)(?: {_THIS})?(?= ?(?:$| (?:pero|y|porque)\b|[,.;:!]| en (?:tu |la )?memoria))",
        rf"(?:olvida|olvide|olvidate de|borra) (?:{_THIS})(?= ?(?:$| (?:pero|y|porque)\b|[,.;:!]))",
        r"(?:que quede |esto (?:queda|que quede) |queda )?entre (?:nosotros|tu y yo|nos)(?= ?(?:$| (?:pero|y|porque)\b|[,.;:!]))|extraoficialmente|off the record",
        r"(?:^|[,.;:!¡—–-] ?)(?:(?:(?:esto |eso )?(?:es|queda|debe quedar|que quede)|manten(?:lo| esto| eso)|te (?:lo )?(?:digo|cuento|dije|conte|confio)(?: esto)?) )?(?:\w+mente |muy )?(?:confidencial(?:mente)?|en (?:\w+ )?(?:confianza|confidencia))(?= ?(?:$| (?:pero|y|porque|que)\b|[,.;:!—–]))",
    ),
    self_harm=(
        r"suicid\w*|autolesi\w*|quitarme la vida|(?:matarme|hacerme dano|cortarme las venas|hacerme dano)|acabar con (?:mi vida|todo)",
    ),
    death_wish=(
        r"(?:quiero|quisiera|prefiero|preferiria|deseo|me gustaria) (?:morir(?:me)?|estar muert[oa]|desaparecer|no existir|no despertar)\b|(?:no quiero|sin ganas de|ya no quiero) (?:seguir )?vivi(?:r|endo)|me odio\b|odio mi vida|odio vivir",
    ),
    violence=(
        r"me (?:pega|pego|golpea|golpeo|maltrata|maltrato|viol[ao]|abus[ao]|amenaza|acosa|estrangul\w+|apunal\w+)(?: con matarme)?\b|(?:fui|he sido|me han) (?:violad[oa]|abusad[oa]|agredid[oa]|golpead[oa]|maltratad[oa])|abus(?:a|o|aron) de mi",
    ),
)  # fmt: skip
