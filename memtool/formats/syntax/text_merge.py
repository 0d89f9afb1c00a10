"""Three-way merge of free text by blocks; a passage that both sides changed has both versions, labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.text import passage_versions
from memtool.core.text.diff import ChangedLines, changed_lines
from memtool.core.text.record_merge import merge_value, merge_versions
from memtool.core.text.three_way import merge_lines, overlap
from memtool.formats.syntax import frontmatter, text_lines
from memtool.formats.syntax.frontmatter_merge import merge_frontmatter
from memtool.formats.syntax.record_tree import (
    BlockKind,
    block_end,
    block_kind,
    block_text,
    frame_and_lines,
    in_frame,
    merge_frames,
)

Versions = tuple[str, ...]

_LEAST_SHARE = 0.5
"""The least share of words that an edited passage has in common with its old text."""
_MOST_COMPARED = 40
"""The most passages of one change that are compared with each other."""


class Passage(Struct, frozen=True):
    """A block of a text, or several versions of some blocks.

    `blank` is the number of blank lines before it; -1 if that is memtool's to decide, because the passage was
    the first of its text.
    """

    versions: Versions
    blank: int

    @property
    def text(self) -> str:
        """The passage as it is written."""
        return passage_versions.render(self.versions)

    @property
    def key(self) -> Versions:
        """By what it is found in another text: its versions without blanks at the ends of lines."""
        return tuple("\n".join(map(str.rstrip, text.split("\n"))) for text in self.versions)

    @property
    def kind(self) -> BlockKind:
        """The kind of its block; that of code for several versions, which join no other block."""
        return block_kind(self.versions[0]) if len(self.versions) == 1 else BlockKind.CODE


class _Cluster(Struct):
    """Overlapping changes: passages `start` to `end` of the base, and the changes of each side."""

    start: int
    end: int
    sides: tuple[list[ChangedLines], list[ChangedLines]]


def merge_text(base: str, ours: str, theirs: str) -> str:
    """The text with the changes of two versions of a base.

    Blocks that both sides changed are merged by lines if they changed different ones; otherwise both versions
    are there, labelled. A block that one side deleted and the other changed stays. What both inserted at one
    place is there from both, once where it is equal, in an order that does not depend on the sides. A side
    whose changes the other includes adds nothing. The frontmatter is merged by key.
    """
    versions = [frame_and_lines(text) for text in (base, ours, theirs)]
    frame = merge_frames(*(frame for frame, _ in versions))
    metas, bodies = zip(*(frontmatter.split("\n".join(lines))[:2] for _, lines in versions), strict=True)
    meta = merge_frontmatter(*metas)
    old, left, right = ([*_passages(body.split("\n"))] for body in bodies)
    lines = [*meta.removesuffix("\n").split("\n")] if meta else []
    merged = in_frame(frame, [*lines, *_lines(_merge(old, left, right))])
    is_equal = all([each.key for each in side] == [each.key for each in old] for side in (left, right))
    if merged == base and is_equal and {*metas} == {metas[0]}:
        return max(ours, theirs)  # with other blanks at the end; the base would be a side without changes
    return merged


def _passages(lines: Sequence[str]) -> Iterator[Passage]:
    number, blank = 0, -1
    while number < len(lines):
        if text_lines.is_blank(lines[number]):
            number, blank = number + 1, max(blank, 0) + 1
            continue
        if labelled := passage_versions.parse(lines, number):
            versions, number = labelled
            yield Passage(tuple(versions), blank)
        else:
            end = _end_of_table(lines, number) or block_end(lines, number)
            yield Passage((block_text(lines, number, end),), blank)
            number = end
        blank = 0


def _end_of_table(lines: Sequence[str], start: int) -> int:
    """The line after the table that begins on a line; 0 if none does."""
    end = start
    while end < len(lines) and block_kind(lines[end]) is BlockKind.ROW:
        end += 1
    return end if end > start else 0


def _lines(passages: Sequence[Passage]) -> list[str]:
    lines: list[str] = []
    previous: BlockKind | None = None
    for passage in passages:
        kind, blank = passage.kind, passage.blank
        if blank < 0:
            blank = int(previous is not None and not (kind is previous is BlockKind.ITEM))
        elif kind is previous is BlockKind.ROW or (
            kind is BlockKind.PARAGRAPH and previous in {BlockKind.PARAGRAPH, BlockKind.ITEM}
        ):
            blank = max(blank, 1)  # else it would continue that block
        lines += [*([""] * blank), *passage.text.split("\n")]
        previous = kind
    return lines


def _text(passages: Sequence[Passage]) -> str:
    return "\n".join(_lines(passages))


def _order(passages: Sequence[Passage]) -> tuple[str, list[int]]:
    return _text(passages), [passage.blank for passage in passages]


def _merge(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> list[Passage]:
    """The merge by passages; that as one passage if merging a side again would change the first."""
    whole = _merge_whole(base, ours, theirs)
    if any(len(passage.versions) > 1 for passage in whole) and whole in (ours, theirs):
        return whole
    merged = _merge_passages(base, ours, theirs)
    text = _text(merged)
    again = [*_passages(text.split("\n"))]
    is_stable = all(_text(_merge_passages(base, again, side)) == text for side in (ours, theirs))
    return merged if is_stable else whole


def _merge_whole(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> list[Passage]:
    """The passages before and after all changes, and between these one with both versions."""
    keys = [[passage.key for passage in side] for side in (base, ours, theirs)]
    least = min(map(len, keys))
    start = next((at for at in range(least) if not keys[0][at] == keys[1][at] == keys[2][at]), least)
    rest = least - start
    ends = (at for at in range(1, rest + 1) if not keys[0][-at] == keys[1][-at] == keys[2][-at])
    end = next(ends, rest + 1) - 1
    before, left, right = (side[start : len(side) - end] for side in (base, ours, theirs))
    tails = (side[len(side) - end :] for side in (base, ours, theirs))
    return [
        *_unchanged(base[:start], ours[:start], theirs[:start]),
        *_versions_of(before, left, right),
        *_unchanged(*tails),
    ]


def _unchanged(
    base: Sequence[Passage], ours: Sequence[Passage], theirs: Sequence[Passage]
) -> Iterator[Passage]:
    """Passages with the same keys in all versions; blanks are those of the side that changed them."""
    for old, left, right in zip(base, ours, theirs, strict=True):
        versions = merge_value(old.versions, left.versions, right.versions, max)
        yield Passage(versions, merge_value(old.blank, left.blank, right.blank, max))


def _merge_passages(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> list[Passage]:
    including = [side for side, other in ((ours, theirs), (theirs, ours)) if _includes(base, side, other)]
    if including and [passage.key for passage in ours] != [passage.key for passage in theirs]:
        return max(including, key=lambda side: (_has_moved_lines(base, side), _order(side)))
    return [*_merged(base, ours, theirs)]


def _content(passages: Sequence[Passage]) -> Counter[tuple[str, ...]]:
    """The lines of passages, the first line of each, and the versions of those that have several."""
    content = Counter[tuple[str, ...]]()
    for passage in passages:
        if len(passage.versions) > 1:
            content["versions", *passage.key] += 1
        else:
            lines = [line for line in passage.key[0].split("\n") if line]
            content.update(("line", line) for line in lines)
            if lines[0][0] not in " \t":  # else it can be part of the block before it
                content["first", lines[0]] += 1
    return content


def _includes(base: Sequence[Passage], side: Sequence[Passage], other: Sequence[Passage]) -> bool:
    """Whether a side has what the other added to the base, and not what the other deleted.

    If the other only moved lines, it is whether both have them in the same order.
    """
    before, changed, own = _content(base), _content(other), _content(side)
    if before == changed:
        return not _has_moved_lines(side, other)
    all_versions = [passage.key for passage in side if len(passage.versions) > 1]
    every = own + _content([Passage((text,), 0) for versions in all_versions for text in versions])
    for item, count in (changed - before).items():
        match item:
            case ("versions", *versions):
                if not any({*versions} <= {*own_versions} for own_versions in all_versions):
                    return False
            case ("first", line) if ("line", line) not in every or ("line", line) not in before:
                pass  # only the first line of a new block in an old one says more than the line
            case _:
                if every[item] < before[item] + count:
                    return False
    return all(own[item] <= changed[item] for item in before - changed)


def _has_moved_lines(before: Sequence[Passage], after: Sequence[Passage]) -> bool:
    """Whether lines that are once in each of two texts are in another order in the second."""
    texts = [
        [("line", line) for passage in text for version in passage.key for line in version.split("\n")]
        for text in (before, after)
    ]
    counts = _content(before), _content(after)
    orders = [[line for line in lines if all(content[line] == 1 for content in counts)] for lines in texts]
    return orders[0] != orders[1]


def _merged(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> Iterator[Passage]:
    keys = [[passage.key for passage in side] for side in (base, ours, theirs)]
    spans = _changes(keys[0], keys[1]), _changes(keys[0], keys[2])
    position, offsets = 0, [0, 0]

    def unchanged(end: int) -> Iterator[Passage]:
        shifts = (0, *offsets)
        sides = zip((base, ours, theirs), shifts, strict=True)
        return _unchanged(*(side[position + shift : end + shift] for side, shift in sides))

    for cluster in _clusters(*spans):
        yield from unchanged(cluster.start)
        regions = [base[cluster.start : cluster.end]]
        for number, side in enumerate((ours, theirs)):
            start = cluster.start + offsets[number]
            changes = cluster.sides[number]
            offsets[number] += sum(
                new_high - new_low - high + low for low, high, new_low, new_high in changes
            )
            regions.append(side[start : cluster.end + offsets[number]])
        position = cluster.end
        if not cluster.sides[0]:
            yield from regions[2]
        elif not cluster.sides[1]:
            yield from regions[1]
        else:
            yield from _merged_region(*regions)
    yield from unchanged(len(base))


def _changes(before: Sequence[Versions], after: Sequence[Versions]) -> list[ChangedLines]:
    """The changes that lead from one text's passages to another's, each of as few passages as possible."""
    changes: list[ChangedLines] = []
    for low, high, new_low, new_high in changed_lines(before, after):
        at, new_at = low, new_low
        for old, new in _edited_passages(before[low:high], after[new_low:new_high]):
            changes += [(at, low + old, new_at, new_low + new)]
            at, new_at = low + old + 1, new_low + new + 1
            changes += [(at - 1, at, new_at - 1, new_at)]
        changes += [(at, high, new_at, new_high)]
    return [change for change in changes if change[0] < change[1] or change[2] < change[3]]


def _edited_passages(before: Sequence[Versions], after: Sequence[Versions]) -> list[tuple[int, int]]:
    """The pairs of an old and a new passage that have most words in common, in the order of both.

    Empty unless each old passage has a new one, and no line of an old one is in another new one: a passage
    that is joined to another or split is a change of all of them.
    """
    if not (before and after and 2 < len(before) + len(after) <= _MOST_COMPARED):
        return []
    words = [[Counter(" ".join(versions).split()) for versions in side] for side in (before, after)]
    best: dict[tuple[int, int], tuple[float, list[tuple[int, int]]]] = {}
    for old in range(len(before) + 1):
        for new in range(len(after) + 1):
            choices: list[tuple[float, list[tuple[int, int]]]] = [(0, [])]
            if old:
                choices.append(best[old - 1, new])
            if new:
                choices.append(best[old, new - 1])
            if old and new:
                one, other = words[0][old - 1], words[1][new - 1]
                share = 2 * (one & other).total() / max(one.total() + other.total(), 1)
                if share >= _LEAST_SHARE:
                    score, pairs = best[old - 1, new - 1]
                    choices.append((score + share, [*pairs, (old - 1, new - 1)]))
            best[old, new] = max(choices)
    pairs = best[len(before), len(after)][1]
    edited = {new for _, new in pairs}
    old_lines = {line for versions in before for text in versions for line in text.split("\n") if line}
    new_lines = {
        line
        for number, versions in enumerate(after)
        if number not in edited
        for text in versions
        for line in text.split("\n")
    }
    return pairs if len(pairs) == len(before) and not old_lines & new_lines else []


def _clusters(ours: list[ChangedLines], theirs: list[ChangedLines]) -> list[_Cluster]:
    clusters: list[_Cluster] = []
    numbered = [*((span, 0) for span in ours), *((span, 1) for span in theirs)]
    for span, number in sorted(numbered):
        last = clusters[-1] if clusters else None
        if last is None or not _is_same_place((last.start, last.end), span[:2]):
            last = _Cluster(span[0], span[1], ([], []))
            clusters.append(last)
        last.end = max(last.end, span[1])
        last.sides[number].append(span)
    return clusters


def _is_same_place(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return overlap(span, other) or span == other


def _merged_region(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> list[Passage]:
    """The passages for which both sides have others."""
    if [passage.key for passage in ours] == [passage.key for passage in theirs]:
        return max(ours, theirs, key=_order)
    if not base:
        return _united(ours, theirs)
    versions = [_versions(side) for side in (base, ours, theirs)]
    lines = _merged_lines(*(texts[0] for texts in versions)) if [*map(len, versions)] == [1, 1, 1] else None
    if lines is None:
        return _versions_of(base, ours, theirs)
    merged = [*_passages(lines)]
    return [replace(merged[0], blank=_blank(base, ours, theirs)), *merged[1:]] if merged else []


def _blank(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> int:
    before = base[0].blank if base else -1
    return merge_value(before, ours[0].blank, theirs[0].blank, max)


def _versions_of(base: list[Passage], ours: list[Passage], theirs: list[Passage]) -> list[Passage]:
    """The versions that either side added, without those that either deleted."""
    if not (ours and theirs):
        return ours or theirs
    blank = _blank(base, ours, theirs)
    before, left, right = (_versions(side) for side in (base, ours, theirs))
    kept = merge_versions(before, left, right)
    known = [side for side in (ours, theirs) if len(side) == 1 < len(kept) and {*side[0].versions} == kept]
    if known:
        return max(known, key=_order)
    if len(kept) > 1:
        return [Passage(tuple(sorted(kept)), blank)]
    first, *rest = _passages(kept.pop().split("\n"))
    return [replace(first, blank=blank), *rest]


def _united(ours: list[Passage], theirs: list[Passage]) -> list[Passage]:
    """The passages that both sides inserted, and between these what either did."""
    united: list[Passage] = []
    position = 0
    first, second = sorted((ours, theirs), key=_order)
    keys = [[passage.key for passage in side] for side in (first, second)]
    for low, high, new_low, new_high in changed_lines(*keys):
        united += first[position:low]
        united += [*first[low:high], *second[new_low:new_high]]
        position = high
    return [*united, *first[position:]]


def _versions(passages: list[Passage]) -> list[str]:
    """The texts of passages, each with one version of those that have several."""
    count = max((len(passage.versions) for passage in passages), default=0)
    texts = []
    for number in range(count):
        chosen = [
            replace(passage, versions=(passage.versions[min(number, len(passage.versions) - 1)],))
            for passage in passages
        ]
        texts.append(_text([replace(chosen[0], blank=-1), *chosen[1:]]))
    return texts


def _merged_lines(base: str, ours: str, theirs: str) -> list[str] | None:
    """The lines of two changes; None if both changed the same ones, or inserted code at one place."""
    before, left, right = (text.split("\n") for text in (base, ours, theirs))
    merged, swapped = merge_lines(before, left, right), merge_lines(before, right, left)
    if merged is None or swapped is None:
        return None
    is_code = any(mark in text for mark in ("```", "~~~") for text in (ours, theirs))
    return min(merged, swapped) if merged == swapped or not is_code else None
