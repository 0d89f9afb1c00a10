"""Hooks in real agents: what memory says reaches the model, and what was said reaches memory."""

from __future__ import annotations

import html
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.clients.agents import CLIENT_NAMES, Agent, agent, program, ran
from tests.clients.history import imported, turns
from tests.clients.model import Call, Model, Say
from tests.hooks import PAGES, log_of
from tests.trees import make

AGENTS = ("claude", "codex", "opencode", "pi", "gemini", "qwen")
"""The agents that get memory with a prompt."""
SKILL = "Search, recall, save, correct and forget memory that outlives this conversation"
"""The beginning of the description of the skill that `hook install` adds, which agents tell their models."""


def wired(name: str, folder: Path) -> Agent:
    """An agent in a workspace of its own, with the hooks as `hook install` writes them."""
    one = agent(name, folder)
    make(one.project, PAGES)
    result = ran(
        ["memtool", "hook", "install", CLIENT_NAMES.get(name, name)],
        cwd=one.project,
        environment=one.environment,
    )
    assert result.code == 0, result.said
    return one


def notes(one: Agent) -> str:
    """The notes of all days."""
    return "".join(path.read_text() for path in sorted(one.project.glob("memory/20*.md")))


@pytest.mark.parametrize("name", AGENTS)
def test_a_prompt_gets_what_memory_says_of_it_and_its_turn_is_kept(tmp_path, name):
    one = wired(name, tmp_path)
    with Model([Say("Three percent.")]) as model:
        ran = one.run("How much iron oxide does celadon need? I prefer tea.", model)
    assert ran.code == 0, ran.said
    assert "- The kiln is fired to 1240 degrees" in model.text  # as the session began
    assert "Celadon needs three percent of iron oxide." in model.text  # with the prompt
    assert model.text.count("The kiln is fired to 1240 degrees") == len(model.requests)
    assert turns(one) == [["How much iron oxide does celadon need? I prefer tea.", "Three percent."]]
    assert (
        "**User:** How much iron oxide does celadon need? I prefer tea.\n**Agent:** Three percent."
        in notes(one)
    )
    assert "I prefer tea" in (one.project / "MEMORY.md").read_text()
    assert log_of(one.project) == ""
    assert SKILL in json.dumps([request.body for request in model.requests])
    assert imported(one) == turns(one)


@pytest.mark.parametrize(("name", "text"), [(name, "漢" * 900) for name in AGENTS])
def test_all_that_is_told_is_given_to_the_model_and_not_put_into_a_file(tmp_path, name, text):
    one = wired(name, tmp_path)
    make(one.project, {"MEMORY.md": "".join(f"- {number} {text[:90]}\n" for number in range(400))})
    with Model([Say("Good.")]) as model:
        ran = one.run("hello there", model)
    assert ran.code == 0, ran.said
    assert "</memory-context>" in html.unescape(model.text)  # which Gemini CLI and Qwen Code escape
    if name != "qwen":  # whose system prompt explains such a sign
        assert not [sign for sign in ("Full hook output saved", "persisted-output") if sign in model.text]


def test_claude_code_compacts_with_what_memory_says_and_goes_on_with_it(tmp_path):
    one = wired("claude", tmp_path)
    with Model([Say("Good."), Say("The user goes with cone 6."), Say("Yes.")]) as model:
        first = one.run("Let's go with cone 6. I live in Ghent.", model)
        session = json.loads(first.stdout)["session_id"]
        assert one.run("/compact", model, "--resume", session).code == 0
        compaction = next(one.text for one in model.requests if "Additional Instructions" in one.text)
        said = one.run("And now?", model, "--resume", session)
    assert said.code == 0, said.said
    assert "In the summary, keep the exact wording of" in compaction
    assert "Let's go with cone 6." in compaction
    assert "**User:** Let's go with cone 6." not in compaction  # the conversation has it
    page = (one.project / "MEMORY.md").read_text()
    assert "User lives in Ghent" in page
    assert "by claude-code.\n\nThe user goes with cone 6.\n" in page
    assert "## Today's Notes" in model.requests[-1].text  # where things stood, after the compaction
    assert [one[0] for one in turns(one)] == ["Let's go with cone 6. I live in Ghent.", "And now?"]
    assert log_of(one.project) == ""


