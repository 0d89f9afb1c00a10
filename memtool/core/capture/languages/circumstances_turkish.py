"""Turkish: verb final, no "to have", predicates with personal endings."""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import DATE, END, rows

_NUMBER = r"(?:bir|iki|uc|dort|bes|alti|\d{1,2})"
_KIN = (
    "ogl(?:um|umuz|u)|oglan\\w*|kiz(?:im|imiz|larim|i)?|cocug(?:um|umuz)|cocukl\\w+|ikiz(?:im|lerim|imiz|lerimiz)?|torun(?:um|larim|umuz)|(?:erkek |kiz )?kardes(?:im|lerim)|abi(?:m)|abla(?:m)|yegen(?:im|lerim)|bebeg(?:im|imiz)"
    "|esim|kocam|karim|nisanlim|sevgilim|kuzen(?:im)?|annem|babam|teyzem|halam|amcam|dayim|kayinvalidem|kayinpederim|anneannem|babaannem|dedem"
)
_PET = "kope(?:gim|gimiz|k)|kedi(?:m|miz|lerim)?|tavsan(?:im|imiz)?|kus(?:um|umuz)?|muhabbet kusum\\w*|hamster(?:im)?|kaplumbaga(?:m)?|at(?:im)|yavru \\w+"
_OCCUPATION = (
    "hemsire|doktor|ogretmen|avukat|muhendis|asci|garson|sofor|mimar|tasarimci|yazilimci|gelistirici|muhasebeci|tesisatci|elektrikci|marangoz|gazeteci|yazar|cevirmen|ogrenci|emekli|memur|psikolog|veteriner|eczaci|disci"
    "|fizyoterapist|itfaiyeci|polis|pilot|tamirci|kuafor|firinci|ciftci|muzisyen|fotografci|biyolog|kimyager|fizikci|arastirmaci|sekreter|satici|kamyoncu|taksici|ressam|oyuncu|ekonomist|kutuphaneci|serbest calisan"
    "|akademisyen|tercuman|teknisyen|ebe|terzi|kasiyer|grafiker|editor|guvenlik gorevlisi|mali musavir|ev hanimi"
)
_WHEN = r"(?:(?:su an|su anda|artik|simdi|ben de|uc yildir|\w+ (?:yildir|aydir|senedir)|yillardir|tek basima|yalniz|ailemle|esimle|halen|hala|\w+ ile birlikte) ){0,3}"
_END_OF_PREDICATE = r"(?= ?(?:$|[^\w\s'’-]| (?:ve|ama|o yuzden|bu yuzden|cunku|da|de|diye)\b))"
_PLACE = r"(?P<place>(?!(?:bu|su|o|bir|evde|burada|orada|kendi|ayni|sorun|sikinti|ask)\b)[^\W\d_]\w{2,}?)['’]?[dt][ae](?!\w)"

