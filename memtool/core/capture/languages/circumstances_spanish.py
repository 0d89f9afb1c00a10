"""Spanish: dropped pronouns, ser and estar, both genders."""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import DATE, END, ends, phrase, place, rows

_NEXT = "y|e|o|pero|porque|que|desde|hace|con|donde|cuando|asi que|aunque|por|para|mientras|como|si|sin|ahora|en|al|a|de lunes|cerca"
_NUMBER = r"(?:un|una|dos|tres|cuatro|cinco|seis|varios|varias|\d{1,2})"
_KIN = (
    "hij[oa]s?|nin[oa]s?|niet[oa]s?|herman[oa]s?|sobrin[oa]s?|mellizos|mellizas|gemel[oa]s|bebes?|adolescentes|marido|mujer|espos[oa]"
    "|pareja|novi[oa]|prim[oa]s?|abuel[oa]s?|madre|padre|ti[oa]s?|suegr[oa]s?|cunad[oa]s?|crios|peques?"
)
_PET = "perr[oa]s?|gat[oa]s?|conej[oa]s?|cachorr[oa]s?|loros?|periquitos?|tortugas?|hamsters?|caballos?|yeguas?|mascotas?"
_OCCUPATION = (
    r"(?:enfermer[oa]|medic[oa]|maestr[oa]|profesora?|profe|abogad[oa]|ingenier[oa]|cociner[oa]|camarer[oa]|conductora?|arquitect[oa]|disenador[a]?"
    r"|programador[a]?|desarrollador[a]?|contable|fontaner[oa]|electricista|carpinter[oa]|periodista|escritor[a]?|traductor[a]?|estudiante|jubilad[oa]"
    r"|autonom[oa]|funcionari[oa]|psicolog[oa]|veterinari[oa]|farmaceutic[oa]|dentista|fisioterapeuta|bomber[oa]|policia|pilot[oa]|mecanic[oa]|peluquer[oa]"
    r"|panader[oa]|agricultor[a]?|musica?|fotograf[oa]|biolog[oa]|quimic[oa]|fisic[oa]|investigador[a]?|secretari[oa]|administrativ[oa]|dependient[ea]"
    r"|vendedor[a]?|camioner[oa]|taxista|albanil|pint[ao]r[a]?|act(?:or|riz)|cientific[oa]|economista|bibliotecari[oa]|paramedic[oa]|ama de casa|opositora?)"
)
_PLACE = place(
    _NEXT,
    "un|una|el|la|los|las|lo|este|esta|ese|esa|mi|paz|pareja|casa|eso|esto|familia|equipo|ello|algo|general",
)