def test_claude_code_that_resumes_or_forks_a_session_is_not_told_what_it_said(tmp_path):
    one = wired("claude", tmp_path)
    (one.project / "AGENTS.md").write_text("# Agents\n\nAsk before you post.\n")
    with Model([Say("Good."), Say("It is cone 6."), Say("Yes, cone 6.")]) as model:
        first = one.run("Let's go with cone 6 for the celadon.", model)
        session = json.loads(first.stdout)["session_id"]
        one.run("Which cone did we choose for the celadon?", model, "--resume", session)
        said = one.run("And which one for the celadon again?", model, "--resume", session, "--fork-session")
    assert said.code == 0, said.said
    told = model.requests[-1].text
    assert told.count("Let's go with cone 6 for the celadon.") == 1  # what the user said
    assert told.count("Ask before you post.") == 1  # read by the agent itself
    assert told.count("three percent of iron oxide") == 1
    assert log_of(one.project) == ""


def test_gemini_cli_that_resumes_and_compresses_a_conversation_has_memory_once(tmp_path):
    one = wired("gemini", tmp_path)
    snapshot = Say("<state_snapshot>The user goes with cone 6.</state_snapshot>")
    look = Call("list_directory", {"dir_path": "."}, tokens=900_000)
    with Model([Say("Good."), look, snapshot, snapshot, Say("Yes."), Say("Cone 6.")]) as model:
        one.run("Let's go with cone 6 for the celadon.", model)
        first = len(model.requests)
        one.run("What lies here?", model, "--resume", "latest")
        resumed, compressed = model.requests[first].text, len(model.requests)
        done = one.run("And now?", model, "--resume", "latest")
    assert done.code == 0, done.said
    assert "Let's go with cone 6 for the celadon." in resumed  # which a hook could make Gemini CLI leave out
    assert resumed.count("- The kiln is fired to 1240 degrees") == 1
    told = model.requests[compressed].text
    assert "The user goes with cone 6." in told
    assert told.count("- The kiln is fired to 1240 degrees") == 1
    said = [["Let's go with cone 6 for the celadon.", "Good."], ["What lies here?", "Yes."]]
    assert turns(one) == [*said, ["And now?", "Cone 6."]]
    assert imported(one) == turns(one)
    assert notes(one).count("**User:** Let's go with cone 6 for the celadon.\n**Agent:** Good.") == 1
    assert log_of(one.project) == ""


def test_qwen_code_that_calls_a_tool_and_resumes_a_session_has_memory_once(tmp_path):
    one = wired("qwen", tmp_path)
    (one.project / "AGENTS.md").write_text("# Agents\n\nAsk before you post.\n")
    with Model([Call("read_file", {"file_path": "/absent"}), Say("Good."), Say("It is cone 6.")]) as model:
        one.run("Let's go with cone 6 for the celadon.", model)
        done = one.run("How much iron oxide does celadon need?", model, "--continue")
    assert done.code == 0, done.said
    for request in model.requests:
        assert request.text.count("- The kiln is fired to 1240 degrees") == 1
        assert request.text.count("Ask before you post.") == 1  # read by the agent itself
    assert model.requests[-1].text.count("Celadon needs three percent of iron oxide.") == 1
    assert turns(one) == [
        ["Let's go with cone 6 for the celadon.", "Good."],
        ["How much iron oxide does celadon need?", "It is cone 6."],
    ]
    assert imported(one) == turns(one)
    assert notes(one).count("**User:** Let's go with cone 6 for the celadon.\n**Agent:** Good.") == 1
    assert log_of(one.project) == ""


