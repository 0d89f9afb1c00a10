"""Uzbek in Latin letters: verb final, no "to have", predicates with personal endings."""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import DATE, END, rows

_NUMBER = r"(?:bitta|ikkita|uchta|to'rtta|beshta|bir|ikki|uch|to'rt|besh|\d{1,2}(?: ta|ta)?)"
_KIN = (
    "o'g'l(?:im|imiz)|qiz(?:im|imiz|larim)|farzand(?:im|imiz|larim)|bola(?:m|lar(?:im|imiz))|egizak(?:lar(?:im)?)?|nabira(?:m|miz|larim)|uka(?:m|larim)|aka(?:m|larim)|opa(?:m|larim)|singl(?:im)|jiyan(?:im|larim)"
    "|er(?:im)|xotin(?:im)|turmush o'rtog'im|ayolim|kelinim|onam|otam|oyim|dadam|buvim|bobom|amakim|tog'am|xolam|ammam|qaynonam|qaynotam"
)
_PET = "it(?:im|imiz)|mushug(?:im|imiz)|kuchug(?:im|imiz)|quyon(?:im)?|to'tiqush(?:im|imiz)?|ot(?:im)(?= )|tovuq\\w*"
_OCCUPATION = (
    r"(?:hamshira|shifokor|o'qituvchi(?:si)?|muallim(?:a)?|advokat|huquqshunos|muhandis|oshpaz|ofitsiant|haydovchi|arxitektor|me'mor|dizayner|dasturchi|buxgalter|santexnik|elektrik|duradgor|jurnalist|yozuvchi"
    r"|tarjimon|talaba|nafaqaxo'r|pensioner|psixolog|veterinar|dorixonachi|farmatsevt|tish shifokori|stomatolog|politsiyachi|uchuvchi|mexanik|sartarosh|novvoy|dehqon|fermer|musiqachi|fotograf|biolog|kimyogar|fizik"
    r"|kotiba?|sotuvchi|taksichi|quruvchi|rassom|aktyor|aktrisa|iqtisodchi|kutubxonachi|tarbiyachi|olim|tikuvchi|menejer|uy bekasi|feldsher|enaga)"
)
_END_OF_PREDICATE = r"(?= ?(?:$|[^\w\s'’-]| (?:va|ammo|lekin|shuning uchun|chunki|deb)\b))"
_WHEN = (
    r"(?:(?:hozir|hozirda|endi|ham|yolg'iz|oilam bilan|\w+ (?:yildan beri|yildir|oydan beri)|doimiy) ){0,2}"
)

