"""Words of ten languages by which `is_unmeant` tells what is not meant, as patterns over folded text."""

from __future__ import annotations

WITHHELD = (
    r"\b(?:not|n't|never) (?:to |really )?(?:say|disclose|reveal|specify|mention|go into|get into|tell (?:you|anyone|people|how|what|where|my)|name"
    r"|(?:share|give|discuss|state|talk about|answer) (?:out )?(?:my|our|any|the|that|this|you|how|what|where|details|names?|numbers?|personal|private|it))\b"
    r"|\bkeep [^\n,.;]{1,30}? (?:private|to myself|between|confidential|secret)\b"
    r"|\bno (?:decir|revelar|mencionar|especificar|contar|comentar|entrar en|facilitar|detallar|desvelar|precisar|hablar de|(?:dar|compartir) (?:mi|mis|nombres?|detalles|datos|el|la|cifras))"
    r"|\bnao (?:dizer|revelar|mencionar|especificar|contar|comentar|entrar em|informar|divulgar|detalhar|falar (?:de|do|da|sobre)|(?:dar|partilhar|compartilhar|passar) (?:o|a|os|as|meu|minha|meus|nomes?|detalhes|dados|isso))"
    r"|\bne (?:pas|rien) (?:en |vous |te |le |la |l')?(?:dire|reveler|mentionner|preciser|communiquer|divulguer|entrer dans|parler de|evoquer|(?:donner|partager) (?:mon|ma|mes|de|le|la|les|d'))"
    r"|\b(?:lieber |ungern |gern(?:e)? )?nicht (?:\w+ )?(?:sagen|verraten|nennen|angeben|preisgeben|erwahnen|verrate|mitteilen|offenlegen|daruber (?:reden|sprechen)|darauf eingehen)"
    r"|\b(?:verrat|sag|nenn|erzahl|geb)\w* ich [^\n,.;]{0,30}?(?:nicht|ungern)\b|\bungern (?:sagen|nennen|preisgeben|verraten|angeben)|\bfur mich (?:behalten|behalte)\b|\bbehalte ich [^\n,.;]{0,20}fur mich"
    r"|\bне (?:говорить|называть|уточнять|раскрывать|указывать|сообщать|делиться|рассказывать|упоминать|отвечать|озвучивать|вдаваться|распространяться|сказать|назвать)"
    r"|(?:soylememe|aciklamama|paylasmama|belirtmeme|bahsetmeme|anlatmama|vermeme)(?:yi|m|si)|(?:soylemek|aciklamak|paylasmak|belirtmek|bahsetmek|anlatmak|girmek) istem"
    r"|(?:ayt|oshkor qil|bildir|ko'rsat|ber|gapir|ochiqla)ma(?:slik|ganim|sligim)|(?:aytish|oshkor qilish|gapirish|bildirish)(?:ni|ga) (?:xohlama|istama|yoqtirma)|aytgim kelma"
    r"|不(?:太|大|便|愿|願|想|方便|去|要){0,3}(?:说|說|透露|告诉|告訴|公开|公開|提及|回答|谈|談|讲(?!究))|保密"
    r"|(?:言い|話し|答え|明かし|伝え|教え|公開し|触れ)(?:たく|にく|づら)|(?:言わ|話さ|明かさ|触れ|答え|教え)(?:ない|ず)(?:で|に)?(?:ほうが|方が|おき|いたい|おく)|伏せ(?:て|たい)|(?:回答|明言)(?:は)?(?:控え|避け)"
)
SARCASM = (  # unmistakable by itself
    r"呵呵|[（(]棒(?:読み)?[）)]|(?:^|\s)/s\b|\byeah,? right\b|\bna toll\b|\bна,? конечно\b|^\W*ага\b|\bjust what i (?:needed|wanted)\b|\bdas hat mir (?:gerade )?noch gefehlt\b|\blo que me faltaba\b"
    r"|\bmanquait plus que\b|\bera so o que (?:me )?faltava\b|\bтолько этого не хватало\b|\bbir bu eksikti\b|\bshu yetmay turgandi\b"
)
EXCLAMATION = (
    r"^\W*(?:oh|ah|ach|ох|ой|ay|uy|bah|well)?,? ?(?:bah )?(?:great|wow|yay|awesome|fantastic|wonderful|lovely|brilliant|perfect|nice|joy|toll|super|klasse|prima|wunderbar|herrlich|fantastisch|genial|que (?:ilusion|bien|maravilla|guay|alegria|maravilha|bom|otimo|legal|delicia|lindo)"
    r"|estupendo|fantastico|perfecto|fenomenal|otimo|maravilha|perfeito|excelente|legal|beleza|magnifique|parfait|formidable|chouette|quel bonheur|quelle joie|la joie"
    r"|класс|супер|отлично|здорово|прекрасно|замечательно|чудесно|ура|красота|ну да|да уж|как мило|harika|sahane|ne guzel|super|mukemmel|muhtesem|cok guzel|zo'r|ajoyib|qoyil|voy|juda soz|barakalla)\b"
    r"|^\W*(?:真棒|太好了|太棒了|好极了|真好|哇|哎哟|棒极了|不错嘛|わー|わあ|いやー|最高|すごい|素晴らしい|やった|さすが)"
)
ADVERSE = (
    r"\b(?:break|broke|crash|fail|bug|error|outage|freez|delet|los(?:es|ing|t)|queue|traffic|jam|delay|cancel|power cut|leak|stuck|spam|meeting|monday|update|noise|wait|deadline|die[sd]?\b|disappear|down\b|reboot|restart|overtime|another|again|rain|tax|late\b|sick)"
    r"|\b(?:cae[n]?\b|cuelg|romp|fall|borra|pierd|cola|atasco|retras|cancel|corte|apag|otra|otro|reunion|lunes|actualiz|espera|ruido|peta|estrope|averi|lluev|imprev|desaparec|bloque)"
    r"|\b(?:cai|trava|quebr|falh|apag|perd|fila|engarraf|transito|atras|cortam|queda|outra|outro|reuniao|segunda|atualiz|espera|barulho|desaparec|some\b|chov)"
    r"|\b(?:lach|plant|panne|casse|tomb|perd|effac|bouchon|retard|annul|coupur|encore|reunion|lundi|mise a jour|attend|bruit|disparai|file d|bloqu|greve|pleut|buggue?)"
    r"|(?:streik|absturz|sturzt|kaputt|fehl|losch|verlier|schlange|stau|verspat|ausfall|fallt\b|schon wieder|noch ein|meeting|montag|update|larm|warte|verschwind|hangt|abgesagt|regnet)"
    r"|(?:пада|слома|лома|глюч|баг|ошиб|удал|теря|пробк|очеред|отмен|отключ|опять|снова|еще од|совещан|понедельник|обновл|шум|жда|пропада|завис|умира|чинить|прод\b|опаздыва|переработ)"
    r"|(?:bozul|cok(?:me|un|tu|er)|hata|sil(?:in|me)|kaybol|kuyruk|trafik|gecik|iptal|kesint|kesil|yine|toplanti|pazartesi|guncelle|gurultu|bekle|don(?:ma|uyor)|arizal|patla|mesai)"
    r"|(?:buzil|xato|o'chib|yo'qol|navbat|tirband|kechik|bekor|uzil|yana|majlis|dushanba|yangilan|shovqin|kut|qotib|ishlamay)"
    r"|(?:断网|断电|崩|bug|报错|出错|堵车|排队|加班|延误|取消|又|开会|周一|更新|吵|等|死机|宕机|坏|丢|失败|卡|故障|停电|修)"
    r"|(?:落ち|障害|バグ|エラー|壊れ|消え|渋滞|行列|遅延|遅れ|キャンセル|停電|また|会議|月曜|更新|待た|フリーズ|残業|失敗|止ま|切れ|詰ま)"
)
WHEN = r"\b(?:when|wenn|cuando|quando|quand|lorsque|когда|как)\b|\w+(?:masina|mesine|masini|mesini|masi|mesi|inca|ince|unca|unce|iganda|ganda)\b|とか|(?:の|時|とき)(?:が|に)|的时候|[了时]"
DISLIKE = r"hate|detest|can'?t stand|dislike|loathe|despise|hass|odi|detesto|no soport|deteste|horreur|ненавиж|терпеть|не люблю|не перенош|nefret|yomon ko'r|讨厌|受不了|嫌|苦手"
PAST = (
    r"\b(?:used to|as a (?:kid|child|teenager)|when i was|back in the day|in the past|fruher|damals|als kind|antes(?! (?:que|de|do|da)\b)|de (?:pequen|nin|joven|crianca|menin)\w*|antigamente|avant(?! (?:de|d'|que|le|la|les|mon|tout)\b)|autrefois|jadis|petit[e]?,"
    r"|раньше|прежде|когда-то|в детстве|eskiden|kucukken|bir zamanlar|cocukken|gencken|ilgari|avvallari|bolaligimda)\b|以前|从前|從前|小时候(?!起)|曾经|曾經|過去|昔|かつて|子供の頃|子どもの頃|若い頃"
)
STILL = (
    r"\b(?:now|today|these days|nowadays|still|since|jetzt|heute|inzwischen|noch|immer|seit|ahora|hoy|sigo|todavia|agora|hoje|ainda|maintenant|aujourd|desormais|toujours|depuis"
    r"|теперь|сейчас|ныне|до сих|simdi|artik|hala|bugun|beri|hozir|endi|hamon)\b|现在|現在|如今|至今|一直|今は|今も|今では|最近は|から(?:ずっと)?"
)
ART = (
    r"(?:functions?|methods?|scripts?|class(?:es)?|endpoints?|api|query|queries|tests?|components?|buttons?|handlers?|modules?|services?|servers?|parsers?|loops?|fields?|columns?|tables?|pages?|forms?|app|bot|programs?|pipelines?|jobs?|validators?"
    r"|cache|hooks?|widgets?|templates?|regex|commands?|workflows?|containers?|database|schema|variables?|parameters?|constructors?|getters?|setters?|callbacks?|middleware|routes?|menus?|dialogs?|inputs?|macros?|formulas?|cells?)"
)
ART_DE = "(?:funktion|methode|skript|script|klasse|endpunkt|api|abfrage|query|test|komponente|button|knopf|handler|modul|dienst|service|server|parser|schleife|feld|spalte|tabelle|seite|formular|app|bot|programm|pipeline|job|cache|befehl|konstruktor|variable|parameter|konstante|makro|formel|zelle)"
ART_ROMANCE = (
    r"(?:func[ti]?ion|funcao|fonction|metodo|methode|script|clase|classe|endpoint|api|consulta|query|requete|prueba|teste?s?|componente?|composant|boton|botao|bouton|handler|modulo?e?|servicio|servico|service|servidor|serveur|parser|bucle|boucle|laco|campo|champ|columna|coluna|colonne|tabla|tabela|table"
    r"|pagina|page|formulario|formulaire|app|bot|programa|programme|pipeline|job|cache|comando|commande|constructor|construtor|constructeur|variable|variavel|parametro|parametre|macro|formula|formule|celda|celula|cellule|punto de acceso|rota|route|ruta|boutons?|hook|rotina)"
)
ART_RU = "(?:функци\\w|метод|скрипт|класс|эндпоинт|ручка|апи|api|запрос|тест\\w?|компонент|кнопка|обработчик|модуль|сервис|сервер|парсер|цикл|поле|колонка|столбец|таблица|страница|форма|приложение|бот|программа|пайплайн|кэш|команда|конструктор|переменная|параметр|макрос|формула|ячейка)"
ART_TR = "(?:fonksiyon|metot|metod|script|betik|sinif|uc nokta|endpoint|api|sorgu|test|bilesen|buton|dugme|isleyici|modul|servis|sunucu|ayristirici|dongu|alan|sutun|tablo|sayfa|form|uygulama|bot|program|pipeline|onbellek|komut|yapici|degisken|parametre|makro|formul|hucre)"
ART_UZ = "(?:funksiya|metod|skript|sinf|klass|endpoint|api|so'rov|test|komponent|tugma|modul|xizmat|servis|server|sikl|maydon|ustun|jadval|sahifa|forma|ilova|bot|dastur|kesh|buyruq|o'zgaruvchi|parametr|makros|formula|katak)"
ART_CJK = (
    "(?:函数|函數|方法|脚本|腳本|类|接口|端点|api|查询|查詢|测试|测试用例|组件|元件|按钮|按鈕|模块|模組|服务|伺服器|服务器|解析器|循环|字段|欄位|列|表格|页面|頁面|表单|表單|应用|程序|程式|缓存|命令|构造器|变量|變數|参数|參數|宏|公式|单元格"
    "|関数|メソッド|スクリプト|クラス|エンドポイント|クエリ|テスト|コンポーネント|ボタン|ハンドラー?|モジュール|サービス|サーバー?|パーサー?|ループ|フィールド|カラム|列|テーブル|ページ|フォーム|アプリ|ボット|プログラム|キャッシュ|コマンド|変数|引数|マクロ|数式|セル)"
)
CLAUSE = r"(?:^|[,;:.!?—–]) ?(?:\w+ ){0,3}?"
SPECIFIED = (  # a part of a program as the subject of what must be
    rf"{CLAUSE}(?:this|that|the|my|our|these|every|each) (?:[\w-]+ ){{0,2}}?{ART} (?:[\w-]+ ){{0,4}}?(?:must|should|shall|has to|have to|needs? to|always|never|is|are|ought to)\b"
    rf"|{CLAUSE}(?:dies\w*|der|die|das|mein\w*|unser\w*|jede\w?) (?:\w+ )?\w*{ART_DE}(?:en|n|s)? (?:[\w-]+ ){{0,3}}?(?:soll\w*|muss\w*|mussen|darf|durfen|immer|nie|niemals|stets)\b"
    rf"|{CLAUSE}(?:esta|este|esa|ese|la|el|las|los|mi|nuestr[oa]|cette|cet|ce|la|le|les|l'|ma|mon|essa|esse|a|o|as|os|minha|meu) ?(?:\w+ )?{ART_ROMANCE}s? (?:[\w'-]+ ){{0,3}}?(?:deb\w+|dev\w+|doi\w*|tiene\w*|tem que|tem de|ha de|precisa|siempre|nunca|jamas|toujours|jamais|sempre)\b"
    rf"|{CLAUSE}(?:эт\w+|данн\w+|наш\w*|мо[йяе]|кажд\w+)? ?(?:\w+ )?{ART_RU} (?:[\w-]+ ){{0,3}}?(?:долж\w+|обязан\w*|всегда|никогда|не долж\w+|пусть)\b"
    rf"|{CLAUSE}(?:bu|su|o|her)? ?(?:\w+ )?{ART_TR}\w* (?:[\w'-]+ ){{0,8}}?\w+(?:s[iu]n|m[ae]l[iı]|mel[iı])\b"
    rf"|{CLAUSE}(?:bu|shu|ushbu|har bir)? ?(?:\w+ )?{ART_UZ}\w* (?:[\w'-]+ ){{0,8}}?\w+(?:sin|shi kerak|shi shart|masligi kerak)\b"
    rf"|(?:^|[，,。；;、 ])(?:请|把|让|这|那|此|该|每|个|個|段|所有|这里的|この|その|あの|各){{0,3}}[^，。、；\s]{{0,6}}?{ART_CJK}(?:[^，。、；]{{0,10}}?)(?:必须|必須|要|应|應|始终|始終|永远|永遠|总|總|得|不能|不可)"
    rf"|(?:^|[。、])(?:この|その|あの|各|すべての|全ての)?[^、。\s]{{0,8}}?{ART_CJK}(?:は|が)(?![^、。]{{0,14}}(?:たら|なら|とき|時は|場合|れば|ときは))"
)
WIDGET = (  # parts of a user interface: the sentence specifies it
    r"\b(?:buttons?|tooltips?|pop-?ups?|modal|dropdown|checkbox|navbar|sidebar|footer|banner|icons?|spinner|boton(?:es)?|casilla|ventana emergente|desplegable|knopf|knopfe|schaltflache|bouton|infobulle|fenetre modale|botao|botoes"
    r"|кнопк\w+|подсказк\w+|иконк\w+|всплывающ\w+|buton\w*|dugme\w*|ipucu\w*|simge\w*|tugma\w*)\b|按钮|按鈕|弹窗|图标|下拉|ボタン|ツールチップ|ポップアップ|アイコン"
)
LASTING_FOR_AGENT = (
    r"\b(?:from now|in future|whenever|every time|when (?:i|you)|you write|your|my projects?|kunftig|in zukunft|ab (?:jetzt|sofort)|wenn (?:ich|du)|a partir de|en adelante|cuando|siempre que|quando|sempre que|daqui|desormais|a l'avenir|quand"
    r"|впредь|отныне|когда|bundan|bundan keyin|her zaman)\b|以后|今后|每次|今後|これから|毎回"
)
FICTION_NOUN = (
    r"(?:stor(?:y|ies)|tales?|poems?|novels?|scenes?|dialogues?|monologues?|jokes?|songs?|lyrics|sketch(?:es)?|screenplays?|plays?|fairy ?tales?|limericks?|haikus?|short story|legends?|fable|rap|verse|chapter|character|villain|hero(?:ine)?"
    r"|geschichten?|marchen|gedichte?|romane?|szene|dialog|monolog|witz|lied|liedtext|sketch|drehbuch|theaterstuck|fabel|krimi|erzahlung|kurzgeschichte|kapitel|figur"
    r"|cuentos?|historias?|relatos?|poemas?|novelas?|escenas?|dialogos?|monologos?|chistes?|cancion(?:es)?|guion|obra|fabula|leyenda|capitulo|personaje|villano"
    r"|contos?|romances?|cenas?|piadas?|cancao|musica|roteiro|peca|fabula|lenda|capitulo|personagem|vilao|versinhos?|cordel"
    r"|histoires?|contes?|poemes?|romans?|scenes?|blagues?|chansons?|scenario|piece|fable|legende|chapitre|nouvelle|personnage|heroine"
    r"|рассказ\w*|истори\w+|сказк\w+|стих\w*|стишок|роман\w*|сцен\w+|диалог\w*|монолог\w*|анекдот\w*|песн\w+|сценари\w+|пьес\w+|басн\w+|легенд\w+|персонаж\w*|геро\w+"
    r"|hikaye\w*|masal\w*|siir\w*|roman\w*|sahne\w*|diyalog\w*|monolog\w*|fikra\w*|sarki\w*|senaryo\w*|oyun metni\w*|fabl\w*|efsane\w*|karakter\w*|oyku\w*"
    r"|hikoya\w*|ertak\w*|she'r\w*|qissa\w*|roman\w*|sahna\w*|dialog\w*|monolog\w*|latifa\w*|qo'shiq\w*|ssenariy\w*|masal\w*|afsona\w*|qahramon\w*)"
)
WRITES = (
    r"(?:write|tell|invent|compose|create|make up|imagine|draft|continue|schreib\w*|erzahl\w*|erfind\w*|dichte|verfass\w*|escrib\w*|cuenta\w*|inventa\w*|redacta\w*|crea|imagina\w*|compon\w*|escrev\w*|conta\w*|inventa\w*|cria|crie|faz|faca|inventa|bola"
    r"|ecri[sv]\w*|raconte\w*|invente\w*|imagine\w*|redige\w*|compose\w*|напиши\w*|сочини\w*|придумай\w*|расскажи\w*|опиши\w*|yaz\w*|anlat\w*|uydur\w*|kurgula\w*|yoz\w*|to'qi\w*|aytib ber\w*)"
)
FICTION_BEFORE = rf"\b{WRITES}\b[^\n.!?;]{{0,80}}?\b{FICTION_NOUN}\b|(?:写|寫|编|編|讲|創作|创作|想|来)(?:一?[个個篇首段则部]|个)?[^，。！？]{{0,12}}?(?:故事|小说|小說|诗|詩|童话|童話|剧本|对话|独白|笑话|歌|歌词|寓言|传说|角色|人物|台词)"
FICTION_AFTER = (
    r"\b(?:hikaye|masal|siir|roman|sahne|diyalog|monolog|fikra|sarki|senaryo|oyku|hikoya|ertak|she'r|qissa|latifa|qo'shiq|ssenariy|tirad)\w* (?:[\w']+ ){0,2}?(?:yaz|anlat|uydur|kurgula|yoz|to'qi|ayt)\w*"
    r"|(?:話|物語|小説|詩|童話|脚本|台本|台詞|セリフ|独白|歌詞|歌|寓話|短編|ストーリー|キャラ(?:クター)?|シーン|漫才|コント)(?:を|に|で)?[^、。]{0,8}?(?:書い|作っ|考え|語っ|お願い|教え|創作)|的(?:故事|小说|诗|童话|剧本|对话|独白)"
)
DRAFT_BEFORE = (  # a message to write, and the mark after which its text follows
    rf"\b{WRITES}\b[^\n.!?;:]{{0,80}}?\b(?:e-?mails?|mails?|messages?|letters?|notes?|posts?|announcements?|notices?|nachricht|brief|aushang|rundmail|correo|mensaje|carta|aviso|nota|mensagem|recado|bilhete|comunicado|courriel|message|lettre|mot|annonce"
    r"|письм\w+|сообщени\w+|объявлени\w+|записк\w+|mail\w*|mesaj\w*|mektup\w*|duyuru\w*|xat\w*|xabar\w*|e'lon\w*)\b[^\n.!?:]{0,60}:|(?:写|寫|发|發|拟|擬|起草)[^，。！？]{0,10}?(?:邮件|郵件|信|消息|通知|公告|短信|留言)[^。！？]{0,8}?[:：]"
    r"|(?:メール|手紙|メッセージ|お知らせ|案内|文面)[^。]{0,8}?(?:書いて|作って|考えて|作成して)[^。]{0,8}?[:：]"
)
ROLE = r"^\W*sen [^,.;]{0,60}\b(?:adinda|isimli|adli|bir)\b[^,.;]{0,60}s[iu]n\b|^\W*sen [^,.;]{0,60}san\b"
THANKS = r"^\W*(?:thanks|thank you|thx|ty|danke|gracias|merci|obrigad[oa]|valeu|спасибо|tesekkur\w*|sag ?ol\w*|rahmat|谢谢|謝謝|多谢|ありがとう\w*|どうも)[^.!?。！？]{0,40}?$"
PROTAGONIST = r"(?:主人公|主角|女主|男主|角色|登場人物|キャラクター)[^，。、！？]{0,4}$"
PRAISED = (
    r"(?:like|love|loved|liked|enjoyed) (?:your|this|that) (?:answer|reply|response|explanation|suggestion|idea)"
    r"|(?:mag|mochte|liebe|gefallt mir) (?:deine|ihre|diese) (?:antwort|erklarung|idee)"
    r"|(?:gust[ao]|encant[ao]|gosto|gostei|adorei|amei|adoro|curti) (?:d[ae]s? )?(?:l[ao] |a )?(?:tu|su|sua|tua|est[ae]|es[ast]e|essa|dessa|desta) (?:respuesta|resposta|explicaci?[ao]n?|explicacao|sugerencia|sugestao|ideia|idea)"
    r"|(?:aime|adore)(?: bien| beaucoup)? (?:ta|ton|votre|cette) (?:reponse|explication|idee|suggestion)"
    r"|(?:нравится|понравил(?:ся|ось|ась)) (?:тво[йе]|твоя|ваш[ае]?|этот|эта|это) (?:ответ|объяснение|идея|предложение)"
    r"|(?:cevab|yanit|aciklama|fikr|oneri)\w*n[iu] (?:cok |gercekten )?(?:sevdim|begendim|seviyorum)|(?:javob|tushuntirish|taklif)ing\w* (?:menga )?(?:juda )?yoqdi"
    r"|(?:喜欢|喜歡|爱)(?:你的|这个|这)(?:回答|答案|解释|建议)|(?:今の|この|その|さっきの|あなたの)(?:答え|回答|説明|提案|アイデア)(?:が|は)(?:とても|すごく)?大?好き(?:です|だ)?"
)
"""A liking of one answer of the agent's."""
NO_OBJECT = (
    r"\b(?:not to|not|no|nao|ne pas|lieber nicht|не) (?:answer|responder|contestar|repondre|antworten|отвечать)\W*$"
    r"|^\W*(?:絶対に?|もう|ちょっと|それは|これは|やっぱり?|さすがに)*(?:無理|勘弁)(?:です|だ|だよ|かも)?\W*$"
)
"""A refusal that names nothing liked or disliked."""
DELIVERED = (
    r"\b(?:hatte|haette|hatten|mochte|moechte|brauche|will) (?:gern(?:e)? |bitte |jetzt )*(?:eine?n? |noch eine?n? |die |den |das |ein paar |\d+ |zehn |funf |drei )(?:[\w-]+ ){0,2}?"
    r"(?:liste|tabelle|ubersicht|beispiele?|vorschlage?|ideen?|namen|titel|rezepte?|zusammenfassung|erklarung|skript|entwurf|plan)\b"
)
"""A wish for one thing that the agent is to make."""
SAYING = r"\b(?:don'?t|never)(?: you)? ever change\W|\bnever say never\b|\bникогда не говори никогда|\basla asla deme|\bsag(?:e)? niemals nie\b|\bnunca dig(?:as|a) nunca|\bne (?:dis|dites) jamais jamais|\bhech qachon hech qachon dema"
FAILS_ALWAYS = (
    r"(?:不要|别|別)(?:再)?(?:总是|總是|老是|总)(?:报错|報錯|崩溃|卡|死机|出错|掉线|闪退|失败)|(?:必ず|いつも|毎回|常に)(?:失敗|落ち|壊れ|クラッシュ|止ま|固ま|発生|起き|エラー)[^。、\n]{0,6}[るた](?!こと|よう|の)[^。、\n]{1,10}?を"
    r"|\b(?:this|an?|the|same|following) (?:\w+ )?(?:error|warning|exception)(?: message)?: "
    r"|如果我[^。，,]{1,20}[，,][^。\n]{0,20}?(?:多少|怎么|什么|几|哪|吗)[^。\n]{0,10}(?:[?？]|$)"
)
"""What a program does at each run, and what an error or a question says."""
REMINISCENCE = r"\bremember (?:that|the|this|last) (?:one |last )?(?:time|day|night|week|summer|guy|bug|meeting|movie)\b(?! (?:off|zone|is|was|i))|\bremember me to\b"
"""A memory that is shared, or a greeting to be passed on."""