def test_codexs_notify_keeps_the_turn_that_its_hooks_keep(tmp_path):
    one = wired("codex", tmp_path)
    with Model([Say("Hot.")]) as model:
        ran = one.run("How hot?", model, "-c", 'notify=["memtool", "hook", "--codex-notify"]')
    assert ran.code == 0, ran.said
    deadline = time.monotonic() + 30
    while not turns(one) and time.monotonic() < deadline:
        time.sleep(0.05)  # notify is not waited for
    assert turns(one) == [["How hot?", "Hot."]]
    (one.home / ".codex" / "hooks.json").unlink()
    with Model([Say("Cold.")]) as model:
        one.run("How cold?", model, "-c", 'notify=["memtool", "hook", "--codex-notify"]')
    while len(turns(one)) < 2 and time.monotonic() < deadline + 30:
        time.sleep(0.05)
    assert turns(one)[1:] == [["How cold?", "Cold."]]
    assert log_of(one.project) == ""


@contextmanager
def gateway(one: Agent) -> Iterator[dict[str, str]]:
    """OpenClaw's Gateway, for its internal hooks run nowhere else; gives the environment to talk to it."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = one.home / ".openclaw" / "openclaw.json"
    settings = json.loads(path.read_text())
    auth = {"mode": "token", "token": "token"}
    settings["gateway"] = {"mode": "local", "bind": "loopback", "port": port, "auth": auth}
    path.write_text(json.dumps(settings))
    environment = {**one.environment, "OPENCLAW_GATEWAY_TOKEN": "token"}
    with (one.home / "gateway.log").open("wb") as log:
        process = subprocess.Popen(
            [program("node"), program("openclaw"), "gateway", "run", "--port", str(port)],
            cwd=one.project,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + 60
        while "internal hook" not in (one.home / "gateway.log").read_text():
            assert process.poll() is None, (one.home / "gateway.log").read_text()
            assert time.monotonic() < deadline, (one.home / "gateway.log").read_text()
            time.sleep(0.1)
        yield environment
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_openclaws_gateway_puts_memory_before_a_conversation_and_keeps_its_turns(tmp_path):
    one = wired("openclaw", tmp_path)
    make(one.project, {"memory/working/WORKING_MEMORY.md": "# Working memory\n\n- The spring order is due\n"})
    with Model([Say("At 1240 degrees.")]) as model:
        one.run("hello", model)  # without the Gateway: the files that OpenClaw reads itself are there
        assert "- The kiln is fired to 1240 degrees" in model.text
        assert "The spring order is due" not in model.text
        talk = [program("node"), program("openclaw"), "agent", "--session-id", "two", "--message"]
        with gateway(one) as environment:
            for said in ("How hot is the kiln? I prefer tea.", "/new"):
                done = ran([*talk, said], cwd=one.project, environment=environment, timeout=120)
                assert done.code == 0, done.said
    told = model.requests[-1].text
    assert "- The spring order is due" in told
    assert "Dilnoza, a potter." in told
    assert told.count("- The kiln is fired to 1240 degrees") == 1  # OpenClaw's own, and not once more
    assert SKILL in told
    assert ["How hot is the kiln? I prefer tea.", "At 1240 degrees."] in turns(one)
    assert (one.project / "SESSION-STATE.archive.md").read_text().count("I prefer tea") == 1
    assert "**User:** How hot is the kiln? I prefer tea.\n**Agent:** At 1240 degrees." in notes(one)
    assert log_of(one.project) == ""
    assert ["How hot is the kiln? I prefer tea.", "At 1240 degrees."] in imported(one)


PLUGINS = {
    "opencode": ".config/opencode/plugins/memtool.js",
    "pi": ".pi/agent/extensions/memtool.js",
}


@pytest.mark.parametrize("name", PLUGINS)
@pytest.mark.parametrize("fault", ["gone", "hangs"])
def test_a_plugin_without_a_memtool_that_answers_costs_its_time_limit_and_says_so_once(tmp_path, name, fault):
    one = wired(name, tmp_path)
    plugin = one.home / PLUGINS[name]
    text = plugin.read_text()
    if fault == "gone":
        (one.home.parent / "bin" / "memtool").unlink()
        reason = "ENOENT"
    else:
        hanging = one.home.parent / "bin" / "memtool"
        hanging.write_text("#!/bin/sh\nexec sleep 600\n")
        reason = "did not answer in 1 seconds"
    short = text.replace("PROMPT_SECONDS = 10", "PROMPT_SECONDS = 1")
    plugin.write_text(short.replace("TURN_SECONDS = 30", "TURN_SECONDS = 1"))
    options = ["--print-logs"] if name == "opencode" else []
    with Model([Say("Hot.")]) as model:
        ran = one.run("How hot?", model, *options)
    assert ran.code == 0, ran.said
    assert "Hot." in ran.stdout
    assert "memory-context" not in model.text
    assert ran.stderr.count("memtool adds no memory") == 1, ran.said
    assert reason in ran.stderr


@pytest.mark.parametrize("name", PLUGINS)
def test_a_fork_stores_only_what_is_said_in_it(tmp_path, name):
    one = wired(name, tmp_path)
    with Model([Say("Hot."), Say("Hot."), Say("Cold.")]) as model:
        one.run("How hot?", model)
        (log,) = one.home.glob(".pi/agent/sessions/*/*.jsonl") if name == "pi" else ("",)
        options = ["--fork", str(log)] if name == "pi" else ["-c", "--fork"]
        ran = one.run("How cold?", model, *options)
    assert ran.code == 0, ran.said
    assert "How hot?" in model.requests[-1].text
    assert [turn[0] for turn in turns(one)] == ["How hot?", "How cold?"]
    assert notes(one).count("**User:** How hot?") == 1
    database = one.home / ".local/share/opencode/opencode.db"
    result = Path(log).parent if name == "pi" else database
    told = ran_import(one, name, result)
    assert "0 imported" in told.replace("\n", " ")
    assert len(turns(one)) == 2
    assert log_of(one.project) == ""


def ran_import(one: Agent, name: str, path: Path) -> str:
    """What `memtool import` says of the files that the agent has written."""
    done = ran(["memtool", "import", name, str(path)], cwd=one.project, environment=one.environment)
    assert done.code == 0, done.said
    return done.stdout


def test_pi_goes_on_after_a_compaction_with_what_memory_says(tmp_path):
    one = wired("pi", tmp_path)
    keep = {"compaction": {"keepRecentTokens": 10}}
    (one.home / ".pi/agent/settings.json").write_text(json.dumps(keep))
    with Model([Say("Good."), Say("Good."), Say("The user goes with cone 6."), Say("Yes.")]) as model:
        one.run("Let's go with cone 6. I live in Ghent.", model)
        one.run("And how many " + "pots " * 40 + "are there?", model, "-c")
        command = [program("node"), program("pi"), "--provider", "mock", "--model", "mock-model"]
        process = subprocess.Popen(
            [*command, "--mode", "rpc", "-c"],
            cwd=one.project,
            env=one.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        said = []
        for order, end in (
            ({"type": "compact", "id": "one"}, '"id":"one"'),
            ({"type": "prompt", "message": "And now?"}, '"agent_settled"'),
        ):
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                said.append(line)
                if end in line:
                    break
        process.stdin.close()
        process.wait(30)
    told = model.requests[-1].text
    assert "The user goes with cone 6." in told, said
    assert "## Today's Notes" in told
    page = (one.project / "MEMORY.md").read_text()
    assert "User lives in Ghent" in page
    assert "by pi.\n\nThe user goes with cone 6.\n" in page
    assert [turn[0] for turn in turns(one)][-1] == "And now?"
    assert log_of(one.project) == ""
