"""Every error that Emberkeep raises on purpose.

    EmberkeepError
    ├── InvalidInput          the caller's value is wrong; the message says what to pass instead
    ├── NotFound              no such memory for this tenant
    ├── Conflict              the request does not fit the state of what it is about
    │   ├── ChangedMeanwhile  it is no longer as the caller last saw it
    │   └── UnderWay          the same request was sent before, and is not answered yet
    ├── AccessDenied          the caller may not do this
    │   └── Unauthenticated   the caller is unknown: no key, or one that is not valid
    ├── TooManyRequests       the caller has to wait; `retry_after_s` says how long
    ├── TooLarge              the request is larger than the service accepts
    ├── Overloaded            the service has too much to do; `retry_after_s` says when to try again
    ├── TimedOut              it took longer than the caller allowed
    ├── ConfigError           a setting is wrong, unknown or missing
    ├── StoreError            the database refused or failed
    │   ├── StoreUnavailable  it cannot be opened or reached
    │   ├── StoreBusy         another writer held it for longer than the busy timeout
    │   ├── StoreFull         no space left; nothing was written
    │   └── StoreOutdated     it was made by another version of Emberkeep
    ├── EmbedderMismatch      the store's vectors come from another model
    ├── ModelUnavailable      an embedder or language model is down, too slow, or answers nonsense
    │   └── UnusableReply     it answers, but refuses this exchange, or its answer cannot be used
    └── Closed                the memory was closed

How each maps to an exit code, an HTTP status and a gRPC code is one table, `service/statuses.py`.
"""

LONGEST_MESSAGE = 2_000


class EmberkeepError(Exception):
    """The root of all errors. A message that quotes something huge is cut in its middle."""

    def __init__(self, message: str = "") -> None:
        if len(message) > LONGEST_MESSAGE:
            message = f"{message[: LONGEST_MESSAGE // 2]} … {message[-LONGEST_MESSAGE // 2 :]}"
        super().__init__(message)


class InvalidInput(EmberkeepError):
    """The caller's value is wrong; the message says what to pass instead."""


class NotFound(EmberkeepError):
    """There is no such memory for this tenant."""


class Conflict(EmberkeepError):
    """The request does not fit the state of what it is about, such as finishing a task that is finished."""


class ChangedMeanwhile(Conflict):
    """What the request is about is no longer as the caller last saw it: read it again, and decide anew."""


class UnderWay(Conflict):
    """The same request was sent before, and is not answered yet: wait for it, or send it again in a while."""


class AccessDenied(EmberkeepError):
    """The caller may not do this; another role, or the right user, may."""


class Unauthenticated(AccessDenied):
    """The caller is unknown: there was no key, or one that is not valid."""


class TooManyRequests(EmberkeepError):
    """The caller sent too many requests, and may try again after `retry_after_s` seconds."""

    def __init__(self, message: str = "", *, retry_after_s: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class TooLarge(EmberkeepError):
    """The request is larger than the service accepts; the message states the limit."""


class Overloaded(EmberkeepError):
    """The service has too much to do, and may have less after `retry_after_s` seconds."""

    def __init__(self, message: str = "", *, retry_after_s: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class TimedOut(EmberkeepError):
    """It took longer than the caller allowed."""


class ConfigError(EmberkeepError):
    """A setting is wrong, unknown or missing."""


class StoreError(EmberkeepError):
    """The database refused or failed."""


class StoreUnavailable(StoreError):
    """The database cannot be opened or reached."""


class StoreBusy(StoreError):
    """Another writer held the database for longer than the busy timeout."""


class StoreFull(StoreError):
    """No space is left; nothing was written."""


class StoreOutdated(StoreError):
    """The database was made by another version of Emberkeep."""


class EmbedderMismatch(EmberkeepError):
    """The store's vectors come from another model than the one configured."""


class ModelUnavailable(EmberkeepError):
    """An embedder or language model is down, too slow, or answers nonsense.

    `tokens_in`, `tokens_out` and `calls` say what was spent before it failed.
    """

    def __init__(self, message: str = "", *, tokens_in: int = 0, tokens_out: int = 0, calls: int = 0) -> None:
        super().__init__(message)
        self.tokens_in, self.tokens_out, self.calls = tokens_in, tokens_out, calls


class UnusableReply(ModelUnavailable):
    """A language model refuses this exchange, or its answer cannot be used; others may fare better."""

    def __init__(self, message: str = "", *, tokens_in: int = 0, tokens_out: int = 0, calls: int = 1) -> None:
        super().__init__(message, tokens_in=tokens_in, tokens_out=tokens_out, calls=calls)


class Closed(EmberkeepError):
    """The memory was closed."""
