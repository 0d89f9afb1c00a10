"""What the cache gives is what `re` and `tomllib` give, and no state of the file changes a result."""

from __future__ import annotations

import ast
import os
import re
import tomllib
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.store.external.compiled_cache import CompiledCache, cache_path
from tests.trees import clean_environment, make, memtool

PACKAGE = Path(__file__).parents[3] / "memtool"
TEXTS = (
    "",
    "I prefer tea, and she lives in Oslo.",
    "от 12 мая",
    "我喜欢茶。",
    "key = 'sk-1234567890abcdef'",
    "\n# a\n- b",
)


def compiled(text: str) -> re.Pattern[str] | None:
    """The pattern that `re` compiles of a text; None if it is none."""
    if not any(sign in text for sign in ("(?", "\\b", "\\w", "[^")):
        return None
    try:
        with warnings.catch_warnings(action="error"):
            return re.compile(text, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError, FutureWarning, DeprecationWarning):
        return None


def own_patterns() -> dict[str, re.Pattern[str]]:
    """Every constant of the package that is a regular expression, and its pattern."""
    constants = {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 5000
    }
    return {text: pattern for text in sorted(constants) if (pattern := compiled(text)) is not None}


def same(found: re.Pattern[str], wanted: re.Pattern[str]) -> bool:
    facts = [(p.pattern, p.flags, p.groups, dict(p.groupindex)) for p in (found, wanted)]
    matches = [[[m.groups() for m in p.finditer(text)] for text in TEXTS] for p in (found, wanted)]
    return facts[0] == facts[1] and matches[0] == matches[1]


def test_every_pattern_of_the_package_is_restored_as_it_was_compiled(tmp_path):
    patterns = own_patterns()
    sources = [*patterns]
    assert len(sources) > 200
    first = CompiledCache(str(tmp_path / "cache/patterns"))
    for source in sources:
        first.compile(source, re.IGNORECASE)
    for source in sources[::9]:
        first.compile(source)
    first.save()
    second = CompiledCache(str(tmp_path / "cache/patterns"))
    for source, pattern in patterns.items():
        assert same(second.compile(source, re.IGNORECASE), pattern), source
    for source in sources[::9]:
        assert same(second.compile(source), re.compile(source)), source
    before = os.stat(tmp_path / "cache/patterns")
    second.save()
    assert os.stat(tmp_path / "cache/patterns") == before  # nothing was new


def test_the_tables_of_every_toml_file_of_the_package_are_restored(tmp_path):
    texts = [path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.toml"))]
    assert len(texts) > 8
    first = CompiledCache(str(tmp_path / "cache"))
    parsed = [first.parse(text) for text in texts]
    first.save()
    content = (tmp_path / "cache").read_bytes()
    second = CompiledCache(str(tmp_path / "cache"))
    assert [second.parse(text) for text in texts] == parsed == [tomllib.loads(text) for text in texts]
    second.save()
    assert (tmp_path / "cache").read_bytes() == content  # nothing was new


def test_an_invalid_pattern_is_refused_as_by_re(tmp_path):
    with pytest.raises(re.error):
        CompiledCache(str(tmp_path / "patterns")).compile("(")


@given(st.data())
def test_a_damaged_file_changes_no_pattern(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("cache") / "patterns"
    first = CompiledCache(str(path))
    wanted = first.compile(r"(?P<word>\w+) tea")
    first.save()
    content = path.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    kept = content[:place]
    cut = data.draw(st.booleans())
    path.write_bytes(kept if cut else kept + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
    second = CompiledCache(str(path))
    assert same(second.compile(r"(?P<word>\w+) tea"), wanted)
    second.save()
    assert same(CompiledCache(str(path)).compile(r"(?P<word>\w+) tea"), wanted)


def test_a_file_that_others_can_write_or_a_link_is_not_read(tmp_path):
    path = tmp_path / "patterns"
    other = CompiledCache(str(tmp_path / "forged"))
    other.compile("b")
    other.save()
    content = (tmp_path / "forged").read_bytes()
    path.write_bytes(content)
    path.chmod(0o666)
    first = CompiledCache(str(path))
    assert first.compile("b").match("b")
    first.save()
    assert path.stat().st_mode & 0o777 == 0o600  # not read, so the pattern was new
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "forged")
    second = CompiledCache(str(link))
    assert second.compile("b").match("b")
    second.save()
    assert not link.is_symlink()
    assert (tmp_path / "forged").read_bytes() == content


def test_patterns_of_several_processes_are_all_kept(tmp_path):
    path = str(tmp_path / "patterns")
    one, two = CompiledCache(path), CompiledCache(path)
    one.compile("one")
    two.compile("two")
    one.save()
    two.save()
    content = Path(path).read_bytes()
    third = CompiledCache(path)
    third.compile("one")
    third.compile("two")
    third.save()
    assert Path(path).read_bytes() == content
    assert Path(path).stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path):
    (tmp_path / "file").write_text("")
    cache = CompiledCache(str(tmp_path / "file/patterns"))
    assert cache.compile("a").match("a")
    cache.save()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_incognito_commands_write_no_cache(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    cache = tmp_path / "cache"
    new_process = {"PYTHONHASHSEED": "1"}  # a fork of the server has compiled the usual patterns
    environment = clean_environment(tmp_path, XDG_CACHE_HOME=str(cache), **new_process)
    asked = [
        (["--incognito", "search", "tea"], ""),
        (["search", "tea", "--incognito"], ""),
        (["search", "tea"], "incognito"),
    ]
    for arguments, mode in asked:
        memtool(*arguments, home=tmp_path, cwd=root, environment={**environment, "MEMTOOL_MODE": mode})
        assert not cache.exists()
    memtool("search", "tea", home=tmp_path, cwd=root, environment=environment)
    assert Path(cache_path(environment)).exists()


def test_a_command_compiles_and_parses_nothing_a_second_time(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    environment = clean_environment(tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    contents = []
    for seed in ("1", "2", "3"):  # sets of strings have another order in each process
        memtool(
            *("scan", "-m", "Always answer in English. I prefer green tea."),
            home=tmp_path,
            cwd=root,
            environment={**environment, "PYTHONHASHSEED": seed},
        )
        contents.append(Path(cache_path(environment)).read_bytes())
    assert contents[1] == contents[2]  # the second finds entries, which it compares
