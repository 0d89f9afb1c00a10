"""French: elided pronouns, both genders."""

from __future__ import annotations

from memtool.core.capture.languages.circumstances_grammar import DATE, END, ends, phrase, place, rows

_NEXT = "et|ou|mais|parce|car|qui|que|depuis|avec|donc|pour|pendant|comme|si|sans|maintenant|en ce moment|dans|a|en|au|du lundi|pres|du cote"
_NUMBER = r"(?:un|une|des|deux|trois|quatre|cinq|six|plusieurs|\d{1,2})"
_KIN = (
    "fils|filles?|garcons?|enfants?|gamins?|gosses?|petits-enfants|petite-fille|petit-fils|freres?|soeurs?|sœurs?|neveux?|nieces?|jumeaux|jumelles|bebes?|ados?"
    "|mari|femme|epou[sx]e?|conjointe?|compagn[eo]n?e?|copine?|copain|cousine?s?|grand-mere|grand-pere|mere|pere|tante|oncle|belle-mere|beau-pere|belle-soeur|beau-frere"
)
_PET = "chiens?|chiennes?|chats?|chattes?|chatons?|chiots?|lapine?s?|perroquets?|perruches?|tortues?|hamsters?|cheva(?:l|ux)|juments?"
_OCCUPATION = (
    r"(?:infirmi(?:er|ere)|medecin|institut(?:eur|rice)|prof(?:esseure?)?|enseignante?|avocate?|ingenieure?|cuisini(?:er|ere)|serveu(?:r|se)|chauffeur|architecte"
    r"|graphiste|designer|programmeu(?:r|se)|develop(?:p)?eu(?:r|se)|dev|comptable|plombi(?:er|ere)|electricien(?:ne)?|menuisi(?:er|ere)|journaliste|ecrivaine?"
    r"|traduct(?:eur|rice)|etudiante?|retraitee?|independante?|fonctionnaire|psychologue|veterinaire|pharmacien(?:ne)?|dentiste|kine(?:sitherapeute)?|pompi(?:er|ere)"
    r"|polici(?:er|ere)|pilote|mecanicien(?:ne)?|coiffeu(?:r|se)|boulang(?:er|ere)|agricult(?:eur|rice)|musicien(?:ne)?|photographe|biologiste|chimiste|physicien(?:ne)?"
    r"|cherch(?:eur|euse)|secretaire|assistante?|vendeu(?:r|se)|routi(?:er|ere)|macon(?:ne)?|peintre|act(?:eur|rice)|scientifique|economiste|bibliothecaire"
    r"|ambulanci(?:er|ere)|aide[- ]soignante?|sage-femme|caissi(?:er|ere)|facteur|factrice|conduct(?:eur|rice)|auto-?entrepreneu(?:r|se)|lyceenne?|apiculteur|maraich(?:er|ere))"
)
_PLACE = place(
    _NEXT,
    "un|une|le|la|les|l|ce|cette|mon|ma|paix|couple|fait|equipe|cours|famille|colocation|general|moi|toi",
)
_NO_ORIGIN = r"le|la|les|me|te|un|une|mon|ma|\w+(?:er|ir|re)"

