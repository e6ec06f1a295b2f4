"""Putting the MCP server into the settings of clients, which hold much that is not ours."""

import asyncio
import json
import os
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as McpClient
from mcp import StdioServerParameters
from typer.testing import Result

from emberkeep.entrypoints.mcp.clients import CLIENTS

Run = Callable[..., Result]
JSON_CLIENTS = [name for name, client in CLIENTS.items() if client.form == "json"]


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that nobody's settings are touched."""
    for name in ("XDG_CONFIG_HOME", "APPDATA", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def servers(path: Path, name: str) -> Any:
    text = path.read_text(encoding="utf-8")
    return (json.loads(text) if CLIENTS[name].form == "json" else tomllib.loads(text))[CLIENTS[name].key]


@pytest.mark.parametrize(
    ("platform", "name", "path"),
    [
        ("darwin", "claude-desktop", "/h/Library/Application Support/Claude/claude_desktop_config.json"),
        ("linux", "claude-desktop", "/h/.config/Claude/claude_desktop_config.json"),
        ("win32", "claude-desktop", "/roaming/Claude/claude_desktop_config.json"),
        ("linux", "claude-code", ".mcp.json"),
        ("darwin", "cursor", "/h/.cursor/mcp.json"),
        ("darwin", "vscode", "/h/Library/Application Support/Code/User/mcp.json"),
        ("linux", "windsurf", "/h/.codeium/windsurf/mcp_config.json"),
        ("linux", "zed", "/h/.config/zed/settings.json"),
        ("darwin", "zed", "/h/.config/zed/settings.json"),
        ("win32", "zed", "/roaming/Zed/settings.json"),
        ("linux", "codex", "/h/.codex/config.toml"),
    ],
)
def test_each_client_has_its_place(platform: str, name: str, path: str) -> None:
    assert CLIENTS[name].path({"HOME": "/h", "APPDATA": "/roaming"}, platform).as_posix() == path


def test_places_that_were_moved_are_known() -> None:
    assert CLIENTS["codex"].path({"HOME": "/h", "CODEX_HOME": "/c"}).as_posix() == "/c/config.toml"
    moved = CLIENTS["zed"].path({"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "linux")
    assert moved.as_posix() == "/x/zed/settings.json"


@pytest.mark.parametrize("name", CLIENTS)
def test_it_is_printed_and_nothing_is_written(run: Run, own: Path, name: str) -> None:
    result = run("mcp", "install", name, "--db", "agent.db", "--user", "alex")
    assert result.exit_code == 0
    whole = json.loads(result.stdout) if CLIENTS[name].form == "json" else tomllib.loads(result.stdout)
    entry = whole[CLIENTS[name].key]["emberkeep"]
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-P", "-m", "emberkeep", "mcp", "--db", str(own / "agent.db"), "--user", "alex"]
    assert not CLIENTS[name].path().exists()
    assert str(CLIENTS[name].path()) in result.stderr.replace("\n", "")


@pytest.mark.parametrize("name", CLIENTS)
def test_it_is_written_where_there_was_nothing(run: Run, name: str) -> None:
    made = json.loads(run("mcp", "install", name, "--write", "--json").stdout)
    assert (made["written"], made["backup"]) == (True, None)
    path = Path(made["file"])
    assert path == CLIENTS[name].path().resolve()
    assert set(servers(path, name)) == {"emberkeep"}
    before = path.read_bytes()
    again = json.loads(run("mcp", "install", name, "--write", "--json").stdout)
    assert (again["written"], again["backup"]) == (False, None)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.glob(f"*{path.name}*")] == [path.name]


@pytest.mark.parametrize("name", JSON_CLIENTS)
def test_all_else_in_a_file_stays(run: Run, name: str) -> None:
    path, key = CLIENTS[name].path(), CLIENTS[name].key
    path.parent.mkdir(parents=True, exist_ok=True)
    former = {
        "thème": "sombre ☾",
        key: {"other": {"command": "x"}, "emberkeep": {"command": "old", "env": {"A": "b"}}},
        "n": [1, 2.5, None],
    }
    path.write_text(json.dumps(former), encoding="utf-8")
    path.chmod(0o600)
    made = json.loads(run("mcp", "install", name, "--write", "--json").stdout)
    now = json.loads(path.read_text(encoding="utf-8"))
    assert list(now) == list(former)
    entry = now[key].pop("emberkeep")
    assert (entry["command"], entry["env"]) == (sys.executable, {"A": "b"})
    assert {**former, key: {"other": {"command": "x"}}} == now
    assert json.loads(Path(made["backup"]).read_text(encoding="utf-8")) == former
    assert path.stat().st_mode & 0o777 == 0o600


def test_comments_in_toml_stay(run: Run) -> None:
    path = CLIENTS["codex"].path()
    path.parent.mkdir(parents=True)
    former = 'model = "m" # mine\n\n[mcp_servers.other]\ncommand = "x"\n'
    path.write_text(former, encoding="utf-8")
    made = json.loads(run("mcp", "install", "codex", "--write", "--json", "--db", 'my "own" \\ agent\'s.db').stdout)
    assert path.read_text(encoding="utf-8").startswith(former)
    assert set(servers(path, "codex")) == {"other", "emberkeep"}
    assert servers(path, "codex")["emberkeep"]["args"][-1].endswith('my "own" \\ agent\'s.db')
    assert Path(made["backup"]).read_text(encoding="utf-8") == former
    changed = run("mcp", "install", "codex", "--write", "--db", "other.db")
    assert changed.exit_code == 2
    assert "has other values" in changed.stderr


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("cursor", '{"mcpServers": {', "not plain JSON"),
        ("zed", '{"theme": "dark" /* mine */}', "not plain JSON"),
        ("cursor", '{"a": 1, "a": 2}', "a name occurs twice"),
        ("cursor", "[]", "mcpServers is not an object there"),
        ("cursor", '{"mcpServers": []}', "mcpServers is not an object there"),
        ("cursor", '{"mcpServers": {"emberkeep": "x"}}', "mcpServers is not an object there"),
        ("cursor", "\udcff", "not UTF-8 text"),
        ("codex", "model = ", "cannot be added to as TOML"),
        ("codex", 'mcp_servers = "x"', "cannot be added to as TOML"),
        ("codex", "mcp_servers = {}", "cannot be added to as TOML"),
    ],
)
def test_a_file_that_is_not_understood_is_left_alone(run: Run, name: str, text: str, problem: str) -> None:
    path = CLIENTS[name].path()
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    result = run("mcp", "install", name, "--write")
    assert result.exit_code == 2
    assert problem in result.stderr
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape")
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_an_error(run: Run, own: Path) -> None:
    (own / "taken").write_text("a file, not a folder")
    result = run("mcp", "install", "cursor", "--write", "--file", own / "taken" / "mcp.json")
    assert result.exit_code == 2
    assert "cannot be" in result.stderr


