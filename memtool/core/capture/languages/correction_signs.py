"""Signs of a correction without an old value, in ten languages: "Actually, …", "No, …", "… now".

Patterns match text in any case, as it is written.
"""

from __future__ import annotations

from memtool.core.text.discourse import MISTAKES, OTHER_MISTAKES

_UPDATE = r"(?:(?:a|one|small|quick|minor|slight|another) ){0,2}(?:correction|update)"
_ENGLISH = (
    r"actually|no(?! more\b)|nope|sorry|wait|oops|whoops|oh|well|ok|okay|yes|yeah|hm+|ah|and|but|so|hey|hi|hello|hold on"
    r"|by the way|btw|fyi|please"
    rf"|{_UPDATE}|{MISTAKES}|(?:let me|to) correct (?:that|myself)|i meant?(?: to say)?(?: that)?|in fact"
    r"|remember(?: that)?|note(?: that)?|now"
)
_OTHERS = (
    rf"{OTHER_MISTAKES}|eigentlich|tatsächlich|vielmehr|(?:genauer|besser) gesagt|korrektur|nein|nee|quatsch|falsch|entschuldigung|moment|warte"
    r"|ich meinte|jetzt|inzwischen|mittlerweile|nun"
    r"|en realidad|de hecho|más bien|mejor dicho|correcci[oó]n|perd[oó]n|espera|quise decir(?: que)?|ahora"
    r"|en fait|en réalité|plut[oô]t|je corrige|je voulais dire(?: que)?|pardon|désolée?|non|faux|attends|maintenant|désormais"
    r"|na verdade|na realidade|de facto|aliás|melhor dizendo|ou melhor|correção|corrigindo|quis dizer(?: que)?|desculpa|espera|não|agora"
    r"|на самом деле|вообще-то|точнее|вернее|поправка|уточню|я имела? в виду|нет|неверно|извини(?:те)?|подожди(?:те)?|теперь"
    r"|aslında|doğrusu|düzeltme|düzeltiyorum|pardon|hayır|yanlış|yani|artık"
    r"|aslida|to'g'rirog'i|tuzatish|yo'q|noto'g'ri|kechirasiz|endi"
)
_CONTINUOUS = (
    r"其实|其實|事实上|事實上|更正|准确地说|我是说|不对|不對|不是|错了|錯了|不|现在|現在|哦|等等"
    r"|実は|実際は|実際には|正確には|正しくは|訂正|いいえ|いや|違います|ちがいます|今では|今は|現在は"
)
LEADS = rf"(?:\W*(?:(?:{_ENGLISH}|{_OTHERS})(?![\w'’-])|{_CONTINUOUS}))+[\s,.:;!—–，、。：！-]*"
"""Words before a statement in its sentence that are no part of it."""
VERB_FIRST = r"\W*(?:eigentlich|tatsächlich|vielmehr|jetzt|inzwischen|mittlerweile|nun) $"
"""The end of such words after which the verb stands before the subject: "Eigentlich hängt der Schlüssel"."""

