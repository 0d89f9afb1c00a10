"""German: verb second, so that an adverb, an object or the subject may stand first."""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import DATE, END, ends, phrase, place, rows
from memtool.core.text.dates import MONTHS
from memtool.core.text.folding import search_fold

_NEXT = (
    "und|oder|aber|weil|denn|da|seit|mit|wo|wenn|also|fur|wahrend|ohne|jetzt|in|im|am|bei|zur|zum|nahe|als|nachts|tagsuber|deshalb"
    "|zusammen|allein|alleine|gewohnt|gezogen"
)
_NUMBER = r"(?:ein(?:en|e)?|zwei|drei|vier|funf|sechs|mehrere|\d{1,2})"
_KIN = (
    "sohn|sohne|tochter|kind(?:er)?|kids|jung(?:e|en|s)|madchen|madels|enkel(?:kind(?:er)?|in|tochter|sohn)?|bruder|schwester[n]?|geschwister|neffe[n]?|nichte[n]?|zwilling(?:e|smadchen)?"
    "|baby|teenager|mann|frau|ehemann|ehefrau|partner(?:in)?|freund(?:in)?|verlobte[r]?|cousin(?:e)?|oma|opa|mutter|vater|tante|onkel|schwiegermutter|schwiegervater|schwager|schwagerin|mama|papa"
)
_PET = "hund(?:e|in)?|katze[n]?|kater|kaninchen|welpen?|papagei(?:en)?|wellensittiche?|schildkrote[n]?|hamster|pferde?|stute|meerschweinchen|huhner"
_OCCUPATION = (
    r"(?:krankenpfleger|krankenschwester|pflegefachkraft|arzt|arztin|lehrer|dozent|anwalt|anwaltin|rechtsanwalt|ingenieur|koch|kochin|kellner|fahrer|architekt|designer|programmierer"
    r"|entwickler|buchhalter|klempner|elektriker|elektroniker|tischler|schreiner|journalist|autor|schriftsteller|ubersetzer|student|schuler|rentner|freiberufler|selbststandig|beamter|beamtin"
    r"|psychologe|psychologin|tierarzt|tierarztin|apotheker|zahnarzt|zahnarztin|physiotherapeut|feuerwehrmann|polizist|pilot|mechaniker|friseur|friseurin|backer|landwirt|bauer|musiker|fotograf"
    r"|biologe|biologin|chemiker|physiker|forscher|sekretar|verkaufer|lkw-fahrer|maurer|maler|schauspieler|wissenschaftler|okonom|bibliothekar|sanitater|notfallsanitater|hebamme|erzieher|pfleger"
    r"|altenpfleger|sozialarbeiter|steuerberater|gartner|optiker|logopade|logopadin|mta|bibliothekarin|hausfrau|hausmann|azubi|auszubildende[r]?|pensionar|informatiker|bauingenieur|softwareentwickler"
    r"|grundschullehrer|physiklehrer|mathelehrer|\w{3,20}(?:lehrer|meister|pfleger|techniker|berater|entwickler|ingenieur|fahrer|leiter|arzt|verkaufer|handler))(?:in)?"
)
_PLACE = place(
    _NEXT,
    "ein\\w*|der|die|das|den|dem|dies\\w*|mein\\w*|unser\\w*|frieden|teilzeit|ruhe|angst|etwa|schichten|zukunft|bildung|der nahe",
)
_NO_ORIGIN = r"ein\w*|der|dem|mein\w*|dies\w*|spaß|versehen"
_ADVERB = (
    r"(?:(?:jetzt|derzeit|aktuell|auch|nun|inzwischen|momentan|schon|selbst|zurzeit|noch|allein|alleine|seit (?:\w+ ){1,3}?(?:jahr(?:en)?|monat(?:en)?|woche(?:n)?|sommer|herbst|winter|fruhjahr|\d{4}|"
    rf"{search_fold(MONTHS['de']).replace(' ', '|')}"
    r")|(?:zusammen )?mit (?:\w+ ){1,3}?(?:" + _KIN + "|" + _PET + r")) ){0,3}"
)
_I = r"(?:ich|wir) "

