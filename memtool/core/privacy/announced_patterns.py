"""The requests that announce a text, and the words of pretence, in lower case without accents."""

from __future__ import annotations

from memtool.core.capture.languages.suppositions import SUPPOSING

_TEXT = (
    r"(?:\b(?:texts?|articles?|(?:cover )?letters?|e-?mails?|mails?|messages?|paragraphs?|sentences?"
    r"|essays?|stor(?:y|ies)"
    r"|poems?|prompts?|drafts?|posts?|tweets?|speech(?:es)?|bios?|biography|resume|cv|lyrics|songs?"
    r"|transcripts?|passages?"
    r"|dialogues?|monologues?|conversations?|captions?|statements?|quotes?|personas?|novels?|chapters?"
    r"|adverts?"
    r"|testimonials?|diary|toast|blog(?: post)?|reviews?"
    r"|artikel|brief|anschreiben|nachricht|absatz|satz|aufsatz|geschichte|gedicht|entwurf|beitrag|rede|lied"
    r"|textos?|articulo|carta|correo|mensaje|parrafo|frase|ensayo|cuento|historia|poema|borrador"
    r"|discurso|cancion"
    r"|textes?|lettre|courriel|paragraphe|phrase|essai|histoire|poeme|brouillon|discours|chanson|recit"
    r"|artigo|mensagem|paragrafo|redacao|rascunho|conto"
    r"|текст\w*|стать\w+|письм\w+|сообщени\w+|абзац\w*|предложени\w+|эссе|рассказ\w*|истори\w+|стих\w*"
    r"|промпт\w*"
    r"|metin|metni|makale\w*|mektu\w+|e-?posta\w*|mesaj\w*|paragraf\w*|cumle\w*|hikaye\w*|siir\w*"
    r"|matn\w*|maqola\w*|xat|xatni|xabar\w*|hikoya\w*|she'r\w*)\b|文章|邮件|段落|句子|故事|诗|提示词"
    r"|文本|作文|信"
    r"|手紙|メール|物語|プロンプト|テキスト)"
)
_NO_TEXT = (
    r"(?! (?:function|script|class|parser|validator|client|queue|handler|server|service|app|address"
    r"|field|input"
    r"|box|editor|broker|bus|format|model|component|table|schema|endpoint|page|list|column)s?\b)"
)
_POLITE = (
    r"(?:\W{0,4}\b(?:please|pls|hi|hey|hello|ok|okay|now|just|so|and|then|can|could|would|will|you"
    r"|kindly|me|for"
    r"|i want you to|i need you to|i'd like you to|bitte|kannst|konntest|du|por favor|puedes|podrias"
    r"|peux-tu|pouvez-vous"
    r"|s'il te plait|s'il vous plait|voce|pode|poderia|пожалуйста|можешь|lutfen"
    r"|iltimos)\b,?){0,6}\W{0,4}(?:请|請|帮我)?"
)
_THIS = (
    r"(?:\b(?:this|these|following|below|it|diesen?|dies(?:es)?|das|folgenden?s?|esto|este|esta"
    r"|siguiente|ceci|cela|ca"
    r"|suivante?|isto|isso|seguinte|это|этот|следующ\w+|bunu|sunu|buni|quyidagi\w*)\b|这|下面|以下|これ"
    r"|この|次の)"
)
_REWORKS = (
    r"(?:summari[sz]e|translate|proof-?read|rewrite|rephrase|paraphrase|reword|correct|transcribe"
    r"|fasse?|ubersetze?|uebersetze?|korrigiere?|lektoriere?|formuliere?"
    r"|resume(?:me|z)?|resumir?|traduce(?:me)?|traducir|corrige(?:me|z)?|reescrib[ea]\w*|traduis"
    r"|traduisez|reecris|reformule"
    r"|resuma|traduza|traduz|corrija|corrige|reescreva|переведи\w*|перескажи\w*|исправь\w*|перепиши\w*"
    r"|сократи\w*)\b"
)
_CHECKS = (
    r"(?:edit|improve|polish|shorten|review|critique|check|fix|analy[sz]e|classify|continue|complete"
    r"|prufe?|revisa|verifie)\b"
)
_LAST_VERBS = (
    r"(?:翻译|翻譯|总结|改写|校对|润色|改一下|翻訳|要約|校正|添削|訳して|直して|\b(?:cevir|ozetle|duzelt"
    r"|tarjima qil|tahrirla|o'gir)\w*)"
)
REQUEST_ABOUT_TEXT = (
    rf"{_POLITE}(?:{_REWORKS}[^\n]{{0,120}}?(?:{_TEXT}|{_THIS})"
    rf"|{_CHECKS}[^\n]{{0,120}}?{_TEXT}{_NO_TEXT}|[^\n]{{0,80}}?{_LAST_VERBS})"
)
"""A clause that asks to rework a text: what follows is that text."""
REWORKS_WHAT_FOLLOWS = rf"{_POLITE}(?:{_REWORKS}|[^\n]{{0,80}}?{_LAST_VERBS})"
"""A clause before a colon that asks to rework: what follows is the text."""

