"""How a memory is opened."""

import os
from typing import Any, Unpack

from emberkeep.aio import AsyncMemory
from emberkeep.clock import Clock, SystemClock
from emberkeep.config import Config, Settings
from emberkeep.context.selection import CountTokens
from emberkeep.errors import ConfigError
from emberkeep.lifecycle.live_state import DistantOperationals, Place
from emberkeep.lifecycle.operationals import Operationals
from emberkeep.memory import Memory
from emberkeep.providers.base import Embedder, Learner, Reranker
from emberkeep.wiring import assemble

Target = str | os.PathLike[str]
_REMOTE = frozenset({"api_key", "remote_timeout_s"})  # the settings that a server's client may choose


def open(  # noqa: A001 - the contract's name
    db: Target | None = None,
    *,
    embedder: str | Embedder | None = None,
    learner: str | Learner | None = None,
    reranker: str | Reranker | None = None,
    clock: Clock | None = None,
    config: Config | None = None,
    count_tokens: CountTokens | None = None,
    **settings: Unpack[Settings],
) -> Memory:
    """Open a memory: a file, `:memory:`, `postgresql://…`, or a server's `http://…`; by default this user's own file.

    Any setting of `Config` may be passed by name, such as `tenant="acme"`. Given a whole `config`, neither the
    environment nor the settings file is read. `embedder`, `learner` and `reranker` may be objects of your own.
    `count_tokens` is how `context` counts: a function that takes a text and returns its number of tokens.
    """
    return _open(
        db,
        settings,
        embedder=embedder,
        learner=learner,
        reranker=reranker,
        clock=clock,
        config=config,
        count_tokens=count_tokens,
    )


def open_to_rebuild(
    db: Target | None = None,
    *,
    embedder: str | Embedder | None = None,
    learner: str | Learner | None = None,
    **settings: Unpack[Settings],
) -> Memory:
    """Open a memory whose vectors another embedder made, in order to `rebuild()` them."""
    return _open(db, settings, embedder=embedder, learner=learner, any_space=True)


def open_beside(place: Place, config: Config) -> Memory:
    """Open a memory beside another process, which holds the live state (`memory.operational`) for both."""
    return _open(None, {}, config=config, operationals=DistantOperationals(place, SystemClock()))


def open_async(
    db: Target | None = None,
    *,
    embedder: str | Embedder | None = None,
    learner: str | Learner | None = None,
    reranker: str | Reranker | None = None,
    clock: Clock | None = None,
    config: Config | None = None,
    count_tokens: CountTokens | None = None,
    **settings: Unpack[Settings],
) -> AsyncMemory:
    """Open a memory whose verbs are awaited: `async with emberkeep.open_async(...) as memory`.

    Or `memory = await emberkeep.open_async(...)`, and in the end `await memory.close()`.
    """

    def opener() -> Memory:
        return _open(
            db,
            settings,
            embedder=embedder,
            learner=learner,
            reranker=reranker,
            clock=clock,
            config=config,
            count_tokens=count_tokens,
        )

    return AsyncMemory(opener)


def _open(  # as `open` takes them
    db: Target | None,
    settings: Settings,
    *,
    embedder: str | Embedder | None = None,
    learner: str | Learner | None = None,
    reranker: str | Reranker | None = None,
    clock: Clock | None = None,
    config: Config | None = None,
    count_tokens: CountTokens | None = None,
    any_space: bool = False,
    operationals: Operationals | None = None,
) -> Memory:
    names = {"embedder": embedder, "learner": learner, "reranker": reranker}
    arguments: dict[str, Any] = {
        "db": db,
        **{key: one for key, one in names.items() if isinstance(one, str)},
        **settings,
    }
    config = Config.load(**arguments) if config is None else config.changed(**arguments)
    if config.is_remote:
        _refuse_here({**names, "clock": clock, "count_tokens": count_tokens, **settings})
        return _connect(config)
    parts = assemble(
        config,
        clock or SystemClock(),
        None if isinstance(embedder, str) else embedder,
        learner=None if isinstance(learner, str) else learner,
        reranker=None if isinstance(reranker, str) else reranker,
        count_tokens=count_tokens,
        any_space=any_space,
        operationals=operationals,
    )
    return Memory(parts)


def _connect(config: Config) -> Memory:
    from emberkeep.remote.connection import Connection  # noqa: PLC0415 - only for a server
    from emberkeep.remote.memory import RemoteMemory  # noqa: PLC0415

    return RemoteMemory(Connection(config.db, api_key=config.api_key, timeout_s=config.remote_timeout_s))


def _refuse_here(given: dict[str, Any]) -> None:
    """Refuse arguments that only the operator of a server can choose."""
    chosen = [name for name, value in given.items() if value is not None and name not in _REMOTE]
    if "tenant" in chosen:
        raise ConfigError("the key decides whose memory on a server it is: leave out tenant")
    if chosen:
        raise ConfigError(f"{chosen[0]} is for whoever runs the server: leave it out, and set it there")
