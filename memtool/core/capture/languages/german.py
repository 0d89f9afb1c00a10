"""German triggers: du and Sie, inverted clauses, separable verbs; umlauts may be written ae, oe, ue."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.everyday import EVERYDAY
from memtool.core.capture.languages.grammar import InstructionGrammar, instruction_triggers
from memtool.core.capture.languages.introductions import INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_STEMS = (  # stems of verbs of requests; du: with or without -e, Sie: -en
    "antwort|beantwort|benutz|benutz|verwend|nutz|schreib|sprech|sprich|red|erklaer|erklar|zeig|gib|geb|nenn|erwahn|erwaehn"
    "|formatier|fass|ubersetz|uebersetz|fug|fueg|formulier|verzicht|vermeid|lass|halt|mach|tu|sag|frag|nimm|nehm|stell|setz|pruf"
    "|pruef|acht|beacht|beruecksichtig|berucksichtig|hor|hoer|fang|beginn|beend|start|sprich|duz|siez|kurz|kuerz|bleib|sei|hab"
    "|liefer|list|gliedere|glieder|struktur|strukturier|ordn|sortier|zitier|begrund|begruend|vergleich|wiederhol|korrigier|andre"
    "|aendere|ander|aender|schlag|empfiehl|empfehl|biet|bitt|schick|send|speicher|kommentier|dokumentier|test|kontrollier|bestatig"
    "|bestaetig|warn|erinner|rechn|rund|konvertier|wandl|gib|bezieh|konzentrier|orientier|beginn|bevorzug|behandl|betracht|arbeit"
    "|geh|komm|leg|les|lies|hilf|helf|verlink|verweis|weis|hinweis|entschuldig|rat|such|ruf|heb|markier|schliess|schließ|zeichn"
    "|illustrier|begruss|begruess|unterbrich|unterbrech|wechsel|trenn|runde|denk|versuch|befolg|folg|ergang|erganz|ergaenz|streich"
    "|entfern|losch|loesch|commit|push|refaktorier|vereinfach|pass|wahl|waehl|bau|baue|tipp|teil|informier|gendere|gender|verfass"
    "|erstell|generier|lob|rede|unterteil|zahl|zaehl|behaupt|erfind|rate|spekulier|ignorier|ueberspring|uberspring|wend|drueck|druck"
)
_VERB = f"(?:(?:{_STEMS})(?:e|en|n|t|et)?(?: (?:du|sie|mir|mich|uns|dich|dir|bitte|es|das|die|den|dabei|ja)){{0,2}})"
_LEAD = (
    "bitte|bitte schon|und|aber|also|ok|okay|hallo|hi|hey|ah|ach|ja|nein|auch|nur|einfach|jetzt|danke|hinweis|wichtig|claude|dann"
    "|dass|noch was|ubrigens|uebrigens|mal|doch|merk dir|achtung|regel|bitteschon|so"
)
_ASKED = "(?:dich |dir |sie |ihnen |etwas |was )?(?:[^\\n,]{0,80}? )?(?:frage|bitte|rede|spreche|sage|schreibe|schicke|sende|erwahne|erwaehne|wissen (?:will|mochte|moechte)|teile|gebe|will|brauche)"
_FUTURE = (
    "ab (?:jetzt|sofort|heute|nun|hier)|von (?:jetzt|nun|heute) an|in (?:der )?zukunft|zukunftig|zukuenftig|kunftig|kuenftig|in zukunft|fortan"
    "|standardmaßig|standardmaessig|standardmassig|grundsatzlich|grundsaetzlich|generell|im allgemeinen|in der regel|nachstes mal|beim nachsten mal"
    "|ausnahmslos|in jedem fall|auf dauer|dauerhaft|(?:bis|sofern|solange|außer|es sei denn,?|ausser)(?: wenn)? ich [^\\n,.]{0,40}(?:sage|bitte|andere|anders|verlange|wunsche)"
)
_WHEN = (
    f"(?:immer wenn|jedes mal,? wenn|jedesmal,? wenn|sooft|immer dann,? wenn|wann immer) [^\\n]{{1,80}}|(?:wenn|falls|sobald) (?:ich|wir) {_ASKED}"
    "|bei (?:\\w*fragen|themen)(?: (?:zu|uber|rund um|nach|in sachen) [^\\n,]{2,40}?)?"
    "|(?:wenn|falls|sobald) (?:du|sie) (?:mir )?[^\\n,]{0,40}?(?:antwortest|antworten|schreibst|schreiben|erklarst|erklaerst|unsicher bist|nicht sicher bist|sprichst|redest|gibst|vorschlagst|zitierst)"
)
_REPLIES = "(?:antwort(?:en)?|nachrichten?|erklarung(?:en)?|erklaerung(?:en)?|gesprachen?|gespraechen?|e-?mails?|mails?|texten?|zusammenfassung(?:en)?|beispielen?|codebeispielen?)"
_IN_ALL = f"(?:in|bei|mit|zu|am (?:ende|anfang)) (?:allen?|jede[rmns]?|samtlichen|saemtlichen)(?: (?:deine[rnm]?|ihre[rnm]?))? {_REPLIES}"
_GRAMMAR = InstructionGrammar(
    imperative=f"{_VERB}|hor(?:e|en)? (?:sie )?auf|hoer(?:e|en)? (?:sie )?auf|{_VERB} (?:nie|niemals|nicht|kein\\w*)",
    wish=(
        "ich (?:mochte|moechte|will|wunsche mir|wuensche mir|brauche|erwarte|bitte dich|bitte sie|wurde mich freuen|fande es (?:\\w+ )?\\w+|hatte gern(?:e)?|haette gern(?:e)?|hatte es gern(?:e)?|bevorzuge es|wurde mir wunschen|fande es gut|will nicht|mochte nicht)(?: auch| gern| gerne| nicht)?,? (?:dass|wenn) (?:du|sie)"
        "|(?:sollst|sollen|solltest|sollten|musst|mussen|muessen|darfst|durfen|duerfen) (?:du|sie)|(?:du|sie) (?:sollst|sollen|solltest|sollten|musst|mussen|muessen|darfst|durfen|duerfen|kannst|konnen|koennen)"
        "|(?:stell|stelle|stellen sie) (?:bitte )?sicher,? dass (?:du|sie)|achte?(?:n sie)? (?:bitte )?darauf,? (?:dass (?:du|sie))?|versuch(?:e|en sie)?|es (?:ware|waere) (?:\\w+ ){0,2}?\\w+,? wenn (?:du|sie)|(?:mochte|moechte|will|wunsche|erwarte|hatte|haette) ich(?: mir| gern| gerne)?,? dass (?:du|sie)|mir (?:ist|ware|waere)(?: es)? (?:\\w+ )?(?:wichtig|lieb|lieber|recht),? (?:dass|wenn) (?:du|sie)"
    ),
    questions="(?:kannst|konntest|koenntest|konnen|konnten|koennten|wurdest|wuerdest|wurden|wuerden) (?:du|sie)",
    adverbs="immer(?! noch\\b)|nie|niemals|stets|nie wieder|nie mehr|jedes mal|jedesmal|ausnahmslos|grundsatzlich|grundsaetzlich|durchgehend",
    leading=f"{_FUTURE}|{_WHEN}|{_IN_ALL}",
    trailing=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|nie wieder|nie mehr|(?:immer|jedes mal|jedesmal),? wenn",
    lead=_LEAD,
    things=(
        "(?:(?:die|der|das|alle|meine|deine) )?(?:\\w*preise?|kosten|\\w+angaben|betrage|summen|uhrzeiten|einheiten|maße|masse|mengen"
        "|entfernungen|temperaturen|gewichte|antworten|code|kommentare|quellen|zitate|beispiele|rezepte|zahlen|erklarungen"
        "|ubersetzungen|zusammenfassungen|titel|namen|texte)"
    ),
    in_form="in|im|mit|ohne|als|auf|pro|nur|tag",
    not_between="sagt|sagte|meinte|meint|gesagt|wie|warum|weshalb|welche|welcher|wer|wo|fehler|weil|er|es|man|ich|passiert|auftritt|kann|konnte",
)
_MARKS = (
    *(
        "immer",
        " nie",
        "stets",
        "jedes",
        "ausnahmslos",
        "grundsatz",
        "grundsaetz",
        "durchgehend",
        "ab jetzt",
        "ab sofort",
        "ab heute",
    ),
    *(
        "ab nun",
        "ab hier",
        " jetzt an",
        " heute an",
        " nun an",
        "zukunft",
        "zukuenft",
        "kunftig",
        "kuenftig",
        "fortan",
        "standardma",
        "generell",
        "allgemein",
    ),
    *(
        "regel",
        "nachste",
        "bis ",
        "sofern",
        "solange",
        "auß",
        "auss",
        "es sei",
        "wenn ",
        "falls ",
        "sobald ",
        "sooft",
        "allen",
        "jede",
        "samtl",
    ),
)
_ON = (
    "(?:ab (?:jetzt|sofort|heute|nun|hier)|von (?:jetzt|nun|heute) an|in zukunft|zukunftig|zukuenftig|kunftig|kuenftig|fortan"
    "|(?:beim|das) n(?:a|ae)chste[ns]? mal)"
)
_ON_SIGNS = (
    "ab jetzt",
    "ab sofort",
    "ab heute",
    "ab nun",
    "ab hier",
    " jetzt an",
    " nun an",
    " heute an",
    "zukunft",
    "zukuenft",
    "kunftig",
    "kuenftig",
    "fortan",
    "chste mal",
    "chstes mal",
    "chsten mal",
)
_JUST = "(?: (?:nur|immer|einfach|meist|meistens|alle|hier|auch|eigentlich|bloß|schon)){0,2}"
_PERSON = (
    "(?:kolleg|freund|chef|bruder|schwester|mann|frau|sohn|tochter|partner|mitbewohner|nachbar|mutter|vater|mama|papa|cousin|tante|onkel"
    "|kind|hund|katze|kater|teamleit|vertret|assisten|mitarbeiter|ansprechpartner|vorgesetzt|praktikant|nachfolger|trainer|neffe|nichte|enkel|oma|opa|zwilling|hamster|pferd|papagei)"
)
_OCCUPATION = (
    "(?:lehrer|entwickler|student|ingenieur|arzt|berater|leiter|vegetarier|veganer|meister|mechaniker|techniker|informatiker|programmierer"
    "|designer|manager|anfanger|linkshander|rentner|allergiker|schuler|architekt|kauf(?:mann|frau)|fan|typ|mensch|trinker|esser|muffel)(?:in|en)?\\b"
)
_THIS = "(?:das|dies|es|davon|nichts(?: davon)?|diese (?:nachricht|unterhaltung)|dieses gesprach|was ich (?:gesagt|geschrieben|erzahlt) habe|alles,? was ich [^\\n,.;]{1,30}|das alles|alles)"

TABLE = LanguageTable(
    triggers=(
        Trigger("correction", "(?:(?:(?:ich|es|das|wir|er|sie|mein\\w* \\w+|unser\\w* \\w+) \\w+ )?eigentlich|vielmehr|genauer gesagt|besser gesagt|korrektur|tatsachlich(?= (?:ist|heiß|heiss|war)))", ("eigentlich", "vielmehr", "gesagt", "korrektur", "tatsachlich"), "clause"),
        Trigger("correction", "(?:nein|nee|noe),? (?:falsch|quatsch|das ist falsch|stimmt nicht|andersrum|umgekehrt)", ("nein", "nee", "noe"), "clause"),
        Trigger("correction", "(?:(?:nein|nee|ne|noe),? ?)?ich (?:meinte|habe gemeint|wollte sagen)", ("mein", "wollte sagen"), "clause"),
        Trigger("correction", "(?:nein[,.:]? )?(?:das|es|dies) (?:ist|war|stimmt|stimmte)(?: (?:so|aber|leider|doch|einfach|vollig|komplett))* (?:nicht(?: (?:ganz|so))?(?: (?:richtig|korrekt|wahr|das,? was ich (?:meinte|wollte)|was ich (?:meinte|wollte)))?(?= ?(?:[,.!;\\n]|$))|falsch|verkehrt|nicht (?:richtig|korrekt|wahr)|inkorrekt)", ("nicht", "falsch", "verkehrt", "inkorrekt"), "clause"),
        Trigger("correction", "(?:du (?:hast (?:mich |das )?(?:falsch verstanden|missverstanden|verwechselt)|irrst dich|liegst falsch|verwechselst)|sie (?:haben mich (?:falsch verstanden|missverstanden)|irren sich|liegen falsch)|ich habe mich (?:geirrt|vertan|falsch ausgedruckt)|da liegst du falsch)", ("falsch", "missverst", "verwechsel", " irr", "vertan"), "clause"),
        Trigger("correction", r"(?:nicht|kein\w*) [^\n,;]{1,100}?,? sondern (?=\w)", ("sondern",)),
        Trigger("correction", r"(?:es|das|er|sie|ich|mein name) (?:ist|war|heiße|heisse|heißt|heisst|wohne|bin) (?:nicht|kein\w*) [^\n]{1,120}?[,;:—–-] ?(?:es|das|er|sie|ich)? ?(?:ist|war|heiße|heisse|heißt|heisst|wohne|bin) (?=\w)", ("nicht", "kein")),
        Trigger("correction", r"(?:falsch|verkehrt|stimmt nicht)(?= ?(?:[,.!:;]|\n|$))", ("falsch", "verkehrt", "stimmt nicht"), "sentence"),
        Trigger("correction", f"(?:stattdessen,? (?:{_VERB})|(?:{_VERB}) [^\\n]{{1,60}}? (?:stattdessen|statt|anstatt|anstelle))", ("statt", "anstelle"), "clause"),
        Trigger("correction", "(?:hor|hoer)(?:e|en)? (?:sie )?(?:bitte )?(?:damit )?auf(?=,? (?:zu|mit|damit|dich|mich|immer|so|staendig|standig|\\w+)|[.!\\n]|$)", (" hor", " hoer"), "clause"),
        Trigger("correction", rf"(?:{_VERB}) [^\n,;]{{0,60}}?(?:nicht mehr|nicht (?:noch einmal|nochmal|wieder)|nie wieder|kein\w* [^\n,;]{{1,30}}? mehr)(?!\w)", ("nicht mehr", "noch einmal", "nochmal", "wieder", "mehr"), "clause"),
        Trigger("proper_noun", "(?:mein (?:voller )?name (?:ist|ware|lautet)(?: ubrigens| nebenbei)?|ich heiße|ich heisse)", ("mein name", "voller name", "ich hei"), then="sure name"),
        Trigger("proper_noun", rf"(?:ich bin(?: der| die)?(?! \w*{_OCCUPATION})|nenn(?:e|t|en sie)? mich(?: (?:einfach|ruhig|bitte|lieber|nur|doch|gern|gerne)){{0,2}}|(?:(?:du|sie) )?(?:kannst|konnen|koennen) mich(?: (?:einfach|ruhig|bitte|lieber|auch|gern|gerne)){{0,2}}(?= [\w-]+(?: [\w-]+)? (?:nennen|rufen))|hier ist|hier spricht|man nennt mich)", ("ich bin", "nenn", "kannst mich", "nnen mich", "hier "), "clause", then="name"),
        Trigger("preference", r"(?:ich (?:\w+ )?(?:bevorzuge|praferiere|praeferiere|favorisiere|bevorzugt)|bevorzuge ich|praferiere ich)(?! es,? dass (?:du|sie))(?= ?[^\n])", ("bevorzug", "praferier", "praeferier", "favorisier"), unless=r"\b(?:wenn|ob|dass|falls)"),
        Trigger("preference", r"(?:ich|wir) (?:\w+ )?(?:mag|liebe|hasse|verabscheue|schatze|schaetze|genieße|geniesse|mogen)(?! (?:das|es|dies|diese antwort|die idee|wie|was|deine|dich|sie|ihre)\b)", (" mag", "liebe", "hasse", "verabscheu", "schatze", "schaetze", "genie"), unless=r"\b(?:wenn|ob|dass|falls|was|wie)"),
        Trigger("preference", r"(?:[\w'-]+ ){1,4}(?:mag|liebe|hasse|bevorzuge|verabscheue|trinke|esse) ich (?:nicht|gar nicht|sehr|uberhaupt nicht|ueberhaupt nicht|am liebsten|besonders|lieber|uber alles|gern|gerne|total|nicht so)", (" ich ",), "clause", unless=r"\b(?:was|wenn|wie)"),
        Trigger("preference", r"(?:ich (?!(?:hatte|haette) (?:sie|es|ihn|das|alles|die|den|dann)\b)[^\n,.;:!?]{1,40}?|(?!(?:wenn|falls|ob|dass|was|wie|weil|da|als|bevor|sobald)\b)\w+ ich [^\n,.;:!?]{0,40}?)(?:gern(?:e)?|lieber|am liebsten|ungern)(?! (?:wissen|sehen|jetzt|mal|haben, dass))(?= |[.!,]|\n|$)", ("gern", "lieb"), "clause", unless=r"\b(?:wenn|ob|dass)"),
        Trigger("preference", r"am liebsten \w+ ich", ("am liebsten",), "clause"),
        Trigger("preference", r"(?:mir (?:gefallt|gefaellt|gefallen|schmeckt|schmecken|ist [^\n,.]{1,30}? lieber)|(?:gefallt|gefaellt|gefallen|schmeckt|schmecken) mir|ich stehe (?:total )?auf(?! (?:dem|der|einem|einer|meinem|meiner)\b)|ich kann [^\n,.]{1,50}? nicht (?:leiden|ausstehen)|ich habe eine (?:vorliebe|schwache) fur)(?! (?:das|es|dies|wie|deine|ihre|die idee|die antwort)\b)", (" mir ", "stehe", "leiden", "ausstehen", "vorliebe", "schwache"), unless=r"\b(?:was|wenn|wie|das|es)"),
        Trigger("preference", r"ich (?:mochte|moechte|will|wurde gern|wuerde gern|wunsche mir|traume davon)(?: gern| gerne)? [^\n,.!?]{0,40}?\b(?:leben|wohnen|umziehen|werden|auswandern|heiraten|abnehmen|reisen|studieren|in rente|kinder haben|eine familie|aufhoren zu rauchen|nichtraucher)", ("ich mochte", "ich moechte", "ich will", "ich wurde", "ich wuerde", "ich wunsche", "ich traume"), unless=r"\b(?:wenn|ob|dass)"),
        Trigger("preference", r"ich (?:mochte|moechte|will|wunsche mir|hatte gern(?:e)?|haette gern(?:e)?|wurde gern)(?! (?:dass|wissen|sehen|gern(?:e)? (?:wissen|sehen)|eine? (?:beispiel|liste|tabelle|zusammenfassung|grafik|diagramm|code|skript|erklarung|funktion|hilfe|rat)|das|es|dies|hilfe|den code|die tabelle|dich|dir|dein|nicht)\b|[^\n.!?]{1,120}?\w(?:en|eln|ern)(?= ?(?:[.!,;]|\n|$)))(?= \w)", ("ich mochte", "ich moechte", "ich will", "ich wunsche", "ich hatte gern", "ich haette gern"), unless=r"\b(?:wenn|ob|dass|was|wie)"),
        Trigger("preference", r"mein(?:e|en)? (?:lieblings\w+|absolute[rs]? lieblings\w+|liebste[rsn]? \w+)(?: [^\n,.]{1,30}?)? (?:ist|sind|war)|meine lieblings\w+|meine (?:vorliebe|praferenz) (?:ist|gilt)", ("liebling", "liebste", "vorliebe", "praferenz"), then="word"),
        Trigger("decision", "(?:lass(?:t)? uns (?:mal )?|nehmen wir|wir nehmen|wir (?:werden )?(?:verwenden|benutzen|nutzen)|ich (?:nehme|verwende|benutze|werde [^\\n,.]{1,40}? (?:verwenden|benutzen|nehmen))|verwenden wir|benutzen wir|machen wir|probieren wir|ich habe mich (?:fur|fuer|gegen)|wir (?:haben|entscheiden) uns (?:fur|fuer|gegen)|entschieden)", (" lass", "nehm", "verwend", "benutz", "nutz", "mach", "probier", "entsch", "habe mich"), "clause", then="word"),
        *instruction_triggers(_GRAMMAR, _MARKS),
        Trigger("instruction", r"(?:bitte )?(?:niemals|nie|nichts) [^\n,.;!?]{1,60}?\w+en,? (?:ohne (?:mich|mein\w*|vorher|zu fragen)|bevor ich|ehe ich)", (" nie", "nichts"), "clause", unless=r"\b(?:ich|wir)"),
        Trigger("instruction", r"ich (?:brauche|mochte|moechte|will|erwarte|hatte gern|haette gern) (?:(?:\w+ ){1,5}?)?(?:zu|bei|fur|fuer|nach|mit|in) jede[rmns]? [^\n,.;!?]{1,40}?,? (?:die|den|das|der) (?:du|sie) (?:mir )?(?:nenn|angib|anfuhr|erwahn|erwaehn|zitier|gib|vorschlag|bring|schreib)\w*", ("jede",), "clause"),
        Trigger("preference", r"(?:was ich (?:[\w-]+ ){0,4}?(?:mag|hasse|liebe|verabscheue|ausstehen kann|leiden kann|ertrage)(?: ?[:,—–-]| ist| sind)(?!,? (?:dass|wenn|wie|an|das|dieser?|dieses|der (?:bug|fehler|code))\b)|wenn ich (?:eins|eines|etwas|was|eine sache) (?:[\w-]+ ){0,3}?(?:hasse|liebe|nicht mag|nicht leiden kann|nicht ausstehen kann|verabscheue),? (?:dann|ist|sind)(?!,? (?:dass|wenn|dieser?|dieses|das)\b))", ("was ich ", "wenn ich "), "clause"),
        Trigger("preference", r"ich stehe?(?: (?:total|voll|gerade|zurzeit|momentan|schon|immer|sehr|echt|richtig|eher|halt|nicht|wahnsinnig|so|im moment|zur zeit)){0,4} auf (?!(?:dem|der|einem|einer|meinem|meiner|diesem|dieser|seite|platz|stufe|zeile)\b)(?=\w)", ("ich steh",), unless=r"\b(?:wenn|ob|dass)"),
        Trigger("preference", r"~(?!(?:das|dieser?|es|der (?:fehler|bug|code))\b)[^\n,.;!?]{2,50}? (?:(?:krieg|kriege|bekomm|bekomme) ich (?:immer |nur |sofort )?(?:kopfweh|kopfschmerzen|migrane)|(?:macht|machen|bereitet|bereiten) mir (?:immer )?(?:kopfweh|kopfschmerzen))", ("kopfweh", "kopfschmerzen", "migrane"), "clause", unless=r"\b(?:wenn|ob|dass)"),
        Trigger("preference", r"ich bin (?:[\w-]+ ){0,3}?(?:suchtig|verruckt|ganz wild|total wild) (?:nach|auf)(?= \w)", ("suchtig", "verruckt", "wild"), "clause"),
        Trigger("remember", r"(?:bitte )?(?:fur|fuer) (?:spater|spaeter|nachher|die zukunft|das nachste mal) (?:bitte )?(?:merken|notieren|festhalten|aufheben|vormerken)", ("merken", "notier", "festhalten", "aufheben"), "clause"),
        Trigger("proper_noun", r"(?:(?:moin|hallo|hi|hey|servus|guten (?:tag|morgen|abend)|gruß gott|gruezi)[^\w\n]{1,3})?hier (?:spricht|schreibt|ist)(?: (?:der|die|wieder|nochmal|noch mal|noch einmal)){0,2} (?!(?:code|fehler|log|text|link|datei|plan|entwurf|beispiel|auszug|liste|tabelle|output|screenshot|bild|version|stand|stelle|punkt)\w*\b)(?=[\w-]+(?: [\w-]+)?(?:,? (?:wir (?:hatten|haben|waren|sprachen|kennen)|ich (?:hatte|habe) (?:\w+ ){0,3}?(?:letzte\w*|gestern|neulich|vorgestern|schon))| (?:von der|vom|aus (?:der|dem))\b))", ("hier ",), "sentence", then="name"),
        Trigger("instruction", r"(?:(?:in|bei|zu|mit|code|quellen|antworten|texte?|preise|daten) (?:[^\s,;:.!?]{1,30} ){0,3}?)?(?:bitte )?(?:immer|stets|nie|niemals|ab jetzt|ab sofort|kunftig|kuenftig|in zukunft|zukunftig|grundsatzlich|generell|standardmaßig)(?: bitte)? [^\n,;:.!?]{0,80}?\b(?:antworten|benutzen|verwenden|nutzen|schreiben|sprechen|reden|erklaren|erklaeren|angeben|nennen|zeigen|formatieren|vermeiden|weglassen|machen|geben|fragen|nachfragen|hinzufugen|einfugen|zitieren|halten|beginnen|duzen|siezen|zusammenfassen|ubersetzen|runden|auflisten|kommentieren|prufen|testen|beachten|erwahnen|verzichten|lassen|begrunden|bestatigen|warnen)(?=[.! ]{0,3}(?:\n|$))".replace("[.! ]", r"[.!\s]"), ("immer", "stets", " nie", "ab jetzt", "ab sofort", "kunftig", "kuenftig", "zukunft", "grundsatz", "generell", "standard"), "sentence", unless=r"\b(?:ich|wir|er|sie|man)"),
        Trigger("instruction", "(?:hor|hoer)(?:e|en)? (?:sie )?(?:bitte )?(?:damit )?auf(?=,? [^\\n]{0,60}?(?:zu \\w+|\\wzu\\w+|mit )|[.!\\n]|$)", (" hor", " hoer"), "clause"),
        Trigger("instruction", rf"(?:{_VERB}) (?:[^\n,;]{{0,60}}? )?(?:nicht mehr|nie wieder|nie mehr|kein\w* [^\n,;]{{1,30}}? mehr)(?!\w)", ("nicht mehr", "wieder", "mehr"), "clause"),
        Trigger("instruction", r"(?:keine?|bitte keine?|ohne|verzichte(?:n sie)? auf|vermeide(?:n sie)?|lass(?:e|en sie)?)(?: \w+)? (?:emojis?|smileys?|entschuldigungen|aufzahlungen|aufzahlungspunkte|stichpunkte|floskeln|fachjargon|fachchinesisch|anglizismen|ausrufezeichen|listen|markdown|einleitungen|fullworter)(?: mehr| weg| bitte| in [^\n]{1,40})*(?=[.!\s]{0,3}(?:\n|$))", ("keine", "ohne", "verzicht", "vermeid", " lass"), "clause"),
        Trigger("instruction", rf"(?:alle deine|alle ihre|deine|ihre|jede deiner|jede) {_REPLIES} (?:soll|sollen|sollten|mussen|muessen|muss|durfen|duerfen)\b", ("deine", "ihre", "jede"), "clause"),
        Trigger("instruction", rf"(?:halt|halte|halten sie|mach|fass|fasse|formulier|formuliere) (?:bitte )?(?:alle )?(?:deine|ihre) {_REPLIES}", ("halt", "mach", "fass", "formul"), "clause"),
        Trigger("remember", r"(?:merk(?:e|en sie)? (?:dir|sich|euch)|erinner(?:e|n sie)? (?:dich|sich)|denk(?:e|en sie)? (?:bitte )?(?:dran|daran)|behalt(?:e|en sie)? (?:bitte )?(?:im (?:kopf|hinterkopf|gedachtnis)|in erinnerung|das)|notier(?:e|en sie)?(?: dir)?|speicher(?:e|n sie)? (?:dir|bitte|das|dies)?)(?!,? (?:nicht|das nicht))", ("merk", "erinner", "denk", "behalt", "notier", "speicher"), "clause"),
        Trigger("remember", r"(?:vergiss|vergesst|vergessen sie)(?: bitte| \w+)? (?:nicht|nie|niemals)", ("verg",), unless=r"\b(?:ich|wir)"),
        Trigger("remember", r"nicht vergessen", ("nicht vergessen",), then="word"),
        Trigger("proper_noun", rf"(?:alle|jeder|die (?:meisten|leute|kollegen|anderen)|freunde|kollegen|meine? \w+|man|sie)(?: \w+){{0,3}}? (?:nennen|nennt|rufen|ruft) mich{_JUST}", (" mich",), then="sure name"),
        Trigger("proper_noun", rf"mich (?:nennen|rufen|nennt) (?:alle|man|die \w+|meine \w+){_JUST}", (" mich",), "clause", then="sure name"),
        Trigger("proper_noun", r"(?:sagen|sagt)(?: alle| hier| immer| einfach| nur){0,2} (?=[\w'-]+ zu mir\b)", (" zu mir",), then="name"),
        Trigger("proper_noun", rf"ich bin(?: (?:ubrigens|uebrigens|nebenbei|hier|also|ja|eigentlich|wie gesagt)){{1,2}}(?: der| die)?(?! \w*{_OCCUPATION})", ("ich bin ",), "clause", then="name"),
        Trigger("proper_noun", rf"(?:das|dies|hier) (?:ist|sind)(?: ubrigens| uebrigens)? (?:mein|unser)\w* (?:\w+e[rnsm]? )?\w*{_PERSON}\w*,?", ("mein", "unser"), "clause", then="sure name"),
        Trigger("proper_noun", rf"(?:mein|unser|die|der|das)\w* (?:\w+e[rnsm]? )?\w*{_PERSON}\w* (?:heißen|heissen|heißt|heisst|hort auf(?: den namen)?|nennt sich)", ("heißt", "heisst", "heißen", "heissen", "hort auf", "nennt sich"), then="sure name"),
        Trigger("proper_noun", rf"(?:darf ich (?:dir |ihnen )?(?:kurz )?vorstellen[:,]?|ich (?:stelle|mochte) (?:dir|ihnen)|lern(?:e|en sie)? (?:mal )?)(?: (?:mein|unser)\w* (?:\w+e[rnsm]? )?\w*{_PERSON}\w*,?)", ("vorstell", "stelle dir", "stelle ihnen", "mochte dir", "mochte ihnen", "lern mein", "lerne mein", "lern mal"), "clause", then="sure name"),
        Trigger("preference", r"~(?!(?:das|es|dies|was|wie|warum|wen|wann|wenn)\b)(?:[\w'-]+ ){1,6}(?:mag|liebe|hasse|verabscheue|verehre|schatze|ertrage) ich(?! (?:das|es|dies|dich|sie|ihn|wie|dass)\b)", (" ich ",), "clause", unless=r"\b(?:was|wenn|wie|ob|dass)"),
        Trigger("preference", r"(?:(?:[\w'-]+ ){0,6}?(?:kann ich|ich kann) (?:[\w'-]+ ){0,4}?(?:nichts|wenig|nix) anfangen|(?:(?!(?:das|es|dies|was|wie)\b)[\w'-]+ ){1,5}finde? ich (?:\w+ ){0,2}?(?:herrlich|toll|super|klasse|furchtbar|schrecklich|grauenhaft|ekelhaft|eklig|wunderbar|großartig|blod|doof|nervig|anstrengend|langweilig))", ("anfangen", "finde ich", "find ich"), "clause", unless=r"\b(?:wenn|ob|dass|was)"),
        Trigger("preference", r"(?:kann ich|ich kann)(?: [\w'-]+){0,8}? (?:nicht|kein\w* [\w-]+) (?:mehr )?(?:ausstehen|leiden|ab|riechen|ertragen|haben)(?= ?(?:[,.!;]|\n|$|und\b|weil\b))", ("ausstehen", "leiden", "nicht ab", "riechen", "ertragen", "nicht haben"), unless=r"\b(?:das|es|dies|wenn|ob|dass|so)"),
        Trigger("preference", r"(?!(?:wurde|wuerde|hatte|haette|mochte|moechte|konnte|koennte|habe|werde|ware)\b)\w+e ich(?: [\w'-]+){0,6}? (?:lieber|am liebsten|gern|gerne|ungern)(?! (?:wissen|sehen|haben)\b)", ("lieb", "gern"), unless=r"\b(?:wenn|ob|dass|was|wie)"),
        Trigger("preference", r"(?:(?:ist|sind|waren?) mir(?: [\w'-]+){0,3}?|mir (?:ist|sind|waren?)(?: [\w'-]+){1,8}?) (?:lieber|am liebsten|zuwider|verhasst|(?:ein|der) (?:graus|grauel|greuel|dorn))", (" mir ",), unless=r"\b(?:das|es|dies|wenn|ob|dass|was)"),
        Trigger("preference", r"(?:ist|sind|war|waren)(?: [\w'-]+){0,3}? (?:meins|mein (?:ding|fall|geschmack)|nach meinem geschmack|nichts (?:fur|fuer) mich)", ("meins", "mein ding", "mein fall", "geschmack", " mich"), unless=r"\b(?:was|das|es|dies|code|repo|projekt)"),
        Trigger("preference", r"(?:mit [^\n,.]{1,40}? (?:kann man|kannst du|konnen sie) mich (?:jagen|vertreiben)|kommt? (?:mir|bei mir|fur mich|fuer mich) (?:nur|nichts|kein\w*|nie|nicht)|geht (?:bei mir|fur mich|fuer mich) gar nicht|schw(?:o|oe)re (?:ich )?(?:total )?auf)", (" mich ", " mir ", "gar nicht", "re auf", "re ich auf"), unless=r"\b(?:wenn|ob|dass)"),
        Trigger("preference", r"(?:ich bin|bin ich)(?: [\w'-]+){0,6}? (?:[\w'-]*(?:typ|mensch|fan|trinker|trinkerin|liebhaber|liebhaberin|muffel|narr|esser|esserin|junkie|eule|lerche))(?!\w)", ("ich bin", " ich "), unless=r"\b(?:wenn|ob|dass|weil)"),
        Trigger("preference", r"(?:(?:ich )?(?:esse|trinke|rauche|vertrage)|(?:esse|trinke|vertrage) ich)(?: \w+){0,2}? (?:kein\w*|nie|niemals|nur|ausschließlich|nichts|nicht)", ("esse ich", "ich esse", "trinke", "rauche", "vertrage"), unless=r"\b(?:wenn|ob|dass|weil)"),
        Trigger("preference", r"mein(?:e|en)? (?:absolute[rs]? )?lieblings\w+(?: [^\n,.]{1,30}?)? (?:bleibt|bleiben|heißt|heisst|war|waren)", ("liebling",), then="word"),
        Trigger("instruction", rf"{_ON}(?:,? bitte)? (?:nur(?: noch)?|kein\w*|ohne|immer|nie|niemals|nie mehr|alles|alle|ausschließlich|auf|in|mit|per)\b", _ON_SIGNS, "clause", "word"),
        Trigger("instruction", rf"~(?=[^\n.;!?]{{0,160}}\bbitte\b)[^\n.;!?]{{2,80}}? (?:{_ON}|immer|stets|grundsatzlich|grundsaetzlich|generell|standardmaßig|durchgehend|ausschließlich|jedes mal|nie|niemals)(?: bitte)? (?:nur|noch|auf|in|im|mit|ohne|kein\w*|nicht|als|per|zu|nach|mir|mich|den|die|das|\w+en\b)", ("bitte",), "sentence", unless=r"\b(?:ich|wir|er|sie|es)"),
        Trigger("instruction", rf"~(?=[^\n.;!?]{{0,160}}\b(?:{_ON}|jedes mal|jedesmal|immer|am (?:anfang|ende))\b)[^\n.;!?]{{2,100}}? (?:kannst|konntest|koenntest|konnen|konnten) (?:du|sie) (?:dir |sich )?(?:\w+ ){{0,5}}?(?:sparen|weglassen|auslassen|uberspringen|streichen)", ("sparen", "weglassen", "auslassen", "uberspringen", "streichen"), "sentence"),
        Trigger("instruction", r"(?:(?:du|sie) (?:musst|mussen|brauchst|brauchen)|(?:musst|mussen|brauchst|brauchen) (?:du|sie)|(?:es ist |ist )?(?:nicht|un)n(?:o|oe)tig,?|nicht n(?:o|oe)tig,?)(?: [\w'-]+){0,4}? (?:nicht )?(?:jedes mal|jedesmal|immer|staendig|standig|dauernd|bei jede[rm]|in jede[rm])", ("musst", "mussen", "brauch", "notig", "noetig"), "clause"),
        Trigger("instruction", r"(?:bevor|ehe) (?:du|sie) [^\n,]{1,80},? (?:bitte )?(?:immer |erst |vorher |zuerst ){0,2}(?:frag|sag|gib|geb|warn|informier|zeig|meld|besprich|sprich|hol|klar|klaer)\w*", ("bevor du", "bevor sie", " ehe du", " ehe sie"), "clause"),
        Trigger("remember", r"(?:kannst|konntest|koenntest|wurdest|wuerdest|magst|konnen|konnten) (?:du|sie) (?:dir |sich )?(?:bitte |mal |das |kurz ){0,3}(?:merken|notieren|aufschreiben|vormerken|festhalten)", ("merken", "notier", "aufschreib", "festhalten"), "clause"),
        Trigger("remember", r"(?:mach(?:e|en sie)? (?:dir|sich) (?:bitte |mal ){0,2}(?:eine |ne )?notiz|schreib(?:e|en sie)? (?:dir |sich )(?:bitte |mal |das ){0,3}(?:auf|hinter die ohren)|halt(?:e|en sie)? (?:bitte |mal ){0,2}fest,? dass|f(?:u|ue)rs? (?:das )?(?:protokoll|nachste mal|naechste mal)[:,]|(?:nicht|bitte) (?:merken|notieren|im hinterkopf behalten)[:,])", ("notiz", "schreib", " fest,", "protokoll", "ste mal,", "ste mal:", "merken", "notier", "hinterkopf"), "clause"),
        Trigger("preference", r"~(?!(?:das|es|dies|was|er|sie|man)\b)[^\n,.;!?]{2,50}? (?:(?:langweilt|langweilen|nervt|nerven|stresst|stressen|entspannt|entspannen|beruhigt|beruhigen|ermudet|ermuden) mich|hilft mir beim|helfen mir beim)|(?:arbeite|lerne|denke|schlafe|schreibe)(?: ich)?(?: [\w'-]+){0,5}? (?:am besten|viel besser|besser)", (" mich", " mir ", "besser", "am besten"), "clause", unless=r"\b(?:wenn|ob|dass|fehler|bug)"),
        Trigger("proper_noun", r"(?:nennen|rufen) mich(?: (?:alle|immer|einfach|nur|sie|leute|freunde|kollegen|(?:die|meine) \w+)){0,3}", (" mich",), then="name"),
        Trigger("preference", r"bin(?: (?:eher|mehr|halt|einfach|total|absolut|ein|eine|der|die|das|so)){1,4} [\w'-]*(?:typ|mensch|fan|trinker(?:in)?|liebhaber(?:in)?|muffel|narr|esser(?:in)?|junkie|eule|lerche)(?!\w)", ("bin ",), "sentence"),
        Trigger("preference", r"ich (?:arbeite?|lerne?|schlafe?|denke?|schreibe?)(?: [\w'-]+){0,3}? (?:am besten|am liebsten|besser|schlechter)(?=[,.;!]| (?:wenn|bei|mit|in|im|ohne|auf|nachts|morgens|abends|allein)\b|\n|$)", ("am besten", "am liebsten", "besser", "schlechter"), "clause", unless=r"\b(?:wenn|ob|dass)"),
        Trigger("preference", r"auf [^\n,.;!?]{2,40}? steh(?:e|t)? ich(?!\w)|~[^\n,.;!?]{0,40}?\b(?:schlaf|trink|nehm|ess|les|geh|fahr|hor|schau|koch|arbeit|sitz|reis|trag|mach) ich (?:[\w'-]+ ){0,5}?(?:lieber|gern|gerne|am liebsten|ungern)(?! (?:wissen|sehen|haben|mal)\b)", (" ich ",), "clause", unless=r"\b(?:wenn|ob|dass|was|wie)"),
        Trigger("instruction", rf"(?:{_ON}|standardmaßig|standardmassig|grundsatzlich|generell),? (?:will|mochte|moechte|hatte|haette|brauche|erwarte|wunsche) ich(?: gern| gerne| mir)?(?: von (?:dir|ihnen))? (?:nur|immer|kein\w*|alle\w*|ausschließlich)", (*_ON_SIGNS, "standardma", "grundsatz", "generell"), "clause"),
        Trigger("decision", r"(?:beschlossen|abgemacht|entschieden)(?= ?[,:;])", ("beschlossen", "abgemacht", "entschieden"), "clause"),
        *INTRODUCTIONS["german"],
        *REMINDERS["german"],
        *ATTITUDES["german"],
        *EVERYDAY["german"],
        *STANDING_REQUESTS["german"],
    ),
    leads=_LEAD,
    conjunctions="und|aber|oder|denn|dass|weil|also|so",
    question_words="was|wie|warum|wieso|weshalb|welche|welcher|welches|wer|wo|wann|wohin|woher|kannst|konntest|koenntest|konnen|konnten|koennten|wurdest|wuerdest|soll|sollte|gibt|ist|sind|hast|haben|darf|mag|bin|ob",
    private=(
        r"(?:vergiss|vergessen sie)(?: bitte)?,? (?:was ich (?:(?:dir|ihnen|euch|gerade|eben|vorhin|da|zuvor|vorher|soeben) ){0,3}(?:gesagt|geschrieben|erzahlt|erwahnt)(?: hab(?:e)?)?|das (?:eben|gerade|vorhin) gesagte)(?!\w)",
        rf"(?:^|[,.;:!—–-] ?|\b(?:und|aber|bitte),? )(?:merk(?:e|en sie)? (?:dir|sich)|speicher(?:e|n sie)?|notier(?:e|en sie)?(?: dir)?|behalt(?:e|en sie)?|erinner(?:e|n sie)? (?:dich|sich)|zeichn(?:e|en sie)?|schreib(?:e|en sie)?)(?: dir| bitte)?(?: (?:an )?{_THIS})?(?: (?:bitte|mal|jetzt))? (?:bloß |bloss |auf keinen fall |ja |lieber |besser )?nicht(?: auf| ab| fest)?(?= ?(?:$| (?:aber|und|weil|denn|ab|lieber)\b|[,.;:!—–]| in deinem gedachtnis| dass | weil))",
        rf"(?:^|[,.;:!—–-] ?|\b(?:und|aber|bitte),? )(?:bitte )?{_THIS} (?:bitte )?(?:nicht|nirgends) (?:speichern|merken|aufschreiben|notieren|aufzeichnen|festhalten)|(?:bitte )?nicht (?:speichern|merken|aufschreiben|notieren)(?= ?(?:$| (?:aber|und|weil|denn|ab|lieber)\b|[,.;:!]))",
        rf"ich (?:will|mochte|moechte)(?: nicht)?,? dass (?:du|sie) (?:dir |sich )?{_THIS}(?: nicht)? (?:merkst|speicherst|notierst|behaltst|aufschreibst|merken|speichern|notieren|behalten)",
        rf"(?:vergiss|vergessen sie|losch(?:e|en sie)?|loesch(?:e|en sie)?)(?: bitte)? {_THIS}(?: wieder| bitte)?(?= ?(?:$| (?:aber|und|weil|denn|ab|lieber)\b|[,.;:!]))",
        r"(?:das |dies |es )?(?:bleibt |bleibe )?(?:bitte )?unter uns(?: bleiben)?(?= ?(?:$| (?:aber|und|weil|denn|ab|lieber)\b|[,.;:!]))|off the record|im vertrauen gesagt",
        r"(?:^|[,.;:!¡—–-] ?)(?:(?:das|dies|es)(?: hier)? (?:ist|bleibt|soll(?:te)?|muss) |(?:behand\w+|halt\w*)(?: sie)? (?:das|dies|es) |ich (?:sage?|erzahle?) (?:dir|ihnen|euch)(?: das| dies)? )?(?:bitte )?(?:streng |strikt |absolut |sehr )?(?:vertraulich|im vertrauen)(?: bleiben| sein)?(?= ?(?:$| (?:aber|und|weil|denn|dass)\b|[,.;:!—–]))",
    ),
    self_harm=(
        r"suizid\w*|selbstmord\w*|selbstverletz\w*|(?:mich|mir) (?:umbringen|umzubringen|umbringe|toten|selbst verletzen|ritzen|erhangen|das leben nehmen|was antun|etwas antun)|(?:bringe|ritze|verletze|tote) mich\b|schluss machen mit (?:allem|dem leben)",
    ),
    death_wish=(
        r"(?:will|mochte|moechte|wurde (?:lieber|am liebsten)|ware lieber|am liebsten|lieber) (?:einfach )?(?:sterben|tot sein|tot|nicht mehr (?:leben|da sein|aufwachen|existieren)|verschwinden)\b|nicht mehr leben|lebensmude|(?:hasse|verabscheue) (?:mich|mein leben)\b|tot ware",
    ),
    violence=(
        r"(?:schlagt|schlug|vergewaltigt\w*|missbraucht\w*|misshandelt\w*|verprugelt\w*|bedroht\w*|wurgt\w*|tritt|missbrauchte|vergewaltigte) mich\b|mich (?:geschlagen|vergewaltigt|missbraucht|misshandelt|verprugelt|bedroht|gewurgt)|(?:wurde|bin|werde) (?:ich )?(?:\w+ ){0,4}?(?:vergewaltigt|missbraucht|misshandelt|geschlagen|verprugelt)",
    ),
)  # fmt: skip
