"""The man pages, generated from the help texts: one for each command, and those on files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

import click

from memtool import __version__
from memtool.cli.documentation import roff
from memtool.cli.main import memtool_group
from memtool.cli.options import MemtoolCommand
from memtool.cli.reference import exit_code_meanings, files, toml_value, variables
from memtool.cli.table import COMMANDS, GROUPS, commands_of
from memtool.cli.topics import topic_names, topic_page, topic_summary
from memtool.store.config.settings import SETTINGS
from memtool.store.root import describe_layouts

_SETTINGS = ("memtool.toml", 5, "workspace and user settings")
_LAYOUTS = ("memtool-layouts", 5, "where each layout stores the files of each role")
_FORMATS = ("memtool-formats", 5, "formats of the files in a workspace")
_FILES = {"settings": "memtool.toml.5", "layouts": "memtool-layouts.5", "formats": "memtool-formats.5"}
_IN_PROGRAM = ("memtool", "topics", "commands", "environment", "exit-codes")
TOPICS = {
    **{name: f"memtool-{name}.7" for name in topic_names()},
    **dict.fromkeys(_IN_PROGRAM, "memtool.1"),
    **_FILES,
}
"""The page that contains each topic of `memtool help`."""


def page_names() -> list[str]:
    """The file name of each page."""
    return [*(f"memtool-{name}.1" for name in COMMANDS), *sorted({*TOPICS.values()})]


def page(name: str) -> str:
    """The text of a page by its file name. Raises KeyError for an unknown name."""
    stem, _, section = name.rpartition(".")
    if name == "memtool.1":
        rows = _program()
    elif name == _FILES["settings"]:
        rows = _settings()
    elif name == _FILES["layouts"]:
        rows = _layouts()
    elif name == _FILES["formats"]:
        rows = _formats()
    elif section == "1" and stem.removeprefix("memtool-") in COMMANDS:
        rows = _command(stem.removeprefix("memtool-"))
    elif name in TOPICS.values():
        rows = _topic(stem.removeprefix("memtool-"))
    else:
        raise KeyError(name)
    return "\n".join(_without_breaks_after_headings(rows)) + "\n"


def _without_breaks_after_headings(rows: Iterator[str]) -> Iterator[str]:
    """The lines without a `.PP` directly after a heading, which starts a paragraph itself."""
    before = ""
    for row in rows:
        if not (row == ".PP" and before.startswith((".SH", ".SS"))):
            yield row
        before = row


def page_name(topic: str) -> str | None:
    """The file name of the page on a command or a topic; None for an unknown one."""
    return f"memtool-{topic}.1" if topic in COMMANDS else TOPICS.get(topic)


def _page_head(name: str, section: int, summary: str) -> Iterator[str]:
    yield roff.title(name, section, __version__)
    yield roff.heading("NAME")
    yield f"{roff.plain(name)} \\- {roff.plain(summary[:1].lower() + summary[1:].rstrip('.'))}"


def _root_context() -> click.Context:
    return click.Context(memtool_group, info_name="memtool", **memtool_group.context_settings)


def _command(name: str) -> Iterator[str]:
    above = _root_context()
    command = memtool_group.get_command(above, name)
    assert isinstance(command, MemtoolCommand)
    context = click.Context(command, info_name=name, parent=above)
    actions = list(_actions(command, context))
    summary, *more = (command.help or "").split("\n\n")
    yield from _page_head(f"memtool-{name}", 1, " ".join(summary.split()))
    yield roff.heading("SYNOPSIS")
    for number, usage in enumerate(map(_usage, actions or [context])):
        yield from [".br", usage] if number else [usage]
    yield roff.heading("DESCRIPTION")
    yield from _description(more or [summary])
    if actions:
        yield roff.heading("ACTIONS")
    for action in actions:
        yield from _action(action)
    for title, options in (
        ("OPTIONS", command.own_options(context)),
        ("COMMON OPTIONS", command.common_options),
    ):
        yield roff.heading(title)
        yield from _options(context, options)
    yield roff.heading("EXAMPLES")
    yield from _examples(command)
    yield roff.heading("EXIT STATUS")
    yield from roff.sentences(
        "0 on success, 1 if nothing was found or something needs attention; memtool(1) lists all exit codes."
    )
    yield from _see_also("memtool(1)", "memtool.toml(5)")


def _actions(command: click.Command, context: click.Context) -> Iterator[click.Context]:
    """A context for each action of a command."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if (action := command.get_command(context, name)) is not None:
                yield click.Context(action, info_name=name, parent=context)


def _usage(context: click.Context) -> str:
    pieces = " ".join(roff.italic(piece) for piece in context.command.collect_usage_pieces(context))
    return f"{roff.bold(context.command_path)} {pieces}"


def _description(paragraphs: Sequence[str]) -> Iterator[str]:
    for number, text in enumerate(paragraphs):
        yield from roff.paragraph(text) if number else roff.sentences(text)


def _action(context: click.Context) -> Iterator[str]:
    """The subsection on an action: its help, its options and its examples."""
    command = context.command
    assert isinstance(command, MemtoolCommand)
    yield roff.heading(context.command_path.removeprefix("memtool "), 2)
    summary, *more = (command.help or "").split("\n\n")
    yield from _description([f"{' '.join(summary.split())}.", *more])
    yield from _options(
        context, [option for option in command.own_parameters if isinstance(option, click.Option)]
    )
    yield from _examples(command)


