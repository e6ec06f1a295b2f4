"""Adding our server to a client's settings: the rest of the file stays, and a backup is made beside it."""

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
    """The settings file, the entry for it, whether it was written, and the backup of the former file, if any."""

    client: str
    file: str
    config: str
    written: bool = False
    backup: str | None = None


def install(client: Client, path: Path, command: list[str], now: datetime) -> Installed:
    """Write our entry into a file, unless it is there already."""
    path = path.expanduser().resolve()  # so that a symbolic link is kept, and its target is written
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
    """Return the text of a file, empty if there is none; raise `ConfigError` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig") if path.exists() else ""
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text; it was left as it is") from None


def _with_json(client: Client, path: Path, text: str, command: list[str]) -> str:
    """Return the JSON text with our entry in it, which keeps the other fields of an earlier one."""
    try:
        settings = json.loads(text, object_pairs_hook=_once) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        # Some clients allow comments, which rewriting the file would lose.
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
    """Return the TOML text with our table at its end, so that comments and their order are kept."""
    snippet = client.snippet(command)
    try:
        settings = tomllib.loads(text)
        servers = settings.get(client.key, {})
        if isinstance(servers, dict) and NAME in servers:
            if client.entry(command).items() <= servers[NAME].items():
                return text
            raise _by_hand(client, path, f"[{client.key}.{NAME}] is there already, and has other values", command)
        new = f"{text.rstrip()}\n\n{snippet}\n".lstrip()
        tomllib.loads(new)
    except tomllib.TOMLDecodeError as error:
        raise _by_hand(client, path, f"cannot be added to as TOML ({error})", command) from None
    return new


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise `ValueError` if a name occurs twice, since rewriting would lose one of the values."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name occurs twice")
    return made


def _by_hand(client: Client, path: Path, problem: str, command: list[str]) -> ConfigError:
    """Return an error that says what is wrong with a file, and what to add to it by hand."""
    return ConfigError(f"{path}: {problem}; it was left as it is, add this by hand:\n{client.snippet(command)}")


def _kept(path: Path, now: datetime) -> Path:
    """Copy a file to a backup beside it; return the path of that."""
    backup = path.with_name(f"{path.name}.{now:%Y%m%dT%H%M%S%f}.bak")
    shutil.copy2(path, backup)
    return backup


def _replace(path: Path, text: str) -> None:
    """Write a file atomically."""
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
