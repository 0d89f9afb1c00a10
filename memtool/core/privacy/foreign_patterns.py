"""The forms of foreign text, as patterns of tags, lines, quotations and file paths."""

from __future__ import annotations

from memtool.core.privacy.host_tags import GENERAL

LIKE_BRACKETS = str.maketrans("＜﹤‹〈⟨＞﹥›〉⟩", "<<<<<>>>>>")
TAG = r"<(/?)([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,300})?(/?)>"
_PROSE_TAG_NAMES = "b i em strong u s mark small sub sup kbd br hr del ins wbr"
PROSE_TAGS = frozenset(_PROSE_TAG_NAMES.split())
HOST_TAG = (
    r"(?:system|task|tool|user|local|command|function|hook|assistant|background|environment|bash"
    r"|agent)[-_:.]\w[\w:.-]*"
    rf"|antml:\w+|{GENERAL}|tool|summary|context"
)
COMMENT = r"<!--"

_WORD_START = r"(?<![\w.@+/\\-])"
PATH = (
    rf"{_WORD_START}(?:[A-Za-z]:|~"
    rf"|\.{{1,2}})?[/\\]?(?:[\w.@+-]{{1,120}}[/\\]){{1,20}}[\w.@+-]{{0,120}}\.[A-Za-z]\w{{0,7}}(?!\w)"
    rf"|{_WORD_START}(?:[A-Za-z]:|~|\.{{1,2}})?[/\\](?:[\w.@+-]{{1,120}}[/\\]){{1,20}}[\w.@+-]{{0,120}}"
)
FILE_NAME = (
    rf"{_WORD_START}[\w-][\w.@+-]{{0,120}}?\.(?:png|jpe?g|gif|webp|heic|svg|pdf|txt|log|csv|tsv|docx?"
    rf"|xlsx?|pptx?|zip|tar|gz|mp[34]"
    r"|mov|wav|md|py|js|ts|tsx|jsx|json|ya?ml|toml|html?|css|sh|rs|go|java|cpp|sql|xml|eml)(?!\w)"
)
SCREENSHOT = (
    r"(?:screen ?shot|bildschirmfoto|captura de (?:pantalla|tela)|captura de ecra|capture d.[eé]cran"
    r"|снимок экрана|ekran g\w{1,12}|截屏|截图"
    r"|屏幕截图|スクリーンショット)[^\n]{0,60}?\.(?:png|jpe?g|heic|webp)"
)
QUOTATIONS = (
    r"“[^“”\n]{1,600}”|„[^„“”\n]{1,600}[“”]|«[^«»\n]{1,600}»|「[^「」\n]{1,600}」|『[^『』\n]{1,600}』"
    r'|(?<![\w"])"(?=[^\s"])[^"\n]{1,600}"(?!\w)'
    r"|(?<![\w'’])['‘](?=\w)[^'’\n]{1,200}(?:(?<=\w)['’](?=\w)[^'’\n]{1,200}){0,4}['’](?!\w)"
)

