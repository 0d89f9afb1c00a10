"""Home details: what a line says of the place where somebody lives, after the name of the place.

`I live in Spiddal` leaves nothing of "just off the Prom in Salthill", which was said of Galway.
"""

from __future__ import annotations

from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LONGEST = 400
"""Characters of a text that is searched: the patterns take time quadratic in it."""
_HOME_VERB = (
    r"\b(?:lives?|living|based|resides?|wohn(?:en?|t)|leb(?:en?|t)|viv(?:o|e|imos|en|s|t|ons|ent)|vi[st]"
    r"|habit(?:e|ons|ent)|mor(?:o|a|amos|am))\b"
)
_TO_PLACE = (
    rf"(?i){_HOME_VERB}(?:(?! (?:and|but|und|aber|y|pero|et|mais|e|mas) )[^,;:.!?])*"
    r" (?:in|at|on|near|outside|en|à|em|na|no|bei)(?: (?:the|la|le|el|der|den))? "
)
_PLACE_NAME = r"(?-i:[A-ZÀ-Þ])[\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]*)*"
_ADVERB = (
    r"(?:(?:just|right|directly|only|quite|very|really|literally|about|roughly|almost|direkt|gleich"
    r"|ganz|justo"
    r"|juste|tout|bem|muy) )*"
)
_NEAR = (
    r"(?:just off|off|near|by the|beside|behind|above|below|next(?: door)? to|close (?:to|by)|opposite"
    r"|overlooking"
    r"|facing|(?:not )?far from|across from|around the corner|hinter|neben|über|nahe|unweit|gegenüber"
    r"|in der nähe"
    r"|cerca|al lado|junto|encima|frente|detrás|près|à côté|derrière|en face|au-dessus|perto|ao lado)"
)
_PLACED = (
    rf"(?:{_NEAR}|in|on|at|by|under|over|around|round|across|outside|inside|between|up|down|along|past|within"
    r"|(?:north|south|east|west) of|am|im|an|auf|bei|en|sobre|au|aux|à|dans|sur|em|no|na)"
)
_AWAY = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|\d+|zwei|drei|fünf|zehn|dos|tres"
    r"|deux|trois"
    r"|dois|duas)(?: [\w-]+){1,3} (?:from|off|away|up|down|north|south|east|west|von|de|du|des|da|do)"
)
_STOREY = r"(?:on the |im )?[\w-]+ (?:floor|storey|story|stock|étage|piso|andar)"
_DETAIL_END = (
    r"(?= (?:and|but|so|because|und|aber|y|pero|et|mais|mas) (?!(?:the|an?|der|die|das|la|el|le)\b"
    r"|(?!I\b)[A-ZÀ-Þ])"
    r"|,? (?:with|mit|con|avec|com) (?:(?:my|our|meine?[mnr]?|unser\w*|mi|mis|mon|ma|mes|meu|minha)\b"
    r"|[A-ZÀ-Þ])|[,;:!?–—]|\.(?:\s|$)|$)"
)
_FIRST_DETAIL = (
    rf"(?:,? (?i:{_ADVERB}{_NEAR})"
    rf"|(?:,| [–—-]) (?i:{_ADVERB}(?:{_PLACED}|{_AWAY})|{_STOREY}))\b.*?{_DETAIL_END}"
)
_NEXT_DETAIL = rf"(?:(?:,| and| [–—-]) (?i:{_ADVERB}(?:{_PLACED}|{_AWAY}|no)|{_STOREY}))\b.*?{_DETAIL_END}"
_KEPT = (
    r"(?i)\b(?:where|who|whose|which|that|i|we|my|our|wo|mein\w*|unser\w*|donde|mis?|nuestr\w+|où|mon|ma|mes"
    r"|notre|nos|onde|meus?|minhas?)\b"
    r"|\b(?:moment|summer|winter|spring|autumn|weekends?|weekdays?|weeks?|months?|years?|time"
    r"|present|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|moment|momento|sommer"
    r"|verano|invierno|été|hiver|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|novel|story|game|book)\b"
)
"""Words of what follows a place that say when somebody lives there, something else, or that it is not so."""


def without_home_details(before: str, rest: str) -> str:
    """What a line says after the place where somebody lives, without what describes that place.

    `before` is what it says until the end of the place's name.
    """
    if len(before) + len(rest) > _LONGEST or not regex(rf"{_TO_PLACE}{_PLACE_NAME}$").search(before):
        return rest
    return rest[_end_of_details(rest) :]


def home_stated_anew(text: str, place: int, old: str, statement: str) -> str:
    """A text with a statement of where somebody lives instead of the one with `old` among its details.

    Empty where `place` is not in such details, or they say nothing but that.
    """
    if len(text) > _LONGEST or regex(f"(?i){_HOME_VERB}").search(statement) is None:
        return ""
    for home in regex(_PLACE_NAME).finditer(text, 0, place):
        end = home.end() + _end_of_details(text[home.end() :])
        before = regex(f"{_TO_PLACE}$").search(text[: home.start()])
        if (
            before
            and home.end() <= place < end
            and content_stems(text[home.end() : end]) - content_stems(old)
        ):
            start = max((stop for _, stop in _gaps(text) if stop <= before.start()), default=0)
            return text[:start] + statement.rstrip(" .") + text[end:]
    return ""


def _gaps(text: str) -> list[tuple[int, int]]:
    """The spans of what separates clauses and sentences."""
    return [match.span() for match in regex(r"(?i)(?:[.,;:!?—–]+| and| und| y| et| e)\s+").finditer(text)]


def _end_of_details(rest: str) -> int:
    end, pattern = 0, _FIRST_DETAIL
    while (detail := regex(pattern).match(rest, end)) and not regex(_KEPT).search(detail[0]):
        end, pattern = detail.end(), _NEXT_DETAIL
    return end
