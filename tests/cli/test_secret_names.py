"""A name that holds a secret is refused, and the refusal does not repeat it."""

import pytest

from tests.trees import contents, make, memtool

SECRET = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--user", SECRET, "scan", "-m", "I prefer tea"),
        ("--session", SECRET, "append-turn", "--user-text", "hello"),
        ("save", "--category", SECRET, "The kiln holds 80 litres"),
    ],
    ids=["user", "session", "category"],
)
def test_a_name_with_a_secret_is_refused(tmp_path, arguments):
    root = make(tmp_path / "tree", {"memtool.toml": 'layout = "native"\n'})
    before = contents(root)
    result = memtool("--root", str(root), *arguments, home=tmp_path)
    assert result.returncode == 2
    assert "github token" in result.stderr
    assert SECRET not in result.stderr
    assert contents(root) == before


def test_a_turn_is_stored_without_secrets_unless_asked(tmp_path):
    root = make(tmp_path / "tree", {"memtool.toml": 'layout = "native"\n'})
    text = f"the token: {SECRET}"
    for option, is_stored in (("--redact", False), ("--no-redact", True)):
        memtool("--root", str(root), "append-turn", option, "--user-text", text, home=tmp_path)
        assert any(SECRET.encode() in content for content in contents(root).values()) is is_stored
