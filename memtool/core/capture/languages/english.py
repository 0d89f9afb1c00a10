"""English triggers."""

from __future__ import annotations

from memtool.core.capture.languages.attitudes import ATTITUDES
from memtool.core.capture.languages.english_corrections import CORRECTIONS_AND_DECISIONS, SPEECH
from memtool.core.capture.languages.english_statements import ROWS
from memtool.core.capture.languages.grammar import InstructionGrammar, instruction_triggers
from memtool.core.capture.languages.introductions import AFTER_CALLED, INTRODUCTIONS
from memtool.core.capture.languages.reminders import REMINDERS
from memtool.core.capture.languages.standing_requests import STANDING_REQUESTS
from memtool.core.capture.languages.trigger import LanguageTable, Trigger

_HOW = (
    "(?: (?:really|also|still|always|usually|generally|strongly|definitely|personally|absolutely|particularly"
    "|especially|rather|actually|just|much|kinda|truly|honestly|certainly|simply|typically|mostly|greatly"
    "|only|tend to|do)){0,2}"
)
_RECALLING = r"\b(?:i|we|they|he|she|who|not|never|cannot|can't|don't|couldn't|didn't|do you|did you|do they)"
_REPORTED = (  # "she said I love rum", "what I love about it", "if I want", "do I like"
    r"\b(?:do|did|would|should|could|can|does|will|if|whether|when|whenever|where|why|how|until|unless|once"
    r"|(?:said|says|saying|told (?:\w+|the \w+)|wrote|writes|claims|claimed|replied|answered)(?: that)?[:,]?)"
)
_DEMONSTRATIVE = "it|this|that|these|those|them|him|her|how|what|where|when|why|which|your|you|everything|all"
_ARTEFACT = (  # what a request asks to be made or shown now
    "(?:(?:a|an|the|some|any|another|one|more|further|your|its|all|two|three|\\d+) (?:[\\w-]+ ){0,3}?)?"
    "(?:help|advice|guidance|feedback|inputs?|thoughts|opinions?|suggestions?|ideas?|tips?|recommendations?"
    "|examples?|code|codes|functions?|scripts?|charts?|graphs?|plots?|diagrams?|tables?|lists?|summar(?:y|ies)"
    "|explanations?|clarifications?|information|info|details?|insights?|overviews?|walkthroughs?|reviews?"
    "|versions?|drafts?|templates?|reports?|outlines?|checks?|looks?|quer(?:y|ies)|tests?|buttons?|pages?"
    "|files?|images?|pictures?|palettes?|columns?|fields?|endpoints?|outputs?|results?|responses? to"
    "|more|assistance|support|step|steps|methods?|class|classes|components?|features?|way|ways)\\b"
)
_LIFE_VERBS = (  # "I want to" with these speaks of the user's life
    "(?:become|live|move (?:to|back|out|in|abroad)|retire|travel|emigrate|settle|marry|get married|have (?:kids"
    "|children|a (?:family|baby|child|dog|cat))|lose (?:weight|\\d+)|gain weight|quit (?:smoking|drinking|my job)"
    "|stop (?:smoking|drinking)|eat (?:less|more|healthier|healthy|vegan)|start (?:a|my own) (?:family|business"
    "|company)|be (?:a|an) |own a|adopt|volunteer|stay (?:in|at home|single|vegan|sober)|work (?:abroad|remotely"
    "|part-time|for myself|from home)|study (?:medicine|law|abroad|in )|run a marathon|grow old)"
)