FORMS = rows(
    r"(?:ben |biz )?(?:de |su an |artik |simdi |yaklasik )?(?:\w+ (?:yildir|senedir|aydir) )?",
    ("LIVES_IN", ("yasi", "oturuyor", "tasin"), rf"{_PLACE}(?: \w+['’]?[dt][ae])? {_WHEN}(?:yasiyor(?:um|uz)|oturuyor(?:um|uz)|ikamet ediyor(?:um|uz)){_END_OF_PREDICATE}"),
    ("LIVES_IN", ("tasindi",), r"(?:gecen \w+ |yeni |\w+ (?:once|ay once) ){0,2}(?P<value>[^\W\d_]\w+)['’]?(?:[yn]?[ae]) tasindi(?:m|k)(?!\w)"),
    ("LIVES_IN", ("yasi", "oturuyor"), r"(?P<value>(?:bir |kucuk |\w+ katli )*(?:apartman dairesinde|koyde|kasabada|mustakil evde|mustakil bir evde|sitede|ogrenci evinde|yurtta|ciftlikte)) (?:yasiyor(?:um|uz)|oturuyor(?:um|uz)|kaliyor(?:um|uz))(?!\w)"),
    ("COMES_FROM", ("liyim", "liyiz", "luyum", "luyuz", "dogdum", "memleket"), r"(?:aslen )?(?P<value>(?!(?:bagli|evli|mutlu|uzgun|kararli|istekli|suphe|emin|engelli|tedirgin|sinir|duygusal|saygi|deger)\w*)[^\W\d_]\w{2,})['’](?:li|lu)(?:yim|yiz|yum|yuz)(?!\w)|(?P<value2>[^\W\d_]\w+)['’]?[dt][ae] dogdum(?!\w)"),
    ("WORKS_AS", ("olarak cal",), rf"(?:(?P<at>\w+['’]?[dt][ae] )?)(?P<value>(?:\w+ )?\w+) olarak {_WHEN}calisiyor(?:um|uz)(?!\w)"),
    ("WORKS_AS", ("yim", "yum", "im", "um"), rf"(?P<value>(?:\w+ )?(?:{_OCCUPATION}))(?:y?[iu]m|yim|yum){_END_OF_PREDICATE}"),
    ("WORKS_AT", ("calisi",), rf"(?P<value>(?:(?:bir |ozel |devlet |buyuk |kucuk |\w+ ){{0,3}}(?:hastanede|hastanesinde|bankada|okulda|okulunda|universitede|magazada|barda|restoranda|otelde|fabrikada|fabrikasinda|sirkette|sirketinde|belediyede|kutuphanede|eczanede|ofiste|klinikte|kreste|ajansta|bakanlikta|firinda|lokantada)|gece vardiyasinda|vardiyali|geceleri|evden|uzaktan|yari zamanli|nobet usulu)) {_WHEN}calisiyor(?:um|uz){_END_OF_PREDICATE}"),
    ("HAS_TRAIT", ("vegan", "vejetaryen", "colyak", "diyabet", "seker hast", "solag", "evliy", "bekar", "hamile", "bosan", "emekli", "astim", "dul", "renk kor"), rf"(?:{_WHEN})(?P<value>vegan|vejetaryen|colyak(?: hastasi)?|diyabet(?:ik| hastasi)|seker hastasi|solak|solag|evli|bekar|hamile|bosanmis|emekli|astim hastasi|dul|renk koru)(?:y?[iu]m|y[iu]z|im|um){_END_OF_PREDICATE}"),
    ("HAS_TRAIT", ("yemem", "yemiyor", "icmem", "icmiyor", "yiyemi"), r"(?P<value>(?!(?:bunu|onu|hicbir|hic|sey)\b)\w+(?: (?:ve|ya da|veya) \w+)? (?:yemiyorum|yiyemiyorum|icmiyorum|icemiyorum|tuketmiyorum|tuketemiyorum))(?!\w)"),
    ("ALLERGIC_TO", ("alerji", "intolerans"), rf"(?P<value>[^\W\d_]\w+(?:(?:,| ve) \w+){{0,2}}?) ?(?:karsi )?(?:alerjim(?:iz)? var|alerjigim|alerjim|alerjik(?:im)?|intoleransim var){_END_OF_PREDICATE}"),
    ("HAS_CONDITION", (" var", "hastas"), rf"(?P<value>diyabetim|astimim|tansiyonum|yuksek tansiyonum|epilepsim|migrenim|romatizmam|colyagim|laktoz intoleransim|seker hastaligim|reflum|dehbm|anksiyetem) var{_END_OF_PREDICATE}"),
    ("HAS_AGE", ("yasinda",), rf"(?P<value>\d{{1,3}}) yasinda(?:yim|y[iu]m){_END_OF_PREDICATE}"),
    ("HAS_FAMILY", (" var", "babasi", "annesi"), rf"(?:(?:evde|benim|bizim) )?(?P<value>(?:\d{{1,2}} (?:yasinda|aylik) )?(?:{_NUMBER} )(?:\w+ (?:yasinda )?){{0,2}}?(?:{_KIN}|{_PET})|(?:\d{{1,2}} (?:yasinda|aylik) )(?:\w+ )?(?:{_KIN}|{_PET})) var{_END_OF_PREDICATE}|(?P<value2>{_NUMBER} \w+ (?:annesi|babasi)y[iu]m)(?!\w)"),
    ("HAS_FAMILY", ("yasiyorum", "evliyim"), r"(?P<value>(?:esimle|ailemle|annemle|babamla|kedimle|kopegimle|sevgilimle|ev arkadasimla|cocuklarimla|tek basima|yalniz) (?:\w+ )?yasiyorum|evliyim)(?!\w)"),
    ("OWNS", (" var",), rf"(?P<value>bir (?:\w+ )?(?:arabam|motosikletim|bisikletim|evim|dairem|bahcem|teknem|piyanom|gitarim|laptopum|sirketim|dukkanim|firinim|ciftligim|karavanim|kamyonetim)) var{_END_OF_PREDICATE}"),
    ("STUDIES", ("okuyorum",), r"(?P<value>(?!(?:kitap|bunu|roman|haber|su|gazete)\b)\w+(?: \w+)? (?:muhendisligi|bolumu|fakultesi\w*|hukuk|tip|lisede|universitede)) (?:\w+ )?okuyorum(?!\w)|(?P<value2>hukuk|tip|mimarlik|isletme|iktisat|psikoloji|eczacilik) okuyorum(?!\w)"),
    ("SPEAKS", ("ana dilim", "biliyorum", "konusuyorum"), r"ana dilim (?P<value>\w+)(?!\w)|(?P<value2>(?:ispanyolca|ingilizce|fransizca|almanca|portekizce|italyanca|rusca|cince|arapca|japonca|turkce|kurtce)(?:(?:,| ve) \w+){0,3}) (?:biliyorum|konusuyorum)(?!\w)"),
    ("IS", ("dogum gunum", "yildonumu"), rf"(?P<thing>dogum gunum|evlilik yildonumumuz) {DATE}{END}"),
    ("IS", ("aldik", "erteledik", "kaydirdik"), r"(?P<thing>\w+(?: \w+)?)[iuy]?[iu]? (?P<value>\d{1,2} \w+)['’]?[ae]? (?:aldik|erteledik|kaydirdik)(?!\w)"),
    ("KNOWS", ("im ", "um ", "m "), rf"(?:benim )?(?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|patronum|mudurum|komsum|arkadasim|is arkadasim))(?:in adi|un adi|nin adi|,)? (?P<name>[^\W\d_]\w+)(?= ?(?:$|[,.;!)]| (?:ve|ile|\d)))"),
    ("OF_AGE", ("yasinda", "aylik"), rf"(?:benim )?(?P<thing>(?:\w+ )?(?:{_KIN}|{_PET})) (?P<value>\d{{1,3}} (?:yasinda|aylik))(?:\w+)?{_END_OF_PREDICATE}"),
    ("IS", ("im ", "um "), rf"(?P<thing>{_KIN}) (?P<value>(?:vegan|vejetaryen|diyabet hastasi|{_OCCUPATION})){_END_OF_PREDICATE}"),
    ("HAS_TRAIT", ("hastasiyim", "hastayim", "emekli", "hamile"), r"(?P<value>(?:tansiyon|seker|kalp|astim|colyak|romatizma|guatr|migren|bobrek|diyabet|reflu|kolesterol) hastasiyim|(?:\w+ (?:aylik|haftalik) )?hamileyim|(?:gecen \w+ |\w+ yil once |yeni )?emekli oldum|engelliyim|issizim)(?!\w)"),
    ("WORKS_AS", ("veriyorum", "ogretiyorum", "kullaniyorum", "isletiyorum", "giriyorum"), r"(?P<value>(?:\w+ )?(?:lisede|okulda|ortaokulda|ilkokulda|kursta|universitede) (?:\w+ ){1,2}(?:ogretiyorum|anlatiyorum|dersi veriyorum|dersine giriyorum)|\w+ (?:dersi veriyorum|ogretmenligi yapiyorum)|(?:otobus|taksi|kamyon|tir|tramvay|metro|servis) (?:kullaniyorum|suruyorum|soforluguyum)|(?:bir |kucuk )*(?:kafe|firin|dukkan|bakkal|atolye|lokanta|ciftlik) isletiyorum|\w+(?:lik|luk) yapiyorum)(?!\w)"),
    ("KNOWS", ("im ", "um ", "m "), rf"(?:benim |bizim )?(?P<person>(?:\w+ )?(?:{_KIN}|{_PET})) (?P<name>(?!\w*(?:[dt][ae]n?|ya|ye)\b(?<=\w['’]\w\w))[^\W\d_]\w+)(?!['’])(?= (?:bu|su|ve|ile|cok|hep|her|henuz|simdi|gecen|artik|okula|hala|daha|icin|bir|\d|iki|uc|\w+(?:di|du|ti|tu|yor|ecek|acak|er|ar|maz|mez)\b|\w+ (?:\w+ ){{0,2}}\w+(?:di|du|ti|tu|yor|ecek|acak|er|ar|maz|mez|misti)\b))"),
    ("HAS_FAMILY", ("im ", "um ", "m "), rf"(?P<value>(?:{_KIN})(?:in|un|nin|nun)? (?:\w+ )?(?:vejetaryen|vegan|alzheimer(?: hastasi)?|parkinson hastasi|diyabet hastasi|seker hastasi|astim hastasi|colyak(?: hastasi)?|hamile|(?:alzheimeri|astimi|diyabeti|sekeri|alerjisi|epilepsisi|otizmi|tansiyonu) var|(?:bu yil |bu sene )?(?:birinci|ikinci|ucuncu|dorduncu|besinci|anaokuluna|kres|ilkokula|liseye|universiteye)\w* (?:sinifa )?(?:basladi|basliyor|gidiyor|gecti)))(?!\w)"),
    ("LIVES_IN", ("tasin", "yerles"), r"(?:\w+ ){0,3}?(?:dan|den|tan|ten) (?P<value>[^\W\d_]\w+)['’]?(?:y?[ae]) (?:tasindi(?:m|k)|yerlesti(?:m|k))(?!\w)|(?P<value2>[^\W\d_]\w+)['’]?(?:y?[ae]) (?<!lara )(?<!lere )yeni (?:tasindi(?:m|k)|yerlesti(?:m|k))(?!\w)"),
)  # fmt: skip
"""The rows."""