OPENINGS = (
    rf"\W*(?:(?:no|nope|sorry|oops|whoops|wait|hold on|{_UPDATE}|{MISTAKES}|{OTHER_MISTAKES}"
    r"|nein|entschuldigung|warte|ich meinte|falsch|quatsch|korrektur|perd[oó]n|correcci[oó]n|espera|quise decir(?: que)?|non|faux|pardon|désolée?|attends|je corrige|je voulais dire|não|desculpa|correção"
    r"|нет|неверно|извини(?:те)?|точнее|вернее|подожди|поправка|hayır|yanlış|düzeltme|yo'q|noto'g'ri|tuzatish)(?![\w'’-])"
    r"|不对|不對|不是|不|更正|いいえ|いや|違います|訂正)(?: (?:no|wait|sorry))?\s?[,:.!—–，、。！：]+\s*"
)
"""How a sentence begins that contradicts what was said before."""
RETRACTED = (
    r"(?i)\W*(?:(?:please|ok|okay|no|sorry|actually),? )?(?:forget|ignore|scrap|disregard) what i(?:'ve)? (?:said|told you)"
    r"(?: about (?P<old>[^,;:.!?—–]{1,60}?))?(?: ?[,;:—–]+ | - )(?:but |actually )?(?=\w)"
)
"""How a sentence begins that takes back what was said of something, and then says what holds."""
RETRACTION_SIGNS = (
    *("scratch", "strike", "take", "ignor", "disregard", "forget", "mind", "kidding", "joking", "joke", "jk", "j/k"),
    *("wish", "to think", "dreams", "not really", "streich", "nehm", "spaß", "spass", "scherz", "witz", "war's", "nicht"),
    *("retir", "tacha", "broma", "bromeando", "ojala", "raye", "rigole", "plaisant", "deconne", "blague", "rire", "seulement"),
    *("risc", "risque", "brinca", "zoando", "беру", "зачеркни", "вычеркни", "отмени", "игнорируй", "шучу", "пошутил", "шутка"),
    *("geri al", "yok say", "dikkate", "saka", "qaytarib", "hisobga", "hazil", "当我", "當我", "收回", "划掉", "劃掉", "忽略"),
    *("玩笑", "逗你", "取り消", "撤回", "なし", "忘れて", "冗談", "んて", "ーて", "嘘", "うそ"),
)  # fmt: skip
"""Parts of words, folded, one of which a text has that takes a sentence back (`retractions.py`)."""
OPENING_SIGNS = (
    *(" what i said", " what i told", " what i've said", "no,", "no:", "no wait", "no sorry", "nope"),
    *("wrong", "sorry", "oops", "wait", "hold on", "correction", "update", "scratch that", "strike that"),
    *("mistake", "my bad", "misspoke", "nein", "falsch", "quatsch", "korrektur", "perd", "correcci"),
    *("espera", "quise", "non,", "faux", "pardon", "désolé", "attends", "je corrige", "je voulais"),
    *("não,", "desculpa", "correção", "нет", "неверно", "извини", "точнее", "вернее", "подожди"),
    *("поправка", "entschuldigung", "warte", "ich meinte", "i stand corrected", "typo", " mixed "),
    *("ups,", "upps", "hoppla", "vertippt", " mich vertan", " mich geirrt", " mich verschrieben"),
    *("mein fehler", "equivo", "confund", "error mío", "je me suis tromp", "je me trompe", "mon erreur"),
    *("enganei", "erro meu", "hayır", "yanlış", "düzeltme", "yo'q", "noto'g'ri", "tuzatish", "不", "更正"),
    *("いいえ", "いや", "違", "訂正"),
)

