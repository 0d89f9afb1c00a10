"""Requests to remember what follows: verbs of remembering and noting in their familiar and polite forms."""

from __future__ import annotations

from memtool.core.capture.languages.trigger import Trigger

_FOLLOWS = r"(?= ?[,:;—–-]| that\b| this\b| it\b)"

REMINDERS: dict[str, tuple[Trigger, ...]] = {
    "english": (
        Trigger("remember", rf"(?:please |pls |plz )?(?:keep|bear|have)(?: (?:this|that|it))? in mind(?: for (?:later|next time|the future|future \w+|another time))?{_FOLLOWS}|(?:please |pls )?(?:commit|store|save|log|record|file|write|put) (?:this|the following|that)(?: (?:away|down|to memory|in memory|for (?:later|next time|the future)))(?= ?[:;—–-])", ("in mind", "commit", "store", "save", "log ", "record", "file ", "write", "put "), "clause"),
        Trigger("remember", r"for (?:(?:all )?(?:future|later|upcoming|next) (?:chats?|conversations?|reference|sessions?|messages?|talks?)|next time|later|the future) ?[,:—–-]", ("for ",), "sentence"),
        Trigger("remember", r"(?:make sure|be sure|see) (?:that )?you (?:remember|don't forget|keep in mind|note)|(?:one|a) thing (?:to remember|you should (?:remember|know)|worth remembering)|don't (?:you )?ever forget(?= that| this)", ("remember", "forget", "in mind", "you note", "should know"), "clause"),
    ),
    "german": (
        Trigger("remember", r"(?:bitte )?(?:merk|notier|speicher|schreib|behalt|behalte|halt|vermerk)(?:e|en)?(?: sie)?(?: (?:dir|sich|ihnen|bitte|mal|doch|fur spater|fur die zukunft|das|dies|folgendes|gut|es))*(?: (?:auf|fest|im (?:hinterkopf|gedachtnis|kopf)))?(?= ?[:;—–]|, dass|, ?wo\b|, ?wer\b)", ("merk", "notier", "speicher", "schreib", "behalt", "halt"), "clause"),
        Trigger("remember", r"(?:bitte )?(?:denk|denke|denken sie|erinner dich|erinnern sie sich)(?: (?:bitte|immer|auch|mal|dran|daran))*,? (?:dass|:)|(?:nicht vergessen|zum merken|merke|fur spater|zur erinnerung|wichtig fur spater|fur die nachsten? (?:male?|gesprache?)) ?[:—–]|(?:dass du|dass sie)? ?(?:bitte )?nicht (?:vergisst|vergessen),? dass", ("denk", "erinner", "vergess", "vergisst", "merke", "zum merken", "fur spater", "nachste"), "clause"),
    ),
    "spanish": (
        Trigger("remember", r"(?:por favor,? )?(?:(?:que )?no (?:te|se|os) (?:le |les )?olvid\w+|ten(?:ga|gan|ed)? (?:muy )?(?:presente|en cuenta|en mente)|(?:apunt|anot|guard|memoriz|registr|grab|recuerd|acuerd)(?:a|e|ad|en)(?:te|se|lo|la|telo|tela|selo)?|quedate con|toma nota(?: de)?|tome nota(?: de)?|toma en cuenta)(?: (?:bien|por favor|porfa|de|esto|este dato|eso|lo siguiente|para (?:otras? (?:veces|vez)|luego|mas adelante|la proxima|el futuro)))*(?= ?[:;—–-]| (?:de )?que\b|, (?:que|el|la|los|las|mi|nuestr))", ("olvid", " ten ", "tenga", "apunt", " anot", "guarda", "guarde", "memoriza", "memorice", "cuerd", "quedate", " nota"), "clause"),
        Trigger("remember", r"(?:para (?:futuras? (?:conversaciones|ocasiones|veces)|la proxima(?: vez)?|que (?:lo sepas|conste|te acuerdes|lo tengas en cuenta)|mas adelante|otras? (?:veces|vez))|a tener en cuenta) ?[:—–]", ("para futur", "para la prox", "para que ", "para mas", "para otra", "a tener"), "clause"),
    ),
    "portuguese": (
        Trigger("remember", r"(?:por favor,? )?(?:(?:que )?nao (?:te |se )?esquec\w+(?:-te|-se)?|ten(?:ha|ham)? (?:em mente|presente|em conta)|tem (?:em mente|presente)|(?:anot|guard|memoriz|regist|grav|lembr|decor|tom)(?:a|e|em|ra|re)(?:-te|-se|-o)?(?: nota)?|fica sabendo|fique sabendo|leve em conta|leva em conta)(?: (?:bem|ai|por favor|pfv|de|disto|disso|isso|isto|esse dado|essa|o seguinte|(?:pra|para) nao esquecer|pra (?:depois|proxima)|para (?:depois|a proxima)|na memoria))*(?= ?[:;—–-]| que\b|, (?:que|o|a|os|as|meu|minha|noss))", ("esquec", " tenha", " tem ", " anot", "guarda", "guarde", "memoriz", "lembr", "decora ", " fica ", " fique ", " nota"), "clause"),
        Trigger("remember", r"(?:para (?:futuras? (?:conversas|ocasioes)|a proxima(?: vez)?|referencia futura|que (?:conste|saibas|voce saiba)|depois)|pra (?:proxima|depois)|a reter|fica a nota|lembrete) ?[:—–]", ("para futur", "para a prox", "para ref", "para que ", "para depois", "pra prox", "pra depois", "a reter", "a nota", "lembrete"), "clause"),
    ),
    "french": (
        Trigger("remember", r"(?:s'il te plait,? |s'il vous plait,? |stp,? |svp,? )?(?:(?:surtout )?n'oublie[zs]?(?: surtout)?(?: jamais)? pas|gard(?:e|ez)(?: bien)? (?:a l'esprit|en tete|en memoire)|(?:note(?! ?:)|notez|retiens|retenez|memorise|memorisez|enregistre|enregistrez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|garde|gardez|sache|sachez|prends note|prenez note)(?:-le)?)(?: (?:bien|que|ca|ceci|cela|stp|svp|quelque part|de|pour (?:plus tard|la suite|la prochaine fois)))*(?= ?[:;—–-]| qu|, (?:le|la|les|l'|mon|ma|notre)|(?<=que) )", ("oublie", "gard", "note", "retiens", "retenez", "memorise", "enregistre", "souviens", "souvenez", "rappelle", "rappelez", " sache ", " sachez ", "prends note", "prenez note"), "clause"),
        Trigger("remember", r"(?:pour (?:memoire|info future|la prochaine fois|plus tard|nos prochains echanges|les prochaines fois|la suite)|a retenir|a noter|note a toi-meme) ?[:—–,]", ("pour memoire", "pour info", "pour la pr", "pour plus", "pour nos", "pour les pr", "pour la suite", "a retenir", "a noter", "note a"), "clause"),
    ),
    "russian": (
        Trigger("remember", r"(?:прошу|попрошу|просьба|надо|нужно)(?: вас| тебя)?(?: пожалуйста)?,? (?:не забывать|не забыть|запомнить|учесть|учитывать|помнить|иметь в виду|записать|зафиксировать|отметить|держать в (?:уме|голове|памяти))", ("забы", "запомнить", "уче", "учит", "помнить", "иметь в виду", "записать", "зафикс", "отметить", "держать"), "clause"),
        Trigger("remember", r"(?:на будущее|для справки|на всякий случай|пригодится|на потом)(?: запомни(?:те)?| запиши(?:те)?)? ?[:,—–]|(?:заруби|отложи|сохрани|запиши|отметь|пометь|запомни|усвой)(?:те)?(?: (?:себе|у себя|где-нибудь|пожалуйста|это|на будущее|на носу|в память|в памяти|такой факт|факт|следующее|вот что))*(?= ?[:;—–]|,? что\b|,? (?:наш|мо)[а-я]+\b)", ("будущее", "справки", "случай", "пригодится", "потом", "заруби", "отложи", "сохрани", "запиши", "отметь", "пометь", "запомни", "усвой"), "clause"),
    ),
    "turkish": (
        Trigger("remember", r"(?:lutfen )?(?:sunu |bunu |bunlari )?(?:(?:aklin|hatirin|hafizan|bellegin|zihnin)\w{0,4}(?: bir (?:yere|kosesine))? (?:olsun|bulunsun|kalsin|tut|yaz|kaydet|not et|sakla|kazi)\w*|(?:not|kayit) (?:al|et|dus)\w{0,6}|kaydet\w{0,6}|unutma(?:yin|yiniz|yalim)?|hatirla(?:yin|yiniz|rsin)?|bir kenara (?:yaz|not)\w*|(?:kenara|koseye) (?:yaz|not)\w*)(?= ?[:;,—–]| ki\b)", ("aklin", "hatirl", "hatirin", "hafizan", "bellegin", "zihnin", " not al", " not e", " kayit ", "kaydet", "unutma", "kenara", "koseye"), "clause"),
        Trigger("remember", r"(?:ileride|sonrasi|ilerisi|gelecek (?:sohbetler|konusmalar)|bir dahaki sefer) icin(?: not| hatirlatma)? ?[:,—–]|~[^\n.;!?]{3,120}?(?:oldugunu|dugunu|tigini|digini|acagini|ecegini) (?:lutfen )?(?:unutma|hatirla|aklin\w{0,4} tut|not et|not al|kaydet|aklin\w{0,4} bulundur)\w{0,8}", ("icin:", "icin,", "icin not", "unutma", "hatirla", "aklin", " not al", " not e", "kaydet"), "clause"),
    ),
    "uzbek": (
        Trigger("remember", r"(?:iltimos,? )?(?:shuni |buni )?(?:(?:esing|yoding|xotirang|yod)\w{0,5} (?:bo'lsin|tut|saqla|qolsin|turs)\w*|eslab (?:qol|tur)\w*|yodlab (?:qol|ol)\w*|unutma(?:ng|ngiz|sin|ylik)?|(?:yozib|belgilab|qayd etib|saqlab) (?:qo'y|ol|qol)\w*|qayd et\w*|e'tiborga ol\w*|xotirla\w*)(?= ?[:;,—–]| ki\b|ki\b|$)", ("esing", "yoding", "xotira", "yod", "eslab", "unutma", "yozib", "belgilab", "qayd", "saqlab", "e'tiborga", "xotirla"), "clause"),
        Trigger("remember", r"~[^\n.;!?]{3,120}?(?:ligini|ganini|shini|moqligini) (?:iltimos )?(?:unutma|eslab qol|yodda tut|esda tut|esingda tut|yodingizda tut|esingizda tut|yozib qo'y|inobatga ol)\w{0,8}", ("unutma", "eslab", "yodda", "esda", "esing", "yoding", "yozib", "inobatga"), "clause"),
        Trigger("remember", r"(?:kelajak|keyingi (?:suhbat\w*|safar\w*)|keyin) uchun(?: eslatma)? ?[:,—–]", ("uchun:", "uchun,", "uchun eslatma"), "clause"),
    ),
    "chinese": (
        Trigger("remember", r"(?:请|請|麻烦|麻煩|拜托|你|您|帮我|帮忙|务必|務必|一定|千万|要|可得|给我|替我|可以|能|最好)+(?:记住|記住|记好|记牢|牢记|記下|记下|记一下|记着|记清楚|记得(?!吗)|别忘|不要忘|留意|记录一下|备注|保存(?=[，,：:]))", ("记", "記", "忘", "留意", "备注", "保存"), "clause"),
        Trigger("remember", r"(?:下次|以后|日后|将来)?(?:用得上|会用到|备忘|供参考|做个记录|留个底|心里有个数|有个印象)[，,：:]|(?:把|将)(?:这个|这点|这条|以下|下面这)[^\n，。]{0,8}?(?:记住|记下|记一下|记好|存(?:下|起)来|保存(?:下来|一下)?|放(?:进|到)记忆)", ("用得上", "会用到", "备忘", "参考", "记录", "留个底", "有个", "记", "存", "放"), "clause"),
    ),
    "japanese": (
        Trigger("remember", r"(?:ご記憶|ご承知おき|お見知りおき|ご留意|お含みおき|心に留め|頭の隅に|念頭に|記憶に(?:とどめ|留め|入れ)|頭に入れ|控えて|書き留めて|メモっ|覚え(?:といて|ておき|ててほし|てほし|ていてほし|ていただ|てもら|ておく(?:ように|こと))|忘れ(?:ずに|ないでいて|ないように|てはいけない|ちゃだめ)|お忘れ)", ("記憶", "承知", "見知り", "留意", "含み", "心に", "頭", "念頭", "控えて", "書き留め", "メモ", "覚え", "忘れ"), unless="(?:私が|彼が|自分で)"),
        Trigger("remember", r"(?:次回|今後|これから|後々|あと)の(?:会話)?(?:ために|の参考に|のため|用に)[^\n。]{0,10}?(?:：|:|、)", ("次回", "今後", "これから", "後々", "あと"), "clause"),
    ),
}  # fmt: skip
"""The triggers of each language."""
