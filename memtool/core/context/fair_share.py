"""Divide room between queues of items, as fair queueing divides a line between its senders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def fair_order(queues: Sequence[Sequence[int]], room: int) -> Iterator[tuple[int, int]]:
    """Yield the items that fit into `room`, given by their sizes, as (queue, place in it).

    The first item of each queue comes before all others, in the order of the queues. Then the next is of the
    queue that would have had least with it, so that any beginning of the order divides its room about
    equally. A queue ends at its first item that does not fit, and leaves its room to the others.
    """
    taken, used = [0] * len(queues), [0] * len(queues)
    open_queues = [number for number, queue in enumerate(queues) if queue]
    while open_queues:
        number = min(
            open_queues,
            key=lambda number: (taken[number] > 0 and used[number] + queues[number][taken[number]], number),
        )
        size = queues[number][taken[number]]
        if size > room:
            open_queues.remove(number)
            continue
        yield number, taken[number]
        room -= size
        used[number] += size
        taken[number] += 1
        if taken[number] == len(queues[number]):
            open_queues.remove(number)