EXPRESS = (
    r"(?<![\w'’-])(?:actually|no|nope|sorry|wait|oops|whoops|wrong|mistake|correction|update|instead|i mean(?:t)?|scratch that"
    r"|strike that|in fact"
    r"|eigentlich|tatsächlich|korrektur|nein|falsch|en realidad|de hecho|correcci[oó]n|perd[oó]n|en fait|en réalité|non"
    r"|pardon|na verdade|na realidade|aliás|correção|não|на самом деле|вообще-то|точнее|поправка|нет|aslında|hayır|düzeltme"
    r"|aslida|yo'q|tuzatish)(?![\w'’-])"
    r"|其实|其實|事实上|更正|不对|不對|実は|実際は|正確には|正しくは|訂正|いいえ|いや"
)
"""Signs that another value was wrong, unlike "now", which says only what holds since lately."""
CORRECTING = (
    r"(?<![\w'’-])(?:(?<!an )(?<!a )correction"
    rf"|{MISTAKES}|misspoke|correct (?:that|myself)|i meant?"
    r"|korrektur|falsch|vielmehr|(?:genauer|besser) gesagt|ich meinte"
    r"|correcci[oó]n|más bien|mejor dicho|quise decir|je corrige|je voulais dire|plut[oô]t"
    r"|correção|corrigindo|(?:melhor|quis) dize[nr](?:do)?|ou melhor"
    r"|точнее|вернее|поправка|уточню|неверно|имела? в виду|düzeltme|düzeltiyorum|doğrusu|yanlış"
    r"|tuzatish|to'g'rirog'i|noto'g'ri)(?![\w'’-])"
    r"|更正|准确地说|错了|錯了|我是说|正確には|正しくは|訂正|違います|ちがいます"
)
"""Signs among `LEADS` that what was said just before was wrong, and that the new value stands for it."""
DENYING = (
    r"(?<![\w'’-])(?:no|nope|nein|nee|non|não|нет|hayır|yo'q)(?![\w'’-])"
    r"|不对|不對|不是|いいえ|いや"
)
"""Signs among `LEADS` that deny something; "no" also answers questions."""
NOW = (
    r"(?:(?<![\w'’-])(?:now|still|nowadays|these days|currently|actually|from now on|any ?more|any longer|as of today|by the way|btw|fyi|übrigens|por cierto|à propos|кстати|bu arada"
    r"|immer noch|noch immer|jetzt|inzwischen|mittlerweile|neuerdings|todavía|ahora|actualmente|maintenant|désormais|dorénavant|agora|ainda|atualmente|теперь|вс[её] ещ[её]"
    r"|artık|endi|hozirda?)(?![\w'’-])"
    r"|现在|現在は?|目前|今では|今は|最近は)"
)
"""Since when or how a statement holds, and what leads over to it: no part of what it says."""
HABITUAL_WORDS = (
    r"always|usually|mostly|mainly|primarily|normally|generally|typically|ordinarily|commonly|often|frequently|regularly"
    r"|as a rule|most of the time|all the time"
    r"|immer(?! (?:mehr|noch|wieder))|meist(?:ens)?|gewöhnlich|normalerweise|üblicherweise|hauptsächlich|oft|häufig|regelmäßig|stets"
    r"|siempre|normalmente|generalmente|habitualmente|usualmente|principalmente|a menudo|regularmente|casi siempre"
    r"|toujours|souvent|d'habitude|habituellement|généralement|normalement|principalement|régulièrement"
    r"|sempre|geralmente|frequentemente|всегда|обычно|часто|в основном|как правило|her zaman|genellikle|sık sık|hep"
    r"|doim|odatda|ko'pincha"
)
HABITUAL = rf"(?:(?<![\w'’-])(?:{HABITUAL_WORDS})(?![\w'’-])|总是|總是|通常|平时|平時|いつも|普段は?)"
"""How often something holds; "I always harvest in July" and "I harvest in August" exclude each other."""
_STATED = r"(?:my|our|the|i|we|his|her|their|(?-i:[A-Z])[\w'’-]+ (?:now )?(?-i:[a-z]+s))\b"
"""The start of a statement, unlike that of a request: "Run the tests now"."""
RENEWALS = (
    rf"(?:{LEADS})?(?={_STATED}).*(?<!right )(?<!for )(?<!just )(?<!until )(?<!till )(?<!by )(?<!even )(?<![\w'’-])"
    r"(?:now(?! (?:that|and (?:then|again))\b)|nowadays|these days|as of today)(?![\w'’-])"
    r"|.*(?<![\w'’-])(?:jetzt|inzwischen|mittlerweile|neuerdings|ahora|maintenant|désormais|dorénavant|agora|теперь"
    r"|artık|endi)(?![\w'’-])"
    r"|.*(?:现在|現在|今では|今は)"
)
"""A sentence that begins so says that something holds since lately, so that another value holds no more."""
RENEWAL_SIGNS = (
    *(" now", "nowadays", "these days", "as of today", "jetzt", "inzwischen", "mittlerweile", "neuerdings", "ahora"),
    *("maintenant", "désormais", "dorénavant", "agora", "теперь", "artık", "endi", "现在", "現在", "今では", "今は"),
)  # fmt: skip
PRONOUNS = (
    "it|this|that|he|she|they|there|these|those|es|das|er|sie|ce|c'est|il|elle|это|он|она|ele|ela|eso|él|ella"
)
"""Subjects that stand for something said before."""
ENDING_SIGNS = (
    *(
        "no longer",
        "any more",
        "anymore",
        "any longer",
        "after all",
        "sold",
        "gave",
        "given",
        "gone",
        "went home",
        "again",
        "back to",
        "back on",
        "full time",
        "full-time",
        "part time",
        "part-time",
        "got rid",
        "no more ",
        "gone off",
        "went off",
        "gotten rid",
        "for good",
        "once more",
        "otra vez",
        "nuevamente",
        "outra vez",
        "novamente",
        "novo",
        "erneut",
        "вновь",
    ),
    *(
        " quit",
        " notice",
        "resigned",
        *(
            "laid off",
            "fired",
            "sacked",
            "let go",
            "laid me off",
            "redundant",
            " my job",
            "retired",
            "traded",
        ),
        *(
            "broke up",
            "broken up",
            "let me go",
            "the sack",
            "fired me",
            "sacked me",
            "split up",
            "separated",
            "divorced",
            "cancel",
            "called off",
            "called it off",
            " is off",
            "'s off",
            "’s off",
        ),
        "stopped",
        "moved",
        " left",
        "flew home",
        " mehr",
        "verkauft",
        "abgegeben",
        "abgeschafft",
    ),
    *("gekündigt", "aufgehört", "ya no ", " más", "vend", "dejé", "dejado", " plus", "quitté"),
    *(
        "já não",
        " mais",
        "deixei",
        "larguei",
        "больше",
        "уже не",
        "снова",
        "опять",
        "wieder",
        "a comer",
        "nouveau",
        "уволил",
        "продал",
    ),
)
"""A text without any of them says of nothing that it holds no more (`ending_signs.py`)."""
CHANGE_SIGNS = (
    *("moved ", "relocated ", "swapped ", "gone ", "went ", "back ", "switched to ", "transferred to ", "changed to ", "living in ", "by the way", "btw", "fyi", "new ", "started ", "began ", " job", "working "),
    *("became ", "become ", "retrained ", "promoted", " turn", "i'm ", "i am ", "i’m ", "vegan", "vegetarian", "pescatarian"),
    *("teetotal", "engaged", "married", "divorced", "laid off", "fired", "sacked", "let go", "redundant", "passed "),
    *("broke ", "split ", "separated", " had ", "retired", "graduated", "adopted", " got ", "bought ", "sold ", "quit "),
    *("stopped ", "gave up", "diagnosed"),
)  # fmt: skip
"""A text in lower case without any of them, with a space before it, tells no change (`english_changes.py`)."""
NEWS_SIGNS = (
    *("moved", "shifted", "pushed", "postponed", "scheduled", "delayed", "brought", "put ", "raised", "lowered", "reduced"),
    *("increased", "cut ", "dropped", "went ", "gone ", "rose ", "risen ", "fell ", "fallen ", "changed", "switched"),
    *("swapped", "replaced", "renamed", "traded", "exchanged", "extended", "shortened", "graded", "transferred"),
    *("relocated", "slipped", "bumped", "converted", "migrated", " now", "these days", "nowadays", "no longer", "more"),
    *("from next", "from this", "from tomorrow", "from today", "starting ", "as of ", "upped", "renewed", "rebooked"),
    *("cancel", "rearranged", "missed", "retir", "resigned", "left ", "leaving", "quit ", "closed", "closing", "shut"),
    *("out of business", "sold up", "let go", "ditched", "dumped", "unsubscribed", "stopped using", "got rid", "done with", "ve to ", "ad to ", "as to "),
    *("finished with", "becom", "became", "turned into", " person", "lover", "drinker", "addict", " fan", " not ", "birthday"),
    *("verschoben", "verlegt", "gezogen", "geändert", "erhöht", "angehoben", "gesenkt", "gekürzt", "reduziert", "umge", "verkürzt"),
    *("verlängert", "gestiegen", "gefallen", "gesunken", "gesetzt", "steig", "sink", "fällt", "verschiebt", "wechselt", "rückt"),
    *("seit ", "ab ", "jetzt", " nun ", " doch ", "inzwischen", "mittlerweile", "neuerdings", "künftig", "am ende", "stattdessen"),
    *("letztlich", "schließlich", "nicht mehr", " ha ", "han ", "hemos ", " he ", "cambi", "movi", "aplaz", "retras", "adelant"),
    *("pospus", "subi", "sube", "baja", "bajó", "aument", "pasa", "pasó", "ahora", "finalmente", "al final", "actualmente"),
    *("desde ", "a partir de", " ya ", "décal", "report", "déplac", "avanc", "repouss", "augment", "baiss", "réduit", "passe"),
    *("monte", "descend", "modifi", "relev", "prolong", "transfér", "recul", "maintenant", "désormais", "finalement", "dorénavant"),
    *("actuellement", "fin de compte", "à partir d", "depuis ", "dès "),
)  # fmt: skip
"""A text in lower case without any of them tells no change of a value (`near_memory.py`, `news_forms.py`)."""
WITHDRAWAL_SIGNS = (
    *(
        "forget",
        "ignore",
        "disregard",
        "nevermind",
        "never mind",
        "scrap",
        "drop ",
        "cancel",
        "revoke",
        "lift ",
    ),
    *(
        "remove",
        "delete",
        "take back",
        "withdraw",
        "retract",
        "no longer",
        "changed my mind",
        " rule ",
        "any more",
        "anymore",
    ),
    *("actually do ", ", do ", "please do ", " ruhig "),
    *("any longer", "need to", "have to", " need", " again", " now", "after all", "can stop", "these days"),
    *(
        "vergiss",
        "vergess",
        "ignorier",
        "streich",
        "verwirf",
        " mehr",
        "jetzt",
        " wieder",
        "ab sofort",
        " nun ",
    ),
    *(
        "olvid",
        "ignor",
        "descart",
        "ya no",
        " ya ",
        "ahora",
        "volver a",
        "de nuevo",
        "otra vez",
        "oubli",
        "laisse",
    ),
    *(
        " plus ",
        "maintenant",
        "desormais",
        " nouveau",
        "esquec",
        "desconsider",
        "nao ",
        "agora",
        "podes",
        "novamente",
    ),
    *("ya puede", "ja pode", "забудь", "игнорируй", "отмени", "больше", "теперь", "снова", "опять"),
    *(
        "unut",
        "yok say",
        "gormezden",
        "artik",
        "endi ",
        "忘",
        "忽略",
        "不用",
        "取消",
        "不必",
        "不需要",
        "可以",
    ),
    *("もう", "これから", "今後", "また", "無視", "取り消"),
)
"""A folded text without any of them takes no instruction back (`withdrawing_forms.py`)."""
SIGNS = (*OPENING_SIGNS, *RENEWAL_SIGNS)
"""A text without any of them has neither an opening nor a renewal."""
