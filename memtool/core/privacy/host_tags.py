"""Names of the tags in which agents' programs put what the user did not write, or what the user typed."""

from __future__ import annotations

NOT_THE_USERS = (
    "system-reminder|task-notification|tool_result|tool_use|local-command-stdout|command-message|command-name"
    "|function_results|hook_context|qwen:user-prompt-submit-context"
)
"""Those whose blocks are taken off a text, as a pattern."""
GENERAL = "stdout|stderr|thinking|document|documents|attachment|search_result|search_results|invoke"
"""Those with one word for what they hold, as a pattern."""
_OTHERS = """
    local-command-stderr local-command-caveat command-args bash-input bash-stdout bash-stderr
    user-prompt-submit-hook function_calls environment_context user_instructions skills_instructions
    turn_aborted session_context state_snapshot environment_details user_input user_command user_message task
    feedback answer
"""
_NAMESPACE = "antml:"


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


_NAMES = frozenset(f"{NOT_THE_USERS}|{GENERAL} {_OTHERS}".replace("|", " ").replace("_", "-").split())


def is_host_tag(name: str) -> bool:
    """Whether a tag of this name is one of an agent's program; `-` and `_` are alike."""
    plain = _plain(name)
    return plain in _NAMES or plain.startswith(_NAMESPACE)
