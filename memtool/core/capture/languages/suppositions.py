"""Suppositions and unmarked questions: "suppose I preferred part-time work" states nothing about the user."""

from __future__ import annotations

import re

from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex

SUPPOSING = (  # words that open a supposition or a pretence, folded
    r"suppos(?:e|ing)(?: that)?|imagine(?: that| if)?|let's say(?: that)?|hypothetically"
    r"|angenommen|nehmen wir an|nimm an|stelle? dir vor|stellen sie sich vor"
    r"|supongamos(?: que)?|supon(?:te|ga|iendo)?(?: que)?|imagin(?:a|ate|emos|e)(?: que)?|digamos que"
    r"|supposons|supposez|admettons|imagin(?:e|es|ons|ez)|disons (?=qu)"
    r"|suponha(?:mos)?(?: que)?|supondo(?: que)?|vamos supor(?: que)?|fa[cz]a? de conta"
    r"|предположим|допустим|представ(?:ь|ьте|им)|вообрази(?:те)?"
    r"|hayal et(?:elim|in)?|diyelim(?: ki)?|varsayalim(?: ki)?|farz ?(?:et|edelim|edin)(?: ki)?"
    r"|deylik|faraz qil(?:aylik|ing)?|tasavvur qil(?:aylik|ing)?|дейлик|фараз қил(?:айлик|инг)?"
)
_ASSUMING = (  # the same for statements alone: "assume I use Python 3" may be an instruction
    r"assum(?:e|ing)(?: that)?|say,? (?:that )?(?=i\b)|what if|gesetzt den fall|mal angenommen|was ware,? wenn"
    r"|pongamos(?: que)?|digamos|mettons|положим|скажем|если бы|tut ki|aytaylik"
)
_UNREAL = (  # conditions contrary to fact, in the first person
    r"if (?:only )?i(?:'d| had|'d been| were| was| could| won| lived| owned)\b|were i\b|had i\b"
    r"|wenn ich (?:[^\s,]+ ){0,5}?(?:ware|waere|hatte|haette|konnte|koennte|wurde|wuerde)\b"
    r"|(?:ware|waere|hatte|haette|konnte|koennte) ich (?!bitte|gern)"
    r"|si (?:yo )?(?:[^\s,]+ ){0,2}?\w+(?:ara|iera|ase|iese)\b|de haber \w+|con mas \w+,"
    r"|si (?:j'|je )(?:\w+ )?\w+ais\b|avec plus d"
    r"|se (?:eu )?(?:[^\s,]+ ){0,2}?\w+(?:asse|esse|isse|osse)\b|(?:tivesse|fosse|pudesse) eu\b"
    r"|будь я\b|имей я\b"
    r"|(?:[^\s,]+ ){0,4}?\w+(?:saydim|seydim|sam?ydi|sem?ydi)\b|(?:[^\s,]+ ){0,3}?\w*(?:im|um|am) ols[ae](?:ydi)?\b"
    r"|(?:[^\s,]+ ){0,4}?(?:\w+saydim|\w*lganimda(?: edi)?)\b"
)
_AUXILIARY = r"(?:can|could|should|shall|would|will|may|must|is|are|am|was|were|have|has|what|where|when|how)"
_CONTINUOUS = r"假设|假設|假如|假使|倘若|要是|万一|萬一|如果|若是|仮に|かりに|たとえば|例えば|もしも?"
_CLAUSE_BREAK = "[，,、。；;]"
_LEAD = r"[^\w\n]{0,6}(?:(?:and|so|ok|okay|und|also|y|et|e|и|а|ну|hey|hi|ve|va),? )?"
_PATTERN = (
    rf"{_LEAD}(?:(?:(?P<real>{SUPPOSING}|{_ASSUMING})|(?P<unreal>{_UNREAL}))(?!\w)|(?P<joined>{_CONTINUOUS}))"
)
_REPORTED = (  # a verb of saying in the third person, just before the clause that it governs
    r"(?:\b(?:says|claims|thinks|believes|reckons|(?:he|she|they) (?:said|say|think|claim|claimed)) (?:that )?"
    r"|\b(?:sagt|meint|behauptet|glaubt|denkt|(?:er|sie) (?:sagte|meinte)),? (?:dass )?(?:ich )?"
    r"|\b(?:dice|dijo|dicen|cree|piensa|afirma|diz|disse|dizem|acha|pensa) que (?:yo |eu )?|\b(?:dit|disent|pense|croit|pretend) que (?:je )?"
    r"|\b(?:он|она|они|все|друг|подруга|муж|жена|мама|коллега) (?:говор[ия]т|сказал[аи]?|считают?|считает|думает|утверждает),? (?:что )?(?:я )?"
    r"|(?:他|她|他们|她们)(?:说|說|觉得|認為|认为)[，,：]?)$"
)
_CLAUSE_END = r"[,;:.!—–…，、。；：！]|\s-\s"
_ASKING_WORD = (  # words that open a question, and no relative or conditional clause
    r"(?:why|who|whose|which|how (?:do|does|did|can|could|many|much|long|come|often|to|is|are|would|should|old)"
    r"|what(?:'s|s| is| are| was| does| do| did| would| should| kind| sort)|where (?:is|are|do|does|did|can)"
    r"|do (?:you|i|we|they|people|most)|does|did|is (?:it|there|that|this)|are (?:there|you|they)|has any\w*"
    r"|warum|wieso|weshalb|wer|wem|wen|wessen|wozu|woher|wohin|welche[rsmn]?|wie (?!ich|du|wir|sie\b)\w+"
    r"|was (?:ist|sind|kostet|bedeutet|macht|machen|soll|heißt|heisst)|wo (?:ist|sind|kann|gibt)|wann (?:ist|kommt|war)"
    r"|(?:magst|mogen|moegen|hast|habt|kennst|weißt|weisst|gibt|darf|muss|mussen|schlafen|stimmt)"
    r" (?!ich|bitte)\w+(?! (?:bitte|immer|nie)\b)"
    r"|por que|(?:a |de |con |para )?(?:quien(?:es)?|cual(?:es)?|cuant[oa]s?)|(?:es |sera )?verdad que|como (?:se|es|son|puedo|hago)"
    r"|pourquoi|combien|comment|qui (?:a|est|n'aime|aime|peut|sait)|quel(?:le)?s?|est-ce|c'est quoi|ou est"
    r"|quem|qual|quais|quant[oa]s?|como (?:se|e|eu|faz|faco)|onde (?:e|fica|esta)"
    r"|почему|зачем|кто|кому|кого|сколько|за что|с чего|какой|какая|какие|где|откуда|куда|правда ли)"
)
_DOUBT = (
    r"^\W*(?:(?:actually|no|and|so|but|well|ok|okay|hmm),? )?(?:if|when|unless|in case|suppose|imagine|wenn"
    r"|falls|si|se|если|eğer|agar)\b|如果|要是|もし"
    r"|\b(?:maybe|perhaps|possibly|probably|supposedly|allegedly|might|may be|could be|i wonder|i guess"
    r"|i think|not sure|unsure|whether|(?:not|isn't) true|vielleicht|möglicherweise|quizás?|tal vez"
    r"|a lo mejor|peut-être|talvez|возможно|может быть|наверное|belki|balki)\b|也许|可能|大概|たぶん|かもしれ"
    r"|\b(?!i\b|we\b)[\w'’]+ (?:said|says|told (?:me|us)|claims?|claimed|thinks|thought|believes|asserts?"
    r"|suggests?|wrote|writes) "
)
"""What leaves open whether a sentence is true, or says that somebody else says it."""
_CONDITION = (  # after the statement; not "if you ask me", nor "if I'm honest"
    r"[,;–—] ?(?:but )?(?:(?:only |provided |as long as )(?:if )?(?=(?:i|we|they|he|she|my|our|the)\b)|if (?=(?:i|we|they|he|she|my|our)\b))"
    r"(?!(?:i'm|i am|i may|i might|i can|we're) (?:being )?(?:honest|fair|exact|add|say|ask)\w*)"
    r"|[,;–—] ?(?:aber )?(?:nur )?(?:falls|wenn) (?:ich|wir|er|sie|mein\w*)\b(?! ehrlich)"
)
_UNREAL_PLACE = (  # a dream or a story that a sentence says to be its place, folded
    r"\bin (?:(?:my|a|last night's|the) dreams?|(?:my|our|this|a) (?:(?:new|next|current|first|short|latest) )*"
    r"(?:novel|story|fan ?fiction|screenplay|script|role-?play|rpg|campaign|video game|game|film|movie|play|simulation|daydreams?)"
    r"|the (?:novel|story|game|book|film|movie|script|play) (?=(?:i|we)\b|i'm|we're))"
    r"(?=\W*$|[,.;:!–—-]|\s(?:i|i'm|we|we're|my|that|last|about|is|was)\b)"
    r"|\bi(?:'ve)? (?:just |once )?(?:dreamt|dreamed|had a dream)(?: last night)?(?: that)? (?:i|we|my|our)\b"
    r"|\b(?:im|in (?:meinem|einem)) traum\b|\bgetraumt,? (?:dass|ich)\b|\bich traumte,? (?:dass|ich)\b"
    r"|\bin (?:meinem|unserem|diesem) (?:neuen )?(?:roman|drehbuch|theaterstuck|rollenspiel)\b"
    r"|\bin meiner (?:neuen )?(?:kurz)?geschichte\b"
    r"|\ben (?:mi|un|mis) suenos?\b|\b(?:sone|he sonado) que\b|\ben mi (?:nueva )?(?:novela|cuento|guion)\b"
    r"|\bdans (?:mon|un|mes) reves?\b|\bj'ai reve que\b|\bdans mon (?:nouveau )?(?:roman|scenario|histoire)\b"
    r"|\bn(?:o meu|um|os meus) sonhos?\b|\bsonhei que\b|\bno meu (?:novo )?(?:romance|conto|roteiro)\b"
    r"|\bво сне\b|\bмне (?:при)?снил\w+|\bв моем (?:романе|рассказе|сценарии)\b|\bruyamda\b|\btushimda\b"
)
_TEXT_ORDERED = (  # a request for an invented text, and the text after a colon, folded
    r"\W*(?:(?:please|can you|could you|ok|now|bitte|kannst du|por favor|puedes|s'il te plait|пожалуйста),? )?"
    r"(?:(?:write|draft|compose|tell|invent|translate|schreib\w*|erzahl\w*|ubersetz\w*|escrib\w*|cuenta\w*|traduc\w*"
    r"|escrev\w*|cont[ae]\w*|traduz\w*|ecri[st]\w*|racont\w*|tradui\w*|scriv\w*|schrijf\w*|vertel\w*|napisz\w*"
    r"|напиши\w*|расскажи\w*|придумай\w*) [^:：]{0,40}?(?:story|tale|poem|song|lyrics|letter|scene|dialogue|monologue"
    r"|script|speech|joke|tweet|caption|geschichte|marchen|gedicht|lied|brief|szene|rede|witz|cuento|historia|poema|carta"
    r"|cancion|escena|histoire|poeme|lettre|chanson|scene|conto|cena|storia|racconto|poesia|lettera|verhaal|opowiadani"
    r"|wiersz|рассказ|стих|письмо|сценк|сказк|песн)|[给請请]?我?[写寫编編][^:：]{0,20}(?:故事|诗|詩|信|小说)"
    r"|[^:：]{0,20}(?:物語|小説|手紙|詩)を書いて)[^:：]{0,40}[:：]"
)


