"""Names that the user gives to people, pets, projects and products: "our new caretaker is called …".

A noun phrase with a possessive, with "new" or with the noun of a project, a verb of naming of the language, and
the name. Not the hero of a story, and no part of a program.
"""

from __future__ import annotations

from memtool.core.capture.languages.trigger import Trigger
from memtool.core.text.discourse import GREETINGS

_NO_NAME = (  # nouns of things that are named in passing: parts of programs, and works of others
    "(?:functions?|methods?|class|variables?|files?|folders?|columns?|tables?|scripts?|branch|commands?|errors?|movies?|films?|books?|songs?|game"
    "|funktion|methode|klasse|datei|ordner|spalte|tabelle|skript|branch|fehler|film|buch|lied|spiel"
    "|funcion|metodo|clase|variable|archivo|carpeta|columna|tabla|rama|pelicula|libro|cancion|juego"
    "|funcao|classe|variavel|arquivo|ficheiro|pasta|coluna|tabela|filme|livro|musica|jogo"
    "|fonction|fichier|dossier|colonne|branche|erreur|livre|chanson|jeu)"
)
_HI = rf"(?:{GREETINGS}|yo|morning|evening|afternoon)"

AFTER_CALLED = "(?:,? (?:please|from now on|now|instead))*"
"""What may follow the name by which somebody wants to be called; English."""

