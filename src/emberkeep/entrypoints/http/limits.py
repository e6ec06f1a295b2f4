"""How much the service takes on."""

from dataclasses import dataclass

from emberkeep.config import Config

HEAD_S = 10.0  # for the headers of a request to arrive
BODY_S = 60.0  # for its body to follow
MAX_DEPTH = 100  # of JSON inside JSON; what is kept may be nested 40 deep


@dataclass(frozen=True, slots=True)
class Limits:
    """How large and how slow a request may be, and how many requests and streams there may be at once."""

    body_bytes: int = 48_000_000
    timeout_s: float = 120.0
    requests: int = 64
    streams: int = 100
    body_s: float = BODY_S

    @classmethod
    def of(cls, config: Config) -> "Limits":
        """The limits in the settings."""
        return cls(config.max_body_mb * 1_000_000, config.request_timeout_s, config.max_requests, config.max_streams)
