"""Man pages: made of the same help, whole, without one instruction that was meant as text."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.cli.documentation import man, man_markdown, roff
from memtool.cli.reference import TOPIC_SUMMARIES, exit_code_meanings, files, variables
from memtool.cli.table import COMMANDS
from memtool.cli.topics import topic_names
from memtool.store.config.settings import SETTINGS
from tests.trees import memtool

HOUSE = Path(__file__).parents[3] / "memtool"
MACROS = {".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".RS", ".RE", ".EX", ".EE", ".br"}
ESCAPES = re.compile(r"\\(?:f[BIR]|\(rs|\(aq|\(ga|\(ha|\(ti|\(dq|\(bu|\[u[0-9A-F]{4,6}\]|[-&])")
PLAIN = {r"\(rs": "\\", r"\(aq": "'", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~", r"\(dq": '"', r"\-": "-"}


def shown(line: str) -> str:
    """What a reader sees of a line; fails on anything that would be an instruction inside it."""

    def one(match: re.Match[str]) -> str:
        return chr(int(match[0][3:-1], 16)) if match[0].startswith("\\[u") else PLAIN.get(match[0], "")

    assert "\\" not in ESCAPES.sub("", line), line
    return ESCAPES.sub(one, line)


def text_of(page: str) -> str:
    """A page as it reads, checked line by line: only macros we know, text that begins with no dot, ASCII."""
    assert page.isascii()
    lines = []
    for line in page.rstrip("\n").split("\n"):
        if line.startswith((".", "'")):
            macro, _, rest = line.partition(" ")
            assert macro in MACROS, line
            lines.append(shown(rest.strip('"')) if macro in {".SH", ".SS", ".TH"} else "")
        else:
            lines.append(shown(line))
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("name", man.page_names())
def test_a_page_reads_as_text_with_its_sections(name):
    page = man.page(name)
    text_of(page)
    sections = re.findall(r'^\.SH "(.*)"$', page, re.MULTILINE)
    assert sections[0] == "NAME"
    assert sections[-1] == "SEE ALSO"
    assert page.count(".EX") == page.count(".EE")
    assert page.count(".RS") == page.count(".RE")
    stem, _, section = name.rpartition(".")
    assert f'.TH "{roff.plain(stem.upper())}" "{section}"' in page
    (line,) = re.findall(r'\.SH "NAME"\n(.*)\n\.SH', page)  # what whatis and apropos read
    assert re.fullmatch(re.escape(stem) + r" - [^.].*[^.]", shown(line))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_s_page_says_all_that_its_help_says(name):
    text = text_of(man.page(f"memtool-{name}.1"))
    command = import_module(f"memtool.cli.commands.{COMMANDS[name].module}").command
    actions = command.commands.values() if isinstance(command, click.Group) else ()
    assert all(f"memtool {name} {action.name}" in text for action in actions)
    for each in (command, *actions):
        for paragraph in each.help.split("\n\n")[1:]:
            assert " ".join(paragraph.replace("`", "").split()) in text
        for line in each.epilog.strip().splitlines():
            assert " ".join(line.split()) in text
        for parameter in each.params:
            if isinstance(parameter, click.Option):
                assert " ".join(parameter.help.replace("`", "").split()) in text
                assert all(name in text for name in (*parameter.opts, *parameter.secondary_opts))


def test_the_pages_on_the_whole_and_on_settings_leave_nothing_out():
    whole = text_of(man.page("memtool.1"))
    for name, (_, _, summary) in COMMANDS.items():
        assert f"memtool-{name}(1) {summary}" in whole
    for code, meaning in exit_code_meanings():
        assert f"{code} {meaning}" in whole
    for name, meaning in (*variables(), *files()):
        assert f"{name} {meaning}" in whole
    settings = text_of(man.page("memtool.toml.5"))
    assert all(f"{one.name} = " in settings for one in SETTINGS)


def test_every_variable_that_the_code_reads_is_on_the_page():
    named = set(dict(variables()))
    code = "".join(path.read_text(encoding="utf-8") for path in HOUSE.rglob("*.py"))
    read = set(re.findall(r'"(MEMTOOL_[A-Z_]+)"', code))
    known = {setting.variable for setting in SETTINGS}
    assert read - known <= named
    assert {name for name in named if name.startswith("MEMTOOL_")} <= read | known


def test_every_topic_has_a_page():
    assert {man.page_name(name) for name in (*COMMANDS, *man.TOPICS)} == {*man.page_names()}
    assert {*topic_names(), *TOPIC_SUMMARIES} <= {*man.TOPICS}
    assert man.page_name("nothing") is None


@given(st.text())
def test_whatever_a_text_is_it_stays_text(text):
    one = roff.protect_line(roff.plain(text))
    assert one.isascii()
    assert not one.startswith((".", "'"))
    expected = re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)
    assert shown(one) == re.sub(r"[\ud800-\udfff]", "?", expected)


@given(st.text(alphabet="ab.'`*\\-[]()| \n#"))
def test_whatever_a_page_of_markdown_is_none_of_it_is_an_instruction(text):
    text_of("\n".join(man_markdown.markdown_to_roff(text)) + "\n")


def test_markdown_becomes_what_it_means():
    page = (
        "# Title\n\nSee `a-b`.\n\n- one\n  more\n- two\n\n| x | y |\n| - | - |\n| `k` | v |\n\n```\n.x\n```\n"
    )
    assert list(man_markdown.markdown_to_roff(page)) == [
        *(".PP", r"See \fBa\-b\fR."),
        *(r'.IP "\(bu" 4', "one more", r'.IP "\(bu" 4', "two"),
        *(".TP", r"\fBk\fR", "v"),
        *(".PP", ".RS 4", ".EX", r"\&.x", ".EE", ".RE"),
    ]


@pytest.mark.parametrize("checker", ["groff", "mandoc"])
def test_who_sets_pages_has_nothing_to_say_about_them(checker, tmp_path):
    if shutil.which(checker) is None:
        pytest.skip(f"{checker} IS NOT INSTALLED: the man pages were not checked with it")
    man.main([str(tmp_path)])
    paths = sorted(str(path) for path in tmp_path.iterdir())
    command = (
        ["groff", "-man", "-ww", "-z"] if checker == "groff" else ["mandoc", "-T", "lint", "-W", "warning"]
    )
    result = subprocess.run([*command, *paths], capture_output=True, text=True, check=False)
    said = [line for line in (result.stdout + result.stderr).splitlines() if "missing date" not in line]
    assert said == []  # a date would make every build another one


def test_help_prints_them(tmp_path):
    for name in ("", "search", "settings", "exit-codes"):
        printed = memtool("help", "--man", *name.split(), home=tmp_path).stdout
        assert printed == man.page(man.page_name(name or "memtool"))
