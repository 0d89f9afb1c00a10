"""Two users and two groups through every command and MCP tool: nobody sees what is another's."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtool.cli.completion.listers import LISTERS
from memtool.cli.main import run
from memtool.cli.table import COMMANDS
from memtool.serve.mcp.prompts import PROMPTS
from memtool.serve.mcp.table import TOOLS
from tests.hooks import claude_log, event, prompt
from tests.serve.mcp.talk import Talk, session
from tests.trees import make, memtool

WORD = {"ann": "quagga", "bob": "wombat"}
"""The beginning of every word that only one user's memory holds."""
NOW = "2025-01-15T10:30:00+00:00"

Run = Callable[..., tuple[int, str]]


def variables(root: Path, home: Path, **more: str) -> dict[str, str]:
    """The environment of a command that has nothing of this machine's user."""
    folders = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    return {"HOME": str(home), **folders, "MEMTOOL_ROOT": str(root), "MEMTOOL_NOW": NOW, **more}


def run_here(root: Path, home: Path, *arguments: str, stdin: str = "", **environment: str) -> tuple[int, str]:
    """Run a command in this process; its exit code, and all that it printed."""
    streams, before = (sys.stdin, sys.stdout, sys.stderr), dict(os.environ)
    shown = io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    sys.stdout = sys.stderr = io.TextIOWrapper(shown, encoding="utf-8", write_through=True)
    try:
        os.environ |= variables(root, home, **environment)
        code = run(arguments)
        sys.stdout.flush()
        return code, shown.getvalue().decode()
    except SystemExit as ended:  # how click ends a completion
        sys.stdout.flush()
        return int(ended.code or 0), shown.getvalue().decode()
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        os.environ.clear()
        os.environ.update(before)


def transcript(path: Path, name: str, *exchange: str) -> Path:
    """A transcript of one exchange in the session `name`, whose messages have ids of their own."""
    claude_log(path, [(exchange[0], exchange[1])], name)
    path.write_text(path.read_text().replace("-4000-8000-", f"-4{len(name)}{ord(name[-1])}-8000-"))
    return path