_MAKES = (
    r"(?:write|draft|compose|create|generate|make up|invent|schreibe?|verfasse?|escribe(?:me)?|redacta"
    r"|inventa|ecris|ecrivez"
    r"|redige|redigez|escreva|redija|crie|напиши\w*|составь\w*|придумай\w*)\b"
)
REQUEST_TO_WRITE = (
    rf"{_POLITE}(?:{_MAKES}(?:[- ](?:moi|me|us|mir|мне))?(?: [^\s,;]{{1,30}}){{0,5}}?[ ]{_TEXT}{_NO_TEXT}"
    rf"|[^\n]{{0,80}}?{_TEXT}[^\n]{{0,20}}?(?:\b(?:yaz|yazin|yoz|yozing)\b|書いて)|写[^\n]{{0,20}}?{_TEXT})"
)
"""A clause that asks to write a text: what follows is a part of it, unless it speaks to the agent."""

DRAFT_LABEL = (
    r"\W{0,4}(?:(?:my|the|a|this|here is my|here's my) )?(?:(?:system|user|ai|first|rough|custom|my) ){0,2}"
    r"(?:prompt|draft|entwurf|borrador|brouillon|rascunho|черновик|промпт|taslak|qoralama|提示词|草稿"
    r"|プロンプト|下書き"
    r"|system message|cover letter|letter|story|poem|essay|lyrics)(?: \w+){0,2}\W{0,4}"
)
SAYS = (
    r"\b(?:(?<!i )said|says|reads|goes|(?<!i )wrote|sagt|schrieb|dice|dijo|dit|ecrit|diz|disse|говорит"
    r"|сказал\w*|написал\w*"
    r"|diyor|dedi|yazdi|yozdi)$|(?:说|说道|写道|と言った|と書いた)$"
)
PRETENCE = (
    r"\W{0,4}(?:(?:please|now|ok|okay|so|and|just|let's|let us|can you|could you|i want you to|bitte"
    r"|por favor|давай\w*"
    r"|пожалуйста|lutfen|iltimos),? ){0,3}(?:请|請)?(?:"
    rf"(?:{SUPPOSING}|pretend|make believe|role-?play(?:ing)?|act as (?:if|though)|say that my"
    r"|for the sake of argument|in (?:this|the|a|my|our) (?:story|game|scenario|novel|role-?play)"
    r"|tu(?:e|n wir)? so|finge|finjamos|haz como si|hagamos de cuenta"
    r"|fais semblant|fais comme si|faites semblant|faites comme si|finja|притворись|сделай вид)\b"
    r"|假装|假设|假如|想象|扮演|仮に|想像して"
    r"|[^\n]{0,120}?(?:ふりをして|ふりして|と仮定して|\w(?:mis|mus) gibi (?:yap|davran)|dep (?:tasavvur"
    r"|faraz) qil))"
)
"""The start of a sentence that supposes what does not hold."""

OWN_START = (
    r"\W{0,4}(?:(?:also|and|but|btw|by the way|oh|please|pls|ps|p\.s|from now on|in (?:the )?future"
    r"|going forward|remember"
    r"|note|keep|make|use|you|your|it|thanks|thank you|i (?:prefer|want|need|would)|i'd|i like (?:it"
    r"|my)|can|could|when i"
    r"|whenever|außerdem|ab (?:jetzt|sofort)|kunftig|bitte|ubrigens|a partir d|ademas|por favor"
    r"|por cierto|en adelante"
    r"|desormais|dorenavant|de plus|s'il|au fait|alem disso|alias|doravante|отныне|с этого|также|кстати"
    r"|пожалуйста"
    r"|впредь|bundan|ayrica|lutfen|iltimos)\b|从现在|另外|请|以后|今後|また|これから)"
)
"""The start of a sentence that speaks to the agent after a request."""

