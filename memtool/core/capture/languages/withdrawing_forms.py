"""How a user takes an instruction back, in ten languages: "forget what I said about X", "X is fine now".

Patterns match a whole sentence folded as `fold_in_place` does, without the words before it; `topic` is what
the instruction was about. A permission or a release counts only with a sign that another state held before
("again", "now", "no longer"): without one it may be about one reply.
"""

from __future__ import annotations

from typing import Literal

WithdrawnKind = Literal["any", "demand", "ban"]
"""Which instructions a form takes back: all, those that demand something, or those that forbid something."""

_T = r"(?P<topic>.{2,100}?)"
_SAID = (
    r"(?:what|everything|anything|all) (?:that )?i(?:'ve| have| had)? (?:said|told you|wrote|asked(?: you)?(?: for)?|mentioned"
    r"|instructed)(?: you)?(?: (?:before|earlier|previously|yesterday|last time|to do|to you))?"
)
_RULE = r"(?:instruction|rule|request|wish|preference|guideline|requirement|order|ask)s?"
_OLD = r"(?:(?:earlier|previous|old|former|last|standing|first|prior|original) )?"
_ABOUT = r"(?:about|on|regarding|concerning|around|for|of|with|to(?: always)?|that you(?: should)?(?: always)?|not to|never to)"
_AGAIN = r"(?: (?:again|now|from now on|after all|any ?more|any longer|these days))+"
_YOU = r"(?:you|u)"
_FINE = (
    r"(?:fine|ok|okay|allowed|all right|alright|welcome|acceptable|permitted|good|great|no problem|no longer (?:forbidden|banned"
    r"|a problem|off limits))(?: (?:by|with|for) me)?"
)

_THING = r"(?:rule|instruction|thing|limit|restriction|requirement)"
_OFF = (
    r"(?:no longer (?:applies|holds|counts|stands)|does(?:n't| not) (?:apply|hold|count|stand) any ?(?:more|longer)"
    r"|is (?:off|cancelled|canceled|void|withdrawn|lifted|gone|over)(?: now)?)"
)

