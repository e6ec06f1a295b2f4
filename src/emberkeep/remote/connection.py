"""The connection to a server: requests from many threads, retried where that is safe and may help, in limited time."""

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
ATTEMPTS = 5  # to send one request
LONG_S = 3_600.0  # for verbs that process a lot
CONNECT_S = 10.0
MOST_BYTES = 500_000_000  # of an answer: a longer one could use up this process's memory
QUIET_S = 60.0  # a stream that sends nothing for so long, not even a sign of life, is broken
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
        """Call a verb on the server; return what it returns, and raise what it raises."""
        request = request_for(verb, arguments)
        limit = Deadline.after(max(self.timeout_s, LONG_S) if long else self.timeout_s)
        # By its key, the server recognises a write that is sent again, and does it once. It does not store the answer
        # of a verb that returns a secret, so such a request is sent only once.
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
        """Open a stream, and yield its lines as they arrive; with the id of an event, it goes on after that."""
        self._refuse_if_closed()
        timeout = httpx.Timeout(CONNECT_S, read=QUIET_S)
        headers = {"Accept": EVENTS, **({} if after is None else {"Last-Event-ID": after})}
        try:
            with self._client.stream("GET", self.server + PREFIX + target, headers=headers, timeout=timeout) as reply:
                if not reply.is_success:
                    raise _refusal(reply, reply.read(), self.server)
                if _media_type(reply) != EVENTS:
                    raise EmberkeepError(f"what answers at {self.server} is not a stream of events: check the URL")
                yield reply.iter_lines()
        # Reading from a connection that is closed meanwhile raises OSError or RuntimeError.
        except (httpx.HTTPError, OSError, UnicodeError, RuntimeError) as error:
            self._refuse_if_closed()
            raise self._unreachable(error) from None

    def close(self) -> None:
        """Close all connections; further calls raise `Closed`."""
        self._closed = True
        self._client.close()

    def begin_anew(self) -> None:
        """After a fork, leave the connections to the parent process, and open new ones on demand."""
        self._client = self._new_client()

    def _new_client(self) -> httpx.Client:
        mounts = _directly(self.server)
        return httpx.Client(headers=self._headers, limits=_POOL, timeout=CONNECT_S, mounts=mounts)

    def _attempt(
        self, verb: Verb, request: Request, headers: Mapping[str, str], limit: Deadline
    ) -> Reply | EmberkeepError:
        """Send a request once; return the answer or an error, which may be worth a retry, or raise `TimedOut`."""
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
        except (httpx.HTTPError, OSError, UnicodeError) as error:  # UnicodeError for an impossible host name
            return self._unreachable(error)
        return reply if reply.ok else problem(verb, reply, self.server)

    def _send(self, request: Request, headers: Mapping[str, str], limit: Deadline) -> Reply:
        """Send a request and read the answer. httpx limits each wait, so the total time is checked between pieces."""
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
        """The error for a write whose first attempt never came to an end: the server may have died during it."""
        return TimedOut(
            f"the connection to {self.server} was lost during {verb.name}, and it has no answer yet: it may be "
            "done all the same, so check before you call it again"
        )

    def _unreachable(self, error: Exception) -> EmberkeepError:
        # Only the name of the error: the message of a protocol error can quote the header with the key.
        return StoreUnavailable(
            f"cannot reach {self.server} ({type(error).__name__}): check that `emberkeep serve` runs "
            "there, and that the URL is right"
        )


# The connections of this process, which a fork has to renew.
_OPEN: "weakref.WeakSet[Connection]" = weakref.WeakSet()


def _after_fork() -> None:
    """Renew all connections in a fork: two processes on one connection would read each other's answers."""
    for connection in list(_OPEN):
        connection.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _refusal(reply: httpx.Response, body: bytes, server: str) -> EmberkeepError:
    """The error in the answer to a request for a stream."""
    return problem(_STREAMED, Reply(reply.status_code, _media_type(reply), body), server)


# Names the stream in its errors; it is not a verb of the table.
_STREAMED = Verb("events.follow", "GET", "/events/stream", "read")


def _media_type(reply: httpx.Response) -> str:
    return str(reply.headers.get("Content-Type", "")).partition(";")[0]


def _checked_url(url: str) -> str:
    """Return the URL of a server without a slash at its end; raise `ConfigError` if it is not one."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises if the port is invalid
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):  # the message quotes neither, since a password may be in them
        raise ConfigError("this is not the URL of a server: write it as http://host:port or https://host") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError("the URL of a server is written as http://host:port or https://host")
    if parts.username or parts.password:
        raise ConfigError("a server's URL must not hold a user or password: pass the key as api_key")
    if parts.query or parts.fragment:
        raise ConfigError("a server's URL must end with its path: leave out ? or # and what follows")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _directly(server: str) -> dict[str, None]:
    """Return mounts for httpx that bypass a proxy from the environment, if the server is on this machine."""
    host = urlsplit(server).hostname or ""
    here = host in {"localhost", "::1"} or host.endswith(".localhost") or host.startswith("127.")
    return {f"all://{f'[{host}]' if ':' in host else host}": None} if here else {}


def _checked_key(api_key: str) -> str:
    """Return a key that can be sent in a header; raise `ConfigError` for any other."""
    if not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise ConfigError("api_key holds a space, a line break or a letter outside ASCII: pass the key alone")
    return api_key


def _pause_after(attempt: int) -> float:
    """Return the seconds to wait after an attempt: twice as long each time, with jitter."""
    jitter = random.uniform(0.5, 1.0)  # noqa: S311 - spreads clients out, needs no secrecy
    return float(_FIRST_PAUSE_S * 2.0**attempt * jitter)
