"""Plausible values: whether the value of a statement is of the kind that its predicate has; English.

A value that may be something else (`the moment`, `Plan B`, `as expected`) is none: in doubt, no fact.
"""

from __future__ import annotations

import re

from memtool.core.capture.languages.statement_words import OCCUPATIONS, OF_WORK
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex

_PLACE_NOUN = (
    r"\b(?:town|village|city|suburbs?|countryside|country|capital|mountains?|coast|island|islands"
    r"|valley|forest"
    r"|woods|desert|north|south|east|west|midwest|northeast|northwest|southeast|southwest|house|flat"
    r"|apartment"
    r"|condo|cottage|cabin|farm|dorm|studio|bungalow|townhouse|neighbou?rhood|district|province|state"
    r"|region"
    r"|area|county|place|building|community|hamlet|outskirts|hills|bay|peninsula|tropics|arctic|boat|van"
    r"|houseboat|caravan|trailer|metropolis|borough|commune|province|prairie|highlands|lowlands)\b"
)
_NO_WORKPLACE = (
    r"(?i)(?:an?|the) (?:\w+ )?(?:moment|pace|speed|rate|level|while|time|bit|living|same|best|most"
    r"|least|minute"
    r"|end|beginning|start|edge|limit|expense|cost|sake|purpose|benefit|reason|weekend)\b"
)
_NO_PLACE_NAME = (
    r"(?i)(?:the )?(?:plan|phase|step|level|stage|option|part|chapter|section|version|round|item|slide"
    r"|page|week"
    r"|day|team|task|question|problem|lesson|module|unit|tier|sprint|milestone|point|episode|season|act"
    r"|scene"
    r"|windows|linux|ubuntu|debian|fedora|arch|macos|ios|android|git\w*|bitbucket|docker|kubernetes|podman"
    r"|terraform|ansible|jenkins|python|java\w*|typescript|rust|golang|go|ruby|kotlin|swift|scala|php"
    r"|perl|c"
    r"|c\+\+|c#|node\S*|deno|bun|react\S*|vue\S*|angular|svelte|next\S*|django|flask|fastapi|rails"
    r"|laravel|spring"
    r"|postgres\w*|mysql|sqlite|mongodb|redis|oracle|aws|gcp|azure|heroku|vercel|netlify|cloudflare|vim"
    r"|neovim"
    r"|emacs|vs ?code|intellij|pycharm|slack|discord|teams|zoom|notion|obsidian|jira|trello|asana"
    r"|linear|figma"
    r"|excel|word|powerpoint|chrome|firefox|safari|gmail|outlook|spotify|netflix|chatgpt|claude|gemini"
    r"|gpt\S*"
    r"|snowflake|databricks|bigquery|redshift|cassandra|clickhouse|airflow|terragrunt|helm|datadog|grafana"
    r"|prometheus|sentry|kibana|confluence|clickup|airtable|hubspot|salesforce|shopify|wordpress|supabase"
    r"|firebase|nginx|tailwind|bootstrap|astro|nuxt|ember|jest|pytest|cypress|playwright|flutter|unity|unreal"
    r"|godot|wayland|gnome|kde|cursor|zed|copilot|whatsapp|telegram|signal|mattermost|thunderbird|bitwarden"
    r"|evernote|dropbox|backlog|staging|production|prod|main|master|marketing|sales|finance"
    r"|accounting|engineering|operations|research|support|legal|hr|qa|agile|scrum|kanban|mac|sql|http\w*|json"
    r"|yaml|css|html"
    r"|webpack|vite|bazel|gradle|maven|npm|yarn|pnpm|pip|poetry|uv|nix\w*|graphql|rest|grpc|kafka|spark)"
    r"(?:\b(?! (?:city|county|rouge|town))|$)"
)
_SPELLED_AS_PRODUCT = r"(?!(?:Mc|Mac|De|Del|La|Le|Du|Da|Di|Fitz|O['’])[A-Z])\w*[a-z][A-Z]|[\w-]*\d"
"""The name of a product rather than of a place: `TypeScript`, but not `McAllen`."""
_NO_ALLERGEN = (
    r"(?i)\b(?:meetings?|mondays?|mornings?|work|working|people|deadlines?|drama|nonsense|bullshit|commitment|bureaucracy"
    r"|paperwork|small talk|exercise|fun|lol|lmao|haha\w*)\b"
)
_DECADE = r"(?i)(?:the )?(?:(?:early|mid|late)[ -])?(?:\w+ties\b|'?\d\d(?:\d\d)?'?s?\b|\d)"
_NO_JOB = (
    r"(?i)(?:an? |the )?(?:\w+ )?(?:team|whole|result|group|rule|pair|unit|couple|matter|way|means"
    r"|hobby|one|kid"
    r"|child|start|last resort|consequence|reminder|test|charm)$"
)
_JOB = (
    rf"(?i)(?:an? |the )\w|(?:[\w-]+ ){{0,4}}(?:{OCCUPATIONS}|lead|leader|supervisor|principal|foreman)\b"
    r"|(?-i:[^\W\d_a-z])|head |vice |co-?"
)
_INSTRUMENT = (
    r"guitar|piano|violin|viola|cello|bass|double bass|drums?|flute|clarinet|oboe|bassoon|sax\w*"
    r"|trumpet|trombone"
    r"|tuba|horn|french horn|harp|organ|accordion|banjo|ukulele|mandolin|harmonica|recorder|keyboards?"
    r"|synth\w*"
    r"|lute|sitar|bagpipes?|fiddle|xylophone|marimba|percussion|lyre|oud|dutar|koto|erhu|balalaika"
    r"|piccolo|cornet"
    r"|bouzouki|djembe|tablas?|kalimba|cymbals?|triangle|harpsichord|theremin|didgeridoo|shamisen|rubab"
    r"|tanbur"
    r"|tambourine|whistle|bongos?|congas?|euphonium|concertina|dulcimer|zither|pipes"
)
_FICTION = (
    r"(?i)\b(?:in|of|for|from) (?:the|my|this|an?|our|that|your) (?:[\w-]+ ){0,2}?(?:story|stories"
    r"|novel|book|game"
    r"|film|movie|play|dream|script|series|show|scenario|simulation|fiction|screenplay|example|roleplay"
    r"|role-play|exercise|tale|poem|song|minecraft|sims)\b"
)
_SHORT_STAY = (
    r"\b(?:moved|relocated) [^,;:.!?()]*?\bfor (?:[\w-]+ ){1,4}?(?:days?|nights?|weeks?|weekends?|months?"
    r"|while|bit|spring|summer|autumn|fall|winter|semester|term)\b"
    r"|\bfur (?:[\w-]+ ){1,3}?(?:tage?|nachte?|wochen?|monate?|weile|sommer|winter|semester)\b"
    r"|\bpor (?:[\w-]+ ){1,3}?(?:dias?|noches?|noites?|semanas?|mes(?:es)?|tiempo|tempo|verano|verao)\b"
    r"|\bpour (?:[\w'-]+ ){1,3}?(?:jours?|nuits?|semaines?|mois|ete|hiver|semestre)\b"
)
"""For how long somebody moved to a place: the home stays as it was if that is less than a year."""
_CLAUSE_REST = 60
_FAMILY_END = (
    r"(?i)\W*$|[^\w\s]|\s*(?:and|but|so|who|aged?|named|called|now|together|at home|because|which|since"
    r"|already"
    r"|living|with (?:my|him|her))\b"
)
_AFTER_FICTION = 120


