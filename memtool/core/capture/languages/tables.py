"""The language tables that can match a text, chosen by short signs before any table is imported."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module

from memtool.core.capture.languages.trigger import LanguageTable
from memtool.core.text.regex import regex
from memtool.core.text.sign_index import SignIndex, short_parts

_LATIN_SIGNS = {
    "uzbek": (
        "maxfiy|"
        " bu | esda | ismi | men | meni | oti |adash|afzal|amiz|aslida|aslo|aylik|barcha|bas qil|"
        "belgilab|bilaman|bilib|bo'ladi|bo'lardi|boshida|boshlab|boshqa|bundan|chiday|chido|chiqarma|"
        "chiqishm|didimga|doim|emas|endi|esdan|esing|eslab|eslatib|ganim|ganing|hamisha|hamma|har |hojat|"
        "ib ber|ib bor|ib ket|ib tur|ib yur|ichmayman|ishqiboz|ismim|istamayman|istardim|istayman|"
        "iste'mol|ixlosmand|javoblaring|joniga|jonimga|kelajak|kelgusi|keling|kelmaydi|ko'nik|ko'proq|"
        "ko'ra|ma'qul|masdan avval|masdan oldin|menlik|minnatdor|moqchi|muxlis|naman|noto'g'ri|o'rganib|"
        "o'rniga|odamiman|odamman|olasan|olasi|olmayman|ortiq|oxirida|qachon|qani|qaraganda|qaror|qayd|"
        "qo'y|qulay|qushman|raman|rardim|rmayman|rog'i|sak|sam|sanmi|sevimli|shaydo|shdan avval|"
        "shdan oldin|shundan|sizmi|so'ngida|standart|suitsid|sukut|suymaydi|tanish|tarafdor|tashla|"
        "tegadi|tegdi|to'xtat|toqat|tut|tuzataman|unutma|vaman|vmayman|xato|xo'rman|xohla|xotira|xursand|"
        "xushlam|yanglish|yaqin|yemayman|yo'q|yod|yoq|yozib|zarur|"
        "boshim| eng "
        "| ismi| nomi| oti|ataladi|degan|e'tiborga|esda|inobatga|ismli|laqabi|saqlab"
        "|uchun eslatma|uchun,|uchun:|xotirla"
        "| odat|amal qiladi|berilsin|bo'lmasin|bo'lsin|hech vaqt|hushim|jinim|jirkan|jon-dilim"
        "|jonim|jonu|keyingi|kirmasin|ko'nglim|menbop|mutlaqo|o'chman|oshmasin|qochaman|qolsin"
        "|rohat|shu tarzda|shunaqa|shunday|sira |taalluqli|tegishli|tursin|voz kech|xush k"
        "|yozilsin|zavqlan|zerik"
        "|ayni men|dam olaman|ishlayman|jamlayman|o'qiyman|o'ylayman|sira|to'g'ri kelma"
        "|uxlayman"
        "| deb | men|chiqish|hazm qil|meni |o'lib qolaman|tushmaydi|yotmaydi|zinhor"
        "|menga |sen deb|senlab|siz deb|sizlab"
    ),
    "spanish": (
        "confiden|confian|"
        " anot| comod| fan | guarda| mal| me agrad| me apasion| me cae| me chifl| me desagr| me encant|"
        " me entus| me fascin| me flip| me gust| me no| me parec| me re| me solo| me super| me tamb|"
        " me ya| mejor| no la | no lo | peor| presento| si | tiro | vez|a gusto|a menos|aborrez|adelante|"
        "ador|aficionad|agrado|aguanto|ahorra|almacen|amante|amo |anotes|antes|apunt|aqui |aviso|"
        "basta de|cabecera|cada|concibo|confund|conmigo|conoce a mi|conoce a nuestr|correccion|corrij|"
        "cuando |cuenta|cuerd|de ahora en mas|de vista|decanto|decidi|decime |decir|defecto|deja|deje|"
        "desde |deseo|detest|devocion|dicen |digame |dime |disfrut|emos|en lugar|en su lugar|entend|"
        "entre nosotros|equivoc|errone|esa es|ese es|esta es|este es|evita|exprese|extraoficial|fals|"
        "favorit|futuro|general|gracias|guarde |guardes|gustaria|habla |hace falta|hasta que|haz |hecho|"
        "inclino|incorrect|jamas|llam|lo mio|manten|mas bien|matarme|me aburr|me agobi|me ayud|me cansa|"
        "me cono|me da|me di|me estres|me ha|me mol|me pirr|me pone|me quedo|me relaj|me saca|me tira|"
        "me va |mejor dicho|memorices|memoriza|mi estilo|mi fuerte|mi gusto|mi rollo|mi taza|molestes|"
        "morir|nada como|nada de|necesari|necesidad|necesita|ningun|no bebo|no como|no era|no es|no fue|"
        "no mas|no pruebo|no son|no soy|no tomo|no uso|no vivo|nombre completo|nombre de|nombre es|norma|"
        "nota|nunca|odio|olvid|optamos|para de|para mi|pare de|partir|perdon|por favor|porfa|prefera|prefere|preferi|prefero|"
        "prefier|prefir|presente|primero|proxima|puedo|que me |quedamos|quedate|querr|quier|quis|"
        "quitarme|realidad|recorda|registres|regla|saltar|salvo|siempre|sin |sino|solo bebo|solo como|"
        "solo tomo|solo uso|soporto|soy |sucesivo|suicid|tienes que|tiramos de|todas|todos|trago|tus |"
        "usamos|usar|vamos|vivir|voy a|vuelv|"
        " mas |me late|donde este|mil veces|enganchad|enamorad|obsesionad|adict|viciad|me produce|me provoca|para luego|para mas|para que|si hay|lo que "
        "| dato| ten |a tener|al nombre|bautizado|guarda|guarde|memorice|para futur"
        "|para la prox|para otra|por nombre|puesto|pusimos|tenga"
        "| a todo| dame | deme | entre | mania | paso | que | que,| sus |acostumbr|aversion|como el"
        "|como la|como los|como un|costumbre|de lejos|debilidad|denme|evito|fobia|habito|habitu"
        "|huyo|las explic|las respuestas|me agob|me cans|me chifl|me flip|me gana|me horror"
        "|me pierd|me priv|me repel|me van |no cambio|para tod|pasion|perdicion|ponme|tolero"
        "|agradeceria|mejor|ni de broma|ni en pintura|ni loc|ni muert|ni regalad|ni verl"
        "|para nada|pediria|peor|principio|rogaria"
        "| fan| y yo no|aca |aqui|basta|de aca|de aqui|decime|digame|dime|escribe|habla"
        "|mas de|me cae|mi onda|ni |para |parale|team"
        "|al acabar|al cerrar|al comenzar|al empezar|al final de|al responder|al terminar|de tu"
        "|de usted|de vos|me encant|me gust|tutea|tutee|ya no me|ya no nos"
    ),
    "german": (
        "vertrau|"
        " ehe du| ehe sie| fest,| heute an| hoer| hor| ich | irr| jetzt an| lass| mag| mich| mir | nie|"
        " nun an| zu mir|ab heute|ab hier|ab jetzt|ab nun|ab sofort|allen|am besten|anfangen|anstelle|"
        "auslassen|ausnahmslos|auss|auß|besser|bevor du|bevor sie|bevorzug|bis |bitte|brauch|chste mal|"
        "chsten mal|chstes mal|deine|denk|durchgehend|eigentlich|entsch|erinner|ertragen|es sei|esse ich|"
        "falls |falsch|fass|favorisier|find ich|finde ich|formul|fortan|generell|genie|gern|gesagt|"
        "geschmack|grundsaetz|grundsatz|halt|hasse|heissen|heisst|heißen|heißt|hier |hinterkopf|hort auf|"
        "ich bin|ich esse|ich hei|ich mochte|ich moechte|ich traume|ich will|ich wuerde|ich wunsche|"
        "ich wurde|ihre|immer|inkorrekt|jede|kein|korrektur|kuenftig|kunftig|leiden|lern mal|lieb|loesch|"
        "losch |mach|mehr|mein|merk|missverst|mochte dir|mochte ihnen|mussen|musst|nachste|nehm|nenn|"
        "nicht|noch einmal|nochmal|noetig|notier|notig|notiz|nutz|ohne|praeferier|praferenz|praferier|"
        "probier|protokoll|rauche|re auf|regel|riechen|samtl|schaetze|schatze|schreib|schwache|"
        "selbstmord|sobald |sofern|solange|sondern|sooft|sparen|speicher|standard|statt|ste mal,|"
        "ste mal:|stehe|stelle dir|stelle ihnen|sterben|stets|streichen|suizid|tatsachlich|trinke|"
        "uberspringen|umbringen|unser|unter uns|verabscheu|verg|verkehrt|vermeid|vertan|vertrage|"
        "verwechsel|verwend|verzicht|voller name|vorstell|weglassen|wenn |wieder|wollte sagen|zukuenft|"
        "zukunft|"
        "nein|nee|noe|bin |schlechter|beschlossen|abgemacht|wild|kopfweh|kopfschmerzen|migrane|suchtig|verruckt|aufheben|ich steh"
        "| hier|den namen|fur spater|genannt|getauft"
        "| alle | ding| gilt | kann | nur | vor|abneigung|bogen um|brenne|dass |fahre|geht uber"
        "|gewohn|kaum|links liegen|prinzipiell|schwarm|schwore"
        "|angetan|leichter|wohler|wohlsten"
        "| auf | du | und ich|fan|gestohlen|graus|heisse|heiße|her damit|mich echt"
        "|mich jagen|mich wirklich|team |zu mir"
        "|bei mir|bei uns|duz|fur uns|muffel|narr|siez"
    ),
    "french": (
        "confiden|"
        " avant | bois| ca me| des | fai| je choisis| je prends| je vais| jure| ma came| mange| me conv|"
        " me tape| me tue| me va| me vont| merci| on opte| on part| on prend| on utilise| on va | plus|"
        " si | utile| vivre|a la place|accro|adore|ailleurs|aime|allons|amat|appel|appreci|arret|au lieu|"
        "aucun|avenir|besoin|blairer|c'est|c'etait|carbure|cesse|chacun|chaque|circonstance|compris|"
        "confond|correction|corrige|craque|davantage|decide|defaut|desire|desormais|detest|dire|"
        "dorenavant|efface|encadrer|enregistr|entre nous|envie|errone|essayons|evite|exprim|faible|"
        "faisons|fan |faux|favori|fois|futur|gard|general|habite pas|hais|horreur|ici |incorrect|inexact|"
        "inutile|j'utili|jamais|je suis|jusqu'a|l'esprit|la suite|limite|lorsqu|m'aide|m'apaise|m'app|"
        "m'enerve|m'ennui|m'insup|m'surn|maint|me decon|me detend|me fatigue|me gonfle|me plai|"
        "me stresse|memoris|mieux|moi|mon fort|mon truc|mordu|mourir|n'est|n'etait|necessaire|nom |note|"
        "nouvel ordre|oubli|pardon|partir d|partons|pas d|passionn|peine|permanence|plus d|plutot|prefera|prefere|preferi|prefero|"
        "prenons|prochaine|quand |raffole|realite|reten|retien|reve|rien ne vaut|s'il |sans |sauf|"
        "se nomme|sentir|souhait|souv|stocke|stp|suicid|suis pas|suis team|supporte|svp|systematique|"
        "tasse de the|te presente|tes |tete|toujours|tous|tout le temps|toutes|tromp|une aversion|"
        "utilisons|veux|voici|voila|vos |voudrais|vous presente|"
        "chuis|suis|crane|aux yeux|migraine"
        "| sache | sachez |baptise|on a nomme|pour info|pour la pr|pour les pr|pour nos|se nomm"
        "| entre |a venir|adepte|aversion|bave|boude|ce que j|dada|dans tout|digere|fuis |gout"
        "|habitu|incondition|jure que|kiffe|m'apais|ma came|me bott|me branch|me fascin"
        "|me fatigu|me gav|me gonfl|me heriss|me laiss|me pass|me rebut|me repos|me repug"
        "|me saoul|mignon|mon kif|partir|passion|patience|phobie|pour regle|pour tout"
        "|privilegie|rien de|s'applique|savoure|systematiq|tolere|valable|vaut pour"
        "|d'abord|de la vie|de maniere|en regle|hors de question|par regle|pas ca|principe"
        "|appareil|bout du fil|clavier|l'ecran"
        "|j'adoo|j'aii|me presente|tout ce qui|tutoi|tutoy|vouvoi|vouvoy"
    ),
    "portuguese": (
        "confiden|confian|"
        " amei| anot| ao | ate | dispens| genero | me da| me mat| mim| pf| pior| pular| registra | se |"
        " tive | vez| vivo|abomino|adorei|adoro|agrad|aguento|alias|am-me|amo |anote|antes|ao inves|"
        "apresent|aquela e|aquele e|aqui |armazen|atende|atendo|bora|cada|carece|cham|chega de|comigo|"
        "confund|conhece|conhecid|conta|coracao|correcao|corrigindo|cortar|curti|curto|de facto|de novo|"
        "de vista|decidi|defeito|deix|desde |desejo|detestei|detesto|diante|dispenso|dizer|doravante|"
        "e sim|em-me|emos|encant|engan|entend|entre nos|equivocad|equivocou|errad|errou|esquec|essa aqui|"
        "essa e|esse aqui|esse e|esta e|este aqui|este e|evita|evite|expressei|extraoficial|faca|fals|"
        "fascin|favorit|feliz|ficamos|fico|frente|futur|gentileza|geral|gostaria|gostei|gosto|grave |"
        "guard|incomod|incorret|irrit|lembr|mais|mant|mas sim|me acalma|me ajuda|me cansa|me conhec|"
        "me desce|me di|me entedia|me estress|me relax|me tira|melhor|memoriz|menos que|mente|meu estilo|"
        "meu forte|meu tipo|minha cara|minha cena|morrer|nada como|nada de|nao |necessario|necessidade|"
        "nenhum|no lugar|nome|norma|nota|nunca|obrigad|odeio|odiei|omissao|optamos|padrao|para de|"
        "parar com|pare de|parem de|partir|pfv|por favor|praia|preciso|prefera|prefere|preferi|prefero|prefir|primeiro|proxima|"
        "quando |queria|quero|quis|realidade|registre|regra|sabendo|salve |salvo|sem |sempre|so bebo|"
        "so como|so tomo|so uso|sou |suas|suicid|suportei|suporto|tem que|tenho|toda |todas|todos|trat|"
        "tuas|usar|valeu|vamos|verdade|viver |volte|vontade|vou |"
        "quem |fechou|fechado|combinado|me provoca|apaixonad|viciad|obcecad|fissurad| me causa|-me "
        "| fica | fique | tem | tenha|a reter|batizamos|decora |para a prox|para que |para ref"
        "|pra depois|pra prox"
        "| entre | meu | que | que,| seus | teus |abro mao|acostum|aplica|as respostas|aturo|de longe"
        "|engulo|escolho|evito|fujo|habito|habitu|me acalm|me amarro|me cans|me da |me dao"
        "|me ented|minha|opto|serve p|tolero|vale p|vez que|vezes que"
        "|deus me livre|estou fora|nem a pau|nem de graca|nem pensar|nem pintad|pior|principio"
        "|to fora"
        "| e eu n| fa d|boa |bom dia|chega|e ai|oi|ola|opa|para d|pare |team |time "
        "| tema|aos pes|assunto|compara|conversa|ganha de|nada bate|papo|parar de|parasse de"
        "|pergunta|supera"
    ),
    "turkish": (
        "gizli|"
        " adi | adim| aram | bana | ben | beni | benim | bu | gerek| haz | hazet| hazm| hazzet| her |"
        " icmem| ismi | ismim| kes| misin| mus| not du| olur| su | yemem|aciklamalarin|adamiyim|akilda|"
        "akl|aksini|alisam|artik|arzulu|asigiyim|asla|aslinda|bagimlisiyim|baska|bayil|benlik|bir daha|"
        "birak|bundan|bunu |butun |cekem|cevaplarin|ciyim|cuyum|daha cok|daha iyi|daha rahat|"
        "daha verimli|daima|dan cok|dan evvel|dan fazla|dan once|dayanam|degil|delisiyim|demeye|den cok|"
        "den evvel|den fazla|den once|dogrusu|duskun|duzelt|favori|gelecekte|gelin|genel olarak|gimd|"
        "gind|gozdem|gumd|gund|hadi|hafizana|hastasiyim|hatali|hatirla|haydi|hayir|hayraniyim|hep |"
        "her seferinde|her zaman|hicbir|hoslan|hosuma|ihtiyac|ileride|ilgimi|inca |ince |insaniyim|"
        "intihar|isinam|iste |istem|ister|istisnasiz|istiyo|itibaren|kacin|kadar|karar|karistir|karsinda|"
        "kastet|katlan|kaydet|ken |kenara|kendimi|kesinlikle|keyif|koseye|kullan|lim|luzum|mak ist|"
        "mek ist|mesajlarin|mizd|muzd|ne zaman|nefret|nizd|not al|not ed|not et|nuzd|sam |sasmam|sem |"
        "sev|simdiden|sinirimi|surekli|tahammul|tanis|taraftariyim|tercih|tipiyim|tum |tutkun|unca |"
        "unce |unut|uzak dur|varsayilan|vazgec|yanil|yanitlarin|yanlis|yeg tut|yegler|yere |yerine|"
        "zevk|ziyade|zorunda|"
        "sakin|sardim|taktim|basimi"
        "| adi| adli| ismi| kayit | not e|adinda|bellegin|diye biri|hafizan|hatirin|hatirl"
        "|icin not|icin,|icin:|isimli|koyduk|soyadi|zihnin"
        "| asig| hic|alerji|aliskanlik|asmasin|bana gore|bu sekilde|bulunmasin|bulunsun|bunalir"
        "|dansa|daralir|dayan|dense|dururken|gecerli|gecmesin|hastasi|hayran|hazetm|hazz"
        "|her acik|her ceva|her defa|her konu|her mesaj|her oneri|her orn|her sefer|her soru"
        "|her yanit|icermesin|icersin|iflah|igren|kalsin|oldum olasi|olmasin|olsun|oyle "
        "|siki bir|sikilir|tam bir|tansa|tense|tiksin|varken|verilsin|yazilsin|zaaf"
        "| ben,| ben.|bana hep|bana mutlaka|calisirim|calisiyorum|dinleniyorum|dusunu|hayatta"
        "|ilke olarak|kaldirmiyor|katiyen|kural olarak|ogreni|prensip olarak|uyurum|uyuyorum"
        "|yazarim|yaziyorum"
        "|anlasami|bana |ben |bulandir|deliririm|digin butun|digin her|digin tum|gelmiyor"
        "|gitmiyor|hitap etmi|icimi ac|olmazsa|pek yok|tigin her|yildizimiz|yine ben"
        "|dinlemem|dinlerim|giyerim|giymem|icerim|icmem|p durma|yemem|yerim"
        "| acikla| belirt| ekle| goster| isaretle| ozetle"
    ),
}
"""For each language in Latin letters except English: parts, separated by `|`, of which a text that its table
matches contains at least one. The text is folded, and a blank stands at both of its ends."""

LANGUAGES = ("english", *_LATIN_SIGNS, "uzbek_cyrillic", "russian", "chinese", "japanese")

_RECENT_TEXTS = 16
"""A message is searched for entries, and then for statements of distress."""
_UZBEK_CYRILLIC, _CYRILLIC, _KANA, _HAN = "[ўқғҳ]", "[а-я]", "[ぁ-ヿ]", "[\u3400-\u9fff]"


@lru_cache(_RECENT_TEXTS)
def tables_for(folded: str) -> tuple[LanguageTable, ...]:
    """The tables that can match a text in the form of `fold_in_place`; English is always among them."""
    padded = f" {' '.join(folded.split())} "
    latin = _latin_index().rows(padded, short_parts(padded))
    names = ["english", *(tuple(_LATIN_SIGNS)[number] for number in latin)]
    if not folded.isascii():
        if regex(_CYRILLIC).search(folded):
            names.append("russian")
        if regex(_UZBEK_CYRILLIC).search(folded):
            names.append("uzbek_cyrillic")
        kana = sum("ぁ" <= character <= "ヿ" for character in folded)
        han = sum("\u3400" <= character <= "\u9fff" for character in folded)
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
def _latin_index() -> SignIndex:
    return SignIndex([language_signs(name) for name in _LATIN_SIGNS])


@cache
def language_table(name: str) -> LanguageTable:
    """The table of one language."""
    table: LanguageTable = import_module(f"memtool.core.capture.languages.{name}").TABLE
    return table
