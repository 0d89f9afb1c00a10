"""The words by which a message announces play, fiction or a text to compose, in lower case without accents."""

from __future__ import annotations

_CLAUSE = r"(?:^|[.!?;:,…\n(—–-][^\S\n]{0,3}|[。！？，、])"
_LEAD = (
    r"(?:(?:ok|okay|so|hey|hi|hello|now|alright|please|pls|time for|let'?s|let us|can we|could we|shall we|wanna|want to"
    r"|we'?re|going to|i want to|i'?d like to|some|quick|little|another|round of|game of|do|play|start|try|have|an?|the|this is"
    r"|wir|machen|lass|lasst|uns|mal|jetzt|kleines|ein|bitte|hallo|komm|also|starten"
    r"|on fait|on se fait|faisons|allez|bon|petit|mini|lance|lancons|on lance|un|une|le|si on faisait|salut"
    r"|hola|vamos a|hacemos|hagamos|hacer|una|vale|bueno|venga|empezamos|pequen[oa]|oi|ola|vamos|bora|fazer|de|um|uma|entao"
    r"|давай(?:те)?|сделаем|начнем|устроим|привет|небольшая|haydi|hadi|gel|bir|kel(?:ing)?|biz|yana|好|那|我们|咱们|来)[ ,]{0,2}){0,6}"
)
_SPORT = (
    r"(?! ?(?:every|each|a lot|often|on |jede|oft|gern|immer|seit|am |im |tous|souvent|chaque|au |aux |todos|cada|siempre|sempre"
    r"|futbol|fussball|fußball|tennis|chess|schach|cards|karten|music|musik|по |кажд|часто|в (?:футбол|хоккей|шахматы|теннис|волейбол|карты|дот|кс)))"
)
ANNOUNCES_PLAY = (
    rf"{_CLAUSE}{_LEAD}(?:role[- ]?play(?:ing)?(?! (?:games?|servers?))|rollenspiel\b|jeu de role\b|(?:juego|partida) de rol\b"
    r"|jogo de (?:papeis|interpretacao)|rpg\b|ролев(?:ая|ую|ка|ку)\b|improv\b|cosplay\b)"
    rf"|{_CLAUSE}(?:(?:ok|okay|so|now|hey|und|also|hey|bon|allez|venga|bora|ну|а|so|hadi|haydi|gel|kel) ?,? )?(?:"
    rf"let'?s (?:play|act|improvise|pretend|do (?:a|an|some) (?:scene|skit|improv|sketch)){_SPORT}|pretend (?:we'?re|we are|i'?m|i am)"
    rf"|(?:wir spielen|spielen wir|lass(?:t)? uns (?:\w+ ){{0,3}}spielen){_SPORT}"
    rf"|(?:on joue|jouons|on va jouer|on dirait que|on disait que|si on jouait)(?! (?:tous|souvent|chaque|au |aux (?:echecs|cartes|jeux|dames)))"
    rf"|(?:juguemos|vamos a jugar|jugamos a|hagamos (?:teatro|como que)|interpretemos|actuemos){_SPORT}"
    rf"|(?:(?:bora|vamos) (?:jogar|brincar|encenar|interpretar|fingir|fazer de conta)){_SPORT}"
    rf"|(?:играем|поиграем|сыграем|разыграем|отыграем|давай(?:те)? (?:по|с|разы|от)?игра(?:ем|ть)){_SPORT})"
    r"|\b(?:stay|be|speak|answer|talk|remain) in character\b|\bfaz(?:er)? de conta\b"
    r"|\bcanlandirma (?:yap|zamani|oyna)|\brol (?:yapalim|yapiyoruz|oyna(?:yalim|yacagiz|ylik|ymiz|yapmiz)|o'yna)|\boyun oynayalim\b"
    r"|\b(?:rol|rolli|sahna)\w* (?:o'yin|[^.!?\n]{0,12}o'yna(?:ymiz|ylik))|\bkel(?:ing)?,? [^.!?\n]{0,25}o'yna(?:ymiz|ylik)\b"
    r"|(?<![欢爱厌玩歡愛])角色扮演(?!游戏|类)|(?:来|咱们|我们|咱俩)(?:一起)?(?:来)?演|(?:玩|来)(?:一?[个场段出])?(?:过家家|剧本杀|情景剧|cosplay|小剧场)|[你我](?:来)?(?:扮演|饰演|演(?:一?[个位]|刚|那|我|你))"
    r"|ごっこ(?:遊び)?(?:を)?(?:し|だ|ね|開始|やろ|やり|。|！)|ロールプレイ(?!ング|ヤ)|なりき(?:って|り)|(?:役|を|で)演じて|役(?:ね|をやって|をして|をお願い|でお願い|な[、。]|で[、。])|寸劇|即興劇"
)
"""A message with such a clause is play: none of it is stated of its user."""