FORMS: tuple[tuple[str, WithdrawnKind, str], ...] = (
    ("en", "any", rf"(?:forget|ignore|disregard|never ?mind|scrap|drop|i take back) (?:about )?{_SAID} (?:about|on|regarding|concerning|to) {_T}"),
    ("en", "any", rf"(?:forget|ignore|disregard|scrap|drop|cancel|revoke|lift|remove|delete|i withdraw|i take back|i retract) (?:about )?(?:my {_OLD}{_RULE}|(?:the|that|your) {_OLD}rule) {_ABOUT} {_T}"),
    ("en", "any", rf"(?:forget|ignore|disregard|scrap|drop|cancel|revoke|lift|remove|delete|i withdraw|i take back) (?:about )?(?:my|the|that|your) {_T} {_THING}(?:{_AGAIN})?"),
    ("en", "any", rf"(?:forget|ignore|disregard|scrap|drop|cancel|i take back) (?:about )?(?:the|that|this|my) (?:whole )?(?:thing|bit|part|business) (?:about|with|on|regarding) {_T}"),
    ("en", "any", rf"(?:my|the|that|your) {_T} {_THING} {_OFF}"),
    ("en", "any", rf"(?:my|the|that) {_OLD}(?:rule|instruction) {_ABOUT} {_T} {_OFF}"),
    ("en", "any", rf"i(?:'ve| have)? changed my mind (?:about|on) {_T}"),
    ("en", "demand", rf"{_YOU} (?:no longer|don't|do not) (?:need|have) to {_T}{_AGAIN}"),
    ("en", "demand", rf"{_YOU} (?:no longer|don't) (?:need|require) {_T}{_AGAIN}"),
    ("en", "demand", rf"{_YOU} (?:no longer (?:need|have) to|need no longer|needn't any ?(?:more|longer)) {_T}(?:{_AGAIN})?"),
    ("en", "demand", rf"(?:there(?:'s| is) )?no (?:more )?need (?:to|for) {_T}{_AGAIN}"),
    ("en", "demand", rf"i (?:no longer (?:need|want) you to|don't (?:need|want) you to) {_T}{_AGAIN}"),
    ("en", "demand", rf"i no longer (?:need|want) you to {_T}"),
    ("en", "demand", rf"{_YOU} can stop {_T}(?:{_AGAIN})?"),
    ("en", "demand", rf"{_T} (?:is|are) no longer (?:needed|necessary|required)"),
    ("en", "demand", rf"{_T} (?:isn't|aren't|is not|are not) (?:needed|necessary|required|wanted){_AGAIN}"),
    ("en", "demand", rf"{_YOU} (?:needn't|need not) {_T}{_AGAIN}"),
    ("en", "ban", rf"{_YOU}(?: can| may| could|(?: are|'re)(?: now)? (?:allowed|free|welcome) to) (?:now )?{_T}{_AGAIN}"),
    ("en", "ban", rf"(?:from now on|as of (?:now|today)|these days|after all),? {_YOU} (?:can|may|could|are allowed to) {_T}"),
    ("en", "ban", rf"(?:feel free to|go ahead and) {_T}{_AGAIN}"),
    ("en", "ban", rf"{_T} (?:is|are) (?:now )?(?:{_FINE}{_AGAIN}|(?<=now ){_FINE})"),
    ("en", "ban", rf"(?:i(?:'m| am) (?:fine|ok|okay|good) with|i don't mind|i(?:'ve| have) nothing against) {_T}{_AGAIN}"),
    ("en", "ban", rf"do (?:use|give|write|include|add|show|send|make|put) (?!.*\b(?:this|that|here|today|now|once|attached|following)\b){_T}"),
    ("de", "any", rf"(?:vergiss|vergesst|vergessen sie|ignorier\w*(?: sie)?|streich\w*(?: sie)?)(?: bitte)?,? was ich (?:dir |ihnen |vorhin |fruher )*(?:uber|zu[mr]?|von|wegen|bezuglich) {_T} (?:gesagt|geschrieben|gebeten|verlangt)(?: habe| hatte)?"),
    ("de", "any", rf"(?:vergiss|vergessen sie|ignorier\w*(?: sie)?|streich\w*(?: sie)?|verwirf)(?: bitte)? (?:meine?n? (?:\w+e[nr]? )?|die )(?:anweisung|regel|vorgabe|bitte|wunsch)(?:en)? (?:uber|zu[mr]?|mit|von|wegen|bezuglich|nach) {_T}"),
    ("de", "demand", rf"(?:du musst|sie mussen|du brauchst|sie brauchen|musst du|mussen sie|brauchst du|brauchen sie) (?:ab jetzt |jetzt |ab sofort )?nicht mehr (?:unbedingt |immer )?{_T}"),
    ("de", "demand", rf"(?:du musst|sie mussen|du brauchst|sie brauchen|musst du|mussen sie|brauchst du|brauchen sie) (?:ab jetzt |jetzt )?{_T} nicht mehr(?P<verb> .{{1,40}})?"),
    ("de", "demand", rf"(?:du musst|sie mussen|du brauchst|sie brauchen|musst du|mussen sie|brauchst du|brauchen sie) (?:ab jetzt |jetzt )?keine?[rnms]? {_T} mehr(?P<verb> .{{1,40}})?"),
    ("de", "ban", rf"(?:du kannst|du darfst|sie konnen|sie durfen|kannst du|darfst du|konnen sie|durfen sie) (?:ab jetzt |jetzt |nun |ruhig |gerne? )*{_T} (?:wieder|ab jetzt)(?P<verb> .{{1,40}})?"),
    ("de", "ban", rf"(?:du kannst|du darfst|sie konnen|sie durfen|kannst du|darfst du|konnen sie|durfen sie) (?:ab jetzt|jetzt|nun|wieder|ab sofort)(?: wieder| ruhig| gerne?| auch)* {_T}"),
    ("de", "ban", rf"{_T} (?:ist|sind) (?:ab jetzt|ab sofort|jetzt|nun|wieder)(?: wieder| auch| doch)* (?:in ordnung|ok|okay|erlaubt|willkommen|gut|kein problem)(?: fur mich)?"),
    ("de", "ban", rf"(?:benutze?|verwende?|nutze?|schreibe?|gib|mache?)(?: mir)?(?: (?:doch|ruhig|gerne?|wieder))+ (?!.*\b(?:hier|heute|diesmal|diese[rmns]?)\b){_T}"),
    ("es", "any", rf"(?:olvid[ae](?:te de)?|ignor[ae]|descart[ae]) (?:lo que (?:te |le )?(?:dije|he dicho|pedi|he pedido)(?: antes)?|mi (?:anterior )?(?:instruccion|regla|peticion|norma)(?: anterior)?|la regla) (?:sobre|acerca de|respecto a|de) {_T}"),
    ("es", "demand", rf"ya no (?:tienes|tiene) que {_T}"),
    ("es", "demand", rf"ya no (?:hace falta|es necesario|necesitas|necesita|quiero)(?: que)? {_T}"),
    ("es", "ban", rf"(?:ahora )?(?:ya|ahora) (?:si )?(?:puedes|puede) (?:volver a )?{_T}"),
    ("es", "ban", rf"(?:puedes|puede) (?:volver a {_T})"),
    ("es", "ban", rf"(?:puedes|puede) {_T} (?:de nuevo|otra vez|a partir de ahora)"),
    ("es", "ban", rf"{_T} (?:ahora|ya) (?:si )?(?:esta|estan|son|es) (?:bien|ok|permitid\w+|aceptables?|bienvenid\w+)"),
    ("fr", "any", rf"(?:oublie[zs]?|ignore[zs]?|laisse[zs]? tomber) (?:ce que (?:j'ai|je (?:t'|vous )ai) (?:dit|demande|ecrit)|m(?:on|a|es) (?:ancienne? |precedente? )?(?:instruction|consigne|regle|demande)s?(?: precedentes?)?|la (?:regle|consigne)) (?:sur|a propos de|au sujet de|concernant|pour|de) {_T}"),
    ("fr", "demand", rf"(?:tu n'as|vous n'avez) plus (?:besoin (?:de |d')|a ){_T}"),
    ("fr", "demand", rf"(?:ce |il )?n'est plus (?:necessaire|la peine|utile) (?:de |d'){_T}"),
    ("fr", "ban", rf"(?:tu peux|vous pouvez) (?:maintenant|desormais|de nouveau|a nouveau) {_T}"),
    ("fr", "ban", rf"(?:tu peux|vous pouvez) {_T} (?:maintenant|desormais|de nouveau|a nouveau)"),
    ("fr", "ban", rf"{_T},? (?:sont|est|c'est) (?:maintenant|desormais|de nouveau|a nouveau) (?:ok|d'accord|accepte\w*|permis\w*|autorise\w*|bienvenu\w*)"),
    ("fr", "ban", rf"{_T},? (?:sont|est|c'est) (?:ok|d'accord|accepte\w*|permis\w*|autorise\w*|bienvenu\w*) (?:maintenant|desormais|de nouveau|a nouveau)"),
    ("pt", "any", rf"(?:esquec[ea]|ignor[ea]|desconsider[ea]) (?:o que (?:eu )?(?:te |lhe )?(?:disse|falei|pedi)|(?:a )?minha (?:instrucao|regra)(?: anterior)?|a regra) (?:sobre|de) {_T}"),
    ("pt", "demand", rf"(?:voce |tu )?(?:ja nao precisas? (?:de )?|nao precisas? mais (?:de )?){_T}"),
    ("pt", "ban", rf"(?:voce |tu )?(?:ja|agora)(?: ja)? podes? {_T}"),
    ("pt", "ban", rf"(?:voce |tu )?podes? (?:voltar a|agora|de novo) {_T}"),
    ("pt", "ban", rf"(?:voce |tu )?podes? {_T} (?:de novo|outra vez|agora|novamente)"),
    ("pt", "ban", rf"{_T} (?:agora|ja) (?:esta|estao|sao|e) (?:tudo )?(?:bem|ok|liberad\w+|permitid\w+|bem-vind\w+)"),
    ("ru", "any", rf"(?:забудь(?:те)?|игнорируй(?:те)?|отмени(?:те)?) (?:то,? )?(?:,? ?что я (?:тебе |вам |раньше )*(?:сказал|говорил|просил|писал)а?|мо[юие] (?:\w+ )?(?:указани[ея]|инструкци[юи]|правил[оа]|просьбу)|правило) (?:про|о|об|обо|насчет) {_T}"),
    ("ru", "any", rf"(?:забудь(?:те)?),? что я (?:тебе |вам |раньше )*(?:сказал|говорил|просил|писал)а? (?:про|о|об|обо|насчет) {_T}"),
    ("ru", "demand", rf"(?:тебе |вам )?больше (?:не (?:нужно|надо|обязательно|обязан\w*)|незачем) {_T}"),
    ("ru", "demand", rf"(?:можешь|можете) больше не {_T}"),
    ("ru", "ban", rf"(?:теперь|снова|опять) (?:ты |вы )?(?:можешь|можете|можно) (?:снова |опять )?{_T}"),
    ("ru", "ban", rf"(?:ты |вы )?(?:можешь|можете|можно) (?:снова|опять|теперь) {_T}"),
    ("ru", "ban", rf"{_T} (?:теперь|снова|опять) (?:можно|разрешен\w*|допустим\w*|в порядке)"),
    ("tr", "any", rf"{_T} (?:hakkinda|konusunda|ile ilgili) (?:soyledi[kg]\w+|dedi[kg]\w+|istedi[kg]\w+|kuralimi|talimatimi) (?:unut\w*|yok say\w*|gormezden gel\w*)"),
    ("tr", "demand", rf"artik {_T} (?:gerek yok|zorunda degilsin\w*|gerekmiyor|gerekmez)"),
    ("tr", "ban", rf"artik (?:tekrar |yine |yeniden )?{_T} (?P<verb>\w+[ae]bilirsin\w*)"),
    ("tr", "ban", rf"{_T} artik (?:serbest|sorun degil|olabilir|uygun)"),
    ("uz", "any", rf"{_T} (?:haqida|togrisida|to'g'risida) (?:aytgan\w+|degan\w+|qoida\w+) unut\w*"),
    ("uz", "demand", rf"endi {_T} (?:shart emas|kerak emas)"),
    ("uz", "ban", rf"endi (?:yana )?{_T} (?:mumkin|mayli)"),
    ("uz", "ban", rf"endi (?:yana )?{_T} (?P<verb>\w+ingiz mumkin|\w+ishing mumkin)"),
    ("zh", "any", rf"(?:请)?(?:忘掉|忘了|忘记|忽略|不用管|取消)(?:我)?(?:之前|以前|刚才|先前)?(?:说过?的?|要求的?|提到的?)?(?:关于|对于)?{_T}(?:的(?:话|规则|要求|指示|说明|规定))"),
    ("zh", "demand", rf"(?:你|您)?(?:以后|现在|今后)?(?:不用|不必|不需要)再{_T}了?"),
    ("zh", "ban", rf"(?:你|您)?(?:以后|现在|今后)又?可以(?:再次|重新|再)?{_T}了?"),
    ("zh", "ban", rf"(?:你|您)?(?:又可以|可以再次|可以重新){_T}了?"),
    ("ja", "any", rf"{_T}(?:について|に関して|に関する|の)(?:以前|前に)?(?:言った|お願いした|頼んだ|指示した|指示|ルール)(?:こと)?[はをも]?(?:忘れて|無視して|取り消し).*"),
    ("ja", "demand", rf"もう{_T}(?:なくて(?:も)?(?:いい|良い|大丈夫|かまいません|構いません)|必要は(?:ありません|ない)).*"),
    ("ja", "ban", rf"(?:もう|これからは|今後は|また){_T}(?:ても(?:いい|良い|大丈夫|かまいません|構いません)|でもいい).*"),
)  # fmt: skip
"""A language, the kind of instruction that a sentence takes back, and its pattern."""

