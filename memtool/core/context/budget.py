"""The budget of a prompt: sections by share, at least 30 % for what is retrieved, then what is left over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from memtool.core.context.context import SHORTEST, PromptSnippet, with_text
from memtool.core.context.section import PromptSection, cut_section, essential_cut, largest
from memtool.core.privacy.recalled import tag_recalled

RETRIEVED_PERCENT = 30
"""The part of a budget that snippets have, in percent, whatever the sections of every prompt take."""
SNIPPETS_TITLE = "\n## Relevant memory\n\n"
_ATTEMPTS = 8


class FittedSections(Struct, frozen=True):
    """Sections within their shares, and what they cost as printed, with the tags around them.

    A section of which nothing fits is missing; one that is cut has `left_out`.
    """

    sections: tuple[PromptSection, ...]
    cost: int

    @property
    def whole_paths(self) -> frozenset[str]:
        """The paths of the sections that were not cut."""
        return frozenset(section.path for section in self.sections if not section.left_out)


class FittedText(Struct, frozen=True):
    """A text within a budget, and the parts of sections and snippets in it."""

    text: str
    sections: tuple[PromptSection, ...] = ()
    snippets: tuple[PromptSnippet, ...] = ()

    @property
    def whole_paths(self) -> frozenset[str]:
        """The paths of the sections that were not cut."""
        return frozenset(section.path for section in self.sections if not section.left_out)


def fit_sections(
    sections: Sequence[PromptSection],
    budget: int | None,
    cost: Callable[[str], int],
    *,
    retrieved: int = RETRIEVED_PERCENT,
) -> FittedSections:
    """Cut sections to their shares of a budget, of which `retrieved` percent are left for snippets.

    Sections of one share divide it so that the short ones are whole. Where all shares together exceed what
    is not for snippets, each is reduced in proportion. The newest rule, name and preference go before
    everything else, snippets included.
    """
    if budget is None:
        return FittedSections(tuple(sections), cost(_render(sections, ())))
    groups: dict[str, list[int]] = {}
    for number, section in enumerate(sections):
        if section.text.strip():
            groups.setdefault(section.share.name, []).append(number)
    percent = sum(sections[numbers[0]].share.percent for numbers in groups.values())
    scale = min(1.0, (100 - retrieved) / percent) if percent else 1.0
    cuts: dict[int, PromptSection] = {}
    for numbers in groups.values():
        room = int(budget * sections[numbers[0]].share.percent * scale / 100)
        cuts |= _fit_group({number: sections[number] for number in numbers}, room, cost)
    most = budget * (100 - retrieved) // 100
    cuts = _with_essentials(sections, cuts, budget, most, cost)
    fitted = tuple(cuts[number] for number in sorted(cuts))
    return FittedSections(fitted, cost(_render(fitted, ())))


def fit_budget(
    sections: Sequence[PromptSection],
    snippets: Sequence[PromptSnippet],
    budget: int | None,
    cost: Callable[[str], int],
    *,
    retrieved: int = RETRIEVED_PERCENT,
) -> FittedText:
    """One text of sections and snippets that costs at most `budget`; empty where nothing fits.

    Sections are cut to their shares, snippets fill the rest in their order, and what they leave goes to
    sections that were cut, most needed first. Where everything fits, nothing is cut.
    """
    whole = _render(sections, snippets)
    if budget is None or cost(whole) <= budget:
        return FittedText(whole, tuple(sections), tuple(snippets))
    target = budget
    for _ in range(_ATTEMPTS):
        fitted = _fit(sections, snippets, target, cost, retrieved)
        excess = cost(fitted.text) - budget
        if excess <= 0:
            return fitted
        target -= excess  # the cost of a whole may exceed that of its parts
        if target <= 0:
            break
    return FittedText("")


def _fit(
    sections: Sequence[PromptSection],
    snippets: Sequence[PromptSnippet],
    budget: int,
    cost: Callable[[str], int],
    retrieved: int,
) -> FittedText:
    standing = fit_sections(sections, budget, cost, retrieved=retrieved if snippets else 0).sections
    count = largest(len(snippets), lambda count: cost(_render(standing, snippets[:count])) <= budget)
    shown = list(snippets[:count])
    if snippets and not shown:
        shown = _cut_first(snippets[0], lambda snippet: cost(_render(standing, [snippet])) <= budget)
    spent = cost(_render(standing, shown) or tag_recalled(""))
    widened = _widen(sections, standing, budget - spent, cost)
    return FittedText(_render(widened, shown), widened, tuple(shown))


def _with_essentials(
    sections: Sequence[PromptSection],
    cuts: dict[int, PromptSection],
    budget: int,
    most: int,
    cost: Callable[[str], int],
) -> dict[int, PromptSection]:
    """The cuts with what every prompt needs; others give way where all exceed `most`, least needed first."""
    missing: dict[int, PromptSection] = {}
    for number, section in enumerate(sections):
        essential = essential_cut(section)
        if essential is not None and not _contains(cuts.get(number), essential):
            missing[number] = essential
    if not missing:
        return cuts
    fitted: dict[int, PromptSection] = {}

    def fits(number: int, section: PromptSection, room: int) -> bool:
        trial = {**fitted, number: section}
        return cost(_render([trial[key] for key in sorted(trial)], ())) <= room

    for number in sorted(cuts | missing, key=lambda number: sections[number].share.need):
        if number in missing and fits(number, missing[number], budget):
            fitted[number] = missing[number]
        elif (
            number in cuts
            and essential_cut(sections[number]) is not None
            and fits(number, cuts[number], budget)
        ):
            fitted[number] = cuts[number]
    for number in sorted(cuts, key=lambda number: sections[number].share.need):
        if number not in fitted and fits(number, cuts[number], most):
            fitted[number] = cuts[number]
    return fitted


def _contains(cut: PromptSection | None, essential: PromptSection) -> bool:
    return cut is not None and set(essential.text.split("\n")) <= set(cut.text.split("\n"))


def _fit_group(
    sections: dict[int, PromptSection], room: int, cost: Callable[[str], int]
) -> dict[int, PromptSection]:
    """The sections of one share, by their numbers; those of which nothing fits leave their part to others."""
    sizes = {number: cost(section.printed) for number, section in sections.items()}
    while sizes:
        cuts = {
            number: cut_section(sections[number], part, cost) for number, part in _parts(sizes, room).items()
        }
        if None not in cuts.values():
            return {number: cut for number, cut in cuts.items() if cut is not None}
        sizes.pop(max(number for number, cut in cuts.items() if cut is None))
    return {}


def _parts(sizes: dict[int, int], room: int) -> dict[int, int]:
    """Divide room equally; what a short section does not need goes to the longer ones."""
    parts: dict[int, int] = {}
    for place, (number, size) in enumerate(sorted(sizes.items(), key=lambda item: item[1])):
        parts[number] = min(size, room // (len(sizes) - place))
        room -= parts[number]
    return parts


def _widen(
    sections: Sequence[PromptSection],
    fitted: Sequence[PromptSection],
    room: int,
    cost: Callable[[str], int],
) -> tuple[PromptSection, ...]:
    """The fitted sections, of which those that were cut have the room that is left, most needed first.

    None loses what every prompt needs of it.
    """
    cuts = {section.path: section for section in fitted}
    for section in sorted(sections, key=lambda section: section.share.need):
        before = cuts.get(section.path)
        if not section.text.strip() or (before is not None and before.left_out == section.left_out):
            continue
        size = cost(before.printed) if before is not None else 0
        wider = cut_section(section, size + room, cost) if room > 0 else None
        essential = essential_cut(section)
        loses = essential is not None and _contains(before, essential) and not _contains(wider, essential)
        if wider is not None and not loses:
            cuts[section.path] = wider
            room -= cost(wider.printed) - size
    return tuple(cuts[section.path] for section in sections if section.path in cuts)


def _cut_first(snippet: PromptSnippet, fits: Callable[[PromptSnippet], bool]) -> list[PromptSnippet]:
    """As much of a snippet as fits, if it is worth reading."""
    size = largest(len(snippet.text), lambda length: fits(with_text(snippet, length)))
    return [with_text(snippet, size)] if size >= SHORTEST else []


def _render(sections: Collection[PromptSection], snippets: Sequence[PromptSnippet]) -> str:
    """What is printed: everything between the tags of recalled memory."""
    shown = [line for section in sections if section.text.strip() for line in section.lines]
    while shown and not shown[-1].strip():
        shown.pop()
    if snippets:
        shown += [*([""] if shown else []), *SNIPPETS_TITLE.strip().split("\n"), ""]
        shown += [snippet.line(rank) for rank, snippet in enumerate(snippets, 1)]
    body = "\n".join(shown)
    return tag_recalled(body) if body.strip() else ""