_NO_PART = r"(?!\w*(?:ai|best|expert|assistant|bot|model|one|only|reason|greatest|experte|beste|meilleure?|mejor|melhor|assistente?|ассистент|помощник|лучш\w*)\b)"
_AND = r"[^.!?\n]{0,70}?(?:[,;.!:]| and| und| et| y| e| и| а| ve| va)[^\S\n]{0,2}(?:(?:and|und|et|y|e|и|а|toi|moi|yo|eu) )?"
_YOU_PLAY = (
    rf"\b(?:you(?:'re|'ll be|r| are| be| play| will be)|du (?:bist|spielst)|(?:toi,? )?(?:tu es|t'es|tu seras|tu joues|tu fais)|(?:tu|vos) (?:eres|sos|seras|haces de)"
    rf"|(?:tu|voce|vc) (?:es|e|sera|seras|faz|fazes|vai ser)) (?:jetzt |mal )?(?:the|an?|my|der|die|das|ein|eine|mein|meine|le|la|l'|un|une|mon|ma|el|mi|o|um|uma|meu|minha)[ ]?(?=\w){_NO_PART}"
)
_I_PLAY = (
    r"(?:i'm|im|i am|i'll be|i play|ich bin|ich spiele|je suis|j'suis|je serai|je joue|(?:yo )?soy|(?:eu )?sou)"
    r" (?!\w+ing\b|not\b|nicht\b|pas\b|vegan|vegetar|allerg|celiac|diabet)\w"
)
PLAYS_PARTS = (
    rf"{_YOU_PLAY}{_AND}{_I_PLAY}|\b{_I_PLAY}{_AND}{_YOU_PLAY}"
    r"|\bты (?:[—–-] )?(?!\w*(?:шь|шься)\b)[а-я]{4,}(?: [а-я]+)?,? (?:а )?я (?:[—–-] )?[а-я]{5,}[.,:!]"
    r"|\bя (?:[—–-] )?[а-я]{4,}(?: [а-я]+){0,3},? а? ?ты (?:[—–-] )?(?!\w*(?:шь|шься)\b)[а-я]{4,}"
    r"|\bben (?:de )?[^.!?\n]{2,50}?[\w'](?:y?[iu]m|y?um)\b[^\n]{0,120}?\bsen (?:de |ise )?[^.!?\n]{2,50}?s[iu]n\b(?!iz)"
    r"|\bsen (?:de |ise )?[^.!?\n,]{2,50}?s[iu]n,? (?:ve )?ben (?:de )?[^.!?\n,]{2,40}?(?:y?[iu]m)\b"
    r"|\bmen (?:esa )?[^.!?\n]{2,50}?man\b[^\n]{0,120}?\bsen (?:esa )?[^.!?\n]{2,40}?(?:san|bo'l)\b|\bsen (?:esa )?[^.!?\n,]{2,40}?san,? men (?:esa )?[^.!?\n,]{2,40}?man\b"
    r"|你(?:是|当|做)(?!不|谁|吗|ai|人工|助手|机器)[^，。！？吗不]{1,12}[，,。；][^\S\n]?我(?:是|当|来当|做)|我(?:是|当)[^，。！？]{1,14}[，,。；][^\S\n]?你(?:是|就是|来当|当)(?!不|谁|吗|ai|人工)"
)
"""A part for the agent beside one for the user."""

