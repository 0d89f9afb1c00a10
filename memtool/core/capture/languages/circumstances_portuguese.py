"""Portuguese, of Portugal and Brazil: dropped pronouns, both genders."""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import DATE, END, ends, phrase, place, rows

_NEXT = "e|ou|mas|porque|que|desde|ha|faz|com|onde|quando|entao|por|para|pra|enquanto|como|se|sem|agora|em|na|no|de segunda|perto"
_NUMBER = r"(?:um|uma|dois|duas|tres|quatro|cinco|seis|\d{1,2})"
_KIN = (
    "filh[oa]s?|filhinh[oa]s?|criancas?|net[oa]s?|irmaos?|irmas?|sobrinh[oa]s?|gemeos|gemeas|bebes?|adolescentes|marido|mulher|espos[oa]"
    "|companheir[oa]|namorad[oa]|prim[oa]s?|avos?|mae|pai|ti[oa]s?|sogr[oa]s?|cunhad[oa]s?|enteado|enteada|menin[oa]s"
)
_PET = "cachorr[oa]s?|cao|caes|cadelas?|gat[oa]s?|gatinh[oa]s?|coelh[oa]s?|papagaios?|hamsters?|caes|tartarugas?|cavalos?|eguas?"
_OCCUPATION = (
    r"(?:enfermeir[oa]|medic[oa]|professora?|profe?|advogad[oa]|engenheir[oa]|cozinheir[oa]|garcom|garconete|motorista|arquitet[oa]|arquitect[oa]|designer"
    r"|programador[a]?|desenvolvedor[a]?|dev|contador[a]?|contabilista|encanador|canalizador|eletricista|marceneir[oa]|jornalista|escritor[a]?|tradutor[a]?"
    r"|estudante|aposentad[oa]|reformad[oa]|autonom[oa]|funcionari[oa] public[oa]|psicolog[oa]|veterinari[oa]|farmaceutic[oa]|dentista|fisioterapeuta|bombeir[oa]"
    r"|policial|policia|pilot[oa]|mecanic[oa]|cabeleireir[oa]|padeir[oa]|agricultor[a]?|music[oa]|fotograf[oa]|biolog[oa]|quimic[oa]|fisic[oa]|investigador[a]?"
    r"|pesquisador[a]?|secretari[oa]|vendedor[a]?|camionista|caminhoneir[oa]|taxista|pedreir[oa]|pintor[a]?|ator|atriz|cientista|economista|bibliotecari[oa]"
    r"|paramedic[oa]|dona de casa|nutricionista|socorrista|freelancer|mei)"
)
_PLACE = place(
    _NEXT, "um|uma|o|a|os|as|este|esta|esse|essa|meu|minha|paz|casa|equipe|isso|isto|familia|geral"
)

