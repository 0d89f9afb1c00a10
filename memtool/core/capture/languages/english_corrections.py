"""English triggers of corrections and decisions."""

from __future__ import annotations

from memtool.core.capture.languages.trigger import Trigger

_CLAUSE = (  # after "but" these begin a new clause: "not sure but I think so" is no correction
    r"(?:(?:i|we|you|he|she|it|it's|they|that|that's|this|there|also|can|please|is|was|if|when|still|what|how)\b"
    "|i'|let|(?:the|an?|my|our|your|some|most|all|its) [^\\n,.;]{1,40}? (?:is|are|was|were|does|do|has|have|had|will|can|should|could|would)\\b)"
)
SPEECH = (
    "(?:apologi[sz]|us|add|ask|say|giv|writ|repeat|explain|call|tell|suggest|mak|be|do|includ|start|end|assum|summari[sz]"
    "|recommend|talk|speak|reply|respond|answer|format|prais|flatter|agree|lectur|remind|offer|putt|mention|refer|preach"
    "|hedg|interrupt|guess|pretend|chang|creat|generat|insert|quot|link|show|list|wrap|truncat|shorten|skipp|ignor|send"
    "|address|treat|translat|switch|abbreviat|capitali[sz])ing"
)
_ONWARDS = (
    r"(?:through|over|ahead|back|on|deeper|further|into|next|again|now|first|step|one|line|check|see|look)\b"
)
_ACTIVITY = (  # "let's do a review" asks for work; "let's do Tuesday" chooses
    r"(?:an?|some|another|one more|any|the (?:next|first|same|rest|following|\w+est|most|least)"
    r"|the [^\n,;.!?]{1,40}? (?:fix|changes?|update|review|tests?|check|clean-?up|refactor\w*|work|work-?around))\b(?![^\n,;.!?]{1,60}? (?:instead|rather than|over)\b)"
)
_SUBJECT_OF_FACT = "(?:it|that|this|there|he|she|they|we|i|(?:my|our|his|her|their|the)(?: [\\w-]+){1,4}?)"
_SUBORDINATE = "that|whether|if|until|because|since|when|where|while|what|which|who"
_FACT_VERB = (
    "(?:live|lives|lived|work|works|worked|use|uses|used|own|owns|moved|meant|mean|said|study|studies|grew|come|comes"
    "|go by|goes by|speak|speaks|start|starts|started|ends|play|plays|pay|pays|run on|runs on|costs?|was born|were born)"
)
_PRAISED = "(?:(?:an?|the|so|such|quite|very|really|pretty|kind of|not|more|less|just) )*(?:great|good|nice|bad|better|worse|cool|fine|best|worst)\\b"
_REMARK = (  # after "actually" these open a question, a request, thanks or an opinion, and correct nothing
    r"(?:(?:can|could|would|will|do|does|did|is|are|was|were|has|have|how|what|why|where|when|who|which|should|shall|may|might"
    r"|please|thanks|thank|never ?mind|wait|yes|yeah|ok|okay|great|good|nice|perfect|cool|pretty|quite|really|very|kind of|sounds|one|works?|got"
    r"|maybe|i(?:'ll| will|'ve| have| had|'d| would|'m| am)? (?:(?:think|guess|wonder|hope|feel|see|know|find|need|like|love)(?:ing|d|ed)?"
    r"|found|got|had|trying|looking|going|not|curious|having|just|don'?t|didn'?t|can|can't|cannot|could|an?|another|some|one|to|wanted|forgot|never)\b"
    rf"|(?:it|that|this)(?:'s| is| was|) (?:not )?(?:{_PRAISED}|work|ok|easy|hard|possible|interesting|help|useful|makes|looks|seems|sounds)))"
)
_IS_ACTUALLY = f"{_SUBJECT_OF_FACT}(?:'s|'re|'m| is| are| was| were| am) actually"
_A_VALUE = (
    "(?=[$€£]?\\d|(?:in|on|at|from|by|called|named|spelled|spelt|an?|the|my|our|his|her|one|two|three) \\w)"
)
_RESTATES = (
    "(?:use|make it|change|call it|(?:it|that|this)(?:'s| is| was| should)|they(?:'re| are)|my|our|his|her|let's|instead|not"
    f"|the [\\w-]+ (?:is|was|are|were)|we(?:'re| are)|(?:i|we|he|she|they|it) {_FACT_VERB})\\b"
)
_ACTUALLY = (  # what the adverb corrects: a value that something is, what a person does, or a whole statement
    (rf"{_IS_ACTUALLY} (?!{_PRAISED}){_A_VALUE}", ""),
    (_IS_ACTUALLY, "name"),
    (f"(?:i|we|he|she|they|it) actually {_FACT_VERB}", "word"),
    (f"actually[,:—–-]? ?(?={_RESTATES})(?!{_REMARK})", "word"),
)

