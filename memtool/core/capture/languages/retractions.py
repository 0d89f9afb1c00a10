"""Retractions, folded: "scratch that", "I take that back", in ten languages."""

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
LEADS = (
    r"\W*(?:(?:no|oh|oops|wait|actually|sorry|hmm|ok|okay|nein|quatsch|ach|moment|perdon|mejor|non|pardon|nao|desculpa|нет|ой|стоп"
    r"|hayir|pardon|yok|yo'q|kechirasiz|不|哦|等等|いや|あ|すみません)\b\W*){0,3}"
)
END = r"(?=\W*$|\s*[,.;:!—–…，、。；：！-]|[^\W\d_]{0,3}\W*$)"
"""The words before a retraction in its sentence, and what follows it."""
