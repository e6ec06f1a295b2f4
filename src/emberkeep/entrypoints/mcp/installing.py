"""Putting our server into a client's settings: all else in the file stays, and the file as it was stays beside it."""

import json
import os
import shutil
import tempfile
import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from emberkeep.entrypoints.mcp.clients import NAME, Client
from emberkeep.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Installed:
    """Where the settings are, what was put there, and where the file is as it was before."""

    client: str
    file: str
    config: str
    written: bool = False
    backup: str | None = None


def install(client: Client, path: Path, command: list[str], now: datetime) -> Installed:
    """Write our entry into a file, or leave it if it is there already."""
    path = path.expanduser().resolve()  # a link to a file elsewhere stays one
    snippet = client.snippet(command)
    former = _text(path)
    added = _with_json if client.form == "json" else _with_toml
    new = added(client, path, former, command)
    if new == former:
        return Installed(client.name, str(path), snippet)
    try:
        backup = _kept(path, now) if path.exists() else None
        _replace(path, new)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}; add this by hand:\n{snippet}") from None
    return Installed(client.name, str(path), snippet, written=True, backup=None if backup is None else str(backup))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig") if path.exists() else ""
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is no text in UTF-8; it was left as it is") from None


def _with_json(client: Client, path: Path, text: str, command: list[str]) -> str:
    try:
        settings = json.loads(text, object_pairs_hook=_once) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        # Rewriting a file with comments would lose them.
        raise _by_hand(client, path, f"not plain JSON ({error})", command) from None
    servers = settings.get(client.key, {}) if isinstance(settings, dict) else None
    former = servers.get(NAME, {}) if isinstance(servers, dict) else None
    if not isinstance(former, dict):
        raise _by_hand(client, path, f"{client.key} is not an object there", command)
    entry = {**former, **client.entry(command)}
    if entry == former:
        return text
    changed = {**settings, client.key: {**(servers or {}), NAME: entry}}
    return json.dumps(changed, indent=2, ensure_ascii=False) + "\n"


def _with_toml(client: Client, path: Path, text: str, command: list[str]) -> str:
    """The text with our table at its end: what people wrote, they wrote with comments and in an order."""
    snippet = client.snippet(command)
    try:
        settings = tomllib.loads(text)
        servers = settings.get(client.key, {})
        if isinstance(servers, dict) and NAME in servers:
            if client.entry(command).items() <= servers[NAME].items():
                return text
            raise _by_hand(client, path, f"[{client.key}.{NAME}] is there already, and says something else", command)
        new = f"{text.rstrip()}\n\n{snippet}\n".lstrip()
        tomllib.loads(new)
    except tomllib.TOMLDecodeError as error:
        raise _by_hand(client, path, f"cannot be added to as TOML ({error})", command) from None
    return new


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, whose names are each there once: of two, one would be lost."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name is there twice")
    return made


def _by_hand(client: Client, path: Path, problem: str, command: list[str]) -> ConfigError:
    return ConfigError(f"{path}: {problem}; it was left as it is, add this by hand:\n{client.snippet(command)}")


def _kept(path: Path, now: datetime) -> Path:
    """A copy of a file beside it."""
    backup = path.with_name(f"{path.name}.{now:%Y%m%dT%H%M%S%f}.bak")
    shutil.copy2(path, backup)
    return backup


def _replace(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, made)
        Path(made).replace(path)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise
