"""The way to a server: requests from many threads, sent again where that helps and is safe, in bounded time."""

import os
import random
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from emberkeep.clock import Deadline
from emberkeep.errors import Closed, ConfigError, EmberkeepError, StoreUnavailable, TimedOut, TooLarge, UnderWay
from emberkeep.providers.openai_http import retry_after
from emberkeep.remote.replies import Reply, may_pass, problem, result
from emberkeep.remote.requests import Request, request_for
from emberkeep.remote.seen import Seen
from emberkeep.service.door import SEEN
from emberkeep.service.verbs import Verb

PREFIX = "/api/v1"
EVENTS = "text/event-stream"
ATTEMPTS = 5
LONG_S = 3_600.0  # for verbs that work through much
CONNECT_S = 10.0
MOST_BYTES = 500_000_000  # of an answer: what is longer would fill the memory of whoever asked
QUIET_S = 60.0  # a stream that says nothing for so long, not even that it is there, has ended
_FIRST_PAUSE_S = 0.05
_POOL = httpx.Limits(max_connections=64, max_keepalive_connections=16, keepalive_expiry=30.0)


class Connection:
    """Calls verbs on a server. Safe to use from many threads."""

    def __init__(self, url: str, *, api_key: str = "", timeout_s: float = 60.0) -> None:
        self.server = _checked_url(url)
        self.timeout_s = timeout_s
        self._headers = {"Authorization": f"Bearer {_checked_key(api_key)}"} if api_key else {}
        self._client = self._new_client()
        self._closed = False
        self._seen = Seen()
        _OPEN.add(self)

    def call(self, verb: Verb, arguments: Mapping[str, Any], *, long: bool = False) -> Any:
        """What the verb gives back there; raises what it raises there."""
        request = request_for(verb, arguments)
        limit = Deadline.after(max(self.timeout_s, LONG_S) if long else self.timeout_s)
        # Sent again, it is known by its key and not done twice; what has no answer to give twice is sent once.
        headers = {} if verb.role == "read" or verb.is_secret else {"Idempotency-Key": str(uuid4())}
        attempts = 1 if verb.is_secret else ATTEMPTS
        attempt = 1
        while isinstance(answer := self._attempt(verb, request, headers, limit), EmberkeepError):
            pause_s = max(_pause_after(attempt), getattr(answer, "retry_after_s", 0.0))
            if attempt == attempts or not may_pass(answer, again=attempt > 1) or pause_s >= limit.remaining():
                raise self._lost(verb) if attempt > 1 and isinstance(answer, UnderWay) else answer
            time.sleep(pause_s)
            attempt += 1
        return result(verb, answer, self.server)

    @contextmanager
    def stream(self, target: str, *, after: str | None = None) -> Iterator[Iterator[str]]:
        """The lines that a server sends one by one, for as long as it does; from the event `after` which to go on."""
        self._refuse_if_closed()
        timeout = httpx.Timeout(CONNECT_S, read=QUIET_S)
        headers = {"Accept": EVENTS, **({} if after is None else {"Last-Event-ID": after})}
        try:
            with self._client.stream("GET", self.server + PREFIX + target, headers=headers, timeout=timeout) as reply:
                if not reply.is_success:
                    raise _refusal(reply, reply.read(), self.server)
                if _media_type(reply) != EVENTS:
                    raise EmberkeepError(f"what answers at {self.server} is no stream of events: check the URL")
                yield reply.iter_lines()
        except (
            httpx.HTTPError,
            OSError,
            UnicodeError,
            RuntimeError,
        ) as error:  # the last two if it is closed while it is read
            self._refuse_if_closed()
            raise self._unreachable(error) from None

    def close(self) -> None:
        """Let go of all connections; more calls raise `Closed`."""
        self._closed = True
        self._client.close()

    def begin_anew(self) -> None:
        """Leave the connections to the process that this one was forked from, and open new ones when asked."""
        self._client = self._new_client()

    def _new_client(self) -> httpx.Client:
        mounts = _directly(self.server)
        return httpx.Client(headers=self._headers, limits=_POOL, timeout=CONNECT_S, mounts=mounts)

    def _attempt(
        self, verb: Verb, request: Request, headers: Mapping[str, str], limit: Deadline
    ) -> Reply | EmberkeepError:
        self._refuse_if_closed()
        try:
            reply = self._send(request, headers, limit)
        except httpx.TimeoutException as error:
            if isinstance(error, httpx.ConnectTimeout) and not limit.passed:
                return self._unreachable(error)
            raise TimedOut(
                f"{self.server} did not answer {verb.name} in time: it may be done all the same; "
                "raise remote_timeout_s, or ask for less at once"
            ) from None
        except (httpx.HTTPError, OSError, UnicodeError) as error:  # the last one for a name that no host can have
            return self._unreachable(error)
        return reply if reply.ok else problem(verb, reply, self.server)

    def _send(self, request: Request, headers: Mapping[str, str], limit: Deadline) -> Reply:
        """One attempt. Waits are limited one by one, so that what comes bit by bit is looked at between."""
        patience = limit.remaining()
        body = bytearray()
        with self._client.stream(
            request.method,
            self.server + PREFIX + request.target,
            content=request.body,
            headers={
                **headers,
                **self._seen.headers(),
                **({} if request.body is None else {"Content-Type": "application/json"}),
            },
            timeout=httpx.Timeout(patience, connect=min(patience, CONNECT_S)),
        ) as reply:
            for piece in reply.iter_bytes():
                body += piece
                if limit.passed:
                    raise httpx.ReadTimeout("the answer took too long")
                if len(body) > MOST_BYTES:
                    raise TooLarge(f"{self.server} answers with more than {MOST_BYTES:,} bytes: ask for less at once")
            self._seen.note(reply.headers.get(SEEN))
            wait_s = retry_after(reply.headers.get("Retry-After"))
            return Reply(reply.status_code, _media_type(reply), bytes(body), wait_s)

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise Closed("this memory is closed: open it again")

    def _lost(self, verb: Verb) -> EmberkeepError:
        """What to say of a first attempt that nobody heard of again: the server may have died with it."""
        return TimedOut(
            f"the connection to {self.server} was lost while it did {verb.name}, and it has no answer yet: it may be "
            "done all the same, so look before you ask again"
        )

    def _unreachable(self, error: Exception) -> EmberkeepError:
        # The name only: the message of a protocol error can quote the header with the key.
        return StoreUnavailable(
            f"cannot reach {self.server} ({type(error).__name__}): see that `emberkeep serve` runs there, "
            "and that the URL is right"
        )