_WORK = (
    r"(?:series|show|sitcom|film|movie|book|novel|game|story|anime|manga|comic|fanfic\w*|screenplay|musical|serie|buch|roman|spiel|geschichte|krimi"
    r"|livre|jeu|histoire|bd|pelicula|peli|libro|novela|juego|cuento|filme|livro|romance|jogo|novela|conto|hq"
    r"|сериал\w*|фильм\w*|книг\w+|роман\w*|игр\w+|аниме|манг\w+|рассказ\w*|повест\w+)"
)
OF_FICTION = (
    rf"{_CLAUSE}(?:in|im|na|no|dans|en|в|nel)(?: (?:the|this|that|my|our|der|dem|diesem|dieser|meinem|meiner|la|le|les|ce|cette|mon|ma|el|esta|este|mi|a|o|minha|meu|этом|этой|моем|моей))? ?{_WORK}(?: [\w«»\"'-]+){{0,4}}?,"
    r"|\b(?:my|our) (?:[\w-]+ )?(?:main )?(?:characters?|protagonist|heroine|oc|narrator|antagonist|villain)\b|\bthe (?:main character|protagonist|narrator|antagonist)\b"
    r"|\b(?:mein\w*|unser\w*) (?:\w+ )?(?:hauptfigur|romanfigur|figur|protagonist\w*|heldin|ich-erzahler\w*)\b|\b(?:mon|ma|notre) (?:\w+ )?(?:personnage|heroine|heros|narrat\w+|protagoniste)\b"
    r"|\bmi (?:\w+ )?(?:personaje|protagonista|narrador\w*|heroina)\b|\b(?:meu|minha) (?:\w+ )?(?:personagem|protagonista|narrador\w*|heroina)\b"
    r"|\b(?:мо[ийяей]\w*|главн\w+) (?:персонаж|геро[ийня]\w*|протагонист)\w*|\b(?:karakterim|kahramanim|romanimdaki|hikayemdeki|dizide|filmde|romanda|kitapta|oyunda) "
    r"|\b(?:qahramonim|romanimda|hikoyamda|serialda|kinoda|filmda|kitobda|romanda|o'yinda) |(?:小说|小說|漫画|电影|电视剧|剧|动画|游戏|故事|剧本)(?:里的?|中的?|的)(?:主角|女主|男主|角色|主人公|人物|[^，。]{0,6}(?:讨厌|喜欢|住))|我的?(?:角色|人设|oc)"
    r"|(?:漫画|小説|アニメ|ゲーム|ドラマ|映画|物語|脚本|創作)(?:の|で|では|の中)[^。\n]{0,20}?(?:主人公|ヒロイン|ヒーロー|キャラ|登場人物|役)|(?:主人公|ヒロイン|キャラ(?:クター)?|登場人物)(?:の|は|が)[^。\n]{0,60}設定|うちの子(?:は|の)[^。\n]{0,40}設定"
)
"""The rest of a paragraph is about a work, or a character of it."""

