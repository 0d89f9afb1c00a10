"""hook: handle each event of an agent's session: inject context, record turns, flush facts."""

from __future__ import annotations

from typing import assert_never

from memtool.core.hooks.hook import Answered, Begun, Compacted, Compacting, Ended, Gathered, Prompt
from memtool.verbs.hooks.desk import Desk, Reply

_SCANNED_CHARS = 200_000
"""Characters of a prompt that are scanned; the rest of a longer one was pasted."""
_QUERY_CHARS = 20_000
"""Characters at the end of a prompt that serve as the search query."""


def hook(desk: Desk, reply: Reply) -> None:
    """Handle the event step by step, and put the answer into `reply`. Never raises."""
    match desk.told.moment:
        case Prompt(text):
            _prompt(desk, reply, text)
        case Begun(source):
            from memtool.verbs.hooks.hook_context import begun

            with reply.doing("context", "the session begins without memory"):
                begun(desk, reply, source)
        case Gathered(paths):
            from memtool.verbs.hooks.hook_context import gathered

            with reply.doing("context", "the conversation goes without memory"):
                gathered(desk, reply, paths)
        case Compacting():
            from memtool.verbs.hooks.hook_compact import compacting

            compacting(desk, reply)
        case Compacted(summary):
            from memtool.verbs.hooks.hook_compact import compacted

            compacted(desk, reply, summary)
        case Answered() | Ended() as kind:
            from memtool.verbs.hooks.hook_turns import ended, kept

            kept(desk, reply, kind)
            if isinstance(kind, Ended):
                ended(desk, reply)
        case _:
            assert_never(desk.told.moment)


def _prompt(desk: Desk, reply: Reply, prompt: str) -> None:
    """Inject context for the prompt, then scan the prompt.

    In this order the context does not repeat what the prompt says.
    """
    from memtool.core.privacy.recalled import without_recalled
    from memtool.verbs.capture.scan import scan, triggers_of
    from memtool.verbs.hooks.hook_context import asked, said_here

    if desk.told.agent != "openclaw":
        with reply.doing("context", "this prompt goes without memory"):
            asked(desk, reply, prompt[-_QUERY_CHARS:])
    with reply.doing("scan", "what the prompt says is kept with its turn alone"):
        triggers = triggers_of(desk.workspace.settings)
        message = without_recalled(prompt[:_SCANNED_CHARS])
        result = scan(
            desk.workspace, message, now=desk.now, owner=desk.owner, triggers=triggers, group=desk.group
        )
        reply.plans.append(result.plan)
        if result.plan:
            reply.after.append(lambda: said_here(desk, result.plan))
