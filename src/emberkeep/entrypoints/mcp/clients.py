"""The MCP clients that can use the server, and where each keeps its settings."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from emberkeep.errors import InvalidInput

NAME = "emberkeep"  # of our entry in a client's settings


@dataclass(frozen=True, slots=True)
class Client:
    """A client: the file in which it looks for servers, under which key, and what an entry has beside the command."""

    name: str
    title: str
    place: str  # the path of the file, with names of folders in braces
    key: str = "mcpServers"
    more: Mapping[str, str] = field(default_factory=dict)
    form: Literal["json", "toml"] = "json"
    places: Mapping[str, str] = field(default_factory=dict)  # by platform, where it is not `place`

    def path(self, environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
        """Return the path of its file, on this machine or for the given environment and platform."""
        environ = os.environ if environ is None else environ
        home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
        folders = {"home": home, "settings": _settings_folder(home, environ, platform)}
        folders["codex"] = Path(environ.get("CODEX_HOME") or home / ".codex")
        return Path(self.places.get(platform, self.place).format(**folders))

    def entry(self, command: Sequence[str]) -> dict[str, Any]:
        """Return the entry for our server."""
        return {**self.more, "command": command[0], "args": [*command[1:]]}

    def snippet(self, command: Sequence[str]) -> str:
        """Return the text of a file with nothing but that entry."""
        entry = self.entry(command)
        if self.form == "json":
            return json.dumps({self.key: {NAME: entry}}, indent=2, ensure_ascii=False)
        # A JSON string, or a list of them, is valid TOML too.
        lines = (f"{name} = {json.dumps(value)}" for name, value in entry.items())
        return "\n".join([f"[{self.key}.{NAME}]", *lines])


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client("claude-desktop", "Claude Desktop", "{settings}/Claude/claude_desktop_config.json"),
        Client("claude-code", "Claude Code, in this folder", ".mcp.json"),
        Client("cursor", "Cursor", "{home}/.cursor/mcp.json"),
        Client("vscode", "VS Code", "{settings}/Code/User/mcp.json", key="servers", more={"type": "stdio"}),
        Client("windsurf", "Windsurf", "{home}/.codeium/windsurf/mcp_config.json"),
        Client(
            "zed",
            "Zed",
            "{settings}/zed/settings.json",
            key="context_servers",
            more={"source": "custom"},
            places={"darwin": "{home}/.config/zed/settings.json", "win32": "{settings}/Zed/settings.json"},
        ),
        Client("codex", "Codex CLI", "{codex}/config.toml", key="mcp_servers", form="toml"),
    )
}


def client_named(name: str) -> Client:
    """Return the client of this name; raise `InvalidInput` if there is none."""
    if name not in CLIENTS:
        raise InvalidInput(f"unknown client {name!r}: use one of {', '.join(CLIENTS)}")
    return CLIENTS[name]


def command_line(target: str, options: Mapping[str, str | None]) -> list[str]:
    """Return the command that serves this memory, from any folder; with `-P` no code is imported from that folder."""
    if "://" not in target and target != ":memory:":
        target = str(Path(target).expanduser().absolute())
    given = [part for name, value in options.items() if value is not None for part in (f"--{name}", value)]
    return [sys.executable, "-P", "-m", "emberkeep", "mcp", "--db", target, *given]


def _settings_folder(home: Path, environ: Mapping[str, str], platform: str) -> Path:
    """Return the folder where a platform keeps the settings of programs."""
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