_OPEN: "weakref.WeakSet[Connection]" = weakref.WeakSet()


def _after_fork() -> None:
    """Two processes on one connection would read each other's answers: a fork gets connections of its own."""
    for connection in list(_OPEN):
        connection.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _refusal(reply: httpx.Response, body: bytes, server: str) -> EmberkeepError:
    return problem(_STREAMED, Reply(reply.status_code, _media_type(reply), body), server)


_STREAMED = Verb("events.follow", "GET", "/events/stream", "read")


def _media_type(reply: httpx.Response) -> str:
    return str(reply.headers.get("Content-Type", "")).partition(";")[0]


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for what is no port
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):  # neither the URL nor what they say of it: there may be a password in it
        raise ConfigError("that is no URL of a server: name it as http://host:port or https://host") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError("a server is named as http://host:port or https://host")
    if parts.username or parts.password:
        raise ConfigError("a server's URL holds no user and password: pass the key as api_key")
    if parts.query or parts.fragment:
        raise ConfigError("a server's URL ends with its path: leave out what follows ? or #")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _directly(server: str) -> dict[str, None]:
    """Which hosts are asked without the proxy of the environment: this machine, which no proxy stands for."""
    host = urlsplit(server).hostname or ""
    here = host in {"localhost", "::1"} or host.endswith(".localhost") or host.startswith("127.")
    return {f"all://{f'[{host}]' if ':' in host else host}": None} if here else {}


def _checked_key(api_key: str) -> str:
    if not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise ConfigError("api_key holds a space, a line break or a letter outside ASCII: pass the key alone")
    return api_key


def _pause_after(attempt: int) -> float:
    jitter = random.uniform(0.5, 1.0)  # noqa: S311 - spreads clients out, hides nothing
    return float(_FIRST_PAUSE_S * 2.0**attempt * jitter)
