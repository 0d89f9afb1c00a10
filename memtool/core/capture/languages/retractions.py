"""Retractions, folded: "scratch that", "I take that back", "just kidding", in ten languages."""

from __future__ import annotations

_SAID = "(?:what i (?:just )?(?:said|wrote)(?: before| earlier| above)?|my (?:last|previous) (?:message|sentence|statement|remark))"
RETRACTIONS = (
    rf"(?:scratch|strike) that(?: last (?:bit|part|one))?|i take (?:that|it|this) back|(?:ignore|disregard|forget) {_SAID}"
    rf"|never ?mind {_SAID}|forget i said (?:that|anything)"
    r"|streich(?:e|en sie)? das(?: wieder)?|(?:ich )?nehme? (?:das|es|alles) (?:wieder )?zuruck"
    r"|ignorier(?:e|en sie)? (?:meine letzte (?:nachricht|aussage)|was ich (?:gerade|eben) gesagt habe)"
    r"|(?:retiro|tacha|ignora) (?:lo dicho|lo que (?:acabo de decir|dije|he dicho)|eso|mi (?:ultimo )?mensaje(?: anterior)?)"
    r"|(?:je retire|ignore[rz]?|raye[rz]?) (?:ca|cela|ce que (?:je viens de dire|j'ai dit)|mon (?:dernier )?message(?: precedent)?)"
    r"|(?:retiro|ignor[ae]|risc[ae]|risque) (?:o que (?:eu )?(?:disse|falei|acabei de dizer)|isso|(?:a )?minha ultima mensagem)"
    r"|(?:я )?беру (?:свои )?(?:слова|сказанное) (?:назад|обратно)"
    r"|(?:зачеркни|вычеркни|отмени|игнорируй)(?:те)? (?:это|сказанное|(?:мое )?(?:последнее|предыдущее)(?: сообщение)?)"
    r"|(?:bunu|onu|dedigimi|soyledigimi|sozumu|lafimi) (?:geri al(?:iyorum|dim)|yok say(?:in)?|dikkate alma(?:yin)?)"
    r"|(?:buni|gapimni|aytganimni|so'zimni) (?:qaytarib ol(?:aman|dim)|hisobga olma(?:ng)?)"
    r"|(?:就)?[当當]我(?:刚才|剛才)?[没沒][说說](?:过|過)?|(?:我)?收回(?:刚才|剛才|前面)?(?:的|说的)?(?:话|話|那句)|(?:划掉|劃掉|忽略)(?:上一[句条條]|刚才的话)"
    r"|(?:さっき|今|前)の(?:発言|言葉|話)?(?:は|を)(?:取り消し|撤回|なし|忘れて)(?:ます|します|で|に)?|前言撤回(?:です)?"
)
JOKES = (
    r"(?:(?:i'm|i am|i was) (?:just |only |totally )?|(?:just|only|totally) )(?:kidding|joking)(?: (?:around|you))?"
    r"|jk|j/k|(?:(?:that|it)(?:'s| is| was) )?just a joke|(?:that|it) was (?:just|only) a joke"
    r"|(?:forget|ignore|disregard) (?:that|it|this),? (?:it|that|this)(?:'s| is| was) (?:just |only |all )?a joke"
    r"|(?:das )?(?:war )?(?:nur|bloß|bloss) (?:(?:ein|kleiner) )?(?:spaß|spass|scherz|witz)"
    r"|ich mach(?:e|te)? (?:nur|bloß|bloss) (?:spaß|spass|witze)"
    r"|je (?:rigole|plaisante|plaisantais|deconne|blague)|c'(?:est|etait) juste (?:une blague|pour rire)"
    r"|(?:(?:es|era) )?solo (?:una )?broma|(?:estoy|estaba) (?:de broma|bromeando)"
    r"|(?:to|estou|tava|estava) (?:so )?(?:brincando|zoando)|(?:(?:foi|e|era) )?so (?:uma )?(?:brincadeira|brincadeirinha)"
    r"|(?:я )?(?:просто )?(?:шучу|пошутил[аи]?)|(?:это )?(?:была )?просто шутка"
    r"|(?:sadece )?saka (?:yapiyorum|yaptim)|sadece saka(?:ydi)?"
    r"|(?:shunchaki )?hazil(?:lashdim|lashyapman)|shunchaki hazil(?: (?:qildim|edi))?"
    r"|(?:我)?(?:只是)?[开開](?:[个個]|一[个個])?玩笑(?:的|啦|而已)+|(?:我)?只是[开開](?:[个個]|一[个個])?玩笑|逗你(?:的|玩)呢?"
    r"|冗談(?:です|だよ|でした|だった)よ?|なー?んて(?:ね|な)|(?:嘘|うそ)(?:です|だよ|でした)"
)
"""What says, as a sentence of its own, that the user did not mean the sentence before it.

Not what may be a complaint ("it's a joke") or the contrary ("no kidding").
"""
JOKES_AT_END = (
    rf"{JOKES}|(?:only |just )?(?:kidding|joking)|(?:or so )?(?:i wish|i'd like to think)|in (?:my|your) dreams|not really"
    r"|(?:(?:das )?(?:war|ist) )?(?:nur |bloß |bloss )?(?:(?:ein|kleiner) )?(?:spaß|spass|scherz|witz)|schon war's|(?:naturlich|nicht wirklich) nicht"
    r"|nicht wirklich|(?:es|era) (?:una )?broma|ojala|c'etait une blague|si seulement|(?:foi|e|era) brincadeira|шутка"
)
"""What says so at the end of that sentence, after a comma."""
LAUGHING = r"(?:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|(?:ja){2,}|(?:ха){2,}|k{3,}|哈{2,}|w{2,}|笑)\b"
LAUGHTER = rf"\W*(?:{LAUGHING}\W*)?"
"""Laughter before a joke that is taken back."""
LEADS = (
    r"\W*(?:(?:no|oh|oops|wait|actually|sorry|hmm|ok|okay|nein|quatsch|ach|moment|perdon|mejor|non|pardon|nao|desculpa|нет|ой|стоп"
    r"|hayir|pardon|yok|yo'q|kechirasiz|不|哦|等等|いや|あ|すみません)\b\W*){0,3}"
)
END = r"(?=\W*$|\s*[,.;:!—–…，、。；：！-]|[^\W\d_]{0,3}\W*$)"
"""The words before a retraction in its sentence, and what follows it."""