FORMS = rows(
    r"",
    ("LIVES_IN", ("wohn", "leb"), rf"{_I}(?:wohne|wohnen|lebe|leben) {_ADVERB}(?:in|bei|nahe|auf) (?:der nahe von )?{_PLACE}"),
    ("LIVES_IN", ("wohn", "leb"), rf"(?:wohne|wohnen|lebe|leben) (?:ich |wir )?{_ADVERB}in {_PLACE}"),
    ("LIVES_IN", ("wohn", "leb"), rf"{_I}(?:wohne|wohnen|lebe|leben) {_ADVERB}(?:in|auf) (?P<value>ein(?:er|em) (?:\w+ )?(?:dorf|stadt|kleinstadt|wohnung|haus|wg|altbauwohnung|altbau|insel|bauernhof|hof|\w*wohnung|\w*haus|\w*dorf|\w*stadt)(?: [\w'’-]+){{0,3}}?){ends('und|aber|wo|die|das|mit')}"),
    ("LIVES_IN", ("gezogen",), rf"(?:ich bin|wir sind) (?:\w+ ){{0,4}}?nach {_PLACE} (?:um)?gezogen"),
    ("LIVES_IN", ("nicht mehr in",), rf"{_I}(?P<denied>wohne|wohnen|lebe|leben) nicht mehr in {_PLACE}"),
    ("COMES_FROM", ("komme aus", "kommen aus", "stamme aus", "ich bin aus", "ursprunglich aus"), rf"{_I}(?:komme|kommen|stamme|bin)(?: (?:eigentlich|ursprunglich))? aus {place(_NEXT, _NO_ORIGIN)}"),
    ("WORKS_AS", ("arbeite",), rf"(?:ich arbeite|arbeite ich|arbeite) (?:(?!nicht |kein|nie )[\w'’-]+ ){{0,3}}?als {phrase(_NEXT)}"),
    ("WORKS_AS", ("ich bin",), rf"(?:ich bin|bin) (?:(?:gelernte[r]?|freiberufliche[r]?|von beruf|beruflich|seit \w+ jahren) )?(?P<value>{_OCCUPATION}(?: (?:fur|an|bei|im|in) \w+(?: \w+)?)?)(?!\w)"),
    ("WORKS_AT", ("arbeite",), rf"(?:ich arbeite|wir arbeiten)(?: (?:derzeit|aktuell|seit \w+ \w+|nachts))? (?:bei|beim|fur|in|im|an) (?:(?:einer|einem|der|dem) )?(?:(?P<value>(?:\w*krankenhaus|\w*klinik|bank|\w*schule|gymnasium|uni(?:versitat)?|\w*laden|bar|restaurant|hotel|fabrik|firma|start-?up|rathaus|bibliothek|apotheke|buro|kita|kindergarten|\w*handlung|agentur|werkstatt|ministerium|backerei|altenheim|praxis|\w*verwaltung)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}|{_PLACE})"),
    ("WORKS_AT", ("arbeite",), rf"(?:ich )?arbeite (?P<value>nachts|im schichtdienst|in schichten|schicht|von zu hause(?: aus)?|im homeoffice|in teilzeit|teilzeit|selbststandig|freiberuflich){END}"),
    ("HAS_TRAIT", ("bin ", "sind "), r"(?:ich bin|wir sind|bin) (?:(?:seit \w+(?: \w+)?|selbst|strikte[r]?|leider|uberzeugte[r]?) )?(?P<value>veganer(?:in)?|vegan|vegetarier(?:in)?|vegetarisch|zoliakie\w*|diabetiker(?:in)?|asthmatiker(?:in)?|linkshander(?:in)?|laktoseintolerant|glutenintolerant|farbenblind|legastheniker(?:in)?|gehorlos|blind|schwanger|verheiratet|geschieden|verwitwet|single|ledig|alleinerziehend|rentner(?:in)?|pensioniert|im ruhestand|kurzsichtig|muslim(?:a)?|katholisch|schichtarbeiter(?:in)?|pescetarier(?:in)?)(?!\w)"),
    ("HAS_TRAIT", ("esse ", "trinke ", "vertrage ", "ernahre"), r"(?:ich )(?P<value>(?:esse|trinke|vertrage) (?:leider )?(?:kein(?:e|en)?) [\w'’-]+(?: (?:und|oder) (?:keine? )?[\w'’-]+)?|ernahre mich (?:vegan|vegetarisch|glutenfrei))(?= ?(?:$|[^\w\s]| (?:und|aber|weil|mehr)\b))"),
    ("ALLERGIC_TO", ("allergi", "unvertraglich", "intoleran"), rf"(?:{_I}(?:bin|sind) (?:stark |sehr |leider )?allergisch (?:gegen|auf) {phrase(_NEXT.replace('und|oder|', ''))}|(?:ich habe|hab|ich hab|habe) (?:leider )?(?:eine )?(?:starke )?(?P<value2>\w*(?:allergie|unvertraglichkeit|intoleranz|heuschnupfen|zoliakie)(?: gegen \w+)?))"),
    ("HAS_CONDITION", ("habe ", "hab ", "leide"), r"(?:ich habe|ich hab|ich leide (?:an|unter)) (?P<value>(?:diabetes|asthma|bluthochdruck|epilepsie|migrane|arthrose|rheuma|adhs|angststorung\w*|zoliakie|neurodermitis|eine schilddrusenunterfunktion|fibromyalgie|tinnitus))(?!\w)"),
    ("HAS_AGE", ("bin ", "werde "), r"(?:ich bin|ich werde) (?P<value>\d{1,3})(?: jahre alt(?! \w+ jahre)| geworden)?(?= ?(?:$|[,.;!]| (?:und|jahre alt)\b))"),
    ("HAS_FAMILY", ("hab", "haben"), rf"(?:{_I}hab(?:e|en)?|hab) (?!kein|dein|ihr)(?P<value>(?:{_NUMBER} (?:[\w-]+ ){{0,2}}?|(?:\w+(?:e|en) )?)(?:{_KIN}|{_PET}))(?!\w)(?! (?:getroffen|gesehen|gefragt|verloren|gefunden))"),
    ("HAS_FAMILY", ("lebe", "wohne", "verheiratet"), rf"ich (?P<value>(?:lebe|wohne) (?:zusammen |allein )?mit (?:mein(?:em|er|en) (?:\w+ )?(?:{_KIN}|{_PET}|eltern|mitbewohner\w*)|{_NUMBER} (?:\w+ )?(?:{_KIN}|{_PET}))|(?:lebe|wohne) allein(?:e)?|bin mit ein(?:em|er) \w+ verheiratet)(?!\w)"),
    ("OWNS", ("hab", "fahre"), rf"{_I}(?:habe|hab|haben|fahre|besitze) (?P<value>ein(?:en|e)? (?:\w+ )?(?:auto|motorrad|fahrrad|e-bike|haus|wohnung|garten|schrebergarten|boot|klavier|gitarre|laptop|firma|laden|backerei|hof|wohnmobil|\w*garten|\w*haus)(?: von \w+)?)(?!\w)(?= ?(?:$|[^\w\s]| (?:{_NEXT})\b))"),
    ("STUDIES", ("studier",), rf"ich studiere (?:(?:derzeit|gerade|jetzt) )?(?!(?:in|an|bei|im)\b){phrase(_NEXT)}"),
    ("SPEAKS", ("ich spreche", "muttersprache"), r"(?:ich spreche|meine muttersprache ist) (?:fließend )?(?P<value>(?:spanisch|englisch|franzosisch|deutsch|portugiesisch|italienisch|russisch|chinesisch|arabisch|japanisch|turkisch|polnisch|niederlandisch|usbekisch)(?:(?:,| und) \w+){0,3})(?!\w)"),
    ("IS", ("geburtstag", "hochzeitstag", "jahrestag"), rf"(?:mein|unser) (?P<thing>geburtstag|hochzeitstag|jahrestag) ist (?:am )?{DATE}{END}"),
    ("IS", ("geburtstag",), r"ich (?P<value>habe am \d{1,2}\.? ?\w+ geburtstag)(?!\w)"),
    ("IS", ("verschoben", "verlegt", "vorgezogen"), rf"(?:wir haben|ich habe) (?:den|die|das|unser\w*) (?P<thing>\w+(?: \w+)?) auf (?:den )?{DATE} (?:verschoben|verlegt|vorgezogen)"),
    ("KNOWS", ("mein", "unser"), rf"(?:mein|meine|unser|unsere) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|chef(?:in)?|nachbar(?:in)?|kolleg(?:e|in)|mitbewohner(?:in)?)),? (?:heißt |heisst )?(?P<name>[^\W\d_][\w-]+(?: [^\W\d_][\w-]+)?)(?= ?(?:$|[,.;!?)]| (?:und|ist|hat|wohnt|arbeitet|wird|mag)\b))"),
    ("OF_AGE", ("mein", "unser"), rf"(?:mein|meine|unser|unsere) (?P<thing>(?:\w+ )?(?:{_KIN}|{_PET})) (?:ist|wird) (?P<value>\d{{1,3}}(?: (?:jahre|monate) alt)?)(?= ?(?:$|[,.;!]| und| jahre))"),
    ("IS", ("mein", "unser"), rf"(?:mein|meine) (?P<thing>(?:\w+ )?(?:{_KIN}|chef(?:in)?|kolleg(?:e|in))) ist (?P<value>vegan\w*|vegetarier(?:in)?|allergisch (?:gegen|auf) [\w ]{{3,30}}?|diabetiker(?:in)?|{_OCCUPATION})(?!\w)"),
    ("WORKS_AS", ("bin ",), rf"(?:ich )?bin (?:ja |halt |eben |nun mal |schließlich |namlich |doch |von beruf |ubrigens ){{1,3}}(?P<value>{_OCCUPATION})(?!\w)"),
    ("WORKS_AS", ("unterrichte", "fahre ", "leite ", "betreibe "), r"(?:ich )?(?P<value>unterrichte (?!(?:dich|sie|ihn|es|das)\b)[\w-]+(?: (?:und|an|am|in) [\w-]+(?: [\w-]+)?)?|fahre (?:bus|lkw|taxi|straßenbahn|u-bahn|zug|s-bahn)(?: bei \w+)?|(?:leite|betreibe) (?:eine?n?) (?:\w+ )?\w*(?:kita|laden|werkstatt|praxis|gruppe|hof|cafe|salon|betrieb|firma|schule|backerei|gartnerei))(?: ich)?(?!\w)"),
    ("LIVES_IN", ("wohn", "leb"), rf"(?:seit|nach|vor|wegen) (?:[\w'’-]+ ){{1,5}}?(?:wohne|wohnen|lebe|leben) (?:ich|wir) (?:[\w-]+ ){{0,2}}?in {_PLACE}"),
    ("LIVES_IN", ("gezogen", "ziehen", "zugezogen"), rf"(?:(?:seit|nach|vor|wegen) (?:[\w-]+ ){{1,4}}?)?(?:(?:bin|sind) (?:ich|wir)|(?:ich|wir) (?:bin|sind)) (?:[\w'’-]+ ){{0,6}}?(?:nach|in die) {_PLACE} (?:um|zuruck)?gezogen"),
    ("HAS_TRAIT", ("bin ", "rente", "ruhestand"), r"(?:ich )?(?P<value>bin (?:seit \w+(?: \w+)? )?(?:in rente|in elternzeit|in pension|im ruhestand|(?:im \w+ monat )?schwanger(?: im \w+ monat)?|alleinerziehend)|bin (?:ja |halt |ubrigens |leider |seit \w+ )+(?:vegan\w*|vegetarier\w*|diabetiker\w*|schwanger|allergiker\w*|linkshander\w*))(?!\w)"),
    ("HAS_TRAIT", ("in rente gegangen", "pensioniert"), r"(?P<value>(?:ich )?bin (?:[\w'’-]+ ){0,5}?(?:in rente gegangen|pensioniert worden))(?!\w)"),
    ("KNOWS", ("mein", "unser"), rf"(?:mein|meine|unser|unsere) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|\w*hund|\w*katze)),? (?P<name>(?!das|die|der|es|er|sie|ich|was|wie)[^\W\d_][\w-]+(?:,? und [^\W\d_][\w-]+)?)(?=,? (?:ist|hat|wohnt|kommt|geht|will|kann|mag|isst|darf|frisst|bellt|schlaft|macht|braucht|lernt|fangt|haben|sind|wollen|konnen|mogen|fressen|schlafen|bekommt|kriegt|muss|spielt|liebt|hasst|hat's|hasst|leidet)\b)"),
    ("HAS_FAMILY", ("mein", "unser"), rf"(?P<value>(?:mein|meine|unser|unsere) (?:\w+ )?(?:{_KIN}) (?:hat|leidet an|leidet unter|kommt (?:jetzt |bald |im \w+ )?in die (?:schule|kita|\w+ klasse)|geht (?:jetzt )?in die (?:\w+ )?(?:schule|kita|klasse)|ist (?:dement|allergisch|schwanger|\w*krank))(?: (?:alzheimer|demenz|parkinson|diabetes|asthma|adhs|zoliakie|rheuma|epilepsie|eine \w*allergie))?)(?= ?(?:$|[^\w\s]| ))(?<! hat)"),
)  # fmt: skip
"""The rows."""
