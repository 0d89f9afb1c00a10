"""Statements of despair in ten languages, over folded text: no crisis for certain, but never a memory."""

from __future__ import annotations

DESPAIR = (
    r"\bi (?:hate|can'?t stand|loathe|despise) (?:being me|myself|my (?:own )?life|being alive|existing|living|waking up(?: every| each|,|\.|$))|\b(?:just |really )?(?:want|wanna|wish i could|wish to) (?:to )?(?:just )?(?:disappear|vanish|not wake up|never wake up|sleep forever|fall asleep and (?:never|not)|give up on (?:life|everything)|be gone|it all to (?:end|stop))"
    r"|\bi (?:feel|am|'m) (?:so |completely |totally |just )?(?:empty|hopeless|worthless|numb)\b|\b(?:nobody|no one) would (?:even )?(?:notice|care|miss me)|\bcan'?t (?:do this|take it|take this|go on) any ?more\b|\bi can'?t go on(?= ?(?:[.,!]|$|\n| like this| living))|\btired of (?:living|life|being alive|existing)\b|\bwhat'?s the point of (?:living|anything|going on)"
    r"|\b(?:will|mochte|wunsche mir) (?:\w+ ){0,4}?(?:\w+,? ?)dass (?:einfach )?(?:es|alles|das)(?: \w+)? (?:aufhort|vorbei ist|endet)\b"
    r"|\bich (?:mag|kann|will) (?:einfach )?nicht mehr(?= ?(?:[.,!]|$|\n| leben| aufwachen| da sein| hier sein))|\bnicht mehr (?:aufwachen|da sein|leben|existieren|hier sein)\b|\b(?:einfach |nur noch )(?:verschwinden|weg sein|einschlafen und)|\bich (?:hasse|verachte) (?:mich|mein leben|es,? ich zu sein)\b|\b(?:innerlich|so|nur noch|vollig|total) leer\b|\bich fuhle mich (?:\w+ )?(?:leer|wertlos|hoffnungslos)|\balles (?:ist )?(?:zu viel|sinnlos)\b|\blebensmude\b"
    r"|\b(?:envie|besoin) d'en finir\b|\ben finir\b(?! avec (?:ce|cette|le|la|les|un|une)\b)|\b(?:veux|voudrais|aimerais|envie de) (?:juste )?(?:disparaitre|ne plus (?:me reveiller|exister|etre la)|plus me reveiller)|\bje me (?:sens (?:si |tellement |completement )?vide|deteste|hais)\b|\bje (?:ne )?veux plus (?:voir personne|vivre|exister|etre la)|\b(?:je deteste|je hais) ma vie\b|\bj'en peux plus de (?:vivre|la vie)|\bfatiguee? de vivre\b"
    r"|\b(?:quiero|quisiera|ganas de|me gustaria) (?:solo )?(?:desaparecer|no despertar|dormir(?:me)? y no despertar|que todo (?:acabe|termine)|esfumarme)|\bme (?:siento (?:tan |muy |completamente )?vaci[oa]|odio)\b|\b(?:odio|detesto) (?:ser yo|mi vida|vivir|estar viv[oa]|existir)|\bya no (?:puedo|aguanto) mas\b|\bno (?:quiero|tengo ganas de) (?:vivir|seguir|despertar|existir)\b|\bcansad[oa] de vivir\b|\bnadie (?:me )?(?:echaria|extranaria|notaria)"
    r"|\b(?:quero|queria|vontade de) (?:so |apenas )?(?:sumir|desaparecer|nao acordar|dormir e nao acordar|que tudo acabe)|\bme sinto (?:tao |muito |completamente )?vazi[oa]\b|\b(?:sinto-me) (?:tao |muito )?vazi[oa]\b|\b(?:odeio|detesto) (?:ser eu|minha vida|a minha vida|viver|existir|estar viv[oa])|\bme odeio\b|\bodeio-me\b|\bnao (?:aguento|consigo) mais(?= ?(?:[.,!]|$|\n| viver| existir))|\bnao quero (?:mais )?(?:viver|acordar|existir)\b|\bcansad[oa] de viver\b"
    r"|\bхо(?:чу|чется|телось бы) (?:просто |только )?(?:исчезнуть|не просыпаться|уснуть и не|не проснуться|чтобы все (?:закончилось|кончилось))|\bненавижу (?:себя|свою жизнь|быть собой|жить|жизнь)|\b(?:внутри|чувствую себя|такая|полная) (?:пуст\w+|никчемн\w+)|\b(?:больше )?не (?:могу|хочу) (?:так )?(?:больше|жить|просыпаться|существовать)(?= ?(?:[.,!]|$|\n| жить| так))|\bустал[а]? (?:жить|от жизни)|\bникто (?:даже )?не заметит"
    r"|\b(?:yok olmak|kaybolmak|uyanmamak|uyuyup uyanmamak|ortadan kaybolmak) istiyorum|\b(?:kendimden|hayatimdan|yasamaktan|ben olmaktan) (?:nefret|biktim|tiksin)|\b(?:icim|kendimi) (?:bombos|bos|degersiz|cok bos)\b|\b(?:artik )?(?:dayanamiyorum|yasamak istemiyorum|uyanmak istemiyorum|devam edemiyorum|hicbir seyin anlami yok)"
    r"|\b(?:yo'q bo'lib ket\w*|g'oyib bo'l\w*|uyg'onmasl?ik\w*|uyg'onmasam) (?:istayman|xohlayman|deyman|gim|kela)|\byo'q bo'lib ketgim|\b(?:o'zimni|hayotimni|o'zimdan|hayotimdan|yashashni) (?:yomon ko'r|jirkan|nafrat|bezd|xohlama|istama)|\b(?:ichim|o'zimni) (?:bo'm-?bo'sh|bo'sh|keraksiz)|\b(?:yashashdan|hayotdan) (?:charchadim|to'ydim|bezdim)|\buyg'ongim kelma|\byashagim kelma"
    r"|(?:想|希望|真想|只想|好想)(?:就这样|就|直接|彻底|悄悄)?(?:消失|不再醒来|不要醒来|一睡不醒|睡过去|解脱|从这个世界)|不想(?:再)?(?:活|醒来|醒过来|存在)|(?:讨厌|恨|厌恶)(?:我)?(?:自己(?=$|[，。！？、\s]|的(?:人生|生活))|这样的自己|活着)|(?:心里|内心|整个人|感觉)(?:很|好|特别|都)?(?:空荡荡|空空的|空虚|麻木)|活着(?:没|好累|真累|有什么)|撑不(?:下去|住)了?|没人会在(?:意|乎)"
    r"|消え(?:たい|てしまいたい|てなくなりたい|ちゃいたい)|目が覚め(?:なければ|ないでほしい|なきゃ)|(?:もう)?(?:起きたくない|目覚めたくない|生きたくない|生きていたくない|生きてるのが|生きるのが(?:つら|辛|嫌|しんど)|何もかも(?:嫌|終わり))|自分が(?:大)?(?:嫌い|嫌(?:で|だ)|憎)|(?:心|中身|気持ち)が(?:空っぽ|からっぽ)|(?:もう)?(?:限界です|限界だ|耐えられない)"
)
"""The wish to be gone, hatred of oneself, emptiness and being at the end of one's strength."""

