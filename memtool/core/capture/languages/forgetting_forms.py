"""How a user asks that a fact be forgotten, in ten languages: "forget that I live in Lima".

Patterns match from the start of a sentence, or the whole sentence where they end with `$`, folded as
`fold_in_place` does, without the words before it (`LEADS`); `topic` is what is to be forgotten.
"""

from __future__ import annotations

SIGNS = (
    *("forget", "delet", "eras", "remov", "wipe", "stop rememb", "verg", "losch", "entfern", "streich", "olvid"),
    *("borr", "elimin", "oubli", "efface", "supprim", "esquec", "apag", "exclu", "забудь", "удали", "сотри"),
    *("unut", "sil", "o'chir", "忘", "删", "刪", "消し", "削除"),
)  # fmt: skip
"""A folded text without any of them asks for nothing of the kind; a fast test."""
LEADS = (
    r"\W*(?:(?:hey|hi|hello|hallo|hola|salut|ola|привет|selam|salom) \w+\W+)?(?:(?:and|but|so|also|ok|okay|oh|hey"
    r"|well|now|then|just|please|pls|kindly|actually|wait|no(?! \w*\s?(?:olvid|borr|elimin))|yes|sorry|bitte|und|por favor|y|s'il (?:te|vous)"
    r" plait|et|e|пожалуйста|и|lutfen|iltimos)\b\W*){0,5}"
)
_T = r"(?P<topic>\w.{1,160})"
_ABOUT = (
    r"(?P<topic>\w[^,;:—]{1,80}?)(?:,? (?:please|thanks|por favor|gracias|merci|obrigad[oa]|пожалуйста))?\W*$"
)
_ASK = (
    r"(?:(?:can|could|would|will) (?:you|u) |i(?:'d like| would like| want| need) (?:you|u) to |(?:you|u)"
    r" (?:can|may|should|must|need to|have to|could) |let's )?(?:(?:now|just|please|kindly|simply) )*"
)
_VERB = r"(?:forget(?: about)?|delete|erase|remove|wipe)"
_NOUN = r"(?:fact|info|information|memory|memories|knowledge|note|detail)s?"
_MEMORY = r"(?:your|the) (?:long-term )?(?:memory|memories)"
_KNOWN = (
    r"(?:everything|anything|all|what(?:ever)?)(?: that)? you (?:know|remember|have|(?:have )?(?:stored|saved|noted"
    r"|recorded|learned|learnt))(?: of| on| about)?"
)
_TOLD = r"(?!(?:я|ты) (?:тебе |вам |раньше )*(?:сказал|говорил|просил|писал))"
_NOT_SAID = r"(?![^，。]{0,3}(?:告[诉訴]|[说說]|提|[讲講]))"
_THIS_FACT = r"(?:这件事|這件事|这个事实|这一事实|的事实|的事|这[条一]?信息|的信息|的记录)"

