"""Everything that can be called, in any order and by everyone at once: what is one tenant's or one user's stays so."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import grpc
import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import emberkeep
from emberkeep.access.principal import Principal
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.logs import JsonLines
from emberkeep.errors import EmberkeepError
from emberkeep.memory import Memory
from emberkeep.remote.requests import request_for
from emberkeep.service.calls import call
from emberkeep.service.verbs import VERBS, Verb
from emberkeep.testing import WordEmbedder
from emberkeep.transfer.exporting import write_export

from ..entrypoints.grpc.conftest import Service, rpc
from ..service.strangers import ME, OTHER, SECRET, attempts, lived

TEXTS = "text messages query task description what summary title context trigger action name why note".split()
LEFT_OUT = {"events.deliver"}  # which would send to where a webhook leads
Ask = Callable[[str, Verb, dict[str, Any]], str]


@dataclass(frozen=True)
class World:
    """A store with tenants and users, a way to call for each of them, and what is logged meanwhile."""

    memory: Memory
    ids: dict[str, str]
    ask: Ask
    log: StringIO

    def play(self, random: Random) -> None:
        """Let the one whose secret it is, and the strangers, call every verb once, in any order."""
        callers = [(who, verb) for who in (OTHER, "globex", ME) for verb in VERBS.values()]
        random.shuffle(callers)
        for who, verb in callers:
            if verb.name in LEFT_OUT:
                continue
            sent = random.choice(list(attempts(verb, self.ids)))
            if who == OTHER:
                self.own(verb, owned(verb, sent))
            else:
                told = self.ask(who, verb, sent)
                assert SECRET not in told, (who, verb.name, sent, told)

    def own(self, verb: Verb, sent: dict[str, Any]) -> None:
        """Do something with the secret, by the one's own key, or by an admin's if it is about everyone."""
        if "this key is for one user" in self.ask(OTHER, verb, sent):
            self.ask("admin", verb, sent)


def owned(verb: Verb, sent: dict[str, Any]) -> dict[str, Any]:
    """Arguments that are the other one's, with the secret in every text."""
    marked: dict[str, Any] = {
        name: f"{one} {SECRET}" if name in TEXTS and isinstance(one, str) else one for name, one in sent.items()
    }
    more: dict[str, Any] = {"user_id": OTHER, "tags": [SECRET], "metadata": {"more": SECRET}}
    marked |= {name: one for name, one in more.items() if name in verb.arguments}
    if "record" in marked:
        marked["record"] = {**marked["record"], "user_transcript": SECRET, "user_id": OTHER}
    if verb.name == "delete_all":
        marked |= {"session_id": "day"}  # or nothing would be left to be found
    return marked


PRINCIPALS = {
    "admin": Principal("default", "admin"),
    OTHER: Principal("default", "write", OTHER),
    "globex": Principal("globex", "admin"),
    ME: Principal("default", "write", ME),
}


def directly(memory: Memory) -> Ask:
    """Calls of the facade, as every way in makes them."""

    def ask(who: str, verb: Verb, sent: dict[str, Any]) -> str:
        principal = PRINCIPALS[who]
        try:
            return repr(call(memory.of_tenant(principal.tenant), verb, sent, principal))
        except EmberkeepError as error:
            return str(error)

    return ask


def over_http(memory: Memory) -> Ask:
    """Requests with a key for each of them."""
    app = create_app(memory)
    keys = keys_of(memory)

    async def send(who: str, method: str, target: str, body: bytes | None) -> str:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {keys[who]}", "Content-Type": "application/json"}
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.request(method, target, content=body, headers=headers)
            return f"{answer.status_code} {answer.headers} {answer.text}"

    def ask(who: str, verb: Verb, sent: dict[str, Any]) -> str:
        try:
            request = request_for(verb, sent)
        except EmberkeepError as error:
            return str(error)
        return asyncio.run(send(who, request.method, f"/api/v1{request.target}", request.body))

    def metrics(who: str, verb: Verb, sent: dict[str, Any]) -> str:
        told = ask(who, verb, sent)
        return told if verb.name != "stats" else told + asyncio.run(send(who, "GET", "/metrics", None))

    return metrics


