"""How much the gRPC service takes on."""

from dataclasses import dataclass

from emberkeep.config import Config

MAX_WAITING = 1_000  # calls that wait for a thread
WAITING_MESSAGES = 8  # how many of the largest size may be in memory at once
SPARE = 200  # calls for health and reflection, which are answered under any load
MAX_BEHIND = 1_000  # events that may wait for one follower
FOR_VERBS = 0.9  # of the time that is left; the rest is for sending the answer


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a request may be, and how many calls and streams there may be at once."""

    message_bytes: int = 48_000_000
    calls: int = 64
    waiting: int = MAX_WAITING
    followers: int = 100

    @property
    def waiting_bytes(self) -> int:
        """How many bytes all requests that are under way or wait may hold together."""
        return self.message_bytes * WAITING_MESSAGES

    @property
    def rpcs(self) -> int:
        """How many calls of all kinds there may be at once."""
        return self.calls + self.waiting + self.followers + SPARE

    @classmethod
    def of(cls, config: Config) -> "Limits":
        """The limits in the settings."""
        return cls(config.max_body_mb * 1_000_000, config.max_requests, MAX_WAITING, config.max_streams)