GREETING = (
    r"\W{0,3}(?:(?:hi|hello|hey|dear|good (?:morning|day|evening)|greetings|hallo|sehr geehrte\w*"
    r"|liebe[rs]?|guten tag|hola"
    r"|estimad[oa]s?|querid[oa]s?|bonjour|chere?s?|madame|monsieur|ola|prezad[oa]s?|car[oa]s?"
    r"|здравствуйте|уважаем\w+"
    r"|дорог\w+|привет|merhaba|sayin|sevgili|salom|assalomu alaykum|hurmatli)\b|你好|您好|尊敬|亲爱"
    r"|拝啓|こんにちは)"
)

LETTER_START = rf"{GREETING}[^\n.!?;:]{{0,50}}[,.!:;，：！]?[^\S\n]*$"
"""A line that greets and says nothing else, as a letter begins."""
TELLS_OF_TEXT = (
    r"[^\n?]{0,160}(?:\b(?:got|received|found|sent|from|here is|here's|this is|bekommen|erhalten"
    r"|hier ist|recibi|llego|aqui"
    r"|recu|voici|recebi|chegou|получил\w*|прислал\w*|пришло|aldim|geldi|oldim|keldi)\b|收到|这是"
    r"|届いた|もらった)[^\n?]{0,160}"
)
HAS_TEXT_NOUN = _TEXT
SUBJECT_LINE = (
    r"\W{0,4}(?:subject|re|fwd?|betreff|asunto|assunto|objet|тема|konu|mavzu|主题"
    r"|件名)\W{0,2}[:：][^\n]{0,200}$"
)
QUESTION_AND_ANSWER = (
    r"(?m)^\W{0,4}(?:q|question|f|frage|pregunta|p|pergunta|вопрос|в|soru|s|savol|问"
    r"|質問)[:.)：][^\n]{1,400}?"
    r"\b(?:a|answer|antwort|r|respuesta|reponse|resposta|ответ|о|cevap|c|javob|j|答|回答)[:：][^\n]*"
)

ANNOUNCING_SIGNS = (
    "summari|translate|proof|rewrit|rephras|paraphras|reword|correct|transcrib|edit|improve|polish"
    "|shorten|review|critique|check"
    "|fix|analy|classify|continue|complete|write|draft|compose|create|generate|make up|invent|prompt"
    "|letter|story|poem|essay"
    "|lyrics|message|said|says|reads|goes|wrote|pretend|imagin|suppos|make believe|role|act as"
    "|let's say|say that|hypothe"
    "|argument|game|scenario|novel"
    "|fass|setz|korrig|lektor|formulier|schreib|schrieb|verfass|entwurf|sagt|stell|angenommen"
    "|nimm|nehmen"
    "|resum|tradu|corri|escri|escre|redact|redig|redij|inventa|borrador|brouillon|rascunho|dice|dijo"
    "|ecri|diz"
    "|disse|revisa|verifie|supon|fing|finj|haz como|digamos|hagamos|fais|faites|disons|admettons"
    "|crie|reformule"
    "|cevir|ozetle|duzelt|tarjima|tahrir|taslak|qoralama|diyor|dedi|hayal"
    "|diyelim|varsay|farz|faraz"
    "|tasavvur|deylik|gibi|o'gir"
)
"""Parts of words, separated by `|`; a folded text that has none of them, and does not match the next two
patterns either, announces nothing. A fast test.
"""
ANNOUNCING_WORDS = r"prufe?\b|\b(?:tu|ya[zp]|yoz|dit\b)|conta\b"
ANNOUNCING_LETTERS = r"[а-я]{4}|[\u3040-\u9fff]"
"""The same for text that is not ASCII."""
REWORKS_OR_CHECKS = rf"{_REWORKS}|{_CHECKS}|{_LAST_VERBS}"
"""A clause without a match does not match REQUEST_ABOUT_TEXT, which takes long to compile."""
WRITES = rf"{_MAKES}|\b(?:yaz|yazin|yoz|yozing)\b|書いて|写"
"""The same for REQUEST_TO_WRITE."""
