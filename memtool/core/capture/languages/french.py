"""French triggers: tu and vous; `ne` may be dropped."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.everyday import EVERYDAY
from memtool.core.capture.languages.grammar import InstructionGrammar, instruction_triggers
from memtool.core.capture.languages.introductions import INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_STEMS = (  # stem and endings of tu and vous
    "(?:lanc|pouss|fusionn|deploi|utilis|emploi|employ|parl|expliqu|montr|evit|ajout|format|resum|indiqu|mentionn|precis|cit|demand|rappel|appell|appel"
    "|comment|commenc|termin|laiss|chang|corrig|verifi|confirm|compar|list|enumer|privilegi|raccourci|limit|repet|trait"
    "|consider|envoi|envoy|gard|not|redig|ordonn|organis|detaill|appliqu|prefer|suggere|sugger|recommand|propos|pass|cre|gener"
    "|execut|test|cherch|essai|essay|excus|assum|suppos|invent|supprim|separ|marqu|document|justifi|argument|clarifi|aid|salu|sign"
    "|tutoi|tutoy|vouvoi|vouvoy|calcul|arrondi|abreg|simplifi|donn|continu|adopt|structur|present|illustr|inser|touch|oubli"
    "|signal|converti|affich|base|compt|commit|adress|racont|reformul|analys|complet|enlev)(?:e|es|ez|er)"
)
_IRREGULAR = (
    "reponds|repondez|repondre|ecris|ecrivez|ecrire|dis|dites|dire|fais|faites|faire|mets|mettez|mettre|sois|soyez|aie|ayez"
    "|prends|prenez|prendre|tiens|tenez|reste|restez|traduis|traduisez|traduire|inclus|incluez|inclure|decris|decrivez"
    "|fournis|fournissez|fournir|choisis|choisissez|finis|finissez|convertis|convertissez|lis|lisez|suis|suivez|maintiens"
    "|maintenez|va|allez|assure-toi|assurez-vous|veille a|veillez a|veille|veillez|essaie|essayez|pense a|pensez a|resumes|definis"
    "|definissez|remplis|raccourcis|arrondis|reflechis|reflechissez|produis|produisez|construis|sers-toi|servez-vous|etre|avoir"
    "|abstiens-toi|abstenez-vous|contente-toi|contentez-vous"
)
_VERB = f"(?:(?:{_STEMS}|{_IRREGULAR})(?:-(?:moi|nous|le|la|les|lui|leur|y|en|toi|vous|m'en))?)"
_LEAD = (
    "slt|coucou|hello|hey|yo|s'il te plait|s'il vous plait|stp|svp|et|mais|alors|ok|bon|bonjour|salut|ah|oui|non|aussi|donc|juste|maintenant|merci|note"
    "|important|claude|d'accord|simplement|merci de|pense a|pensez a|veuillez|bref"
)
_ASKED = (
    "(?:te |t'|vous |l')?(?:demande|demandons|parle|parlons|pose (?:une|la|des) questions?|mentionne|dis|ecris|envoie|partage|sollicite|"
    "interroge|donne|veux savoir|ai (?:une|des) questions?)"
)
_FUTURE = (
    "desormais|dorenavant|a partir de (?:maintenant|aujourd'hui|la)|a l'avenir|par defaut|en (?:regle )?general(?:e)?|en toutes? circonstances?"
    "|des (?:maintenant|a present|lors)|la prochaine fois|a chaque fois|en permanence|jusqu'a nouvel ordre|dans le futur|tout le temps"
    "|a compter (?:de maintenant|d'aujourd'hui)|sans exception|dans tous les cas|de maniere generale|d'une maniere generale"
    "|sauf (?:indication contraire|si (?:je|j')[^\\n,.]{1,30})|a moins que je [^\\n,.]{1,30}|jusqu'a ce que je [^\\n,.]{1,30}|systematiquement"
)
_WHEN = (
    f"(?:a )?(?:chaque|toutes les) fois (?:que|qu'|ou) ?[^\\n,]{{1,80}}|(?:quand|lorsque|si|des que) (?:je |j'|nous |on ){_ASKED}|(?:quand|lorsque) (?:tu|vous) "
    "(?:me )?(?:reponds|repondez|ecris|ecrivez|expliques|expliquez|parles|parlez|n'es pas sur|n'etes pas sur|donnes|donnez|proposes|proposez|cites|generes)|si (?:tu n'es|t'es|tu es|vous n'etes|vous etes) pas (?:sure?|certaine?)(?: [^\\n,]{1,30})?"
    "|pour (?:toute|toutes les|les) questions? (?:de |sur |d')[^\\n,]{2,30}"
)
_REPLIES = "(?:reponses?|messages?|explications?|conversations?|mails?|e-mails?|courriels?|textes?|resumes?|exemples?)"
_IN_ALL = f"(?:(?:dans|a|avec|pour|a la fin de|au debut de) )?(?:tou(?:te)?s|chaque|chacune? de)(?: (?:tes|vos|les|mes))? {_REPLIES}"
_GRAMMAR = InstructionGrammar(
    imperative=(
        f"{_VERB}|(?:ne |n')(?:(?:me|m'|nous|le|la|les|lui|te|vous|l'|y|en) ?){{0,2}}{_VERB}(?: (?:pas|plus|jamais))?"
        "|(?:arret(?:e|ez)|cess(?:e|ez)) de"
    ),
    wish=(
        "(?:je |j')(?:veux|voudrais|souhaite|souhaiterais|prefere|prefererais|aimerais|ai besoin|exige|demande|attends|apprecierais)(?: aussi| bien)? (?:a ce )?qu(?:e |'(?:[^\\n,.;]{2,30}? )?)(?:tu|vous|on)(?: (?:me|m'|ne))?"
        "|(?:tu|vous) (?:ne )?(?:dois|devez|devrais|devriez|peux|pouvez|es prie|etes prie)(?: pas)?|il faut(?= (?:toujours |jamais )?(?:me |nous |m'|que (?:tu|vous)))|il faudrait que (?:tu|vous)|il ne faut(?= (?:jamais |pas |plus )?(?:me |nous |m'))"
        "|(?:assure-toi|assurez-vous) (?:de|que)|(?:veille|veillez|pense|pensez) a|(?:essaie|essayez) de|(?:ce serait|ca serait|il serait) (?:\\w+ ){0,2}?\\w+ (?:si|que) (?:tu|vous)|je te demande de|je vous demande de|merci de|je te prie de|je vous prie de|(?:tu|vous) (?:me )?\\w+(?:ras|rez)"
    ),
    questions="(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|tu pourrais|vous pouvez|vous pourriez|est-ce que (?:tu (?:peux|pourrais)|vous (?:pouvez|pourriez))|(?:est-ce que )?(?:ca|cela) (?:te|vous) (?:derange\\w*|ennuie\\w*) (?:de|d'|si)|serait-il possible (?:de|que tu))",
    adverbs="toujours|jamais|systematiquement|plus jamais|jamais plus",
    leading=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|(?:a )?chaque fois",
    trailing=f"{_FUTURE}|{_WHEN}|{_IN_ALL}|plus jamais",
    lead=_LEAD,
    things=(
        "(?:(?:les|le|la|mes|tes) |l')?(?:prix|couts?|montants?|dates|heures|unites?|mesures?|quantites|distances?|temperatures?|poids"
        "|reponses|code|commentaires|sources|citations|exemples|recettes?|nombres|chiffres|explications|traductions|resumes"
        "|titres|noms|textes)"
    ),
    in_form="en|avec|sans|au|a|par|sous|comme",
    not_between="dit|disait|comment|pourquoi|parce que|quel|quelle|qui|ou|erreur|bug|il|elle|ils|je peux|je pourrais|on peut|arrive|se passe|l'eviter",
)
_MARKS = (
    *(
        "toujours",
        "jamais",
        "desormais",
        "dorenavant",
        "partir de",
        "avenir",
        "defaut",
        "general",
        "circonstance",
        " des ",
        "fois",
    ),
    *(
        "permanence",
        "nouvel ordre",
        "futur",
        "tout le temps",
        "sauf",
        "moins que",
        "jusqu'a",
        "systematique",
        "quand ",
        "lorsqu",
        " si ",
    ),
    *("tous", "toutes", "chaque", "chacun"),
)
_ON = "(?:a partir (?:de (?:maintenant|la)|d'aujourd'hui)|desormais|dorenavant|a l'avenir|par la suite|la prochaine fois)"
_ON_SIGNS = ("partir d", "desormais", "dorenavant", "avenir", "la suite", "prochaine")
_PERSON = (
    "(?:collegues?|amie?s?|copain|copine|chef|cheffe|patron|patronne|frere|soeur|mari|femme|fils|fille|compagnon|compagne|voisine?|mere|pere|maman|papa"
    "|cousine?|tante|oncle|enfants?|chiens?|chiennes?|chats?|chattes?|assistante?|responsable|stagiaire|remplacante?|associee?|coach|neveu|niece|grand-mere|grand-pere"
    "|colocataire|coloc|binome|partenaire|jumeaux|jumelles|lapin|cheval|medecin|prof|bebe)"
)
_THIS = "(?:ca|cela|ceci|rien(?: de (?:tout )?(?:ca|cela|ceci))?|ce que (?:je|j'|nous|on) ?[^\\n,.;]{1,30}|ce message|cette (?:conversation|discussion)|tout (?:ca|cela|ceci))"

TABLE = LanguageTable(
    triggers=(
        Trigger("correction", "(?:en fait|en realite|plutot(?= que)|ou plutot|je corrige|correction|pardon,? je voulais)", ("en fait", "realite", "plutot", "corrige", "correction", "pardon")),
        Trigger("correction", "(?:non,? ?)?(?:je voulais dire|j'ai voulu dire|je veux dire)", ("dire",), "clause"),
        Trigger(
            "correction",
            "(?:non[,.:]? )?(?:(?:c'est|c'etait)(?: (?:completement|totalement|tout a fait))? (?:faux|errone|incorrect|inexact)"
            "|(?:ce n'est|ce n'etait|c'est|ca n'est|cela n'est|c'etait)(?: vraiment)? pas (?:du tout )?(?:vrai|ca|juste|exact|correct|bon|ce que (?:je|j')\\w*))",
            ("c'est", "n'est", "c'etait", "n'etait"),
            "clause",
        ),
        Trigger("correction", "(?:tu te trompes|vous vous trompez|tu (?:t'es trompee?|as mal compris|as confondu)|vous (?:vous etes trompe\\w*|avez mal compris|avez confondu)|je me suis (?:mal exprimee?|trompee?))", ("tromp", "compris", "confond", "exprim"), "clause"),
        Trigger("correction", r"(?:ce )?(?:n'est pas|c'est pas|ne suis pas|suis pas|n'etait pas|ne s'appelle pas|n'habite pas|ne m'appelle pas) [^\n]{1,120}?(?:,? mais\b|[,;:—–-] ?(?:c'est|c'etait|je suis|il s'appelle|elle s'appelle|j'habite|je m'appelle)) (?=\w)", ("n'est pas", "c'est pas", "suis pas", "n'etait pas", "appelle pas", "habite pas")),
        Trigger("correction", r"(?:faux|incorrect|errone|inexact)(?= ?(?:[,.!:;]|\n|$))", ("faux", "incorrect", "errone", "inexact"), "sentence"),
        Trigger("correction", f"(?:(?:a la place|plutot),? (?:{_VERB})|(?:{_VERB}) [^\\n]{{1,60}}? (?:a la place|au lieu de|plutot que|plutot)(?!\\w))", ("a la place", "au lieu", "plutot"), "clause"),
        Trigger("correction", r"(?:arret(?:e|ez)|cess(?:e|ez)) (?:de|d'|avec) ?(?=\w)", ("arret", "cesse"), "clause"),
        Trigger("correction", rf"(?:ne |n')?(?:(?:me|m'|le|la|les|y|en) ?){{0,2}}(?:{_VERB})[^\n,;]{{0,40}}? (?:plus(?: jamais)?)(?= ?(?:[.,!]|\n|$|ca|cela|de|d'))", (" plus",), "clause"),
        Trigger("proper_noun", "(?:je m'appelle|mon (?:pre)?nom (?:complet )?(?:est|c'est))", ("m'appelle", "nom "), then="sure name"),
        Trigger("proper_noun", "(?:je suis|moi c'est|moi,? c'est|appelle(?:-| )moi|appelez(?:-| )moi|tu peux m'appeler|vous pouvez m'appeler|on m'appelle|ici|c'est)(?!(?: [\\w'-]+){1,2} qu(?:i|e)\\b)", ("je suis", "moi", "appel", "ici ", "c'est "), "clause", then="name"),
        Trigger("preference", r"(?:je (?:prefere|prefererais|prefererai)|j'aime(?:rais)? mieux|mieux vaut pour moi)(?! qu[e'] ?(?:tu|vous) [^\n]{0,60}?\b(?:toujours|jamais)\b)(?= [^\n])", ("prefere", "mieux"), unless=r"\b(?:si|quand|que|dit que)"),
        Trigger(
            "preference",
            r"(?:j'aime|j'adore|je deteste|je hais|je n'aime|je n'aime pas|j'aime pas|j'apprecie|je raffole|je ne supporte|je supporte|j'ai horreur)(?: (?:beaucoup|bien|pas|plus|vraiment|trop|enormement|surtout|tellement|du tout|tant)){0,2}"
            r"(?! (?:ca|cela|ceci|comment|ce que|cette (?:idee|reponse)|l'idee|la facon|quand|que|ton|ta|tes|votre|vos|pas (?:ca|cela))\b)(?= \w)",
            ("aime", "adore", "detest", "hais", "appreci", "raffole", "supporte", "horreur"),
            unless=r"\b(?:si|ce que|que|quand|dit que|comme)",
        ),
        Trigger("preference", r"~(?!ca\b|cela\b|ceci\b)[^\n,.;:!?]{2,60}? (?:ne )?me (?:plait|plaisent)(?: (?:beaucoup|pas|bien|enormement)){0,2}", ("me plai",), "clause", unless=r"\b(?:ca|cela)"),
        Trigger("preference", r"(?:je )?(?:veux|voudrais|souhaite|souhaiterais|aimerais|reve de?|ai envie de|j'aimerais|j'ai envie de) (?:vivre|habiter|demenager|devenir|etre |me marier|avoir (?:des enfants|un enfant|une famille)|perdre du poids|maigrir|arreter de (?:fumer|boire)|voyager|prendre ma retraite|etudier (?:la medecine|le droit|a|en)|travailler (?:a|de|en|dans))", ("veux", "voudrais", "souhait", "aimerais", "reve", "envie"), unless=r"\b(?:si|que|quand)"),
        Trigger("preference", r"(?:je (?:ne )?(?:veux|voudrais|souhaite|desire)|j'aimerais)(?: (?:pas|plus|aussi|bien)){0,2}(?! (?:que|qu'|savoir|voir|une? (?:exemple|liste|tableau|resume|graphique|code|script|explication|fonction|aide|conseil)|ca|cela|ce que|des (?:conseils|exemples|idees|precisions|infos)|de l'aide|le (?:code|resume|tableau)|en savoir|te|t'|vous|me|m'|l'|le \w+er\b|bien|\w+(?:er|ir|re|oir)\b))(?= \w)", ("veux", "voudrais", "souhait", "desire", "aimerais"), unless=r"\b(?:si|que|quand|comme)"),
        Trigger("preference", r"(?:mon|ma|mes) [^\n,.]{1,40}? (?:prefere(?:e|s|es)?|favori(?:te|s|tes)?) (?:est|sont|c'est)|ma preference (?:va|est)", ("prefere", "favori", "preference")),
        Trigger("preference", r"je suis (?:un |une )?(?:tres |grand[e]? )?(?:fan|amateur|amatrice|passionnee?) (?:de|d'|par)", ("fan ", "amat", "passionn"), then="word"),
        Trigger("decision", "(?:utilisons|prenons|partons sur|allons-y avec|on (?:va (?:utiliser|prendre|partir sur|faire|opter)|prend|utilise|part sur|garde|opte pour)|je (?:vais (?:utiliser|prendre)|prends|choisis)|nous (?:utiliserons|allons utiliser)|j'utiliserai|essayons|faisons|j'ai decide|nous avons decide|on a decide)", ("utilisons", "prenons", "partons", "allons", "essayons", "faisons", " on va ", " on prend", " on utilise", " on part", " on garde", " on opte", " je vais", " je prends", " je choisis", "j'utili", "decide"), "clause", then="word"),
        *instruction_triggers(_GRAMMAR, _MARKS),
        Trigger("instruction", r"(?:ne |n')?(?:me |m'|nous )?\w+(?:e|es|ez|s) jamais [^\n.;!?]{1,80}? sans (?:me |m'|mon |ma |mes |que je |demander|prevenir)", ("jamais",), "clause", unless=r"\b(?:je|j'|il|elle|on|qui)"),
        Trigger("instruction", r"(?:je veux|il me faut|j'ai besoin d'|je voudrais)[^\n.;!?,]{1,40}? (?:pour|avec|a|apres|de) chaque [^\n.;!?,]{1,40}? que (?:tu|vous) (?:me )?(?:cit|donn|mention|propos|avanc|sugg)\w*", ("chaque",), "clause"),
        Trigger("preference", r"s'il y a (?:un truc|une chose|quelque chose|bien une chose) qu(?:e |')(?:je |j')?(?:[\w']+ ){0,2}?(?:hais|deteste|adore|aime|n'aime pas|aime pas|supporte pas),? (?:c'est|ce sont)(?! (?:que|qu|quand|ce|cet|cette|ces|le (?:code|bug))\b)|ce que (?:je |j')(?:[\w']+ ){0,2}?(?:hais|deteste|adore|aime|aime pas|supporte pas|prefere)(?: (?:le plus|par-dessus tout|pas|vraiment)){0,2},? (?:c'est|ce sont)(?! (?:que|qu|quand|ca|ce|cet|cette|ces|le (?:code|bug)|ta|ton|votre)\b)", ("s'il ", "detest", "hais", "adore", "aime", "supporte", "prefere"), "clause"),
        Trigger("preference", r"(?:j'suis|chuis|j'chuis|je suis|suis)(?: (?:trop|hyper|super|carrement|grave|tres|vraiment|un peu|completement)){0,2} (?:fan|accro|dingue|fou|folle|mordue?|amoureux|amoureuse|toque|toquee) (?:de |d'|des |du |aux? |a )(?!(?:ta|ton|tes|votre|vos|ce|cet|cette|ces|toi|vous)\b)(?=\w)", ("j'suis", "chuis", "suis"), "clause", unless=r"\b(?:si|il|elle)"),
        Trigger("preference", r"~(?!(?:ca|cela|ce|cette|ceci|le (?:bug|code|serveur|build|test))\b)[^\n,.;!?]{2,50}? me (?:donne|donnent|file|filent|fait|font) (?:toujours )?(?:mal (?:a la tete|au crane|aux yeux)|la migraine|des migraines)", ("tete", "crane", "aux yeux", "migraine"), "clause", unless=r"\b(?:si|quand)"),
        Trigger("remember", r"(?:a retenir|pour memoire|a noter) ?:", ("retenir", "memoire", "noter"), "clause", then="word"),
        Trigger("instruction", r"(?:arret(?:e|ez)|cess(?:e|ez)) (?:de |d')(?:m'|me |t'|te |vous |toujours )?(?!travailler|marcher)(?=\w)", ("arret", "cesse"), "clause"),
        Trigger("instruction", rf"(?:ne |n')?(?:(?:me|m'|le|la|les|y|en) ?){{0,2}}(?:{_VERB}) (?:moi )?(?:plus|plus jamais|jamais)(?= (?:ca|cela|de|d'|les|la|le|des|un|une|jamais|en|a|au|sans|avec|l'|mes|mon|ma)|[^\w\n]{{0,3}}(?:\n|$))", (" plus", "jamais"), "clause"),
        Trigger("instruction", r"(?:plus (?:de |d')|pas (?:de |d')|aucun[e]? |evit(?:e|ez) (?:les |le )?|sans )(?:emojis?|emoticones?|excuses|puces|jargon|points d'exclamation|anglicismes|listes|markdown|introductions?|blabla|tournures?|flatteries)(?= ?(?:[,.!\n]|$|s'il |stp|svp|dans ))", ("plus d", "pas d", "aucun", "evite", "sans "), "clause"),
        Trigger("instruction", rf"(?:je (?:veux|voudrais|prefere|souhaite)|j'aimerais)(?: voir| avoir| recevoir)? (?:toutes|tous|que toutes|que tous) (?:tes|vos|les) {_REPLIES}", ("toutes", "tous"), then="word"),
        Trigger("instruction", rf"(?:toutes (?:tes|vos|les)|tes|vos|chaque|chacune de (?:tes|vos)) {_REPLIES} (?:doi|devr|devai)\w*", ("tes ", "vos ", "toutes", "chaque", "chacune"), "clause"),
        Trigger("instruction", rf"(?:gard(?:e|ez)|maintiens|maintenez|fais|faites|limit(?:e|ez)) (?:toujours )?(?:tes|vos|toutes (?:tes|vos)) {_REPLIES}", ("gard", "maint", " fai", "limite"), "clause"),
        Trigger("remember", r"(?!note:(?![^\n]{0,80}\b(?:je|j'|mon|ma|mes|nous|notre|on|le|la|les|des|est)\b))(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|note|notez|garde en (?:tete|memoire)|gardez en (?:tete|memoire)|memorise|memorisez)(?: bien)?(?: que| qu'|:| ceci| cela| ca| de ca| de cela| de| mon| ma| mes|,)", ("souv", "rappel", "retien", "reten", "note", "garde", "memoris"), "clause"),
        Trigger("remember", r"(?:n'oublie(?:z)?|oublie(?:z)?) pas", ("oubli",), unless=r"\b(?:je|on)"),
        Trigger("proper_noun", r"(?:tout le monde|tous|on|les gens|(?:mes|tous mes) \w+|ma famille|mon \w+|ma \w+|ils|elles)(?: (?:ici|au boulot|au travail))? m'(?:appelle|appellent|surnomme|surnomment)(?: (?:tous|juste|toujours|plutot|simplement))?", ("m'app", "m'surn", "m'surnom"), then="name"),
        Trigger("proper_noun", rf"(?:(?:et )?(?:je (?:te|vous) presente|voici|c'est|voila|la c'est)) (?:mon|ma|notre) (?:\w+ )?{_PERSON},?", ("te presente", "vous presente", "voici", "c'est", "voila"), "clause", then="name"),
        Trigger("proper_noun", rf"(?:mon|ma|mes|notre|nos|les) (?:\w+ )?{_PERSON} (?:s'appelle|s'appellent|se nomme)", ("s'appel", "se nomme"), then="name"),
        Trigger("proper_noun", rf"le (?:pre)?nom de (?:mon|ma|notre) (?:\w+ )?{_PERSON} (?:est|c'est)", ("nom de",), then="name"),
        Trigger("proper_noun", r"(?:moi,? )?(?:c'est|je suis)(?: (?:au fait|d'ailleurs|moi|plutot))", ("au fait", "ailleurs"), "clause", then="name"),
        Trigger("preference", r"(?:moi,? )?(?:je suis|c'est|suis|j'suis)(?: (?:\w+ ){0,2}?)?(?:plutot|bien plus|beaucoup plus|davantage|plus|team) [^\n,.!?]{1,40}? qu(?:e |')(?=\w)|(?:moi,? )?je suis (?:plutot|tres|team|plus) (?!que\b)(?:du (?:matin|soir)|the|cafe|chien|chat|ville|campagne|vin|biere|sucre|sale|thé)", ("plutot", " plus", "davantage", "suis team"), "clause", unless=r"\b(?:si|quand)"),
        Trigger("preference", r"~[^\n,.;!?]{2,60}?,? (?:(?:ce n'est|c'est|n'est|ne sont|sont|est|c'etait)(?: (?:vraiment|franchement|absolument|clairement|tout simplement))?(?: pas)?(?: (?:du tout|trop|vraiment))? (?:mon truc|ma tasse de the|mon fort|ma came|pour moi(?=[.,!\s]{0,3}(?:\n|$)))|tres peu pour moi|sans facon)", ("mon truc", "tasse de the", "mon fort", " ma came", "pour moi", "sans facon"), "clause", unless=r"\b(?:ca|cela)"),
        Trigger("preference", r"(?:je ne jure que par|je (?:n'ai jamais (?:aime|supporte)|ne peux pas (?:supporter|sentir|blairer|encadrer)|peux pas (?:supporter|sentir|blairer|encadrer)|ne mange|ne bois|mange|bois|carbure|craque|fonctionne|suis accro|suis mordue?)|rien ne vaut|j'ai (?:toujours|jamais) (?:adore|aime|prefere|deteste|prefer)|je n'ai jamais aime|j'ai (?:un faible|une preference|une aversion|du mal avec)|j'ai horreur)(?! (?:ca|cela|que)\b)(?=[^\n])", (" jure", "aime", "supporter", "supporte", "sentir", "blairer", "encadrer", " mange", " bois", "carbure", "craque", "accro", "mordu", "rien ne vaut", "adore", "prefere", "deteste", "faible", "une aversion", "horreur"), unless=r"\b(?:si|quand|que|dit)"),
        Trigger("preference", r"~(?!ca\b|cela\b)[^\n,.;!?]{3,60}?, (?:moi,? )?(?:je (?:ne )?(?:supporte|prefere|deteste|peux)|j'(?:ai horreur|adore|aime|evite|deteste)|ca me)(?: (?:pas|plus|trop|vraiment|beaucoup)){0,2} ?(?:de ca|ca|mieux|moins|plait|va|gonfle|enerve|supporter|pas)?(?!\w)", ("supporter", "supporte", "prefere", "detest", "horreur", "adore", "aime", " ca me"), "sentence", unless=r"\b(?:si|quand)"),
        Trigger("preference", r"(?:mon|ma|mes) [^\n,.]{1,40}? (?:prefere(?:e|s|es)?|favori(?:te|s|tes)?),? (?:reste|restent|c'est|ca reste|a toujours ete|est|etait|demeure)", ("prefere", "favori")),
        Trigger("preference", r"~[^\n,.;!?]{2,50}? (?:me va|me vont|me convient|me conviennent|m'enerve|m'enervent|m'insupporte|m'insupportent|me gonfle|me gonflent|me tape sur)(?: (?:mieux|beaucoup|bien|pas|plus)){0,2}", (" me va", " me vont", " me conv", "m'enerve", "m'insup", "me gonfle", " me tape"), "clause", unless=r"\b(?:ca|cela|si)"),
        Trigger("instruction", rf"{_ON},? (?:stp |s'il te plait |svp )?(?:plus (?:de |d'|aucun)|pas (?:de |d')|aucun|uniquement|seulement|que |toujours|sans |jamais|rien que|tu |vous |tout |toutes? |tous |en |c'est)", _ON_SIGNS, "clause", "word"),
        Trigger("instruction", rf"(?:plus (?:de |d'|aucun\w* )|pas (?:de |d')|uniquement |seulement |sans |jamais de )[^\n.;!?]{{2,80}}? {_ON}", _ON_SIGNS, "clause"),
        Trigger("instruction", r"~[^\n.;!?]{2,60}? (?:toujours|uniquement|exclusivement|systematiquement|jamais) (?:en|avec|sans|a|au|dans|par|de) [^\n.;!?]{1,60}?,? ?(?:s'il te plait|s'il vous plait|stp|svp|merci)", ("s'il ", "stp", "svp", " merci"), "sentence", unless=r"\b(?:je|il|elle|on)"),
        Trigger("instruction", r"(?:par defaut|desormais|dorenavant|a l'avenir|en general|toujours),? (?:tu|vous|on)(?: (?:me|m'|nous|ne))? ?\w+(?:es|s|ez|e)\b(?! (?:quoi|comment))", ("par defaut", "desormais", "dorenavant", "avenir"), "clause"),
        Trigger("instruction", r"(?:avant de |avant d'|avant que tu )[^\n,]{2,80}, (?:\w+ ){0,4}?(?:demand|previen|avert|consult|dis|parl|montr|verifi|confirm)\w*", (" avant ",), "clause"),
        Trigger("instruction", r"(?:quand|lorsque|si|chaque fois que|des que) (?:tu|vous|je|j')[^\n,]{2,80}?,? (?:toujours )?" + rf"(?:{_VERB}) (?:\w+ ){{0,3}}?(?:toujours|systematiquement|jamais)", ("toujours", "systematique", "jamais"), "clause"),
        Trigger("instruction", r"(?:(?:c'est )?(?:pas|ce n'est pas|n'est pas|plus) (?:la peine|besoin|necessaire|utile)|inutile|(?:tu n'as|tu as|vous n'avez) pas besoin|n'est pas necessaire) (?:de |d'|que )[^\n.;!?]{2,80}?(?:a chaque fois|chaque fois|toujours|tout le temps|systematiquement|a chaque \w+|desormais|dans chaque|au debut|a la fin)", ("peine", "besoin", "necessaire", "inutile", " utile"), "clause"),
        Trigger("remember", r"(?!note:(?![^\n]{0,80}\b(?:je|j'|mon|ma|mes|nous|notre|on|le|la|les|des|est)\b))(?:(?:peux-tu|tu peux|pouvez-vous|pourrais-tu|tu pourrais) )?(?:(?:bien )?(?:prends|prenez|prendre|garde|gardez|garder|met|mets|mettez) (?:bien )?(?:bonne )?(?:note|en note|(?:a|en) (?:l'esprit|tete|memoire))|(?:note|notez|noter|retenir|retiens|retenez)(?: bien)?(?: quelque part| s'il te plait| s'il vous plait| stp| svp)?,? ?(?:que|qu'|:|,)|pour (?:memoire|info pour la suite)[:,])", ("note", "reten", "retien", "l'esprit", "tete", "memoire"), "clause"),
        Trigger("preference", r"~(?!(?:ca|cela|ceci|il|elle|on)\b)[^\n,.;!?]{2,50}? (?:m'ennuie|m'ennuient|me fatigue|me fatiguent|me detend|me detendent|m'apaise|me deconcentre|m'aide a me concentrer|m'aident a me concentrer|me stresse|me stressent)|je (?:travaille|dors|reflechis|me concentre|ecris) (?:\w+ )?mieux|, je (?:ne )?(?:les?|la|l')? ?(?:deteste|adore|supporte|hais|prefere)", ("m'ennui", "me fatigue", "me detend", "m'apaise", "me decon", "m'aide", "me stresse", " mieux", "deteste", "adore", "supporte", "hais", "prefere"), "clause", unless=r"\b(?:si|quand|bug|erreur)"),
        Trigger("instruction", rf"{_ON},? [^\n.;!?]{{2,60}}? (?:dans|pour|a) (?:tou(?:te)?s|chaque|mes|tes)\b", _ON_SIGNS, "clause"),
        Trigger("preference", r"~[^\n,.;!?]{2,40}?,? (?:c'est|est|sont|reste|ca reste) (?:mon|ma|mes) (?:[\w'-]+ ){1,2}?(?:prefere|favori)\w*", ("prefere", "favori"), "clause", unless=r"\b(?:si|quand|quel\w*)"),
        Trigger("preference", r"~[^\n,.;!?]{2,40}? (?:plutot que|mille fois mieux que) [^\n,.;!?]{2,40}?, (?:sans hesiter|toujours|clairement|pour moi|evidemment)", ("plutot", "mille fois"), "clause"),
        Trigger("decision", r"c'est (?:decide|regle|entendu)(?= ?[,:;])", ("c'est ",), "clause"),
        Trigger("instruction", rf"(?:a )?(?:chaque|toutes les) fois (?:que |qu')[^\n,.;!?]{{2,60}}? (?:{_VERB})(?: (?:moi|nous))?(?= (?:la|le|les|un|une|des|toujours|bien|tout|ca|en)\b)", (" fois ",), "clause", unless=r"\b(?:pourquoi|et)"),
        *INTRODUCTIONS["french"],
        *REMINDERS["french"],
        *ATTITUDES["french"],
        *EVERYDAY["french"],
        *STANDING_REQUESTS["french"],
    ),
    leads=_LEAD,
    conjunctions="et|mais|ou|car|parce que|que|donc|alors",
    question_words="que|quel|quelle|quels|quelles|comment|ou|quand|qui|pourquoi|combien|est-ce|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|y a-t-il|dois-je|qu'est-ce|as-tu|avez-vous",
    private=(
        rf"(?:^|[,.;:!—–-] ?|\b(?:et|mais|stp|svp),? )(?:ne |n')?(?:(?:le |la |l'|te |t'|vous |me |en )){{0,2}}(?:retiens|retenez|enregistre|enregistrez|note|notez|memorise|memorisez|garde|gardez|sauvegarde|sauvegardez|stocke|stockez|souviens|souvenez|rappelle|rappelez)(?: pas| rien| jamais)(?: (?:de )?{_THIS})?(?= ?(?:$| (?:mais|et|car|parce)\b|[,.;:!—–]| s'il | stp| svp| en memoire| que | parce))",
        rf"je (?:ne )?(?:veux|voudrais|souhaite) pas que (?:tu|vous) (?:(?:te |t'|vous |le |la |l')){{0,2}}(?:retien\w+|retenez|enregistr\w+|not\w+|memoris\w+|gard\w+|sauvegard\w+|stock\w+|souvien\w+|souven\w+)(?: (?:de )?{_THIS})?(?= ?(?:$| (?:mais|et|car|parce)\b|[,.;:!]| en memoire))",
        rf"(?:oublie|oubliez|efface|effacez) {_THIS}(?= ?(?:$| (?:mais|et|car|parce)\b|[,.;:!]))",
        r"(?:ca (?:reste|doit rester) |que ca reste |c'est |cela reste |ceci reste )?entre (?:nous|toi et moi)(?= ?(?:$| (?:mais|et|car|parce)\b|[,.;:!]))|off the record|de maniere officieuse",
        r"(?:^|[,.;:!¡—–-] ?)(?:(?:c'est|(?:ca|ceci|cela) (?:est|reste|doit rester)|gard(?:e|ez) (?:ca|ceci|cela)|je (?:te|vous) (?:le |la )?(?:dis|confie)(?: (?:ca|ceci|cela))?) )?(?:\w+ment )?(?:confidentiel(?:lement)?|a titre (?:\w+ment )?confidentiel|en (?:\w+ )?(?:confidence|confidentialite))(?= ?(?:$| (?:mais|et|car|parce|que)\b|[,.;:!—–]))",
    ),
    self_harm=(
        r"suicid\w*|automutil\w*|(?:me tuer|me pendre|me faire du mal|m'ouvrir les veines|mettre fin a mes jours|en finir avec (?:la|ma) vie|me scarifier)",
    ),
    death_wish=(
        r"(?:veux|voudrais|prefere(?:rais)?|aimerais|envie de|souhaite) (?:mourir|etre mort[e]?|disparaitre|crever|ne plus (?:exister|vivre|me reveiller))\b|(?:ne veux plus|veux plus|plus envie de) vivre|je me (?:deteste|hais)\b|(?:deteste|hais) ma vie",
    ),
    violence=(
        r"me (?:bat|frappe|cogne|maltraite|viole|harcele|menace|brutalise|tabasse)\b|m'(?:a|ont) (?:frappee?|battue?|violee?|agressee?|maltraitee?|etranglee?|poignardee?|menacee?)|j'ai ete (?:violee?|abusee?|agressee?|battue?|maltraitee?)|abuse de moi",
    ),
)  # fmt: skip
