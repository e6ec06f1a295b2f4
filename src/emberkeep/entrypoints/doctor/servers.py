"""Checks of what a memory calls: an embedder, a reranker, a learner, Redis."""

import os
from collections.abc import Iterator

import httpx

from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.entrypoints.doctor.check import Check, State
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.providers.base import Embedder
from emberkeep.wiring import make_embedder, make_learner, make_reranker, ping_redis

PATIENCE_S = 5.0
_SHARED = {"events_url": "events wait for it", "embedding_cache_url": "vectors are not shared meanwhile"}


def embedder(config: Config) -> tuple[Embedder | None, Check]:
    """Return the embedder, or None if it fails, and the check that it makes vectors."""
    try:
        made = make_embedder(config)
        dimension = made.embed(["Is anyone there?"]).shape[1]
    except EmberkeepError as error:
        return None, Check("embedder", "fail", str(error))
    return made, Check("embedder", "ok", f"{made.name}, {dimension} numbers a vector")


def reranker(config: Config) -> Iterator[Check]:
    """Check that the reranker in the settings works; without one there is nothing to check."""
    try:
        if made := make_reranker(config):
            made.relevance("Is anyone there?", ["I am."])
            yield Check("reranker", "ok", f"{made.name}, for the plan deep")
    except EmberkeepError as error:
        yield Check("reranker", "fail", str(error))


def learner(config: Config) -> Check:
    """Check whether there is a learner and, if it asks a language model, whether that answers."""
    try:
        found = make_learner(config, SystemClock())
    except EmberkeepError as error:
        return Check("learner", "fail", str(error))
    if found is None:
        return Check("learner", "ok", "none; what is said is kept, nothing is learned from it")
    if config.learner == "llm":
        return _model(config, found.name)
    return Check("learner", "ok", found.name)


def redis(config: Config) -> Iterator[Check]:
    """Check that each Redis or Valkey in the settings answers; one that is down is a warning, as work goes on."""
    for setting, meanwhile in _SHARED.items():
        if getattr(config, setting):
            yield _redis(config, setting, meanwhile)


def _redis(config: Config, setting: str, meanwhile: str) -> Check:
    try:
        ping_redis(config, setting, PATIENCE_S)
    except EmberkeepError as error:
        state: State = "fail" if isinstance(error, ConfigError) else "warn"
        return Check(setting, state, f"{error}; {meanwhile}" if state == "warn" else str(error))
    return Check(setting, "ok", "it answers")


def _model(config: Config, name: str) -> Check:
    """Check that the language model's server answers: listing its models costs nothing."""
    key, url = os.environ.get(config.llm_key_env), httpx.URL(f"{config.llm_url.rstrip('/')}/models")
    host, headers = url.host, {"Authorization": f"Bearer {key}"} if key else {}
    login = httpx.BasicAuth(url.username, url.password) if url.userinfo else None
    try:
        asked = url.copy_with(userinfo=b"")  # httpx logs the URL, so the password is left out of it
        reply = httpx.get(asked, headers=headers, auth=login, timeout=PATIENCE_S)
    except httpx.HTTPError as error:  # the name only: a message could quote the header with the key
        return Check("learner", "fail", f"{name}: {host} does not answer ({type(error).__name__}): start it")
    if reply.status_code in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
        return Check("learner", "fail", f"{name}: {host} refuses the key: set {config.llm_key_env}")
    if reply.is_server_error:
        return Check("learner", "fail", f"{name}: {host} answers HTTP {reply.status_code}: look at its log")
    return Check("learner", "ok", f"{name}, {host} answers")
