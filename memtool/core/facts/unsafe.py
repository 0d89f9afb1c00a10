"""Unsafe rules: whether a text asks for what no stored rule should make routine; English.

It asks to destroy data or run a destructive command, to disclose secrets, to switch a safeguard off, or to
set instructions aside. What forbids or guards such a thing (`never print secrets`, `ask before you run
rm -rf`) is safe.
"""

from __future__ import annotations

import re

from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex

_MAX_READ = 2_000
_NEAR = r"(?: [^\s,;.!?]+){0,4}? "
_ALL = (
    r"(?: (?:all|any|every|each|the|your|my|our|its|these|those|whole|entire|of|user|users'|customer"
    r"|production|built-in|content|safety|security|existing|local|remote)){0,4} "
)
_COMMANDS = (
    r"\brm (?:-\w+ )*-(?:\w*[rf]\w*|-recursive|-force)\b|\brm (?:-\w+ )*/|\bmkfs|\bdd if=|\bdel /[sqf]\b"
    r"|\bformat c:|\bgit push (?:\S+ ){0,3}?(?:--force\b(?!-with)|-f\b)|\bgit reset --hard"
    r"|\bgit clean -\w*[fdx]|\bdrop (?:table|database|schema)\b|\btruncate table\b|\bchmod (?:-r )?777\b"
    r"|\b(?:curl|wget)\b[^\n]{0,80}\| ?(?:sudo )?\w*sh\b|>\s?/dev/sd"
    r"|:\(\) ?\{|\bterraform destroy\b|\bkubectl delete\b"
    r"|--no-preserve-root\b"
)
_DESTRUCTION = (
    rf"\b(?:delete|erase|wipe|destroy|purge|remove|overwrite)(?: out)?{_ALL}"
    r"(?:files|folders|director(?:y|ies)|databases?|tables|disks?|drives?|partitions?|backups?|repo(?:s|sitory"
    r"|sitories)?|home directory|system|data|branches|history|everything)\b"
)
_SECRETS = (
    r"(?:secrets?|passwords?|passwd|credentials?|passphrases?|api[- _]?keys?|private keys?|ssh keys?"
    r"|access keys?|secret keys?|encryption keys?|(?:access|auth|api|bearer|session|secret) tokens?"
    r"|environment variables|env vars|\.env(?: file)?|system prompts?|credit card \w+|seed phrases?"
    r"|confidential \w+)"
    r"(?! (?:strength|hints?|fields?|resets?|inputs?|forms?|manager|polic\w+|managers|management|handling"
    r"|in env|placeholders?))\b"
)
_DISCLOSURE = (
    r"\b(?:print|show|reveal|send|post|share|leak|expose|include|output|log|e-?mail|upload|tell|give|paste"
    rf"|publish|exfiltrate|display|disclose|forward|transmit|dump|echo|write|commit|list|repeat){_NEAR}{_SECRETS}"
)
_SAFEGUARD = (
    r"\b(?:disable|turn off|switch off|deactivate|bypass|circumvent|ignore|skip|remove|override|evade"
    rf"|disregard|work around|get around|suppress){_ALL}"
    r"(?:safety|security|safeguards?|guardrails?|guidelines|content polic(?:y|ies)|polic(?:y|ies)"
    r"|sandbox(?:ing)?|permissions?|confirmations?|approvals?|authenti\w+|authori[sz]\w+|access controls?"
    r"|firewalls?|filters?|restrictions?|protections?|certificate\w*|tls|ssl|verification|antivirus|redaction|ethic\w*)\b"
)
_INSTRUCTIONS = (
    r"\b(?:ignore|disregard|forget|override|bypass|discard|drop|set aside|do not follow|don't follow|disobey)"
    r"(?: [^\s,;.!?]+){0,3}? (?:(?:previous|prior|above|earlier|preceding|system|developer|original|initial"
    r"|existing|other|all|your|safety)\s)+(?:instructions?|prompts?|rules?|guidelines|directives?|programming"
    r"|training|commands?|constraints?)\b"
)
_PERSONA = (
    r"\b(?:jailbreak|jailbroken|developer mode|do anything now|god mode)\b"
    r"|\b(?:have|with|without|are under|under) (?:no|any) (?:restrictions|rules|limits|guidelines|filters"
    r"|ethics|guardrails|limitations)\b"
)
_UNASKED = (
    r"\b(?:without|never|don't|do not)(?: (?:ever|bother|to))*"
    r" (?:ask(?:ing)?|confirm\w*|wait\w*|warn\w*|approval|permission|confirmation|check\w*)\b[^\n.;!?]{0,80}?"
    r"\b(?:delet|remov|dropp?|wip|eras|destroy|overwrit|push|deploy|pay|purchas|buy|transfer|sen[dt]|execut|run)"
)
_ACTS = (_COMMANDS, _DESTRUCTION, _DISCLOSURE, _SAFEGUARD)
_ALWAYS_UNSAFE = (_INSTRUCTIONS, _PERSONA, _UNASKED)
_FORBIDS = (
    r"\b(?:never|don't|do not|dont|must not|mustn't|should not|shouldn't|can't|cannot|may not|avoid|refuse to"
    r"|not allowed to|no longer|stop|warn|not to|without|before|unless|ask)\b(?! (?:forget|hesitate|fail)\b)"
)
_CLAUSES = r"[,;:!?\n—–]+|\.(?:\s|$)|\b(?:and|but|then|instead|so)\b"


def is_unsafe(text: str) -> bool:
    """Whether a text asks for something unsafe. Linear in its length."""
    plain = plain_text(text[:_MAX_READ])
    written = " ".join(text[:_MAX_READ].lower().split())  # `curl x | sh` as it is: plain text has no `|`
    if any(_is_asked(written, match) for match in regex(_COMMANDS).finditer(written)):
        return True
    if any(regex(pattern).search(plain) for pattern in _ALWAYS_UNSAFE):
        return True
    return any(_is_asked(plain, match) for pattern in _ACTS for match in regex(pattern).finditer(plain))


def _is_asked(text: str, match: re.Match[str]) -> bool:
    """Whether nothing in the clause before an act forbids or guards it."""
    before = regex(_CLAUSES).split(text[max(0, match.start() - 120) : match.start()])[-1]
    return regex(_FORBIDS).search(before) is None
