"""Webhooks: signed, tried again, given up in the end, and never sent where they may not go."""

import base64
import hashlib
import hmac
import math
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from sqlalchemy import update

import emberkeep
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.events.addresses import Forbidden, Place, resolve
from emberkeep.events.signature import headers_of, new_secret, verify
from emberkeep.model.events import Event
from emberkeep.storage.schema import deliveries
from emberkeep.testing import FixedClock, WordEmbedder

pytestmark = pytest.mark.slow

Opened = Callable[..., emberkeep.Memory]


class Receiver:
    """An HTTP server that writes down what it gets, and answers with the next of `answers`."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                status = outer.answers.pop(0) if outer.answers else 204
                outer.got.append((dict(self.headers), body))
                self.send_response(status)
                self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook?of=ours"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def events(self) -> list[Event]:
        return [Event.from_json(body) for _, body in self.got]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def local(opened: Opened) -> Callable[..., emberkeep.Memory]:
    return lambda target=":memory:", **settings: opened(target, webhook_private=True, **settings)


def test_an_event_arrives_signed(target: str, local: Opened, receiver: Receiver, clock: FixedClock) -> None:
    memory = local(target)
    webhook = memory.events.add_webhook(receiver.url, types=["memory.added", "app.*"])
    memory.add("I live in Lisbon.", user_id="alex")
    memory.events.publish("app.x", {"ä": 1})
    assert memory.events.deliver().sent == len(receiver.got) == 3
    assert {event.type for event in receiver.events} == {"memory.added", "app.x"}
    assert [event.id for event in receiver.events] == [
        one.id for one in memory.events.recent() if one.type in {"memory.added", "app.x"}
    ]
    for headers, body in receiver.got:
        assert verify(webhook.secret, headers, body, clock.now())
        assert not verify(new_secret(), headers, body, clock.now())
        assert not verify(webhook.secret, headers, body + b" ", clock.now())
        assert not verify(webhook.secret, headers, body, clock.now() + timedelta(minutes=6))
        assert headers["host"] == receiver.url.split("/")[2]
        assert headers["content-type"] == "application/json"


def test_the_signature_is_that_of_the_standard(clock: FixedClock) -> None:
    secret = "whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()
    headers = headers_of(secret, "msg_1", b'{"a":1}', clock.now())
    stamp = str(int(clock.now().timestamp()))
    assert headers["webhook-timestamp"] == stamp
    signed = hmac.new(b"0123456789abcdef01234567", f'msg_1.{stamp}.{{"a":1}}'.encode(), hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(signed).decode()
    for broken in ({}, {"webhook-timestamp": "x"}, {"webhook-timestamp": "²"}, {**headers, "webhook-signature": ""}):
        assert not verify(secret, broken, b'{"a":1}', clock.now())


@pytest.mark.parametrize(
    "stamp", ["9" * 400, "9" * 5_000, "9" * 13, "", "-1", "1.5", "1e9", "inf", "nan", " 1", "1_0", "\udc80", None, 7]
)
def test_a_timestamp_that_is_no_sane_number_is_not_verified(stamp: Any, clock: FixedClock) -> None:
    secret = new_secret()
    headers = {**headers_of(secret, "msg_1", b"{}", clock.now()), "webhook-timestamp": stamp}
    assert not verify(secret, headers, b"{}", clock.now())


def test_headers_that_are_no_unicode_are_not_verified(clock: FixedClock) -> None:
    secret = new_secret()
    headers = headers_of(secret, "msg_1", b"{}", clock.now())
    assert verify(secret, headers, b"{}", clock.now())
    for name in ("webhook-id", "webhook-signature"):
        assert not verify(secret, {**headers, name: "\udc80\ud800"}, b"{}", clock.now())


def test_a_webhook_that_is_down_is_tried_again_in_order(local: Opened, receiver: Receiver) -> None:
    memory = local()
    memory.events.add_webhook(receiver.url)
    receiver.answers = [500, 429]
    for n in range(3):
        memory.events.publish("app.number", {"n": n})
    assert memory.events.deliver().reasons == ("HTTP 500",)
    assert memory.events.deliver().reasons == ("HTTP 429",)
    assert memory.events.deliver().sent == 3
    assert [event.payload["n"] for event in receiver.events] == [0, 0, 0, 1, 2]


def test_an_event_that_is_refused_waits_alone(local: Opened, receiver: Receiver, clock: FixedClock) -> None:
    memory = local()
    memory.events.add_webhook(receiver.url)
    receiver.answers = [422]
    for n in range(3):
        memory.events.publish("app.number", {"n": n})
    done = memory.events.deliver()
    assert (done.sent, done.failed, done.reasons) == (2, 1, ("HTTP 422",))
    assert memory.events.deliver().sent == 0
    clock.move(seconds=2)
    assert memory.events.deliver().sent == 1
    assert [event.payload["n"] for event in receiver.events] == [0, 1, 2, 0]


def test_in_the_end_it_is_given_up_and_the_reason_is_kept(target: str, local: Opened, clock: FixedClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    memory = local(target, webhook_attempts=3)
    webhook = memory.events.add_webhook(f"http://127.0.0.1:{port}/hook")
    memory.events.publish("app.lost")
    for _ in range(5):
        memory.events.deliver()
        clock.move(hours=2)
    (lost,) = memory.events.undelivered()
    assert (lost.event.type, lost.sink, lost.attempts) == ("app.lost", webhook.id, 3)
    assert "ConnectError" in (lost.reason or "")
    stats = memory.stats()
    assert (stats.events_waiting, stats.events_failed) == (0, 1)


def test_a_redirect_is_not_followed(local: Opened, receiver: Receiver) -> None:
    memory = local()
    memory.events.add_webhook(receiver.url)
    receiver.answers = [307]
    memory.events.publish("app.x")
    assert memory.events.deliver().reasons == ("HTTP 307",)
    assert len(receiver.got) == 1


def test_one_that_is_removed_gets_nothing_more(local: Opened, receiver: Receiver) -> None:
    memory = local()
    first = memory.events.add_webhook(receiver.url)
    second = memory.events.add_webhook(receiver.url, secret="a secret of sixteen")  # noqa: S106
    assert [one.id for one in memory.events.webhooks()] == [first.id, second.id]
    assert {one.secret for one in memory.events.webhooks()} == {""}
    assert first.secret not in repr(first)
    memory.events.publish("app.x")
    memory.events.remove_webhook(first.id)
    memory.events.publish("app.y")
    assert memory.events.deliver().sent == 2
    with pytest.raises(NotFound):
        memory.events.remove_webhook(first.id)
    memory.events.remove_webhook(second.id)
    memory.events.publish("app.z")
    assert [event.type for event in memory.events.recent()] == ["app.x", "app.y"]


def notices_late(memory: emberkeep.Memory) -> None:
    """It goes on with the webhooks that it knows of."""
    known = memory._parts.announcer._known
    known |= {tenant: replace(one, look_at=math.inf) for tenant, one in known.items()}


def test_what_is_owed_to_one_that_another_process_removed_is_dropped(
    durable_target: str, local: Opened, receiver: Receiver
) -> None:
    one, other = local(durable_target), local(durable_target)
    gone, stays = (one.events.add_webhook(receiver.url) for _ in range(2))
    other.events.publish("app.before")
    assert other.events.deliver().sent == 2
    one.events.remove_webhook(gone.id)
    notices_late(other)
    other.events.publish("app.after")
    assert one.stats().events_waiting == 2
    assert one.events.deliver().sent == 1
    assert one.stats().events_waiting == 0
    assert [event.type for event in receiver.events] == ["app.before", "app.before", "app.after"]
    assert [hook.id for hook in one.events.webhooks()] == [stays.id]


def test_what_one_that_is_gone_did_not_get_is_dropped_too(
    durable_target: str, local: Opened, receiver: Receiver
) -> None:
    one, other = local(durable_target, webhook_attempts=1), local(durable_target)
    webhook = one.events.add_webhook(receiver.url)
    other.events.publish("app.before")
    one.events.remove_webhook(webhook.id)
    notices_late(other)
    other.events.publish("app.after")
    other._parts.database.write(lambda c: c.execute(update(deliveries).values(failed=True)))
    assert one.stats().events_failed == 1
    assert one._parts.relay.once()
    assert one.stats().events_failed == 0
    assert receiver.got == []


def test_another_process_tells_a_webhook_too(durable_target: str, local: Opened, receiver: Receiver) -> None:
    one, other = local(durable_target), local(durable_target)
    other.events.publish("app.before")
    one.events.add_webhook(receiver.url)
    other._parts.announcer.look_again()  # as it does by itself every few seconds
    other.events.publish("app.after")
    assert one.events.deliver().sent == 1
    assert [event.type for event in receiver.events] == ["app.after"]


def test_a_worker_delivers_by_itself(durable_target: str, receiver: Receiver) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), webhook_private=True) as memory:
        memory.events.add_webhook(receiver.url)
        worker = memory.worker(every_s=0.05)
        worker.start()
        memory.events.publish("app.x")
        for _ in range(400):
            if receiver.got:
                break
            threading.Event().wait(0.05)
        worker.stop()
    assert [event.type for event in receiver.events] == ["app.x"]


@pytest.mark.parametrize(
    "host",
    "127.0.0.1 localhost:8000 a.localhost [::1] 10.0.0.7 192.168.1.1 169.254.169.254 0.0.0.0 [fe80::1] "
    "[::ffff:127.0.0.1] 224.0.0.1 100.64.0.1".split(),
)
def test_an_address_of_this_machine_or_network_is_refused(host: str, opened: Opened) -> None:
    with pytest.raises(InvalidInput, match="webhook_private"):
        opened().events.add_webhook(f"http://{host}/hook")


def test_a_name_that_leads_to_this_machine_is_refused_when_it_is_asked(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    port = int(receiver.url.split(":")[2].split("/")[0])
    found: list[Any] = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
    memory = opened()
    memory.events.add_webhook(f"http://hook.example:{port}/")
    memory.events.publish("app.x")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert "hook.example is an address of this machine" in memory.events.deliver().reasons[0]
    assert receiver.got == []
    with pytest.raises(Forbidden):
        resolve(Place("hook.example", 80), private=False)
    assert resolve(Place("hook.example", 80), private=True) == "127.0.0.1"


@pytest.mark.parametrize(
    "url", ["", "hook", "ftp://a.example/", "file:///etc/passwd", "http://", "http://u:p@a.example/", 7, None,
            "http://a.example:x/", "http://a b/", "http://a.example/" + "x" * 2_000],
)  # fmt: skip
def test_what_is_no_url_for_a_webhook_is_refused(url: object, opened: Opened) -> None:
    with pytest.raises(InvalidInput):
        opened().events.add_webhook(url)  # type: ignore[arg-type]


@pytest.mark.parametrize("types", [[], "memory.*", ["memory.nonsense"], [7], None, [[]], [{}], b"*", 7])
def test_types_are_types(types: Any, opened: Opened) -> None:
    with pytest.raises(InvalidInput):
        opened().events.add_webhook("https://a.example/", types=types)


@pytest.mark.parametrize("secret", ["", "short", "whsec_not base64!", "whsec_YQ==", 7, "whsec_é", "whsec_" + "é" * 40])
def test_a_secret_is_long_enough(secret: Any, opened: Opened) -> None:
    with pytest.raises(InvalidInput):
        opened().events.add_webhook("https://a.example/", secret=secret)
