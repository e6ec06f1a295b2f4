"""Followers of events: one thread and one query per tenant, however many clients follow it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from emberkeep.entrypoints.grpc.calls import in_loop
from emberkeep.entrypoints.grpc.limits import MAX_BEHIND
from emberkeep.errors import Overloaded, TooManyRequests
from emberkeep.events.watching import Watch
from emberkeep.memory import Memory
from emberkeep.model.events import Event, matcher
from emberkeep.service.door import Admitted

EVERY_S = 0.5  # between two queries for new events


@dataclass(eq=False, slots=True)
class Follower:
    """A client that follows: the event types it wants, and the events that wait to be sent to it."""

    wants: Callable[[str], bool]
    waiting: "asyncio.Queue[Event | Exception]" = field(default_factory=asyncio.Queue)

    async def next(self, within_s: float | None = None) -> Event | None:
        """The next event, or None if none came in time; raises the error that ended the feed."""
        try:
            async with asyncio.timeout(within_s):
                told = await self.waiting.get()
        except TimeoutError:
            return None
        if isinstance(told, Exception):
            raise told
        return told


class Followers:
    """All followers of this process, up to a limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._feeds: dict[str, _Feed] = {}
        self._joining = asyncio.Lock()

    @asynccontextmanager
    async def joined(self, caller: Admitted, type: str) -> AsyncIterator[Follower]:  # noqa: A002 - as an event has it
        """Add a follower of the events of a type, from now on; raise `TooManyRequests` if there are too many."""
        follower = Follower(matcher(type))
        if self._count >= self._most:
            raise TooManyRequests(f"{self._count} follow already: try again later, or raise max_streams")
        self._count += 1
        try:
            feed = await self._feed_of(caller)
            feed.followers.add(follower)
            try:
                yield follower
            finally:
                self._leave(caller.principal.tenant, feed, follower)
        finally:
            self._count -= 1

    async def end(self, grace_s: float) -> None:
        """End all feeds, and wait up to `grace_s` seconds until their threads no longer read the database."""
        feeds = [*self._feeds.values()]
        self._feeds = {}
        for feed in feeds:
            feed.tell_all(Overloaded("the service is stopping: follow again in a moment"))
            feed.stop.set()
        await asyncio.gather(*(asyncio.to_thread(feed.thread.join, grace_s) for feed in feeds))

    async def _feed_of(self, caller: Admitted) -> "_Feed":
        async with self._joining:
            tenant = caller.principal.tenant
            if tenant not in self._feeds or self._feeds[tenant].stop.is_set():
                self._feeds[tenant] = await _Feed.begun(caller.memory)
            return self._feeds[tenant]

    def _leave(self, tenant: str, feed: "_Feed", follower: Follower) -> None:
        feed.followers.discard(follower)
        if not feed.followers:
            feed.stop.set()
            if self._feeds.get(tenant) is feed:
                del self._feeds[tenant]


class _Feed:
    """The events of one tenant, passed to all its followers."""

    def __init__(self, watch: Watch) -> None:
        self.followers: set[Follower] = set()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._pump, args=(watch,), name="emberkeep-follow", daemon=True)
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def begun(cls, memory: Memory) -> "_Feed":
        """Start a feed of all events from now on."""
        feed = cls(await asyncio.to_thread(memory.events.watch))
        feed.thread.start()
        return feed

    def tell_all(self, told: Event | Exception) -> None:
        """Queue an event for every follower that wants it, or an error for all; drop followers too far behind."""
        for follower in [*self.followers]:
            if isinstance(told, Event) and not follower.wants(told.type):
                continue
            if follower.waiting.qsize() >= MAX_BEHIND:
                told_instead = TooManyRequests(f"{MAX_BEHIND} events wait to be read: read faster, and follow again")
                follower.waiting.put_nowait(told_instead)
                self.followers.discard(follower)
            else:
                follower.waiting.put_nowait(told)

    def _pump(self, watch: Watch) -> None:
        try:
            while not self.stop.wait(EVERY_S):
                for event in watch.look():
                    in_loop(self._loop, partial(self.tell_all, event))
            watch.close()
        except Exception as error:  # noqa: BLE001 - whatever it is, followers are told, or they would wait for ever
            self.stop.set()
            in_loop(self._loop, partial(self.tell_all, error))
