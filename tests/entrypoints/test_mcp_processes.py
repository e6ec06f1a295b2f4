"""The MCP server as a process of its own, over real pipes and sockets, by the SDK's own client."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult
from typer.testing import Result

import emberkeep
from emberkeep.entrypoints.mcp.serving import parse_address
from emberkeep.errors import InvalidInput
from emberkeep.providers.base import Embedder

pytestmark = pytest.mark.slow
TIMEOUT_S = 60
HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
Talk = Callable[[Client], Awaitable[Any]]


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "agent.db")


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "emberkeep", "mcp", *options]


def served(*options: str) -> StdioServerParameters:
    name, *args = command(*options)
    kept = {
        key: os.environ[key]
        for key in ("EMBERKEEP_HOME", "EMBERKEEP_EMBEDDER_THREADS", "PYTHONPATH")
        if key in os.environ
    }
    return StdioServerParameters(command=name, args=args, env=kept)


def over_pipes(what: Talk, *options: str, mode: Any = "auto") -> Any:
    async def run() -> Any:
        async with Client(served(*options), mode=mode, read_timeout_seconds=TIMEOUT_S) as client:
            return await what(client)

    return asyncio.run(run())


@contextmanager
def over_http(*options: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    whole = command("--http", "127.0.0.1:0", *options)
    with subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().removeprefix("serving: ").strip(), server
        finally:
            server.kill()


def data(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_an_agent_learns_in_one_session_it_is_told_in_the_next(db: str, mode: str) -> None:
    async def first(client: Client) -> None:
        assert len((await client.list_tools()).tools) <= 12
        said = [{"role": "user", "content": "I am allergic to peanuts.", "name": "Alex"}]
        data(await client.call_tool("add", {"messages": said, "session_id": "one"}))
        data(await client.call_tool("remember", {"text": "Алекс любит 寿司 🍣", "kind": "preference"}))
        task = data(await client.call_tool("task_start", {"description": "Deploy the web shop"}))["task_id"]
        step = {"task_id": task, "tool": "shell", "output": "DiskFull: no space left", "success": False}
        data(await client.call_tool("task_step", step))
        ended = {"task_id": task, "success": False, "summary": "The disk of the web server was full"}
        data(await client.call_tool("task_finish", ended))

    async def second(client: Client) -> tuple[str, str, str]:
        context = data(await client.call_tool("context", {"task": "Order peanuts or sushi (寿司) for Alex"}))
        warned = data(await client.call_tool("warn", {"action": "deploy the web shop"}))
        prompt = (await client.get_prompt("recall", {"task": "Order peanuts for Alex"})).messages[0].content
        return context["text"], json.dumps(warned), prompt.text  # type: ignore[union-attr]

    over_pipes(first, "--db", db, "--user", "alex", mode=mode)
    context, warned, prompt = over_pipes(second, "--db", db, "--user", "alex", mode=mode)
    assert "allergic to peanuts" in context
    assert "Алекс любит 寿司 🍣" in context
    assert "The disk of the web server was full" in warned
    assert "allergic to peanuts" in prompt
    assert over_pipes(second, "--db", db, "--user", "sam", mode=mode)[0] == ""


def test_on_stdout_is_nothing_but_the_protocol_and_the_end_of_stdin_ends_it(db: str) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "this is not JSON",
        json.dumps(
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "stats", "arguments": {"x": 1}}}
        ),
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "stats"}}),
    ]
    with subprocess.Popen(command("--db", db), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write("\n".join(lines) + "\n")
            server.stdin.flush()
            answers: dict[int | None, Any] = {}
            while not {2, 3} <= set(answers):
                answer = json.loads(server.stdout.readline())
                answers[answer.get("id")] = answer
            server.stdin.close()
            assert server.stdout.read() == ""
            assert server.wait(timeout=TIMEOUT_S) == 0
        finally:
            server.kill()
    assert answers[1]["result"]["serverInfo"] == {
        "name": "emberkeep",
        "title": "Emberkeep",
        "version": emberkeep.__version__,
    }
    assert answers[2]["result"]["isError"] is True
    assert answers[3]["result"]["structuredContent"]["memories"] == 0
    assert not list(Path(db).parent.glob("*-wal"))  # the memory was closed


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_though_nothing_comes_from_stdin(db: str, stop: signal.Signals) -> None:
    with subprocess.Popen(command("--db", db), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n")
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["id"] == 1
            server.send_signal(stop)
            assert server.wait(timeout=TIMEOUT_S) == -stop
        finally:
            server.kill()


def test_a_huge_text_is_refused_and_the_server_goes_on(db: str) -> None:
    async def ask(client: Client) -> None:
        refused = await client.call_tool("remember", {"text": "x" * 3_000_000})
        assert refused.is_error
        assert "3000000 characters" in refused.structured_content["error"]["message"].replace(",", "")
        long = "tea " * 100_000
        data(await client.call_tool("add", {"messages": [{"role": "user", "content": long}]}))
        assert data(await client.call_tool("stats", {}))["interactions"] == 1

    over_pipes(ask, "--db", db)


def test_two_clients_at_once_on_one_file(db: str) -> None:
    async def write(name: str) -> None:
        async with Client(served("--db", db, "--agent", name), read_timeout_seconds=TIMEOUT_S) as client:
            for number in range(10):
                given = {"text": f"{name} knows fact number {number} about {name}{number}"}
                assert data(await client.call_tool("remember", given))["new"] == 1
            found = data(await client.call_tool("search", {"query": f"{name}3", "limit": 1}))["memories"]
            assert found[0]["text"].startswith(name)

    async def run() -> None:
        await asyncio.gather(write("voxa"), write("aira"))

    asyncio.run(run())
    with emberkeep.open(db) as memory:
        agents = [item.agent_id for item in memory.get_all()]
    assert (agents.count("voxa"), agents.count("aira")) == (10, 10)


def test_a_server_that_is_killed_loses_nothing_it_acknowledged(db: str, embedder: Embedder) -> None:
    kept: list[str] = []
    with subprocess.Popen(command("--db", db), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}) + "\n")
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
        for number in range(1, 200):
            params = {"name": "remember", "arguments": {"text": f"plum{number} is number {number}"}}
            line = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            server.stdin.write(json.dumps(line) + "\n")
        server.stdin.flush()
        while len(kept) < 20:  # the others are under way
            answer = json.loads(server.stdout.readline())
            if answer["id"]:
                kept.append(answer["result"]["structuredContent"]["memories"][0]["id"])
        server.kill()
    assert server.returncode == -signal.SIGKILL
    with emberkeep.open(db, embedder=embedder) as memory:
        assert all(memory.get(one).text.startswith("plum") for one in kept)
        assert memory.search("plum1", limit=1)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_over_http_it_serves_until_it_is_told_to_stop(db: str, stop: signal.Signals) -> None:
    async def ask(url: str) -> None:
        async with Client(url, read_timeout_seconds=TIMEOUT_S) as client:
            assert len((await client.list_tools()).tools) <= 12
            data(await client.call_tool("remember", {"text": "Prefers a window seat", "kind": "preference"}))
            found = data(await client.call_tool("search", {"query": "which seat?"}))["memories"]
            assert [one["text"] for one in found] == ["Prefers a window seat"]
            assert (await client.call_tool("forget", {"id": "x"})).is_error
            (content,) = (await client.read_resource("emberkeep://recent")).contents
            assert "window seat" in content.text  # type: ignore[union-attr]

    with over_http("--db", db, "--user", "alex") as (url, server):
        assert url.endswith("/mcp")
        asyncio.run(ask(url))
        server.send_signal(stop)
        assert server.wait(timeout=TIMEOUT_S) == 0
        assert server.stdout is not None
        assert server.stderr is not None
        assert (server.stdout.read(), server.stderr.read()) == ("", "")


def test_pages_of_others_are_refused(db: str) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    with over_http("--db", db) as (url, server), httpx.Client(headers=HEADERS, timeout=TIMEOUT_S) as client:
        port = httpx.URL(url).port
        assert client.post(url, json=call).status_code == 200
        for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
            headers = {"host": host, "origin": f"http://{host}"}
            assert client.post(url, json=call, headers=headers).status_code == 200
        for host in (f"evil.example:{port}", "127.0.0.1:1", "evil.example"):
            assert client.post(url, json=call, headers={"host": host}).status_code == 421
        for origin in ("http://evil.example", f"http://evil.example:{port}", "null", f"http://127.0.0.1.evil:{port}"):
            assert client.post(url, json=call, headers={"origin": origin}).status_code == 403
        assert client.post(url, content=json.dumps(call), headers={"content-type": "text/plain"}).status_code == 400
        assert client.post(url, json={"x": "y" * 5_000_000}).status_code == 413
        server.terminate()


def test_several_processes_can_serve_one_client(db: str) -> None:
    def ask(client: httpx.Client, url: str, name: str, **arguments: Any) -> Any:
        params = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return client.post(url, json=body).raise_for_status().json()["result"]["structuredContent"]

    with (
        over_http("--db", db) as (one, _),
        over_http("--db", db) as (other, _),
        httpx.Client(headers=HEADERS, timeout=TIMEOUT_S) as client,
    ):
        for number in range(4):
            first, second = (one, other) if number % 2 else (other, one)
            kept = ask(client, first, "remember", text=f"plum{number} is number {number}")["memories"][0]["id"]
            assert ask(client, second, "search", query=f"plum{number}", limit=1)["memories"][0]["id"] == kept


@pytest.mark.parametrize("address", ["0.0.0.0:8788", "192.168.1.2:8788", "example.org:80", "[::]:1"])
def test_without_keys_it_is_served_on_this_machine_only(run: Callable[..., Result], address: str) -> None:
    result = run("mcp", "--http", address, "--json")
    assert result.exit_code == 2
    assert "on this machine only" in result.stderr


@pytest.mark.parametrize("address", ["8788", "127.0.0.1", "127.0.0.1:x", ":1", "127.0.0.1:70000", "127.0.0.1:-1"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    with pytest.raises(InvalidInput, match="write HOST:PORT"):
        parse_address(address)


def test_an_address_is_understood() -> None:
    assert parse_address("127.0.0.1:0") == ("127.0.0.1", 0)
    assert parse_address("localhost:8788") == ("localhost", 8788)
    assert parse_address("[::1]:1") == ("::1", 1)


def test_it_says_what_is_missing(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emberkeep.entrypoints.mcp.serving.find_spec", lambda _: None)
    for args in (["mcp"], ["mcp", "install"]):
        result = run(*args)
        assert result.exit_code == 2
        assert "pip install 'emberkeep[mcp]'" in result.stderr


def test_nobody_is_called_everyone(run: Callable[..., Result]) -> None:
    result = run("mcp", "--user", "*")
    assert result.exit_code == 2
    assert "means everyone" in result.stderr
