"""Builds the parts of a memory from its settings; the only module that names concrete databases and models.

Each is imported where it is chosen, so that those not used need not be installed and are not loaded.
"""

import os
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from numbers import Integral
from pathlib import Path
from typing import TypeVar

from emberkeep.clock import Clock
from emberkeep.config import Config, data_folder
from emberkeep.context.selection import CountTokens
from emberkeep.errors import ConfigError, InvalidInput
from emberkeep.events.announcer import Announcer
from emberkeep.events.bus import Bus
from emberkeep.events.relay import Relay, Sender, Sink
from emberkeep.learning.embedding import Embedding
from emberkeep.lifecycle.operationals import Operationals
from emberkeep.lifecycle.temperature import Thermal
from emberkeep.providers.base import Embedder, LanguageModel, Learner, Reranker
from emberkeep.providers.catalogue import CATALOGUE, RERANKERS
from emberkeep.providers.padding import PaddedEmbedder, padded_to
from emberkeep.providers.wordpiece import WordPiece
from emberkeep.storage import migrate, spaces, unfinished
from emberkeep.storage.database import Database
from emberkeep.storage.resident import Residents

# ruff: noqa: PLC0415 - importing late is this module's job

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that a memory is made of."""

    config: Config
    clock: Clock
    database: Database
    embedding: Embedding
    residents: Residents
    thermal: Thermal
    count_tokens: CountTokens
    learner: Learner | None
    reranker: Reranker | None
    bus: Bus
    announcer: Announcer
    relay: Relay
    operationals: Operationals
    owned: bool = True  # false for a tenant's view, which shares the parts of the memory that was opened

    def of_tenant(self, tenant: str) -> "Parts":
        """The same parts for another tenant; closing that view closes nothing that is shared."""
        self.database.check_open()
        config, database = self.config.of_tenant(tenant), self.database.of_tenant(tenant)
        return replace(self, config=config, database=database, embedding=self.embedding.of(database), owned=False)

    def close(self) -> None:
        """Close everything. A tenant's view closes only itself, and a forked child process nothing."""
        if self.database.is_inherited:
            return
        if not self.owned:
            self.database.leave()
            return
        try:
            self.residents.close()
            self.relay.close()
        finally:
            self.database.close()


def assemble(
    config: Config,
    clock: Clock,
    embedder: Embedder | None,
    *,
    learner: Learner | None = None,
    reranker: Reranker | None = None,
    count_tokens: CountTokens | None = None,
    any_space: bool = False,
    operationals: Operationals | None = None,
) -> Parts:
    """Open the database and put the parts together.

    A store whose vectors come from another embedder is refused, unless it is opened to be rebuilt (`any_space`).
    Live state is held in this process, unless `operationals` get it from another one.
    """
    config.check()
    counted = _count_tokens if count_tokens is None else _checked(count_tokens)
    if not callable(getattr(clock, "now", None)):
        raise ConfigError(f"{clock!r} is no clock: pass an object with a method now")
    teacher = (
        make_learner(config, clock)
        if learner is None
        else _checked_part(learner, "learner", " and the method learn", "learn")
    )
    reader = (
        make_reranker(config)
        if reranker is None
        else _checked_part(reranker, "reranker", " and the method relevance", "relevance")
    )
    database = open_database(config)
    try:
        migrate.prepare(database)
        bus = Bus()
        announcer = Announcer(bus, clock, streamed=bool(config.events_url), kept=config.keep_events)
        database.announcer = announcer
        with database.read() as connection:
            unfinished.refuse(connection, database.url)
            space = spaces.active_space(connection)
        made = make_embedder(config, embedder)
        if space is not None and not any_space and (length := padded_to(space.embedder, made.name)):
            made = make_embedder(config.changed(pad_vectors_to=length), embedder)
        embedding = Embedding(database, made, clock)
        if not any_space:
            embedding.check(space)
        relay = make_relay(config, clock, database)
    except BaseException:
        database.close()
        raise
    return Parts(
        config=config,
        clock=clock,
        database=database,
        embedding=embedding,
        residents=Residents(database, large_from=config.large_from, max_bytes=config.index_memory_mb * 1_048_576),
        thermal=Thermal(config.initial_temperature, config.reheat_by, config.half_life_days),
        count_tokens=counted,
        learner=teacher,
        reranker=reader,
        bus=bus,
        announcer=announcer,
        relay=relay,
        operationals=operationals or Operationals(),
    )


