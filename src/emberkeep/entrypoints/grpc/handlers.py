"""An rpc for every verb of the table, and the two that stream: search results and events."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import Message

from emberkeep.entrypoints.grpc.calls import Call, Calls, completed
from emberkeep.entrypoints.grpc.failures import Context, refuse
from emberkeep.entrypoints.grpc.followers import Followers
from emberkeep.entrypoints.grpc.messages import filled, given, parsed, types_of
from emberkeep.entrypoints.grpc.names import (
    FOLLOW,
    HOMES,
    PACKAGE,
    SEARCH_STREAM,
    home_of,
    rpc_name,
    service_name,
)
from emberkeep.model.events import Event
from emberkeep.service.calls import call, invoke
from emberkeep.service.door import SEEN, Admitted, Door
from emberkeep.service.shapes import plain
from emberkeep.service.verbs import VERBS, Verb

DEGRADED = "emberkeep-degraded"
LOOK_AGAIN_S = 5.0  # between two checks that a follower's key is still valid
Unary = Callable[[bytes, Context], Awaitable[bytes]]
Streamed = Callable[[bytes, Context], AsyncIterator[bytes]]


@dataclass(frozen=True, slots=True)
class Desk:
    """What every call needs: the door that checks its key, the threads that do its work, and the followers."""

    door: Door
    calls: Calls
    followers: Followers


def services() -> tuple[str, ...]:
    """The full names of all services, with the package."""
    return tuple(f"{PACKAGE}.{service_name(home)}" for home in HOMES)


def handlers(desk: Desk) -> Iterator[Any]:
    """The handler of each service. Requests arrive as bytes, so that they are parsed outside the event loop."""
    streams = ((SEARCH_STREAM, _search_stream(desk)), (FOLLOW, _follow(desk)))
    for home in HOMES:
        rpcs = {rpc_name(verb): _unary_handler(_unary(desk, verb)) for verb in VERBS.values() if home_of(verb) == home}
        rpcs |= {rpc_name(one): _stream_handler(serve) for one, serve in streams if one.home == home}
        yield grpc.method_handlers_generic_handler(f"{PACKAGE}.{service_name(home)}", rpcs)


def _unary_handler(serve: Unary) -> Any:
    return grpc.unary_unary_rpc_method_handler(serve)


def _stream_handler(serve: Streamed) -> Any:
    return grpc.unary_stream_rpc_method_handler(serve)


def _unary(desk: Desk, verb: Verb) -> Unary:
    asked, answer = types_of(home_of(verb), rpc_name(verb))

    async def serve(request: bytes, context: Context) -> bytes:
        made = Call.of(context)

        def job() -> tuple[bytes, str | None]:
            caller, sent = _begun(desk, made, asked, request)
            told = call(caller.memory, verb, made.in_time(verb, completed(verb, sent)), caller.principal)
            seen = None if verb.role == "read" else caller.seen()
            return filled(answer(), told).SerializeToString(), seen

        try:
            told, seen = await desk.calls.run(job, len(request))
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller is answered
            await refuse(context, error)
        if seen is not None:
            context.set_trailing_metadata(((SEEN.lower(), seen),))
        return told

    return serve


def _search_stream(desk: Desk) -> Streamed:
    verb = VERBS["search"]
    asked, answer = types_of(SEARCH_STREAM.home, rpc_name(SEARCH_STREAM))

    async def serve(request: bytes, context: Context) -> AsyncIterator[bytes]:
        made = Call.of(context)

        def job() -> tuple[list[bytes], tuple[str, ...]]:
            caller, sent = _begun(desk, made, asked, request)
            hits = invoke(caller.memory, verb, made.in_time(verb, sent), caller.principal)
            return [filled(answer(), plain(hit)).SerializeToString() for hit in hits], hits.degraded

        try:
            found, degraded = await desk.calls.run(job, len(request))
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller is answered
            await refuse(context, error)
        context.set_trailing_metadata(tuple((DEGRADED, _ascii(one)) for one in degraded))
        for hit in found:
            yield hit

    return serve


def _follow(desk: Desk) -> Streamed:
    asked, answer = types_of(FOLLOW.home, rpc_name(FOLLOW))

    async def serve(request: bytes, context: Context) -> AsyncIterator[bytes]:
        made = Call.of(context)

        def job() -> tuple[Admitted, dict[str, Any]]:
            caller, sent = _begun(desk, made, asked, request)
            caller.principal.require("read")
            return caller, sent

        try:
            caller, sent = await desk.calls.run(job, len(request))
            async with aclosing(_followed(desk, made, caller, sent, context)) as events:
                async for event in events:
                    yield filled(answer(), plain(event)).SerializeToString()
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller is answered
            await refuse(context, error)

    return serve


async def _followed(
    desk: Desk, made: Call, caller: Admitted, sent: dict[str, Any], context: Context
) -> AsyncGenerator[Event, None]:
    """The events that a caller may see, for as long as its key is valid."""
    async with desk.followers.joined(caller, sent.get("type", "*")) as follower:
        missed = await desk.calls.run(partial(_missed, caller, sent), 0) if "after" in sent else []
        await context.send_initial_metadata(())
        for event in missed:
            if _may_see(caller, event):
                yield event
        known = {event.id for event in missed}
        now = asyncio.get_running_loop().time
        look_at = now() + LOOK_AGAIN_S
        while True:
            told = await follower.next(max(0.0, look_at - now()))
            if told is not None and told.id not in known and _may_see(caller, told):
                yield told
            if now() >= look_at:
                await desk.calls.run(partial(desk.door.admit, made.presented, counted=False), 0)
                look_at = now() + LOOK_AGAIN_S


def _missed(caller: Admitted, sent: dict[str, Any]) -> list[Event]:
    """The events after the last one that a caller saw, as far as they were kept."""
    watch = caller.memory.events.watch(type=sent.get("type", "*"), after=sent["after"])
    try:
        return watch.look()
    finally:
        watch.close()


def _may_see(caller: Admitted, event: Event) -> bool:
    return caller.principal.user_id in {None, event.user_id}


def _begun(desk: Desk, made: Call, asked: type[Message], request: bytes) -> tuple[Admitted, dict[str, Any]]:
    """Admit the caller and read the arguments; raise `TimedOut` if the deadline has passed."""
    made.check_time()
    caller = desk.door.admit(made.presented)
    caller.expect(made.seen)
    return caller, given(parsed(asked, request))


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()