def remember(root: Path, home: Path, user: str) -> None:
    """Enter words of a user by every way in."""
    word = WORD[user]

    def do(*arguments: str, stdin: str = "", codes: tuple[int, ...] = (0,)) -> str:
        given = ("--user", user, "--session", f"s-{user}", *arguments)
        code, shown = run_here(root, home, *given, stdin=stdin)
        assert code in codes, (given, code, shown)
        return shown

    messages = "".join(
        json.dumps({"role": role, "content": f"{text} {word}{number} about the lantern"}) + "\n"
        for number in range(8)
        for role, text in (("user", "I have the lantern of"), ("assistant", "I heard of"))
    )
    do("scan", "-m", f"I prefer {word}scan lanterns. Always call it {word}rule. I live in {word}town.")
    do("save", f"I own the lantern {word}save")
    do("save", "--key", "lantern", f"the lantern is {word}old")
    do("save", "--key", "lantern", f"the lantern is {word}new")
    do("append-daily", "--user-text", f"my lantern {word}daily\n# {word}heading\nmore {word}below",
       "--agent-text", f"the lantern {word}answer")  # fmt: skip
    do("append-turn", stdin=json.dumps({"role": "user", "content": f"the lantern {word}turn shines"}))
    log = transcript(home / f"{user}.jsonl", user, f"the lantern {word}import?", f"yes, {word}reply")
    do("import", "claude-code", str(log))
    do(
        "note",
        "new",
        f"Lantern {word}note",
        "--tag",
        f"{word}tag",
        "--body",
        f"of {word}body [[nowhere{word}]]",
    )
    do(
        "buffer",
        "--user-text",
        f"lantern {word}buffer",
        "--agent-text",
        "so",
        "--used",
        "900",
        "--window",
        "1000",
    )
    do("compact", "--force", "--window", "400", stdin=messages)
    do("learn", "correction", f"the lantern is {word}learnt", codes=(0, 1, 2))
    do("feedback", "add", "up", "--note", f"lantern {word}rating")
    do("rules", "add", f"Say {word}conduct of lanterns")
    do(
        "memories",
        "create",
        f"/memories/{word}file.md",
        "--file-text",
        f"lantern {word}memory\nsecond line\n",
    )
    do(
        "memories",
        "insert",
        f"/memories/{word}file.md",
        "--insert-line",
        "1",
        "--insert-text",
        f"{word}inserted",
    )
    candidate = {"lane": "semantic", "category": "trigger", "subject": "User", "predicate": "WORRIES_ABOUT"}
    candidate |= {"object": f"Event:{word}exam", "evidence_quote": f"I fear the {word}exam", "turn": 0}
    do("candidates", "add", stdin=json.dumps(candidate))
    do("session", "turn", stdin=messages)
    hooked = transcript(home / "hook" / f"{user}.jsonl", f"h-{user}", f"lantern {word}hook", f"{word}hooked")
    environment = variables(root, home, MEMTOOL_USER=user)
    for record in (
        prompt(f"I prefer {word}prompted lanterns", session_id=f"h-{user}"),
        event("Stop", session_id=f"h-{user}", transcript_path=str(hooked)),
    ):
        done = memtool(
            "hook", "--agent", "claude-code", home=home, stdin=json.dumps(record), environment=environment
        )
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A workspace with the memory of two users and of nobody, indexed by its keeper; and a home folder."""
    base = tmp_path_factory.mktemp("owners")
    files = {
        "memtool.toml": 'layout = "native"\n',
        "MEMORY.md": "# Long-term memory\n\n- The lantern hangs at the shared door\n",
        "memory/notes/zettel/shared.md": "# Shared\n\nA shared lantern.\n",
    }
    root, home = make(base / "w", files), base / "home"
    home.mkdir()
    for user in WORD:
        remember(root, home, user)
    code, shown = run_here(root, home, "search", "lantern", "-n", "200")
    assert code == 0, shown
    return root, home


FIRST_TURN = ("--seq", "1:100")
EVERY = ("-n", "1000")

READING: dict[str, list[tuple[str, ...]]] = {
    "replay": [("--json", *FIRST_TURN), FIRST_TURN],
    "search": [
        (*EVERY, "lantern"),
        (*EVERY, "--json", "-C", "3", "lantern"),
        (*EVERY, "--exact", "--role", "all", "lantern"),
        (*EVERY, "role:turn"),
        ("quaggasave wombatsave quaggaturn wombatturn",),
        ("quagga* wombat*", *EVERY),
    ],
    "get": [
        ("MEMORY.md",),
        ("--json", "memory/2025-01-15.md"),
        ("SESSION-STATE.md",),
        ("memory/semantic/facts.md",),
        ("memory/semantic/preferences.md",),
        ("memory/procedural/rules.md",),
        ("learnings/corrections.md",),
        ("memory/working-buffer.md",),
        ("memories/quaggafile.md",),
        ("memories/wombatfile.md",),
    ],
    "recall": [("-n", "50", "which lantern"), ("quaggasave wombatsave",)],
    "facts": [("list", "--all"), ("top", "--json")],
    "context": [
        ("--prompt", "which lantern have I?"),
        ("--prompt", "which lantern have I?", "--explain"),
        ("--prompt", "quaggaturn wombatturn lantern", "--retrieved"),
    ],
    "recover": [("--again",)],
    "candidates": [("list",), ("list", "--json")],
    "session": [("status",), ("status", "--json")],
    "rules": [("list",), ("list", "--json")],
    "episodes": [("list",), ("show", "latest")],
    "memories": [
        ("view", "/memories"),
        ("view", "/memories/quaggafile.md"),
        ("view", "/memories/wombatfile.md"),
    ],
    "note": [("links",), ("orphans",), ("broken",), ("tags",), ("graph", "--json"), ("show", "wombatnote")],
    "lint": [(), ("--json",)],
    "log": [(*EVERY, "--diff", "--all"), (*EVERY, "--json")],
    "trace": [("lantern", *EVERY), ("wombatsave",), ("wombatold",), ("quaggasave",)],
    "status": [(), ("--json",)],
    "stats": [("--json",)],
    "doctor": [(), ("--json",)],
    "quarantine": [("list",)],
    "reindex": [("--verify",)],
    "eval": [()],
    "scan": [("--dry-run", "-m", "I prefer plain lanterns")],
    "save": [("--dry-run", "I own a plain lantern"), ("--dry-run", "--json", "the lantern is green")],
    "migrate": [("--list",)],
    "undo": [("--dry-run",)],
    "decay": [("--dry-run",)],
    "feedback": [("list",), ("list", "--json")],
}
"""The arguments with which a command prints what memory holds."""

ECHOING = {
    "init", "config", "append-daily", "append-turn", "upgrade-history", "import", "learn", "buffer",
    "compact", "next-run", "truncate", "session-end", "maintain", "mcp", "hook", "watch", "completion",
    "help", "forget", "merge", "fleet", "lsp",
}  # fmt: skip
"""Commands that print what they are given or did; mcp, lsp, hook and completion have their own tests."""

SHOWS_OWN = {
    "replay", "search", "get", "recall", "facts", "context", "recover", "candidates", "rules", "memories",
    "note", "log", "trace", "lint",
}  # fmt: skip
"""Commands whose output has words of the user that runs them."""


def test_every_command_is_known_to_print_memory_or_not():
    assert READING.keys() | ECHOING == COMMANDS.keys()
    assert not READING.keys() & ECHOING


STDIN = {
    "recover": json.dumps({"role": "user", "content": "where were we?"}),
    "eval": json.dumps({"query": "lantern", "relevant": ["MEMORY.md"]}),
}


@pytest.mark.parametrize("command", READING)
def test_a_user_sees_nothing_of_another_and_the_keeper_sees_all(tree, command):
    root, home = tree
    printed: dict[str, str] = {}
    for user in ("ann", "bob", ""):
        environment = {"MEMTOOL_USER": user} if user else {}
        printed[user] = ""
        for arguments in READING[command]:
            common = ("--dry-run",) if "--dry-run" in arguments else ()
            rest = tuple(argument for argument in arguments if argument != "--dry-run")
            given = (*common, command, *rest)
            code, shown = run_here(root, home, *given, stdin=STDIN.get(command, ""), **environment)
            is_overwritten = command == "undo" and code == 12  # by what another user did after it
            assert code in {0, 1, 3} or is_overwritten, (given, shown)
            for argument in arguments if code else ():  # a refusal repeats what was asked for
                shown = shown.replace(argument, "")
            printed[user] += shown
    others = {"ann": WORD["bob"], "bob": WORD["ann"]}
    for user, word in others.items():
        assert word not in printed[user], next(line for line in printed[user].split("\n") if word in line)
    if command in SHOWS_OWN:
        assert all(WORD[user] in printed[user] for user in WORD), printed
        assert all(word in printed[""] for word in WORD.values()), printed[""]


def test_the_session_of_the_environment_restricts_nothing(tree):
    root, home = tree
    _, shown = run_here(root, home, "search", "quaggasave wombatsave", MEMTOOL_SESSION="s-ann")
    assert "quaggasave" in shown
    assert "wombatsave" in shown


def test_users_who_share_a_session_have_a_part_each(tmp_path):
    root, home = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'}), tmp_path
    said = "I restore the {0} in my attic. We decided to buy the {0} tomorrow. The {0} is my sister's."

    def do(user, *arguments, stdin=""):
        return run_here(root, home, *arguments, "--session", "s1", stdin=stdin, MEMTOOL_USER=user)

    for command in (("append-turn",), ("session", "turn")):
        for user, word in (*WORD.items(), ("", "lantern")):
            roles = {"user": said.format(word), "assistant": f"So, the {word}"}
            messages = [{"role": role, "content": text} for role, text in roles.items()] * 3
            assert do(user, *command, stdin=json.dumps(messages))[0] == 0
        for user in ("", *WORD):
            assert do(user, "session-end")[0] == 0
        episodes = [path.read_text() for path in (root / "memory/episodic").iterdir()]
        words = [[word for word in WORD.values() if word in text] for text in episodes]
        assert sorted(words) == [[], ["quagga"], ["wombat"]]
        shutil.rmtree(root / "memory")


def test_every_tool_resource_and_prompt_of_the_server_keeps_users_apart(tree):
    root, home = tree
    everything = {
        "memory_search": [{"query": "lantern", "maxResults": 50}, {"query": "quaggasave wombatsave"}],
        "memory_get": [{"path": "MEMORY.md"}, {"path": "memory/2025-01-15.md"}],
        "memory_context": [{"query": "which lantern have I?"}, {"query": "quaggaturn wombatturn"}],
        "memory_recall": [{"query": "which lantern", "limit": 20}],
        "memory_list": [{}],
        "memory_save": [{"content": "the lantern is mended"}],
        "memory_append_daily": [{"text": "the lantern was mended"}],
        "memory": [{"command": "view", "path": "/memories"}],
    }
    assert everything.keys() == {tool.name for tool in TOOLS}
    for user, own, other in (("ann", "quagga", "wombat"), ("bob", "wombat", "quagga")):
        with Talk(session(root, home, given={"user": user, "incognito": True})) as talk:
            talk.shake()
            texts = [talk.text(tool, **call) for tool, calls in everything.items() for call in calls]
            listed = talk.ask("resources/list")["result"]
            texts.append(json.dumps(listed))
            texts += [
                json.dumps(talk.ask("resources/read", {"uri": resource["uri"]}))
                for resource in listed["resources"]
            ]
            for mcp_prompt in PROMPTS:
                arguments = {argument.name: "which lantern?" for argument in mcp_prompt.arguments}
                texts.append(
                    json.dumps(talk.ask("prompts/get", {"name": mcp_prompt.name, "arguments": arguments}))
                )
        printed = "\n".join(text.replace(f"{other}save", "", 0) for text in texts)
        assert own in printed
        assert other not in printed, next(line for line in printed.split("\n") if other in line)


@pytest.mark.parametrize(("user", "own", "other"), [("ann", "quagga", "wombat"), ("bob", "wombat", "quagga")])
def test_a_hook_gives_a_prompt_nothing_of_another(tree, user, own, other):
    root, home = tree
    environment = variables(root, home, MEMTOOL_USER=user, MEMTOOL_MODE="incognito")
    records = (event("SessionStart", source="resume"), prompt("which lantern have I, where were we?"))
    for record in records:
        done = memtool(
            "hook", "--agent", "claude-code", home=home, stdin=json.dumps(record), environment=environment
        )
        assert own in done.stdout, done
        assert other not in done.stdout + done.stderr


def test_completion_offers_nothing_of_another(tree):
    root, home = tree
    for command, word in _completable():
        for user, other in (("ann", "wombat"), ("bob", "quagga")):
            environment = {
                "_MEMTOOL_COMPLETE": "bash_complete",
                "COMP_WORDS": f"memtool --user {user} {command} {word}",
                "COMP_CWORD": str(3 + len(command.split())),
            }
            _, shown = run_here(root, home, **environment)
            assert other not in shown, (command, shown)


def _completable() -> Iterator[tuple[str, str]]:
    names = {name.split(" ")[0] for name in LISTERS if not name.startswith("--")}
    lines = {
        "init": "", "get": "memory/", "search": "path:", "facts": "", "rules": "", "candidates": "",
        "episodes": "", "quarantine": "", "import": "", "migrate": "", "note": "", "undo": "", "trace": "m-",
        "help": "", "memories": "/memories/", "config": "",
    }  # fmt: skip
    assert lines.keys() == names
    actions = {
        "facts": "show", "rules": "archive", "candidates": "show", "episodes": "show", "quarantine": "show",
        "note": "show", "memories": "view", "config": "get",
    }  # fmt: skip
    for name, word in lines.items():
        yield f"{name} {actions[name]}" if name in actions else name, word


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A workspace with two groups and what they share, and the memory of the main group."""
    base = tmp_path_factory.mktemp("groups")
    files: dict[str, str] = {"MEMORY.md": "- the main lantern\n"}
    for group, word in (("family", "quagga"), ("wholesale", "wombat"), ("global", "shared")):
        files[f"groups/{group}/MEMORY.md"] = f"- the lantern {word}memory\n"
        files[f"groups/{group}/memory/2025-01-15.md"] = f"- the lantern {word}daily [[nowhere{word}]]\n"
    root, home = make(base / "w", {"memtool.toml": 'layout = "nano"\n', **files}), base / "home"
    home.mkdir()
    for group, word in (("family", "quagga"), ("wholesale", "wombat")):
        for arguments in (
            ("scan", "--group", group, "-m", f"I prefer {word}scan lanterns"),
            ("append-daily", "--group", group, "--user-text", f"lantern {word}said"),
        ):
            code, shown = run_here(root, home, *arguments)
            assert code == 0, shown
    return root, home


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "lantern", "-n", "100"),
        ("search", "--exact", "--role", "all", "lantern"),
        ("context", "--prompt", "which lantern have I?"),
        ("log", "--diff", "--all"),
        ("trace", "lantern", "-n", "100"),
        ("lint",),
        ("note", "broken"),
        ("note", "links"),
    ],
)
def test_a_group_and_the_main_group_by_environment_see_nothing_of_another_group(groups, arguments):
    root, home = groups
    for actor, hidden in (
        ("main", ("quagga", "wombat")),
        ("family", ("wombat",)),
        ("wholesale", ("quagga",)),
    ):
        code, shown = run_here(root, home, *arguments, MEMTOOL_GROUP=actor)
        assert code in {0, 1}, shown
        assert not any(word in shown for word in hidden), (actor, shown)
    if arguments[0] != "context":
        _, shown = run_here(root, home, *arguments)
        assert "quagga" in shown
        assert "wombat" in shown