_SCHEMES = ("http:", "https:", "postgres:", "postgresql:")


def database_target(config: Config) -> str:
    """The path or URL to open: the one in the settings, or this user's own file."""
    return config.db or str(data_folder() / "memory.db")


def open_database(config: Config) -> Database:
    """The database that a path or URL names, for the tenant of the settings."""
    return _open_database(config).of_tenant(config.tenant)


def _open_database(config: Config) -> Database:
    target = database_target(config)
    if target.partition("://")[0] in {"postgresql", "postgres", "postgresql+psycopg"}:
        if find_spec("psycopg") is None:
            raise ConfigError("PostgreSQL needs psycopg: pip install 'emberkeep[postgres]'")
        from emberkeep.storage.postgres import PostgresDatabase

        return PostgresDatabase(
            target, pool_size=config.pool_size, busy_timeout_s=config.busy_timeout_s, read_url=config.read_db
        )
    config.require_store()
    if config.read_db:
        raise ConfigError("read_db names a replica of a PostgreSQL: leave it out, or pass postgresql://… as db")
    if "://" in target:
        scheme = target.partition("://")[0]
        raise ConfigError(f"cannot open {scheme}:// databases: pass a file path, :memory: or postgresql://…")
    if target.lower().startswith(_SCHEMES):
        raise ConfigError("that begins like a URL and is none: write two slashes, as in http://… or postgresql://…")
    from emberkeep.storage.sqlite import SqliteDatabase

    # Absolute: the process may change its working directory, and SQLite may read "file:..." as a URI.
    path = None if target == ":memory:" else Path(target).expanduser().absolute()
    return SqliteDatabase(path, busy_timeout_s=config.busy_timeout_s)


def make_embedder(config: Config, given: Embedder | None = None, *, api_key: str | None = None) -> Embedder:
    """The given embedder, or the one that the settings name; padded and cached if the settings say so."""
    embedder = (
        _plain_embedder(config, api_key)
        if given is None
        else _checked_part(
            given, "embedder", ", a dimension, and the methods embed and embed_query", "embed", "embed_query"
        )
    )
    if config.pad_vectors_to:
        embedder = PaddedEmbedder(embedder, config.pad_vectors_to)
    if config.embedding_cache_url:
        _require_redis("embedding_cache_url")
        from emberkeep.providers.cached_embedder import CachedEmbedder
        from emberkeep.providers.redis_vectors import RedisVectors

        keep_s = config.embedding_cache_days * 86_400
        embedder = CachedEmbedder(embedder, RedisVectors(config.embedding_cache_url, keep_s=keep_s))
    return embedder


def _checked_part(given: T, kind: str, wanted: str, *methods: str) -> T:
    """Return a caller's own part if it has a name and the methods. What these return is checked at each call."""
    has_methods = all(callable(getattr(given, name, None)) for name in methods)
    name = getattr(given, "name", None)
    if isinstance(given, type) or not has_methods or not isinstance(name, str) or not name:
        raise ConfigError(f"{given!r} is no {kind}: pass an object with a name that is not empty{wanted}")
    return given


def make_reranker(config: Config) -> Reranker | None:
    """The reranker that the settings name, if any: it reads the best hits together with the question."""
    if config.reranker == "none":
        return None
    kind, _, name = config.reranker.partition(":")
    if config.reranker in RERANKERS:
        folder, only_latin = RERANKERS[config.reranker].checked_folder(), True
    elif kind == "onnx" and name:
        folder, only_latin = Path(name).expanduser(), False
    else:
        raise ConfigError(f"unknown reranker {config.reranker!r}: use none, {', '.join(RERANKERS)} or onnx:FOLDER")
    from emberkeep.providers.local_reranker import LocalReranker

    return LocalReranker(folder, threads=config.embedder_threads, only_latin=only_latin)


def make_relay(config: Config, clock: Clock, database: Database) -> Relay:
    """The relay, which delivers events to the stream that the settings name and to webhooks."""

    def webhooks() -> Sender:
        from emberkeep.events.webhooks import WebhookSender

        return WebhookSender(clock, private=config.webhook_private, attempts=config.webhook_attempts)

    stream = _stream(config)
    return Relay(database, clock, stream=stream, webhooks=webhooks, keep_days=config.events_keep_days)


