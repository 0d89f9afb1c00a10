"""What is said of the present task, of this exchange or by somebody else: no rule, preference or memory."""

from __future__ import annotations

from memtool.core.text.regex import regex

_BEFORE, _AFTER = 200, 300
"""Characters of a sentence before and after a match that are searched, so that time is linear."""
_LASTING = (  # places of a rule that outlive a task, and ways to do things
    r"(?:project|repo|repositor|workspace|code ?base|format|style|way|manner|order|language|tone|form"
    r"|structure|pattern"
    "|chat|conversation|thread|session|team|compan|organi|case|regard|respect|reason|group|channel"
    "|vault|folder"
    "|director|account|app|tool|point|moment|house|countr|and|or"
    "|projekt|stil|gesprach|weise|reihenfolge|sprache|ton|fall|art|grund|zusammenhang|hinsicht"
    "|proyecto|formato|estilo|conversaci|orden|idioma|caso|manera|equipo|sentido"
    "|projet|depot|ordre|cas|facon|maniere|equipe|langue|ton|sens|projeto|conversa|ordem|maneira|equipa"
    "|проект|репозитор|формат|стил|чат|разговор|поряд|язык|случа|бесед|момент"
    "|proje|sohbet|konusma|sekil|bicim|durum|konu|an|loyiha|suhbat|tarz|tartib)"
)
_SCOPE = (
    rf"\b(?:in|for|on|within|throughout|inside) (?:this|these)(?: (?:one|particular|specific|single"
    rf"|new))? (?!{_LASTING})\w"
    r"|\b(?:just|only)? ?(?:this (?:time|once)|for now|for the moment|for today|right now|just once)\b"
    rf"|\b(?:in|fur|bei) dies(?:em|er|en|e|es)? (?!{_LASTING})\w|(?<!nicht nur )\bdiesmal\b"
    rf"|\b(?:en|para) (?:este|esta|estos|estas) (?!{_LASTING})\w|\besta vez\b"
    rf"|\b(?:dans|pour) (?:ce|cet|cette|ces) (?!{_LASTING})\w|\bcette fois\b"
    rf"|\b(?:n[eo]s[st][eas]s?|neste|nesta|nesse|nessa|para (?:este|esta|esse|essa)) (?!{_LASTING}"
    rf"|vez que)\w"
    rf"|\b(?:в|во|для|на) (?:этом|этой|этого|этот|эту|этих) (?!{_LASTING})\w|\bна этот раз\b"
    rf"|\bbu (?!{_LASTING})\w+(?:(?:[dt][ae]|(?:nin|nun)? ?icin(?:de)?)\b| (?:[\w]+ )?(?:icinde"
    rf"|icin)\b)|\bbu sefer(?:lik)?\b"
    rf"|\b(?:bu|shu|ushbu) (?!{_LASTING})\w+(?:da| uchun| ichida)\b"
    r"|这(?:个|篇|段|封|份|次|张|首)(?!项目|仓库|格式|对话|聊天|风格|顺序|语言"
    r"|方式)[^，。、\s]{1,8}?(?:里|中|内|上)|这次"
    r"|この(?!プロジェクト|リポジトリ|形式|会話|チャット|順|言語|方法|よう)[^、。\s]{1,12}?(?:では|の中"
    r"|内で|には)|今回"
)
_PRAISE = (
    r"\b(?:i(?: really| also| do)? (?:like|love|enjoy|appreciate|hate|dislike)(?: it)? (?:that|how|when"
    r"|the way) you"
    r"|ich (?:mag|liebe|schatze|finde)(?: es)?(?: \w+)?,? (?:dass|wie|wenn) (?:du|sie)"
    r"|(?:mir gefallt|es gefallt mir)(?: es)?,? (?:dass|wie|wenn) (?:du|sie)|me (?:gusta"
    r"|encanta) (?:que|como|cuando)"
    r"|j'(?:aime|adore)(?: bien)? (?:que|quand|la facon dont) (?:tu|vous)|(?:gosto"
    r"|adoro) (?:de )?(?:que|como|quando)"
    r"|мне нравится,? (?:что|как|когда) (?:ты|вы))\b|我喜欢你(?:总|每|一直)"
)
_PERSON_SAYS = (
    r",\W{0,3}(?:(?:as )?(?:my|our|the|a|his|her|their|some) [\w' -]{1,40}?|he|she|they|people|everyone"
    r"|everybody|somebody"
    r"|someone|teachers|experts)(?: (?:once|always|used to|often|just))? (?:told|tells|said|says|say"
    r"|wrote|writes|taught"
    r"|teaches|advised|insists|insisted|claims?|claimed|kept saying)\b"
    r"|,\W{0,3}(?:(?:so )?(?:sagt|sagte|meint|meinte|lehrte) (?!ich)\w|(?:hat"
    r"|haben) [^\n,]{1,40} (?:gesagt|gemeint|geraten))"
    r"|,\W{0,3}(?:me )?(?:dijo|dice|decia|aconsejo|enseno) (?!yo)\w|,\W{0,3}[^\n,]{1,40} me (?:dijo"
    r"|dice|decia)\b"
    r"|,\W{0,3}(?:m'a dit|disait|dit|a dit) \w|,\W{0,3}[^\n,]{1,40} (?:m'a dit|me disait|disait toujours)\b"
    r"|,\W{0,3}(?:me )?(?:disse|diz|dizia) \w|,\W{0,3}[^\n,]{1,40} (?:me disse|me dizia"
    r"|sempre diz(?:ia)?)\b"
    r"|,\W{0,3}(?:[^\n,]{1,40} )?(?:сказал[аи]?|говорит|говорил[аи]?|говорят|учил[аи]?|советовал[аи]?)\b"
    r"|\b(?!ben\b)\w{1,40} (?:dedi|derdi|diyor|soyledi|soylerdi|deydi|aytdi|aytgan)\W*$"
    r"|[，,](?:我|他|她)(?:们|的)?[^，。]{0,6}(?:说|告诉我|教我)|と(?:先生|母|父|上司|彼|彼女"
    r"|友達)?[^、。]{0,8}(?:言った|言って|言われ|教わ)"
)
_ASKS_BACK = (
    r"\W*[^\W_]+(?:\W+[^\W_]+)?\W+(?:always|never|immer|nie|niemals|siempre|nunca|jamas|toujours|jamais"
    r"|sempre|всегда|никогда"
    r"|her zaman|asla|hep|doim|hech qachon)\W*|\w{0,6}(?:总是|永远|いつも|絶対)\w{0,2}\W*"
)
_FAILURE = (
    r"(?:erros?|error|errores|falhas?|fallos?|problemas?|bugs?|crash|timeout|excecao|excepcion"
    r"|exceptions?|erreurs?|fehler"
    r"|hata|xato|ошибк\w+|сбо\w+)\b"
)
_EVER = (
    r"(?:whenever|every time|each time|any ?time|immer wenn|jedes mal,? wenn|wann immer|siempre que"
    r"|cada vez que"
    r"|(?:a )?chaque fois que?|toutes les fois que|sempre que|cada vez que|toda vez que|todas as vezes que"
    r"|каждый раз,? когда|всякий раз,? когда|когда бы ни)"
)
_OCCURS = (  # "whenever I …, it crashes", "…, stürzt es ab", "…, dá erro", "…, вылетает ошибка"
    rf"{_EVER}\b(?![^\n,;]{{0,120}}\b(?:give|send|show|tell|remind|ask|write|let) (?:me|us)\b)"
    rf"[^\n,;]{{1,120}}, ?(?:(?:then |so |dann |entao |entonces |alors |то )?"
    r"(?:(?:it|this|that|the|he|she|they|my|nothing)\b(?![^\n]{0,80}\b(?:should|must|shall|needs? to"
    r"|ha(?:s|ve) to|please)\b)"
    r"|(?!\w*bitte)\w+t (?:es|er|das|der|die|man|mein\w*|unser\w*|sich)\b"
    r"|(?:kommt|gibt es|passiert|erscheint|bekomme ich|habe ich|sehe ich) ?"
    rf"|(?:me |se |le |lhe |te |il |ca |elle |on )?[\w'-]+ (?:um |uma |un |una |une |eine?n? "
    rf"|an? )?{_FAILURE}"
    r"|(?:(?:il(?! faut)|elle|ca|on|je(?! (?:veux|voudrais|prefere|souhaite))|ce) |j')\w"
    r"|(?:fall[ao]|trava|quebra|crasha|cae|peta|plante|echoue|se rompe|explota|tarda|demora|se cierra)\b"
    r"|(?:он|она|оно|программа|приложение|это|у меня) \w"
    r"|(?:вылетает|падает|появляется|возникает|происходит|зависает|не работает)\b))"
)
_FAILS = (  # "it always shows an error": what happens, and no wish
    r"\b(?:sale|salta|da|dao|aparece|ocurre|ocorre|kommt|gibt es|erscheint|il y a|j'ai|apparait|shows?"
    r"|gives?|throws?|gets?|returns?|вылетает|выдает|появляется|возникает|veriyor|cikiyor|chiqadi|beradi)"
    rf" (?:\w+ ){{0,3}}?{_FAILURE}|\b{_FAILURE} (?:veriyor|aliyorum|cikiyor|chiqadi|beradi)"
)
_FORGOTTEN_TASK = (
    r"\b(?:don'?t|do not) (?:you )?forget to\b(?! (?:mention|note|remember) )"
    r"|verg(?:iss|esst|essen sie)(?: bitte)? nicht,? [^\n]{0,100}?(?:\bzu \w+n\b|\w{2,12}zu\w{3,}n\b)"
    r"|no (?:te |se )?olvid\w+ (?:de )?\w+[aei]r(?:l[aeo]s?|me|nos)?\b"
    r"|n'oubli\w+ (?:surtout )?pas (?:de |d')\w"
    r"|nao (?:se |te )?esquec\w+ de \w+[aei]r\b|не забуд\w+ \w+ть(?:ся)?\b|\b\w{1,40}m[ae]yi unutma"
    r"|\b\w{1,40}ishni unutma"
    r"|(?:别|不要)忘(?:了|记)(?:(?:在|给|把)[^，。,]{1,14}?(?:里|中|上|下)?)?(?:添?加|写|删|改|运行|提交|检查|更新)|(?:する|付ける|加える|書く|入れる"
    r"|追加する)のを忘れ"
)
_TASK_BEFORE_FORGET = (  # in languages whose verb stands last: "the tests to add don't forget"
    r"\b\w{1,40}m[ae]y[iı] |\b\w{1,40}(?:ishni|ashni) |(?:する|付ける|加える|書く"
    r"|入れる|追加する|消す|直す|回す|更新する|送る|出す|買う"
    r"|の追加|の更新)の?(?:は|を|も)"
)
_MOMENT = r"\bfor (?:a|one|another|just a) (?:sec|second|moment|minute|bit|while)\b"
_PART = (
    r"(?:options?|drafts?|versions?|answers?|approach(?:es)?|suggestions?|proposals?|solutions?|ideas?"
    r"|variants?|choices?|designs?"
    r"|wordings?|phrasing|repl(?:y|ies)|responses?|plans?|layouts?|titles?|attempts?|examples?"
    r"|paragraphs?|sentences?|one|ones"
    r"|summar(?:y|ies)|names?|headlines?|logos?|fix(?:es)?|code|snippets?|functions?|slides?|lines?"
    r"|part|outline|alternatives?)"
)
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|last|latest|previous|other|former|latter|new|newer|old|older"
    r"|earlier|original|shorter"
    r"|longer|simpler|current|final|top|bottom|middle|\d+(?:st|nd|rd|th)?)"
)
OF_EXCHANGE = (
    (
        (
            "option|draft|version|answer|approach|suggestion|proposal|solution|idea|variant|choice|design"
            "|wording|phrasing|repl|response|plan|layout|title|attempt|example|paragraph|sentence|one|two"
            "|summar|name|headline|logo|fix|code|snippet|function|slide|line|part|alternative| you "
            "|first|second|third|last|former|latter|other"
        ),
        (
            rf"(?:the|this|that|these|those|your|both)(?: {_ORDINAL}){{1,2}}(?: [\w-]+)? {_PART}\b"
            rf"|(?:this|that|these|those|your)(?: [\w-]+)? {_PART}\b"
            rf"|(?:the )?{_PART} (?:[a-d]|\d+|one|two|three|above|below)\b|(?:the|an?|this|that|what"
            rf"|how)\b[^\n.,;]{{0,60}}? you (?:just |have |had )?"
            r"(?:wrote|written|gave|suggested|made|proposed|showed|sent|used|did|came up|provided|described"
            r"|mentioned|created|drafted)\b"
            r"|(?:the )(?:first|second|third|last|former|latter|other) (?:one|two)?\W*$"
        ),
    ),
    (
        "option|variante|version|entwurf|antwort|vorschlag|losung|ansatz|fassung|idee",
        (
            r"(?:den|die|das|dein\w*|dies\w*)(?: (?:erste|zweite|dritte|letzte|vorige|andere|neue"
            r"|alte)\w*)? (?:option|variante|version|entwurf"
            r"|antwort|vorschlag|losung|ansatz|fassung|idee)\b"
        ),
    ),
    (
        "opcion|version|borrador|respuesta|enfoque|propuesta|solucion|idea|sugerencia|alternativa",
        (
            r"(?:la|el|esta|este|tu|esa|ese)(?: (?:primer|segund|tercer|ultim|otr|nuev"
            r"|anterior)\w*)? (?:opcion|version|borrador|respuesta"
            r"|enfoque|propuesta|solucion|idea|sugerencia|alternativa)\b"
        ),
    ),
    (
        "option|version|brouillon|reponse|approche|proposition|solution|idee|suggestion|variante",
        (
            r"(?:la|le|l'|cette|ce|ta|ton) ?(?:(?:premier|deuxieme|second|troisieme|dernier|autre"
            r"|nouve)\w* )?(?:option|version|brouillon"
            r"|reponse|approche|proposition|solution|idee|suggestion|variante)\b"
        ),
    ),
    (
        "opcao|versao|rascunho|resposta|abordagem|proposta|solucao|ideia|sugestao|alternativa",
        (
            r"(?:a|o|da|do|esta|este|essa|esse|tua|sua)(?: (?:primeir|segund|terceir|ultim|outr|nov"
            r"|anterior)\w*)? (?:opcao|versao|rascunho"
            r"|resposta|abordagem|proposta|solucao|ideia|sugestao|alternativa)\b"
        ),
    ),
    (
        "вариант|верси|ответ|черновик|подход|предложени|решени|иде",
        (
            r"(?:перв|втор|трет|последн|эт|тво|нов|друг|предыдущ)\w* (?:вариант|верси|ответ|черновик|подход"
            r"|предложени|решени|иде)\w*"
        ),
    ),
    (
        "secene|versiyon|tasla|ceva|yaklasim|oneri|cozum|surum",
        (
            r"(?:ilk|ikinci|ucuncu|son|bu|su|diger|onceki|yeni)\w* (?:secene|versiyon|tasla|ceva|yaklasim"
            r"|oneri|cozum|surum)\w*"
        ),
    ),
    (
        "variant|versiya|javob|taklif|qoralama|yechim",
        (
            r"(?:birinchi|ikkinchi|uchinchi|oxirgi|bu|shu|boshqa)\w* (?:variant|versiya|javob|taklif|qoralama"
            r"|yechim)\w*"
        ),
    ),
    (
        "个|種|种|版|稿|案|本|选|答|草|回|想|つ目|番目|最初|最後|の",
        (
            r"第[一二三四五\d]+(?:个|種|种|版|稿)|(?:这|那)(?:个|种|版)(?:方案|版本|选项|答案|草稿|回答|想法)"
            r"|(?:[一二三\d]つ目|[一二三\d]番目|最初|最後|その|この)の?(?:案|バージョン|選択肢|回答|方法|下書き"
            r"|アイデア|もの)"
        ),
    ),
)
"""What is of this exchange, a row for each language: parts of words, separated by `|`, of which a text that
matches has one, and the pattern, which takes long to compile.
"""
_MORE = "(?:mas|mucho|mehr|lieber|plus|mieux|mais|mesmo|больше|really|better)"
_EVENT = (
    r"(?:i'?d|i would|i)(?: really| just| also)? (?:love|like|want) (?:an?|another|my"
    r"|some) (?:[\w-]+ )?(?:refund|divorce|break|raise"
    r"|drink|nap|day off|discount|replacement|copy|receipt|second opinion|moment|minute|loan|meeting"
    r"|appointment|call|callback|hug"
    r"|beer|snack|ticket|upgrade|cancellation|invoice|quote|demo|trial|word|word with|lawyer|doctor"
    r"|taxi|cab|hand|chat|table for"
    r"|money back|new password|apology|explanation|update|estimate|job|promotion|interview|haircut"
    r"|holiday|vacation)\b"
)


