"""How an agent's host cuts a file of every prompt that is longer than its limit, and what it says there."""

from __future__ import annotations

from msgspec import Struct


class HostCut(Struct, frozen=True):
    """The notice that a host leaves in a file that it cuts; `counted` if it is part of the limit.

    `{name}` in it is the file's name, `{limit}`, `{head}`, `{tail}` and `{size}` are numbers of characters.
    """

    notice: str
    counted: bool


def cut_as_host(text: str, name: str, limit: int, head_share: float, cut: HostCut) -> str:
    """The text as the host puts it into the prompt: its beginning, the notice, and its end if it has a share.

    Returns a text within the limit as it is; blank lines at its end do not count.
    """
    whole = text.rstrip()
    if len(whole) <= limit:
        return text
    room = limit
    if cut.counted:
        room -= len(cut.notice.format(name=name, limit=limit, head=limit, tail=limit, size=len(whole)))
    room = max(0, room)
    head = int(room * head_share)
    tail = room - head
    notice = cut.notice.format(name=name, limit=limit, head=head, tail=tail, size=len(whole))
    return whole[:head] + notice + (whole[-tail:] if tail else "")
