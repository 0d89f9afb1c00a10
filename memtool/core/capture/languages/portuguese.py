"""Portuguese triggers: Brazilian and European forms."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.everyday import EVERYDAY
from memtool.core.capture.languages.grammar import InstructionGrammar, instruction_triggers
from memtool.core.capture.languages.introductions import INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_STEMS = (
    "rod|sub|apag|apagu|public|publiqu|instal|modific|modifiqu|mescl|reescrev|us|utiliz|empreg|empregu|respond|escrev|fal|expliqu|explic|mostr|inclu|evit|adicion|acrescent|format|resum|traduz|indiqu"
    "|indic|mencion|especifiqu|especific|cit|pergunt|lembr|avis|cham|coment|comec|termin|deix|mud|corrij|corrig|revis|reve"
    "|verifiqu|verific|confirm|compar|list|enumer|prioriz|encurt|limit|repit|repet|trat|consider|chequ|mand|envi|guard|convert"
    "|mantenh|manten|redij|redig|organiz|orden|detalh|apliqu|aplic|prefir|sugir|suger|recomend|propon|pass|tom|lei|cri|ger|execut"
    "|test|procur|busqu|busc|oferec|desculp|assum|supon|invent|interromp|remov|tir|separ|marqu|marc|destaqu|destac|document"
    "|justifiqu|justific|argument|esclarec|ajud|cumpriment|assin|anex|calcul|arredond|abrevi|simplifiqu|simplific|coloqu|coloc"
    "|fech|abr|conclu|inici|forneç|fornec|apresent|descrev|compart|compartilh|inser|toqu|toc|cont"
)
_ENDING = "(?:a|as|e|es|am|em|i|ai|ei|ar|er|ir|o|ua|uas|u|ui)"
_IRREGULAR = (
    "da|de|deem|des|dai|diz|diga|digas|digam|faz|faca|facas|facam|poe|ponha|ponhas|ponham|seja|sejas|sejam|sede|tem|tenha"
    "|tenhas|vai|va|vem|venha|mantem|mantenha|certifique-se|certifica-te|lembre-se|lembra-te|tente|tenta|segue|siga|sigas|pede"
    "|peca|pecas|escolha|escolhe|volte|voltes|volta|continue|continua|garanta|garante|traga|traz|ve|veja"
)
_VERB = f"(?:(?:{_STEMS}){_ENDING}(?:-(?:me|nos|o|a|os|as|lhe|lo|la|se|te))?|(?:{_IRREGULAR})(?:-(?:me|nos|o|a|os|as|lhe|lo|la|se|te))?)"
_LEAD = (
    "por favor|pf|pfv|e|mas|entao|ok|olha|oi|ola|bom|ah|sim|nao|tambem|alem disso|so|apenas|agora|nota|importante|obrigad[oa]"
    "|claude|me|nos|por gentileza|faz favor|se faz favor|se puder"
)
_ASKED = (
    "(?:te |lhe |lhes |voce )?(?:pergunt(?:ar|o|e)|ped(?:ir|ia)|peco|peca|falar(?:mos)?|falo|mencion(?:ar|o)|solicit(?:ar|o)|escrev(?:er|o)"
    "|diss?er|digo|envi(?:ar|o)|mand(?:ar|o)|pass(?:ar|o)|quiser saber|compartilhar|tiver (?:uma )?(?:duvida|pergunta)s?)"
)
_FUTURE = (
    "(?:a partir de|desde) (?:agora|hoje|ja)|daqui (?:em|para|pra)(?: a)? (?:diante|frente)|de agora em diante|dora ?vante|doravante"
    "|no futuro|futuramente|por padrao|por omissao|por defeito|como regra(?: geral)?|(?:n?a|da) proxima vez|em geral|por norma"
    "|ate (?:eu )?(?:dizer|avisar|segunda ordem)[^\\n,.]{0,20}|a menos que (?:eu )?(?:diga|peca)[^\\n,.]{0,20}|salvo se (?:eu )?\\w+[^\\n,.]{0,20}"
    "|daqui por diante|em diante|sem excecao|em todos os casos|de (?:modo|forma|maneira) geral|geralmente"
)
_WHEN = (
    f"(?:sempre|cada vez|toda vez|todas as vezes|toda a vez) que [^\\n,]{{1,80}}|(?:quando|se) (?:eu )?{_ASKED}"
    "|quando (?:voce )?(?:me )?(?:responder|escrever|explicar|falar|for responder|nao (?:souber|tiver certeza)|estiver em duvida)(?:es)?|ao (?:me )?(?:responder|explicar)|se (?:voce )?nao (?:tiver certeza|souber|estiver segur[oa])(?: [^\\n,]{1,30})?"
    "|em (?:qualquer |toda )?perguntas? (?:de|sobre) [^\\n,]{2,30}?"
)
_REPLIES = "(?:respostas?|mensage(?:m|ns)|explicac(?:ao|oes)|conversas?|e-?mails?|textos?|resumos?|exemplos?)"
_IN_ALL = f"(?:(?:em|com|n[oa]s?|ao final de|no (?:final|inicio|comeco) de) )?(?:todas?|todos|cada)(?: uma)?(?: (?:de |d)?(?:as|os|suas|tuas|minhas))?(?: (?:suas|tuas|minhas))? {_REPLIES}"
_GRAMMAR = InstructionGrammar(
    imperative=f"(?:(?:nao|nunca|jamais) (?:(?:me|nos|o|a|os|as|lhe|se|te) )?)?{_VERB}|(?:deix[ae]|par[ae]m?) de",
    wish=(
        "(?:eu )?(?:quero|queria|gostaria|gostava|preciso|prefiro|preferia|espero|desejo|peco|agradeceria|agradecia|exijo)(?: tambem)?(?: de)? que(?: voce| tu| o senhor| a senhora)?"
        "|(?:voce |tu )?(?:deve|deves|devia|deveria|tem que|tem de|tens que|tens de|precisa|precisas|pode|podes|ha de)"
        "|(?:certifique-se|certifica-te) (?:de(?: que)?|que)|procur[ae]|lembre-se de|lembra-te de|garant[ae] que|nao (?:quero|gosto) que(?: voce)?"
    ),
    questions="(?:voce )?(?:pode|poderia|podia|podes|podias|consegue|se importaria de|te importas de|importas-te de|seria possivel(?: que)?|da pra|daria pra|(?:seria|era) (?:\\w+ )?\\w+ se)(?: voce)?",
    adverbs="sempre|nunca|jamais|nunca mais",
    leading=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|(?:sempre|cada vez|toda vez) que",
    trailing=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|nunca mais|toda vez",
    lead=_LEAD,
    reported=r"\bque",
    things=(
        "(?:(?:os|as|o|a|meus|tuas|suas) )?(?:precos?|custos?|valores?|datas?|horas|horarios|medidas?|unidades|distancias?|temperaturas?"
        "|pesos?|quantidades|respostas|codigo|comentarios|fontes|citacoes|exemplos|receitas?|numeros|explicacoes|traducoes"
        "|resumos|titulos|nomes|textos)"
    ),
    in_form="em|com|sem|no|na|por|como|so",
    not_between="disse|diz|falou|como|por que|porque|qual|quem|onde|erro|falha|eu|ele|ela|eles|acontece|ocorre|posso|poderia|evitar isso",
)
_MARKS = (
    *(
        "sempre",
        "nunca",
        "jamais",
        "partir",
        "desde ",
        "diante",
        "frente",
        "doravante",
        "futur",
        "padrao",
        "omissao",
        "defeito",
    ),
    *(
        "regra",
        " vez",
        "geral",
        "norma",
        " ate ",
        "menos que",
        "salvo",
        "quando ",
        " se ",
        "todas",
        "todos",
        "toda ",
        "cada ",
        " ao ",
    ),
)
_ON = "(?:(?:a partir de|desde) (?:agora|hoje|ja)|daqui (?:em|para|pra)(?: a)? (?:diante|frente)|de (?:agora|hoje) em diante|daqui por diante|doravante|no futuro|futuramente|(?:n?a|da) proxima vez)"
_ON_SIGNS = ("partir de", "desde ", "daqui ", "diante", "doravante", "futur", "proxima")
_PERSON = (
    "(?:colega|amig[oa]|chefe|irmao|irma|marido|mulher|espos[oa]|filh[oa]|namorad[oa]|noiv[oa]|parceir[oa]|vizinh[oa]|mae|pai|prim[oa]|ti[oa]"
    "|cachorr[oa]|cadela|cao|gat[oa]|assistente|soci[oa]|substitut[oa]|responsavel|estagiari[oa]|treinador[a]?|sobrinh[oa]|avo|cunhad[oa]|sogr[oa]|gemeo|gemea|cavalo|coelho|professor[a]?|cliente|companheir[oa]|gerente)"
)
_THIS = "(?:isso|isto|aquilo|nada (?:disso|disto)|o que (?:eu )?(?:disse|falei|acabei de dizer)|esta (?:mensagem|conversa)|essa (?:mensagem|conversa)|tudo isso|nada)"

TABLE = LanguageTable(
    triggers=(
        Trigger("correction", "alias(?=, ?\\w)", ("alias",), "sentence"),
        Trigger("correction", "(?:na verdade|na realidade|de facto|melhor dizendo|ou melhor|quer dizer|corrigindo|correcao|desculpa, (?:quis|queria) dizer)", ("verdade", "realidade", "de facto", "melhor", "quer dizer", "corrigindo", "correcao", "quis")),
        Trigger("correction", "(?:nao,? ?)?(?:eu )?(?:quis|queria) dizer", ("dizer",), "clause", unless=r"\bque"),
        Trigger(
            "correction",
            "(?:nao[,.:]? )?(?:(?:isso|isto) )?(?:(?:esta|e|estava|era|ta) (?:muito |totalmente |completamente )?(?:errad[oa]|incorret[oa]"
            "|incorrect[oa]|fals[oa]|equivocad[oa])|nao (?:e|era|esta|ta|foi) (?:bem )?(?:cert[oa]|corret[oa]|correct[oa]|verdade|assim|o que (?:eu )?(?:disse|pedi|queria|quis)))",
            ("nao e", "nao ta", "nao esta", "errad", "incorret", "fals", "equivocad", "nao foi"),
            "clause",
            unless=r"\b(?:que|meu|minha)",
        ),
        Trigger("correction", "(?:voce |tu )?(?:se|te) (?:enganou|enganaste|confundiu|equivocou|engana)|(?:enganaste-te|enganou-se|me enganei|enganei-me|me expressei mal|voce (?:entendeu|errou|confundiu)(?: mal)?|entendeste mal)", ("engan", "confund", "equivocou", "expressei", "entend", "errou"), "clause"),
        Trigger("correction", r"nao (?:e|sao|era|se chama|sou|foi|me chamo|moro|estou) [^\n]{1,120}?(?:,? (?:mas sim|e sim|mas)\b|[,;:—–-] ?(?:e|sao|era|se chama|sou|foi|me chamo|moro|estou)) (?=\w)", ("nao e ", "nao sao", "nao era", "nao se chama", "nao sou", "nao foi", "nao me", "nao moro", "nao estou")),
        Trigger("correction", r"nao [^\n,;]{1,80}?,? (?:mas sim|e sim|senao) (?=\w)", ("mas sim", "e sim")),
        Trigger("correction", r"(?:errado|incorreto|falso)(?= ?(?:[,.!:;]|\n|$))", ("errado", "incorreto", "falso"), "sentence"),
        Trigger("correction", f"(?:em vez (?:disso|disto),? (?:{_VERB})|(?:{_VERB}) [^\\n]{{1,60}}? (?:em vez d|ao inves d|no lugar d)\\w+)", ("em vez", "ao inves", "no lugar"), "clause"),
        Trigger("correction", r"(?:deix[ae]|par[ae]|parem|chega) de (?=\w)", ("deixa de", "deixe de", "pare de", "para de", "parem de", "chega de"), "clause"),
        Trigger("correction", r"nao (?:(?:o |a |me |os |as )?(?:volte|voltes) a (?=\w)|[^\n,;]{1,60}? (?:de novo|novamente|outra vez|mais)(?= ?(?:[.,!]|\n|$)))", ("volte", "de novo", "novamente", "outra vez", "mais"), "clause"),
        Trigger("proper_noun", "(?:(?:o )?meu nome (?:completo )?e|(?:eu )?me chamo|chamo-me)", ("nome", "chamo"), then="sure name"),
        Trigger("proper_noun", "(?:(?:eu )?sou (?:o |a )?|(?:me )?cham[ae](?:-me| de|m de)?|(?:pode(?:s)? |podem )?(?:me chamar de|chamar-me|me chamar)|me chame de|me chama de|aqui e (?:o |a )?|trate-me por|trata-me por)", ("sou ", "cham", "aqui ", "trat"), "clause", then="name"),
        Trigger("preference", r"(?:eu )?(?:prefiro|preferia|preferiria)(?! que [^\n]{0,60}?\b(?:sempre|nunca)\b)(?= [^\n])", ("preferi", "prefir"), unless=r"\b(?:se(?: eu)?|qual|disse que)"),
        Trigger(
            "preference",
            r"(?:eu )?(?:nao )?(?:(?:tambem|sempre|realmente|so) )?(?:gosto|(?<!mais.)(?<!menos.)(?<!muito.)(?<!tao.)(?<!bem.)curto(?! (?:e|mas|ou|prazo)\b)|adoro|amo|odeio|detesto|nao suporto|nao aguento|abomino)(?: (?:muito|mesmo|mais|bastante|imenso|demais))?(?: d[eoa]s?\b)?"
            r"(?! (?:isso|isto|como|disso|disto|quando|que|essa|esse|sua|seu|ideia|jeito|forma|resposta)\b)(?= \w)",
            ("gosto", "curto", "adoro", "amo ", "odeio", "detesto", "suporto", "aguento", "abomino"),
            unless=r"\b(?:se(?: eu)?|que|quando|como|bom|mau|meu|seu|o|um|de|do|ao|a)",
        ),
        Trigger("preference", r"(?:eu )?(?:nao )?me (?:agrad(?:a|am)|encant(?:a|am)|fascin(?:a|am)|irrit(?:a|am)|incomod(?:a|am))(?= \w)|(?:agrad(?:a|am)|irrit(?:a|am)|incomod(?:a|am))-me(?= \w)", ("agrad", "encant", "fascin", "irrit", "incomod"), unless=r"\b(?:se(?: eu)?|que)"),
        Trigger("preference", r"(?:eu )?(?:(?:nao )?quero|queria|gostaria de|desejo) (?:morar|mudar-?me|me mudar|ser |viver|ter (?:filhos|um filho|uma familia)|casar|emagrecer|perder peso|parar de fumar|deixar de fumar|viajar|me aposentar|aposentar-me|estudar (?:medicina|direito|em|n)|trabalhar (?:de|em|n))", ("quero", "queria", "gostaria", "desejo"), unless=r"\b(?:se(?: eu)?|que|quando)"),
        Trigger("preference", r"(?:eu )?(?:quero|queria|gostaria de|desejo)(?! (?:que|saber|ver|um[a]?s? (?:exemplo|lista|tabela|resumo|grafico|codigo|script|explicacao|funcao|ajuda|conselho|dica)|isso|isto|o que|a tabela|o (?:codigo|grafico|resumo)|ajuda|informac\w+|te|me|\w+[aeio]r(?:-\w+)?\b))(?= \w)", ("quero", "queria", "gostaria", "desejo"), unless=r"\b(?:se(?: eu)?|que|quando|nao|te|o|como|quanto)"),
        Trigger("preference", r"(?:o meu|a minha|os meus|as minhas|meus?|minhas?) [^\n,.]{1,40}? (?:favorit[oa]s?|preferid[oa]s?) (?:e|sao)|minha preferencia e", ("favorit", "preferid", "preferencia")),
        Trigger("preference", r"sou (?:muito |um grande |uma grande )?(?:fa|apaixonad[oa]|amante) (?:de|do|da|por)", ("sou ",), then="word"),
        Trigger("decision", "(?:vamos (?:usar|com|de|fazer|utilizar|testar)|usemos|utilizemos|facamos|fico com|ficamos com|optamos por|escolhemos|vou (?:usar|utilizar)|usaremos|usarei|decidi(?:mos)?|bora (?:usar|de|com))", ("vamos", "emos", "fico", "ficamos", "optamos", "vou ", "usar", "decidi", "bora", "facamos"), then="word"),
        *instruction_triggers(_GRAMMAR, _MARKS),
        Trigger("instruction", r"(?:quero|preciso de?|espero) [^\n.;!?,]{1,40}? (?:para|pra|com|em|de|por) cada [^\n.;!?,]{1,40}? que (?:voce |tu )?(?:me )?(?:cit|mencion|der|fornec|sugir|propu|apresent)\w*", ("cada",), "clause"),
        Trigger("preference", r"se (?:ha|tem|existe) (?:uma coisa|algo|alguma coisa) que (?:eu )?(?:[\w]+ ){0,2}?(?:odeio|odeie|detesto|deteste|adoro|adore|amo|gosto|nao gosto|nao suporto|nao aguento),? (?:e|sao)\b(?! (?:que|quando|ess[ea]s?|est[ea]s?|iss?to|isso|o (?:codigo|erro|bug))\b)|o que (?:eu )?(?:mais |menos |realmente ){0,2}(?:nao )?(?:odeio|detesto|adoro|suporto|aguento|gosto) (?:mesmo )?(?:e|sao)(?! (?:que|quando|como|isso|isto|ess[ea]s?|est[ea]s?|o (?:codigo|erro|bug)|sua|seu)\b)", ("odeio", "detesto", "adoro", "amo ", "gosto", "suporto", "aguento"), "clause"),
        Trigger("preference", r"~(?!(?:isso|isto|esse|este|essa|esta|o (?:erro|codigo|bug))\b)[^\n,.;!?]{2,50}? (?:me (?:da|dao|causa|causam|provoca)|(?:da|dao|causa|causam|provoca)-me) (?:muita |sempre )?(?:dor de cabeca|dores de cabeca|enxaqueca)", (" me da", " me causa", "-me ", "me provoca"), "clause", unless=r"\b(?:se|quando|isso|isto)"),
        Trigger("preference", r"(?:(?:ultimamente|agora|recentemente),? )?(?:eu )?(?:estou|ando|to|tou|sou|fiquei)(?: (?:super|muito|totalmente|completamente|ultimamente|meio|mesmo)){0,2} (?:apaixonad[oa]s? por|viciad[oa]s? em|obcecad[oa]s? (?:por|com)|fissurad[oa]s? em)(?= \w)", ("apaixonad", "viciad", "obcecad", "fissurad"), "clause", unless=r"\b(?:se|ele|ela)"),
        Trigger("remember", r"(?:nao|nunca) (?:te |se |me |vai )?esque(?:ce|ca|cas|cer)(?: (?:que|de que|do|da|meu|minha|o|a)\b| ?:)", ("esquec", "nao "), "clause", unless=r"\b(?:eu|ele|ela)"),
        Trigger("decision", r"vamos (?:testar|tentar|experimentar|comecar|ficar|seguir) (?:com|pel[oa])(?= \w)", ("vamos",), "clause"),
        Trigger("instruction", f"(?:deix[ae]|par[ae]|parem) de (?:me |se )?(?:{_STEMS}|dar|fazer|dizer|por|ser|pedir)\\w*", ("deixa de", "deixe de", "pare de", "para de", "parem de"), "clause"),
        Trigger("instruction", f"nao (?:me |se |o |a )?(?:(?:volte|voltes) a (?=\\w)|{_VERB}[^\\n,;]{{0,60}}? (?:nunca mais|de novo|novamente|outra vez|mais))", ("volte", "nunca mais", "de novo", "novamente", "outra vez", "mais"), "clause"),
        Trigger("instruction", r"(?:nada de|nenhum(?:a)?|chega de|sem|evit[ae](?: os| as)?) (?:emojis?|emoticons?|desculpas|marcadores|jargao|jargoes|exclamacoes|enrolacao|girias|listas|markdown|introducoes|rodeios)(?= ?(?:[,.!\n]|$|por favor|n[ao]s ))", ("nada de", "nenhum", "chega de", "sem ", "evita", "evite"), "clause"),
        Trigger("instruction", rf"(?:quero|prefiro|preciso|gostaria)(?: de)?(?: ver| ter)? (?:todas|todos) (?:as|os|suas|tuas)(?: (?:suas|tuas))? {_REPLIES}", ("todas", "todos"), then="word"),
        Trigger("instruction", rf"(?:todas as (?:suas|tuas)|todas as|as (?:suas|tuas)|suas|tuas|cada) {_REPLIES} (?:dev|tem que|tem de|precis)\w*", ("suas", "tuas", "todas", "cada"), "clause"),
        Trigger("instruction", rf"(?:mantenha|mantem|deixe|deixa|faca) (?:sempre )?(?:as )?(?:suas|tuas|todas as) {_REPLIES}", ("mant", "deix", "faca"), "clause"),
        Trigger("remember", r"(?:lembr[ae]|lembre-se|lembra-te|lembrem-se|tenha em (?:mente|conta)|tem em (?:mente|conta)|anot[ae]|toma nota|tome nota|memoriz[ae]|guard[ae])(?: de| disso| isto| isso)?(?: que|:| isto| isso| disso| disto| d[aeo]| (?:o )?meu| (?:a )?minha|,)", ("lembr", "mente", "conta", "anota", "anote", "nota", "memoriz", "guard"), "clause", unless=r"\b(?:me|nao)"),
        Trigger("remember", r"nao (?:te |se |me |o |vos )?(?:esquec(?:a|as|am)|deixe de lembrar)", ("esquec",), unless=r"\b(?:eu|para)"),
        Trigger("proper_noun", r"(?:todo mundo|toda a gente|todos|todas|a (?:galera|turma|gente)|o pessoal|(?:os |as )?(?:meus|minhas) \w+|(?:o |a )?(?:meu|minha) \w+|em casa|la em casa)(?: \w+){0,3}? (?:so )?me (?:chamam?|tratam?|conhecem?|diz|dizem)(?: (?:de|por|como|so))?(?: (?:o|a))?", ("me cham", "me trat", "me conhec", " me di"), then="name"),
        Trigger("proper_noun", r"(?:me (?:chamam (?:de|por)|conhecem (?:como|por)|tratam por)|chamam-me|conhecem-me (?:como|por)|tratam-me por|sou (?:mais )?conhecid[oa] (?:como|por)|atendo por)", ("me chamam", "me conhecem", "me tratam", "am-me", "em-me", "conhecid", "atendo"), then="name"),
        Trigger("proper_noun", rf"(?:ess[ea]|est[ea]|aquel[ea]|aqui|quero te apresentar|te apresento|apresento-te|deixa eu te apresentar|conhece)(?: aqui)?(?: e)?(?: (?:o|a|ao))? (?:meu|minha|nosso|nossa) (?:\w+ )??{_PERSON}(?: de (?:trabalho|equipe|quarto))?,?", ("esse e", "essa e", "esse aqui", "essa aqui", "este e", "esta e", "este aqui", "aquele e", "aquela e", "aqui e", "apresent", "conhece"), "clause", then="name"),
        Trigger("proper_noun", rf"(?:meus?|minhas?|noss[oa]s?|os|as) (?:\w+ )??{_PERSON}s? (?:mais (?:velh[oa]s?|nov[oa]s?) )?(?:se chamam|se chama|chama-se|chama|atende por)", ("chama", "atende"), then="name"),
        Trigger("proper_noun", rf"o nome d[oa] (?:meu|minha|nosso|nossa) (?:\w+ )??{_PERSON} e", ("nome d",), then="name"),
        Trigger("preference", r"(?:eu )?(?:nao )?sou (?:\w+ ){0,2}?(?:mais|muito mais|bem mais|menos|muito|super|time|bastante) (?:d[eoa] |chegad[oa] |ligad[oa] |fa )?[^\n,.!?]{1,40}? (?:do )?que (?=\w)|(?:eu )?(?:nao )?sou (?:\w+ )?(?:mais |muito |nada |pouco |team |time )(?:d[eoa]s? |chegad[oa] )(?=\w)|(?:eu )?(?:nao )?sou (?:uma? )?(?:pessoa|cara|tipo) (?:d[eoa]|mais|que (?:gosta|prefere))", ("sou ",), unless=r"\b(?:se(?: eu)?|que|quando)"),
        Trigger("preference", r"(?:nao )?(?:e|sao|era|ta) (?:bem |muito |realmente |exatamente )?(?:comigo|minha praia|meu forte|meu estilo|minha cara|a minha cena|(?:para|pra) mim(?=[.!\s]{0,3}(?:\n|$)))|nao (?:me (?:desce|descem)|faz (?:o )?meu (?:tipo|genero|estilo))|nao vou com|me (?:da|dao) (?:nos nervos|nojo|preguica|agonia|arrepio|gastura)|me tira do serio", ("comigo", "praia", "meu forte", "meu estilo", "minha cara", "minha cena", " mim", "me desce", "meu tipo", " genero ", "nao vou com", " me da", "me tira"), unless=r"\b(?:isso|isto|se|quando)"),
        Trigger("preference", r"(?:eu )?(?:fico sempre com|sempre fico com|vou sempre de|sempre vou de|fico com o|fico com a|nao (?:vivo|passo|fico) sem|nao (?:como|bebo|uso|tomo)|so (?:como|bebo|uso|tomo)|sempre (?:gostei|amei|adorei|odiei|preferi|detestei)|nunca (?:gostei|curti|suportei)|(?:tenho|sempre tive) (?:pavor|horror|paixao|uma queda|preferencia|aversao)|nada como)(?! (?:isso|isto|se|que|saber)\b)(?=[\s\w])", ("fico", " vou ", " vivo", "nao passo", "nao ", "so como", "so bebo", "so uso", "so tomo", "gostei", " amei", "adorei", "odiei", "preferi", "detestei", "curti", "suportei", "tenho", " tive ", "nada como"), "clause"),
        Trigger("preference", r"(?:eu )?(?:me sinto|sinto-me|me dou|dou-me|ando|trabalho|rendo|durmo|viajo|estudo|penso|escrevo) (?:\w+ ){0,3}?(?:melhor|mais feliz|a vontade|pior|bem mais \w+)", ("melhor", "feliz", "vontade", " pior", "mais"), unless=r"\b(?:se(?: eu)?|nao|quando|que)"),
        Trigger("preference", r"(?:meus?|minhas?) [^\n,.]{1,40}? (?:favorit[oa]s?|preferid[oa]s?|de sempre|do coracao) (?:continua|continuam|sempre foi|sempre foram|ainda e|segue|seguem|era|foi|vai ser|sera)(?: sendo| a ser)?", ("favorit", "preferid", "de sempre", "coracao")),
        Trigger("instruction", rf"{_ON},? (?:por favor,? )?(?:nada de|nem (?:um|uma)\b|nao |nenhum|sem |so |somente |apenas |sempre |tudo em|todos? |todas |zero |quero |nunca )", _ON_SIGNS, "clause"),
        Trigger("instruction", rf"(?:nada de|nenhum[a]?|sem|so|somente|apenas|zero|chega de|nunca) [^\n.;!?]{{2,80}}? {_ON}", _ON_SIGNS, "clause"),
        Trigger("instruction", r"~[^\n.;!?]{2,60}? (?:sempre|so|somente|apenas|exclusivamente|nunca) (?:em|com|sem|a|ao|por|de|no|na) [^\n.;!?]{1,60}?,? ?(?:por favor|pfv|pf|obrigad[oa]|valeu|por gentileza)", ("por favor", "pfv", " pf", "obrigad", "valeu", "gentileza"), "sentence", unless=r"\b(?:eu|ele|ela)"),
        Trigger("instruction", r"(?:(?:voce )?nao (?:precisa|precisas|e (?:preciso|necessario)|tem (?:que|necessidade de)|ha necessidade de|carece de)|pode (?:pular|dispensar|parar com|cortar)|dispensa|dispense)(?: (?:me|te|de))? [^\n.;!?]{2,80}?(?:toda vez|cada vez|sempre|toda hora|o tempo todo|em cada \w+|em tod[oa]s? \w+|no (?:comeco|inicio|final|fim)|a cada \w+)", ("nao precisa", "preciso", "necessario", "necessidade", "tem que", "carece", " pular", " dispens", "parar com", "cortar"), "clause"),
        Trigger("instruction", r"(?:quando|se|sempre que|toda vez que|antes de|antes que) [^\n.;!?]{2,90}?,? ?(?:sempre )?(?:me \w+|\w+-me|poe|ponha|coloca|coloque|da|use|usa|inclua|inclui|escreva|escreve|explique|explica|mostre|mostra|pergunte|pergunta|avise|avisa|consulte|consulta|quero que(?: sempre)?(?: voce)?(?: me)? \w+) (?:\w+ ){0,3}?(?:sempre|antes|primeiro|nunca|sem falta)(?!\w)", ("sempre", "antes", "primeiro", "nunca", "sem falta"), "clause"),
        Trigger("remember", r"(?:(?:pode|poderia|podes|podia|consegue) )?(?:anot(?:a|ar|e|es|a-se)|tom(?:a|e|ar) nota|(?:tem|tenha|ter) em (?:mente|conta)|guard(?:a|e|ar)|lembr(?:a|e|ar)|registr(?:a|e|ar)|fica sabendo|nao perca de vista)(?: ai| isso ai| isso| bem| na (?:sua )?memoria)?(?:,? (?:por favor|pfv|pf))?,? ?(?:que (?=\w)|:|,)", (" anot", "nota", "mente", "conta", "guard", "lembr", " registre ", " registra ", "sabendo", "de vista"), "clause", unless=r"\b(?:me|nao|eu)"),
        Trigger("preference", r"~(?!(?:isso|isto|ele|ela)\b)[^\n,.;!?]{2,50}? me (?:entedia[m]?|cansam?|relaxam?|distraem?|ajudam? a (?:concentrar|relaxar|pensar|focar)|estressam?|acalmam?)(?!\w)|(?:trabalho|durmo|penso|estudo|escrevo|rendo) (?:\w+ )?melhor (?:com|em|sem|de|quando|a|no|na)|(?:\w+ ){1,5}eu (?:nao )?(?:suporto|aguento|adoro|odeio|detesto|amo|dispenso)", ("me entedia", "me cansa", "me relax", "me distra", "me ajuda", "me estress", "me acalma", "melhor", "suporto", "aguento", "adoro", "odeio", "detesto", " amo ", "dispenso"), "clause", unless=r"\b(?:se|quando|erro)"),
        Trigger("instruction", rf"{_ON},? [^\n.;!?]{{2,60}}? (?:em|para|a|n)(?:os|as)? ?(?:todos|todas|cada|meus|minhas)\b", _ON_SIGNS, "clause"),
        Trigger("proper_noun", r"(?:aqui )?quem (?:fala|escreve|manda|ta falando|esta falando)(?: aqui)? e(?: [oa])?", ("quem ",), "clause", then="name"),
        Trigger("preference", r"~[^\n,.;!?]{2,40}? (?:(?:para|pra) mim (?:ganha|bate|vence|e (?:muito |bem )?melhor)|(?:ganha|bate|vence) [^\n,.;!?]{2,30}? (?:para|pra) mim|mil vezes melhor (?:do )?que)(?!\w)", (" mim", "mil vezes"), "clause", unless=r"\b(?:se|quando|isso|isto)"),
        Trigger("decision", r"(?:(?:beleza|entao|ta|esta|ok|pronto|bom),? ){0,3}(?:fechou|fechado|decidido|combinado)(?= ?[,:;])", ("fechou", "fechado", "decidido", "combinado"), "clause"),
        *INTRODUCTIONS["portuguese"],
        *REMINDERS["portuguese"],
        *ATTITUDES["portuguese"],
        *EVERYDAY["portuguese"],
        *STANDING_REQUESTS["portuguese"],
    ),
    leads=_LEAD,
    conjunctions="e|mas|ou|porque|que|entao|pois",
    question_words="que|qual|quais|como|onde|quando|quem|por que|quanto|quantos|voce pode|pode|poderia|podes|podia|consegue|ha|tem|devo|deveria|e que",
    private=(
        rf"(?:^|[,.;:!—–-] ?|\b(?:e|mas|por favor),? )nao (?:o |a |me |os |se )?(?:lembr(?:e|es|a)|guard(?:e|es|a)|salv(?:e|es|a)|anot(?:e|es|a)|memoriz(?:e|es|a)|regist(?:e|es|re|res|ra)|armazen(?:e|es|a)|grav(?:e|es|a))(?:-(?:o|a|se))?(?: d?{_THIS})?(?= ?(?:$| (?:mas|e|porque|nao|viu)\b|[,.;:!—–]| por favor| na (?:sua |tua )?memoria| que | porque))",
        rf"(?:nao quero|preferia|prefiro|nao gostaria) que (?:voce )?(?:nao )?(?:se )?(?:lembr(?:e|es)|guard(?:e|es)|salv(?:e|es)|anot(?:e|es)|memoriz(?:e|es)|regist\w+|armazen\w+|grav(?:e|es))(?: d?{_THIS})?(?= ?(?:$| (?:mas|e|porque|nao|viu)\b|[,.;:!]| na (?:sua |tua )?memoria))",
        rf"(?:esquec[ae]|esqueca-se|apag(?:ue|a)) (?:d?{_THIS})(?= ?(?:$| (?:mas|e|porque|nao|viu)\b|[,.;:!]))",
        r"(?:isso (?:fica|e) |isto (?:fica|e) |fica |que fique )?(?:so )?entre nos(?= ?(?:$| (?:mas|e|porque|nao|viu)\b|[,.;:!]))|off the record|extraoficialmente",
        r"(?:^|[,.;:!¡—–-] ?)(?:(?:(?:isto |isso )?(?:e|fica|deve ficar|que fique)|mantenha (?:isto|isso)|(?:eu )?(?:te )?(?:digo|conto|disse|contei)(?:-te)?(?: isto| isso)?) )?(?:\w+mente |muito )?(?:confidencial(?:mente)?|em (?:\w+ )?(?:confianca|confidencia))(?= ?(?:$| (?:mas|e|porque|que)\b|[,.;:!—–]))",
    ),
    self_harm=(
        r"suicid\w*|automutil\w*|tirar (?:a )?minha (?:propria )?vida|(?:me matar|matar-me|me machucar|me cortar|cortar-me)|acabar com (?:a )?(?:minha vida|tudo)",
    ),
    death_wish=(
        r"(?:quero|queria|prefiro|preferia|gostaria de|desejo) (?:morrer|estar mort[oa]|desaparecer|sumir|nao existir|nao acordar)\b|(?:nao quero|ja nao quero|nao quero mais) (?:mais )?viver|me odeio\b|odeio-me|odeio (?:a )?minha vida|odeio viver",
    ),
    violence=(
        r"me (?:bate|bateu|espanca|espancou|agride|agrediu|maltrata|estupr\w+|viol\w+|abus\w+|ameac\w+|assedi\w+|esfaque\w+)\b|(?:bate|bateu|agride|viola|violou|ameaca)-me|(?:fui|tenho sido) (?:estuprad|violad|abusad|agredid|espancad|maltratad)[oa]|abus(?:a|ou|aram) de mim",
    ),
)  # fmt: skip