FORMS = rows(
    r"(?:yo |nosotros )?(?:(?:ahora|actualmente|tambien|hoy en dia|todavia|solo|ya) (?!no ))?(?P<denied>ya no )?",
    ("LIVES_IN", ("viv", "resid", "mud", "trasladad"), rf"(?:(?:vivo|vivimos|resido|residimos)(?: (?:ahora|actualmente|sol[oa]|con mi \w+))? en|(?:me|nos) (?:(?:he|hemos) mudado|mude|mudamos|traslade)(?: \w+)? a|(?:acabo|acabamos) de (?:mudarme|mudarnos|trasladarnos|trasladarme)(?: \w+)? a|sigo viviendo en) {_PLACE}"),
    ("LIVES_IN", ("vivo", "vivimos"), rf"(?:vivo|vivimos)(?: (?:sol[oa]|con mi \w+))? en (?P<value>un(?:a)? (?:pueblo|piso|casa|atico|apartamento|estudio|ciudad|aldea|barrio|bajo|granja|caravana|isla)(?: \w+){{0,4}}?){ends('y|pero|que|donde|asi que')}"),
    ("COMES_FROM", ("soy de", "somos de", "naci en"), rf"(?:soy|somos|vengo) (?:natural )?de {place(_NEXT, 'la opinion|los que|las que|l[oa]s|la|el|te|un|una|cafe|letras|ciencias|poco|buen|mal|eso')}"),
    ("WORKS_AS", ("trabajo", "trabajamos"), rf"trabajo(?: ahora| actualmente)? (?:como|de) (?!(?:noche|lunes|dia|manana|tarde|cara|forma|sol|casa|manera)\b){phrase(_NEXT)}"),
    ("WORKS_AS", ("soy ",), rf"soy (?P<value>(?:una? )?{_OCCUPATION}(?: (?:de|en) \w+(?: \w+)?)?)(?!\w)(?! (?:de mi|del tema))"),
    ("WORKS_AT", ("trabajo", "trabajamos"), rf"trabaj(?:o|amos)(?: ahora| actualmente)? (?:en|para) (?:(?:un|una|el|la) (?P<value>(?:hospital|banco|colegio|instituto|escuela|universidad|tienda|bar|restaurante|hotel|fabrica|empresa|startup|ayuntamiento|biblioteca|farmacia|oficina|clinica|residencia|guarderia|libreria|agencia|taller|ministerio)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}|{_PLACE})"),
    ("WORKS_AT", ("trabajo",), rf"trabajo (?P<value>(?:de noche|por turnos|por las noches|a turnos|desde casa|en remoto|a media jornada|por cuenta propia)){END}"),
    ("HAS_TRAIT", ("soy ", "somos ", "estoy "), r"(?:soy|somos|estoy) (?P<value>vegan[oa]s?|vegetarian[oa]s?|celiac[oa]s?|diabetic[oa]s?|asmatic[oa]s?|zurd[oa]s?|intolerantes? al? \w+(?: \w+)?|daltonic[oa]|disléxic[oa]|dislexic[oa]|sord[oa]|cieg[oa]|embarazada|casad[oa]s?|divorciad[oa]|viud[oa]|solter[oa]|hipertens[oa]|madre soltera|padre soltero|jubilad[oa]s?|miope|abstemi[oa]|musulman[a]?|judi[oa])(?!\w)"),
    ("HAS_TRAIT", ("no como", "no bebo", "no puedo"), rf"no (?P<value>(?:como|comemos|bebo|puedo (?:comer|tomar|beber)) (?!nada\b|mucho|bien|tanto|eso|esto|de eso|mas)[\w'’-]+(?: (?:ni|o) [\w'’-]+)?){ends(_NEXT)}"),
    ("ALLERGIC_TO", ("alergi", ), rf"(?:(?:soy|somos) (?:muy )?alergic[oa]s? (?:al?|a l[oa]s?)|tengo (?:una )?(?:alergia|intolerancia) (?:al?|a l[oa]s?)) {phrase(_NEXT.replace('|a|', '|').replace('|al|', '|').replace('y|e|o|', ''))}"),
    ("HAS_CONDITION", ("tengo", "padezco", "sufro"), r"(?:tengo|padezco(?: de)?|sufro(?: de)?) (?P<value>(?:diabetes|asma|hipertension|epilepsia|migranas?|artritis|tdah|ansiedad|intolerancia (?:a la|al) \w+|la tension alta|celiaquia|hipotiroidismo|fibromialgia|anemia))(?!\w)"),
    ("HAS_AGE", ("tengo", "cumpl"), r"(?:tengo|acabo de cumplir|cumpli) (?P<value>\d{1,3}) anos(?! (?:trabajando|de|con|usando|viviendo|en|esperando))"),
    ("HAS_FAMILY", ("tengo", "tenemos", "madre de", "padre de"), rf"(?:tengo|tenemos|soy (?:madre|padre|abuel[oa]) de) (?P<value>(?:{_NUMBER} (?:\w+ ){{0,1}}?)?(?:{_KIN}|{_PET})(?: (?:pequen[oa]s?|mayor(?:es)?|adolescentes?|gemel[oa]s|mellizos))?)(?!\w)(?! de (?:problema|bug|mil|traba))"),
    ("HAS_FAMILY", ("vivo con", "vivo sol", "estoy casad", "casad"), rf"(?P<value>vivo (?:con (?:mis? (?:\w+ )?(?:{_KIN}|{_PET}|compan\w+|padres)|(?:{_NUMBER}) (?:\w+ )?(?:{_KIN}|{_PET}))|sol[oa])|(?:estoy|estamos) (?:casad[oa]s?|divorciad[oa]s?|prometid[oa]s?)(?: con un[a]? \w+)?)(?!\w)"),
    ("OWNS", ("tengo", "tenemos", "conduzco"), rf"(?:tengo|tenemos|conduzco) (?P<value>un[a]? (?:coche|moto|bici(?:cleta)?|casa|piso|furgoneta|huerto|barco|piano|guitarra|portatil|empresa|tienda|negocio|caravana|granja|panaderia|bar)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}"),
    ("STUDIES", ("estudi",), rf"(?:estudio|estoy estudiando|estudie) (?!(?:en|para|mucho|con|por|la posibilidad|un|el)\b){phrase(_NEXT)}"),
    ("SPEAKS", ("hablo ", "lengua materna"), r"(?:hablo|mi lengua materna es) (?:el )?(?P<value>(?:espanol|ingles|frances|aleman|portugues|italiano|ruso|chino|arabe|catalan|gallego|euskera|japones|turco)(?:(?:,| y) \w+){0,3})(?!\w)"),
    ("IS", ("cumple", "aniversario"), rf"(?:mi|nuestro) (?P<thing>cumpleanos|cumple|aniversario) (?:es|cae) (?:el )?{DATE}{ends(_NEXT.replace('|de lunes', '').replace('|a', ''))}"),
    ("IS", ("cumplo",), r"(?P<value>cumplo (?:\d+ )?anos el \d{1,2} de \w+)(?!\w)"),
    ("IS", ("hemos", "movimos", "aplazamos", "adelantamos", "pasamos"), rf"(?:hemos (?:movido|pasado|aplazado|adelantado|cambiado|retrasado)|movimos|aplazamos|adelantamos|cambiamos) (?:el|la|nuestr[oa]) (?P<thing>\w+(?: \w+)?) (?:al|para el|hasta el) {DATE}{END}"),
    ("KNOWS", ("mi ", "mis ", "nuestr"), rf"(?:mi|nuestr[oa]) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|jef[ea]|amig[oa]|vecin[oa]|compan\w+|soci[oa])),? (?:se llama )?(?P<name>[^\W\d_]\w+(?: [^\W\d_]\w+)?)(?= ?(?:$|[,.;!?)]| (?:y|que|tiene|vive|trabaja|es|cumple|no)\b))"),
    ("OF_AGE", ("mi ", "mis "), rf"mi (?P<thing>(?:\w+ )?(?:{_KIN}|{_PET})) (?:tiene|cumple|acaba de cumplir) (?P<value>\d{{1,3}} (?:anos|meses))"),
    ("IS", ("mi ",), rf"mi (?P<thing>(?:\w+ )?(?:{_KIN}|jef[ea]|compan\w+)) (?:es|vive en|trabaja (?:en|como|de)) (?P<value>(?:un[a]? )?(?:vegan[oa]|vegetarian[oa]|celiac[oa]|alergic[oa] [\w ]{{3,30}}|diabetic[oa]|{_OCCUPATION}|[^\W\d_]\w+es[a]?))(?!\w)"),
    ("HAS_TRAIT", ("jubil", "embarazada", "retir"), r"(?:resulta que |hace \w+ que )?(?P<value>me (?:jubile|retire|acabo de jubilar|he jubilado)(?: en \w+| hace \w+ \w+)?|(?:acabo de|ya estoy) jubila(?:rme|d[oa])|estoy (?:de \w+ (?:meses|semanas) )?embarazada(?: de \w+ \w+)?|estoy en (?:paro|silla de ruedas)|estoy de baja)(?!\w)"),
    ("WORKS_AS", ("ensen", "doy clases", "manejo ", "conduzco ", "llevo ", "doy clase", "regento"), r"(?P<value>(?:enseno|doy clases? de) (?!(?:a mi|esto|eso)\b)[\w'’-]+(?: en (?:\w+ )?\w+)?|(?:manejo|conduzco) (?:un |el )?(?:autobus|camion|taxi|metro|tren|colectivo|tranvia|uber)|(?:tengo|llevo|regento) (?:un|una) (?:\w+ )?(?:panaderia|tienda|taller|peluqueria|cafeteria|restaurante|libreria|consultorio|huerta|granja))(?!\w)"),
    ("LIVES_IN", ("viv", "mud", "traslad"), rf"(?:desde|tras|despues de|hace) (?:[\w'’-]+ ){{1,6}}?(?:vivo|vivimos|me mude a|nos mudamos a) ?(?:en )?{_PLACE}|(?:me acabo de mudar|nos acabamos de mudar|recien me mude|recien nos mudamos|me vine a vivir|nos vinimos a vivir|estoy viviendo|estamos viviendo) (?:a|en) {_PLACE.replace('<place>', '<place2>')}"),
    ("KNOWS", ("mi ", "mis ", "nuestr"), rf"(?:mis?|nuestr[oa]s?) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|galgos?|labradora?)),? (?P<name>[^\W\d_]\w+(?: y [^\W\d_]\w+)?)(?=,? [\w'’])"),
    ("HAS_FAMILY", ("mi ", "nuestr"), rf"(?P<value>(?:mi|nuestr[oa]) (?:\w+ )?(?:{_KIN}) (?:tiene (?:alzheimer|parkinson|diabetes|asma|autismo|tdah|celiaquia|epilepsia|alergia al? \w+)|es (?:diabetic[oa]|celiac[oa]|asmatic[oa]|autista|vegan[oa]|alergic[oa] al? \w+)|esta embarazada|(?:empieza|entra|empezo) (?:en )?(?:primero|segundo|tercero|cuarto|quinto|sexto|la primaria|la secundaria|el instituto|el cole(?:gio)?)))(?!\w)"),
)  # fmt: skip
"""The rows."""
