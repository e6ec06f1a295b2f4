"""Is everything in place? Each check says what it found and, where something is wrong, what to do."""

import difflib
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import httpx
from rich.text import Text

from emberkeep import __version__
from emberkeep.clock import SystemClock
from emberkeep.config import PREFIX, Config, data_folder, settings_file
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.storage import log, migrate, outbox
from emberkeep.storage.database import Database
from emberkeep.storage.freshness import Following
from emberkeep.wiring import database_target, make_embedder, make_learner, open_database, ping_redis

State = Literal["ok", "warn", "fail"]
OLDEST_SQLITE = (3, 35)  # the first with RETURNING
PATIENCE_S = 5.0
_EXTRAS = {"postgres": "psycopg", "redis": "redis", "server": "fastapi"}
_SHARED = {"events_url": "events wait for it", "embedding_cache_url": "vectors are not shared meanwhile"}
_BELOW = "for a service with several tenants, connect as a role without SUPERUSER and BYPASSRLS"
_STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: State
    detail: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All checks; `ok` unless one of them failed."""

    ok: bool
    checks: tuple[Check, ...]


def examine(db: str | None, tenant: str | None, environ: Mapping[str, str] = os.environ) -> Diagnosis:
    """Run every check. Nothing is made or changed."""
    checks = (*_installation(), *_variables(environ), *_store(db, tenant))
    return Diagnosis(all(check.state != "fail" for check in checks), checks)


def diagnosis_view(diagnosis: Diagnosis) -> Iterable[Text]:
    """One line a check."""
    for check in diagnosis.checks:
        yield Text.assemble((f"{check.state:4}", _STYLES[check.state]), f"  {check.name}: {check.detail}")


def _installation() -> Iterator[Check]:
    yield Check("emberkeep", "ok", __version__)
    yield Check("python", "ok", platform.python_version())
    recent = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    advice = "" if recent else ": too old, use a Python with SQLite 3.35 or later"
    yield Check("sqlite", "ok" if recent else "fail", sqlite3.sqlite_version + advice)
    if find_spec("usearch"):
        yield Check("usearch", "ok", version("usearch"))
    else:
        yield Check("usearch", "fail", "not installed; large memories need it: pip install usearch")
    for extra, package in _EXTRAS.items():
        if find_spec(package):
            yield Check(f"extra {extra}", "ok", f"{package} {version(package)}")
        else:
            advice = f"{package} is not installed; if you need it: pip install 'emberkeep[{extra}]'"
            yield Check(f"extra {extra}", "warn", advice)


def _variables(environ: Mapping[str, str]) -> Iterator[Check]:
    known = {PREFIX + setting.name.upper() for setting in fields(Config)}
    known |= {PREFIX + "HOME", PREFIX + "CONFIG", PREFIX + "SERVER"}
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"did you mean {near[0]}?" if near else "unset it"
            yield Check("environment", "warn", f"{name} is not a setting: {advice}")


def _store(db: str | None, tenant: str | None) -> Iterator[Check]:
    try:
        config = Config.load(db=db, tenant=tenant)
    except EmberkeepError as error:
        yield Check("settings", "fail", str(error))
        return
    file = settings_file()
    yield Check("settings", "ok", str(file) if file.is_file() else f"the defaults; no file {file}")
    yield Check("data folder", "ok", str(data_folder()))
    yield from _database(config)
    yield _embedder(config)
    yield _learner(config)
    for setting, meanwhile in _SHARED.items():
        if getattr(config, setting):
            yield _redis(config, setting, meanwhile)


def _database(config: Config) -> Iterator[Check]:
    missing = _missing_file(config)
    if missing is not None:
        yield _can_be_made(missing)
        return
    try:
        database = open_database(config)
    except EmberkeepError as error:
        yield Check("database", "fail", str(error))
        return
    try:
        schema = migrate.current(database)
    except EmberkeepError as error:
        yield Check("database", "fail", str(error))
    else:
        yield Check("database", "ok", database.url)
        yield _schema(schema)
        if role := database.above_the_wall():
            yield Check("tenants", "warn", f"{role} is above row-level security: {_BELOW}")
        if following := database.following():
            yield _replica(following)
        if schema == migrate.HEAD:
            yield _backlog(database, config.tenant)
            yield _events(database, config.tenant)
    finally:
        database.close()


def _missing_file(config: Config) -> Path | None:
    if "://" in config.db or config.db == ":memory:":
        return None
    path = Path(database_target(config)).expanduser()
    return None if path.exists() else path


def _can_be_made(path: Path) -> Check:
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    if folder.is_dir() and os.access(folder, os.W_OK):
        return Check("database", "ok", f"{path} is made when it is first used")
    return Check("database", "fail", f"{path} cannot be made: you may not write to {folder}; pass another --db")


def _schema(found: str | None) -> Check:
    if found is None:
        return Check("schema", "ok", "empty; made when it is first used")
    if found == migrate.HEAD:
        return Check("schema", "ok", found)
    if found > migrate.HEAD:
        return Check("schema", "fail", f"{found}, this Emberkeep knows {migrate.HEAD}: upgrade Emberkeep")
    return Check("schema", "warn", f"{found}, the current one is {migrate.HEAD}: run emberkeep migrate")


def _replica(following: Following) -> Check:
    if following.problem is not None:
        return Check("read_db", "warn", f"{following.url}: {following.problem}; the primary answers meanwhile")
    return Check("read_db", "ok", f"{following.url} answers, {following.behind:,} bytes of the log behind")


def _backlog(database: Database, tenant: str) -> Check:
    with database.read() as connection:
        counted = log.count_backlog(connection, tenant)
    found = f"{counted['waiting']:,} wait, {counted['failed']:,} failed"
    if counted["failed"]:
        advice = "emberkeep backlog says why, emberkeep learn --retry-failed tries again"
        return Check("backlog", "warn", f"{found}: {advice}")
    return Check("backlog", "ok", found)


def _events(database: Database, tenant: str) -> Check:
    with database.read() as connection:
        counted = outbox.count(connection, tenant)
    found = f"{counted['waiting']:,} wait to be delivered, {counted['failed']:,} were given up"
    if counted["failed"]:
        return Check("events", "warn", f"{found}: emberkeep webhooks failed says why")
    return Check("events", "ok", found)


def _redis(config: Config, setting: str, meanwhile: str) -> Check:
    """Whether a Redis or Valkey answers; if it does not, work goes on without."""
    try:
        ping_redis(config, setting, PATIENCE_S)
    except EmberkeepError as error:
        state: State = "fail" if isinstance(error, ConfigError) else "warn"
        return Check(setting, state, f"{error}; {meanwhile}" if state == "warn" else str(error))
    return Check(setting, "ok", "it answers")


def _embedder(config: Config) -> Check:
    try:
        embedder = make_embedder(config)
        dimension = embedder.embed(["Is anyone there?"]).shape[1]
    except EmberkeepError as error:
        return Check("embedder", "fail", str(error))
    return Check("embedder", "ok", f"{embedder.name}, {dimension} numbers a vector")


def _learner(config: Config) -> Check:
    try:
        learner = make_learner(config, SystemClock())
    except EmberkeepError as error:
        return Check("learner", "fail", str(error))
    if learner is None:
        return Check("learner", "ok", "none; what is said is kept, nothing is learned from it")
    if config.learner == "llm":
        return _server(config, learner.name)
    return Check("learner", "ok", learner.name)


def _server(config: Config, name: str) -> Check:
    """Whether the language model's server answers; listing its models costs nothing."""
    key, host = os.environ.get(config.llm_key_env), httpx.URL(config.llm_url).host
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        reply = httpx.get(f"{config.llm_url.rstrip('/')}/models", headers=headers, timeout=PATIENCE_S)
    except httpx.HTTPError as error:  # the name only: a message could quote the header with the key
        return Check("learner", "fail", f"{name}: {host} does not answer ({type(error).__name__}): start it")
    if reply.status_code in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
        return Check("learner", "fail", f"{name}: {host} refuses the key: set {config.llm_key_env}")
    if reply.is_server_error:
        return Check("learner", "fail", f"{name}: {host} answers HTTP {reply.status_code}")
    return Check("learner", "ok", f"{name}, {host} answers")