LOG = (
    r"\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d"
    r"|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d\S* +\W?(?:DEBUG|INFO|WARN|ERROR|TRACE)"
    r"|\[?\d\d:\d\d:\d\d[\].,: ]|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )"
    r"|\W?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE|PASS|FAIL|FAILED|PASSED"
    r"|OK)\b[\]:| ]|(?:ok|not ok) \d+ |[✓✗✔✘]"
    r"|npm (?:ERR|WARN)|\(\w{1,20}:\d{1,7}\) |\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3} - "
)
TRACE = (
    r"\s*(?:at [\w$.<>/]+ ?\(|at \S+:\d+|File \"[^\"\n]{1,300}\", line \d+|Traceback \(most|Caused by: "
    r"|\.\.\. \d+ more|\^+\s*$"
    r"|(?:\d+\.\d+ )?[\w.:/\\-]{1,200}(?:\(\d+,\d+\)|:\d+:\d+): (?:error|warning|note)\b"
    r"|goroutine \d+|thread '[^'\n]{1,80}' panicked|panic: |Exception in thread|[\w.]{0,80}(?:Error"
    r"|Exception|Warning)(?:\[\w+\])?: |\s+\d+ \| |--> \S+:\d+)"
)
CODE = (
    r"\s*(?://|/\*|\*/|;;|#!|#include|<\?|@\w+\(|\}|\{$|\);?$|\]\)?[,;]?$)|[^\n]{0,300}(?:[;{]|\) ?=>"
    r"|\):|=> ?[({]|\(\);?|\{$)\s*$"
    r"|\s*(?:def|class|function|fn|func|public|private|static|const|var|import|export|package|struct"
    r"|interface|enum) [\w.{*$\"'<>]+ ?(?:[({=:;<]|from |as |$)"
    r"|\s*(?:from [\w.]+ import |return [\w\"'\[({]+[^ ]*;?$|elif |else:|try:|except\b[^\n]{0,60}:$)"
    r"|\s*[\w.\[\]]{1,60} ?(?:[-+*/]|:)?= ?[^=\s][^\n]*$"
)
COMMENT_IN_CODE = r"\s*(?:#|--|%|\*|rem )\s?\S"
DATA = (
    r"\s*(?:[\[{]\s*$|[\]}],?\s*$|[{\[]\s*[\"'{\[]|\"[^\"\n]{1,100}\"\s*:|\|[^\n]*\|\s*$|</?\w"
    r"|\+[-+=]{3,}\+$|[-|:\s]{5,}$|[\w.-]{1,60}=\"[^\"]*\")"
)
SHELL = (
    r"\s*(?:\$ \S|>>> ?\S|\.\.\. \S|In \[\d+\]: |Out\[\d+\]: |PS [A-Z]:\\[^>\n]{0,200}> ?"
    r"|[A-Z]:\\[^>\n]{0,200}>|[\w.-]{1,60}@[\w.-]{1,60}[:~ ][^\n$#%]{0,100}[$#%] "
    r"|[❯➜] {1,3}\S|> @?[\w./-]{1,80}@\d[\w.-]* \S|sqlite> |mysql> |psql> |\w+=# )"
)
DIFF_START = r"diff --git |@@ -\d|--- (?:a/|\S+\t|\S+\.\w+$)|\+\+\+ (?:b/|\S)|Index: \S|index [0-9a-f]{7}"
DIFF_LINE = r"[-+ @\\]|$|diff |index |new file|deleted file|rename |similarity"
CHANGE = r"[-+](?![-+\s])\D"
MAIL_HEADER = (
    r"\W{0,2}\**(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|Author|Received|Return-Path|Von|An"
    r"|Betreff|Gesendet|Datum|De|Para|Assunto|Asunto|Fecha"
    r"|Enviado|Objet|Envoyé|À|От|Кому|Тема|Дата|Kimden|Kime|Konu|Gönderildi|发件人|收件人|主题|日期|差出人|宛先|件名"
    r"|Kimdan|Kimga|Mavzu)\**\s{0,2}[:：]\**[ \t]*\S"
)
MAIL_START = (
    r"\W{0,3}(?:-{2,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Mensaje original"
    r"|Message d.origine|Mensagem original)|Begin forwarded message)"
    r"|(?:On|Am|El|Le|Em|On\W)\s[^\n]{5,120}?\s?(?:wrote|schrieb[^\n]{0,60}|escribió|a écrit"
    r"|escreveu)\s?:\s*$|[^\n]{5,120}(?:пишет|написал[а]?|yazdı|写道|のメール|yozdi)\s?[:：]\s*$"
)
SIGN_OFF = (
    r"(?:(?:kind|best|warm|many)?\s?(?:regards|wishes)|best|cheers|sincerely|yours\b[^\n]{0,20}|thanks"
    r"|thank you|-- ?$|saludos|atentamente|cordialement"
    r"|mit freundlichen grüßen|viele grüße|lg|mfg|atenciosamente|abraços|с уважением|saygılarımla"
    r"|hurmat bilan|此致|敬上|よろしくお願いします)[^\n]{0,30}$"
)
DELIMITERS = frozenset({'"""', "'''", "<<<", "==="})
_PASTED = (
    r"(?:log|logs|output|article|page|mail|e-?mail|message|transcript|chat|conversation|trace|traceback"
    r"|stack ?trace|error|errors|document|docs?|readme|text|content|contents"
    r"|snippet|diff|patch|config|file|letter|reviews?|comments?|ticket|issue|post|thread|tweet|quote"
    r"|paragraph|passage|excerpt|paste|code|story|poem|essay|résumé|resume|cv"
    r"|website|site|slack|whatsapp|discord|lyrics|speech|interview|feedback|artículo|página|correo|texto"
    r"|mensaje|artikel|seite|nachricht|page|courriel|texte|artigo|mensagem"
    r"|статья|статью|страниц\w|письмо|текст|сообщение|метин|metin|makale|mesaj|sayfa|matn|xat|maqola|文章"
    r"|邮件|郵件|内容|日志|网页|聊天记录|記事|メール|文章|ログ|ページ)"
)
ANNOUNCED = (
    rf"[^\n]{{0,200}}\b(?:pasted?|copied|following|below|here(?:'s| is| are)|this is|got this|says|wrote"
    rf"|reads|from)\b[^\n]{{0,120}}\b{_PASTED}\b[^\n.!?]{{0,80}}:\s*$"
    rf"|[^\n]{{0,60}}\b{_PASTED}\b[^\n.!?]{{0,60}}[:：]\s*$|\W{{0,4}}(?:begin|start of"
    rf"|pasted?)\b[^\n]{{0,60}}[-=:#*]*\s*$"
)
ANNOUNCED_CJK = (
    r"[^\n]{0,60}(?:文章|邮件|郵件|内容|日志|网页|聊天记录|記事|メール|ログ|ページ|статья|письмо)"
    r"[^\n。]{0,30}[:：]\s*$"
)
END_OF_PASTE = (
    r"\W{0,6}(?:end(?: of)?\b|eof\b|ende\b|fin\b|fim\b|конец|son\b|结束|終わり|以上)[^\n]{0,40}$"
    r"|[-=*_#~]{3,}\s*$|\"\"\"\s*$|'''\s*$"
)
SPEAKER = (
    r"\s*(?:\[[^\]\n]{1,40}\]\s*|\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\s*[-–]?\s*)?(?:\*\*|<"
    r"|@)?(?P<who>[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2})(?:\*\*"
    r"|>)?(?: \([^)\n]{1,30}\))?(?:[:：]\*{0,2}|> )\s*\S"
)
CHAT_HEADER = (  # the line over a message of a chat: who wrote it, and when
    r"\s{0,3}(?:[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2}(?: \([^)\n]{1,30}\)| APP| BOT)?"
    r"(?:,| ?[—–-]| \|)?\s{1,4}\[?(?:(?P<day>today|yesterday|heute|gestern|hoy|ayer|hoje|ontem"
    r"|aujourd['’]hui|hier|сегодня|вчера|bugün|dün|bugun|kecha)"
    r"(?:,| at| um| a las| às| à| в)? )?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?"
    r"\d{1,2}:\d\d(?::\d\d)?(?P<half>\s?[AaPp]\.?[Mm]\.?)?\]?"
    r"|\[\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?\]\s{1,4}"
    r"[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2}:?)\s*$"
)
PAGE_CHROME = (  # text around the content of a page
    r"\s{0,3}(?:skip to (?:main )?content|(?:posted|published|written|updated|last updated) (?:by"
    r"|on) [^\n]{3,60}|©\s?\d{4}[^\n]{0,60}|[^\n]{0,40}all rights reserved[^\n]{0,20}"
    r"|share (?:on|this)[^\n]{0,40}|(?:[\w&' -]{2,25} [|·•›»] ){2,}[\w&' -]{2,25}"
    r"|[^\n]{0,60}\d{1,2} min(?:ute)? read|related (?:posts|articles)|leave a (?:comment|reply)"
    r"|read more|\d+ comments?"
    r"|(?:accept|we use) (?:all )?cookies[^\n]{0,60}|subscribe to (?:our|the)[^\n]{0,40}|(?:zum"
    r"|saltar al|aller au|ir para o|перейти к) (?:inhalt|contenido|contenu|conteudo"
    r"|содержанию)[^\n]{0,20})\s*$"
)
TIMED_SPEAKER = r"\s*\[?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?\]?\s*[-–]?\s*[<*@]{0,2}[^\W\d_]"
_ROLE_NAMES = """
    user assistant human ai bot system agent model gpt chatgpt claude gemini copilot me you tool
    customer client support operator interviewer q a
"""
ROLES = frozenset(_ROLE_NAMES.split())
_LABEL_WORDS = """
    note notes important ps p.s btw fyi todo warning attention hint tip request rule rules instruction
    instructions preference preferences reminder remember question context task goal goals tone style
    name format language budget deadline update edit correction also fact facts background summary
    example examples answer please thanks hi hello ok okay so and but well yes no wait actually first
    second third finally next constraint constraints requirement requirements output input title
    subject decision problem issue error result results code step steps option options plan idea ideas
    role audience length topic details info key date time place location price total url link nota
    importante regla regla recuerda pregunta tarea wichtig hinweis merke regel bitte frage aufgabe
    achtung règle remarque attention question rappel regra lembrete pergunta önemli not kural
    hatırlatma soru muhim eslatma qoida savol важно заметка правило напоминание вопрос задача
    пожалуйста примечание 注意 重要 备注 规则 问题 提醒 记住 请记住 メモ 注 質問 ルール お願い
"""
LABELS = frozenset(_LABEL_WORDS.split())
FIRST_PERSON = (
    r"(?:i|i'm|i’m|i've|i'd|my|me|yo|me|mi|ich|mein|je|j'|mon|eu|meu|я|мне|меня|ben|benim|bana|men"
    r"|mening|我|私|僕|俺)\b"
)