_TASK_BEFORE = (
    r"\b(?:how (?:to|can i|do i|should i|i can)|ways? (?:to|of)|tips (?:for|on|to)|tricks (?:for|to)"
    r"|(?:help|want|need|trying)(?: me)? to|help me) [^\n.;!?]{1,100}? (?:and|or) ?$"
)
"""Before a verb: it goes on with what the user asks about ("tips on how to rest and avoid …")."""
_MARKED = r"(?:please|always|never|from|whenever|every|each|in future|don't|do not)\b"
_REASON = (
    r"[,;:—–-] ?(?:i|i'm|i've|we|we're|because|since|it's"
    r"|ich|wir|weil|denn|es|yo|porque|estoy|estamos|je|j'|on|nous|car"
    r"|parce|c'est|eu|estou|pois|я|мы|у|потому|так как)\b"
)
"""The start of a clause that gives the reason for a rule, and is no part of it."""


def _clause_of_its_own(sentence: str, end: int) -> int:
    reason = regex(_REASON).search(sentence, end)
    return reason.start() if reason else len(sentence)


def is_passing(category: str, sentence: str, start: int, end: int, *, is_question: bool) -> bool:
    """Whether an entry of a category, matched at `start:end` of a folded sentence, is of this moment only."""
    first = max(0, start - _BEFORE)
    sentence, start, end = sentence[first : end + _AFTER], start - first, end - first
    match category:
        case "instruction":
            return (
                regex(_SCOPE).search(sentence, 0, _clause_of_its_own(sentence, end)) is not None
                or (
                    regex(_MARKED).match(sentence, start) is None
                    and regex(_TASK_BEFORE).search(sentence, 0, start) is not None
                )
                or regex(_PRAISE).search(sentence, max(0, start - 40), end) is not None
                or regex(_PERSON_SAYS).search(sentence, start) is not None
                or (is_question and regex(_ASKS_BACK).fullmatch(sentence) is not None)
                or regex(_OCCURS).match(sentence, start) is not None
                or regex(_FAILS).search(sentence, start) is not None
            )
        case "preference":
            return _is_of_exchange(sentence, end) or regex(_EVENT).match(sentence, start) is not None
        case "remember":
            return (
                regex(rf"{_FORGOTTEN_TASK}|{_MOMENT}").search(sentence, start) is not None
                or regex(rf"(?:{_TASK_BEFORE_FORGET})$").search(sentence[:start]) is not None
            )
        case _:
            return False


def _is_of_exchange(sentence: str, position: int) -> bool:
    """Whether what is named at a position is of this exchange, as "the second draft" is."""
    rest = sentence[position:]
    return any(
        regex(rf"\W{{0,3}}(?:{_MORE} ){{0,2}}(?:{pattern})").match(sentence, position) is not None
        for parts, pattern in OF_EXCHANGE
        if any(part in rest for part in parts.split("|"))
    )
