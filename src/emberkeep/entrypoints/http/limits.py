"""How much the service takes on."""

from dataclasses import dataclass

from emberkeep.config import Config

HEAD_S = 10.0  # for a request to arrive as far as its headers
BODY_S = 60.0  # for its body to follow
MAX_DEPTH = 100  # of JSON inside JSON; what is kept may be nested 40 deep


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may be at most, and how many there may be at once."""

    body_bytes: int = 48_000_000
    timeout_s: float = 120.0
    requests: int = 64
    streams: int = 100
    body_s: float = BODY_S

    @classmethod
    def of(cls, config: Config) -> "Limits":
        """Those that the settings say."""
        return cls(config.max_body_mb * 1_000_000, config.request_timeout_s, config.max_requests, config.max_streams)
