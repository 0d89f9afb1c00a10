"""Uzbek triggers, in Latin letters: the verb stands at the end."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.everyday import EVERYDAY
from memtool.core.capture.languages.introductions import INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_STEMS = (
    "(?:javob |misol |ma'lumot |xabar )?ber|yoz|ishlat|foydalan|ko'rsat|tushuntir|qo'sh|ayt|gapir|gaplash|so'ra|(?:tarjima |murojaat |taklif |izoh |e'tibor |talab )?qil"
    "|bo'l|saqla|keltir|eslat|tekshir|kirit|(?:tilga |hisobga |inobatga )?ol|boshla|tugat|takrorla|hisobla|izohla|sharhla|chaqir|de|o'zgartir|o'chir|qisqartir"
    "|bildir|tut|qo'y|sana|solishtir|tavsiya qil|o'gir|yubor|jo'nat|kechirim so'ra|uzr so'ra|tashla|qoldir|ishla|rasmiylashtir|formatla|jamla|umumlashtir|tasdiqla|ogohlantir|aralashtir|unut|amal qil|rioya qil|ta'kidla|xulosala"
)
_END = r"(?=[^\w\n]{0,4}(?:\n|$|iltimos|xo'pmi|[\w']+ emas\b|[,;:.!]))"
_IMPERATIVE = f"(?:{_STEMS})(?:ma)?(?:aver(?:ing(?:iz)?|gin)?|ing(?:iz|lar)?|ng(?:iz|lar)?|gin|sin)?"
_WISH = (
    r"\w+ish(?:ing|ingiz)(?:ni)? (?:xohlayman|istayman|istardim|so'rayman|kerak|lozim|shart|afzal)|\w+sang(?:iz)? (?:yaxshi bo'lardi|xursand|yaxshi)"
    r"|\w+(?:a|y) olas(?:an|iz)mi|\w+(?:a|y)sizmi|\w+(?:a|y)sanmi"
)
_EVER = (
    r"(?:har doim|doimo?|hamisha|hech qachon|aslo|bundan (?:buyon|keyin|so'ng)|shundan (?:keyin|buyon)|endilikda|endi(?: hech qachon)?|kelajakda|kelgusida|har (?:safar|gal|qachon)"
    r"|sukut bo'yicha|standart holda|boshqa(?: hech qachon)?|ortiq|bugundan boshlab|hozirdan boshlab|(?:barcha|hamma|har bir) (?:javob|xabar|izoh)\w*|qachonki|qachon)"
)
_WHEN = r"(?:(?:so'ra|ayt|yoz|gapir|iltimos qil|yubor|de|murojaat qil)\w*?(?:ganimda|ganimizda|sam|sak)|\w+ haqida so'rasam|har [^\n,]{1,60}?(?:ganimda|ganingda|ganingizda|sam))"
_LEAD = "iltimos|va|lekin|ammo|xo'p|mayli|salom|assalomu alaykum|ha|yo'q|yana|shuningdek|faqat|endi|rahmat|eslatma|muhim|menga|unda|claude|ok|balki"
_PERSON = (
    "(?:hamkasb|do'st|o'rtog'|dugona|boshlig'|rahbar|aka|uka|opa|singl|singil|er|xotin|turmush o'rtog'|o'g'l|o'g'il|qiz|qo'shni|ona|ota|oyi|dada|xola|amaki|tog'a|amma|bola"
    "|kuchu[gk]|it|mushu[gk]|yordamchi|sherig|sherik|stajyor|ustoz|murabbiy|jiyan|buvi|bobo|mijoz|jamoadosh|egizak|kursdosh|sinfdosh|xodim)"
)
_THIS = "(?:buni|shuni|uni|bularni|shularni|bu (?:gapni|suhbatni|xabarni)|aytganlarimni|aytganimni|hech birini|hech narsani)"

TABLE = LanguageTable(
    triggers=(
        Trigger("correction", "yo'q", ("yo'q",), starts="clause"),
        Trigger("correction", "(?:aslida|to'g'rirog'i|aniqrog'i|tuzataman)", ("aslida", "rog'i", "tuzataman")),
        Trigger("correction", r"men (?:\w+ ){0,3}aytmoqchi\w{0,12}", ("aytmoqchi",)),
        Trigger("correction", r"(?:demoqchi|aytmoqchi) (?:edim|bo'lganim|bo'lgandim)", ("moqchi",)),
        Trigger("correction", "(?:to'g'ri|unday|bunday|rost|shunday) emas(?! (?:mi|ekan)\\b)", ("emas",)),
        Trigger("correction", r"(?:bu |sen |siz |javobing )?(?:noto'g'ri|xato)(?:san|siz|dir)?(?=[^\w\n]{0,3}(?:\n|$|[,.!;]))", ("noto'g'ri", "xato"), "clause"),
        Trigger("correction", r"(?:noto'g'ri|xato) (?:tushun|ayt|yoz)\w+|adash(?:ding|dingiz|dim|yapsan|yapsiz)|yanglish\w+", ("noto'g'ri", "xato", "adash", "yanglish")),
        Trigger("correction", r"~[^\n,.;!?]{1,60} emas,? (?!mi\b|lekin\b|ammo\b|balki faqat\b|chunki\b|edi\b|ekan\b)(?=\w)", ("emas",), "clause"),
        Trigger("correction", rf"(?:(?:buning|uning) o'rniga|[^\n,.;!?]{{1,60}} o'rniga) [^\n,.;]{{0,60}}?(?:{_IMPERATIVE}){_END}", ("o'rniga",), "clause"),
        Trigger("correction", r"[\w']+shni (?:bas qil|to'xtat|tashla|qo'y)(?:ing(?:iz)?)?|bas qil(?:ing)?", ("bas qil", "to'xtat", "tashla", "qo'y")),
        Trigger("correction", rf"(?:boshqa|ortiq|endi) [^\n,.;]{{0,80}}?(?:{_STEMS})ma(?:ng(?:iz|lar)?|gin)?{_END}", ("boshqa", "ortiq", "endi")),
        Trigger("proper_noun", "(?:mening )?(?:to'liq )?ismim", ("ismim",), then="sure name"),
        Trigger("proper_noun", r"men(?! [\w']+(?:da|dan|ga|ni|ning)\b)", (" men ",), then="name"),
        Trigger("proper_noun", r"meni \w+ (?:deb (?:chaqir|ata)\w*|deng(?:iz)?)", (" meni ",)),
        Trigger("preference", "(?:yoqtir(?:aman|mayman|ardim)|(?:yomon|yaxshi|afzal|ma'qul) ko'r(?:aman|mayman)|nafratlanaman|sevaman|sevmayman|xush ko'raman|xush ko'rmayman|jinim suymaydi|chiday olmayman)", ("raman", "rmayman", "rardim", "tirardim", "naman", "vaman", "vmayman", "suymaydi", "olmayman"), unless=r"\b(?:buni|shuni|seni|sizni|agar)"),
        Trigger("preference", r"menga [^\n,.!?]{1,60}? (?:(?:juda|ko'proq|unchalik) )?(?:yoqadi|yoqmaydi|ma'qul|afzal)|(?:yoqadi|yoqmaydi) menga", ("yoqadi", "yoqmaydi", "ma'qul", "afzal")),
        Trigger("preference", "(?:xohlayman|istayman|xohlamayman|istamayman)", ("xohlayman", "istayman", "xohlamayman", "istamayman"), unless=r"(?:\w+(?:ish(?:ing|ingiz)?(?:ni)?|moq)|\b(?:buni|shuni|(?:bitta )?(?:misol|ro'yxat|jadval|yordam|kod|maslahat)))"),
        Trigger("preference", r"(?:bo'lishni|yashashni|ko'chishni|uylanishni|turmush qurishni|ozishni|sayohat qilishni|o'qishni|ishlashni|tashlashni) (?:xohlayman|istayman|xohlamayman)|(?:bo'lmoqchiman|yashamoqchiman|ko'chmoqchiman|uylanmoqchiman)", ("xohla", "istayman", "moqchiman"), unless=r"\b(?:ishonch hosil|kodni)"),
        Trigger("preference", "istardim", ("istardim",), unless=r"(?:\w+ish(?:ing|ingiz)?(?:ni)?|bilmoq|ko'rmoq)"),
        Trigger("preference", r"(?:mening )?(?:eng )?sevimli [^\n,.]{1,50}", ("sevimli",), "clause"),
        Trigger("decision", "(?:keling(?:lar)?|qani)", ("keling", "qani"), starts="clause", then="word"),
        Trigger("decision", "(?:ishlataylik|sinab ko'raylik|qilaylik|boshlaylik|tanlaylik|foydalanaylik|o'taylik|ishlatamiz|foydalanamiz|qaror qildi(?:m|k))", ("aylik", "amiz", "qaror")),
        Trigger("instruction", rf"{_EVER}\b[^\n.;!]{{0,140}}?\b(?:{_IMPERATIVE}|{_WISH}){_END}", ("doim", "hamisha", "hech qachon", "aslo", "bundan", "shundan", "endi", "kelajak", "kelgusi", "har ", "sukut", "standart", "boshqa", "ortiq", "boshlab", "barcha", "hamma", "qachon"), unless=r"\b(?:u|ular|men|biz|nega|nima uchun)"),
        Trigger("instruction", rf"{_WHEN}[^\n.;!]{{0,120}}?\b(?:{_IMPERATIVE}|{_WISH}){_END}", ("ganim", "ganing", "sam", "sak")),
        Trigger("instruction", r"[\w']+shni (?:bas qil|to'xtat|tashla|qo'y)(?:ing(?:iz|lar)?|gin)?" + _END, ("bas qil", "to'xtat", "tashla", "qo'y")),
        Trigger("instruction", rf"javoblar(?:ing|ingiz)(?:ni|da)? [^\n.;]{{0,80}}?(?:{_IMPERATIVE}|bo'lsin){_END}", ("javoblaring",), "clause"),
        Trigger("remember", "(?:eslab qol|yodda tut|yodingda tut|esda tut|esingda tut|eslab tur|yodingizda tut|esingizda tut)(?:ing(?:lar|iz)?|gin)?", ("eslab", "tut")),
        Trigger("remember", "(?:yodda|yodingda|esingda|yodingizda|esingizda) (?:bo'lsin|saqla(?:ng)?|tursin)", ("yod", "esing")),
        Trigger("remember", "(?:unutma|esdan chiqarma|esingdan chiqarma|esingizdan chiqarma)(?:ng(?:lar|iz)?|gin)?", ("unutma", "chiqarma")),
        Trigger("remember", "(?:yozib (?:qo'y|ol)|eslatib qo'y)(?:ing(?:iz)?|gin)?(?=[,:. ]|\\n|$)".replace("[,:. ]", r"[\s,:.]"), ("yozib", "eslatib")),
        Trigger("proper_noun", r"meni(?: (?:hamma|ko'pchilik|odatda|do'stlarim|uyda|ishda|tanishlarim|barcha|hammasi)){0,3} (?=[\w'-]+ (?:deb|deyishadi|deydi|deydilar|degan)\b)", (" meni ",), then="name"),
        Trigger("proper_noun", rf"(?:bu|mana bu|bu kishi|bu yerda|tanishing|tanish|tanishtiray|tanishtirib qo'yay)[,:]? (?:bu (?:kishi )?)?(?:mening |bizning )?(?:\w+ )?{_PERSON}(?:im|imiz|m|miz)(?: bo'ladi\w*)?,?", (" bu ", "tanish"), "clause", then="name"),
        Trigger("proper_noun", rf"(?:mening |bizning )?{_PERSON}(?:lar)?(?:im|imiz|m|miz)?ning (?:ismi|oti|ismlari)", (" ismi ", " oti "), then="sure name"),
        Trigger("preference", r"(?:umuman |hech |juda |ko'proq |unchalik |bolaligimdan |doim )?(?:yaxshi ko'raman|yomon ko'raman|afzal (?:bilaman|deb bilaman|ko'raman)|chidolmayman|chiday olmayman|toqat qilolmayman|toqatim yo'q|chiqishmayman|ishqibozman|ishqiboziman|muxlisiman|shaydosiman|iste'mol qilmayman|yemayman|ichmayman|yoqtirmayman|yoqtirib|ko'nikolmayman|xushlamayman|kuchliman emas|o'rganib qolganman)", ("ko'raman", "bilaman", "chido", "chiday", "toqat", "chiqishm", "ishqiboz", "muxlis", "shaydo", "iste'mol", "yemayman", "ichmayman", "yoqtir", "ko'nik", "xushlam", "o'rganib"), unless=r"\b(?:buni|shuni|seni|sizni|agar)"),
        Trigger("preference", r"menga [^\n,.!?]{0,60}?(?:yoqqani|yoqadigani|yoqadi|yoqmaydi|ma'qul|ma'quli|afzal|yaqinroq|yaqin|qulay(?:roq)?|to'g'ri kelmaydi|mos kelmaydi)(?!\w)|[^\n,.;!?]{2,50}? (?:menga emas|mening ishim emas|menlik emas|joniga tegdi|jonimga tegdi|jinim suymaydi|asabimga tegadi|g'ashimga tegadi|didimga to'g'ri kel\w+)", ("yoq", "ma'qul", "afzal", "yaqin", "qulay", "kelmaydi", "menga emas", "ishim emas", "menlik", "tegdi", "tegadi", "suymaydi", "didimga"), unless=r"\b(?:agar|bu|shu)"),
        Trigger("preference", r"(?:men )?[^\n,.;!?]{2,50}?(?:dan|ga) (?:ko'ra|qaraganda|ko'proq) [^\n,.;!?]{2,60}?(?:yoqadi|afzal|ma'qul|ko'raman|yaxshi|yaqin|tanlayman|odamiman|qulay)(?:roq)?", ("ko'ra", "qaraganda", "ko'proq"), "clause", unless=r"\b(?:agar)"),
        Trigger("preference", r"(?:men )?[^\n,.;!?]{1,40}?(?:odamiman|odamman|ixlosmandiman|choyxo'rman|qahvaxo'rman|tarafdoriman|kechki qushman)(?= |[.,!]|\n|$)", ("odamiman", "odamman", "ixlosmand", "xo'rman", "tarafdor", "qushman"), "clause"),
        Trigger("instruction", rf"~(?:[^\n.;!?]{{1,80}}? )?{_EVER}\b[^\n.;!?]{{0,100}}?(?:\w+(?:ib|b) (?:yur|tur|bor|ket|ber)(?:ing(?:iz)?|gin)?|\w+(?:a|y) ol(?:asiz|asan|asizmi|asanmi)(?:mi)?|\w+(?:a|y)(?:sizmi|sanmi)|\w+sa(?:ngiz|ng) (?:\w+ )?(?:bo'lardi|bo'ladi|xursand \w+|minnatdor \w+))", ("ib yur", "ib tur", "ib bor", "ib ket", "ib ber", "olasi", "olasan", "sizmi", "sanmi", "bo'lardi", "xursand", "minnatdor", "bo'ladi"), "clause", unless=r"\b(?:u|ular|men|biz|nega|nima uchun)"),
        Trigger("instruction", r"~(?:[^\n.;!?]{1,60}? )?(?:bundan (?:buyon|keyin|so'ng)|endi(?:likda)?|kelajakda|kelgusida)(?: iltimos)? [^\n.;!?]{0,80}?(?:faqat(?![^\n.;!?]*\w(?:ydi|adi|di|dilar|moqda|man|miz)\b)|kerak emas|bo'lmasin|bo'lsin|ishlatilmasin|\w+siz)(?: [^\n.;!?]{0,40})?", ("bundan", "endi", "kelajak", "kelgusi"), "clause", unless=r"\b(?:u|ular|men|biz|nega)"),
        Trigger("instruction", r"(?:har (?:safar|gal|doim|xabarda|javobda|xil)|doim|har bir \w+|boshida|oxirida) [^\n.;!?]{0,80}?(?:\w+ish(?:ing|ingiz)?(?:ga|ning)?) (?:shart|kerak|hojat|zarurat|zarur)(?:i)? (?:emas|yo'q)", ("shart emas", "kerak emas", "hojat", "zarur"), "clause"),
        Trigger("instruction", r"~[^\n.;!?,]{2,80}?(?:ishdan|masdan|shdan) (?:oldin|avval),? [^\n.;!?]{0,60}?(?:so'ra|maslahatlash|ogohlantir|xabar ber|ayt|tasdiqlat|ko'rsat)\w*", ("shdan oldin", "shdan avval", "masdan oldin", "masdan avval"), "clause", unless=r"\b(?:men|biz)"),
        Trigger("remember", r"(?:(?:esingdan|esingizdan|yodingdan|yodingizdan|yoddan|esdan) (?:chiqmasin|chiqarma\w*|ko'tarilmasin)|(?:eslab|yozib|belgilab|qayd qilib|qayd etib|yodlab) (?:qol|qo'y|ol|ket)(?:ing(?:iz)?|gin|asizmi|asanmi|a olasizmi)?|(?:yodda|esda|xotirada|xotirangda|xotirangizda) (?:tut|saqla|tursin|bo'lsin|qolsin)\w*|bilib qo'y\w*)", ("esing", "yod", "esdan", "eslab", "yozib", "belgilab", "qayd", "xotira", " esda ", "bilib"), unless=r"\b(?:men|faylga|buni faylga)"),
        Trigger("preference", r"~(?!(?:bu|u|shu)\b)[^\n,.;!?]{2,50}? meni (?:\w+ )?(?:zeriktir|tinchlantir|charchat|asabiylashtir|dam oldir|xursand qil|bezovta qil|jinnilasht)[\w']*", (" meni ",), "clause", unless=r"\b(?:agar|xato)"),
        Trigger("instruction", r"har (?:bir )?[\w']+ (?:oxirida|boshida|so'ngida)[^\n.;!?]{0,80}?(?:ber(?:ing(?:iz)?)?|olasizmi|olasanmi|qiling|yozing|qo'shing|qo'ying)" + _END.replace(":.!]", ":.!?]"), ("oxirida", "boshida", "so'ngida"), "clause"),
        Trigger("instruction", r"(?:odatda |doim |har doim |iloji bo'lsa )?javoblar(?:ing|ingiz)(?:da|ni|ga)? [^\n.;,]{0,60}?(?:\w+masang(?:iz)?(?= ?(?:[,.!]|\n|$))|\w+sang(?:iz)?(?= ?(?:[.!]|\n|$)| (?:yaxshi|zo'r|bo'l)))", ("javoblaring",), "clause"),
        Trigger("preference", r"(?:mening )?eng (?:sevgan|yoqtirgan|yaxshi ko'rgan|yomon ko'rgan|suygan) \w+(?: \w+)?(?:im|m)\b", (" eng ",), "clause", unless=r"\b(?:uning|ularning)"),
        Trigger("preference", r"~(?!(?:bu|shu|u)\b)[^\n,.;!?]{2,50}?(?:dan )?(?:boshimni og'rit(?:adi|yapti)|boshim og'riydi)", ("boshim",), "clause", unless=r"\b(?:agar|xato)"),
        *INTRODUCTIONS["uzbek"],
        *REMINDERS["uzbek"],
        *ATTITUDES["uzbek"],
        *EVERYDAY["uzbek"],
        *STANDING_REQUESTS["uzbek"],
    ),
    leads=_LEAD,
    conjunctions="va|lekin|ammo|unda|chunki|ki|yoki|balki",
    question_words="nima|qanday|qaysi|nega|nimaga|qayerda|kim|qancha|necha|nechta",
    asked_inside=r"\b(?:nega|nima uchun|nimaga|kim|qanday|qaysi|nechta|necha|qancha)\b",
    private=(
        rf"{_THIS} (?:iltimos )?(?:eslab qolma|saqlama|yozib (?:qo'yma|olma)|yodda tutma|eslama|xotirangda saqlama|yodingda saqlama|xotirada saqlama)(?:ng(?:lar|iz)?|gin)?(?= ?(?:$| (?:lekin|ammo|chunki|iltimos)\b|[,.;:!]| iltimos))",
        rf"{_THIS} (?:eslab qolish|saqlash|yozib qo'yish)(?:ing|ingiz)ni (?:xohlamayman|istamayman)",
        rf"{_THIS} (?:unut|unuting|o'chir|o'chiring)(?= ?(?:$| (?:lekin|ammo|chunki|iltimos)\b|[,.;:!]))",
        r"(?:bu |shu )?(?:o'z |ikkimizning )?o?ramizda (?:qolsin|qoladi)|bu sir",
        r"(?:^|[,.;:!¡—–-] ?)(?:maxfiy(?= ?:)|(?:bu|shu) (?:juda )?maxfiy(?: qolsin)?(?= ?(?:$| (?:lekin|ammo|chunki|iltimos)\b|[,.;:!—–])))",
    ),
    self_harm=(
        r"o'z ?joniga qasd|o'zimni (?:o'ldir\w+|osmoqchi\w*|kes\w+|yarala\w+)|o'zimga zarar|jonimga qasd|suitsid\w*|tomirimni kes\w*",
    ),
    death_wish=(
        r"(?:o'lishni|o'lmoq|o'lgim|yo'q bo'lishni|o'lib ketishni) (?:xohlayman|istayman|keladi|keladi)|yashashni (?:xohlamayman|istamayman)|yashagim kelma\w+|o'zimdan nafrat\w*|hayotimdan nafrat\w*|o'lsam yaxshi",
    ),
    violence=(
        r"meni (?:\w+ ){0,2}?(?:uradi|urdi|urgan|kaltakla\w+|zo'rla\w+|qo'rqit\w+|bo'g'\w+|xo'rla\w+)|menga (?:zo'ravonlik|tajovuz|tahdid)\w*|zo'rlan\w+|kaltaklan\w+",
    ),
)  # fmt: skip
