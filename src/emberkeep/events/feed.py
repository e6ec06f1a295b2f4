"""`memory.events`: subscribing, publishing, following, and webhooks."""

import threading
from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import Any

from emberkeep.clock import Clock
from emberkeep.config import Config
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.events.addresses import place_of
from emberkeep.events.announcer import Announcer
from emberkeep.events.bus import Bus, Callback
from emberkeep.events.relay import Relay
from emberkeep.events.signature import checked_secret, new_secret
from emberkeep.events.watching import Watch
from emberkeep.model import checks
from emberkeep.model.events import Delivered, Event, Undeliverable, Webhook, matcher, own_payload, own_type
from emberkeep.model.ids import new_id
from emberkeep.storage import outbox
from emberkeep.storage.database import Database

MAX_TYPES = 50


class Events:
    """Events about changes, for subscribers, followers and webhooks."""

    def __init__(
        self, database: Database, clock: Clock, config: Config, *, bus: Bus, announcer: Announcer, relay: Relay
    ) -> None:
        self._database = database
        self._clock = clock
        self._config = config
        self._tenant = config.tenant
        self._bus = bus
        self._announcer = announcer
        self._relay = relay

    def subscribe(self, pattern: str, callback: Callback) -> str:
        """Call back with each event of a type: `memory.stored`, `memory.pattern.*`, or `*` for all.

        The callback is called after the change is on disk, by the thread that made it; if it raises, that is logged. It
        only gets this tenant's changes in this process; those of other processes reach the stream and the webhooks.
        """
        if not callable(callback):
            raise InvalidInput(f"a callback is called with an event: {callback!r} cannot be")
        return self._bus.subscribe(self._tenant, pattern, callback)

    def unsubscribe(self, subscription: str) -> None:
        """End a subscription."""
        subscription = checks.storable(subscription, name="subscription")
        if not self._bus.unsubscribe(self._tenant, subscription):
            raise NotFound(f"no subscription {subscription!r}")

    def publish(self, type: str, payload: Mapping[str, Any] | None = None, *, user_id: str | None = None) -> None:  # noqa: A002 - as an event has it
        """Publish an event of your own, whose type begins with `app.`, in the same way as the memory's own events."""
        named, held = own_type(type), own_payload(payload)
        owner = checks.scope_id(user_id, name="user_id")
        self._database.write(lambda connection: outbox.tell(connection, self._tenant, owner, named, held))

    def recent(self, limit: int = 100, *, type: str = "*") -> list[Event]:  # noqa: A002 - as an event has it
        """The latest events that were kept, oldest first.

        Events are kept while there is a stream, a webhook or a follower, or with `keep_events`.
        """
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        wants = matcher(type)
        with self._database.read() as connection:
            return outbox.recent(connection, self._tenant, most, wants)

    def follow(
        self,
        *,
        type: str = "*",  # noqa: A002 - as an event has it
        every_s: float = 0.5,
        stop: threading.Event | None = None,
    ) -> Generator[Event, None, None]:
        """Events as they happen, whichever process makes the change, until told to stop.

        Events are kept while there is a follower. Processes that are running already notice it within five seconds.
        """
        wants, pause = matcher(type), checks.positive(every_s, name="every_s")
        return self._following(wants, pause, stop or threading.Event())

    def watch(self, *, type: str = "*", after: str | None = None) -> Watch:  # noqa: A002 - as an event has it
        """Like `follow`, for a program with its own loop, which calls `look` when it likes, and `close` at the end.

        With `after`, the id of an event, it goes on after that event, as far as events were kept.
        """
        wants = matcher(type)
        return self._watch(wants, None if after is None else checks.storable(after, name="after"))

    def deliver(self) -> Delivered:
        """Send this tenant's waiting events to the stream and the webhooks now, as a worker does all the time."""
        return self._relay.deliver(self._tenant, impatient=True)

    def undelivered(self, limit: int = 100) -> list[Undeliverable]:
        """Events whose delivery to a webhook was given up, with the reason, the latest first."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._database.read() as connection:
            return outbox.undeliverable(connection, self._tenant, most)

    def add_webhook(self, url: str, *, secret: str | None = None, types: Iterable[str] = ("*",)) -> Webhook:
        """Post events of some types to a URL from now on; the answer holds the secret that signs them: keep it."""
        place_of(url, private=self._config.webhook_private)
        wanted = _types(types)
        now = self._clock.now()
        chosen = new_secret() if secret is None else checked_secret(secret)
        webhook = Webhook(new_id(now), url, wanted, now, chosen)
        self._database.write(lambda connection: outbox.add_webhook(connection, self._tenant, webhook))
        self._announcer.look_again(self._tenant)
        return webhook

    def webhooks(self) -> list[Webhook]:
        """The webhooks, oldest first, without their secrets."""
        with self._database.read() as connection:
            return [replace(one, secret="") for one in outbox.webhooks(connection, self._tenant)]

    def remove_webhook(self, id: str) -> None:  # noqa: A002 - as in the other verbs
        """Remove a webhook; events that wait for it are not posted any more."""
        named = checks.storable(id, name="id")
        if not self._database.write(lambda connection: outbox.remove_listener(connection, self._tenant, named)):
            raise NotFound(f"no webhook {id!r}")
        self._announcer.look_again(self._tenant)

    def _following(self, wants: outbox.Wants, pause: float, stop: threading.Event) -> Generator[Event, None, None]:
        watch = self._watch(wants, None)
        try:
            while not stop.is_set():
                yield from watch.look()
                stop.wait(pause)
        finally:
            watch.close()

    def _watch(self, wants: outbox.Wants, after: str | None) -> Watch:
        return Watch(self._database, self._clock, self._announcer, tenant=self._tenant, wants=wants, after=after)


def _types(given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput('types is a list such as ["memory.pattern.*"]')
    types: dict[str, None] = {}
    for one in given:
        matcher(one)  # raises if it is not a type
        types[one] = None
    if not types or len(types) > MAX_TYPES:
        raise InvalidInput(f"name at least one type of event, and at most {MAX_TYPES}")
    return tuple(types)