def _examples(command: click.Command) -> Iterator[str]:
    yield from roff.literal((command.epilog or "").strip("\n").split("\n"))


def _options(context: click.Context, options: Sequence[click.Parameter]) -> Iterator[str]:
    for parameter in options:
        if record := parameter.get_help_record(context):
            yield from roff.item(roff.option(record[0]), roff.sentences(record[1]))


def _program() -> Iterator[str]:
    context = _root_context()
    yield from _page_head("memtool", 1, "an AI agent's memory, kept as plain files")
    yield roff.heading("SYNOPSIS")
    pieces = " ".join(roff.italic(piece) for piece in memtool_group.collect_usage_pieces(context))
    yield f"{roff.bold('memtool')} {pieces}"
    yield roff.heading("DESCRIPTION")
    yield from roff.sentences(memtool_group.help or "")
    yield from roff.paragraph(
        "A workspace is a folder of memory files. memtool uses the nearest folder, from the working "
        "directory upwards, that contains `memtool.toml` or files in a layout that memtool recognises. Data "
        "goes to stdout, and messages go to stderr. With `--json`, each record is a line of JSON."
    )
    yield roff.heading("OPTIONS")
    yield from _options(context, memtool_group.get_params(context))
    yield roff.heading("COMMANDS")
    for group in GROUPS:
        yield roff.heading(group, 2)
        for name, summary in commands_of(group):
            yield from roff.item(f"{roff.bold(f'memtool-{name}')}(1)", roff.sentences(summary))
    yield roff.heading("EXIT STATUS")
    for code, meaning in exit_code_meanings():
        yield from roff.item(roff.bold(str(code)), roff.sentences(meaning))
    yield roff.heading("TOPICS")
    for topic, file in sorted(TOPICS.items()):
        if file.endswith(".7"):
            yield from roff.item(f"{roff.bold(f'memtool-{topic}')}(7)", roff.sentences(topic_summary(topic)))
    for title, rows in (("ENVIRONMENT", variables()), ("FILES", files())):
        yield roff.heading(title)
        for name, meaning in rows:
            yield from roff.item(roff.bold(name), roff.sentences(meaning))
    yield from _see_also("memtool.toml(5)", "memtool-layouts(5)", "memtool-formats(5)")


def _settings() -> Iterator[str]:
    yield from _page_head(*_SETTINGS)
    yield roff.heading("DESCRIPTION")
    yield from roff.sentences(
        "Settings are read from `memtool.toml` in the root of the workspace and from your own "
        "`~/.config/memtool/config.toml`. The workspace's settings override yours, and environment variables "
        "override both. A name with a dot is a key in a table: `search.limit` is `limit` under `[search]`. "
        'Settings with the note "User config only" are ignored in `memtool.toml`, so that no file that '
        "comes with a workspace can name a command to run."
    )
    yield roff.heading("SETTINGS")
    for setting in SETTINGS:
        restriction = " User config only." if setting.user_only else ""
        variable = f" Environment: {setting.variable}." if setting.variable else ""
        term = f"{roff.bold(setting.name)} = {roff.plain(toml_value(setting.default))}"
        yield from roff.item(
            term,
            roff.sentences(f"{setting.meaning[:1].upper()}{setting.meaning[1:]}.{restriction}{variable}"),
        )
    yield roff.heading("EXAMPLE")
    yield from roff.literal(['layout = "native"', 'timezone = "Asia/Tashkent"', "", "[search]", "limit = 20"])
    yield from _see_also("memtool(1)", "memtool-layouts(5)")


def _layouts() -> Iterator[str]:
    yield from _page_head(*_LAYOUTS)
    yield roff.heading("DESCRIPTION")
    yield from roff.sentences(
        "A layout defines the paths of each role's files. `--role`, and `role:` in a query, accept the "
        "role names below. In a path, a name in braces stands for a part that differs between files."
    )
    for name, summary, places in describe_layouts():
        yield roff.heading(name, 2)
        yield from roff.sentences(f"{summary}.")
        yield from roff.literal(f"{role:<22} {path}" for role, path in places)
    yield from _see_also("memtool(1)", "memtool-formats(5)")


def _formats() -> Iterator[str]:
    from memtool.cli.documentation.man_markdown import markdown_to_roff
    from memtool.store.config.schemas import specification

    yield from _page_head(*_FORMATS)
    yield roff.heading("DESCRIPTION")
    yield from markdown_to_roff(specification())
    yield from _see_also("memtool(1)", "memtool-layouts(5)")


def _topic(name: str) -> Iterator[str]:
    from memtool.cli.documentation.man_markdown import markdown_to_roff

    yield from _page_head(f"memtool-{name}", 7, topic_summary(name))
    yield roff.heading("DESCRIPTION")
    yield from markdown_to_roff(topic_page(name))
    yield from _see_also("memtool(1)")


def _see_also(*others: str) -> Iterator[str]:
    yield roff.heading("SEE ALSO")
    yield ",\n".join(f"{roff.bold(name[:-3])}{name[-3:]}" for name in others)


def main(arguments: Sequence[str]) -> int:
    """Write every page into a folder."""
    (folder,) = arguments
    os.makedirs(folder, exist_ok=True)
    for name in page_names():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(page(name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
