"""English triggers of tastes, names that others use, waived habits and notes, besides those of the main verbs."""

from __future__ import annotations

from memtool.core.capture.languages.trigger import Trigger
from memtool.core.capture.statement_words import PERSON

_REPORTED = (
    r"\b(?:do|did|would|should|could|can|does|will|if|whether|when|where|why|how|until|unless|what|which"
    r"|(?:said|says|saying|told (?:\w+|the \w+)|wrote|writes|claims|claimed|replied|answered)(?: that)?[:,]?)"
)
_THING = "(?:it|this|that|these|those|them|him|her|how|what|where|when|why|which|your|you|everything|all|to|the (?:idea|way))"
_ON = (
    "(?:from (?:now|here|today|this (?:point|moment))(?: on| onwards?| forwards?)?(?: out| in)?|from now on(?:wards)?|(?:going|moving) forwards?"
    "|henceforth|in future|as of (?:now|today)|starting (?:now|today))"
)
_ON_SIGNS = ("from ", "forward", "henceforth", "in future", "as of", "starting ")
_OFTEN = (
    r"(?:every (?:single )?time|each time|any ?more|all the time|at the (?:start|beginning|end|top)|in (?:every|each|your) \w+|with every \w+"
    r"|in all your \w+|always|ever again|constantly|from now on|going forward)"
)
_CALLERS = (
    r"(?:every ?(?:one|body)|(?:most|all) (?:of )?(?:my )?\w+|most|people|folks|friends|family|they|the (?:team|guys|kids|family|whole \w+)"
    r"|(?:my|our) \w+(?: \w+)?)"
)
_VERY = r"(?: (?:really|so|way|much|far|a lot|just|definitely|very|pretty|not|quite|always|more|honestly|kind of|kinda|totally|super|bit|a bit|never|most))"

