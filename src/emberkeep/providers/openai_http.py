"""Posts to one endpoint of a server that speaks OpenAI's API: with retries, and never beyond the deadline."""

import random
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

import httpx

from emberkeep import spans
from emberkeep.clock import Deadline, SystemClock
from emberkeep.errors import ConfigError, ModelUnavailable

_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 60.0
_EXCERPT_LENGTH = 200
_MOST_BYTES = 128 * 1_048_576


@dataclass(frozen=True, slots=True)
class Reply:
    """The server's answer: a success, or a refusal that a retry would not change."""

    status: int
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether it is a success."""
        return httpx.codes.is_success(self.status)


@dataclass(frozen=True, slots=True)
class _Setback:
    """A failed attempt that may be retried: the reason, and the pause that the server asked for, if any."""

    reason: str
    pause_s: float | None = None


class Endpoint:
    """An address to post JSON to; safe to share between threads."""

    def __init__(
        self, base_url: str, path: str, *, name: str, api_key: str | None, timeout_s: float, max_retries: int
    ) -> None:
        url = _checked_url(base_url, path)
        self._login = httpx.BasicAuth(url.username, url.password) if url.userinfo else None
        self._url = url.copy_with(userinfo=b"")  # httpx logs the URL, which must not show the password
        self._name = name
        self._api_key = _checked_key(api_key)
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._connecting = threading.Lock()
        self._client: httpx.Client | None = None

    def ask(self, payload: Mapping[str, Any], deadline: Deadline | None) -> Reply:
        """The reply, with retries as far as their limit and the time allow; raises `ModelUnavailable`."""
        attempt = 1
        while isinstance(answer := self._attempt(payload, deadline), _Setback):
            pause_s = _pause_after(attempt) if answer.pause_s is None else answer.pause_s
            patience_s = _LONGEST_PAUSE_S if deadline is None else deadline.remaining()
            if attempt > self._max_retries or pause_s >= patience_s:
                raise self.unavailable(f"gave up after attempt {attempt}: {answer.reason}")
            time.sleep(pause_s)
            attempt += 1
        return answer

    def refused(self, reply: Reply, kind: type[ModelUnavailable] = ModelUnavailable) -> ModelUnavailable:
        """The error for a refusal."""
        hint = " (check the API key)" if reply.status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN) else ""
        return self.unavailable(f"HTTP {reply.status}{hint}: {self._excerpt(reply.body)}", kind)

    def nonsense(
        self, error: Exception, reply: Reply, kind: type[ModelUnavailable] = ModelUnavailable
    ) -> ModelUnavailable:
        """The error for a success that cannot be read."""
        return self.unavailable(f"nonsense in the reply ({error}): {self._excerpt(reply.body)}", kind)

    def unavailable(self, reason: str, kind: type[ModelUnavailable] = ModelUnavailable) -> ModelUnavailable:
        """The error that says which model at which host, and why."""
        return kind(f"{self._name} at {self._url.host}: {reason}")

    def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        with self._connecting:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _attempt(self, payload: Mapping[str, Any], deadline: Deadline | None) -> Reply | _Setback:
        limit = earliest(Deadline.after(self._timeout_s), deadline)
        if limit.passed:
            return _Setback("the deadline has passed")
        try:
            reply, body = _within(limit, partial(self._post, payload, limit, spans.headers()))
        except httpx.RequestError as error:
            # Only the name of the error: the message of a protocol error can quote the header with the key.
            return _Setback(type(error).__name__)
        if reply.status_code == httpx.codes.TOO_MANY_REQUESTS or reply.is_server_error:
            reason = f"HTTP {reply.status_code}: {self._excerpt(body)}"
            return _Setback(reason, retry_after(reply.headers.get("Retry-After")))
        return Reply(reply.status_code, body)

    def _post(
        self, payload: Mapping[str, Any], limit: Deadline, headers: Mapping[str, str]
    ) -> tuple[httpx.Response, bytes]:
        body, timeout = bytearray(), limit.remaining()
        with self._http().stream("POST", self._url, json=payload, timeout=timeout, headers=headers) as reply:
            for piece in reply.iter_bytes():
                body += piece
                if limit.passed:
                    raise httpx.ReadTimeout("the reply took too long")
                if len(body) > _MOST_BYTES:
                    raise httpx.ReadError("the reply is too long")
        return reply, bytes(body)

    def _http(self) -> httpx.Client:
        with self._connecting:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
                self._client = httpx.Client(headers=headers, auth=self._login)
                weakref.finalize(self, self._client.close)  # if this object is dropped without `close`
            return self._client

    def _excerpt(self, body: bytes) -> str:
        text = body.decode("utf-8", errors="replace")
        if self._api_key:
            text = text.replace(self._api_key, "***")  # before the cut, which could leave half of the key
        return " ".join(text.split())[:_EXCERPT_LENGTH]


def earliest(one: Deadline, other: Deadline | None) -> Deadline:
    """The deadline that comes first."""
    return one if other is None or one.at <= other.at else other


def _within(limit: Deadline, work: Callable[[], tuple[httpx.Response, bytes]]) -> tuple[httpx.Response, bytes]:
    """The result of the work if it finishes in time; otherwise raises `httpx.ReadTimeout`.

    httpx limits each step and each wait, but neither their sum nor the DNS look-up. So the work runs in a thread of
    its own, which is abandoned when the time is up.
    """
    result: Future[tuple[httpx.Response, bytes]] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            result.set_exception(error)

    threading.Thread(target=run, name="emberkeep-http", daemon=True).start()
    try:
        return result.result(limit.remaining())
    except TimeoutError:
        raise httpx.ReadTimeout("the reply took too long") from None


def _checked_url(base_url: str, path: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.rstrip("/") + path)
    except httpx.InvalidURL as error:
        raise ConfigError(f"the model's base URL is not a URL: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigError("the model's base URL has to look like https://host/v1")
    return url


def _checked_key(api_key: str | None) -> str | None:
    if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise ConfigError("the model's API key holds a space, a line break or a letter outside ASCII")
    return api_key


def _pause_after(attempt: int) -> float:
    jitter = random.uniform(0.5, 1.0)  # noqa: S311  (spreads clients out, hides nothing)
    return min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** (attempt - 1)) * jitter


def retry_after(header: str | None) -> float | None:
    """The seconds that a Retry-After header asks for; it holds a number or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - SystemClock().now()).total_seconds())
    except (ValueError, TypeError):
        return None
