"""Injected: the share of a question's evidence that the next prompt holds.

The conversation goes in as a user would have had it; the question is asked as the prompt of a new session,
by `context --budget N --prompt`. A message counts as injected when so many of its characters in a row stand
in the output, or all of them where it is shorter. Punctuation, case and white space do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.bench.figures import Figures
from tests.bench.fts5 import Fts5
from tests.bench.prepared import Workspaces, progress
from tests.bench.public_sets import Chat, ChatQuestion

BUDGETS = (8000, 2000)
IN_A_ROW = (40, 100)
_STEP = 8
"""Characters between two places of a message that are looked for."""


def flat(text: str) -> str:
    """The words of a text in lower case, one space between two."""
    return re.sub(r"\W+", " ", text).strip().lower()


def holds(context: str, message: str, length: int) -> bool:
    """Whether so many characters in a row of a message, or all of it, stand in a context; both are `flat`."""
    places = range(0, max(1, len(message) - length + 1), _STEP)
    return any(message[place : place + length] in context for place in places)


def measure_injected(chats: Iterable[Chat], workspaces: Workspaces, budgets: Iterable[int]) -> list[Figures]:
    """For each budget: recall of evidence and mean length, of memtool and of the baseline."""
    tables = {budget: Figures(f"Injected, {budget:,} characters") for budget in budgets}
    for chat in chats:
        texts = {message.id: flat(message.text) for message in chat.messages}
        baseline = Fts5(chat.messages)
        context_of = baseline.speaker_context if chat.is_between_people else baseline.user_context
        with workspaces.of(chat) as commands:
            progress(f"{chat.name}: asking {len(chat.questions)} questions in {len(tables)} budgets")
            for budget, table in tables.items():
                for question in chat.questions:
                    prompt = f"--prompt={question.text}"
                    context = flat(commands.run("context", f"--budget={budget}", prompt))
                    other = flat(context_of(question.text, budget))
                    figures = {
                        **{f"@{length}": recall(question, texts, context, length) for length in IN_A_ROW},
                        **{f"fts5@{length}": recall(question, texts, other, length) for length in IN_A_ROW},
                        "length": float(len(context)),
                        "fts5 length": float(len(other)),
                    }
                    table.add(chat.name, question.kind, question.text, figures)
    return list(tables.values())


def recall(question: ChatQuestion, texts: dict[str, str], context: str, length: int) -> float:
    """The share of a question's evidence that stands in a context."""
    return sum(holds(context, texts[one], length) for one in question.evidence) / len(question.evidence)
