"""Which languages a statement may be in, by short signs, before the rows of any language are imported."""

from __future__ import annotations

STATEMENT_SIGNS = {
    "english": (
        " apr | aug | dec | feb| jan| jul | jun | mar | may| nov | oct | sep|april|as a|august|been |"
        "decemb|diagnosed|eliac|februar|got |had |have |having |i am |i drive|i own a|i run a|"
        "i teach|i'm |im |januar|july|june|live down|live out|live up|living in|march|moved |my |"
        "novemb|octob|our |relocated |retired|septemb|we are |we're |we’re |work"
    ),
    "spanish": (
        "abril|adelantamos|agosto|alergi|aniversario|aplazamos|casad|como |conduzco|cumpl|curso |"
        "diciembre|doy clase|embarazada|enero|ensen|esper|estoy |estudi|febrero|hablo |hace |hemos|"
        "jubil|julio|junio|lengua materna|llevo |madre de|manejo |marzo|mayo|mi |mis |movimos|mud|"
        "naci en|no bebo|no como|no puedo|noviembre|nuestr|octubre|padezco|padre de|pasamos|regento|"
        "resid|retir|septiembre|setiembre|somos |soy |sufro|tenemos|tener|tengo|trabaj|traslad|viv"
    ),
    "portuguese": (
        "abril|adiamos|agosto|alergi|aniversario|anos|antecipamos|aposent|casad|com |como |conduzo |"
        "curso |de baixa|de licenca|desempreg|dezembro|dirijo |dou aula|ensino |esper|estou |estud|"
        "faco |falo |faz |fevereiro|fiz |gravid|ha |janeiro|julho|junho|lingua materna|mae de|maio|"
        "marco|meu|minha|mor|mud|nao bebo|nao como|nao posso|nasci|noss|novembro|outubro|pai de|"
        "passamos|reform|remarcamos|resid|setembro|sofro|somos |sou |sozinh|tem |temos|tenho|"
        "to trabalhando|trabalhamos|trabalho|venho|viv"
    ),
    "french": (
        " mai| vis|allergi|anniversaire|aout|arrive|attend|avance|avons|avril|bois pas|bois plus|"
        "bosse|comme |conduis|decale|decembre|demenag|deplace|depuis |diagnosti|dirige|emmenag|"
        "en tant|enceinte|enseigne|etudes|etudie|fevrier|habit|install|intoleran|j'ai|janvier|"
        "je parle|juillet|juin|j’ai|langue maternelle|ma |maman d|mange pas|mange plus|marie|mars|"
        "mere de|mes |mon |nos |notre|novembre|octobre|on a|originaire|papa d|pere de|peux pas|"
        "repousse|retraite|septembre|souffre|suis |tiens |travail|viens d|vis |vit |vivons"
    ),
    "german": (
        "ab |allergi|als |am |arbeite|bekommen|betreibe |bin |ernahre|erwart|esse |fahre|geburtstag|"
        "gezogen|hab|hochzeitstag|ich |intoleran|jahrestag|komme aus|kommen aus|leb|leide|leite |"
        "mein|muttersprache|nicht mehr in|pensioniert|rente|ruhestand|seit |sind |stamme aus|studier|"
        "trinke |unser|unterrichte|unvertraglich|verheiratet|verlegt|verschoben|vertrage |werde |"
        "wir |wohn|ziehen"
    ),
    "turkish": (
        " var|agustos|aldik|alerji|annesi|aralik|aylik|babasi|bekar|bosan|calisi|colyak|diyabet|dul|"
        "emekli|erteledik|evliy|eylul|hamile|hastas|haziran|icmem|icmiyor|im|intolerans|kaydirdik|"
        "liyiz|luyuz|m |mart|mayis|memleket|min |mun |nisan|ocak|olarak|oturuyor|renk kor|seker hast|"
        "senedir|solag|subat|tasin|temmuz|um|vegan|vejetaryen|yasi|yemem|yemiyor|yerles|yildir|yiyemi"
    ),
    "uzbek": (
        " bor|ajrashgan|allergiya|aprel|astma|avgust|bo'ydoq|chapaqay|da |dekabr|diabet|fevral|"
        "homilador|ishla|istiqomat|iyul|iyun|kasal|ko'ch|likmiz|m |man|mart|may|nafaqada|nafaqaga|"
        "noyabr|oktabr|ona tilim|onasi|otasi|sentabr|surdik|tug'il|turam|turmush|uylangan|vegan|"
        "vegetarian|yanvar|yasha|yildan beri|yildir|yosh"
    ),
    "russian": (
        " из | лет |августа|аллергик|аллергия|апреля|астмат|бабушк|берем|брат|вдов|вега|вегет|взял|"
        "вожу|говорю на|год|дальтон|дедушк|декабря|декрет|день рождения|диабет|доч|жен|жив|завел|"
        "изучаю|исполни|июля|июня|левша|мам|марта|мая|мне |мо|муж|мусульман|наш|не ем|не пью|нельзя|"
        "непереношу|ноября|образованию|октября|отец|отложили|пап|пенси|перебрал|переехал|перенесли|"
        "пескетар|подрабат|православн|преподаю|профессии|работа|развед|ребен|родил|родной язык|родом|"
        "сдвинули|сентября|сестр|служу|сын|сыроед|тружусь|у |учусь|февраля|холост|я |января"
    ),
    "japanese": (
        "いて|います|いる|おります|が|して|ずらし|だ|って|で|と|なん|に入|に通|の|をし|アパート|アレルギー|シングル|セリアック|ビーガン|ベジタリアン|マンション|"
        "ヴィーガン|一軒家|下戸|不自由|乳糖|住|働|出身|勤め|勤務|同棲|名前は|喘息|営ん|変更し|夜勤|妊娠|定年|専攻|左利き|年生|延期し|引っ越|患|才|持ち|教え|既婚|"
        "暮ら|月|歳|母国語|母語|独身|生まれ|産休|病|移|経営|結婚|育休|色弱|菜食|記念日|話せ|認知症|誕生日|転居|近眼|退職|運転|離婚|食べない|食べませ|食べられ|飲めな|"
        "飲めま|飼"
    ),
    "chinese": (
        "上|不吃|不喝|不能吃|不能喝|买|乳糖|乳糜|人|从事|任职|会说|住|來自|做|养|单亲|单身|叫|吃素|后|單身|在|夜班|妈|孕|学|定居|家|就职|岁|工作|左撇子|干|年|"
        "延期到|开|当|得|念|患|我|挪到|推迟到|提前到|搬到|搬去|搬回|搬来|改到|教|是|會說|月|有|来自|查出|歲|母語|母语|清真|爸|生日|生活|當|确诊|离婚|糖尿|素食|"
        "結婚|纯素|结婚|色盲|讀|诊断|读|跑|过敏|近视|退休|過敏|離婚|養"
    ),
}
"""For each language: parts, separated by `|`, of which a text that one of its rows matches contains at least one.
They are the shortest signs of the rows in `circumstances_*.py`; the text is folded."""
