"""The write policy of a workspace: the shipped one, with the markers of its settings."""

from __future__ import annotations

import functools

from memtool.core.facts.policy import WritePolicy, build_policy
from memtool.layouts.policy import policy_tables
from memtool.store.config.settings import Settings


def load_policy(settings: Settings) -> WritePolicy:
    """The shipped policy with the markers of the settings. Raises BadUsage."""
    more = settings["candidates.markers"]
    return build_policy(policy_tables(), more) if more else _shipped_policy()


@functools.cache
def _shipped_policy() -> WritePolicy:
    return build_policy(policy_tables())