INTRODUCTIONS: dict[str, tuple[Trigger, ...]] = {
    "english": (
        Trigger("proper_noun", r"(?:this is|that's|here's|meet) (?:our|my|the) (?:new )?[\w-]+(?: [\w-]+)?,(?= (?:dr|mr|mrs|ms|prof)?\.? ?[a-z])", ("this is", "that's", "here's", "meet ",), "clause", then="name"),
        Trigger("proper_noun", rf"(?:(?:my|our)|the (?:[\w'-]+ )?new|a new)(?: (?!{_NO_NAME}\b|favou?rite)[\w'-]+){{1,4}}?(?:(?:'s|s') (?:full )?(?:name is|name's)|,? (?:who )?(?:is|are|was) (?:now )?(?:called|named)|(?:'s| is) name is| goes by)", ("called", "named", "name is", "name's", "goes by"), "clause", "sure name"),
        Trigger("proper_noun", r"the (?:[\w'-]+ ){0,2}?(?:project|product|app|startup|start-up|company|team|brand|band|shop|client|newsletter|podcast|accountant|manager|teacher|landlord|doctor|vet|contractor|supplier|agency|baby|puppy|kitten|dog|cat)(?:'s)? (?:is (?:called|named)|name is|goes by)", ("called", "named", "name is", "goes by"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:we|i)(?:'ve| have|'re| are)?(?: just| finally)? (?:named|named|called|calling|christened|naming) (?:the|our|my) (?!(?:function|method|variable|file|class|folder|branch|column)\b)(?:[\w-]+ ){0,2}?[\w-]+(?= [^\W\d_])", ("named", "calling", "called", "christened", "naming"), "clause", "name"),
        Trigger("proper_noun", r"\Athis is(?! (?:python|java|javascript|docker|kubernetes|linux|windows|excel|english|german|french|spanish)\b)(?= [a-z][\w'-]+(?:(?: [a-z][\w'-]+)? (?:here|speaking|again)| from [\w ]{2,30})?\W*$)", ("this is",), "sentence", "name"),
        Trigger("proper_noun", rf"{_HI}[,!.]? (?:it's|its|it is|i'm|im|this is)", ("it's", "its", "it is", "i'm", "im ", "this is"), "sentence", "name"),
        Trigger("proper_noun", r"(?:you can|you may|feel free to|just|please|pls|everyone can|better) (?:just )?call me", ("call me",), then="name"),
    ),
    "german": (
        Trigger("proper_noun", r"(?:hallo|gruß gott|guten (?:tag|morgen|abend)|moin|hi|servus)[,!.]? (?=[\w-]+(?: [\w-]+)? mein name\b)", ("mein name",), "clause", then="sure name"),
        Trigger("proper_noun", rf"(?:(?:mein|unser)\w*|(?:der|die|das|dem|den) (?:neue\w*|\w+ neue\w*)|eine? neue\w*)(?: (?!{_NO_NAME}\b|lieblings)[\w-]+){{1,5}}? (?:heißt|heisst|heißen|heissen|nennt sich|hort auf den namen|tragt den namen)(?: jetzt| nun| ubrigens)?", ("heißt", "heisst", "heißen", "heissen", "nennt sich", "den namen"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:der|die|das) (?:[\w-]+ ){0,1}?(?:projekt|produkt|app|firma|startup|team|marke|band|laden|verein|kunde|kundin|kolleg(?:e|in)|chef(?:in)?|trainer(?:in)?|vermieter(?:in)?|arzt|arztin|nachbar(?:in)?|hund|katze|kater|baby) (?:heißt|heisst|nennt sich)", ("heißt", "heisst", "nennt sich"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:der|die) name (?:mein|unser)\w* (?:[\w-]+ ){0,2}?[\w-]+ (?:ist|lautet)|(?:wir haben|ich habe) (?:den|die|das|unser\w*|mein\w*) (?:[\w-]+ ){0,2}?[\w-]+(?= [\w-]+ (?:genannt|getauft)\b)", ("name mein", "name unser", "genannt", "getauft"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:hi|hallo|hey|moin|servus|gruß gott|gruss gott|guten (?:tag|morgen|abend)|na)[,!.]? (?:moin[,!.]? )?(?:hier (?:ist|spricht|schreibt)|ich bin)(?: (?:der|die|s))?(?: noch mal| nochmal| wieder)?(?! \w*(?:ung|heit|keit|schaft|ion|tat|ismus|datei|text|code|fehler|liste|mail|frage|nachricht|link|bild|foto|entwurf|version|log|tabelle|satz|brief|beispiel|problem|lage|aufgabe|plan|projekt|stand|ausgabe|adresse|nummer|skript|befehl|formel|auszug|absatz|rezept|artikel|daten|info\w*|kopie|vertrag|angebot|test\w*|sache|thema|neu|wieder|student\w*|anfanger\w*)\b)(?= [\w-]+(?: [\w-]+)?(?:[,.!;]| (?:aus|von|vom)\b|\s*$))", ("hier ", "ich bin"), "sentence", "sure name"),
        Trigger("proper_noun", r"(?-i:(?:(?:[Hh]i|[Hh]allo|[Hh]ey|[Mm]oin|[Ss]ervus|[Gg]uten (?:Tag|Morgen|Abend))[,!.]? )?(?!(?:Das|Was|Wer|Der|Die|Ist|Nur|Und|Alles|Gleich|Von|Bis|Genau|Auch|Ja|Nein|Nichts|Viel|Steht|Warum)\b)[A-ZÄÖÜ][\w-]{1,20}) hier(?=[,.!]|\s*$)", (" hier",), "sentence", whole_words=False),
    ),
    "spanish": (
        Trigger("proper_noun", rf"(?:(?:mi|mis|nuestr[oa]s?)(?: (?!{_NO_NAME}\b|favorit)[\w-]+){{1,5}}?|(?:el|la|los|las|un|una) (?:nuev[oa]s? [\w-]+|[\w-]+ nuev[oa]s?)(?: [\w-]+){{0,4}}?|(?:el|la) (?:proyecto|producto|aplicacion|app|empresa|equipo|marca|tienda|cliente|jef[ea]|profesora?|caser[oa]|medic[oa]|bebe|perr[oa]|gat[oa]|vecin[oa]|compan\w+)(?: [\w-]+){{0,3}}?) (?:se llaman?|se llamara|lleva por nombre|responde al nombre de)(?: ahora)?", ("se llama", "por nombre", "al nombre"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:el nombre de(?:l| la| mi| nuestr[oa]) (?:[\w-]+ ){0,3}?[\w-]+ es|(?:hemos|he) (?:llamado|bautizado)(?: a)? (?:a la |al |la |el )?[\w-]+(?: como)?|le pusimos(?: de nombre)?|le hemos puesto(?: de nombre)?)", ("nombre de", "llamado", "bautizado", "pusimos", "puesto"), "clause", "sure name"),
    ),
    "portuguese": (
        Trigger("proper_noun", rf"(?:(?:(?:o|a|os|as) )?(?:meus?|minhas?|noss[oa]s?)(?: (?!{_NO_NAME}\b|favorit|preferid)[\w-]+){{1,5}}?|(?:o|a|os|as|um|uma) (?:nov[oa]s? [\w-]+|[\w-]+ nov[oa]s?)(?: [\w-]+){{0,4}}?|(?:o|a) (?:projeto|projecto|produto|aplicativo|app|empresa|equipe|equipa|marca|loja|cliente|chefe|professora?|senhori[oa]|medic[oa]|bebe|cachorr[oa]|cao|gat[oa]|vizinh[oa]|colega|sindic[oa])(?: [\w-]+){{0,3}}?) (?:se chamam?|chamam?-se|vai se chamar|atende por|e chamad[oa])", ("chama", "chamar", "atende por", "chamad"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:o nome (?:do|da) (?:(?:meu|minha|noss[oa]) )?(?:[\w-]+ ){0,3}?[\w-]+ e|(?:demos o nome de|batizamos|chamamos)(?: (?:o|a) [\w-]+(?: de)?)?)", ("nome ", "batizamos", "chamamos"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:podes? |pode )?(?:me )?(?:tratar-me|chamar-me|me tratar|me chamar|trata-me|chama-me|trate-me|chame-me|me trata|me chama|me trate|me chame|tratar|chamar)(?: por| de| so de| apenas de)?", ("tratar", "chamar", "trata", "chama", "trate", "chame"), "clause", "name"),
    ),
    "french": (
        Trigger("proper_noun", rf"(?:(?:mon|ma|mes|notre|nos)(?: (?!{_NO_NAME}\b|prefere)[\w'-]+){{1,5}}?|(?:le|la|les|l'|un|une|des) ?(?:nouve\w+ [\w'-]+|[\w'-]+ nouve\w+)(?: [\w'-]+){{0,4}}?|(?:le|la|l') ?(?:projet|produit|appli(?:cation)?|entreprise|boite|equipe|marque|boutique|client|cliente|chef|cheffe|prof|proprio|proprietaire|medecin|bebe|chien|chat|voisine?|collegue|directeur|directrice)(?: [\w'-]+){{0,3}}?) (?:s'appell\w+|se nomm\w+|repond au nom de)", ("s'appell", "se nomm", "nom de"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:le nom (?:de (?:mon|ma|notre)|du|de la|de l') ?(?:[\w'-]+ ){0,3}?[\w'-]+ est|(?:on a|nous avons|j'ai) (?:appele|baptise|nomme) (?:le |la |l'|mon |ma |notre )[\w'-]+)", ("nom d", "on a appele", "on a nomme", "baptise"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:(?:bonjour|bonsoir|salut),? )?(?:permettez-moi de me presenter|je me presente|laissez-moi me presenter) ?[,:—–-]? ?(?:moi c'est |je suis )?", ("me presente",), "clause", "sure name"),
    ),
    "russian": (
        Trigger("proper_noun", r"(?:(?:мо|наш|нов)[а-я]{1,4})(?: [а-я-]+){1,4}? (?:зовут|звать|кличут|называется|называют)(?: теперь)?(?: [—–-])?", ("зовут", "звать", "кличут", "называ"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:наш|мо)[а-я]{1,4}(?: нов[а-я]{2,3})?(?: (?!любим)[а-я-]+){1,3}? ?[—–-](?= [а-я]+(?: [а-я]+(?:вна|вич|ична|ова|ева|ина|ов|ев|ин|ко|ский|ская|ян|дзе|ен|ук|юк)\b|(?: [а-я]+)?[,.!]))", ("—", "–", "-"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:проект|продукт|приложение|компания|фирма|стартап|команда|бренд|группа|магазин|кафе)(?: [а-я-]+){0,2}? (?:называется|назвали|будет называться)", ("назыв", "назвали"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:(?:мы |я )?(?:назвал[аи]?|назвали|окрестили) (?:ее |его |проект |щенка |котенка |кота |собаку |кошку |дочь |дочку |сына |малыша ))", ("назвал", "окрестили"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:привет(?:ик)?|здравствуй(?:те)?|добрый (?:день|вечер)|доброе утро|приветствую|хай|здрасте|салют)[,!.]? (?:(?:это|я|меня зовут)(?: снова| опять)?(?: [—–-])?)", ("это ", "я ", "зовут"), "sentence", "name"),
        Trigger("proper_noun", r"(?:имя|кличка|название) (?:нашего|нашей|моего|моей|нового|новой)(?: [а-я-]+){1,3} ?[—–:-]", ("имя", "кличка", "название"), "clause", "sure name"),
    ),
    "turkish": (
        Trigger("proper_noun", r"(?:iyi (?:gunler|aksamlar)|merhaba|selam|gunaydin)[,!.]? (?=[\w']+ ben(?:[,.!]|$))", (" ben,", " ben."), "clause", then="name"),
        Trigger("proper_noun", r"~(?:[\w']+ ){0,4}?\w+(?:[iu]m[iu]z[iu]n|[iu]m[iu]n|m[iu]z[iu]n|m[iu]n) (?:yeni )?(?:tam )?(?:adi|ismi|soyadi)", (" adi", " ismi", "soyadi"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:(?:yeni|bizim) )?(?:[\w']+ ){0,2}?(?:proje|sirket|urun|uygulama|ekip|takim|marka|dukkan|mudur|ogretmen|komsu|ev sahibi|doktor|bebek|kedi|kopek|asistan|stajyer)\w{0,3}n[iu]n (?:adi|ismi)", (" adi", " ismi"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:yeni|bizim) (?:[\w']+ ){0,2}?[\w']+(?= [\w']+(?: [\w']+)? (?:adinda|isimli|adli|diye biri)\b)|(?:adini|ismini)(?= [\w']+ koyduk\b)", ("adinda", "isimli", " adli", "diye biri", "koyduk"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:slm|selam(?:lar)?|merhaba(?:lar)?|mrb|iyi (?:gunler|aksamlar)|gunaydin|sa|alo|hey)[,!.]? ?(?:ben)", (" ben ",), "sentence", "name"),
    ),
    "uzbek": (
        Trigger("proper_noun", r"~(?:[\w']+ ){0,4}?[\w']+(?:imizning|imning|mizning|mning) (?:yangi )?(?:to'liq )?(?:ismi|oti|nomi|laqabi)", (" ismi", " oti", " nomi", "laqabi"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:loyiha|kompaniya|mahsulot|ilova|jamoa|brend|do'kon|direktor|yangi [\w']+)\w{0,3}ning (?:ismi|oti|nomi)", (" ismi", " oti", " nomi"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:[\w']+(?:imizning|mizning|imning|mning) yangi [\w']+|yangi [\w']+(?:imiz|miz)?)(?= [\w']+(?: [\w']+)? (?:degan|ismli|deb ataladi)\b)", ("degan", "ismli", "ataladi"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:salom|assalomu alaykum|slm|hayrli kun|xayrli (?:kun|tong|kech)|alo)[,!.]? ?(?:men|bu)(?! [\w']+(?:da|dan|ga|ni|ning)\b)", (" men ", " bu "), "sentence", "name"),
        Trigger("proper_noun", r"(?:meni|menga)(?= [\w']+(?: (?:opa|aka|xola|amaki|ustoz))? (?:desangiz|desang|deb|deyishingiz|deyish|deyavering|deng)\b)", ("meni ", "menga "), "clause", "name"),
    ),
    "chinese": (
        Trigger("proper_noun", r"(?:我们|我們|咱们|我家|我的?|公司|部门|团队|班上|小区|隔壁)?(?:新来的?|新任的?|新上任的?|新招的?|新)(?!建|增|的一|版)[^\n，。！？,、他她什]{1,10}?(?:叫做?|名叫|名字(?:叫|是)|是叫)(?!我|你|什么|什麼|了|去|来|不|人)", ("叫", "名字"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:我们|我們|咱们|我家|我的?)(?:的|这个|新)?[^\n，。！？,、他她什函变文]{0,6}?(?:项目|專案|公司|产品|產品|店|品牌|团队|團隊|乐队|应用|小程序|工作室|宝宝|猫|狗|房东|客户|老师|老板|邻居|保姆|教练)(?:的名字)?(?:叫做?|名叫|名字(?:叫|是)|取名(?:叫|为)?)(?!我|你|什么|什麼|了|去|来|不|人)", ("叫", "名"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:这个|這個|这)?(?:项目|專案|公司|产品|產品)(?:的名字)?(?:叫做?|名叫|名字(?:叫|是))(?!我|你|什么|什麼|了|去|来|不)", ("叫", "名字"), "clause", "sure name"),
        Trigger("proper_noun", r"(?:给|給|帮)(?:它|他|她|狗|猫|小狗|小猫|宝宝|女儿|儿子|项目|公司|店)(?:取名|起名)(?:叫|为)?", ("取名", "起名"), "anywhere", "sure name"),
    ),
    "japanese": (
        Trigger("proper_noun", r"(?:新しい|新任の|今度の|うちの|弊社の|私の|僕の|私たちの|担当の|同じ部署の)[^\n、。はが]{1,12}?(?:の方)?(?:は|が)、?(?=[\w・ー]{1,10}(?:さん|様|氏|くん|ちゃん|先生)?(?:と(?:おっしゃ|いい|言い|いう|申)|という(?:名前|方|者|人)|っていう|って(?:いい|言い|名前)))", ("おっしゃ", "いい", "言い", "という", "申", "って"), "anywhere", "sure name"),
        Trigger("proper_noun", r"(?:プロジェクト|製品|商品|会社|アプリ|チーム|サービス|お店|ブランド|バンド|担当者|上司|店)(?:の)?(?:名前|名)は", ("名前は", "名は"), "anywhere", "sure name"),
        Trigger("proper_noun", r"(?:名前を|名前は)(?=[\w・ー]{1,10}(?:にしました|にした|と名付け|に決め))|(?:犬|猫|子|息子|娘|プロジェクト|会社)に(?=[\w・ー]{1,10}(?:と名付け|という名前))", ("名前を", "名前は", "名付け", "という名前"), "anywhere", "sure name"),
        Trigger("proper_noun", r"(?:(?:こんにちは|こんばんは|はじめまして|初めまして|お世話になって(?:い|お)ります|おはようございます|おはよう|どうも|もしもし|お疲れ様です)[、。!！\s]{0,3})?(?=(?:[一-鿿]{0,3}[田林木村本川藤井山野島嶋口崎原橋上下谷岡沢澤石森池辺邊倉浦坂松尾塚水宮丸西東北南瀬保関堀平杉葉根城津部屋間]|[ァ-ヴー]{2,8}|[一-鿿]{1,2}[太郎美介也樹香奈恵斗真希翔子菜花輝平一二司夫雄])(?:です|だよ|と申します|でございます|っす)(?:[。、,!！\s]|$))", ("です", "だよ", "と申", "でござ", "っす"), "sentence", "sure name"),
    ),
}  # fmt: skip
"""The triggers of each language."""