FORMS = (
    rf"{_ASK}forget(?: about)? that (?P<bare>{_T})",
    rf"{_ASK}forget (?P<bare>(?P<topic>(?:i|i'm|i've|i'd|we|we're) .{{1,160}}))",
    (  # of a person: "forget about my last question" asks memory for nothing
        rf"{_ASK}forget about (?P<topic>(?:my|our) [^,;:—.!?]{{1,60}}?)(?=,? ?[,;:—] ?(?:(?:because|since|and|as) )?"
        r"(?:he|she)\b|,? (?:because|since|as) (?:he|she)\b)"
    ),
    rf"{_ASK}stop remembering that {_T}",
    rf"{_ASK}{_VERB} (?:the|this|that|your|my|any|all)(?: \w+)? {_NOUN} (?:that|about|saying(?: that)?) {_T}",
    rf"{_ASK}{_VERB} from {_MEMORY}(?: the {_NOUN})? that {_T}",
    rf"{_ASK}{_VERB} (?P<topic>\w.{{1,160}}?) from {_MEMORY}\W*$",
    rf"{_ASK}{_VERB} {_KNOWN} {_T}",
    (
        rf"{_ASK}{_VERB} (?:(?:everything|anything|all|what(?:ever)?|the (?:things?|stuff))(?: that)? (?:i|we)(?:'ve| have)? (?:said|told you"
        rf"|mentioned|wrote|shared)(?: to you)?(?: before| earlier)?|everything|anything) (?:about|on) {_ABOUT}"
    ),
    rf"(?:vergiss|vergesst|vergessen sie)(?: (?:bitte|wieder|einfach|mal|doch))*,? dass {_T}",
    (
        r"(?:vergiss|vergesst|vergessen sie|losch\w*)(?: (?:bitte|wieder|einfach|mal|doch))*,? (?:alles,?(?: was ich"
        r"(?: dir)?)?|was ich(?: dir)?) (?:uber|von) (?P<topic>\w[^,;:—]{1,80}?)(?: (?:gesagt|erzahlt|geschrieben) hab\w*)?\W*$"
    ),
    rf"(?:kannst|konntest|wurdest) du (?:bitte )?(?:vergessen|loschen),? dass {_T}",
    rf"(?:losch\w*|entfern\w*|streich\w*|vergiss|vergesst|vergessen)(?: sie)?(?: bitte)? (?:die|den|das)(?: \w+)? (?:information|info|tatsache|fakt|notiz|angabe|eintrag|erinnerung)(?: daran)?,? dass {_T}",
    rf"(?:puedes |podrias )?olvid(?:a|e|ar|en)(?:te de)? que {_T}",
    rf"(?:puedes |podrias )?(?:borr|elimin|olvid)(?:a|e|ar|en) (?:el (?:dato|hecho|recuerdo)|la (?:informacion|nota))(?: de)? que {_T}",
    rf"(?:puedes |podrias )?(?:olvid|borr)(?:a|e|ar|en)(?:te de)? (?:todo )?lo que (?:te )?(?:dije|he dicho|conte) (?:de|sobre) {_ABOUT}",
    rf"(?:tu peux |vous pouvez |peux-tu )?oublie[zsr]? (?:tout )?ce que je (?:t'|vous )?(?:ai )?(?:dit|raconte) (?:sur|de) {_ABOUT}",
    rf"esquec(?:a|e) (?:tudo )?o que (?:eu )?(?:te )?(?:disse|contei) (?:sobre|de) {_ABOUT}",
    rf"забудь(?:те)?(?:,? (?:все|то))?,? что я (?:тебе |вам )?(?:говорил|сказал|рассказ)\w*(?: (?:тебе|вам))? (?:о|об|про) {_ABOUT}",
    rf"(?:tu peux |vous pouvez |peux-tu )?oublie[zsr]?,? (?:que |qu'){_T}",
    rf"(?:tu peux |vous pouvez |peux-tu )?(?:efface|supprime|oublie)[zsr]? (?:le fait|le souvenir|la note|l'info(?:rmation)?(?: selon laquelle)?),? (?:que |qu')?{_T}",
    rf"(?:voce )?(?:pode )?esquec(?:a|e|er)(?:-se)?(?: de)? que {_T}",
    rf"(?:pode )?(?:apag(?:a|ue|ar)|remov(?:a|e|er)|exclu(?:a|i|ir)|delet(?:a|e|ar)|esquec(?:a|e|er)) (?:o (?:fato|facto|dado)|a (?:informacao|nota))(?: de)? que {_T}",
    rf"забудь(?:те)?(?:,? пожалуйста)?,? что {_TOLD}{_T}",
    rf"(?:удали|сотри|забудь)(?:те)? (?:информацию|сведения|факт|заметку|запись)(?:,? о том)?,? что {_T}",
    r"(?P<topic>\w.{1,160}?(?:[dt][iu]gimi|[dt][iu]gini|oldugunu|bilgisini)),? (?:lutfen )?(?:unut|sil)(?:un|in|unuz|iniz|ur musun|er misin)?(?:,? lutfen)?\W*$",
    r"(?P<topic>\w.{1,160}?(?:imni|igini|ekanini|likni)),? (?:iltimos,? )?(?:unut(?:ing|ib yubor(?:ing)?)?|o'chir(?:ing|ib tashla(?:ng)?)?)(?:,? iltimos)?\W*$",
    rf"(?:请|請|麻烦(?:你|您)?)?(?:忘记|忘記|忘掉|忘了){_NOT_SAID}(?P<topic>[^，。]{{0,40}}我[^，。]{{1,80}}?){_THIS_FACT}?吧?\W*$",
    rf"(?:请|請|麻烦(?:你|您)?)?(?:删除|刪除|删掉)(?:关于)?(?P<topic>[^，。]{{2,80}}?){_THIS_FACT}吧?\W*$",
    rf"把?(?P<topic>[^，。]{{2,80}}?){_THIS_FACT}，?(?:请|請)?(?:忘记|忘記|忘掉|忘了|删除|刪除|删掉)吧?\W*$",
    r"(?P<topic>[^、。]{2,80}?)(?:という|の)?(?:こと|情報|事実|の)(?:を|は)?(?:忘れて|削除して|消して)(?:ください|下さい|ね|ほしい(?:です)?|くれ(?:る|ます|ませんか)?)?\W*$",
)
"""The requests. The group `bare` matches where only a clause about somebody is a fact: "forget that idea"."""

