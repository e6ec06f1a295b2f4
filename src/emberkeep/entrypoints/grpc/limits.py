"""How much the gRPC service takes on."""

from dataclasses import dataclass

from emberkeep.config import Config

MAX_WAITING = 1_000  # calls beyond those under way
WAITING_MESSAGES = 8  # how many of the largest may be in memory
SPARE = 200  # calls for health and reflection, which are answered however much there is to do
MAX_BEHIND = 1_000  # events that wait for someone who follows
FOR_VERBS = 0.9  # of the time that is left: the rest is for the way back


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a request may be, and how many calls and streams there may be at once."""

    message_bytes: int = 48_000_000
    calls: int = 64
    waiting: int = MAX_WAITING
    followers: int = 100

    @property
    def waiting_bytes(self) -> int:
        """How much there may be in all requests that are under way or wait."""
        return self.message_bytes * WAITING_MESSAGES

    @property
    def rpcs(self) -> int:
        """How many calls of all sorts there may be."""
        return self.calls + self.waiting + self.followers + SPARE

    @classmethod
    def of(cls, config: Config) -> "Limits":
        """Those that the settings say."""
        return cls(config.max_body_mb * 1_000_000, config.max_requests, MAX_WAITING, config.max_streams)