def is_supposed(folded: str, sentence_start: int, start: int) -> bool:
    """Whether the text at `start` belongs to a supposition that opens its sentence.

    In scripts without blanks the opening word is also an ordinary "if", so it reaches to the next comma only.
    """
    match = regex(_PATTERN).match(folded, sentence_start, start + 60)
    if match is None:
        return False
    if match["joined"] is None:
        return match.start("real") <= start + 12 or match["unreal"] is not None
    return regex(_CLAUSE_BREAK).search(folded, match.end(), max(start, match.end())) is None


def is_reported(folded: str, sentence_start: int, start: int) -> bool:
    """Whether somebody else says, thinks or claims the clause at `start`: "he says I prefer tabs"."""
    first = max(sentence_start, start - 80)
    return regex(_REPORTED).search(folded[first:start]) is not None


def asks(folded: str, start: int) -> bool:
    """Whether the clause of the text at `start` opens with a word that asks: "why", "can you", "welche"."""
    return (
        regex(rf"{_LEAD}(?:or |oder |o |ou |ya da |или )?(?:{_ASKING_WORD}|{_AUXILIARY})\b").match(
            folded, start
        )
        is not None
    )


def is_unmarked_question(
    folded: str, sentence: tuple[int, int], span: tuple[int, int], question_words: str
) -> bool:
    """Whether the clause of the text at `span` is a question without a question mark.

    `question_words` are those of the language that stand anywhere in a question.
    """
    (sentence_start, sentence_end), (start, end) = sentence, span
    if sentence_start + 300 < start:
        return False
    marks = [match.end() for match in regex(_CLAUSE_END).finditer(folded, sentence_start, start)]
    first = marks[-1] if marks else sentence_start
    if not marks and regex(rf"{_LEAD}{_ASKING_WORD}\b").match(folded, first, end + 40) is not None:
        return True
    if not question_words:
        return False
    mark = regex(_CLAUSE_END).search(folded, end, min(sentence_end, end + 200))
    last = mark.start() if mark else min(sentence_end, end + 200)
    return regex(question_words).search(folded, first, last) is not None


def is_doubtful(sentence: str) -> bool:
    """Whether a sentence leaves open whether it is true, says what somebody else says, or orders a text."""
    if regex(_DOUBT, re.IGNORECASE).search(sentence) is not None:
        return True
    folded = fold_in_place(sentence).replace("’", "'")
    return orders_text(folded) or any(regex(form).search(folded) for form in (_UNREAL_PLACE, _CONDITION))


def is_unreal(sentence: str) -> bool:
    """Whether a sentence says that it tells of a dream, or of a text that the user invents."""
    return regex(_UNREAL_PLACE).search(fold_in_place(sentence).replace("’", "'")) is not None


def orders_text(folded: str) -> bool:
    """Whether a sentence asks for a text and says after a colon what is in it: "write a story: I'm a spy"."""
    return regex(_TEXT_ORDERED).match(folded) is not None
