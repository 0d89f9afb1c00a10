"""Prompts that a user can pick: answer from memory, and store notes on a session before it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from memtool.serve.mcp.arguments import TextType, ToolArgument
from memtool.serve.mcp.context import DEFAULT_BUDGET, inject
from memtool.serve.mcp.tool import SEARCHES
from memtool.serve.mcp.tool_context import ToolContext


class McpPrompt(Struct, frozen=True):
    """A prompt, and the function that renders it; `writes` marks one that asks the model to change memory."""

    name: str
    title: str
    description: str
    arguments: tuple[ToolArgument, ...]
    render: Callable[[ToolContext, Mapping[str, Any]], str]
    lane: str | None = None
    writes: bool = False


def _recall(tool_context: ToolContext, given: Mapping[str, Any]) -> str:
    question = given["question"].strip()
    injection = inject(tool_context, question, DEFAULT_BUDGET)
    memory = injection.text or "Memory contains nothing about this question yet.\n"
    return (
        f"{memory}\nAnswer the question below from this memory; if it is not enough, search further with "
        "memory_search. Name the source file for each statement. If memory does not contain the answer, "
        f"say so. Mark statements that come from other sources.\n\n{question}\n"
    )


def _session_notes(_: ToolContext, given: Mapping[str, Any]) -> str:
    focus = f"\n\nPay particular attention to this topic: {given['focus'].strip()}" if given["focus"] else ""
    return (
        "Record this session in memory before it ends.\n"
        "1. Call memory_append_daily once, with a few lines on what was done, what was decided and why, "
        "what is left open and what comes next.\n"
        "2. Call memory_save for each fact that later sessions should know and that I said or confirmed: "
        "preferences, names, decisions, dates, settings; one fact per call, as a self-contained sentence. "
        "Leave out guesses, secrets, and anything that you read from memory.\n"
        f"3. Say in one line what you wrote.{focus}\n"
    )


PROMPTS: tuple[McpPrompt, ...] = (
    McpPrompt(
        "recall-and-answer",
        "Answer from memory",
        "Answer a question from memory, and name the sources.",
        (
            ToolArgument(
                "question", TextType(20_000), "The question to answer.", required=True, aliases=("query", "q")
            ),
        ),
        _recall,
        lane=SEARCHES,
    ),
    McpPrompt(
        "session-notes",
        "Record this session",
        "Write a daily note and save lasting facts at the end of a session.",
        (ToolArgument("focus", TextType(2_000), "The topic to focus on."),),
        _session_notes,
        writes=True,
    ),
)
"""Every prompt, in the order in which clients show them."""
