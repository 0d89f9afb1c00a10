"""Code: a kind of problem under its stable name, with how bad it is, why it matters and how it is mended."""

from __future__ import annotations

from msgspec import Struct

ERROR, WARNING, INFO = "error", "warning", "info"
SEVERITIES = (ERROR, WARNING, INFO)
"""How bad a problem can be, the worst first."""


class Code(Struct, frozen=True):
    """One kind of problem. A code is never given another meaning, and never to another kind.

    `says` stands in lists; `why` and `mend` are for people who ask. A `fixable` one has one right answer,
    which `--fix` gives.
    """

    name: str
    severity: str
    says: str
    why: str
    mend: str
    fixable: bool = False