def test_a_link_to_a_file_elsewhere_stays_one(run: Run, own: Path) -> None:
    (own / "dotfiles.json").write_text("{}")
    link = own / "mcp.json"
    link.symlink_to(own / "dotfiles.json")
    assert run("mcp", "install", "cursor", "--write", "--file", link).exit_code == 0
    assert link.is_symlink()
    assert "emberkeep" in servers(own / "dotfiles.json", "cursor")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["install", "emacs"], "unknown client 'emacs': use one of claude-desktop, claude-code"),
        (["install", "--write"], "--write needs a client"),
        (["--user", "alex", "install"], "write the options behind install"),
    ],
)
def test_wrong_calls_are_told_clearly(run: Run, args: list[str], message: str) -> None:
    result = run("mcp", *args)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("args", [[], ["install"]])
def test_help_has_an_example(run: Run, args: list[str]) -> None:
    result = run("mcp", *args, "--help")
    assert result.exit_code == 0
    assert f"Example: emberkeep {' '.join(['mcp', *args])}" in " ".join(result.stdout.split())
    assert "--json" in result.stdout
    assert "--db" in result.stdout


@pytest.mark.slow
def test_the_command_that_is_written_works_from_anywhere(run: Run, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(json.loads(run("mcp", "install", "cursor", "--write", "--db", "a.db", "--json").stdout)["file"])
    entry = servers(path, "cursor")["emberkeep"]
    elsewhere = own / "elsewhere"
    (elsewhere / "emberkeep").mkdir(parents=True)
    (elsewhere / "emberkeep" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    there = StdioServerParameters(command=entry["command"], args=entry["args"], cwd=elsewhere, env=kept)

    async def ask() -> Any:
        async with McpClient(there, read_timeout_seconds=60) as client:
            return (await client.call_tool("remember", {"text": "Likes tea"})).structured_content

    assert asyncio.run(ask())["new"] == 1
    assert (own / "a.db").exists()