def _stream(config: Config) -> Sink | None:
    if not config.events_url:
        return None
    _require_redis("events_url")
    from emberkeep.events.redis_streams import RedisStream

    return RedisStream(config.events_url, config.events_stream, longest=config.events_stream_max)


def ping_redis(config: Config, setting: str, timeout_s: float) -> None:
    """Ping the Redis server that a setting names; raises `StoreUnavailable` if it does not answer."""
    _require_redis(setting)
    from emberkeep.providers.redis_client import ping

    ping(getattr(config, setting), timeout_s=timeout_s, setting=setting)


def _require_redis(setting: str) -> None:
    if find_spec("redis") is None:
        raise ConfigError(f"{setting} needs redis-py: pip install 'emberkeep[redis]'")


def make_learner(config: Config, clock: Clock, *, api_key: str | None = None) -> Learner | None:
    """The learner that the settings name, if any; `api_key` replaces the key of the model's server."""
    if config.learner == "none":
        return None
    if config.learner == "rules":
        from emberkeep.learning.rules import RuleLearner

        return RuleLearner()
    if config.learner == "llm":
        from emberkeep.learning.llm import ModelLearner

        return ModelLearner(make_model(config, clock, api_key=api_key))
    if config.learner == "mem0":
        from emberkeep.providers.mem0 import Mem0Learner

        return Mem0Learner.from_file(config.mem0_config)
    raise ConfigError(f"unknown learner {config.learner!r}: use rules, llm, mem0 or none")


def make_model(config: Config, clock: Clock, *, api_key: str | None = None) -> LanguageModel:
    """The language model that the settings name, behind a circuit breaker."""
    from emberkeep.providers.breaker import Guarded
    from emberkeep.providers.openai_chat import OpenAIChat

    if not config.llm_url or not config.llm_model:
        raise ConfigError("learner = llm needs llm_url and llm_model: the server's base URL and the model to ask")
    model = OpenAIChat(
        config.llm_url,
        config.llm_model,
        api_key=api_key or os.environ.get(config.llm_key_env),
        timeout_s=config.llm_timeout_s,
        max_tokens=config.llm_max_tokens,
    )
    return Guarded(model, clock=clock)


def _plain_embedder(config: Config, api_key: str | None) -> Embedder:
    kind, _, name = config.embedder.partition(":")
    if kind == "openai" and name:
        from emberkeep.providers.openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(
            base_url=config.embedder_url,
            model=name,
            api_key=api_key or os.environ.get(config.embedder_key_env),
            dimension=config.embedder_dimension or None,
            timeout_s=config.embedder_timeout_s,
        )
    if config.embedder in CATALOGUE:
        model = CATALOGUE[config.embedder]
        return _embedder_in(model.checked_folder(), config, static=model.kind == "static")
    if name and kind in {"onnx", "static"}:
        return _embedder_in(Path(name).expanduser(), config, static=kind == "static")
    if config.embedder == "local":
        from emberkeep.providers.local_embedder import LocalEmbedder

        return LocalEmbedder(threads=config.embedder_threads)
    raise ConfigError(
        f"unknown embedder {config.embedder!r}: use local, {', '.join(CATALOGUE)}, "
        "onnx:FOLDER, static:FOLDER or openai:MODEL"
    )


def _embedder_in(folder: Path, config: Config, *, static: bool) -> Embedder:
    if static:
        from emberkeep.providers.static_embedder import StaticEmbedder

        return StaticEmbedder(folder)
    from emberkeep.providers.local_embedder import LocalEmbedder

    return LocalEmbedder.from_folder(folder, threads=config.embedder_threads)


def _checked(count_tokens: object) -> CountTokens:
    """Wrap a caller's own function for counting tokens, so that what it returns is checked at each call."""
    if not callable(count_tokens):
        kind = type(count_tokens).__name__
        raise InvalidInput(
            f"count_tokens is {kind}: pass a function that takes a text and returns its number of tokens"
        )

    def count(text: str) -> int:
        tokens: object = count_tokens(text)
        if isinstance(tokens, bool) or not isinstance(tokens, int | Integral) or tokens < 0:
            raise InvalidInput(f"count_tokens returned {tokens!r:.100}: it has to return an int, 0 or more")
        return int(tokens)

    return count


def _count_tokens(text: str) -> int:
    return _tokenizer().estimate(text)


@cache
def _tokenizer() -> WordPiece:
    return WordPiece.from_vocabulary()