FORMS = rows(
    r"(?:(?:moi|nous),? )?",
    ("LIVES_IN", ("habit", " vis", "je vis", "vivons", "vit ", "demenag", "install"), rf"(?:j['’]habite|j['’]vis|je vis|nous habitons|nous vivons|on habite|on vit|je reside)(?: (?:maintenant|actuellement|desormais|seule?|toujours))? (?:a|en|au|aux|pres de|dans le|dans l['’]) ?{_PLACE}"),
    ("LIVES_IN", ("demenag", "install"), rf"(?:j['’]ai |nous avons |on a |je viens |on vient |nous venons )(?:de )?(?:d['’])?(?:demenager?|emmenager?) (?:a|en|au) {_PLACE}|(?:je me suis|on s['’]est|nous nous sommes) installee?s? (?:a|en|au) {_PLACE.replace('<place>', '<place2>')}"),
    ("LIVES_IN", ("habit", "vis ", "vit ", "vivons"), rf"(?:j['’]habite|je vis|on habite|on vit|nous habitons|nous vivons)(?: seule?)? dans (?P<value>une? (?:\w+ )?(?:appartement|appart|maison|studio|village|ville|ferme|ile|peniche|colocation|immeuble|hameau|banlieue)(?: [\w'’-]+){{0,4}}?){ends('et|mais|ou|donc|avec|qui')}"),
    ("LIVES_IN", ("habite plus", "vis plus"), rf"je (?P<denied>n['’]habite|ne vis) plus (?:a|en|au) {_PLACE}"),
    ("COMES_FROM", ("viens d", "originaire", "suis de"), rf"je (?:viens d[eu]|suis originaire d[eu]) ?['’]? ?{place(_NEXT, _NO_ORIGIN)}"),
    ("WORKS_AS", ("travail", "bosse"), rf"(?:je travaille|je bosse)(?: actuellement)? comme {phrase(_NEXT)}"),
    ("WORKS_AS", ("suis ",), rf"(?:je suis|j['’]suis|chuis|moi c['’]est) (?P<value>(?:une? )?{_OCCUPATION}(?: (?:de|d['’]|en) ?\w+(?: \w+)?)?)(?!\w)"),
    ("WORKS_AT", ("travail", "bosse"), rf"(?:je travaille|je bosse|nous travaillons) (?:chez|pour|a|au|dans|en) (?:(?:un|une|l['’]|la|le) ?)?(?:(?P<value>(?:hopital|banque|ecole|college|lycee|universite|magasin|bar|restaurant|hotel|usine|entreprise|start-?up|mairie|bibliotheque|mediatheque|pharmacie|bureau|clinique|creche|librairie|agence|garage|ministere|boulangerie|ferme)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}|{_PLACE})"),
    ("WORKS_AT", ("travaille", "bosse"), rf"(?:je travaille|je bosse) (?P<value>de nuit|la nuit|en horaires decales|de chez moi|a domicile|en 3x8|a mi-temps|a temps partiel|en teletravail|a mon compte){END}"),
    ("HAS_TRAIT", ("suis ", "sommes "), r"(?:je suis|j['’]suis|nous sommes|on est) (?:une? )?(?P<value>vegan[e]?s?|vegetarien(?:ne)?s?|vegetalien(?:ne)?s?|c[oœ]?eliaques?|diabetiques?|asthmatiques?|gaucher[e]?s?|gauchere|intolerantes? (?:a la|au|aux|a l['’]) ?\w+|daltonien(?:ne)?|dyslexique|sourde?|malvoyante?|aveugle|enceinte|mariee?s?|divorcee?s?|pacsee?s?|veu(?:f|ve)|celibataire|hypertendue?|mere celibataire|pere celibataire|maman solo|papa solo|retraitee?s?|myope|musulmane?|juif|juive|catholique)(?!\w)"),
    ("HAS_TRAIT", ("mange pas", "bois pas", "bois plus", "mange plus", "peux pas"), rf"(?:je )(?:ne |n['’])?(?P<value>(?:mange|bois) (?:pas|plus|jamais) (?:de |d['’])(?!tout)[\w'’-]+(?: (?:ni|ou) (?:de )?[\w'’-]+)?){ends(_NEXT)}"),
    ("ALLERGIC_TO", ("allergi", "intoleran"), rf"(?:je suis (?:tres )?allergique (?:aux|a la|au|a l['’]|a)|j['’]ai une (?:allergie|intolerance) (?:aux|a la|au|a l['’]|a)) ?{phrase(_NEXT.replace('et|ou|', ''))}"),
    ("HAS_CONDITION", ("j'ai", "j’ai", "souffre"), r"(?:j['’]ai|je souffre) (?:du |de |de l['’]|d['’])?(?P<value>(?:diabete|asthme|hypertension|epilepsie|migraines?|arthrose|arthrite|tdah|anxiete|maladie c[oœ]?eliaque|fibromyalgie|anemie|endometriose))(?!\w)"),
    ("HAS_AGE", ("j'ai", "j’ai", "viens d"), r"(?:j['’]ai|je viens d['’]avoir) (?P<value>\d{1,3}) ans(?! (?:de|d['’]|a |pour))"),
    ("HAS_FAMILY", ("j'ai", "j’ai", "avons", "on a", "mere de", "pere de", "maman d", "papa d"), rf"(?:j['’]ai|nous avons|on a|je suis (?:mere|pere|maman|papa) (?:de|d['’])) ?(?P<value>{_NUMBER} (?:\w+ ){{0,1}}?(?:{_KIN}|{_PET}))(?!\w)(?! (?:a dit|m['’]))"),
    ("HAS_FAMILY", ("vis ", "habite", "marie"), rf"(?P<value>(?:j['’]habite|je vis) (?:avec (?:mon|ma|mes) (?:\w+ )?(?:{_KIN}|{_PET}|parents|coloc\w*)|seule?)|je suis mariee? (?:a|avec) une? \w+)(?!\w)"),
    ("OWNS", ("j'ai", "j’ai", "on a", "avons"), rf"(?:j['’]ai|on a|nous avons|je conduis|je roule en) (?P<value>une? (?:voiture|moto|velo|maison|appart(?:ement)?|camionnette|potager|jardin|bateau|piano|guitare|portable|entreprise|boutique|boulangerie|ferme|camping-car)(?: [\w'’-]+){{0,3}}?){ends(_NEXT)}"),
    ("STUDIES", ("etudie", "etudes"), rf"(?:j['’]etudie|je fais (?:des etudes de|un master (?:de|en)|une licence (?:de|en)|une these (?:de|en))) (?!(?:a|pour|en|dans|avec|un|une)\b)(?:le |la |l['’])?{phrase(_NEXT)}"),
    ("SPEAKS", ("je parle", "langue maternelle"), r"(?:je parle|ma langue maternelle (?:est|c['’]est)) (?:couramment )?(?:le |l['’])?(?P<value>(?:espagnol|anglais|francais|allemand|portugais|italien|russe|chinois|arabe|catalan|breton|japonais|turc)(?:(?:,| et)(?: le| l['’])? ?\w+){0,3})(?!\w)"),
    ("IS", ("anniversaire",), rf"(?:mon|notre) (?P<thing>anniversaire)(?: de mariage)? (?:est|c['’]est|tombe) (?:le )?{DATE}{END}"),
    ("IS", ("decale", "repousse", "avance", "deplace"), rf"(?:on a|nous avons|j['’]ai) (?:decale|repousse|avance|deplace|reporte) (?:le |la |l['’]|notre )?(?P<thing>\w+(?: \w+)?) au {DATE}{END}"),
    ("KNOWS", ("mon ", "ma ", "notre "), rf"(?:mon|ma|notre) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|patron(?:ne)?|chef|amie?|voisine?|collegue|associee?)),? (?:s['’]appelle )?(?P<name>[^\W\d_][\w-]+(?: [^\W\d_][\w-]+)?)(?= ?(?:$|[,.;!?)]| (?:et|qui|a|vit|habite|travaille|est|n['’]aime)\b))"),
    ("OF_AGE", ("mon ", "ma "), rf"(?:mon|ma) (?P<thing>(?:\w+ )?(?:{_KIN}|{_PET})) (?:a|vient d['’]avoir|fete ses) ?(?P<value>\d{{1,3}} (?:ans|mois))"),
    ("IS", ("mon ", "ma "), rf"(?:mon|ma) (?P<thing>(?:\w+ )?(?:{_KIN}|patron(?:ne)?|collegue)) est (?P<value>(?:une? )?(?:vegan[e]?|vegetarien(?:ne)?|allergique [\w'’ ]{{3,30}}|diabetique|{_OCCUPATION}))(?!\w)"),
    ("WORKS_AS", ("enseigne", "conduis", "tiens ", "dirige"), r"(?P<value>j['’]enseigne (?:le |la |les |l['’])?(?!(?:que|a|pas)\b)[\w'’-]+(?: (?:au|en|a) [\w'’-]+)?|je conduis (?:un|des|le) (?:bus|car|camions?|taxi|tram|metro|train|poids lourds?)|je (?:tiens|gere|dirige) (?:un|une) (?:\w+ )?(?:cafe|boutique|restaurant|bar|librairie|boulangerie|salon|creche|ferme|garage|gite|exploitation|cabinet)|je donne des cours de [\w'’-]+)(?!\w)"),
    ("LIVES_IN", ("emmenag", "demenag", "install", "arrive"), rf"(?:on|je|nous) (?:vient?|viens|venons) (?:juste |tout juste )?(?:d['’]|de )(?:emmenager|demenager|s['’]installer|m['’]installer|nous installer) (?:a|en|au|dans) {_PLACE}|(?:(?:on|je|nous) (?:a|ai|avons|est|suis|sommes)|j['’]ai) (?:recemment |enfin )?(?:emmenage|demenage|installee?s?) (?:a|en|au) {_PLACE.replace('<place>', '<place2>')}"),
    ("LIVES_IN", ("habit", "vis ", "vit "), rf"(?:depuis|apres) (?:[\w'’-]+ ){{1,6}}?,? ?(?:j['’]habite|je vis|on habite|on vit|nous habitons|nous vivons) (?:a|en|au) {_PLACE}"),
    ("HAS_TRAIT", ("enceinte", "retraite", "suis "), r"(?:je suis|j['’]suis|chuis|suis) (?:deja |actuellement |maintenant )?(?P<value>enceinte(?: de \w+(?: mois)?)?|a la retraite|en conge (?:maternite|parental)|au chomage|en fauteuil roulant)(?!\w)|je (?:viens de )?(?P<value2>(?:pris|prendre) ma retraite)(?!\w)|j['’]ai (?:enfin )?(?P<value3>pris ma retraite)(?!\w)"),
    ("KNOWS", ("mon ", "ma ", "mes ", "notre ", "nos "), rf"(?:mon|ma|mes|notre|nos) (?P<person>(?:\w+ )?(?:{_KIN}|{_PET}|teckels?|labradors?|levriers?)),? (?P<name>[^\W\d_][\w-]+(?: et [^\W\d_][\w-]+)?)(?=,? [\w'’])"),
    ("HAS_FAMILY", ("mon ", "ma ", "notre "), rf"(?P<value>(?:mon|ma|notre) (?:\w+ )?(?:{_KIN}) (?:a (?:alzheimer|parkinson|du diabete|de l['’]asthme|le diabete|une allergie \w+ \w+)|est (?:diabetique|asthmatique|autiste|dyslexique|c[oœ]?eliaque|enceinte|malade d['’]alzheimer)|(?:entre|rentre|est) en (?:cp|ce1|ce2|cm1|cm2|sixieme|cinquieme|quatrieme|troisieme|seconde|premiere|terminale|maternelle)))(?!\w)"),
    ("HAS_CONDITION", ("j'ai", "souffre", "diagnosti"), r"(?:j['’]ai|je souffre) (?:de |d['’]|du |une |la )?(?P<value>(?:maladie de \w+|hernie discale|apnee du sommeil|hypothyroidie|tendinite|sclerose en plaques|intolerance au \w+|intolerance a la \w+|cholesterol|sciatique))(?!\w)"),
)  # fmt: skip
"""The rows."""