_TEXT = (
    r"(?:e-?mails?|mails?|messages?|msgs?|sms|texts?|whats ?app\w*|dms?|tweets?|posts?|captions?|bio|profiles?|ads?|adverts?|advertisement|listing|speech|toast|letters?|repl(?:y|ies)"
    r"|cards?|invitations?|vows?|poems?|verses?|songs?|lyrics|rap|stor(?:y|ies)|monologues?|dialogues?|reviews?|about me|blurb|essays?|diary entry|haiku|notice|complaint|scene|limerick|notes? (?:to|for)"
    r"|nachricht|brief|text|beitrag|anzeige|inserat|rede|profil(?:text)?|steckbrief|gedicht|geschichte|lied\w*|karte|einladung|antwort|bewerbung|anschreiben|beschwerde|\w+(?:brief|text|post|mail|anzeige|rede|gedicht|nachricht|karte|profil)"
    r"|messages?|lettre|mot|courriel|annonce|discours|profil|poeme|histoire|chanson|carte|invitation|reponse|texto|legende|candidature"
    r"|mensaje|carta|correo|texto|anuncio|discurso|perfil|biografia|poema|cuento|cancion|tarjeta|invitacion|respuesta|publicacion|estrofa|nota (?:para|a)|presentacion"
    r"|mensagem|recado|bilhete|texto|legenda|anuncio|perfil|poema|conto|musica|cartao|convite|resposta|publicacao|depoimento|apresentacao"
    r"|письм\w+|сообщени\w+|смс\w*|текст\w*|пост\w{0,2}|объявлени\w+|речь|анкет\w+|профил\w+|стих\w*|стишок|рассказ\w*|песн\w+|открытк\w+|приглашени\w+|ответ\w*|отзыв\w*|сторис|записк\w+|тост|описани\w+)\b"
    r"(?! (?:function|script|class|parser|validator|client|queue|handler|server|service|app|address|field|input|box|editor|format|model|component|table|schema|endpoint|page|list|template engine)s?\b)"
)
_FEW = r"(?:(?! always| never| immer| siempre| sempre| toujours| всегда) [\w'«-]+){0,6}?"
_COMPOSES = (
    r"(?:(?:write|draft|compose|phrase|word|create|generate|come up with|prepare|make|do)(?: (?:me|us|up))? (?:an?|the|my|another|one|some|this|that|our|his|her)\b"
    r"|(?:schreib|formulier|verfass|entwirf|dichte|mach|erstell)\w{0,2}(?: (?:mir|uns|mal|bitte|doch|kurz))*(?: (?:eine?n?|ne|nen|n|den|die|das|meine?n?|unsere?n?|kurze?n?|'?ne))"
    r"|(?:ecris|ecrivez|redige|redigez|compose|prepare|fais|faites)(?:-(?:moi|nous))?(?: (?:un|une|le|la|l'|mon|ma|ce|cette|des))"
    r"|(?:escribe|escribi|escribeme|escribime|redacta|redactame|hazme|haceme|haz|prepara|preparame|compon|componme|inventa|inventame|armame)(?: (?:un|una|el|la|mi|otro|otra))"
    r"|(?:escreve|escreva|redige|redija|faz|faca|cria|crie|monta|bola|prepara)(?:-me| (?:para|pra) mim| ai)?(?: (?:um|uma|o|a|meu|minha|outr[oa]))"
    r"|(?:напиши|составь|придумай|сочини|набросай|сформулируй|подготовь|сделай)(?:те)?(?: (?:мне|нам|пожалуйста|короткое|от моего имени))*)"
)
COMPOSES_TEXT = (
    rf"\b{_COMPOSES}{_FEW} {_TEXT}"
    r"|\b(?:write|draft|tell|text|message|e-?mail)(?: to)? (?:my|our|the|her|him|them) (?:[\w'-]+ ){0,3}?(?:that|saying)\b|\bschreib\w{0,2} (?:bitte |mal )?(?:meine[mrn]|unsere[mrn]|der|dem|ihm|ihr) [^.!?\n]{0,40}?,? dass\b"
    r"|\b(?:ecris|dis|reponds)(?:-lui)? a (?:mon|ma|mes|la|le) [^.!?\n]{0,40}? (?:que|qu')|\b(?:escribe(?:le)?|dile|respondele|diga|diz|escreve|responde) (?:a|ao|para|pro|pra) (?:mi|meu|minha|la|el|o|a) [^.!?\n]{0,40}? que\b"
    r"|\b(?:напиши|ответь|скажи)(?:те)? (?:мо\w+|наш\w+|е[йм]у?) [^.!?\n]{0,40}?,? что\b"
    r"|(?:帮我|替我|给我|请|麻烦)?(?:写|寫|拟|擬|编|起草|想|润色出)(?:一?[段封条篇份个則句首]|个)[^，。！？：:]{0,16}?(?:介绍|邮件|信|消息|微信|短信|朋友圈|文案|帖子|简介|发言|稿|诗|歌词|故事|广告|启事|留言|祝福|评论|作文|情书|台词|致辞|自介|资料|通知|请柬|对话|独白)"
    r"|(?:给|跟|替我)[^，。！？]{1,10}(?:发|写|回)(?:一?[段封条个])?(?:微信|消息|短信|邮件|信)"
)
"""What follows in the paragraph is the text."""
COMPOSES_TEXT_AT_END = (
    r"(?:文|文面|文章|メール|手紙|メッセージ|line|ライン|投稿|ツイート|紹介文?|プロフィール文?|自己紹介|スピーチ|挨拶|歌詞|詩|物語|小説|返信|返事|広告|募集文|案内|カード|台本|セリフ|台詞|作文|日記|レビュー|キャプション|コメント)(?:を|の案を|案を|で)?[^。、！？\n]{0,10}?(?:考えて|書いて|作って|作成して|下書きして|まとめて|お願い)(?!い(?:ます|る|た))"
    r"|\b(?:mesaj|mektup|mektub|e-?posta|mail|metin|metni|metnini|gonderi|tweet|ilan|konusma|profil yazisi|biyografi|siir|hikaye|not|davetiye|kart|yazi|yazisi|whatsapp|sms|paylasim|tanitim|dilekce|cevap)\w* (?:[\w'-]+ ){0,2}?(?:yaz|yazin|yazar misin|yazsana|yazabilir misin|hazirla|hazirlar misin|olustur|uydur|kaleme al)\b"
    r"|\b(?:xat|xabar|matn|post|e'lon|nutq|she'r|hikoya|profil|tabrik|taklifnoma|sms|javob|maqola|ariza|tarjimai hol|bio|insho|qo'shiq)\w* (?:[\w'-]+ ){0,2}?(?:yoz|yozing|yozib ber\w*|tuz|tuzib ber\w*|tayyorla\w*|to'qi\w*|o'ylab top\w*)\b"
)
"""The sentence before its verb, and what follows in the paragraph, is the text."""
TELLS_CONTENT = (
    r"(?:という|っていう|みたいな|ような|旨の?|(?:と|って)(?:伝え|書い|言|知らせ|断)\w{0,4}|内容の|こと(?:を|が|について)[^。\n]{0,16})[^。、\n]{0,8}$|(?:という|っていう|みたいな|ような|旨|内容)"
    r"|\b(?:diyen|belirten|anlatan|soyleyen|yazan|bildiren|iceren|oldugumu|\w{2,20}(?:digimi|dugumu|tigimi|tugumu|digimizi|dugumuzu))\b|\b(?:degan|haqidagi|ekanimni|deb|\w{2,20}(?:ganimni|shimni|ganligimni))\b"
)
"""What a text is to say, before the noun of the text."""
TELLS_TOPIC = r"(?:宛てに|宛に|あてに|さんに|様に)、?[^。\n]{2,80}?(?:という(?:内容|旨|趣旨)|(?:旨|趣旨))の"
"""A receiver, and what a text to them is to say, which may be a rule for them."""
NO_REQUEST_BEFORE = (
    r"(?:\b(?:i|we|they|he|she|never|always|when(?:ever)? (?:you|i)|if (?:you|i)|don'?t|not|often|usually|(?:love|like|hate) to|every time (?:you|i)|each time (?:you|i)"
    r"|ich|wir|wenn (?:du|ich)|je|j'|quand (?:tu|je)|(?:si|cuando|quando|se) (?:me|te|voce|eu|tu|yo)?|que|no|nao|ne|не|когда|если|nie|nunca|jamais|jamas|siempre|sempre|toujours|immer|всегда|никогда) ?)$"
)
GENERAL = (
    r"\b(?:from now|in (?:the )?future|going forward|whenever|every time|each time|always|ab (?:jetzt|sofort)|kunftig|jedes mal|immer wenn|wenn (?:du|ich)|a partir de (?:ahora|agora|maintenant)|en adelante|cada vez"
    r"|siempre que|sempre que|daqui|desormais|dorenavant|chaque fois|a l'avenir|впредь|отныне|каждый раз|bundan (?:sonra|boyle|keyin|buyon)|her (?:zaman|seferinde)|har (?:doim|safar|gal|bir)|her bir|doimo?|asla|hech qachon|mutlaka|hep|albatta)\b"
    r"|以后|今后|每次|总是|一律|今後|これから|毎回|以降|たびに|(?:とき|時|際|場合|たら)(?:は|に|、)"
)
"""A mark of a standing request, which is not a request of one text."""
OWN_AGAIN = (
    r"\s*(?:(?:also|and|but|oh|ok|okay|ps|p\.s\.?|ah|und|et|y|e|и|а|ve|va)[ ,:]+){0,3}(?:from now on|in (?:the )?future|going forward|by the way|btw|remember that|außerdem|ubrigens|ab (?:jetzt|sofort)|in zukunft|kunftig|merk dir"
    r"|por cierto|de ahora en adelante|en adelante|a partir de (?:ahora|agora|maintenant)|recuerda|alias|a proposito|daqui (?:pra|para|em)|lembra|au fait|d'ailleurs|desormais|dorenavant|retiens|кстати|впредь|отныне|запомни"
    r"|bu arada|bundan (?:sonra|boyle|keyin|buyon)|unutma|aytgancha|esda|对了|另外|顺便|以后|今后|记住|ちなみに|今後|これから|ところで|あと、)"
)
"""The start of a sentence that is the user's own again after a text."""
QUOTED_LINES = (
    r"(?m)^[^\S\n]{0,4}(?:\"[^\"\n]{1,300}(?:\n[^\"\n]{1,300}){1,30}\"|“[^”\n]{1,300}(?:\n[^”\n]{1,300}){1,30}”"
    r"|„[^“”\n]{1,300}(?:\n[^“”\n]{1,300}){1,30}[“”]|«[^»\n]{1,300}(?:\n[^»\n]{1,300}){1,30}»|「[^」\n]{1,300}(?:\n[^」\n]{1,300}){1,30}」)"
)
"""A quotation of several lines, such as a verse."""

