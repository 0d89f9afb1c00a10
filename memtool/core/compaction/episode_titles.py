"""The lines over the parts of an extracted episode; apart, because each prompt with an episode needs them."""

from __future__ import annotations

EPISODE_TITLES = {
    "wanted": "Requests:",
    "decision": "Decisions:",
    "open": "Open questions:",
    "also": "Other statements:",
}
"""The line over the sentences of each kind."""
_FORMER_TITLES = ("Wanted:", "Decided:", "Open:", "Also said:")
ALL_TITLES = frozenset((*EPISODE_TITLES.values(), *_FORMER_TITLES))
"""These lines, and those of episodes that earlier versions wrote."""
