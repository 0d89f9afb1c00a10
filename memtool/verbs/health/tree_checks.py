"""Checks of the tree and its surroundings: layout, permissions, lock, disk, clock, settings, commands."""

from __future__ import annotations

import importlib.util
import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memtool.core.records.health import HealthCheck, count_noun, count_with_example
from memtool.errors import BadUsage, OutsideWorkspace, UnreadableFile, extra_hint
from memtool.layouts.load import recognise_layout
from memtool.store.config.settings import COMMAND_SETTINGS
from memtool.store.config.sources import user_config_path
from memtool.store.config.time_zone import time_zone
from memtool.store.files import queue, tree_checks
from memtool.store.files.exposure import is_folder_exposed
from memtool.store.files.staging import INTENT_PATH
from memtool.store.root import PRIVATE_FOLDER, WORKSPACE_FILE, describe_layouts, marker_test
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.delegates.write_hooks import write_hook_delegates
from memtool.verbs.health.check_context import CheckContext
from memtool.verbs.health.unread import files_not_read
from memtool.verbs.hooks.hook_queue import load_event

_NAMES_SHOWN = 3
_LEAST_FREE_BYTES = 100_000_000
"""Bytes of free space below which a disk is reported as nearly full."""
_LEAST_FREE_INODES = 1000
_DAY_NS = 86_400 * 10**9


def layout(context: CheckContext) -> HealthCheck:
    """Check that the layout is set in memtool.toml, or is recognised from the files."""
    name, root = context.workspace.layout.name, context.workspace.root
    if context.workspace.settings["layout"] == name:
        return HealthCheck("layout", "ok", f"{name}, set in the configuration")
    recognised = recognise_layout(marker_test(root))
    if recognised == name:
        return HealthCheck(
            "layout",
            "ok",
            (f"{name}, recognised from the files; to make the layout explicit, set layout in memtool.toml"),
        )
    appearance = (
        f"the files match the {recognised} layout" if recognised else "the files match no known layout"
    )
    return HealthCheck(
        "layout", "wrong", f"the layout is set to {name}, but {appearance}", f"memtool init --layout {name}"
    )


def permissions(context: CheckContext) -> HealthCheck:
    """Check that other users cannot access the memory: the files that `lint` checks, and `.memtool`."""
    from memtool.verbs.lint.permissions import CODES, exposed_memory

    exposed = [item.path for item in exposed_memory(context.workspace)]
    commands = [f"memtool lint --fix --select {','.join(CODES)}"] if exposed else []
    if is_folder_exposed(context.workspace.root, {}, PRIVATE_FOLDER):
        exposed.append(PRIVATE_FOLDER)
        commands.append(f"chmod go-rwx {context.quoted_path(PRIVATE_FOLDER)}")
    if not exposed:
        return HealthCheck("permissions", "ok", "only you can access the memory")
    found = f"other users can access {count_with_example(exposed, 'path')}"
    return HealthCheck("permissions", "wrong", found, " && ".join(commands))


def unreadable(context: CheckContext) -> HealthCheck:
    """Check that every folder can be listed, and that no other user withholds what is in `.memtool`."""
    root = context.workspace.root
    if withheld := tree_checks.withheld(root, [path for path, _ in context.listing.unreadable]):
        return HealthCheck(
            "unreadable",
            "wrong",
            f"owned by another user and not accessible to you: {count_with_example(withheld, 'path')}",
            f'sudo chown -R "$(id -un)" {shlex.quote(root)}',
        )
    places = [f"{path or 'the workspace root'} ({why})" for path, why in context.listing.unreadable]
    if places:
        return HealthCheck(
            "unreadable",
            "unknown",
            count_with_example(places, "folder"),
            "ls -l; chmod -R u+rwX .",
        )
    return HealthCheck("unreadable", "ok", "every folder can be listed")


def files_without_role(context: CheckContext) -> HealthCheck:
    """Check for files without a role that no command reads; attachments of notes are none."""
    paths = [*files_not_read(context.workspace).records]
    paths += [f"{path} ({kind})" for path, kind in context.listing.skipped]
    if not paths:
        return HealthCheck("no role", "ok", "every memory file has a role in the layout")
    names = ", ".join(paths[:_NAMES_SHOWN])
    detail = f"not read by any command: {count_with_example(paths, 'file')}"
    if len(paths) > 1:
        detail = (
            f"not read by any command: {len(paths)} files, {names}{', …' if paths[_NAMES_SHOWN:] else ''}"
        )
    return HealthCheck("no role", "note", detail, "memtool help layouts")


