"""The crisis log: that somebody stated a crisis, when and in which session, and never the words (CoALA)."""

from __future__ import annotations

from datetime import datetime

from memtool.core.forgetting.tombstones import Digester
from memtool.core.privacy.distress import Crisis
from memtool.core.records.plan import Plan
from memtool.core.records.turn import format_moment
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.digest_key import digest_key
from memtool.verbs.memory_files.retained_log import retained_append_plan


def crisis_plan(workspace: Workspace, crisis: Crisis, session: str, now: datetime) -> Plan:
    """The plan that adds a crisis to the log; the session is a keyed digest, or null without one.

    Call it under the lock.
    """
    key, plan = digest_key(workspace)
    digest = Digester(key).session(session) if session else None
    record = {"at": format_moment(now), "session": digest, "level": crisis.level, "reason": crisis.kind}
    return (*plan, *retained_append_plan(workspace, "crisis", json_text.dump_line(record), now))