_VERBS = (
    "abbreviate|abide|acknowledge|adapt|add|address|adhere|adjust|advise|agree|aim|allow|alphabeti[sz]e|analy[sz]e"
    "|annotate|answer|apologi[sz]e|append|apply|approach|argue|arrange|ask|assume|attach|attempt|attribute|avoid"
    "|back|balance|base|be|begin|bold|break|bring|build|bullet|calculate|call|capitali[sz]e|categori[sz]e|challenge"
    "|change|check|choose|cite|clarify|classify|close|code|combine|comment|commit|communicate|compare|compute"
    "|conclude|confirm|consider|consult|convert|copy|correct|count|cover|create|credit|criticise|cross-check|date"
    "|deal|debug|declare|define|delegate|delete|deliver|deploy|escalate|greet|ping|pause|demonstrate|describe|detail|diagram|disclose|discuss"
    "|display|distinguish|divide|do(?! (?:i|you|we|they|it|he|she|the)\\b)|document|double-check|draft|draw|drop|edit|elaborate|emphasi[sz]e|encourage|end"
    "|enforce|ensure|enumerate|escape|estimate|evaluate|examine|exclude|execute|expand|explain|explore|express"
    "|factor|favou?r|file|finish|fix|flag|focus|follow|format|frame|generate|give|go|greet|group|guess|guide|handle"
    "|help|highlight|identify|illustrate|implement|import|include|incorporate|indent|indicate|inform|insert|inspect"
    "|interpret|interrupt|introduce|italici[sz]e|join|justify|keep|label|lead|leave|lecture|let|limit|link|list"
    "|load|log|look (?:up|for|at|into|out)|lowercase|maintain|make|mark|match|measure|mention|mind your|minimi[sz]e|mix|mock|modify"
    "|monitor|move|name|narrow|negotiate|note|notify|number|offer|omit|open|order|organi[sz]e|outline|output|pair"
    "|paraphrase|parse|pay|phrase|pick|place|plan|play|point|praise|preface|prefer|prefix|prepare|present|preserve"
    "|pretend|print|prioriti[sz]e|proceed|produce|pronounce|proofread|propose|prove|provide|pull|push|put|quantify"
    "|question|quote|raise|rank|rate|read|reason|rebase|recap|recommend|record|redirect|refactor|refer|reference"
    "|reflect|refrain|refuse|reject|rely|remember|remind|remove|rename|render|repeat|rephrase|replace|reply|report"
    "|represent|request|research|respect|respond|restart|restate|return|revert|review|rewrite|round|run|save|say"
    "|search|select|send|separate|set|share|shorten|show|sign|simplify|skip|sort|sound|speak|specify|spell|split"
    "|stage|start|state|stay|stick|stop|store|structure|style|submit|substitute|suggest|summari[sz]e|supply|support"
    "|schedule|book|critique|nag|ramble|speculate|invent|sugarcoat|quiz|grade|swear|switch|tabulate|tag|tailor|take|talk|teach|tell|test|thank|touch|track|uppercase|transcribe|translate|treat|trim"
    "|try|type|underline|update|use|utili[sz]e|validate|verify|wait|walk|warn|weigh|wrap|write"
)
_OTHER_VERB = (  # of a request; "don't know" is none
    "(?!(?:know|think|want|have|need|care|mind|get|see|like|love|hate|feel|worry|understand|remember|forget|believe|even"
    "|really|you|we|they|it|that|work|seem|actually|always|usually|just|expect|exist|matter)\\b)[a-z]{3,}"
)
_NEGATED = "(?:do not|don'?t|never|no longer|under no circumstances)(?: you)?(?: ever| just| please)?"
_ASKING = (
    "(?:ask(?:ing|ed)?(?!(?: the| a| my)? users?)|mention|inquire|enquire|bring up|talk(?:ing)?|discuss|want to know"
    "|say|speak|type|write|send you|give you|share|paste|tell you|request (?:help|information|info|advice|details|an?"
    " (?:summary|list|translation|explanation|review|recommendation|example))|need (?:help|advice|information)"
    "|have a question|am asking|come to you|reply|message you|text you|make a mistake|start a)"
)
_SUBJECT = "(?:i'm|we're|you're|(?:i|we|you)(?: am| are)?(?: ever| specifically| explicitly| directly)?)"
_ASKER = "(?:i'm|we're|(?:i|we)(?: am| are)?(?: ever| specifically| explicitly| directly)?)"
_WHEN_ASKED = (
    f"(?:(?:when|if|where|as soon as|once|wherever) (?:{_ASKER} {_ASKING}|you (?:answer|respond|reply|write|explain"
    "|give|show|suggest|recommend|generate|produce|create|make|edit|change|cite|quote|translate|summari[sz]e|talk"
    "|speak|refer|use|don't know|do not know|are (?:not sure|unsure|answering|writing|explaining)|aren't sure))"
    "|when(?:ever)? (?:answering|responding|replying|explaining (?:things|concepts|something)|asked))"
)
_EVER = (
    "(?:(?:whenever|every ?(?:single )?time|each time|any ?time|each and every time)"
    " (?!(?:the|a|an|any|this|that) (?:user|button|page|server|script|function|request|event|form|timer|app)))"
)
_FUTURE = (
    "(?:from (?:now|here|today|this (?:point|moment))(?: on| onwards?| forwards?)?(?: out)?|from now on(?:wards)?"
    "|(?:going|moving) forwards?|henceforth|in (?:the )?future|as a (?:general )?(?:rule|default)"
    "|at all times|in general|as of (?:now|today)|starting (?:now|today)|for (?:all |any )?future \\w+"
    "|(?:the )?next time(?= (?:i|you|we)\\b)|without exception|no matter what|under any circumstances"
    "|unless (?:i|otherwise) (?:\\w+ ){0,4}?(?:otherwise|stated|noted|specified|instructed|told|ask for)"
    "|until (?:i (?:say|tell)|further notice)[^\\n,.]{0,20}|permanently|for good(?! reason)|in all cases|across the board"
    "|every single time)"
)
_REPLIES = (
    "(?:answers?|responses?|repl(?:y|ies)|messages?|outputs?|explanations?|conversations?|chats?|emails?|summaries"
    "|code (?:samples?|snippets?|blocks?|examples?|reviews?)|commits?|commit messages|suggestions|recommendations"
    "|translations|questions|topics|recipes|reports|examples|documents|plans|estimates|prices|dates|texts|drafts)"
)
_IN_ALL = (
    f"(?:(?:in|for|with|to|at the (?:end|start|top|bottom|beginning) of|before|after) (?:all|every|each|any)(?: of)?"
    f"(?: (?:your|my|our|the|future|single))?(?: (?!these|those|this)[\\w-]+)? {_REPLIES})"
)
_LEAD = (
    "please|pls|plz|kindly|just|also|ok|okay|hey|hi|hello|well|oh|yes|no|btw|by the way|fyi|for me|i said|then|now"
    "|again|always|note|remember|reminder|important|one more thing|and|so|but|claude|assistant|thanks|thank you|ideally"
)
_GRAMMAR = InstructionGrammar(
    imperative=f"(?:{_NEGATED} )?(?:{_VERBS})(?: (?:it|them|everything))?|(?:do not|don'?t) {_OTHER_VERB}",
    wish=(
        r"i(?:'d| would|'ll)?(?: really| also| still| just)? (?:want|need|like|love|prefer|expect|ask|appreciate"
        r"|insist|request|wish)(?: it)?(?: if| that)? (?:you|u)(?:'d|'ll| would| could| will| can)?(?: to)?(?: please)?"
        r"|(?:it would|it'd|that would|would) be (?:great|nice|good|better|helpful|best) if you (?:could|would)?"
        r"|you (?:should|must|shall|need to|have to|are to|ought to|had better|may|can|will|are (?:not )?allowed to"
        r"|should not|must not|shouldn't|mustn't|cannot|can't|may not)|you'd better|i don'?t want you to|i never want you to"
        r"|(?:i'?m |i am )?(?:gonna|going to) need (?:you|u) to|i'll need (?:you|u) to"
        r"|(?:make|be) (?:sure|certain|careful)(?: that)? (?:you|to)|(?:ensure|see to it|take care) (?:that you|you|to)"
        r"|(?:remember|try|do not forget|don'?t forget|please) to|your (?:job|task|role) is to|feel free to"
    ),
    questions="(?:can|could|would|will) you(?: please| kindly| just)?(?= (?:please |not )?(?:always|never|[a-z]+ ))",
    adverbs=r"(?:always|never|not ever)(?! mind\b)",
    leading=(
        f"{_FUTURE}|by default|{_WHEN_ASKED}|{_EVER}|for (?:anything|everything) (?:[\\w-]+ ){{0,3}}?[\\w-]+|(?:in|for|with|to) (?:all|every|each|any)(?: of)?(?: your| my| our| the)?"
        f"(?: [\\w-]+)? {_REPLIES}|whenever|when in doubt|if in doubt|if (?:you are|you're) (?:unsure|not sure)"
    ),
    trailing=(
        f"{_FUTURE}|{_WHEN_ASKED}|{_EVER}(?:{_SUBJECT} (?=\\w)|possible|appropriate|relevant|necessary|applicable|needed"
        f"|there|(?:the (?:topic|subject|question)|it's about|it is about|my) (?=[a-z]))|{_IN_ALL}|(?:every|each) (?:message|time)(?=[.!,\\s]{{0,3}}$|\\n)|always(?=[.!\\s]{{0,3}}(?:\\n|$))"
    ),
    lead=_LEAD,
    not_between=(
        "said|says|told|how|what|why|which|where|who|whom|whether|error|bug|happens?|occurs?|i can|i could|it|they|he|she|we can"
        "|so that|because|since|i will|i'll|will|would|might|prevent"
    ),
    adverb_after=False,
    things=(
        "(?:prices?|costs?|amounts?|sums?|dates|times|units?|measurements?|distances?|temperatures?"
        "|weights?|quantities|answers|replies|responses|code|comments|sources|quotes|examples|recipes|numbers|explanations"
        "|translations|summaries|titles|emails|names)"
    ),
    in_form="in|as|with|without|per|to|from|only",
    reported=r"(?:\b(?:says|wrote|writes|reads|states|(?<!i )said|told (?:me|us|him|her|them)))[:,]?",
)
_CHATTER = (
    "(?:emojis?|apolog(?:y|ies)|bullet(?: ?point)?s|exclamation (?:marks?|points?)|disclaimers?|caveats|small talk"
    "|jargon|lists|headings?|headers|markdown|preambles?|filler|fluff|flattery|compliments?|smileys?|jokes|puns"
    "|tables|follow-up questions|summaries|buzzwords|slang|swearing|abbreviations|passive voice|em dashes)"
)
_MONTHS = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_SIGNS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GREETED = "|".join(
    rf"(?<=\b{word}\s)|(?<=\b{word}\W\s)"
    for word in ("hi", "hello", "hey", "morning", "evening", "afternoon", "there")
)
_MARK_LIST = (
    "always|never|not ever|n't ever|from |forward|henceforth|future|default|rule|at all times|"
    "general|as of|starting |next time|exception|matter|circumstance|unless |until |whenever|time|"
    "permanent|thing|for good|all cases|board|when |if |where|once|all |every |each |any "
)
_MARKS = tuple(_MARK_LIST.split("|"))

