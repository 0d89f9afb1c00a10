"""Statements about the user in languages other than English: where they live and work, diet and allergies.

A pattern matches at the start of a clause and has the value as its group; a negated verb does not match.
"""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import StatementForm

_PLACE = r"(?P<value>[^\W\d_a-zа-яё][\w.'’-]*(?: [^\W\d_a-zа-яё][\w.'’-]*){0,2})"
_WORDS = (
    r"(?P<value>[^\W\d_][\w'’-]*(?: (?!y\b|e\b|et\b|und\b|и\b|mas\b|pero\b|mais\b|aber\b|но\b)[\w'’-]+){0,3})"
)

TRANSLATED_FORMS = (
    StatementForm(
        "LIVES_IN", ("ich wohne", "ich lebe"), rf"ich (?:wohne|lebe)(?: jetzt| derzeit)? in {_PLACE}"
    ),
    StatementForm(
        "LIVES_IN", ("vivo en", "me mudé a"), rf"(?:yo )?(?:ahora )?(?:vivo en|me mudé a) {_PLACE}"
    ),
    StatementForm(
        "LIVES_IN", ("j'habite", "je vis"), rf"(?:j'habite|je vis)(?: maintenant)? (?:à|en|au) {_PLACE}"
    ),
    StatementForm("LIVES_IN", ("moro em", "vivo em"), rf"(?:eu )?(?:moro|vivo) em {_PLACE}"),
    StatementForm("LIVES_IN", ("живу",), rf"я (?:сейчас |теперь )?живу в {_PLACE}"),
    StatementForm("LIVES_IN", ("yaşıyorum",), rf"(?:ben )?{_PLACE}['’](?:da|de|ta|te) yaşıyorum"),
    StatementForm("LIVES_IN", ("yashayman",), rf"(?:men )?{_PLACE}da yashayman"),
    StatementForm("LIVES_IN", ("我住在", "我现在住在"), r"我(?:现在)?住在(?P<value>[^\W\d_]{2,8})"),
    StatementForm(
        "LIVES_IN", ("に住んで",), r"(?:私は|僕は)?(?P<value>[^\W\d_]{2,8})に住んで(?:います|いる)"
    ),
    StatementForm("WORKS_AS", ("ich arbeite als",), rf"ich arbeite als {_WORDS}"),
    StatementForm("WORKS_AS", ("trabajo como", "trabajo de"), rf"(?:yo )?trabajo (?:como|de) {_WORDS}"),
    StatementForm("WORKS_AS", ("je travaille comme",), rf"je travaille comme {_WORDS}"),
    StatementForm("WORKS_AS", ("trabalho como",), rf"(?:eu )?trabalho como {_WORDS}"),
    StatementForm(
        "WORKS_AS", ("работаю",), r"я работаю (?P<value>[а-яё]+(?:ом|ем|ой|ером|истом|телем))(?!\w)"
    ),
    StatementForm(
        "HAS_TRAIT", ("ich bin ve",), r"ich bin (?P<value>[Vv]egetarier(?:in)?|[Vv]eganer(?:in)?|vegan)(?!\w)"
    ),
    StatementForm("HAS_TRAIT", ("soy ve",), r"(?:yo )?soy (?P<value>vegan[oa]|vegetarian[oa])(?!\w)"),
    StatementForm("HAS_TRAIT", ("je suis v",), r"je suis (?P<value>végan[e]?|végétarien(?:ne)?|vegan)(?!\w)"),
    StatementForm("HAS_TRAIT", ("sou ve",), r"(?:eu )?sou (?P<value>vegan[oa]|vegetarian[oa])(?!\w)"),
    StatementForm("HAS_TRAIT", ("вег",), r"я (?P<value>веган(?:ка)?|вегетариан(?:ец|ка))(?!\w)"),
    StatementForm("HAS_TRAIT", ("我吃素", "我是素食"), r"我(?P<value>吃素|是素食者?|是素食主义者)"),
    StatementForm("ALLERGIC_TO", ("allergisch",), rf"ich bin allergisch (?:gegen|auf) {_WORDS}"),
    StatementForm(
        "ALLERGIC_TO",
        ("alérgic", "alergi"),
        rf"(?:yo )?(?:soy alérgic[oa] a|tengo alergia a)(?: los| las| la| el)? {_WORDS}",
    ),
    StatementForm("ALLERGIC_TO", ("allergique",), rf"je suis allergique (?:aux|à la|à l'|au|à) ?{_WORDS}"),
    StatementForm(
        "ALLERGIC_TO",
        ("alérgic", "alergia"),
        rf"(?:eu )?(?:sou|tenho) (?:alérgic[oa]|alergia) (?:a|ao|aos|à|às) {_WORDS}",
    ),
    StatementForm("ALLERGIC_TO", ("аллергия",), rf"у меня аллергия на {_WORDS}"),
    StatementForm("ALLERGIC_TO", ("过敏",), r"我对(?P<value>[^\W\d_]{1,8})过敏"),
    StatementForm(
        "ALLERGIC_TO", ("アレルギー",), r"(?:私は)?(?P<value>[^\W\d_]{1,8})アレルギー(?:です|があります)"
    ),
)
"""The rows; their patterns are matched whole, with capitals where a value begins with one."""