def is_plausible(predicate: str, value: str, after: str) -> bool:
    """Whether a value can be one of a predicate, given the text of the sentence `after` it."""
    if regex(_FICTION).search(f"{value} {after[:_AFTER_FICTION]}"):
        return False
    match predicate:
        case "LIVES_IN":
            return _is_place(value) and not regex(_DECADE).match(value)
        case "COMES_FROM":
            return _is_place(value) and not regex(_DECADE).match(value)
        case "PLANS":
            return not value.startswith("moving to ") or _is_place(value.removeprefix("moving to "))
        case "WORKS_AT":
            return regex(_NO_WORKPLACE).match(value) is None
        case "ALLERGIC_TO":
            return regex(_NO_ALLERGEN).search(value) is None
        case "WORKS_AS":
            return regex(_JOB).match(value) is not None and regex(_NO_JOB).match(value) is None
        case "PLAYS":
            return not value.lower().startswith("the ") or _is_instrument(value[4:])
        case "HAS_AGE":
            return regex(r"(?i)\s*(?:,|and|or|to|-)\s*\d").match(after) is None and 0 < _number(value) < 120
        case "HAS_FAMILY":
            return regex(_FAMILY_END).match(after) is not None and not is_of_work(value)
        case _:
            return True


def is_of_work(value: str) -> bool:
    """Whether a value is about somebody for whom the user works, in any of the ten languages."""
    return regex(OF_WORK).search(fold_in_place(value)) is not None


def is_short_stay(sentence: str, start: int, end: int) -> bool:
    """Whether a statement of a home between two places of a sentence tells of a stay: `for six weeks`."""
    rest = regex(r"[^,;:.!?()]*").match(sentence, end, end + _CLAUSE_REST)
    clause = fold_in_place(sentence[start : rest.end() if rest else end])
    return regex(_SHORT_STAY).search(clause) is not None


def is_product(value: str) -> bool:
    """Whether a value is the name of a program, a department or a step rather than of a place."""
    return any(regex(pattern).match(value) for pattern in (_NO_PLACE_NAME, _SPELLED_AS_PRODUCT))


def _is_place(value: str) -> bool:
    """Whether a value can be a place: a name, or an article with the noun of a place."""
    if is_product(value):
        return False
    article, _, rest = value.partition(" ")
    if article.lower() not in {"a", "an", "the"}:
        return True
    if article.lower() == "the" and all(word[0].isupper() or word in {"of", "and"} for word in rest.split()):
        return True
    return regex(_PLACE_NOUN, re.IGNORECASE).search(rest) is not None


def _is_instrument(value: str) -> bool:
    return regex(rf"(?:[\w-]+ )?(?:{_INSTRUMENT})", re.IGNORECASE).fullmatch(value) is not None


def _number(value: str) -> int:
    digits = re.match(r"(?a)\d+", value)
    return int(digits[0]) if digits else 0