TABLE = LanguageTable(
    triggers=(
        *CORRECTIONS_AND_DECISIONS,
        Trigger("proper_noun", "my name(?:'s| is)", ("my name",), then="sure name"),
        Trigger("proper_noun", "i'm", ("i'm",), then="name"),
        Trigger("proper_noun", "i am", ("i am",), then="name", unless=r"\bam"),
        Trigger("proper_noun", "im", ("im ",), "sentence", then="name"),
        Trigger("proper_noun", "call me", ("call me",), then="name"),
        Trigger("instruction", rf"call me(?= [\w'-]+{AFTER_CALLED}\W*(?:[.!\n]|$))", ("call me",), "clause", then="sure name"),
        Trigger("proper_noun", rf"(?:{_GREETED})this is", ("this is",), then="name"),
        Trigger("proper_noun", r"this is(?= [\w'-]+(?: [\w'-]+)? (?:speaking|here|from|calling|writing|again)\b)", ("this is",), then="name"),
        Trigger(
            "preference",
            f"i(?:'d| would| do)?{_HOW} (?:prefer(?:red)?|favou?r)(?! (?:it )?if you)(?! (?:you|u) [^\\n]{{0,60}}?\\b(?:always|never)\\b)"
            "(?! (?:this|that|it) ?[.!,\\n])",
            ("prefer", "favor", "favour"),
            unless=_REPORTED + r"|\b(?:it|this|that|them|way|just|exactly|done|format\w*|style\w*|reply|answer|code) (?:like|as)|^(?:like|as)",
        ),
        Trigger(
            "preference",
            rf"i(?: do)?{_HOW} (?:like|love|hate|enjoy|adore|detest|dislike|loathe|despise|can'?t stand(?! up\b)|cannot stand(?! up\b))"
            rf"(?! (?:{_DEMONSTRATIVE}|the way|the (?:idea|look|sound|result|answer|suggestion)|to (?:see|know|get|hear|add"
            r"|think about|be (?:sure|able)|admit|say|break|ask|bother|nag|complain)|when you|an? \w+ (?:from|by) you)\b)(?= [^\n])",
            ("like", "love", "hate", "enjoy", "adore", "detest", "dislike", "loathe", "despise", "stand"),
            unless=_REPORTED + r"|\b(?:what|which|feel|sound|sounds|looks?)",
        ),
        Trigger(
            "preference",
            rf"i (?:don'?t|do not|never){_HOW} (?:like|love|enjoy)(?! (?:{_DEMONSTRATIVE}|the way|the idea)\b)(?= [^\n])",
            ("don", "do not", "never"),
            unless=_REPORTED,
        ),
        Trigger(
            "preference",
            rf"i(?:'m| am)?(?: really| always| also)? (?:fond of|a (?:big |huge )?fan of|keen on|into) (?!(?:{_DEMONSTRATIVE})\b)(?=\w)",
            ("fond of", "fan of", "keen on", "into "),
            unless=r"\b(?:run|ran|look|looked|looking|get|got|bumped|came|turn)",
        ),
        Trigger(
            "preference",
            rf"i(?:'d| would)(?: also| really| rather)? (?:like|love)(?! (?:(?:to|you|u|{_DEMONSTRATIVE})\b|{_ARTEFACT}))(?= \w)",
            ("like", "love"),
            unless=_REPORTED,
        ),
        Trigger(
            "preference",
            rf"i(?: do| really| also| always| only| just)? want(?! (?:(?:to|you|u|{_DEMONSTRATIVE})\b|{_ARTEFACT}"
            rf"|the |[^\n]{{1,60}}? to (?:be|have|show|display|work|run|use|return|apply|look|match|go|get)\b))"
            r"(?= (?!help)[^\n]|\n|$)",
            ("want ", "want.", "want\n"),
            unless=_REPORTED + r"|\b(?:all|that|and)",
        ),
        Trigger("preference", "i want(?=[^\\w\\n]{0,3}(?:\\n|$))", ("i want",), unless=_REPORTED),
        Trigger(
            "preference",
            rf"i(?:'d| would)?(?: really| also| always)?(?: like| love| want| (?:am )?plan(?:ning)?| hope)(?:ed)? to {_LIFE_VERBS}",
            ("to ",),
            unless=_REPORTED + r"|\bthat",
        ),
        Trigger("preference", r"i (?:don'?t|do not|never) want (?!(?:to|you|it|this|that|them|any|the)\b)(?=\w)", ("want",)),
        Trigger(
            "preference",
            r"my (?:(?:all-time|personal|strong|absolute) )?(?:favou?rite [^\n]{1,60}? (?:is|are|was)|preference (?:is|for)"
            r"|preferred [^\n]{1,60}? (?:is|are))",
            ("favorite", "favourite", "preference", "preferred"),
        ),
        Trigger("preference", "i(?:'d| would) (?:rather|sooner)(?! not (?:say|tell|talk)| you)", ("rather", "sooner"), unless=_REPORTED),
        *instruction_triggers(_GRAMMAR, _MARKS),
        Trigger(
            "instruction",
            f"(?:{_FUTURE}),? i(?:'d| would)? (?:want|need|prefer|expect|like)(?! to\\b)",
            ("from ", "forward", "henceforth", "future", "default", "as of", "starting "),
            "clause",
            "word",
        ),
        Trigger(
            "instruction",
            "(?:answer|respond|reply|use|show|give|write|speak|talk|format|include|prefer|assume|explain|call|keep)"
            r"\b[^\n.;]{0,100}? by default",
            ("by default",),
            "clause",
        ),
        Trigger(
            "instruction",
            "(?:end|start|begin|finish|conclude|close|open|sign|preface|prefix)(?: off)? (?:every|each|all|any)(?: of)?"
            "(?: your)?(?: single)? (?:answers?|responses?|repl(?:y|ies)|messages?|explanations?)",
            ("every", "each", "all ", "any "),
            "clause",
        ),
        Trigger("instruction", f"(?:stop|quit) {SPEECH}", ("stop", "quit"), "clause"),
        Trigger(
            "instruction",
            rf"(?:do not|don'?t)(?: you)? (?:{_VERBS})\b[^\n,;]{{0,80}}?\b(?:again|any ?more|any longer|ever)(?= ?(?:[,.!;:—–]|\n|$|please))",
            ("again", "any more", "anymore", "any longer", "ever"),
            "clause",
        ),
        Trigger("instruction", f"(?:never again|do not ever|don'?t ever|don'?t you (?:ever|dare)) (?:{_VERBS})", ("ever", "dare"), "clause", "word"),
        Trigger(
            "instruction",
            f"(?:no more|no|avoid|skip|drop|without)(?: (?:any|the|using))? {_CHATTER}(?=(?:,? (?:in|from|with|at|please|ever|again)\\b[^\\n]{{0,60}})?"
            r"[.!\s]{0,3}(?:\n|$))",
            ("no ", "avoid", "skip", "drop"),
            "clause",
        ),
        Trigger(
            "instruction",
            "(?:keep|limit|make) (?:all |every |all of )?(?:of )?(?:your |my |the |future )?(?:answers|responses|replies|explanations|messages|summaries|outputs)",
            ("keep", "limit", "make"),
            "clause",
            "word",
        ),
        Trigger(
            "instruction",
            f"(?:your|all|every|each|any)(?: of your| of my| your)?(?: [\\w-]+)? {_REPLIES} (?:should|must|need to|have to|has to|needs to|shall|ought to)",
            ("should", "must", "need", "ha", "shall", "ought"),
            "clause",
            "word",
            unless=r"\b(?:what|how|which|why)",
        ),
        Trigger(
            "instruction",
            f"i(?:'d| would)?(?: really| always| only)? (?:want|need|like|expect|prefer)(?: to (?:see|get|have))? (?:all|every|each|any)"
            f"(?: of)?(?: your| my| the| future)?(?: [\\w-]+)? {_REPLIES}",
            ("want", "need", "like", "expect", "prefer"),
            then="word",
        ),
        Trigger("instruction", r"remind me (?:to|of|about|that|when)[^\n]{1,80}?\b(?:every|each) (?!time\b)\w", ("remind me",), "clause"),
        Trigger("instruction", r"(?:every|each) (?:day|morning|evening|night|week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
                rf",? (?:please )?(?:{_VERBS})", ("every", "each"), "sentence", "word"),
        Trigger("instruction", r"i never(?: ever)? want to (?:see|hear|read|get)", ("i never",), then="word"),
        Trigger("remember", "remember (?:this|that)", ("remember",), unless=_RECALLING),
        Trigger("remember", r"(?!note:(?![^\n]{0,80}\b(?:i|i'm|my|me|we|our|us)\b))(?:please |and |also )?(?:remember|note|keep in mind|make a note|take note|bear in mind)(?:,? that|:| ?,? (?:my|i'm|i am|i have|i was|i've|i|we|our)\b)",
                ("remember", "note", "in mind"), "clause", unless=_RECALLING),
        Trigger("remember", "(?:keep|bear) (?:this|that) in mind|(?:make a|take) note of (?:this|that)", ("in mind", "note of"), "clause"),
        Trigger("remember", "do(?:n'?t| not) forget", ("forget",), unless=r"\b(?:i|we|they|who)"),
        *ROWS,
        Trigger(
            "specific_value",
            rf"(?:{_MONTHS}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}(?:,? \d{{4}})?)(?!\w)",
            _MONTH_SIGNS,
        ),
        Trigger("instruction", rf"i(?:'d| would) (?:appreciate|prefer|like|love)(?: it)?(?: if)? [^\n.;!?]{{2,60}}? (?:were|was|are|is|be|to be|came|come)\b[^\n.;!?]{{0,60}}?\b(?:{_FUTURE}|by default|always)", ("from ", "forward", "henceforth", "future", "default", "as of", "starting ", "always"), unless=_REPORTED),
        Trigger("instruction", rf"(?:no|zero|nothing but|only) [^\n.;!?,]{{2,60}}? in (?:any|all|every|each)(?: of)?(?: your| my)?(?: [\w-]+)? {_REPLIES}", ("any ", "all ", "every ", "each "), "clause"),
        Trigger("preference", rf"(?:i'?ve )?(?:been|gotten|got|getting) (?:(?:really|super|so|totally|very|pretty|heavily) ){{0,2}}(?:into|hooked on|obsessed with)(?! (?:{_DEMONSTRATIVE}|an?|the)\b)(?= \w)", ("into ", "hooked", "obsessed"), "clause"),
        Trigger("instruction", rf"(?:{_EVER}|(?:if|when) )(?:i|we) (?:[\w']+ )?{_ASKING}[^\n,.;!?]{{2,60}}? (?:please )?(?:{_VERBS}) (?:me|us|it|everything|them|the|an?|your|my|all|each|only|both|in|with|any)\b", ("whenever", "time", "if ", "when "), "clause", unless=_REPORTED),
        *INTRODUCTIONS["english"],
        *REMINDERS["english"],
        *ATTITUDES["english"],
        *STANDING_REQUESTS["english"],
    ),
    leads=_LEAD,
    conjunctions="and|so|ok|but|or|then|because|that",
    question_words=(
        "what|how|why|which|who|whom|where|when|do|does|did|is|are|was|were|am|can|could|would|will|should|shall|may"
        "|might|have|has|had|any|if"
    ),
    self_harm=(r"(?:kill|hurt|harm|cut|hang|drown|poison|starv\w*) (?:myself|himself|herself|themselves|yourself)",
        r"suicid\w*|self[- ]harm\w*|overdos(?:e|ed|ing)|end (?:my life|it all)|take my (?:own )?life|took (?:his|her) own life",),
    death_wish=(r"(?:want|wanna|going|ready|like|rather|wish i (?:could|would)|prefer) (?:to )?(?:die|be dead|disappear forever|not exist|not be alive)\b",
        r"(?:don'?t|do not|no longer) want to (?:live|be alive|exist|wake up|be here any ?more|go on)\b|wish i (?:was|were) (?:dead|never born)|better off dead|no reason to live|can'?t go on",
        r"(?:hate|loathe|despise) (?:myself|my life|being alive|living)",),
    violence=(r"(?:beats?|beat|hits?|chok(?:es|ed)|strangl(?:es|ed)|punch(?:es|ed)|slaps?|slapped|kick(?:s|ed)|rap(?:es|ed)|abus(?:es|ed)|assault(?:s|ed)|molest(?:s|ed)|threaten(?:s|ed)(?: to kill)?|stab(?:s|bed)|burn(?:s|ed)) me\b(?! to | with (?:a )?(?:question|idea))",
        r"(?:i (?:was|got|am being|have been|'ve been)|i've been) (?:\w+ )?(?:raped|abused|assaulted|beaten|molested|strangled|stabbed|trafficked)",
        r"my (?:ex(?:-| )?)?(?:husband|wife|partner|boyfriend|girlfriend|spouse|fiance|dad|father|mum|mom|mother|step\w+|brother|sister|son|daughter|parents|uncle|aunt|ex|boss|carer)(?:'s| is| are| was| were| has been| have been| gets| got| became) (?:\w+ ){0,2}(?:abusive|violent)",),
)  # fmt: skip