FORMS = rows(
    r"(?:eu |nos |a gente )?(?:(?:agora|atualmente|tambem|hoje|ainda|so) )?(?P<denied>ja nao )?",
    ("LIVES_IN", ("mor", "viv", "resid", "mud"), rf"(?:(?:moro|moramos|mora|vivo|vivemos|resido|estou morando|to morando)(?: (?:agora|atualmente|sozinh[oa]|com (?:o |a )?(?:meu |minha )?\w+))? (?:em|no|na|nos|nas)|(?:me mudei|mudei-me|mudei|nos mudamos|mudamos|mudamos-nos|acabei de me mudar|acabamos de nos mudar|acabamos de mudar|acabei de mudar) (?:para|pra|pro)(?: o| a)?) {_PLACE}"),
    ("LIVES_IN", ("moro", "moramos", "vivo", "vivemos"), rf"(?:moro|moramos|vivo|vivemos)(?: (?:sozinh[oa]))? (?:em|num|numa) ?(?P<value>(?:um |uma )?(?:apartamento|casa|sitio|kitnet|vila|aldeia|cidade|quinta|fazenda|ilha|predio|republica|sobrado|cobertura|vivenda)(?: [\w'’-]+){{0,4}}?){ends('e|mas|que|onde|entao|com')}"),
    ("COMES_FROM", ("sou d", "somos d", "venho", "nasci"), rf"(?:sou|somos|venho) (?:natural )?(?:de|do|da) (?!\w+(?:ar|er|ir) (?:o|a|os|as|um|uma|isso|tudo|com|para)\b){place(_NEXT, 'opiniao|area|humanas|exatas|tipo|poucas|um|uma|time|turma|familia|quem')}"),
    ("WORKS_AS", ("trabalho",), rf"trabalho(?: agora| atualmente)? (?:como|de) (?!(?:noite|segunda|dia|manha|tarde|casa|forma|graca|sol|que)\b){phrase(_NEXT)}"),
    ("WORKS_AS", ("sou ", ), rf"sou (?P<value>(?:uma? )?{_OCCUPATION}(?: (?:de|do|em) \w+(?: \w+)?)?)(?!\w)"),
    ("WORKS_AT", ("trabalho", "trabalhamos"), rf"trabalh(?:o|amos) (?:em|num|numa|no|na|para|pra|para a|para o)(?: um| uma)? (?:(?P<value>(?:hospital|banco|escola|universidade|faculdade|loja|bar|restaurante|hotel|fabrica|empresa|startup|prefeitura|camara|biblioteca|farmacia|escritorio|clinica|creche|livraria|agencia|oficina|ministerio|padaria)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}|{_PLACE})"),
    ("WORKS_AT", ("trabalho",), rf"trabalho (?P<value>(?:de noite|a noite|por turnos|em turnos|de madrugada|de casa|em casa|em home office|remoto|a partir de casa|por conta propria|meio periodo|a tempo parcial)){END}"),
    ("HAS_TRAIT", ("sou ", "somos ", "estou "), r"(?:sou|somos|estou) (?P<value>vegan[oa]s?|vegetarian[oa]s?|celiac[oa]s?|diabetic[oa]s?|asmatic[oa]s?|canhot[oa]s?|intolerantes? (?:a|ao) \w+|daltonic[oa]|dislexic[oa]|surd[oa]|ceg[oa]|gravida|casad[oa]s?|divorciad[oa]|viuv[oa]|solteir[oa]|hipertens[oa]|mae solo|mae solteira|aposentad[oa]s?|reformad[oa]s?|miope|abstemi[oa]|muculman[oa]|evangelic[oa])(?!\w)"),
    ("HAS_TRAIT", ("nao como", "nao bebo", "nao posso"), rf"nao (?P<value>(?:como|comemos|bebo|posso (?:comer|tomar|beber)) (?!nada\b|muito|bem|tanto|isso|isto|mais)[\w'’-]+(?: (?:nem|ou) [\w'’-]+)?){ends(_NEXT)}"),
    ("ALLERGIC_TO", ("alergi",), rf"(?:(?:sou|somos) (?:muito )?alergic[oa]s? (?:a|ao|aos|as)|tenho (?:uma )?(?:alergia|intolerancia) (?:a|ao|aos|as)) {phrase(_NEXT.replace('e|ou|', ''))}"),
    ("HAS_CONDITION", ("tenho", "sofro"), r"(?:tenho|sofro de) (?P<value>(?:diabetes|asma|hipertensao|epilepsia|enxaquecas?|artrite|tdah|ansiedade|intolerancia (?:a|ao) \w+|pressao alta|tensao alta|doenca celiaca|hipotiroidismo|hipotireoidismo|fibromialgia|anemia|rinite))(?!\w)"),
    ("HAS_AGE", ("tenho", "fiz ", "faco "), r"(?:tenho|acabei de fazer|fiz) (?P<value>\d{1,3}) anos(?! (?:de|com|usando|a |em|esperando))"),
    ("HAS_FAMILY", ("tenho", "temos", "mae de", "pai de", "tem "), rf"(?:tenho|temos|a gente tem|sou (?:mae|pai|avo) de) (?P<value>(?:{_NUMBER} (?:\w+ ){{0,1}}?)?(?:{_KIN}|{_PET})(?: (?:pequen[oa]s?|mais velh[oa]s?|adolescentes?|gemeos|gemeas))?)(?!\w)"),
    ("HAS_FAMILY", ("com ", "sozinh", "casad"), rf"(?P<value>(?:moro|vivo) (?:com (?:(?:o |a |os |as )?(?:meus?|minhas?) (?:\w+ )?(?:{_KIN}|{_PET}|colegas?|pais)|{_NUMBER} (?:\w+ )?(?:{_KIN}|{_PET}))|sozinh[oa])|(?:sou|somos|estou) (?:casad[oa]s?|divorciad[oa]s?|noiv[oa])(?: com uma? \w+)?)(?!\w)"),
    ("OWNS", ("tenho", "temos"), rf"(?:tenho|temos|dirijo|conduzo) (?P<value>um[a]? (?:carro|moto|bicicleta|bike|casa|apartamento|horta|barco|piano|violao|guitarra|notebook|portatil|empresa|loja|negocio|padaria|sitio|quinta|carrinha|caminhao)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}"),
    ("STUDIES", ("estud", "curso ", "faco "), rf"(?:estudo|estou estudando|estou a estudar|curso|faco (?:faculdade|mestrado|doutorado|licenciatura) (?:de|em)) (?!(?:em|para|pra|muito|com|por|a|o|no|na|um)\b){phrase(_NEXT)}"),
    ("SPEAKS", ("falo ", "lingua materna"), r"(?:falo|(?:a )?minha lingua materna e) (?:o )?(?P<value>(?:espanhol|ingles|frances|alemao|portugues|italiano|russo|chines|arabe|catalao|galego|japones|turco)(?:(?:,| e) \w+){0,3})(?!\w)"),
    ("IS", ("aniversario", "anos"), rf"(?:o )?(?:meu|nosso) (?P<thing>aniversario)(?: de casamento)? (?:e|cai) (?:no dia |em |dia |a )?{DATE}{END}"),
    ("IS", ("faco anos", "faco aniversario"), r"(?P<value>faco (?:anos|aniversario) (?:no dia|em|dia|a) \d{1,2} de \w+)(?!\w)"),
    ("IS", ("adiamos", "mudamos", "passamos", "antecipamos", "remarcamos"), rf"(?:adiamos|mudamos|passamos|antecipamos|remarcamos) (?:o|a|nosso|nossa) (?P<thing>\w+(?: \w+)?) (?:para|pra|pro|para o dia|pro dia|para) (?:o dia |dia )?{DATE}{END}"),
    ("KNOWS", ("meu ", "minha ", "noss"), rf"(?:o |a )?(?:meu|minha|noss[oa]) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|chefe|amig[oa]|vizinh[oa]|colega|soci[oa])),? (?:se chama |chama-se )?(?:[oa] )?(?P<name>[^\W\d_]\w+(?: [^\W\d_]\w+)?)(?= ?(?:$|[,.;!?)]| (?:e|que|tem|mora|vive|trabalha|faz|nao)\b))"),
    ("OF_AGE", ("meu ", "minha "), rf"(?:o |a )?(?:meu|minha) (?P<thing>(?:\w+ )?(?:{_KIN}|{_PET})) (?:tem|faz|fez|acabou de fazer) (?P<value>\d{{1,3}} (?:anos|meses|aninhos))"),
    ("IS", ("meu ", "minha "), rf"(?:o |a )?(?:meu|minha) (?P<thing>(?:\w+ )?(?:{_KIN}|chefe|colega)) (?:e|mora em|vive em|trabalha (?:em|como|de)) (?P<value>(?:uma? )?(?:vegan[oa]|vegetarian[oa]|celiac[oa]|alergic[oa] [\w ]{{3,30}}|diabetic[oa]|{_OCCUPATION}))(?!\w)"),
    ("HAS_TRAIT", ("gravida", "aposent", "reform"), r"(?P<value>(?:to|tou|estou) gravida(?: de \w+ \w+)?|(?:me aposentei|aposentei-me|reformei-me|me reformei|acabei de me (?:aposentar|reformar))(?: \w+ \w+)?|(?:to|tou|estou) (?:aposentad[oa]|reformad[oa]|desempregad[oa]|de licenca(?:[- ]maternidade)?))(?!\w)"),
    ("WORKS_AS", ("dou aula", "ensino ", "dirijo ", "conduzo ", "to trabalhando", "dou aulas"), r"(?P<value>(?:dou aulas? de|ensino) (?!(?:a|o|meu|minha)\b)[\w'’-]+(?: (?:em|no|na|num|numa) \w+(?: \w+)?)?|(?:dirijo|conduzo) (?:um |o )?(?:onibus|autocarro|caminhao|camiao|taxi|uber|metro|comboio|trem)|(?:to|estou) trabalhando (?:como|de) \w+|(?:tenho|toco) (?:um|uma) (?:\w+ )?(?:padaria|loja|oficina|salao|cafe|restaurante|horta|quinta))(?!\w)"),
    ("LIVES_IN", ("mor", "viv", "mud"), rf"(?:desde|depois de|ha|apos) (?:[\w'’-]+ ){{1,6}}?(?:moro|moramos|vivo|vivemos|estou morando) (?:em|no|na) {_PLACE}|(?:to|tou|estou|estamos|a gente ta) (?:morando|a viver|vivendo) (?:em|no|na) {_PLACE.replace('<place>', '<place2>')}"),
    ("KNOWS", ("meu", "minha", "noss"), rf"(?:o |a |os |as )?(?:meus?|minhas?|noss[oa]s?) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|galgos?|labradora?)),? (?:[oa] )?(?P<name>[^\W\d_]\w+(?: e (?:[oa] )?[^\W\d_]\w+)?)(?=,? [\w'’])"),
    ("HAS_FAMILY", ("meu ", "minha ", "noss"), rf"(?:o |a )?(?P<value>(?:meu|minha|noss[oa]) (?:\w+ )?(?:{_KIN}) (?:tem (?:alzheimer|parkinson|diabetes?|asma|autismo|tdah|epilepsia|alergia a \w+)|e (?:diabetic[oa]|celiac[oa]|asmatic[oa]|autista|vegan[oa]|alergic[oa] a \w+)|esta gravida|(?:entrou|comecou|vai entrar) (?:no|na|para o|para a) (?:primeiro|segundo|terceiro|quarto|quinto|escola|creche|\d)\w*))(?!\w)"),
)  # fmt: skip
"""The rows."""
