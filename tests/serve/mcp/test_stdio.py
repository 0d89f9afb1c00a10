"""The protocol line by line: what a client may send, and what is answered to what it should not."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest

from tests import forked
from tests.hooks import locked_elsewhere
from tests.serve.mcp.talk import NEWEST, PATIENCE, Talk, sample, session
from tests.trees import clean_environment, interruptible, make


@pytest.fixture(scope="module")
def talk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wire")
    with Talk(session(sample(folder), folder)) as one:
        yield one


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST])
def test_a_known_version_is_agreed_to(talk, version):
    assert talk.shake(version)["protocolVersion"] == version


def test_an_unknown_version_is_answered_with_the_newest(talk):
    about = talk.shake("1999-01-01")
    assert about["protocolVersion"] == NEWEST
    assert about["serverInfo"]["name"] == "memtool"
    assert about["capabilities"].keys() == {"tools", "resources", "prompts"}


def test_a_client_may_number_by_texts(talk):
    talk.say({"jsonrpc": "2.0", "id": "seven", "method": "ping"})
    assert talk.answer("seven") == {"jsonrpc": "2.0", "id": "seven", "result": {}}


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"nonsense", None, -32700),
        (b'{"jsonrpc": "2.0", "id": 900,', None, -32700),
        (b"\xff\xfe\x00", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"[]", None, -32600),
        (b'[{"jsonrpc":"2.0","id":901,"method":"ping"}]', None, -32600),
        (b'"ping"', None, -32600),
        (b"null", None, -32600),
        (b'{"id": 902, "method": "ping"}', 902, -32600),
        (b'{"jsonrpc": "1.0", "id": 903, "method": "ping"}', 903, -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": 904, "method": 5}', 904, -32600),
        (b'{"jsonrpc": "2.0", "id": 905, "method": "no/such"}', 905, -32601),
        (b'{"jsonrpc": "2.0", "id": 906, "method": "tools/call", "params": {"name": "none"}}', 906, -32602),
        (b'{"jsonrpc": "2.0", "id": 907, "method": "tools/call", "params": {}}', 907, -32602),
        (b'{"jsonrpc": "2.0", "id": 908, "method": "tools/call", "params": "x"}', 908, -32600),
        (b'{"jsonrpc": "2.0", "id": 910, "method": "prompts/get", "params": {"name": "none"}}', 910, -32602),
    ],
)
def test_what_is_no_good_request_gets_an_error_and_the_talk_goes_on(talk, line, number, code):
    talk.say(line)
    answer = talk.answer(number)
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]
    assert talk.ask("ping")["result"] == {}


def test_half_a_character_is_refused_in_words(talk):
    talk.say(
        b'{"jsonrpc":"2.0","id":950,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"a\\ud800"}}}'
    )
    assert "unpaired surrogate" in talk.answer(950)["error"]["message"]


@pytest.mark.parametrize("ends", ["first", "last"])
def test_a_request_of_many_megabytes_is_refused_by_its_number(talk, ends):
    from memtool.serve.mcp.stdio import MOST_BYTES

    filler = b'"params": {"text": "' + b"x" * MOST_BYTES + b'"}'
    head, number = b'"jsonrpc": "2.0", "method": "ping"', b'"id": 951'
    rows = [number, head, filler] if ends == "first" else [head, filler, number]
    talk.say(b"{" + b", ".join(rows) + b"}")
    assert "longer than 8,000,000 bytes" in talk.answer(951)["error"]["message"]
    assert talk.ask("ping")["result"] == {}


def test_what_asks_for_nothing_gets_nothing(talk):
    for line in (
        b"",
        b"  ",
        b'{"jsonrpc": "2.0", "method": "notifications/unheard"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4711}}',
        b'{"jsonrpc": "2.0", "method": 5}',
        b'{"jsonrpc": "2.0", "id": 4712, "result": {}}',
    ):
        talk.say(line)
    talk.say(b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": "after", "method": "ping"}\r')
    assert talk.hear()["id"] == "after"


def test_a_call_that_takes_long_keeps_nobody_waiting(tmp_path):
    root = sample(tmp_path)
    with Talk(session(root, tmp_path)) as talk:
        with locked_elsewhere(root):
            saving = talk.request(
                "tools/call", {"name": "memory_append_daily", "arguments": {"text": "Waited for the lock."}}
            )
            assert talk.ask("ping")["result"] == {}
            assert "Thursdays" in talk.text("memory_search", query="when is the kiln free")
            assert not talk.is_answered(saving)
        assert not talk.answer(saving)["result"]["isError"]


def test_write_hooks_run_after_the_answer_and_learn_which_client_it_was(tmp_path):
    root, pipe = sample(tmp_path), tmp_path / "pipe"
    os.mkfifo(pipe)
    make(tmp_path / "config/memtool", {"config.toml": f"[[write_hook]]\ncommand = 'cat > {pipe}'\n"})
    with Talk(session(root, tmp_path)) as talk:
        talk.text("memory_append_daily", text="The hook waits for a reader.")
        record = json.loads(pipe.read_text())
    assert (record["verb"], record["command"]) == ("mcp", "mcp memory_append_daily")
    assert record["actor"]["agent"] == "test"


def test_a_cancelled_call_is_not_answered(tmp_path):
    root = sample(tmp_path)
    with Talk(session(root, tmp_path)) as talk:
        with locked_elsewhere(root):
            saving = talk.request(
                "tools/call", {"name": "memory_append_daily", "arguments": {"text": "Never mind."}}
            )
            cancel = {"requestId": saving, "reason": "the user went on"}
            talk.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
            assert talk.ask("ping")["result"] == {}
        talk.hang_up()
        with pytest.raises(EOFError):
            talk.hear()


def test_what_was_asked_before_the_end_is_answered(tmp_path):
    with Talk(session(sample(tmp_path), tmp_path)) as talk:
        numbers = [
            talk.request("tools/call", {"name": "memory_search", "arguments": {"query": word}})
            for word in ("kiln", "celadon", "mugs")
        ]
        talk.hang_up()
        assert all("result" in talk.answer(number) for number in numbers)
        with pytest.raises(EOFError):
            talk.hear()


HELLO = {"protocolVersion": NEWEST, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
SHAKE = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]


def started(root, home, *options):
    return forked.started([*options, "mcp", "--root", str(root)], root, clean_environment(home))


def lines(*messages):
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


def test_the_process_says_nothing_but_the_protocol_and_ends_well(tmp_path):
    process = started(sample(tmp_path), tmp_path, "-v")
    tools = ("memory_search", "memory_context", "memory_recall")
    asked = [{"name": name, "arguments": {"query": "kiln"}} for name in tools]
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        for number, params in enumerate(asked, 1)
    ]
    out, err = process.communicate(lines(*SHAKE, *calls), timeout=60)
    assert process.returncode == 0, err
    answers = [json.loads(line) for line in out.splitlines()]
    assert sorted(one["id"] for one in answers) == [0, 1, 2, 3]
    assert not any(one["result"].get("isError") for one in answers)


def test_a_client_that_stops_reading_ends_it_quietly(tmp_path):
    process = started(sample(tmp_path), tmp_path)
    process.stdin.write(lines(*SHAKE))
    process.stdin.flush()
    assert process.stdout.readline()
    process.stdout.close()
    process.stdin.write(lines({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))
    process.stdin.flush()
    assert process.wait(PATIENCE) == 0
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_it_does_not_start_without_both_ends(tmp_path, closed):
    command = f'exec "{sys.executable}" -m memtool mcp --root "{sample(tmp_path)}" {closed}'
    result = subprocess.run(
        ["sh", "-c", command],
        env=clean_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == b"memtool: memtool mcp needs stdin and stdout, but one of them is closed\n"


def test_an_interrupt_ends_it_while_it_waits(tmp_path):
    with interruptible():
        process = started(sample(tmp_path), tmp_path)
    process.stdin.write(lines(*SHAKE))
    process.stdin.flush()
    assert process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.strip()) == (130, b"", b"memtool: interrupted")


@pytest.mark.parametrize("interrupted", [True, False])
def test_what_breaks_while_it_is_interrupted_hides_no_interrupt(interrupted):
    from memtool.serve.mcp.stdio import run_over_stdio

    async def breaks(incoming, _):
        try:
            await incoming.receive()
        finally:
            raise OSError("broke on the way out")

    async def run():
        carried = asyncio.ensure_future(run_over_stdio(breaks, source, sink))
        await asyncio.sleep(0)
        if interrupted:
            await asyncio.sleep(0)
            carried.cancel()
        else:
            os.close(client)
        await carried

    source, client = os.pipe()
    sink = os.open(os.devnull, os.O_WRONLY)
    with pytest.raises(asyncio.CancelledError if interrupted else BaseExceptionGroup):
        asyncio.run(run())
    os.close(sink)
    if interrupted:
        os.close(client)