def commits(context: CheckContext) -> HealthCheck:
    """Check for a command that was killed between two changes, and for lines that were cut off."""
    disk = context.workspace.disk
    if disk.has_intent() and tree_checks.lock_holder(context.workspace.root) is None:
        from memtool.store.commit.intent import load_intent

        intent = load_intent(disk, context.key)
        if intent is None:
            detail = (
                f"{INTENT_PATH}, the record of an interrupted command, has no valid signature; the next "
                "command will move the record elsewhere, without reverting the changes that the "
                "interrupted command made"
            )
        else:
            paths = count_with_example([change.path for change in intent.changes], "file")
            detail = (
                f"a command was interrupted while changing {paths}; the next command will revert the "
                "incomplete change"
            )
        return HealthCheck("commits", "wrong", detail, "memtool status")
    torn = [path for path in sorted(context.listing.files) if _is_torn(context, path)]
    if torn:
        editor = f"$EDITOR {context.quoted_path(torn[0])}"
        return HealthCheck(
            "commits", "wrong", f"incomplete last line in {count_with_example(torn, 'file')}", editor
        )
    return HealthCheck("commits", "ok", "no interrupted command")


def _is_torn(context: CheckContext, path: str) -> bool:
    """Whether the last line of a file of JSON Lines is cut off."""
    if not path.endswith(".jsonl") or context.workspace.role_of(path) is None:
        return False
    size, tail = context.workspace.disk.size_and_tail(PurePosixPath(path))
    last_line = tail.rpartition(b"\n")[2]
    return bool(size and last_line) and not last_line.rstrip().endswith(b"}")


def leftovers(context: CheckContext) -> HealthCheck:
    """Check for temporary files of interrupted writers."""
    paths = tree_checks.leftover_files(context.workspace.root, context.workspace.layout.can_contain_roles)
    temporaries = [path for path in context.workspace.disk.temporaries() if path != INTENT_PATH]
    if temporaries and not paths and tree_checks.lock_holder(context.workspace.root) is None:
        them = "it" if len(temporaries) == 1 else "them"
        detail = (
            f"{count_with_example([*map(str, temporaries)], 'temporary file')}; the next command that writes "
            f"to the workspace will remove {them}"
        )
        return HealthCheck("leftovers", "note", detail, "")
    if not paths:
        return HealthCheck("leftovers", "ok", "no temporary files")
    root, arguments = shlex.quote(context.workspace.root), " ".join(map(shlex.quote, paths[:5]))
    return HealthCheck(
        "leftovers", "wrong", count_with_example(paths, "temporary file"), f"cd {root} && rm -r {arguments}"
    )


def queued(context: CheckContext) -> HealthCheck:
    """Check for events that hooks have queued, and for files there that are not recorded."""
    root = context.workspace.root
    if others := queue.other_files(root):
        detail = f"cannot be recorded: {count_with_example(others, 'queued file')}"
        return HealthCheck("queue", "wrong", detail, f"ls -l {context.quoted_path(others[0])}")
    waiting = queue.waiting_events(root)
    if not waiting:
        return HealthCheck("queue", "ok", "no hook events waiting to be recorded")
    key = context.key
    list_queue = f"ls -l {context.quoted_path(str(queue.QUEUE_FOLDER))}"
    strange: list[str] = []
    for name in waiting if key else ():
        try:
            if load_event(context.workspace, name, key or b"") is None:
                strange.append(name)
        except UnreadableFile as error:
            return HealthCheck("queue", "wrong", f"{error}; the hook event stays in the queue", list_queue)
    if strange:
        names = count_with_example([str(queue.QUEUE_FOLDER / name) for name in strange], "file")
        them = "it" if len(strange) == 1 else "them"
        detail = (
            f"without a valid signature: {names}; the next command that writes to the workspace will move "
            f"{them} to {queue.ASIDE_FOLDER}"
        )
        return HealthCheck("queue", "wrong", detail, list_queue)

    detail = (
        f"{count_noun(len(waiting), 'hook event')} waiting to be recorded by the next command that writes "
        "to the workspace"
    )
    return HealthCheck("queue", "note", detail)


def lock(context: CheckContext) -> HealthCheck:
    """Report the process that holds the lock; the system releases the lock of a process that died."""
    holder = tree_checks.lock_holder(context.workspace.root)
    if holder is None:
        return HealthCheck("lock", "ok", "free")
    process = f"process {holder}" if holder else "another process"
    return HealthCheck(
        "lock",
        "note",
        f"held by {process}; other commands that write to the workspace will wait for the lock",
        f"ps -p {holder}" if holder else "",
    )


def disk(context: CheckContext) -> HealthCheck:
    """Check for free space, and for write permission."""
    free, files = tree_checks.free_space(context.workspace.root)
    detail = f"{free // 1_000_000} MB free"
    if not tree_checks.may_write(context.workspace.root):
        return HealthCheck(
            "disk",
            "wrong",
            "no permission to write to the workspace folder",
            "run chmod u+w on the workspace folder, or use --incognito",
        )
    if free < _LEAST_FREE_BYTES or 0 <= files < _LEAST_FREE_INODES:
        few = [detail] if free < _LEAST_FREE_BYTES else []
        few += [f"{count_noun(files, 'inode')} free"] if 0 <= files < _LEAST_FREE_INODES else []
        return HealthCheck("disk", "wrong", f"only {' and '.join(few)}", "df -h; df -i")
    return HealthCheck("disk", "ok", detail)