CORRECTIONS_AND_DECISIONS = (
    *(
        Trigger("correction", phrase, ("actually",), "clause", then, rf"\b(?:{_SUBORDINATE})")
        for phrase, then in _ACTUALLY
    ),
    Trigger("correction", f"actually(?![,:—–-]? ?{_REMARK})", ("actually",), "sentence", "word"),
    Trigger("correction", "no[,.;:!—–-]* ?i mean(?:t)?", ("i mean",)),
    Trigger(
        "correction",
        "(?:it|that|this|he|she)(?:'s| is| was) ?(?:not|n't) [^\\n]{1,120}?"
        rf"(?:[,;:—–-] ?(?:it|that|this|he|she)(?:'s| is| was)|,? ?\bbut(?! {_CLAUSE})) (?=\w)",
        ("'s not", " is not", "isn't", "wasn't", "was not"),
    ),
    Trigger(
        "correction",
        "(?:it|that|this|he|she|my name) (?:isn'?t|wasn'?t) [^\\n]{1,120}?"
        rf"(?:[,;:—–-] ?(?:it|that|this|he|she)(?:'s| is| was)|,? ?\bbut(?! {_CLAUSE})) (?=\w)",
        ("isn't", "wasn't", "isnt", "wasnt"),
    ),
    Trigger(
        "correction",
        rf"not (?!(?:only|just|merely|sure)\b)[^\n]{{1,120}}?\bbut (?!{_CLAUSE})(?=\w)",
        ("not ",),
    ),
    Trigger(
        "correction",
        "(?:no[,.;:!—–-]* ?)?(?:that|this|it)(?:'?s| is| was) (?:all |completely |totally |plain |just |still |simply )?"
        "(?:wrong|incorrect|false|mistaken|not (?:right|correct|true|accurate|what i (?:said|meant|asked|wanted)))",
        ("wrong", "incorrect", "false", "mistaken", "not right", "not correct", "not true", "not accurate", "not what"),
        "clause",
    ),
    Trigger(
        "correction",
        "(?:that|this|it) (?:isn'?t|wasn'?t) (?:right|correct|true|accurate|what i (?:said|meant|asked|wanted))",
        ("isn't", "wasn't", "isnt", "wasnt"),
        "clause",
    ),
    Trigger("correction", r"(?:wrong|incorrect)(?= ?(?:[,.!:;—–-]|\n|$))", ("wrong", "incorrect"), "sentence"),
    Trigger("correction", "you(?:'re| are) (?:wrong|mistaken|incorrect)", ("wrong", "mistaken", "incorrect"), "clause"),
    Trigger(
        "correction",
        "(?:you(?:'ve| have)? (?:misunderstood|got (?:it|that|this|me|my \\w+) wrong|misread|misheard|mixed up)"
        "|i(?:'ve)? (?:misspoke|misspoken)|i (?:got|had|said|told you)(?: that| it| this)? wrong(?= ?[,.;:!—–-])|(?:scratch|strike) that|correction:|let me correct|i stand corrected"
        "|my mistake|i meant(?! (?:it|that|to|for|well|what|every))|what i meant (?:is|was))",
        ("wrong", "misunder", "misread", "misheard", "mixed up", "misspoke", "scratch", "strike", "correct", "my mistake", "meant"),
        "clause",
    ),
    Trigger(
        "correction",
        r"(?:instead,? (?:please )?(?:use|do|try|call|write|make|put|say|go|take|set)|use [^\n]{1,60}? instead(?! of))",
        ("instead",),
        "clause",
        unless=r"\b(?:if|when|where|otherwise)\b[^\n.]{1,36},",
    ),
    Trigger("correction", r"(?:i|we) (?:said|asked for|wanted|meant|told you) (?!that\b|it\b|so\b)[^\n,;.!?]{1,60}?,? (?:and )?not (?!to\b|sure\b|only\b)(?=\w)", (" not ",), "clause", unless=r"\b(?:if|whether|that)"),
    Trigger("correction", r"no[,;:!—–-]+ ?(?:please )?(?:use|call it|make it|put it|write|set|it should be|it'?s (?=the\b|in\b|on\b|\d))", ("no,", "no;", "no:", "no!", "no-", "no -", "no—", "no –"), "sentence", "word"),
    Trigger("correction", r"(?:no[,.;:!—–-]* ?)?(?:that|this|it)(?:'?s| is| was) (?:not the right|the wrong) (?!one\b|way\b|thing\b)(?=\w)|wrong (?!with\b|about\b|way\b|again\b)[\w-]+ ?[,;:—–-] ?(?=(?:use|look|it|the|that|try|open|check|see)\b)", ("right", "wrong"), "clause"),
    Trigger("correction", f"(?:stop|quit) {SPEECH}", ("stop", "quit"), "clause"),
    Trigger(
        "correction",
        r"(?:do not|don'?t|never)(?! (?:again|worry|want|think|know|forget|have|see|feel))[^\n,;]{1,80}?"
        r"\b(?:again|any ?more|any longer)(?= ?(?:[,.!;:—–]|\n|$|please))",
        ("again", "any more", "anymore", "any longer"),
        "clause",
    ),
    Trigger("decision", rf"let'?s (?:use|try|go(?! {_ONWARDS})|do(?! {_ACTIVITY}))", ("let's", "lets"), then="word"),
    Trigger("decision", "go with", ("go with",), then="word",
            unless=r"\b(?:in case|if|whether|unless|should|would|could) (?:\w+ ){0,3}?\w+"),
    Trigger("decision", "(?:we'll|we will) use", ("ll use",), then="word"),
    Trigger("decision", "(?:i'll|i will) use", ("ll use",), "sentence", "word"),
    Trigger("decision", "(?:we|i)(?:'ve| have)? (?:decided (?:to|on|that|against)|settled on|chose|chosen)", ("decided", "settled on", "chose")),
    Trigger("decision", "use", ("use",), starts="sentence", then="thing", unless=r"\("),
)  # fmt: skip