ROWS = (
    Trigger("proper_noun", rf"{_CALLERS}(?: (?:at|in|around|from) \w+)?(?: (?:just|all|usually|here|always|mostly|also|still|tend to)){{0,2}} (?:calls?|knows?|refers? to) me(?: as| by)?(?: simply| just)?", (" me ",), then="name"),
    Trigger("proper_noun", r"i(?:'ve)?(?: usually| mostly| always| just| also)? (?:go|went|gone) by(?: the (?:name|nickname)(?: of)?)?", (" by ",), then="name"),
    Trigger("proper_noun", r"i(?:'m| am) (?:known (?:as|to (?:my )?\w+ as)|called|nicknamed|better known as|usually called|mostly called)", ("known", "called", "nicknamed"), then="name"),
    Trigger("proper_noun", r"(?:the name's|name's|my (?:full|real|last|first|given|legal|middle|family|maiden) name(?:'s| is)|my (?:sur|nick)name(?:'s| is))", ("name's", "name is"), then="sure name"),
    Trigger("proper_noun", rf"(?:this|here|that)(?:'s| is) (?:my|our) (?:[\w-]+ )??{PERSON},?", ("my ", "our "), "clause", then="name"),
    Trigger("proper_noun", rf"(?:meet|let me introduce(?: you to)?|i'd like (?:you to meet|to introduce(?: you to)?)|say hi to|introducing)(?: (?:my|our) (?:[\w-]+ )??{PERSON},?)?", ("meet ", "introduc", "say hi"), "clause", then="name"),
    Trigger("proper_noun", rf"(?:my|our|the) (?:[\w-]+ ){{0,2}}?(?:{PERSON}|lead|twins|kids|intern)(?:'s|s'|s)? (?:name(?:'s| is)|(?:is|are) (?:called|named)|goes by)", ("name", "called", "goes by"), then="name"),
    Trigger("preference", rf"i(?:'m| am|'ve (?:always )?been| have (?:always )?been){_VERY}{{0,3}}(?: of)? an? (?:(?:huge|big|total|real|proper|true|bit of an?|complete|hardcore|lifelong) )?(?!sales)[\w'-]+(?: [\w'-]+)?[\s-](?:person|lover|drinker|eater|addict|nut|junkie|guy|gal|enthusiast|fanatic|fan|snob|owl|bird)", ("person", "lover", "drinker", "eater", "addict", "nut", "junkie", "guy", "gal", "enthusiast", "fan", "snob", "owl", "bird"), unless=_REPORTED),
    Trigger("preference", rf"i(?:'ve| have)(?: always| never| long| really| actually| honestly){{0,2}} (?:loved|hated|liked|enjoyed|preferred|adored|disliked|despised|loathed|been (?:into|fond of|a (?:big )?fan of|partial to|crazy about))(?! (?:{_THING}|working|using|talking|chatting|playing with)\b)(?= \w)", ("loved", "hated", "liked", "enjoyed", "preferred", "adored", "despised", "loathed", "been "), unless=_REPORTED),
    Trigger("preference", rf"i(?: just| really| simply| honestly)? (?:can'?t|cannot|can not|could never) (?:stand|bear|abide|stomach|tolerate|live without|do without|resist)(?! (?:{_THING}|up|by|for)\b)(?= \w)", ("stand", "bear", "abide", "stomach", "tolerate", "without", "resist"), unless=_REPORTED),
    Trigger("preference", r"(?:is|are|'s|'re|isn't|aren't|was|were|been|never)(?: (?:just|really|so|totally|definitely|not|never|exactly|quite|simply|absolutely)){0,3} my (?:thing|cup of tea|jam|scene|cuppa|go-to|idea of fun|kind of \w+)", ("my thing", "cup of tea", "my jam", "my scene", "cuppa", "go-to", "idea of fun", "my kind of"), unless=r"\b(?:it|this|that|what)"),
    Trigger("preference", r"(?:i (?:(?:really|totally|absolutely) )?(?:swear by|live for|steer clear of|stay away from|tend to (?:avoid|go for|prefer))|i'm (?:all about|big on|not big on|partial to|crazy about|mad about|obsessed with|hooked on|not (?:really )?(?:one for|much for))|nothing beats|i(?:'d| would|'ll) (?:always |much |much rather |sooner )?(?:take|pick|choose|go for) [^\n,.!?]{1,40}? (?:over|any day)|give me [^\n,.!?]{1,40}? over [^\n,.!?]{1,30}? any (?:day|time)|all the way for me)(?! (?:it|this|that|them)\b)", ("swear by", "live for", "steer clear", "stay away", "tend to", "all about", "big on", "partial to", "crazy about", "mad about", "obsessed", "hooked on", "one for", "much for", "beats", "over ", "any day", "all the way"), unless=_REPORTED),
    Trigger("preference", rf"i(?:'m| am){_VERY}{{0,3}} (?:happier|happiest|more comfortable|most comfortable|at my best|more productive|most productive) (?:on|in|with|when|using|working|without|at|if)\b(?! (?:this|that|it|the result)\b)", ("happie", "comfortable", "at my best", "productive"), unless=_REPORTED),
    Trigger("preference", r"i (?:don'?t|do not|never|rarely|hardly ever|no longer|only|mostly|exclusively)(?: really| usually| ever)? (?:eat|drink|smoke|care for|do well with)(?! (?:it|this|that|them|how|what)\b)(?= \w)", ("eat", "drink", "smoke", "care for", "do well"), unless=_REPORTED),
    Trigger("preference", r"(?:my (?:(?:all-time|personal|absolute) )?favou?rite [^\n.!?]{1,50}?(?: (?:remains|stays|has (?:always )?been|will always be|would be)|'s)|(?:is|are|remains?|been)(?: still| by far| definitely| probably| easily)? (?:one of )?my (?:absolute |all-time |personal )?favou?rites?)", ("favorite", "favourite"), unless=r"\b(?:what|which|it|this|that)"),
    Trigger("preference", rf"(?:i(?:'m| am) |am )?(?:really |definitely |honestly )?(?:not|never|never been) (?:(?:a|the) )?(?:big |huge |biggest |much of a )?fan of(?! {_THING}\b)(?= \w)", ("fan of",), "clause", unless=_REPORTED),
    Trigger("preference", r"(?:drives?|makes?) me (?:up the wall|crazy|nuts|mad|insane|sick)|(?:gets?|grates?) on my nerves|(?:puts?|turns?) me off|gives? me (?:the creeps|a headache)|brings? me joy|makes? me happy", ("me up the", "me crazy", "me nuts", "me mad", "me insane", "me sick", "my nerves", "me off", "creeps", "headache", "me joy", "me happy"), unless=r"\b(?:it|this|that|which|he|she|would|bug|error)"),
    Trigger("preference", r"(?!(?:it|this|that|he|she|they|which)\b)[^\n,.;!?]{2,50}? (?:bores?|relaxes|relax|calms?|annoys?|distracts?|stress(?:es)?|soothes?|irritates?) me|helps? me (?:focus|concentrate|relax|unwind|sleep)|i (?:always )?(?:work|focus|think|sleep|concentrate|study|learn) (?:so much |much |way )?(?:best|better) (?:with|in|when|to|at|on|without|if)|[\w-]+(?: [\w-]+){0,3} over [\w-]+(?: [\w-]+){0,3} any (?:day|time)", ("bore", "relax", "calm", "annoy", "distract", "stress", "soothe", "irritat", "helps me", "help me", "best", "better", "any day", "any time"), "clause", unless=_REPORTED + r"|\b(?:can you|please|error|bug|will|would|to)"),
    Trigger("instruction", r"[\w-]+,? (?:not|instead of|over|rather than) [\w-]+,? (?:please,? )?(?:in|for|on) (?:all|every|any) [^\n.;!?]{2,60}", (" all ", " every ", " any "), "sentence"),
    Trigger("instruction", rf"{_ON},? (?:please,? )?(?:no(?: more)?|only|just|always|never|without|nothing but|zero|strictly|stick to)\b", _ON_SIGNS, "clause", "word"),
    Trigger("instruction", rf"(?:(?:no(?: more)?|only|just|without|strictly|always|nothing but) [^\n.;!?,]{{2,80}}?|[^\n.;!?,]{{2,60}}? only),? (?:please,? )?{_ON}(?=[^\w\n]{{0,3}}(?:\n|$|please|thanks|thank|ok)|[,.!;])", _ON_SIGNS, "clause", unless=r"\b(?:i|we|it|is|are|was)"),
    Trigger("instruction", rf"(?:(?:there(?:'s| is) )?no need (?:to|for)|you (?:don'?t|do not) (?:need|have) to|(?:please )?(?:don'?t|do not) (?:bother|feel the need)|you (?:can|may) (?:skip|drop|leave out|omit|cut)|spare me|save yourself|no point (?:in )?)\b[^\n.;!?]{{1,80}}?\b{_OFTEN}(?![^\n.!]{{0,30}}\?)", ("no need", "need to", "have to", "bother", "skip", "drop", "leave out", "omit", "cut ", "spare me", "yourself", "no point", "feel the need"), "clause"),
    Trigger("instruction", rf"(?:(?:would|do) you mind(?: please)?|could i ask you to|can i ask you to|may i ask you to|any chance you (?:could|can)|is it possible for you to|i'd be (?:glad|grateful|happy|thankful) if you(?: could| would)?|it(?:'d| would) (?:help|be \w+(?: \w+)?)(?: me)?(?: a lot)? if you(?: could| would)?|if you could) [^\n.;!?]{{0,100}}?\b(?:{_ON}|always|never|every \w+|each \w+|by default|whenever|in general|all (?:my|your) \w+)\b", ("mind", "ask you", "chance", "possible", "be ", "help", "if you could"), "clause"),
    Trigger("instruction", r"before (?:you )?[^\n,.;!?]{3,80}, (?:please )?(?:always )?(?:ask me|ask first|check with me|consult me|confirm with me|warn me|tell me|let me know|run it by me|get my)", ("before ",), "clause"),
    Trigger("instruction", r"(?:ask me|check with me|consult me|confirm with me|warn me|tell me|run it by me|let me know)(?: first)?,? before (?:you (?:ever )?)?(?:\w+ing|change|touch|edit|modify|delete|remove|commit|push|install|add|make|deploy)", ("before ",), "clause"),
    Trigger("remember", r"(?:(?:can|could|would|will) you )?(?:please )?(?:make|take|keep|leave)(?: yourself)? (?:a )?(?:mental |quick |little |short )?note(?: down)?(?: that|:| of|,| about)", ("note",), "clause"),
    Trigger("remember", r"(?:(?:can|could|would|will) you )?(?:please )?(?:jot|write|note)(?: this| that| it)? down(?: that|:|,| somewhere| for (?:later|me|next time))", ("down",), "clause"),
    Trigger("remember", r"(?:for (?:the record|future reference|your notes|your records)[,:]|note to self[,:]|(?:please )?(?:store|save|file|commit|add|put) (?:this|that|it) (?:in|to|into) (?:your )?(?:long-term )?memory|i(?:'d like| want| need|'d want) you to (?:remember|keep in mind|bear in mind|note)|(?:can|could) you (?:please )?(?:remember|keep in mind|bear in mind)|don'?t let me forget|please (?:also )?remember (?=\w))", ("record", "reference", "notes", "note to self", "memory", "remember", "in mind", "forget", "you to note"), "clause"),
)  # fmt: skip
