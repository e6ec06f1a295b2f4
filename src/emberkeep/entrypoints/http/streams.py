"""Events as they happen, as a stream of server-sent events that a client can resume."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from emberkeep.entrypoints.http.documents import Given
from emberkeep.entrypoints.http.routes import ERRORS, PREFIX, refuse_repeated
from emberkeep.entrypoints.http.visits import Visit, Visiting
from emberkeep.errors import EmberkeepError, Overloaded
from emberkeep.events.watching import Watch
from emberkeep.model.events import Event
from emberkeep.service.door import Admitted

EVERY_S = 0.5  # between two queries for new events
HEARTBEAT_S = 15.0  # between comments that keep the connection alive; the key is then checked again too
SEND_S = 30.0  # for a client to accept what is sent
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events, as they happen", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
}

router = APIRouter(prefix=PREFIX, tags=["events"], responses=ERRORS)


class Streams:
    """Counts the open streams, up to a limit, and ends them when the server stops."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open = 0
        self._stopping = asyncio.Event()

    @property
    def stopping(self) -> bool:
        """Whether all streams are to end."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """End all streams, and accept no more."""
        self._stopping.set()

    def enter(self) -> None:
        """Count a stream that begins; raise `Overloaded` if there are too many."""
        if self.stopping or self._open >= self._most:
            raise Overloaded(f"{self._open} streams are open, the limit is {self._most}: try again later")
        self._open += 1

    def leave(self) -> None:
        """Count a stream that has ended."""
        self._open -= 1

    async def pause(self) -> None:
        """Wait a moment, or less if the server stops."""
        try:
            async with asyncio.timeout(EVERY_S):
                await self._stopping.wait()
        except TimeoutError:
            pass


class StreamQuery(Given):
    """Which events to stream."""

    type: str = "*"


class EventStream(StreamingResponse):
    """A streaming answer that calls `Streams.leave` when it ends, however it ends."""

    def __init__(self, lines: AsyncIterator[bytes], streams: Streams) -> None:
        super().__init__(lines, media_type="text/event-stream", headers=_HEADERS)
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream for as long as the client accepts it."""

        async def sent_soon(message: Message) -> None:
            async with asyncio.timeout(SEND_S):
                await send(message)

        try:
            await super().__call__(scope, receive, sent_soon)
        except TimeoutError:
            pass  # the client accepts nothing more: it is as good as gone
        finally:
            self._streams.leave()


@router.get(
    "/events/stream", operation_id="events.stream", responses=_CONTENT, response_class=Response, response_model=None
)
async def stream(
    request: Request,
    visit: Visiting,
    given: Annotated[StreamQuery, Query()],
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream events as they happen: `memory.stored`, `memory.*`, or all; with a Last-Event-ID, those after that event.

    Each has its id, its type, and as data what `GET /events` shows of it. For half a minute after a stream ends, events
    are kept so that it can be resumed. A key for one user gets that user's events alone.
    """
    refuse_repeated(request.query_params, given.model_dump())
    streams: Streams = request.app.state.streams
    streams.enter()
    try:
        caller = await visit.threads.run(visit.enter)
        caller.principal.require("read")
        watch = await visit.threads.run(
            partial(caller.memory.events.watch, type=given.type, after=last_event_id or None)
        )
    except BaseException:
        streams.leave()
        raise
    return EventStream(_lines(streams, visit, caller, watch), streams)


async def _lines(streams: Streams, visit: Visit, caller: Admitted, watch: Watch) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    now = asyncio.get_running_loop().time
    beat_at = now() + HEARTBEAT_S
    while not streams.stopping:
        try:
            found = await asyncio.to_thread(watch.look)
            if found or now() >= beat_at:  # a revoked key gets nothing more
                await asyncio.to_thread(visit.enter, counted=False)
        except EmberkeepError:  # the store or the key is gone: a client that connects again is told which
            return
        if said := b"".join(_sent(one) for one in found if _may_see(caller, one)):
            yield said
        if now() >= beat_at:
            yield b": still here\n\n"
            beat_at = now() + HEARTBEAT_S
        await streams.pause()


def _may_see(caller: Admitted, event: Event) -> bool:
    return caller.principal.user_id in {None, event.user_id}


def _sent(event: Event) -> bytes:
    return f"id: {event.id}\nevent: {event.type}\ndata: {event.to_json()}\n\n".encode()