AGAIN = r"\b(?:again|any ?more|wieder|de nuevo|otra vez|de novo|novamente|de nouveau|снова|опять|tekrar|yine|yana)\b|又|また"
"""A sign that a permission restores what held before."""
LENGTH_LIMIT = (
    r"\b(?:at most|no more than|not more than|maximum(?: of)?|max|up to|under|below|less than|fewer than|within|exceed)"
    r" (?:\w+ )?\w+ (?:sentence|word|line|paragraph|character)s?\b|\b(?:sentence|word|line|paragraph)s? (?:at most|max|or less|or fewer)\b"
)
"""A rule that limits how long answers are."""
LONG = r"\b(?:long|longer|detailed|lengthy|lengthier|thorough|verbose|in-depth|exhaustive)\b"
SHORT = r"\b(?:short|shorter|brief|briefer|concise|terse|succinct)\b"
"""What such a rule rules out, and what it demands."""
GENERIC = frozenset(
    [
        "limit",
        "limiting",
        "restrict",
        "restricting",
        "stick",
        "sticking",
        "answers",
        "thing",
        "use",
        "using",
        "do",
        "doing",
        "give",
        "giving",
        "write",
        "writing",
        "make",
        "making",
        "put",
        "putting",
        "include",
        "including",
        "add",
        "have",
        "stuff",
        "verwenden",
        "benutzen",
        "nutzen",
        "verwendest",
        "schreiben",
        "machen",
        "geben",
        "setzen",
        "antworten",
        "usar",
        "uses",
        "utilizar",
        "poner",
        "escribir",
        "hacer",
        "responder",
        "respondas",
        "utiliser",
        "utilise",
        "employer",
        "mettre",
        "ecrire",
        "faire",
        "repondre",
        "escrever",
        "fazer",
        "colocar",
        "использовать",
        "писать",
        "отвечать",
        "делать",
        "ставить",
        "kullan",
        "kullanmak",
        "kullanmana",
        "yazmak",
        "yazmana",
        "cevap",
        "vermek",
        "vermene",
        "foydalanish",
        "yozish",
        "javob",
        "berish",
        "ishlatish",
    ]
)
"""Words of a topic that tell no instruction from another."""