def over_grpc(service: Service) -> Callable[[Memory], Ask]:
    """Calls of a service in a process of its own, with a key for each of them."""

    def way(memory: Memory) -> Ask:
        keys = keys_of(memory)

        def ask(who: str, verb: Verb, sent: dict[str, Any]) -> str:
            said = sent.get("messages")
            typed = sent | {"messages": [{"role": "user", "content": said}]} if isinstance(said, str) else sent
            try:
                return str(rpc(service.channel, verb.name, typed, keys[who]))
            except grpc.RpcError as error:
                return f"{error.code()} {error.details()} {error.trailing_metadata()}"
            except TypeError as error:  # what no message can hold
                return str(error)

        return ask

    return way


def keys_of(memory: Memory) -> dict[str, str]:
    """A key for each of them."""
    return {
        who: memory.of_tenant(one.tenant).keys.create(who, role=one.role, user_id=one.user_id).secret
        for who, one in PRINCIPALS.items()
    }


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What a server's log would say, with everything that anyone logs in it."""
    stream, root = StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(stream), root.level
    handler.setFormatter(JsonLines(texts=False))
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    others = [logging.getLogger(name) for name in ("httpx", "httpcore")]
    for one in others:  # the client here is the test itself
        one.setLevel(logging.WARNING)
    yield stream
    for one in others:
        one.setLevel(logging.NOTSET)
    root.removeHandler(handler)
    root.setLevel(level)


@contextmanager
def world_at(where: str, log: StringIO, way: Callable[[Memory], Ask] = directly) -> Iterator[World]:
    settings: dict[str, Any] = {"keep_events": True, "metrics_by_tenant": True, "requests_per_s": 0}
    with emberkeep.open(where, embedder=WordEmbedder(), **settings) as memory:
        yield World(memory, lived(memory), way(memory), log)


@pytest.fixture
def world(log: StringIO) -> Iterator[World]:
    with world_at(":memory:", log) as world:
        yield world


@pytest.fixture(params=["postgres", "http", "grpc"])
def far_world(request: pytest.FixtureRequest, log: StringIO, tmp_path: Path) -> Iterator[World]:
    with ExitStack() as stack:
        where: str = ":memory:"
        way: Callable[[Memory], Ask] = over_http
        if request.param == "postgres":
            where, way = str(request.getfixturevalue("postgres_url")), directly
        elif request.param == "grpc":
            where = str(tmp_path / "agent.db")
            way = over_grpc(stack.enter_context(closing(Service(where, keyless=False))))
        yield stack.enter_context(world_at(where, log, way))


def assert_kept_apart(world: World, folder: Path, seed: int) -> None:
    """Let everyone do everything, then look at all that a tenant can take away, and at the log."""
    world.play(Random(seed))
    globex = world.memory.of_tenant("globex")
    assert SECRET not in repr(globex.events.recent(limit=1_000))
    assert SECRET not in repr([globex.context_record(str(one.id)) for one in globex.contexts(limit=100)])
    for form in ("jsonl", "markdown"):
        write_export(globex, folder / form, form)
        assert SECRET not in (folder / form).read_text(encoding="utf-8")
        (folder / form).unlink()
    assert SECRET not in world.log.getvalue()
    assert SECRET in repr(world.memory.get_all(user_id="*", limit=1_000))  # there was something to tell


@pytest.mark.slow
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(1, 2**32))
def test_nobody_is_told_what_is_anothers(world: World, tmp_path: Path, seed: int) -> None:
    assert_kept_apart(world, tmp_path, seed)


@pytest.mark.slow
@settings(max_examples=1, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(1, 2**32))
def test_nobody_is_told_it_by_a_server(far_world: World, tmp_path: Path, seed: int) -> None:
    assert_kept_apart(far_world, tmp_path, seed)