DESPAIR_SIGNS = (
    "i hate", "can't", "cant ", "loathe", "despise", "want", "wanna", "wish", "i feel", "i am ", "i'm ", "notice", "no one would", "nobody would", "tired of", "the point of",
    "nicht mehr", "dass ", "verschwind", "weg sein", "einschlafen", "ich hasse", "ich veracht", "leer", "fuhle mich", "wertlos", "zu viel", "sinnlos", "lebensmude",
    "en finir", "dispara", "reveiller", "exister", "etre la", "me sens", "me deteste", "me hais", "veux plus", "ma vie", "de vivre", "j'en peux plus",
    "desaparecer", "despertar", "esfumar", "acabe", "termine", "vaci", "me odio", "odio ", "detesto", "no puedo mas", "no aguanto mas", "ganas de", "de vivir", "nadie ", "no quiero",
    "sumir", "acordar", "vazi", "odeio", "nao aguento", "nao consigo", "nao quero", "de viver", "исчезнуть", "просып", "уснуть", "проснут", "конч", "ненавижу", "пуст", "никчемн", "не могу", "не хочу", "устал", "никто",
    "mak istiyorum", "mek istiyorum", "kendim", "hayatim", "yasam", "olmaktan", "icim", "dayanamiyorum", "istemiyorum", "devam ed", "anlami yok", "bo'lib ket", "g'oyib", "uyg'on", "o'zim", "hayot", "yashash", "ichim", "yashagim",
    "消失", "醒", "不起", "睡", "解脱", "世界", "活", "存在", "自己", "空", "麻木", "撑不", "没人会", "消え", "目が覚め", "起きたくない", "目覚め", "生き", "何もかも", "自分が", "限界", "耐え",
)  # fmt: skip
"""Parts of words of which a statement of despair has one; a fast test."""
