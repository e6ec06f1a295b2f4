"""Connecting to Redis or Valkey."""

import re

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from emberkeep.errors import ConfigError, StoreUnavailable

_LOGIN = re.compile(r"//[^@/]*@")
LONGEST_CONNECT_S = 2.0


def connect(url: str, *, timeout_s: float, setting: str, as_text: bool = True) -> "redis.Redis":
    """A client with short timeouts and no retries: how to go on after a failure is the caller's decision."""
    try:
        return redis.Redis.from_url(
            url,
            decode_responses=as_text,
            socket_timeout=timeout_s,
            socket_connect_timeout=min(LONGEST_CONNECT_S, timeout_s),
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
    except ValueError as error:
        shown = _LOGIN.sub("//…@", url)
        raise ConfigError(f"{setting} is {shown!r} ({error}): pass redis://host:6379/0") from None


def ping(url: str, *, timeout_s: float, setting: str) -> None:
    """Check that a server answers; raises `StoreUnavailable` if it does not."""
    with connect(url, timeout_s=timeout_s, setting=setting) as client:
        try:
            client.ping()
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"the server does not answer ({type(error).__name__})") from None
