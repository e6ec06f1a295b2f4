"""gRPC services in processes of their own, on stores that tests can look into."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from emberkeep.entrypoints.grpc.messages import filled, types_of
from emberkeep.entrypoints.grpc.names import PACKAGE, home_of, rpc_name, service_name
from emberkeep.service.calls import received
from emberkeep.service.verbs import VERBS

# A service with a clock that stands still and a model that is none, until its input ends.
CODE = """
import json, sys
import emberkeep
from emberkeep.entrypoints.grpc.limits import Limits
from emberkeep.entrypoints.grpc.server import serving
from emberkeep.service.door import Door
from emberkeep.testing import FixedClock, WordEmbedder

db, port, keyless, settings = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "keyless", json.loads(sys.argv[4])
with emberkeep.open(db, embedder=WordEmbedder(), clock=FixedClock(), keep_events=True) as memory:
    with serving(Door(memory, keyless=keyless), "127.0.0.1", port, limits=Limits(**settings), grace_s=30) as address:
        print(address, flush=True)
        sys.stdin.read()
"""


class Service:
    """A service in a process of its own."""

    def __init__(self, db: str | Path, *, port: int = 0, keyless: bool = True, **limits: int) -> None:
        settings = [str(db), str(port), "keyless" if keyless else "keys", json.dumps(limits)]
        command = [sys.executable, "-W", "error", "-c", CODE, *settings]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.channel = grpc.insecure_channel(self.address)

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def tell_to_stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close(self) -> None:
        self.channel.close()
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def rpc(channel: grpc.Channel, name: str, arguments: dict[str, Any], key: str | None) -> Message:
    """Call a verb by its name, with arguments as JSON has them."""
    verb = VERBS[name]
    asked, answering = types_of(home_of(verb), rpc_name(verb))
    sent = received(verb, arguments) if name == "knowledge.import_file" else arguments
    call = channel.unary_unary(
        f"/{PACKAGE}.{service_name(home_of(verb))}/{rpc_name(verb)}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=answering.FromString,
    )
    metadata = () if key is None else (("authorization", f"Bearer {key}"),)
    answer: Message = call(filled(asked(), sent), timeout=60, metadata=metadata)
    return answer


Start = Callable[..., Service]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts services on a store of the test's own, and ends them."""
    services: list[Service] = []

    def started(**options: Any) -> Service:
        services.append(Service(tmp_path / "agent.db", **options))
        return services[-1]

    yield started
    for service in services:
        service.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all tests of a module that leave it as it is."""
    started = Service(tmp_path_factory.mktemp("service") / "agent.db")
    yield started
    started.close()


@pytest.fixture
def locked(tmp_path: Path) -> Callable[[], Any]:
    """Keeps everyone else from writing to the test's store, for as long as it is held."""

    @contextmanager
    def holding() -> Iterator[None]:
        connection = sqlite3.connect(tmp_path / "agent.db", isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
        connection.close()

    return holding


@pytest.fixture(autouse=True)
def _quiet() -> None:
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