TASK_FORMS = (
    rf"{_ASK}forget(?: about)?(?: that)? {_ABOUT}",
    rf"(?:vergiss|vergesst|vergessen sie) (?:(?:bitte|wieder|einfach|mal|doch|das mit|alles uber) )*{_ABOUT}",
    rf"(?:puedes |podrias )?olvid(?:a|e|en|ar)(?:te|se)?(?: por favor)?(?: lo)?(?: del?)? {_ABOUT}",
    rf"(?:tu peux |vous pouvez |peux-tu )?oublie[zr]?(?: s'il (?:te|vous) plait)? {_ABOUT}",
    rf"(?:voce )?(?:pode )?esquec(?:a|e|er)(?:-se)?(?: por favor)?(?: d[aeo]s?)? {_ABOUT}",
    rf"забудь(?:те)?(?:,? пожалуйста,?)?(?: об?| обо| про)? {_ABOUT}",
    r"(?P<topic>\w[^,;:—]{1,80}?)(?: (?:hakkinda\w*|konusunu))?,? (?:lutfen )?unut(?:un|unuz|ur musun(?:uz)?)?\W*$",
    r"(?P<topic>\w[^,;:—]{1,80}?)(?: haqida\w*)?,? (?:iltimos,? )?unut(?:ing(?:iz)?|ib yubor(?:ing)?)?\W*$",
    r"(?:请|請|麻烦(?:你|您)?|帮我)(?:忘记|忘記|忘掉|忘了)(?:关于|關於)?(?P<topic>[^，。]{1,40}?)(?:的事情?)?吧?\W*$",
    r"(?:请|請|麻烦(?:你|您)?|帮我)?把(?P<topic>[^，。]{1,40}?)(?:的事情?)?忘(?:了|掉|记)吧?\W*$",
    r"(?P<topic>[^、。]{1,40}?)(?:のこと|の件)?(?:を|は)?忘れて(?:ください|下さい|ね|ほしい(?:です)?|くれ(?:る|ます|ませんか)?)\W*$",
)
"""Sentences that ask to forget a thing, which may be one of the current task: "forget the second test"."""
NO_TOPIC = (
    r"(?:.*\b(?:nicht|pas|jamais|не|não|nao|forget)\b|(?:to|how|why|whether|who|where|when|zu|de) "
    r"|(?:(?:all|the|my|your|our|this|that|what|about|was|von|de|todo|tout|tudo|все|обо?|про|lo|que|ce|o) ?)*"
    r"(?:(?:last|previous|earlier|above|prior|rest|other)\b.*|it|that|this|them|those|these|him|her|me|us|you|everything|all|anything|(?:i|you|we) (?:said|wrote|asked|meant)"
    r"|es|das|dies|alles|mich|ich (?:\w+ )?(?:gesagt|geschrieben) habe|eso|esto|todo|dije|ca|cela|tout|j'ai dit|isso|isto|tudo|disse"
    r"|это\w*|этом|все|всё|нем|я (?:сказал|говорил)\w*|bunu|onu|sunu|beni|her seyi|hepsini|buni|uni|shuni|hammasini|它|这个?|這個?|那个?|一切|我|それ|これ|あれ|全部|すべて|今の)"
    r"(?: (?:now|for now|all|just|please|again))*\W*$)"
)
"""Topics that are none: words for what was just said, and sentences with a negation ("vergiss nicht …")."""
SAID_BEFORE = (
    r"(?:i|we)(?:'ve)?(?: have| had| just| ever)? (?:said|say|mentioned|asked|told|wrote|brought)"
    r"(?: (?:you|it|that|this|so|up|anything|something))*\W*$"
)
"""The topic of a request that says only that something was said."""
DISMISSAL = (
    r"\s?[,;:—–-]\s?(?:(?:because|since|as) )?(?:i (?:was wrong|was mistaken|made (?:that|it) up|lied|misspoke|was (?:joking|kidding))"
    r"|(?:(?:all )?(?:that|this|it)(?: all)?(?:'s| is| was|'s not| is not| isn't| was not| wasn't)(?: just| all| no longer)?"
    r" (?:wrong|true|right|correct|incorrect|untrue|false|a (?:joke|mistake|lie)|an error|nonsense|rubbish|made up)(?: any ?more)?)"
    r"|das (?:war|ist|stimmt|stimmte)(?: nicht| alles| nur)? ?(?:falsch|gelogen|quatsch|ein (?:witz|scherz|fehler|irrtum)|mehr)?"
    r"|(?:es|era|fue|eso (?:es|era)|no (?:es|era)) (?:una? )?(?:mentira|broma|error|falso|verdad|cierto)"
    r"|(?:c'est|c'etait|ce n'est|ce n'etait)(?: pas| plus)? (?:faux|vrai|une (?:blague|erreur)|un mensonge)"
    r"|(?:e|era|foi|isso (?:e|era)|nao (?:e|era)) (?:uma? )?(?:mentira|brincadeira|erro|falso|verdade)"
    r"|это (?:была? |было )?(?:неправда|ошибка|шутка|не так|неверно))[\s.!]*$"
)
"""A clause at the end of a request that says only that what is to be forgotten was wrong."""
PARTED = (
    r"(?:(?:i|we|he|she|they|you)(?:'ve|'d| have| had| has)? )?(?:(?:already|just|finally|since|recently|now) )*(?:gave|given|give|threw|thrown"
    r"|sent|took|taken|put) (?:it|them|him|her) (?:away|back|out|down|up)\b(?:(?! (?:and|but|so)\b).){0,30}"
    r"|(?:it|they|that|this|he|she)(?:'s|'re| is| are| was| were| got|(?:'s| has|'ve| have) been)"
    r" (?:(?:already|just|finally|all|now|long) )*(?:sold|gone|scrapped|stolen|lost|demolished|cancelled|canceled|over|dead|finished"
    r"|closed|written off|torn down|given away|thrown away)\b(?:(?! (?:and|but|so)\b).){0,30}"
    r"|(?:it|they|he|she|that) (?:no longer (?:exists?|happens?|applies|apply)|died|broke down|burn(?:t|ed) down|closed down)\b(?:(?! (?:and|but|so)\b).){0,30}"
    r"|(?:es|er|sie|das|die|der) (?:ist|sind|wurde|wurden|gibt es) (?:\w+ )?(?:verkauft|weg|gestohlen|verschrottet|tot|vorbei|verloren|nicht mehr)(?: worden)?"
    r"|(?:ya )?(?:nos )?(?:l[oa]s?) (?:hemos |he )?(?:vend|regal|perd|don|devolv)\w+(?: ya)?|ya no (?:l[oa]s?) (?:tengo|tenemos)|ya no existen?"
    r"|(?:je|on|nous) (?:l'|les |l')(?:ai|a|avons) (?:vend|donn|perd|rend)\w+|(?:je|on|nous) ne (?:l'|les )(?:ai|a|avons) plus|(?:il|elle)s? n'existe(?:nt)? plus"
    r"|(?:nos |eu )?(?:ja )?(?:[oa]s? )?(?:vend|do|perd|devolv)\w+-?(?: ?(?:ele|ela)s?)?|ja nao [oa]s? (?:tenho|temos)"
    r"|(?:я|мы) (?:\w+ )?(?:его|ее|их) (?:\w+ )?(?:прода|потеря|отда|подари)\w+|(?:его|ее|их) (?:больше|уже) нет"
)
"""A clause that says only that somebody or something, named before it, is there no more."""
PRONOUNS = r"\b(?:it|them|him|her|es|ihn|sie|его|ее|их)$|\b(?:it|them|him|her|es|ihn|sie)\b(?= (?:any ?more|any longer|nicht mehr|verkauft|verloren|verschenkt)\b)"
"""Words for what was named before, as the object of a clause."""
THANKS = (
    r"(?:,? (?:please|pls|thanks|thank you|bitte|danke|por favor|gracias|s'il (?:te|vous) plait|merci"
    r"|obrigad[oa]|пожалуйста|lutfen|iltimos|rahmat))+$"
)
"""Words after a topic that are no part of it."""
