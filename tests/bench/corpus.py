"""A memory tree for measuring: realistic Markdown, the same at every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

_SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve wi xo ya zu kar len mor tis ran del pos gra tion"
    return "# Facts\n\n## Auto-captured\n" + "\n".join(items) + "\n"
