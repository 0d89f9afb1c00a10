"""The language tables that can match a text, chosen by short signs before any table is imported."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from memtool.core.capture.languages.trigger import LanguageTable, Trigger
from memtool.core.text.regex import regex

_LATIN_SIGNS = {
    "uzbek": (
        " men | meni |adash|afzal|amiz|aslida|aslo|aylik|barcha|bas qil|boshlab|boshqa|bundan|chiqarma|"
        "doim|emas|endi|esing|eslab|eslatib|ganim|ganing|hamisha|hamma|har |ismim|istamayman|istardim|"
        "istayman|javoblaring|joniga|jonimga|kelajak|kelgusi|keling|ma'qul|moqchi|naman|noto'g'ri|"
        "o'rniga|olmayman|ortiq|qachon|qani|qaror|qo'y|raman|rardim|rmayman|rog'i|sak|sam|sevimli|"
        "shundan|standart|suitsid|sukut|suymaydi|tashla|to'xtat|tut|tuzataman|unutma|vaman|vmayman|"
        "xato|xohla|yanglish|yo'q|yod|yoqadi|yoqmaydi|yozib"
    ),
    "spanish": (
        " fan | mal| me agrad| me apasion| me cae| me chifl| me desagr| me disg| me encant| me entus|"
        " me fascin| me flip| me gust| me molest| me no| me parec| me re| me solo| me super| me tamb|"
        " me ya| no la | no lo | si | vez|a menos|aborrez|adelante|ador|aficionad|aguanto|almacen|"
        "amante|amo |anotes|apunta|aqui |aviso|basta de|cada|confund|correccion|corrij|cuando |cuenta|"
        "cuerd|decidi|decime |decir|defecto|deja|deje|desde |deseo|detest|dicen |digame |dime |disfrut|"
        "emos|en lugar|en su lugar|entend|entre nosotros|equivoc|errone|error|evita|exprese|"
        "extraoficial|fals|favorit|futuro|general|guarde |guardes|gustaria|habla |hasta que|haz |hecho|"
        "incorrect|jamas|llam|manten|mas bien|matarme|mejor dicho|memorices|memoriza|morir|nada de|"
        "ningun|no era|no es|no fue|no mas|no son|no soy|no vivo|nombre completo|nombre es|norma|nota|"
        "nunca|odio|olvid|optamos|para de|pare de|partir|perdon|prefer|prefier|prefir|presente|"
        "quedamos|querr|quier|quis|quitarme|realidad|recorda|registres|regla|salvo|siempre|sin |sino|"
        "soporto|soy |sucesivo|suicid|todas|todos|tus |usar|vamos|vivir|voy a|vuelv"
    ),
    "german": (
        " heute an| hoer| hor| ich | irr| jetzt an| lass| mag| mir | nie| nun an|ab heute|ab hier|"
        "ab jetzt|ab nun|ab sofort|allen|anstelle|aufschreib|ausnahmslos|auss|auß|bevorzug|bis |deine|"
        "denk|durchgehend|eigentlich|entsch|erinner|es sei|falls |falsch|fass|favorisier|formul|fortan|"
        "generell|genie|gern|gesagt|grundsaetz|grundsatz|habe mich|halt|hasse|hier |ich bin|ich hei|"
        "ich mochte|ich moechte|ich traume|ich will|ich wuerde|ich wunsche|ich wurde|ihre|immer|"
        "inkorrekt|jede|kannst mich|kein|korrektur|kuenftig|kunftig|leiden|lieb|loesch|losch |mach|"
        "mehr|mein|merk|missverst|nachste|nehm|nenn|nicht|nnen mich|noch einmal|nochmal|notier|nutz|"
        "ohne|praeferier|praferenz|praferier|probier|regel|samtl|schaetze|schatze|schwache|selbstmord|"
        "sobald |sofern|solange|sondern|sooft|speicher|standard|statt|stehe|sterben|stets|suizid|"
        "tatsachlich|umbringen|unter uns|verabscheu|verg|verkehrt|vermeid|vertan|verwechsel|verwend|"
        "verzicht|voller name|wenn |wieder|wollte sagen|zukuenft|zukunft"
    ),
    "french": (
        " des | fai| je choisis| je prends| je vais| me tue| on opte| on part| on prend| on utilise|"
        " on va | plus| si | vivre|a la place|adore|aime|allons|amat|appel|appreci|arret|au lieu|aucun|"
        "avenir|c'est|c'etait|cesse|chacun|chaque|circonstance|compris|confond|correction|corrige|"
        "decide|defaut|desire|desormais|detest|dire|dorenavant|efface|enregistr|entre nous|envie|"
        "errone|essayons|evite|exprim|faisons|fan |faux|favori|fois|futur|gard|general|habite pas|hais|"
        "horreur|ici |incorrect|inexact|j'utili|jamais|je suis|jusqu'a|limite|lorsqu|maint|me plai|"
        "memoris|mieux|moi|mourir|n'est|n'etait|nom |note|nouvel ordre|oubli|pardon|partir de|partons|"
        "pas d|passionn|permanence|plus d|plutot|prefer|prenons|quand |raffole|realite|reten|retien|"
        "reve|sans |sauf|souhait|souv|stocke|suicid|suis pas|supporte|systematique|tes |toujours|tous|"
        "tout le temps|toutes|tromp|utilisons|veux|vos |voudrais"
    ),
    "portuguese": (
        " ao | ate | erro| me mat| se | vez|abomino|adoro|agrad|aguento|alias|amo |anote|ao inves|"
        "aqui |armazen|bora|cada|cham|chega de|confund|conta|correcao|corrigindo|curto|de facto|"
        "de novo|decidi|defeito|deix|desde |desejo|detesto|diante|dizer|doravante|e sim|emos|encant|"
        "engan|entend|entre nos|equivocad|equivocou|errad|errou|esquec|evita|evite|expressei|"
        "extraoficial|faca|fals|fascin|favorit|ficamos|fico|frente|futur|geral|gostaria|gosto|grave |"
        "guard|incomod|incorret|irrit|lembr|mais|mant|mas sim|melhor|memoriz|menos que|mente|morrer|"
        "nada de|nao e|nao foi|nao me|nao moro|nao sao|nao sou|nao ta|nenhum|no lugar|nome|norma|nota|"
        "nunca|odeio|omissao|optamos|padrao|para de|pare de|parem de|partir|prefer|prefir|quando |"
        "queria|quero|quis|realidade|registre|regra|salve |salvo|sem |sempre|sou |suas|suicid|suporto|"
        "toda |todas|todos|trat|tuas|usar|vamos|verdade|viver |volte|vou "
    ),
    "turkish": (
        " adim| bana | ben | her | ismim| kes|aciklamalarin|akilda|akl|aksini|artik|arzulu|asla|"
        "aslinda|bayil|bir daha|birak|bundan|bunu |butun |cevaplarin|daima|degil|demeye|dogrusu|duzelt|"
        "favori|gelecekte|gelin|genel olarak|gimd|gind|gumd|gund|hadi|hatali|hatirla|haydi|hayir|hep |"
        "hicbir|hoslan|hosuma|ileride|inca |ince |intihar|istem|ister|istisnasiz|istiyo|itibaren|kadar|"
        "karar|karistir|kastet|katlan|kaydet|ken |kendimi|keyif|kullan|lim|mak ist|mek ist|mesajlarin|"
        "mizd|muzd|ne zaman|nefret|nizd|not al|not ed|not et|nuzd|sam |sem |sev|simdiden|surekli|"
        "tahammul|tercih|tum |unca |unce |unutma|varsayilan|yanil|yanitlarin|yanlis|yegler|yerine"
    ),
}
"""For each language in Latin letters except English: parts, separated by `|`, of which a text that its table
matches contains at least one. The text is folded, and a blank stands at both of its ends."""

LANGUAGES = ("english", *_LATIN_SIGNS, "russian", "chinese", "japanese")

_CYRILLIC, _KANA, _HAN = "[а-я]", "[ぁ-ヿ]", "[\u3400-\u9fff]"
_ACCENTED = "àáâãäåāăąçćčďèéêëēęěğìíîïīıñńňòóôõöøōőŕřśşšșțùúûüūůűýÿźżžёţİ"
_PLAIN = "aaaaaaaaacccdeeeeeeegiiiiiinnnoooooooorrsssstuuuuuuuyyzzzеti"
_LETTERS = str.maketrans(_ACCENTED, _PLAIN)


def fold_in_place(text: str) -> str:
    """Lower case without accents of Latin letters, of the same length: every offset stays valid."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    if len(lowered) != len(text):  # a letter that would become two is unchanged
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return lowered.translate(_LETTERS)


def tables_for(folded: str) -> tuple[LanguageTable, ...]:
    """The tables that can match a text in the form of `fold_in_place`; English is always among them."""
    padded = f" {' '.join(folded.split())} "
    names = [
        "english",
        *(name for name in _LATIN_SIGNS if any(sign in padded for sign in language_signs(name))),
    ]
    if not folded.isascii():
        if regex(_CYRILLIC).search(folded):
            names.append("russian")
        kana, han = len(regex(_KANA).findall(folded)), len(regex(_HAN).findall(folded))
        if han > 3 * kana:
            names.append("chinese")
        if kana:
            names.append("japanese")
    return tuple(map(language_table, names))


@cache
def language_signs(name: str) -> tuple[str, ...]:
    """The parts of which a text contains at least one, if the table of this language matches it."""
    return tuple(_LATIN_SIGNS[name].split("|"))


@cache
def language_table(name: str) -> LanguageTable:
    """The table of one language."""
    table: LanguageTable = import_module(f"memtool.core.capture.languages.{name}").TABLE
    return table


def all_triggers() -> tuple[Trigger, ...]:
    """The triggers of every language."""
    return tuple(trigger for name in LANGUAGES for trigger in language_table(name).triggers)