PLAY_SIGNS = (
    "role", "rol", "rpg", "let's", "lets ", "pretend", "in character", "improv", "cosplay", "spiel", "jou", "jeu", "dirait", "disait", "jug", "teatro", "interpret",
    "actuemos", "jog", "brinc", "encen", "fingir", "de conta", "игра", "ролев", "ыгра", "canlandir", "oyna", "o'yna", "演", "扮", "过家家", "剧", "ごっこ", "ロールプレイ", "なりき", "役",
)  # fmt: skip
PART_SIGNS = (
    "you're", "youre ", "you are", "you play", "you be", "you'll", "you will be", "your ", "du bist", "du spielst", "tu es ", "t'es ", "tu seras", "tu joues", "tu fais", " eres ", " sos ", " seras ", "voce ", "vc ", " tu e", "tu faz",
    "ты ", "sen ", "你",
)  # fmt: skip
FICTION_SIGNS = (
    "series", "show", "sitcom", "film", "movie", "book", "novel", "game", "story", "anime", "manga", "comic", "fanfic", "screenplay", "musical", "serie", "buch", "roman", "spiel",
    "geschichte", "krimi", "livre", "jeu", "histoire", " bd", "pelicula", "peli", "libro", "juego", "cuento", "livro", "jogo", "conto", " hq", "сериал", "фильм", "книг", "роман", "игр", "аниме", "манг",
    "рассказ", "повест", "character", "protagonist", "heroine", " oc", "narrat", "antagonist", "villain", "figur", "heldin", "ich-erzahler", "personnage", "heros", "personaje", "heroina", "personagem",
    "персонаж", "геро", "протагонист", "karakter", "kahraman", "hikaye", "dizide", "kitap", "oyunda", "qahramon", "hikoya", "serial", "kinoda", "kitob", "o'yinda", "小说", "小說", "漫画", "电影", "电视剧", "剧",
    "动画", "游戏", "故事", "角色", "人设", "我的oc", "我oc", "小説", "アニメ", "ゲーム", "ドラマ", "映画", "物語", "創作", "主人公", "ヒロイン", "キャラ", "登場人物", "うちの子",
)  # fmt: skip
COMPOSE_SIGNS = (
    "write", "draft", "compose", "phrase", "word ", "create", "generate", "come up", "prepare", "make", "do ", "tell", "text", "message", "mail", "schreib", "formulier", "verfass", "entwirf", "dichte", "mach",
    "erstell", "ecri", "redige", "fais", "faites", "dis ", "dis-", "reponds", "escrib", "redacta", "haz", "haceme", "prepara", "compon", "inventa", "armame", "dile", "respond", "diga", "diz ", "escrev",
    "redija", "faz ", "faz-", "faca", "cria", "crie", "monta", "bola", "напиши", "составь", "придумай", "сочини", "набросай", "сформулируй", "подготовь", "сделай", "ответь", "скажи", "写", "寫", "拟", "擬", "编", "起草",
    "想", "润色", "发", "回",
)  # fmt: skip
COMPOSE_AT_END_SIGNS = (
    "考えて", "書いて", "作って", "作成して", "下書きして", "まとめて", "お願い", " yaz", " hazirla", " olustur", " uydur", "kaleme al", " yoz", " tuz", " tayyorla", " to'qi", " o'ylab top",
)  # fmt: skip
