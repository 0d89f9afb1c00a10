"""Public data sets, read from where the user has fetched them: BEAM, LoCoMo, XQuAD-R.

None of them is part of this project. BEAM and XQuAD-R are repositories: a checked-out folder, or a git
directory without a work tree. LoCoMo is one file.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

BEAM_SIZE = "100K"
LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ru", "th", "tr", "vi", "zh")
WRONG_SPEAKER = 5
"""The category of LoCoMo's questions that name the wrong speaker: they have no answer."""


class ChatMessage(NamedTuple):
    """A message of a conversation, by the id that questions name it by."""

    id: str
    role: str
    text: str
    speaker: str = ""

    def to_openai(self) -> dict[str, str]:
        """The message as `memtool import openai` reads it."""
        record = {"role": self.role, "content": self.text}
        return {**record, "name": self.speaker} if self.speaker else record


class ChatQuestion(NamedTuple):
    """A question that is asked after a conversation, and the ids of the messages that answer it."""

    kind: str
    text: str
    evidence: frozenset[str]


class Chat(NamedTuple):
    """A conversation, and those questions about it that have evidence in it."""

    name: str
    messages: tuple[ChatMessage, ...]
    questions: tuple[ChatQuestion, ...]

    @property
    def is_between_people(self) -> bool:
        """Whether the speakers of the messages are named, as where no assistant takes part."""
        return any(message.speaker for message in self.messages)

    @property
    def user_messages(self) -> list[ChatMessage]:
        return [message for message in self.messages if message.role == "user"]


class Paragraph(NamedTuple):
    """A paragraph and the questions that it answers."""

    text: str
    questions: tuple[str, ...]


def read_repository_file(repository: Path, path: str) -> bytes:
    """The bytes of a file of a repository: a checked-out folder, or a git directory of which HEAD is read."""
    if (repository / path).is_file():
        return (repository / path).read_bytes()
    command = ["git", "--git-dir", str(repository), "show", f"HEAD:{path}"]
    shown = subprocess.run(command, capture_output=True, check=False)
    if shown.returncode:
        raise SystemExit(f"{repository} holds no {path}")
    return shown.stdout


def read_beam(repository: Path, first: int, last: int) -> Iterator[Chat]:
    """The chats `first` to `last` of BEAM."""
    for number in range(first, last + 1):
        folder = f"chats/{BEAM_SIZE}/{number}"
        said = json.loads(read_repository_file(repository, f"{folder}/chat.json"))
        messages = tuple(
            ChatMessage(str(message["id"]), message["role"], message["content"])
            for message in _messages(said)
        )
        path = f"{folder}/probing_questions/probing_questions.json"
        asked = json.loads(read_repository_file(repository, path))
        ids = {message.id for message in messages}
        questions = [
            ChatQuestion(kind, question["question"], evidence)
            for kind, rows in asked.items()
            for question in rows
            if (evidence := frozenset(map(str, _numbers(question.get("source_chat_ids", [])))) & ids)
        ]
        yield Chat(f"beam-{number}", messages, tuple(questions))


def read_locomo(path: Path, step: int = 4) -> Iterator[Chat]:
    """The conversations of a file in LoCoMo's format, with each `step`-th question that has an answer."""
    for number, sample in enumerate(json.loads(path.read_text(encoding="utf-8")), 1):
        said = sample["conversation"]
        sessions = sorted(int(key[8:]) for key in said if re.fullmatch(r"session_\d+", key))
        messages = tuple(
            ChatMessage(turn["dia_id"], "user", _locomo_text(turn), turn["speaker"])
            for session in sessions
            for turn in said[f"session_{session}"]
        )
        ids = {message.id for message in messages}
        answerable = [question for question in sample["qa"] if question["category"] != WRONG_SPEAKER]
        questions = [
            ChatQuestion(f"category {question['category']}", question["question"], evidence)
            for question in answerable[::step]
            if (evidence := _locomo_evidence(question) & ids)
        ]
        yield Chat(f"locomo-{number}", messages, tuple(questions))


def read_xquad(repository: Path, language: str) -> list[Paragraph]:
    """The paragraphs of a language of XQuAD-R."""
    file = json.loads(read_repository_file(repository, f"xquad-r/{language}.json"))
    return [
        Paragraph(paragraph["context"], tuple(row["question"] for row in paragraph["qas"]))
        for article in file["data"]
        for paragraph in article["paragraphs"]
    ]


def _messages(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict) and "role" in node and "content" in node:
        yield node
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _messages(child)


def _numbers(node: Any) -> Iterator[int]:
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _numbers(child)
    elif isinstance(node, int):
        yield node
    elif isinstance(node, str) and node.isdigit():
        yield int(node)


def _locomo_text(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return (turn.get("text") or "…") + (f"\n(shared a photo: {caption})" if caption else "")


def _locomo_evidence(question: dict[str, Any]) -> frozenset[str]:
    named = re.findall(r"D(\d+):(\d+)", " ".join(question.get("evidence") or ()))
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in named)
