"""The memory tool of Anthropic's Python SDK, on the files of a memtool workspace.

    from anthropic import Anthropic
    from memtool.serve.adapters.anthropic import MemtoolMemoryTool

    runner = Anthropic().beta.messages.tool_runner(
        model="…", max_tokens=1024, messages=[…], tools=[MemtoolMemoryTool("~/agent")]
    )

Needs the `anthropic` extra: `pip install '.[anthropic]'` in the source folder.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memtool.core.memories.memory_commands import parse_command
from memtool.core.memories.memory_replies import STYLES, CommandRefused, CommandReply, refusal_reply
from memtool.errors import BadUsage, MissingExtra, extra_hint

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaFunctionToolResultType as Result
    from anthropic.types.beta import BetaCacheControlEphemeralParam as CacheControl
    from anthropic.types.beta import BetaMemoryTool20250818CreateCommand as Create
    from anthropic.types.beta import BetaMemoryTool20250818DeleteCommand as Delete
    from anthropic.types.beta import BetaMemoryTool20250818InsertCommand as Insert
    from anthropic.types.beta import BetaMemoryTool20250818RenameCommand as Rename
    from anthropic.types.beta import BetaMemoryTool20250818StrReplaceCommand as StrReplace
    from anthropic.types.beta import BetaMemoryTool20250818ViewCommand as View

    from memtool.store.workspace import Workspace

LOG = logging.getLogger("memtool.serve.adapters")

_MISSING = f"Anthropic's SDK is not installed or is too old; {extra_hint('anthropic')}"


class MissingAnthropicSdk(MissingExtra, ImportError):
    """The SDK is missing or too old; also an ImportError, for code that catches that."""


try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ImportError as error:
    raise MissingAnthropicSdk(_MISSING) from error


class _MemoryToolBackend:
    """One open workspace, and the options of its memory tool."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        layout: str | None,
        style: str,
        group: str | None,
        *,
        verbatim: bool,
        incognito: bool,
    ) -> None:
        from memtool.core.history.journal import CommitAuthor
        from memtool.core.records.entries import Owner
        from memtool.store.root import make_root
        from memtool.store.workspace import open_workspace
        from memtool.verbs.access.scope import decide_scope
        from memtool.verbs.delegates.write_hooks import add_write_hooks
        from memtool.verbs.memories.memories import MemoryToolOptions

        def finish_pending(locked: Workspace) -> None:
            from memtool.verbs.pending import do_pending  # most commands find nothing to do

            do_pending(locked)

        if style not in STYLES:
            raise BadUsage(f"style must be {' or '.join(STYLES)}, not {style!r}")
        writes = not incognito and os.environ.get("MEMTOOL_MODE") != "incognito"
        folder = os.path.expanduser(root)
        if writes:
            make_root(folder)
        self.workspace = open_workspace(folder, os.environ, layout, writes=writes, fallback_layout="native")
        self.workspace.do_pending = finish_pending
        actor = os.environ.get("MEMTOOL_GROUP") or None
        scope = decide_scope(self.workspace, group, actor, writes=True)
        user = os.environ.get("MEMTOOL_USER") or None
        author = CommitAuthor("memories", user, agent="anthropic")
        self.workspace.journal.set_author(lambda: author, lambda: datetime.now(UTC))
        add_write_hooks(self.workspace, os.environ, lambda work: work(), LOG.warning)
        self.how = MemoryToolOptions(
            style, verbatim, scope.group or None, Owner("user", user) if user else None
        )

    def check(self, given: object) -> None:
        """Raise ToolError for an invalid command; the SDK's own models would accept parts of it."""
        try:
            parse_command(given)
        except CommandRefused as refused:
            self.reply_text(refusal_reply(self.how.style, refused))

    def answer(self, command: Any) -> str:
        """The reply to one of the SDK's command models. Raises ToolError when it is an error."""
        from memtool.verbs.memories.memories import answer_command

        record = command if isinstance(command, Mapping) else command.to_dict(mode="python", warnings=False)
        return self.reply_text(answer_command(self.workspace, record, self.how).reply)

    def clear(self) -> str:
        """Delete everything under /memories."""
        from memtool.verbs.memories.memories import clear_memories

        return self.reply_text(clear_memories(self.workspace, self.how).reply)

    def reply_text(self, reply: CommandReply) -> str:
        """The text of a reply. Raises ToolError for an error, so that the runner passes it to the model."""
        if reply.is_error:
            raise ToolError(reply.content)
        return reply.content


class MemtoolMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `Anthropic().beta.messages.tool_runner`, on the files of the workspace at `root`.

    The workspace is created if it does not exist. Its layout is the one given, else the one it names or looks
    like, else native. `style` is the wording of replies (`sdk` or `docs`), `group` the group whose memory is
    used. Unless `verbatim`, secrets are stored as `[REDACTED:kind]`, and the reply says so. If `incognito` or
    `MEMTOOL_MODE` says so, nothing is written. Raises NoWorkspace, BadUsage, Unwritable, OutsideWorkspace.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        layout: str | None = None,
        style: str = "sdk",
        group: str | None = None,
        verbatim: bool = False,
        incognito: bool = False,
        cache_control: CacheControl | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = _MemoryToolBackend(root, layout, style, group, verbatim=verbatim, incognito=incognito)

    def call(self, input: object) -> Result:  # noqa: A002
        """The reply to what a model sent. Raises ToolError."""
        self._memory.check(input)
        return super().call(input)

    def view(self, command: View) -> str:
        """Show a file, or list a folder."""
        return self._memory.answer(command)

    def create(self, command: Create) -> str:
        """Create a file."""
        return self._memory.answer(command)

    def str_replace(self, command: StrReplace) -> str:
        """Replace a text that occurs exactly once."""
        return self._memory.answer(command)

    def insert(self, command: Insert) -> str:
        """Insert lines into a file."""
        return self._memory.answer(command)

    def delete(self, command: Delete) -> str:
        """Delete a file or a folder."""
        return self._memory.answer(command)

    def rename(self, command: Rename) -> str:
        """Move a file or a folder."""
        return self._memory.answer(command)

    def clear_all_memory(self) -> str:
        """Delete everything under /memories. Raises what locking and writing raise."""
        return self._memory.clear()


class MemtoolAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`: each command runs in a thread, in any event loop of anyio."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        layout: str | None = None,
        style: str = "sdk",
        group: str | None = None,
        verbatim: bool = False,
        incognito: bool = False,
        cache_control: CacheControl | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = _MemoryToolBackend(root, layout, style, group, verbatim=verbatim, incognito=incognito)

    async def call(self, input: object) -> Result:  # noqa: A002
        """The reply to what a model sent. Raises ToolError."""
        self._memory.check(input)
        return await super().call(input)

    async def view(self, command: View) -> str:
        """Show a file, or list a folder."""
        return await self._answer(command)

    async def create(self, command: Create) -> str:
        """Create a file."""
        return await self._answer(command)

    async def str_replace(self, command: StrReplace) -> str:
        """Replace a text that occurs exactly once."""
        return await self._answer(command)

    async def insert(self, command: Insert) -> str:
        """Insert lines into a file."""
        return await self._answer(command)

    async def delete(self, command: Delete) -> str:
        """Delete a file or a folder."""
        return await self._answer(command)

    async def rename(self, command: Rename) -> str:
        """Move a file or a folder."""
        return await self._answer(command)

    async def clear_all_memory(self) -> str:
        """Delete everything under /memories. Raises what locking and writing raise."""
        from anyio.to_thread import run_sync

        return await run_sync(self._memory.clear)

    async def _answer(self, command: Any) -> str:
        from anyio.to_thread import run_sync

        return await run_sync(self._memory.answer, command)