def clock(context: CheckContext) -> HealthCheck:
    """Check that the time zone is valid, and that no file is from the future."""
    name = context.workspace.settings["timezone"]
    if time_zone(name) is None:
        detail = f"unknown time zone {name!r}"
        return HealthCheck(
            "clock", "wrong", detail, f"$EDITOR {context.quoted_path(WORKSPACE_FILE)}; memtool help settings"
        )
    latest_ns = int(context.now.timestamp() * 10**9) + _DAY_NS
    future_files = sorted(path for path, stat in context.listing.files.items() if stat.mtime_ns > latest_ns)
    if context.environment.get("MEMTOOL_NOW"):
        return HealthCheck(
            "clock", "note", f"MEMTOOL_NOW sets the time to {context.now:%Y-%m-%d %H:%M}; time zone {name}"
        )
    if future_files:
        detail = (
            f"modification time in the future: {count_with_example(future_files, 'file')}; check "
            "the system clock"
        )
        return HealthCheck(
            "clock",
            "wrong",
            detail,
            "run date to print the current time; if it is correct, run: touch "
            f"{' '.join(map(context.quoted_path, future_files[:5]))}",
        )
    return HealthCheck("clock", "ok", f"time zone {name}")


EXTRAS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("semantic", ("numpy", "safetensors", "tokenizers", "wordllama"), "search and recall by meaning"),
    ("tokens", ("tiktoken", "tokenizers"), "exact token counts"),
    ("plots", ("plotext",), "plots in memtool stats"),
    ("graph", ("igraph",), "SVG and HTML output of memtool note graph"),
    ("mcp", ("mcp",), "the MCP server, memtool mcp"),
    ("lsp", ("lsprotocol", "pygls"), "the language server, memtool lsp"),
    ("anthropic", ("anthropic",), "the memory tool of Anthropic's Python library"),
    ("fleet", ("procrastinate", "psycopg"), "a PostgreSQL index of many workspaces"),
)
"""Each extra: its name, the modules it needs, and its purpose."""


def settings_remedy(message: str, environment: Mapping[str, str], root: str) -> str:
    """The command to run after a message about a setting, which begins with its file or its variable."""
    user_file = user_config_path(environment)
    source = message.partition(" ")[0].rstrip(":")
    if source in environment:
        return f"unset {source}; memtool help settings"
    path = user_file if message.startswith(user_file) else os.path.join(root, WORKSPACE_FILE)
    return f"$EDITOR {shlex.quote(path)}; memtool help settings"


def settings(context: CheckContext) -> HealthCheck:
    """Check for unknown settings, and for settings that a workspace may not make."""
    notices = list(context.workspace.settings.notices)
    if notices:
        others = f" (and {len(notices) - 1} more)" if len(notices) > 1 else ""
        return HealthCheck(
            "settings",
            "wrong",
            notices[0] + others,
            settings_remedy(notices[0], context.environment, context.workspace.root),
        )
    return HealthCheck("settings", "ok", "all settings are valid")


def commands(context: CheckContext) -> HealthCheck:
    """Check for configured commands whose program is known to be missing; none is run."""
    settings, environment, root = context.workspace.settings, context.environment, context.workspace.root
    delegates = [
        *(Delegate(name, settings[name], environment, root) for name in COMMAND_SETTINGS if settings[name]),
        *write_hook_delegates(settings, environment, root),
    ]
    missing: list[str] = []
    for delegate in delegates:
        try:
            if program := delegate.missing_program():
                name = delegate.label or delegate.name
                missing.append(f"{name}: {program!r} not found or not executable")
        except (BadUsage, OutsideWorkspace) as error:
            missing.append(str(error))
    missing += _unknown_names(context)
    if missing:
        return HealthCheck(
            "commands",
            "wrong",
            count_with_example(missing, "invalid setting"),
            f"$EDITOR {shlex.quote(user_config_path(environment))}",
        )
    names = ", ".join(dict.fromkeys(delegate.name for delegate in delegates))
    detail = f"the program of every configured command exists: {names}" if names else "none configured"
    return HealthCheck("commands", "ok", detail)


def _unknown_names(context: CheckContext) -> Iterator[str]:
    """Find roles and commands that write hooks name and that do not exist."""
    hooks = context.workspace.settings["write_hook"]
    if not hooks:
        return
    roles = {role for _, _, places in describe_layouts() for role, _ in places}
    for key, named, known in (
        ("roles", {role for hook in hooks for role in hook.roles}, roles),
        ("verbs", {verb for hook in hooks for verb in hook.verbs}, context.commands),
    ):
        yield from (f"write_hook: unknown name {name!r} in the {key} list" for name in sorted(named - known))


def extras(_: CheckContext) -> HealthCheck:
    """Report extras that are not installed."""
    missing = [
        (name, purpose)
        for name, modules, purpose in EXTRAS
        if not all(importlib.util.find_spec(module) for module in modules)
    ]
    if not missing:
        return HealthCheck("extras", "ok", ", ".join(name for name, _, _ in EXTRAS))
    detail = "; ".join(f"{name} not installed ({purpose})" for name, purpose in missing)
    return HealthCheck("extras", "note", detail, extra_hint(*(name for name, _ in missing)))
