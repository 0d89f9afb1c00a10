"""What is said of a new rule that says it stands in place of another, while the other rules stay."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.facts.contrary import is_of_same_kind, says_instead
from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.entries import Owner, RecordedEntry, is_same_user
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import one_line
from memtool.core.text.stems import content_stems
from memtool.store.workspace import Workspace
from memtool.verbs.capture.handwritten_lines import owner_option
from memtool.verbs.facts.rules import active_rules
from memtool.verbs.facts.write_policy import load_policy

_MOST_NAMED = 3
"""The most rules that are named."""
_SHOWN = 60
"""Characters of a rule that are shown."""
_LEFT_OUT = (
    r"(?i)\W*(?:(?:actually|also|ok|okay|so),? )?you (?:can|may|could)(?: (?:just|now|also|safely))*"
    r" (?:drop|skip|lose|ditch|leave out|omit|do without|forget about|stop with|cut out)"
    r" (?:the|my|those|these|all the|all those) (?P<topic>[^,;:.!?–—]{2,40}?)"
    r"(?= from now on| again| now|[,;:.!?–—]|$| and | or )"
)
"""What a rule that loosens another one names."""


def rule_notices(workspace: Workspace, entries: Sequence[RecordedEntry], owner: Owner | None) -> list[str]:
    """What is said of new rules that say they stand in place of another (`instead`), or that something may be
    left out: which rules stay, too.

    `entries` are those of a message that superseded nothing.
    """
    new = [each.entry.detail for each in entries if each.durable and not each.duplicate]
    phrases = load_policy(workspace.settings).phrases
    loosening = {text: topic for text in new if (topic := _left_out(text))}
    replacing = [text for text in new if text in loosening or says_instead(text, phrases)]
    if not replacing or not workspace.has("rules"):
        return []
    own = [rule for rule in active_rules(workspace) if is_same_user(rule.owner, owner)]
    known = {comparison_key(text) for text in new}
    old = [rule for rule in own if comparison_key(rule.text) not in known]
    notices = []
    for text in replacing:
        left_out = loosening.get(text)
        near = [
            rule
            for rule in old
            if (
                left_out <= content_stems(rule.text)
                if left_out
                else is_of_same_kind(rule.text, text, phrases)
            )
        ][-_MOST_NAMED:]
        if near:
            places = ", ".join(f"{rule.id} ({one_line(rule.text, _SHOWN)!r})" for rule in near)
            name = near[0].id if len(near) == 1 else "ID"
            notices.append(
                f"the rule {text!r} did not replace any other rule; if it should replace {places}, run "
                f"{workspace.program()} {owner_option(near[0].owner)}rules archive {name}"
            )
    return notices


def _left_out(text: str) -> frozenset[str]:
    """The stems of what a rule says may be left out: "you can drop the bullet points"; mostly none."""
    found = regex(_LEFT_OUT).match(text)
    return content_stems(found["topic"]) if found else frozenset()
