"""Numbers of payment cards, bank accounts (IBAN) and of US social security, verified where they have a check."""

from __future__ import annotations

from collections.abc import Container, Iterator

from memtool.core.text.regex import regex

_CARD = (  # ISO/IEC 7812: 14 to 16 digits, or up to 19 in the groups that are printed on cards
    r"[2-9]\d{3}(?<![\w.,/#+%-]....)(?:([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|([ -])\d{6}\2\d{4,5}|\d{10,12})"
    r"(?![\w%/]|[.,-]\d)"
)
_ISSUERS = (  # ranges of issuers' numbers, and how many digits their cards have
    r"(?:4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|65\d\d|64[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
    r"|220[0-4]\d{12}|8600\d{12}|5614\d{12}|9860\d{12}|9792\d{12})\Z"
)
_COUNTED = r"(?i)(?:order|invoice|ticket|tracking|parcel|shipment|case|item|isbn|ean|gtin|imei|serial|\bid|[_-]id|number of)[^\d\n]{0,12}\Z"
"""What a plain number is that only looks like one of a card: a tenth of all numbers passes the check."""
_BEFORE = 24
_IBAN = r"[A-Z]{2}\d{2}(?<![A-Za-z0-9]....)(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])"
_IBAN_REGISTRY = (  # ISO 13616, the registry of SWIFT: country and length
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 "
    "FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 "
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 "
    "RU33 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
)
_IBAN_LENGTHS = {row[:2]: int(row[2:]) for row in _IBAN_REGISTRY.split()}
_LEAST_DIGITS = 9
"""Digits of the shortest number."""
_SSN = r"[0-8]\d\d-(?<!000-)(?<!666-)(?<![\w.#/+-]....)(?!00)\d{2}-(?!0000)\d{4}(?![\w/-]|\.\d)"
_SSN_END = r"-\d{2}-\d{4}(?![\w/-])"
"""The end of such a number, which is found at once: the number itself may begin at each digit of a text."""
_STATED_SSN = r"(?i)(?:\bssn\b|social security(?: number| no\.?)?|\bitin\b)[\"'*]{0,3}(?:\s+is|\s*[:=#])?\s{0,3}[\"']?(\d{3}[- ]?\d{2}[- ]?\d{4})(?!\w)"
_SECURITY_CODE = (
    r"(?i)\b(?:cvv2?|cvc2?|card security code)\b[\"'*]{0,3}(?:\s+is|\s*[:=])?\s{0,3}[\"']?(\d{3,4})(?!\w)"
)
_PIN = (
    r"(?i)\b(?:my|his|her|card|atm|sim|bank|phone|debit|credit|alarm)\s(?:\w{1,15}\s)?PIN(?: code| number)?"
    r"(?: for [^\n:.]{1,30}?)?(?:\s+is|\s*[:=])\s{0,3}(\d{4,8})\b"
)


def find_account_numbers(
    text: str, signs: Container[str], *, may_have_numbers: bool = True
) -> Iterator[tuple[str, int, int]]:
    """Each number with its kind, start and end; `signs` says what the text contains in lower case."""
    if may_have_numbers and sum(map(text.count, "0123456789")) >= _LEAST_DIGITS:
        yield from _find_numbers(text)
    if "ssn" in signs or "social" in signs or "itin" in signs:
        for match in regex(_STATED_SSN).finditer(text):
            yield "ssn", *match.span(1)
    if "cv" in signs or "security code" in signs:
        for match in regex(_SECURITY_CODE).finditer(text):
            yield "card-code", *match.span(1)
    if "pin" in signs:
        for match in regex(_PIN).finditer(text):
            yield "pin", *match.span(1)


def may_have_number(line: str) -> bool:
    """Whether a line may have an account number; a text of which no line may has none, as none has two lines."""
    return any(regex(pattern).search(line) is not None for pattern in (_CARD, _IBAN, _SSN))


def _find_numbers(text: str) -> Iterator[tuple[str, int, int]]:
    for match in regex(_CARD).finditer(text):
        if _is_card(match[0]) and not (
            match[0].isdigit()
            and regex(_COUNTED).search(text, max(0, match.start() - _BEFORE), match.start())
        ):
            yield "card-number", *match.span()
    for match in regex(_IBAN).finditer(text):
        if length := _iban_length(match[0]):
            yield "iban", match.start(), match.start() + length
    for match in regex(_SSN).finditer(text) if regex(_SSN_END).search(text) else ():
        if not regex(_COUNTED).search(text, max(0, match.start() - _BEFORE), match.start()):
            yield "ssn", *match.span()


def _is_card(text: str) -> bool:
    """Whether a number is of an issuer's range and passes the check of Luhn (ISO/IEC 7812-1, annex B)."""
    number = text.replace(" ", "").replace("-", "")
    if regex(_ISSUERS).match(number) is None or len({*number}) < 3:
        return False
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2])
    return (doubled + sum(map(int, number[-1::-2]))) % 10 == 0


def _iban_length(text: str) -> int:
    """The characters of a valid IBAN at the start of a text (ISO 7064, mod 97); 0 where there is none."""
    size = _IBAN_LENGTHS.get(text[:2])
    if size is None or len(text) < size:
        return 0
    end = next((end for end in range(size, len(text) + 1) if end - text.count(" ", 0, end) == size), 0)
    compact = text[:end].replace(" ", "")
    if not end or text[end : end + 1].strip():
        return 0
    return end if int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1 else 0