FORMS = rows(
    r"(?:men |biz |mening |bizning )?(?:ham |hozir |hozirda |endi |o'zim )?(?:\w+ (?:yildan beri|yildir|oydan beri) )?",
    ("LIVES_IN", ("yasha", "turaman", "istiqomat", "ko'chi"), rf"(?P<place>(?!(?:bu|shu|u|bir|uyda|bu yerda|o'sha)\b)[^\W\d_][\w'’]{{2,}}?)(?: shahri)?da {_WHEN}(?:yashayman|yashaymiz|turaman|turamiz|istiqomat qilaman){_END_OF_PREDICATE}"),
    ("LIVES_IN", ("ko'chi",), r"(?:o'tgan \w+ |yaqinda |yangi ){0,2}(?P<value>[^\W\d_]\w+)ga ko'chib (?:keldim|o'tdim|keldik|o'tdik|ketdim)(?!\w)"),
    ("LIVES_IN", ("yasha", "turaman"), r"(?P<value>(?:kichik |katta |ko'p qavatli |o'z )?(?:qishloqda|hovlida|kvartirada|yotoqxonada|shaharchada|uyda ijarada)) (?:yashayman|yashaymiz|turaman|turamiz)(?!\w)"),
    ("COMES_FROM", ("likman", "likmiz", "tug'il"), r"(?:aslim |asli )?(?P<value>[^\W\d_]\w{2,})(?:likman|likmiz)(?!\w)|(?P<value2>[^\W\d_]\w+)da tug'ilganman(?!\w)"),
    ("WORKS_AS", ("ishla",), rf"(?:(?P<at>[\w']+(?:da|xonada) )(?:\w+ )?)?(?P<value>(?:[\w']+ )?[\w']+?)(?:si|i)? bo'lib {_WHEN}ishlayman(?!\w)"),
    ("WORKS_AS", ("man",), rf"(?P<value>(?:[\w']+ )?{_OCCUPATION})man{_END_OF_PREDICATE}"),
    ("WORKS_AT", ("ishlay",), rf"(?P<value>(?:[\w']+ ){{0,2}}(?:kasalxonada|shifoxonada|bankda|maktabda|universitetda|do'konda|restoranda|oshxonada|mehmonxonada|fabrikada|zavodda|kompaniyada|firmada|hokimiyatda|kutubxonada|dorixonada|ofisda|klinikada|bog'chada|vazirlikda|poliklinikada|nonvoyxonada)|tungi smenada|kechasi|smenada|uydan|masofadan|yarim stavkada) {_WHEN}ishla(?:yman|ymiz){_END_OF_PREDICATE}"),
    ("HAS_TRAIT", ("vegan", "vegetarian", "vegetarianman", "diabet", "chapaqay", "uylangan", "turmush", "turmushga", "homilador", "ajrashgan", "nafaqada", "bo'ydoq", "astma"), rf"(?P<value>vegan|vegetarian|diabetik|chapaqay|uylangan|turmushga chiqqan|turmush qurgan|oilali|homilador|ajrashgan|nafaqada|bo'ydoq|astmatik)man{_END_OF_PREDICATE}"),
    ("HAS_TRAIT", ("emayman", "ichmayman", "yemayman"), r"(?P<value>(?!(?:buni|uni|hech|narsa)\b)[\w']+(?: (?:va|yoki) [\w']+)? (?:yemayman|ichmayman|iste'mol qilmayman))(?!\w)"),
    ("ALLERGIC_TO", ("allergiya",), rf"(?P<value>[\w']+(?:(?:,| va) [\w']+){{0,2}}?)(?:ga)? (?:nisbatan )?allergiya(?:m|miz) bor{_END_OF_PREDICATE}"),
    ("HAS_CONDITION", (" bor", "kasal"), rf"(?P<value>qandli diabetim|diabetim|astmam|qon bosimim|epilepsiyam|migrenim|gastritim|yuqori bosimim|laktozaga intoleransim) bor{_END_OF_PREDICATE}"),
    ("HAS_AGE", ("yosh",), rf"(?:yoshim )?(?P<value>\d{{1,3}})(?:da)? ?(?:yoshda|yoshdaman|yoshga to'ldim|daman|da){_END_OF_PREDICATE}(?<!\d da)"),
    ("HAS_FAMILY", (" bor", "otasi", "onasi"), rf"(?P<value>(?:\d{{1,2}} yoshli )?(?:{_NUMBER} )?(?:[\w']+ ){{0,2}}?(?:{_KIN}|{_PET})) bor{_END_OF_PREDICATE}|(?P<value2>{_NUMBER} (?:nafar )?[\w']+(?:ning)? (?:onasi|otasi))man(?!\w)"),
    ("HAS_FAMILY", ("yashayman",), r"(?P<value>(?:oilam|ota-onam|onam|turmush o'rtog'im|erim|xotinim|bolalarim|mushugim) bilan (?:birga )?yashayman|yolg'iz yashayman)(?!\w)"),
    ("OWNS", (" bor",), rf"(?P<value>(?:o'z )?(?:[\w']+ )?(?:mashinam|mototsiklim|velosipedim|uyim|kvartiram|bog'im|tomorqam|pianinom|gitaram|noutbukim|kompaniyam|do'konim|novvoyxonam|fermam)) bor{_END_OF_PREDICATE}"),
    ("STUDIES", ("o'qiyman",), r"(?P<value>(?:[\w']+ )?(?:universitetda|universitetida|fakultetida|institutida|kollejda|litseyda|kursda|sinfda)) (?:[\w']+ )?o'qiyman(?!\w)"),
    ("SPEAKS", ("ona tilim", "gapiraman", "bilaman"), r"ona tilim (?P<value>[\w']+)(?!\w)|(?P<value2>(?:ispan|ingliz|fransuz|nemis|italyan|rus|xitoy|arab|yapon|turk|qozoq|o'zbek)(?:(?:,| va) \w+){0,3} til(?:ida|larida|ini|larini)) (?:gaplashaman|gapiraman|bilaman)(?!\w)"),
    ("IS", ("tug'ilgan kun",), rf"(?P<thing>tug'ilgan kunim) {DATE}{END}"),
    ("IS", ("ko'chirdik", "surdik"), r"(?P<thing>[\w']+(?: [\w']+)?)ni (?P<value>\d{1,2}[- ]?\w+)ga (?:ko'chirdik|surdik|qoldirdik)(?!\w)"),
    ("KNOWS", ("im ", "m "), rf"(?P<person>{_KIN}|{_PET}|boshlig'im|qo'shnim|do'stim|hamkasbim)(?:ning (?:ismi|oti))? (?P<name>[^\W\d_][\w']+)(?= ?(?:$|[,.;!)]| (?:va|bilan)\b))"),
    ("OF_AGE", ("yosh",), rf"(?P<thing>{_KIN}|{_PET}) (?P<value>\d{{1,3}} (?:yoshda|yoshga to'ldi|yosh|oylik)){_END_OF_PREDICATE}"),
    ("IS", ("im ", "m "), rf"(?P<thing>{_KIN}) (?P<value>(?:vegan|vegetarian|diabetik|{_OCCUPATION})){_END_OF_PREDICATE}"),
    ("WORKS_AS", ("qitaman", "haydayman", "dars beraman"), r"(?P<value>(?:[\w']+da )?(?!(?:uni|buni|bolamni)\b)[\w']+(?: tili| fani(?:ni|dan)?|dan)? (?:o'qitaman|dars beraman)|(?:avtobus|taksi|yuk mashinasi|tramvay|metro|marshrutka)(?:ni)? haydayman|(?:kichik |kafe |o'z )*(?:do'kon|novvoyxona|ustaxona|kafe|ferma|oshxona)(?:ni)? (?:yuritaman|boshqaraman)|[\w']+(?:lik) qilaman)(?!\w)"),
    ("HAS_TRAIT", ("homilador", "nafaqaga", "nafaqada", "bemorman", "kasalman"), r"(?P<value>(?:[\w']+ oylik )?homiladorman|(?:o'tgan [\w']+ |yaqinda |bu yil )*nafaqaga chiqdim|nafaqadaman|(?:qandli diabet|diabet|astma|gipertoniya|buyrak|yurak) (?:bemoriman|kasaliman|bilan kasalman|bilan og'riyman))(?!\w)"),
    ("KNOWS", ("im ", "m "), rf"(?:mening |bizning )?(?P<person>{_KIN}|{_PET}) (?P<name>(?!\w*(?:da|dan|ga|ni|ning)\b)[^\W\d_][\w'’]+)(?= (?:va|bilan|bu|shu|hali|juda|endi|\d|[\w']+ (?:[\w']+ ){{0,3}}?[\w']+(?:di|ydi|yapti|gan|adi)\b|[\w']+(?:di|ydi|yapti|gan|adi)\b))"),
    ("HAS_FAMILY", ("im ", "m "), rf"(?P<value>(?:{_KIN})(?: [^\W\d_][\w']+)? (?:(?:astma|diabet|qandli diabet|allergiya|alsgeymer|parkinson|tutqanoq|gipertoniya) bilan (?:og'riydi|kasal)|vegetarian|diabetik|homilador|(?:bu yil )?(?:birinchi|ikkinchi|uchinchi|\d+-?) ?(?:sinf|kurs)(?:ga|da) (?:bordi|boradi|o'qiydi|chiqdi|o'tdi)|(?:maktabga|bog'chaga|universitetga) (?:bordi|boradi|chiqdi|kirdi)))(?!\w)"),
    ("LIVES_IN", ("ko'ch",), r"(?:[\w']+ ){0,4}?(?:dan )?(?P<value>[^\W\d_]\w+)ga ko'ch(?:ib (?:keldim|o'tdim|keldik|o'tdik|ketdim|bordik)|dik|dim)(?!\w)"),
    ("HAS_FAMILY", ("da ",), rf"(?P<value>(?:{_KIN})da (?:qandli diabet|diabet|astma|allergiya|gipertoniya|qon bosimi|alsgeymer|parkinson|tutqanoq) bor){_END_OF_PREDICATE}"),
)  # fmt: skip
"""The rows."""
