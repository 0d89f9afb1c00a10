"""Turkish triggers: the verb stands at the end; dotless i is folded to i."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.everyday import EVERYDAY
from memtool.core.capture.languages.introductions import INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_STEMS = (
    "(?:cevap |yanit |bilgi |ornek |izin |karar |geri )?ver|yaz|kullan|goster|acikla|ekle|soyle|konus|belirt|hatirlat|sor|yap"
    "|(?:hitap |kontrol |dahil |dikkat |test |teyit |tercih |ifade |devam |kabul |tekrar )?et|ol|tut|koy|kacin|listele|ozetle|cevir"
    "|cevapla|yanitla|bahset|birak|basla|bitir|getir|sun|oner|bicimlendir|kisalt|hesapla|yuvarla|sirala|karsilastir|tekrarla"
    "|varsay|uydur|duzelt|degistir|sil|yorumla|calistir|dogrula|onayla|gonder|cagir|de|oku|dusun|anlat|bak|al|kal|kes|davran|iste"
    "|(?:ozur )?dile|belgele|formatla|incele|uyar|tasi|sakla|kaydet|atla|gec|sade tut|bicimle|parcala|bol|grupla|at|sinirla|aktar|uygula|uy|takip et|kontrol"
)
_END = r"(?=[^\w\n]{0,4}(?:\n|$|lutfen|tamam|olur mu|[,;:.!]))"
_IMPERATIVE = f"(?:{_STEMS})(?:m[ae])?(?:y?[iu]n(?:[iu]z)?|s[iu]n(?:lar|ler)?|s[ae]na|s[ae]n[iu]z[ae]?)?"
_WISH = (
    r"\w+m[ae]n(?:[iu]z)?[iu] (?:istiyorum|isterim|rica (?:ediyorum|ederim)|tercih (?:ederim|ediyorum)|bekliyorum|istemiyorum|arzu ediyorum)"
    r"|\w+m[ae]l[iu]s[iu]n(?:[iu]z)?|\w+m[ae]n(?:[iu]z)? (?:gerekiyor|gerek|lazim)|\w+s[ae]n(?:[iu]z)? (?:iyi olur|sevinirim|memnun olurum)"
    r"|\w+[ae]b[iu]l[iu]r m[iu]s[iu]n(?:[iu]z)?|\w+ m[iu]s[iu]n(?:[iu]z)?"
)
_ASKED = r"(?:sor|iste|bahset|konus|danis|yaz|soyle|de|gonder|paylas|anlat|rica et|talep et|soz et)\w*"
_EVER = (
    r"(?:her zaman|daima|hep|asla|ikide bir|hicbir zaman|bundan (?:sonra|boyle)|bu andan itibaren|su andan itibaren|simdiden sonra|artik|ileride|gelecekte"
    r"|her (?:seferinde|defasinda)|varsayilan olarak|genel olarak|surekli|bir daha(?: asla)?|bugunden itibaren|kesinlikle (?:her zaman|asla)|istisnasiz|ne zaman"
    r"|(?:tum|butun|her) (?:cevap|cevab|yanit|mesaj|aciklama)\w*|ben (?:soyleyene|aksini soyleyene|aksini belirtene) kadar|aksini (?:soylemedikce|belirtmedikce|istemedikce)[^\n,.]{0,20})"
)
_WHEN = (
    rf"(?:(?:her )?{_ASKED}(?:[dt][iu]g[iu]m(?:[iu]z)?d[ae])|{_ASKED}s[ae]m\b|{_ASKED}(?:[iu]nc[ae])|her [^\n,]{{1,60}}?[dt][iu]g[iu](?:m|n)(?:[iu]z)?d[ae]"
    r"|(?:kod|cevap|yanit) (?:yazarken|verirken))"
)
_LEAD = "lutfen|slm|mrb|ve|ama|fakat|peki|tamam|merhaba|selam|hey|ah|evet|hayir|ayrica|bir de|sadece|simdi|tesekkurler|not|onemli|bana|bak|claude|ya"
_ON = "(?:bundan (?:sonra|boyle)|(?:bu|su) andan itibaren|bugunden itibaren|simdiden sonra|artik|ileride|gelecekte|bir dahaki(?:ne| sefere))"
_OFTEN = "(?:her zaman|daima|hep|asla|hicbir zaman|her (?:seferinde|defasinda)|surekli|bundan (?:sonra|boyle)|artik|ileride|kesinlikle)"
_POLITE_END = r"(?=[^\w\n]{0,4}(?:\n|$)|[,;:.!]| (?:lutfen|tamam|olur|ya|yav|be|ne olur|rica)\b)"
_PERSON = (
    "(?:arkadas|kankas|kanka|patron|mudur|amir|kardes|abi|agabey|abla|es|koca|kari|ogl|ogul|kiz|sevgili|nisanli|komsu|anne|baba|kuzen|teyze|amca|dayi|hala|cocu[gk]"
    "|kope[gk]|kedi|asistan|ortak|ortag|stajyer|hoca|antrenor|yegen|dede|nine|buyukanne|muhabbet kusu|at|ikiz|tavsan|meslektas|musteri|yonetici|ekip arkadas)"
)
_THIS = "(?:bunu|sunu|onu|bunlari|bu (?:konusmayi|mesaji|sohbeti)|soylediklerimi|(?:az once )?(?:soyledigim|yazdigim|anlattigim)(?: sey(?:i|leri))?|hicbirini|bunlarin hicbirini)"

TABLE = LanguageTable(
    triggers=(
        Trigger("correction", r"hayir(?=,? \w)", ("hayir",), "clause"),
        Trigger("correction", "(?:aslinda|dogrusu|daha dogrusu|duzeltiyorum|duzeltme)", ("aslinda", "dogrusu", "duzelt")),
        Trigger("correction", r"(?:demek istedi(?:m|gim)|kastetti(?:m|gim)|demeye calis\w+)", ("demek iste", "kastet", "demeye")),
        Trigger("correction", r"(?:bu |o |bu bilgi |cevabin )?(?:dogru|oyle|boyle|istedigim (?:bu|sey)|soyledigim (?:bu|sey)) degil", ("degil",), "clause"),
        Trigger("correction", r"(?:bu |o |bu bilgi |cevabin |tamamen )?(?:yanlis|hatali)(?=(?:sin|siniz|dir| anladin| anladiniz| soyledin)?[^\w\n]{0,3}(?:\n|$|[,.!;]))(?:sin|siniz|dir| anladin| anladiniz| soyledin)?", ("yanlis", "hatali"), "clause"),
        Trigger("correction", r"(?:yanlis (?:anladin|anladiniz|anlamissin|soyledim)|karistirdin(?:iz)?|yaniliyorsun(?:uz)?)", ("yanlis", "karistir", "yanil")),
        Trigger("correction", r"~[^\n,.;!?]{1,60} degil,? (?!mi\b|mu\b|ama\b|fakat\b|cunku\b|de\b|da\b|ki\b|sadece\b)(?=\w)", ("degil",), "clause"),
        Trigger("correction", rf"(?:(?:bunun|onun) yerine|[^\n,.;!?]{{1,60}} yerine) [^\n,.;]{{0,60}}?(?:{_IMPERATIVE}){_END}", ("yerine",), "clause"),
        Trigger("correction", r"\w+m[ae]y[iu] (?:birak|kes)(?:[iu]n(?:[iu]z)?)?", ("birak", " kes")),
        Trigger("correction", rf"(?:bir daha|artik) [^\n,.;]{{0,80}}?(?:{_STEMS})m[ae](?:y[iu]n(?:[iu]z)?)?{_END}", ("bir daha", "artik")),
        Trigger("proper_noun", "(?:benim )?(?:adim|ismim)(?: ise)?", (" adim", " ismim"), "clause", then="sure name"),
        Trigger("proper_noun", "ben", (" ben ",), "sentence", then="name"),
        Trigger("proper_noun", r"bana \w+(?: \w+)? (?:de|deyin|diyebilirsin(?:iz)?|dersen(?:iz)?|diye (?:hitap et|seslen|cagir)\w*)" + _END, (" bana ",)),
        Trigger("preference", r"(?:tercih (?:ederim|ediyorum|ederdim|etmem|etmiyorum)|bayil(?:irim|iyorum|iyom)|nefret (?:ederim|ediyorum)|sevmem|sevmiyorum|sever(?:im|dim)|seviyorum|hosuma (?:gider|gidiyor|gitmez|gitmiyor)|hoslan(?:irim|iyorum|mam|miyorum)|tahammul edemem|tahammul edemiyorum|katlanamam|sevmedim|keyif al(?:irim|iyorum)|yeglerim)", ("tercih", "bayil", "nefret", "sev", "hosuma", "hoslan", "tahammul", "katlan", "keyif", "yegler"), unless=r"\b(?:bunu|sunu|onu|bu (?:cevabi|fikri|fikir|cevap)|seni|sizi|\w+m[ae]n(?:[iu]z)?[iu])"),
        Trigger("preference", r"(?:isti(?:yorum|yom)|isterim|isterdim|istemiyorum|istemem|arzuluyorum)", ("istiyo", "ister", "istem", "arzulu"), unless=r"(?:\w+(?:mak|mek|m[ae]n[iu]|m[ae]n[iu]z[iu]|m[ae]s[iu]n[iu])|\b(?:bunu|onu|sunu|sey|(?:bir|bana) (?:ornek|liste|tablo|ozet|grafik|kod|aciklama|yardim|tavsiye)|yardim|ornek|bilgi))(?: de| da| cok)?"),
        Trigger("preference", r"(?:olmak|yasamak|tasinmak|evlenmek|kilo vermek|zayiflamak|emekli olmak|gezmek|seyahat etmek|okumak|calismak|birakmak) (?:istiyorum|isterim|istemiyorum)", ("mak ist", "mek ist"), unless=r"\b(?:emin|kodu|bunu|testi)"),
        Trigger("preference", r"(?:en sevdigim|favori) [^\n,.]{1,50}", ("en sevdigim", "favori"), "clause", then=""),
        Trigger("decision", r"(?:hadi|haydi|gelin)(?=,? \w)", ("hadi", "haydi", "gelin"), "clause", then="word"),
        Trigger("decision", r"(?:kullanalim|deneyelim|yapalim|gidelim|secelim|gecelim|devam edelim|alalim|tercih edelim|kullanacagiz|kullanacagim|kullaniriz|karar (?:verdim|verdik|kildik|aldik))", ("lim", "kullan", "karar")),
        Trigger("instruction", rf"{_EVER}\b[^\n.;!]{{0,140}}?\b(?:{_IMPERATIVE}|{_WISH}){_END}", (" her ", "daima", "hep ", "asla", "hicbir", "bundan", "itibaren", "simdiden", "artik", "ileride", "gelecekte", "varsayilan", "genel olarak", "surekli", "bir daha", "istisnasiz", "ne zaman", "tum ", "butun ", "aksini", "kadar"), unless=r"\b(?:o|onlar|patronum|ben|biz|neden|niye|nicin)"),
        Trigger("instruction", rf"{_WHEN}[^\n.;!]{{0,120}}?\b(?:{_IMPERATIVE}|{_WISH}){_END}", ("gimd", "gumd", "gind", "gund", "mizd", "muzd", "nizd", "nuzd", "inca ", "unca ", "ince ", "unce ", "sam ", "sem ", "ken ")),
        Trigger("instruction", r"\w+m[ae]y[iu] (?:birak|kes)(?:[iu]n(?:[iu]z)?)?" + _END, ("birak", " kes")),
        Trigger("instruction", rf"(?:cevaplarin|yanitlarin|mesajlarin|aciklamalarin)(?:[iu]|[iu]z|[iu]z[iu]|d[ae]|[iu]zd[ae])? [^\n.;]{{0,80}}?(?:{_IMPERATIVE}|olsun){_END}", ("cevaplarin", "yanitlarin", "mesajlarin", "aciklamalarin"), "clause"),
        Trigger("remember", r"unutma(?:y[iu]n(?:[iu]z)?|yasin)?", ("unutma",)),
        Trigger("remember", r"(?:hatirla(?:y[iu]n)?|(?:aklinda|aklinizda|akilda) (?:tut|tutun|bulunsun|olsun|kalsin)|not (?:al|et|edin|alin)|bunu kaydet|kaydet)", ("hatirla", "akl", "akilda", "not al", "not et", "not ed", "kaydet"), unless=r"\b(?:bana|dosyayi|dosyaya)"),
        Trigger("proper_noun", r"(?:herkes|herkesin|arkadaslarim|arkadaslar|cogu kisi|ailem|evde|is yerinde|ailemde|millet|insanlar|\w+larim|\w+lerim)(?: \w+){0,2}? (?:bana|beni)(?: hep| kisaca| sadece)? (?=[\w'-]+ (?:der|derler|diyor|diyorlar|diye|olarak)\b)", (" bana ", " beni "), then="name"),
        Trigger("proper_noun", r"(?:bana|beni)(?: (?:herkes|hep|kisaca|genelde|evde|arkadaslarim|sadece)){1,3} (?=[\w'-]+ (?:der|derler|diyor|diyorlar|diye|olarak)\b)|(?:bana|beni) (?=[\w'-]+ (?:derler|diyorlar|diye (?:cagirir|tanir|bilir)\w*|olarak (?:bilir|tanir)\w*)\b)", (" bana ", " beni "), then="name"),
        Trigger("proper_noun", "ben(?: de)?", (" ben ",), "clause", then="name"),
        Trigger("proper_noun", rf"(?:bu|su|iste|karsinda|tanistirayim|tanistirayim bu|sana|tanis)(?: \w+){{0,2}}? (?:\w+ )?{_PERSON}(?:[iu]?m|[iu]?m[iu]z)(?: olan)?,?", (" bu ", " su ", "iste ", "tanis", "karsinda"), "clause", then="name"),
        Trigger("proper_noun", rf"(?:\w+ )?{_PERSON}(?:l[ae]r)?(?:[iu]?m[iu]n|[iu]?m[iu]z[iu]n|[iu]n) (?:adi|ismi|adlari)", (" adi ", " ismi "), then="sure name"),
        Trigger("preference", r"(?:hic |pek |asla |gercekten |asiri |cok |oldum olasi |kucuklugumden beri )?(?:katlanamiyorum|katlanamam|dayanamiyorum|dayanamam|cekemem|cekemiyorum|haz ?etm(?:em|iyorum)|hazzetm(?:em|iyorum)|tahammulum yok|hazetmem|yeg tutar(?:im)?|tercihimdir|vazgecemem|vazgecmem|hastasiyim|tutkunuyum|asigiyim|delisiyim|bagimlisiyim|duskunum|duskunumdur|meraklisiyim|sevdalisiyim|uzak dururum|kacinirim|hoslanirim|bayilirim|severim|severek|seviyorum|sevmisimdir|sevdim|sevemedim|isinamadim|alisamadim|yemem|icmem|kullanmam)", ("katlan", "dayanam", "cekem", " haz ", " hazet", " hazm", " hazzet", "tahammul", "yeg tut", "tercih", "vazgec", "hastasiyim", "tutkun", "asigiyim", "delisiyim", "bagimlisiyim", "duskun", "merakl", "sevdali", "uzak dur", "kacin", "hoslan", "bayil", " sev", "isinam", "alisam", " yemem", " icmem", "kullanmam"), unless=r"\b(?:bunu|sunu|onu|buna|suna|seni|sizi|kim|neden|eger)"),
        Trigger("preference", r"~(?!(?:bu|o|su)\b)[^\n,.;!?]{2,60}? (?:bana (?:gore degil|gore|hitap etm\w+|uymuyor|uymaz|daha (?:uygun|yakin|kolay|rahat) gel\w+|iyi gel\w+|cazip gel\w+)|benlik degil|benim (?:tarzim|isim|icin) degil|aram (?:\w+ ){0,2}?(?:iyi|yok|kotu)(?: degil)?|benim icin (?:vazgecilmez|olmazsa olmaz)|ilgimi cekm\w+|sinirimi boz\w+|zevk(?:ime)? (?:al\w+|uymuyor|hitap))", (" bana ", "benlik", " benim ", " aram ", "ilgimi", "sinirimi", "zevk"), "clause", unless=r"\b(?:bu|bunu|sen)"),
        Trigger("preference", r"(?:ben |benim )?[^\n,.;!?]{0,40}?(?:\w+c[iu]y[iu]m|\w+c[iu]y[iu]md[iu]r|insaniyim|tipiyim|adamiyim|hayraniyim|taraftariyim)(?= |[.,!]|\n|$)", ("ciyim", "cuyum", "insaniyim", "tipiyim", "adamiyim", "hayraniyim", "taraftariyim"), "clause", unless=r"\b(?:eger)"),
        Trigger("preference", r"(?:favorim|tercihim|ilk tercihim|en sevdigim(?: \w+){0,3}?|gozdem)(?: (?:hala|her zaman|hep|tabii ki))?(?: \w+){0,4}", ("favorim", "tercihim", "sevdigim", "gozdem"), "clause", then=""),
        Trigger("preference", r"~[^\n,.;!?]{2,50}?(?:d[ae]n|t[ae]n) (?:baskasini|baska (?:bir )?\w+|sasmam|cok|ziyade|daha cok|fazla) ?[^\n,.;!?]{0,40}?(?:kullanmam|icmem|yemem|tanimam|seviyorum|severim|hosuma gider|tercih)", ("baska", "sasmam", "den cok", "dan cok", "ziyade", "daha cok", "den fazla", "dan fazla"), "clause"),
        Trigger("instruction", rf"{_ON}(?: lutfen)? [^\n.;!?]{{0,100}}?(?:(?:sadece|yalnizca)(?![^\n.;!?]*\w(?:yor|d[iu]|t[iu]|m[iu]s|ir|ar|er|ur|cak|cek)(?:lar|ler|um|im|uz|iz)?\b)|olmasin|olsun|yok|istemiyorum|istemem|kullanma|\w+siz|\w+suz)(?: [^\n.;!?]{{0,60}})?", ("bundan", "itibaren", "simdiden", "artik", "ileride", "gelecekte", "bir dahaki"), "clause", unless=r"\b(?:neden|niye|ben|biz|o)"),
        Trigger("instruction", r"(?:her (?:seferinde|defasinda|mesajda|cevapta|zaman)|surekli|hep|\w+ (?:basinda|sonunda)) [^\n.;!?]{0,80}?(?:\w+m[ae]n(?:[iu]z)?[ae]?|\w+m[ae]y[ae]|\w+m[ae]k) (?:gerek|luzum|ihtiyac|zorunda)(?: \w+)?(?: yok| degil\w*)", (" gerek", "luzum", "ihtiyac", "zorunda"), "clause"),
        Trigger("instruction", rf"~(?:[^\n.;!?]{{1,80}}? )?{_OFTEN}\b[^\n.;!?]{{0,100}}?(?:\w+(?:ar|er|ir|ur|r) m[iu]s[iu]n(?:[iu]z)?|\w+[ae]b[iu]l[iu]r m[iu]s[iu]n(?:[iu]z)?|\w+s[ae]n(?:[iu]z)? (?:\w+ )?(?:olur|sevinirim|memnun olurum|harika olur|iyi olur|super olur|guzel olur)\w*)", (" misin", " musun", " olur", "sevin"), "clause", unless=r"\b(?:neden|niye|ben)"),
        Trigger("instruction", rf"(?:[\w']+ )?{_OFTEN} [^\n.;!?]{{0,100}}?(?:{_STEMS})(?:m[ae]){_POLITE_END}", ("her zaman", "daima", " hep ", "asla", "hicbir zaman", "her seferinde", "kesinlikle"), "anywhere", unless=r"\b(?:o|onlar|patronum|ben|biz|neden|niye)"),
        Trigger("instruction", r"~[^\n.;!?,]{2,80}?m[ae]d[ae]n (?:once|evvel) [^\n.;!?]{0,60}?(?:sor|danis|haber ver|uyar|onay al|goster|bilgi ver)(?:[iu]n(?:[iu]z)?|s[ae]n\w*|man\w* ist\w+)?", ("den once", "dan once", "den evvel", "dan evvel"), "clause", unless=r"\b(?:ben|biz)"),
        Trigger("remember", r"(?:(?:bir )?(?:kenara|yere|koseye) (?:not |yaz)\w*|not (?:(?:alir|eder|duser|dusebilir|alabilir|edebilir) m[iu]s[iu]n\w*|al(?:in(?:iz)?)?|et|edin(?:iz)?|dus(?:un)?)(?!\w)|aklinda|akl(?:in|iniz)(?:da|in bir kosesinde) (?:tut|bulun|kal|ol)\w*|hafizana (?:al|yaz|kaydet)\w*|bunu bil(?:esin|mis ol)|unutmayasin|unutma(?:man)?(?: lazim| gerek)?)", ("kenara", "yere ", "koseye", " not al", " not ed", " not du", " not et", "akl", "hafizana", "bunu bil", "unutma"), unless=r"\b(?:bana|dosyaya|ben)"),
        Trigger("preference", r"~(?!(?:bu|o|su)\b)[^\n,.;!?]{2,50}? beni (?:\w+ )?(?:sik|yor|rahatlat|dinlendir|gerer|geriyor|bunalt|sinirlendir|mutlu ed|rahatsiz ed|deli ed)\w*|~[^\n,.;!?]{2,50}? daha (?:iyi|rahat|verimli) (?:calisir|calisiyor|uyur|uyuyor|dusunur|dusunuyor|odaklan\w+)\w*m(?!\w)", (" beni ", "daha iyi", "daha rahat", "daha verimli"), "clause", unless=r"\b(?:eger|hata)"),
        Trigger("instruction", rf"~(?:[^\n,.;!?]{{1,40}} )?her \w+[dt][iu]g[iu]m(?:[iu]z)?d[ae],? [^\n,.;!?]{{0,60}}?(?:(?:bana|bize) [^\n,.;!?]{{0,60}}?\b(?:{_STEMS})(?:y?[iu]n(?:[iu]z)?|s[ae]n[ae])?{_END}|\b(?:{_STEMS})(?:y?[iu]n(?:[iu]z)?|s[ae]n[ae])? (?:bana|bize){_END})", ("gimd", "gumd", "mizd", "muzd"), "clause", unless=r"\b(?:neden|niye)"),
        Trigger("instruction", rf"~(?=[^\n.;!?]{{0,160}}(?:sormadan|danismadan|haber vermeden|onay\w* almadan|izin almadan|iznim olmadan|onayim olmadan|hicbir zaman|asla|bir daha))[^\n.;!?]{{0,60}}?\bsakin\b(?: ha)?[^\n.;!?,]{{0,80}}?\b(?:{_STEMS})m[ae](?:y[iu]n(?:[iu]z)?)?{_END}", ("sakin",), "clause"),
        Trigger("proper_noun", rf"(?:seni|sizi) (?:\w+ )?{_PERSON}\w* (?=[\w'-]+(?: ile|'?y?l[ea]) tanistir)", ("tanis",), then="name"),
        Trigger("preference", r"~(?!(?:bu|su|o)\b)[^\n,.;!?]{2,50}? basimi agrit(?:iyor|ir)|~[^\n,.;!?]{2,50}?(?:ya|ye|a|e) (?:fena |cok |iyice |son zamanlarda ){0,2}(?:sardim|taktim|kafayi taktim|merak sardim)(?= ?(?:[,.!]|\n|$))|(?:nefret ettigim|sevmedigim|en cok sevdigim|katlanamadigim) (?:tek )?(?:bir )?sey (?:varsa|de|ise)", ("basimi", "sardim", "taktim", "nefret", "sev", "katlan"), "clause", unless=r"\b(?:hata|eger)"),
        *INTRODUCTIONS["turkish"],
        *REMINDERS["turkish"],
        *ATTITUDES["turkish"],
        *EVERYDAY["turkish"],
        *STANDING_REQUESTS["turkish"],
    ),
    leads=_LEAD,
    conjunctions="ve|ama|fakat|cunku|ki|veya|o yuzden",
    question_words="ne|nasil|hangi|neden|nicin|nerede|kim|kac|niye|acaba",
    asked_inside=r"\b(?:neden|nicin|niye|nasil|hangi\w*|kim(?:ler|i|e)?|kac|m[iu](?:s[iu]n|y[iu]m)?(?= ?$))\b",
    private=(
        r"(?:(?:az once|biraz once|demin|simdi|sana|size) ){0,3}(?:soyledi[gk]\w*|dedi[gk]\w*|yazdi[gk]\w*|anlatti[gk]\w*|soylediklerim\w*|dediklerim\w*) (?:lutfen )?unut(?:un(?:uz)?)?(?!\w)",
        rf"{_THIS} (?:lutfen |sakin |asla )?(?:hatirlama|kaydetme|not alma|not etme|saklama|aklinda tutma|hafizana alma|yazma|hafizaya kaydetme)(?:y[iu]n(?:[iu]z)?)?(?= ?(?:$| (?:ama|fakat|cunku|sakin|lutfen|ha)\b|[,.;:!]| lutfen))",
        rf"{_THIS} (?:hatirlamani|kaydetmeni|saklamani|not almani)(?:z[iu])? (?:istemiyorum|istemem)",
        rf"{_THIS} (?:unut|unutun|sil|silin)(?= ?(?:$| (?:ama|fakat|cunku|sakin|lutfen|ha)\b|[,.;:!]))",
        r"(?:bu )?(?:aramizda kals[iu]n|ikimizin arasinda|aramizda)(?= ?(?:$| (?:ama|fakat|cunku|sakin|lutfen|ha)\b|[,.;:!]))|laf aramizda",
        r"(?:^|[,.;:!¡—–-] ?)(?:gizli(?= ?:)|(?:bu|bunlar) (?:cok |tamamen )?gizli(?: kalsin| kalmali)?(?= ?(?:$| (?:ama|fakat|cunku|lutfen)\b|[,.;:!—–]))|bunu gizli tut(?:un(?:uz)?|ar misin\w*)?(?= ?(?:$| (?:ama|fakat|cunku|lutfen)\b|[,.;:!—–])))",
    ),
    self_harm=(
        r"intihar\w*|kendimi (?:oldur\w+|as\w+|kes\w+|yarala\w+)|kendime zarar|canima kiy\w*|bilek\w*imi kes\w*|hayatima son",
    ),
    death_wish=(
        r"(?:olmek|olsem|yok olmak|uyanmamak|gebermek) (?:istiyorum|isterim|daha iyi)|yasamak istemiyorum|kendimden nefret|hayatimdan nefret|keske olsem",
    ),
    violence=(
        r"(?:beni|bana) (?:\w+ ){0,2}?(?:dov\w+|vur\w+|tecavuz\w*|taciz\w*|tehdit\w*|istismar\w*|bogaz\w+|siddet \w+)|(?:tecavuze|tacize|istismara|siddete) (?:ugra\w+|maruz)",
    ),
)  # fmt: skip
