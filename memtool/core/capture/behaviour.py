"""Corrections of the agent's behaviour: `stop apologising`, `I told you to use tabs`, in ten languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.text.regex import regex


class _Form(Struct, frozen=True):
    """A pattern at the start of a sentence, and texts of which one is in every match, in lower case."""

    signs: tuple[str, ...]
    pattern: str


_ENGLISH = (
    r"(?:(?:please|ok|okay|no|hey|and|but|also|just|again|actually|(?:can|could|would) you)[\s,.!:]+){0,3}"
    r"(?:(?:stop|quit|enough with the) (?:\w+ing\b|that\b|it\b|with\b)"
    r"|(?:don't|do not|dont|never) (?:\w+ ){1,8}?again\b"
    r"|you (?:keep on|keep|always) \w+ing\b|you always (?:forget|ignore|skip|miss|break|do this|do that)\b"
    r"|you(?: have|'ve)? (?:again )?(?:forgot(?:ten)?|ignored|misunderstood|missed)\b"
    r"|you (?:shouldn't|should not|should|were supposed to|weren't supposed to) have \w+"
    r"|you (?:didn't|did not) (?:listen|follow|do what|do as|run|test|check|ask|read)\b"
    r"|why do you (?:keep|always)\b|i(?:'ve| have)? (?:already |just )?(?:told|asked) you (?:to|not to)\b"
    r"|(?:that's|that is|this is) not (?:what|how|where) i (?:asked|wanted|said|meant|told)\b|not like that\b"
    r"|(?:don't|do not|dont) (?:ever )?(?:do|say) (?:that|this|it)\b)"
)
_FORMS = (
    _Form(("stop", "quit", "enough", "n't", "dont", "not", "never", "you"), _ENGLISH),
    _Form(
        ("gesagt", "gebeten"),
        r"(?:\w+[\s,]+){0,3}?(?:ich )?(?:habe?|hatte)(?: ich)? (?:dir|ihnen|dich|sie) (?:\w+ ){0,3}?"
        r"(?:gesagt|gebeten),? (?:dass |bitte )?(?:du|sie|nicht|keine?|kein|zu|immer|erst)\b",
    ),
    _Form(
        ("schon wieder", "ständig", "immer wieder", "vergessen"),
        r"(?:\w+[\s,]+){0,2}?(?:warum )?(?:du|sie|hast du|machst du|haben sie) (?:\w+ ){0,4}?"
        r"(?:schon wieder|ständig|immer wieder|vergessen)\b",
    ),
    _Form(
        ("dit d", "demandé d", "dit que tu", "dit que vous"),
        r"(?:\w+[\s,]+){0,2}?je (?:t'|vous )(?:ai|avais) (?:\w+ ){0,2}?(?:dit|demandé)"
        r" (?:de |d'|que (?:tu|vous)\b)",
    ),
    _Form(
        ("encore", "toujours", "sans cesse"),
        r"(?:pourquoi )?(?:tu|vous) (?:as|avez|n'as|oublies|oubliez|continues|continuez|fais|faites)\b"
        r"(?: \w+){0,3}? (?:encore|toujours|sans cesse)\b",
    ),
    _Form(
        ("te dije", "te he dicho", "te pedí", "te había dicho", "le dije", "le pedí"),
        r"(?:\w+[\s,]+){0,2}?(?:te|le) (?:dije|he dicho|había dicho|pedí|he pedido) (?:\w+ ){0,2}?que"
        r" (?:no )?(?:\w+ ){0,2}?\w+(?:aras?|ieras?|ases?|ieses?)\b",
    ),
    _Form(
        ("otra vez", "de nuevo", "siempre"),
        r"(?:\w+[\s,]+){0,1}?(?:has olvidado|olvidaste|siempre (?:olvidas|haces|ignoras))\b",
    ),
    _Form(
        ("disse", "falei", "pedi"),
        r"(?:\w+[\s,]+){0,2}?(?:(?:te|lhe) (?:\w+ ){0,1}?(?:disse|falei|pedi)|(?:disse|pedi)-(?:te|lhe))"
        r" (?:para|que) (?:não )?(?:\w+ ){0,2}?\w+(?:r|sses?)\b",
    ),
    _Form(
        ("esqueceu", "esqueceste", "você sempre"),
        r"(?:\w+[\s,]+){0,1}?(?:você|tu)? ?(?:esqueceu|esqueceste|sempre (?:esquece|faz|ignora))\b",
    ),
    _Form(
        ("говорил", "сказал", "просил"),
        r"(?:\w+[\s,]+){0,1}?я (?:же |ведь |уже |тебе |вам |тебя |вас )*(?:говорил|сказал|просил)а?"
        r"(?: тебе| вам| тебя| вас)?,? (?:не )?(?:\w+ ){0,2}?\w+(?:ть|ти|чь|ться)\b",
    ),
    _Form(
        ("опять", "снова", "постоянно", "всё время", "все время"),
        r"(?:почему )?(?:ты|вы) (?:опять|снова|постоянно|вс[её] время) \w+",
    ),
    _Form(
        ("söyle", "demiş", "dedim", "iste"),
        r"(?:\w+[\s,]+){0,2}?(?:sana|size|senden|sizden) (?:[\w']+ ){0,8}?\w*m[ae](?:n[ıi]|m[ae]n[ıi])"
        r"(?:z[ıi])? (?:söyle|demiş|iste)\w*",
    ),
    _Form(("unuttun", "yine"), r"(?:\w+[\s,]+){0,1}?yine (?:\w+ ){0,4}?unuttun(?:uz)?\b"),
    _Form(
        ("senga", "sizga", "sendan"),
        r"(?:\w+[\s,]+){0,2}?(?:senga|sizga|sendan|sizdan) (?:[\w'‘’ʻʼ]+ ){1,10}?"
        r"(?:degandim|degan edim|aytgandim|aytgan edim|so'ragandim)\b",
    ),
    _Form(("yana", "unutding"), r"(?:sen |siz )?yana (?:[\w']+ ){0,5}?unutding(?:iz)?\b"),
    _Form(
        ("你",),
        r".{0,6}?我?(?:早就|已经|都|不是)?(?:告诉过|跟你说过|说过|让|叫)(?:过)?你?(?:要|不要|别|不准|先|用).+",
    ),
    _Form(("你",), r".{0,4}?你(?:怎么)?(?:又|总是|老是|一直)(?:忘|没|不|在|把|改|写|用).+"),
    _Form(
        ("言っ", "言い", "頼ん", "頼み", "お願いし"),
        r".{1,80}?(?:ように|ないで(?:って|と)?|てって)(?:言った|言いました|頼んだ|頼みました|お願いした|お願いしました).*",
    ),
    _Form(("また",), r"また.{1,40}?(?:忘れ|間違え)(?:た|て|まし).*"),
)
_MAX_READ = 2_000
"""Characters of a sentence that are read."""


def is_about_behaviour(sentence: str) -> bool:
    """Whether a sentence corrects what the agent does: `stop apologising`, `don't do that again`."""
    text = " ".join(sentence[:_MAX_READ].replace("’", "'").split())
    lowered = text.lower()
    return any(
        any(sign in lowered for sign in form.signs) and regex(form.pattern, re.IGNORECASE).match(text)
        for form in _FORMS
    )


def behaviour_corrections(message: MessageSentences) -> Iterator[str]:
    """The sentences of a message, in the user's own words, that correct what the agent does.

    None that the message asks not to keep.
    """
    text = message.text
    for number, (start, end, _) in enumerate(text.sentences):
        if is_about_behaviour(text.masked[start:end].lstrip()) and number not in message.private:
            yield text.text[start:end].strip()
