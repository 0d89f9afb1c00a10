"""Sentences that the statement model may not turn into memory, whatever its odds are.

The grammars and triggers name what they match, with its negation and its speaker. The model accepts a
sentence as a whole. So what needs a person's attention, opens a door or an account, reports somebody else's
words or asks for something risky is refused by its words: in doubt, nothing is recorded.
"""

from __future__ import annotations

from memtool.core.capture.languages.suppositions import orders_text
from memtool.core.text.regex import regex

_DISTRESS = (  # in the spelling that `fold_in_place` gives
    r"\bsuicid|\bself[- ]?harm|\boverdos|\brap(?:e[ds]?|ing|ist)\b|\bmolest|\babus(?:e[ds]?|ive|ing|er)\b|\bassault"
    r"|\bstrangl|\bstabb|\bbeat(?:s|en|ing)? (?:me|her|him|us|up)\b|\bpurg(?:e[ds]?|ing)\b|\bbing(?:e|ing)\b"
    r"|\bstarv(?:e|ing)|\bcutting (?:since|myself|again|my)\b|\bbeen cutting\b|\bcut myself\b|\bkill(?:ed|ing)?\b"
    r"|\b(?:sav|hoard|stockpil)\w+ (?:\w+ )?pills\b|\ball (?:my|the|his|her) pills\b|\bwant(?:ed)? to die\b|\bend it all\b"
    r"|\bnoose\b|\b(?:knife|gun|blade|rope)\b|\b(?:haven't|not) eaten (?:in|for)\b|\bviolent\b|\bhits me\b"
    r"|selbstmord|suizid|\britz(?:e|en)\b|vergewaltig|missbrauch|\bviole[er]?s?\b|scarifi|maltrait"
    r"|violad[oa]|violaron|cortarme|maltrat|estupr|me cort|самоуб|суицид|изнасил|реж[уе]\w* себя|избива"
    r"|intihar|tecavuz|kendimi kes|joniga qasd|zo'rla|自杀|自殺|自残|自傷|割腕|强奸|強姦|家暴|レイプ|リストカット|リスカ"
)
_ACCESS = (
    r"\bpass(?:word|code|phrase|wort)s?\b|\bkennwort|\bpin(?: code| number)?\b (?:is|for|to)|\b(?:door|gate|alarm|access|entry|safe"
    r"|lock|garage|voicemail|unlock)[- ]?(?:door )?(?:code|pin|combination|key)s?\b|\bcode(?: ?words?)? (?:is|for|to|of)\b|\bcombination (?:is|for|to)\b"
    r"|\bkey (?:is|under|hangs|to the (?:house|flat|safe))\b|\bspare keys?\b|\bkeep (?:the|our|my) (?:\w+ )?keys?\b|\bsafe\b.{0,30}\bopens?\b"
    r"|\blog ?ins? (?:is|isn't|are|aren't|was|for|to|changed)\b|\bcredentials?\b|\bcard (?:number|ends|expires)|\[redacted|\bexpires? \d|\bcvv\b|\biban\b|\baccount number\b|\bsecurity question"
    r"|mot de passe|contrasena|\bsenha|парол|\bsifre|\bparol|密码|密碼|パスワード|暗証番号"
)
_RISKY = (
    r"\breview\b.{0,20}\bpush|\bwithout (?:review|asking|checking|confirm|approval|permission|telling)|\bno need to (?:check|ask|confirm|tell)"
    r"|\b(?:don't|never|do not|stop) (?:ask|check|confirm|warn|tell me)\b|\bpay(?:ment|s|ing)?s?\b|\bpurchas|\btransfer|\bsecrets?\b"
    r"|\bcredential|\bpassword|\btokens?\b|\bapi keys?\b|\b\.?env\b|\brefus|\bdisclaimer|\bprior\b|\bprevious instruction|\binstructions\b"
    r"|\bdisregard|\bignor|\boverrid|\bbypass|\bsafety\b|\bsecurity\b|\bpolic(?:y|ies)\b|\bdelet|\berase\b|\bforce[- ]push|\bdrop (?:table|database)"
    r"|\bsend (?:\w+ ){0,3}to\b|\bforward\b|\bupload|\bcontents of\b|\bdeploy|\bproduction\b|\bprod\b|\bsudo\b|\broot\b"
)
_REPORTED = (
    r"^\W*(?:he|she|they|someone|somebody|people|everyone) (?:said|says|told|wrote|writes|claims|thinks)\b"
    r"|^\W*(?:say|given|assum(?:e|ing)|suppose|supposing|imagine|pretend|let's say)\b|^\W*(?:person|speaker|user|assistant)\b ?\w?:"
    r"|^\W*(?:note|result|output|response|subject|from|to)\s*:"
)
_QUOTED_WISH = r"^\W*(?:my|our|the|a|his|her|their) [\w' -]{1,40}? (?:said|says|told|wrote|writes|wants?|claims|insists?)\b"


def is_refused(folded: str, *, is_rule: bool) -> bool:
    """Whether a folded sentence that the model takes for a statement, or for a rule, is not recorded."""
    if any(regex(pattern).search(folded) for pattern in (_DISTRESS, _ACCESS, _REPORTED)):
        return True
    if not is_rule and orders_text(folded):
        return True
    return is_rule and any(regex(pattern).search(folded) for pattern in (_RISKY, _QUOTED_WISH))
